"""Refuses bodies that are too large, before they are read whole. An ASGI middleware."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

MOST = 8 * 2**20
"""The most bytes of a body when nothing else is said: some thousand plans."""

_DRAINED, _DRAINING = 8, 10
"""How often the most bytes, and how many seconds, are read and dropped after a refusal: most clients send a body whole
before they read the answer."""

_Event = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Event]]
_Send = Callable[[_Event], Awaitable[None]]
_App = Callable[[_Event, _Receive, _Send], Awaitable[None]]


class _TooLarge(Exception):
    """Raised in the application while it reads a body that is too large."""


class BodyCap:
    """Passes requests on whose bodies have at most so many bytes. Others get the status 413."""

    def __init__(self, app: _App, most: int = MOST) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: _Event, receive: _Receive, send: _Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if not told.isdigit() or int(told) > self._most:
            await self._refuse(receive, send)
            return
        seen, answering = 0, False

        async def counted() -> _Event:
            nonlocal seen
            event = await receive()
            seen += len(event.get("body", b""))
            if seen > self._most:  # the client told no length
                raise _TooLarge
            return event

        async def watched(event: _Event) -> None:
            nonlocal answering
            if seen > self._most and not answering:
                raise _TooLarge  # the application took our exception for a fault of the client
            answering = True
            await send(event)

        try:
            await self._app(scope, counted, watched)
        except _TooLarge:
            if answering:
                raise
            await self._refuse(receive, send)

    async def _refuse(self, receive: _Receive, send: _Send) -> None:
        await self._drain(receive)
        body = json.dumps({"detail": f"The body may have {self._most:,} bytes at most: send less at once."}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),  # what is left of the body is not read
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _drain(self, receive: _Receive) -> None:
        left = self._most * _DRAINED
        with suppress(TimeoutError):
            async with asyncio.timeout(_DRAINING):
                while left > 0:
                    event = await receive()
                    left -= len(event.get("body", b""))
                    if not event.get("more_body", False):
                        return
