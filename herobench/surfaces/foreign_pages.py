"""Refuses requests that a browser sends for a web page of another machine. An ASGI middleware.

A server on loopback asks for no password, but a browser of this machine opens pages of others, and their scripts may
post to any address and open web sockets to it. Browsers tell the page's address in `Origin`; programs send none.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

_Event = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Event]]
_Send = Callable[[_Event], Awaitable[None]]
_App = Callable[[_Event, _Receive, _Send], Awaitable[None]]

_BODY = json.dumps({"detail": "Web pages of other machines may not use this server."}).encode()
_POLICY = 1008
"""The code of a web socket that is closed by a policy."""


class ForeignPages:
    """Passes requests on, unless they come from a page that was not loaded from this machine: the status is 403."""

    def __init__(self, app: _App) -> None:
        self._app = app

    async def __call__(self, scope: _Event, receive: _Receive, send: _Send) -> None:
        """Handle one connection."""
        origins = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == b"origin"]
        if all(is_loopback(_host(origin)) for origin in origins):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY})
        else:
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(_BODY)).encode())]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": _BODY})


def is_loopback(host: str) -> bool:
    """Return whether only programs of this machine reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host(origin: str) -> str:
    """Return the host of a page; an empty text for a page without one, such as a file or a sandboxed frame."""
    try:
        return urlsplit(origin).hostname or ""
    except ValueError:
        return ""
