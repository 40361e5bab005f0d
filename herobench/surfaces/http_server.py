"""Runs an ASGI application on an address until a signal ends it. It needs uvicorn."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import closing
from typing import Any, NoReturn

import uvicorn

from herobench.errors import UsageError
from herobench.surfaces.foreign_pages import ForeignPages, is_loopback

_PATIENCE = 5
"""Seconds that requests under way have to end after a signal."""
_WAITING = 2_048
"""Connections that the system holds until the server takes them: many clients may begin at once."""
_MESSAGE = 8 * 2**20
"""Bytes of a message of a web socket when nothing else is said."""


def run_app(app: Any, host: str, port: int, ready: Callable[[str], None], most: int = _MESSAGE) -> None:
    """Serve until Ctrl-C, which raises KeyboardInterrupt, or SIGTERM, which raises SystemExit(0).

    On loopback, web pages of other machines are refused. `ready` is called with the address once connections are
    taken; a message of a web socket has `most` bytes at most.
    Raise UsageError for an address that is not free.
    """
    with closing(_bound(host, port)) as sock:
        shown = f"[{host}]" if ":" in host else host
        ready(f"http://{shown}:{sock.getsockname()[1]}")
        config = uvicorn.Config(
            ForeignPages(app) if is_loopback(host) else app,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=_PATIENCE,
            backlog=_WAITING,
            ws_max_size=most,
        )
        # uvicorn ends what is under way, and then raises the signal again
        before = signal.signal(signal.SIGTERM, _end)
        try:
            uvicorn.Server(config).run(sockets=[sock])
        finally:
            signal.signal(signal.SIGTERM, before)


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # `create_server` lets a server begin where one has just ended
        return socket.create_server((host, port), family=family, backlog=_WAITING)
    except (OSError, OverflowError) as error:
        raise UsageError(f"Cannot serve at {host}, port {port}: {error}. Give another --host or --port.") from error


def _end(number: int, frame: object) -> NoReturn:
    raise SystemExit(0)
