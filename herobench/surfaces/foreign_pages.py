"""Refuses requests that a browser sends for a web page of another machine. An ASGI middleware.

A server on loopback asks for no password, but a browser of this machine opens pages of others, and their scripts may
post to any address and open web sockets to it. Browsers tell the page's address in `Origin`; programs send none.

A browser sends no `Origin` where it takes the server for the page's own, and the owner of a page may let its name lead
to 127.0.0.1 (DNS rebinding). Such a request has the name in `Host`, so that has to be a name of this machine.
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

_FOREIGN = "Web pages of other machines may not use this server."
_MISNAMED = "This server is asked by the name localhost or by an address of loopback, such as 127.0.0.1, alone."
_POLICY = 1008
"""The code of a web socket that is closed by a policy."""


class ForeignPages:
    """Passes requests on that name this machine, and come from no page of another one. Others get the status 403."""

    def __init__(self, app: _App) -> None:
        self._app = app

    async def __call__(self, scope: _Event, receive: _Receive, send: _Send) -> None:
        """Handle one connection."""
        sentence = _refusal(scope)
        if sentence is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY})
        else:
            body = json.dumps({"detail": sentence}).encode()
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": body})


def is_loopback(host: str) -> bool:
    """Return whether only programs of this machine reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refusal(scope: _Event) -> str | None:
    """Return why a request is refused; None for one that is not."""
    if not all(is_loopback(_host(origin)) for origin in _values(scope, b"origin")):
        return _FOREIGN
    # programs that speak HTTP/1.0 may leave it out; browsers do not
    return None if all(is_loopback(_host(f"//{host}")) for host in _values(scope, b"host")) else _MISNAMED


def _values(scope: _Event, header: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == header]


def _host(address: str) -> str:
    """Return the host of an address; an empty text for a page without one, such as a file or a sandboxed frame."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
