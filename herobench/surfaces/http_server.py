"""Runs an ASGI application on an address until a signal ends it. It needs uvicorn.

A client may hang, or keep connections open on purpose. uvicorn closes a connection that is idle after an answer, and
refuses requests beyond a number of connections with 503. `BodyCap` limits bodies.
"""

from __future__ import annotations

import resource
import signal
import socket
from collections.abc import Callable
from contextlib import closing
from typing import Any, NoReturn

import uvicorn

from herobench.data.errors import UsageError
from herobench.surfaces.http_guards import MOST, ForeignPages

_PATIENCE = 5
"""The seconds in which running requests have to end after a signal."""
_WAITING = 2_048
"""The connections that the system queues until the server accepts them: many clients may connect at once."""
_IDLE = 30
"""The seconds after an answer in which a client has to send another request."""
_CONNECTIONS = 4_096
"""The most connections at once, if the process may open twice as many files."""


def run_app(app: Any, host: str, port: int, ready: Callable[[str], None], most: int = MOST) -> None:
    """Serve until Ctrl-C, which raises KeyboardInterrupt, or SIGTERM, which raises SystemExit(0).

    Web pages of other machines are refused. `ready` is called with the address once connections are accepted. `most`
    limits the bytes of a web socket's message. Raise UsageError for an address that is not free.
    """
    with closing(bound_socket(host, port)) as sock:
        address, number, *_ = sock.getsockname()
        name = f"[{host}]" if ":" in host else host
        ready(f"http://{name}:{number}")
        config = uvicorn.Config(
            ForeignPages(app, host, address),
            http="h11",  # the other parsers of uvicorn do not limit the head of a request
            limit_concurrency=_most_connections(),
            log_level="warning",
            access_log=False,
            timeout_keep_alive=_IDLE,
            timeout_graceful_shutdown=_PATIENCE,
            backlog=_WAITING,
            ws_max_size=most,
            ws_max_queue=1,  # some protocols of uvicorn hold 32 messages of a client that does not wait for answers
        )
        # uvicorn ends open requests, and then raises the signal again
        before = signal.signal(signal.SIGTERM, _end)
        try:
            uvicorn.Server(config).run(sockets=[sock])
        finally:
            signal.signal(signal.SIGTERM, before)


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raise UsageError for an address that is not free."""
    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # `create_server` can reuse the address of a server that has just ended.
        server = socket.create_server((host, port), family=family, backlog=_WAITING)
    except (OSError, OverflowError) as error:
        raise UsageError(f"Cannot serve at {host}, port {port}: {error}. Give another --host or --port.") from error
    # asyncio sets TCP_NODELAY only where the protocol is named; without it each answer on a kept connection takes 40 ms
    return socket.socket(server.family, server.type, socket.IPPROTO_TCP, server.detach())


def _most_connections() -> int:
    """Return a number of connections that leaves half of the files of this process to the sandbox."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _CONNECTIONS if files == resource.RLIM_INFINITY else min(_CONNECTIONS, files // 2)


def _end(number: int, frame: object) -> NoReturn:
    raise SystemExit(0)
