"""Runs an ASGI application on an address until a signal ends it. It needs uvicorn.

A client may hang, or keep connections open on purpose. uvicorn closes a connection only if it is idle after an answer.
Here the server also limits the time for the head of a request, the time for reading an answer, and the number of
connections. `BodyCap` limits bodies.
"""

from __future__ import annotations

import asyncio
import resource
import signal
import socket
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, NoReturn

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from herobench.data.errors import UsageError
from herobench.surfaces.http_guards import MOST, ForeignPages

_PATIENCE = 5
"""The seconds in which running requests have to end after a signal."""
_WAITING = 2_048
"""The connections that the system queues until the server accepts them: many clients may connect at once."""
_IDLE = 30
"""The seconds in which a client has to send the head of a request, or to read more of an answer."""
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
            http=BoundedConnection,
            log_level="warning",
            access_log=False,
            timeout_keep_alive=_IDLE,
            timeout_graceful_shutdown=_PATIENCE,
            backlog=_WAITING,
            ws_max_size=most,
            ws_max_queue=1,  # some protocols of uvicorn hold 32 messages of a client that does not wait for answers
        )
        BoundedConnection.most = _most_connections()
        # uvicorn ends open requests, and then raises the signal again
        before = signal.signal(signal.SIGTERM, _end)
        try:
            uvicorn.Server(config).run(sockets=[sock])
        finally:
            signal.signal(signal.SIGTERM, before)


class BoundedConnection(H11Protocol):  # type: ignore[misc, unused-ignore]
    """A connection that is closed when its client keeps the server waiting too long.

    The parser is always h11, because the other parsers of uvicorn do not limit the head of a request.
    """

    most = _CONNECTIONS
    """The most connections at once. A new one replaces the one that has waited longest for its client."""
    _deadline: asyncio.TimerHandle | None = None
    _since = 0.0
    _unsent = 0

    def connection_made(self, transport: Any) -> None:
        """Accept a connection; close another one if there are too many."""
        super().connection_made(transport)
        self._wait_for_client()
        if len(self.connections) > self.most:
            waiting = [one for one in self.connections if isinstance(one, BoundedConnection) and one._deadline]
            longest = min(waiting, key=lambda one: one._since)
            longest._stop_waiting()
            longest.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read data. A partial head does not restart its time limit; bodies have limits of their own."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait until the answer is read, and for the next request unless it has already arrived."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._wait_for_client()

    def pause_writing(self) -> None:
        """Start the time limit of a client that does not read its answer."""
        super().pause_writing()
        self._wait_for_client()

    def resume_writing(self) -> None:
        """Continue to write an answer."""
        super().resume_writing()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._stop_waiting()

    def _wait_for_client(self) -> None:
        self._stop_waiting()
        self._since, self._unsent = time.monotonic(), self.transport.get_write_buffer_size()
        self._deadline = self.loop.call_later(_IDLE, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if self.transport.get_protocol() is not self:  # it has become a web socket
            self._stop_waiting()
        elif 0 < self.transport.get_write_buffer_size() < self._unsent:  # the client reads, if slowly
            self._wait_for_client()
        else:
            self.transport.abort()


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
