"""Guards of the servers: they refuse requests from pages of other machines, and bodies that are too large."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from herobench.surfaces.sessions import Refused

_Event = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Event]]
_Send = Callable[[_Event], Awaitable[None]]
_App = Callable[[_Event, _Receive, _Send], Awaitable[None]]

_FOREIGN = "Web pages of other machines may not use this server."
_MISNAMED = "This server is asked by the name localhost or by an address of loopback, such as 127.0.0.1, alone."
_POLICY = 1008
"""The code of a web socket that is closed by a policy."""


class ForeignPages:
    """Passes requests on, unless a web page of another machine sends them. Those get the status 403."""

    def __init__(self, app: _App, host: str = "localhost", address: str = "127.0.0.1") -> None:
        """Guard a server that serves the name `host` and listens at `address`."""
        self._app = app
        self._own = host.lower()
        self._local = is_loopback(address)

    async def __call__(self, scope: _Event, receive: _Receive, send: _Send) -> None:
        """Handle one connection."""
        sentence = self._refusal(scope)
        if sentence is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY})
        else:
            await _refuse(send, 403, {"detail": sentence})

    def _refusal(self, scope: _Event) -> str | None:
        """Return the reason to refuse a request; None to accept it."""
        hosts = [_host(f"//{host}") for host in _values(scope, b"host")]
        for page in map(_host, _values(scope, b"origin")):
            if not (self._is_own(page) or (page in hosts and _address(page))):
                return _FOREIGN
        # Programs that speak HTTP/1.0 may leave out the host; browsers do not.
        return None if not self._local or all(map(self._is_own, hosts)) else _MISNAMED

    def _is_own(self, name: str) -> bool:
        return is_loopback(name) or (name != "" and name == self._own)


def is_loopback(host: str) -> bool:
    """Return whether only programs on this machine can reach an address."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return a host as an address; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _values(scope: _Event, header: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == header]


