"""Connections of the servers, in an environment with the extra serve: clients that hang, that are many, that wait."""

import http.client
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.surfaces.environment import Environment, make_environment

pytestmark = pytest.mark.packaging
SERVER = Path(__file__).with_name("hasty_server.py")
Connect = Callable[[], socket.socket]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("connections"), herobench="serve")


@contextmanager
def served(environment: Environment, seconds: float, connections: int = 100) -> Iterator[Connect]:
    """Serve, and give what connects to the server."""
    command = [environment.bin / "python", SERVER, str(seconds), str(connections)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    parts = urlsplit(process.stdout.readline().strip())
    assert parts.port
    address = (parts.hostname, parts.port)
    opened: list[socket.socket] = []

    def connect() -> socket.socket:
        opened.append(socket.create_connection(address, timeout=60))
        return opened[-1]

    try:
        yield connect
    finally:
        for sock in opened:
            sock.close()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        process.stdout.close()


def is_closed(sock: socket.socket) -> bool:
    """Return whether the server closes the connection, and waits no more."""
    with suppress(ConnectionResetError):
        while sock.recv(2**20):
            pass
    return True


def get(sock: socket.socket, path: str) -> bytes:
    """Ask on an open connection."""
    sock.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    answer = http.client.HTTPResponse(sock)
    answer.begin()
    return answer.read()


def test_clients_that_let_the_server_wait_are_left(environment: Environment) -> None:
    with served(environment, 0.3) as connect:
        silent, half, kept, deaf = (connect() for _ in range(4))
        half.sendall(b"GET / HTTP/1.1\r\nHost: local")
        assert get(kept, "/nodelay") == b"1"  # an answer leaves at once
        kept.sendall(b"GET / HTTP/1.1\r\n")  # the head of the next request does not end
        deaf.sendall(b"GET /much HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert all(map(is_closed, (silent, half, kept)))
        assert get(connect(), "/late") == b"1"  # who waits for the server is not left
        read = 0
        with suppress(ConnectionResetError):
            while piece := deaf.recv(2**20):
                read += len(piece)
        assert read < 64 * 2**20


def test_a_new_client_takes_the_place_of_the_one_that_waited_longest(environment: Environment) -> None:
    with served(environment, 60, connections=3) as connect:
        busy = connect()
        assert get(busy, "/nodelay") == b"1"
        silent = [connect() for _ in range(2)]
        for _ in range(3):  # by then the others are taken in, and this one is the last that waits
            assert get(busy, "/nodelay") == b"1"
        late = connect()
        assert get(late, "/nodelay") == b"1"
        assert is_closed(silent[0])
        assert get(busy, "/nodelay") == b"1"
        silent[1].sendall(b"GET /nodelay HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert silent[1].recv(100).startswith(b"HTTP/1.1 200")
