"""Refuses requests that a browser sends for a web page of another machine. An ASGI middleware.

The servers ask for no password, but browsers that reach one open pages of strangers, and their scripts may post to any
address and open web sockets to it. Browsers tell the page's address in `Origin`; programs send none.

A browser sends no `Origin` where it takes the server for the page's own, and the owner of a page may let its name lead
to the server (DNS rebinding). Such a request has the name in `Host`. On loopback that has to be a name of this machine.
Elsewhere programs may know the server by any name, so a page that was rebound can read what a GET tells; whatever acts
has an `Origin`. So `Origin` may be a page of loopback, of the name that the server was given, or of the very address
that the request is sent to: an address cannot be rebound.
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
    """Passes requests on that come from no page of another machine. Others get the status 403."""

    def __init__(self, app: _App, host: str = "localhost", address: str = "127.0.0.1") -> None:
        """Guard a server that was told to serve at a host, and listens at this address."""
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
            body = json.dumps({"detail": sentence}).encode()
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": body})

    def _refusal(self, scope: _Event) -> str | None:
        """Return why a request is refused; None for one that is not."""
        asked = [_host(f"//{host}") for host in _values(scope, b"host")]
        for page in map(_host, _values(scope, b"origin")):
            if not (self._is_own(page) or (page in asked and _address(page))):
                return _FOREIGN
        # programs that speak HTTP/1.0 may leave it out; browsers do not
        return None if not self._local or all(map(self._is_own, asked)) else _MISNAMED

    def _is_own(self, name: str) -> bool:
        return is_loopback(name) or (name != "" and name == self._own)


def is_loopback(host: str) -> bool:
    """Return whether only programs of this machine reach an address."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that a host is; None for a name."""
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