def _host(address: str) -> str:
    """Return the host of an address; an empty text for a page without one, such as a file or a sandboxed frame."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


MOST = 8 * 2**20
"""The most bytes of a body, by default: some thousand plans."""
SECONDS = 30.0
"""The seconds in which a client has to send a body."""
VALUES = 100_000
"""The most values in a body of JSON. A parsed value takes a hundred bytes and more, and kilobytes if it is invalid:
8 MiB of zeros in place of answers would take more than 10 GB."""
ROOM = 16
"""The most bytes of all bodies at a time, as a multiple of the largest body."""

_DRAINED, _DRAINING = 8, 10
"""After a refusal this many bytes (as a multiple of the largest body) are read and dropped, for this many seconds: most
clients send a whole body before they read the answer."""
_DIGITS = 20
"""The most digits of a content length."""
_SLOW, _FULL = 408, 429
_TOO_BIG = 1009
"""The code of a web socket that is closed because a message is too big."""
_BEGIN = re.compile(rb'(?:"(?:[^"\\]++|\\.)*+"?[^",\[{]*+)++|([,\[{])', re.DOTALL)
"""Matches a mark before a value, or skips texts. It reads no byte twice, even if a text has no end."""


class BodyCap:
    """Passes requests on if their bodies are small enough and arrive in time. Others get the status 413, 408 or 429."""

    def __init__(
        self, app: _App, most: int = MOST, seconds: float = SECONDS, check: Callable[[bytes], Any] | None = None
    ) -> None:
        """Guard an application. `check` returns None, or the document of a refusal with the status 400."""
        self._app, self._most, self._seconds, self._check = app, most, seconds, check
        self._held = 0
        """The bytes of all bodies that are held now."""

    async def __call__(self, scope: _Event, receive: _Receive, send: _Send) -> None:
        """Handle one connection."""
        if scope["type"] == "websocket":
            await self._app(scope, _small_messages(receive, send), send)
        elif scope["type"] == "http":
            await self._handle(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _handle(self, scope: _Event, receive: _Receive, send: _Send) -> None:
        body = _Body()
        try:
            refusal = await self._read(scope, receive, body)
            if body.whole and refusal is None:
                await self._pass_on(scope, body, receive, send)
        finally:
            self._held -= body.size
        if refusal is not None:
            if not (body.whole or refusal.status == _SLOW):
                body.data.clear()
                await self._drain(receive)
            # the rest of the body is not read
            headers = [(b"connection", b"close"), *([(b"retry-after", b"1")] if refusal.status == _FULL else [])]
            await _refuse(send, refusal.status, {"detail": str(refusal)}, headers)

    async def _pass_on(self, scope: _Event, body: _Body, receive: _Receive, send: _Send) -> None:
        wrong = self._check(bytes(body.data)) if self._check and scope["method"] == "POST" else None
        if wrong is not None:
            await _refuse(send, 400, wrong)
        else:
            await self._app(scope, body.replay(receive), send)

    async def _read(self, scope: _Event, receive: _Receive, body: _Body) -> Refused | None:
        """Read a body. Return the refusal; None if it is accepted, or the client has disconnected."""
        too_large = Refused(413, f"The body may have {self._most:,} bytes at most: send less at once.")
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or len(length) > _DIGITS or int(length) > self._most:
            return too_large
        try:
            async with asyncio.timeout(self._seconds):
                while not body.whole:
                    event = await receive()
                    if event["type"] == "http.disconnect":
                        return None
                    self._held += body.add(event)
                    if body.size > self._most:  # the client sent no content length
                        return too_large
                    if self._held > self._most * ROOM:
                        return Refused(_FULL, "The bodies of other requests take all room: send this one again later.")
        except TimeoutError:
            return Refused(_SLOW, f"The body did not come within {self._seconds:g} s: send it at once.")
        if _has_too_many_values(body.data):
            return Refused(413, f"The body may have {VALUES:,} values of JSON at most: send less at once.")
        return None

    async def _drain(self, receive: _Receive) -> None:
        left = self._most * _DRAINED
        with suppress(TimeoutError):
            async with asyncio.timeout(_DRAINING):
                while left > 0:
                    event = await receive()
                    left -= len(event.get("body", b""))
                    if not event.get("more_body", False):
                        return


class _Body:
    """The part of a request's body that has arrived."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.size = 0
        self.whole = False

    def add(self, event: _Event) -> int:
        """Take in an event. Return the number of new bytes."""
        part = event.get("body", b"")
        self.data += part
        self.size += len(part)
        self.whole = not event.get("more_body", False)
        return len(part)

    def replay(self, receive: _Receive) -> _Receive:
        """Return a receiver that gives the application the body as one event, and then further events."""
        content = iter([bytes(self.data)])
        self.data.clear()

        async def receive_again() -> _Event:
            for data in content:
                return {"type": "http.request", "body": data, "more_body": False}
            return await receive()

        return receive_again


async def _refuse(send: _Send, status: int, document: Any, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Answer a request with a document."""
    body = json.dumps(document).encode()
    own = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*own, *headers]})
    await send({"type": "http.response.body", "body": body})


def _small_messages(receive: _Receive, send: _Send) -> _Receive:
    """Return a receiver of a web socket that closes it for a message with too many values."""

    async def receive_small() -> _Event:
        event = await receive()
        content = event.get("text") or event.get("bytes") or b""
        if not _has_too_many_values(content.encode("utf-8", "replace") if isinstance(content, str) else content):
            return event
        await send({"type": "websocket.close", "code": _TOO_BIG, "reason": f"more than {VALUES:,} values of JSON"})
        return {"type": "websocket.disconnect", "code": _TOO_BIG}

    return receive_small


def _has_too_many_values(data: bytes | bytearray) -> bool:
    """Return whether a text, read as JSON, would have too many values."""
    if sum(map(data.count, (b",", b"[", b"{"))) <= VALUES:  # a quick upper bound: it counts the marks in texts too
        return False
    if not json.detect_encoding(bytes(data[:4])).startswith("utf-8"):
        return True  # in other encodings, which some libraries read, characters contain these bytes
    starts = (match for match in _BEGIN.finditer(data) if match[1])
    return next(islice(starts, VALUES, None), None) is not None
