"""HTTP/1.1 by hand, as much as clients of the API need: requests with a Content-Length, kept-alive connections, chunks.

A client that closes its side is held to be gone at once, also while it is made to wait: a half-closed connection, which
HTTP would allow, is not served.
"""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import sys
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus

LIMIT = 1 << 20
"""Bytes of a head, and of what is read ahead of need."""
SECONDS_TO_SEND = 5.0
LAST_CHUNK = b"0\r\n\r\n"


@dataclass(frozen=True)
class HttpRequest:
    method: str
    path: str
    headers: dict[str, str]
    """The headers by name, in small letters."""
    body: bytes


class ClientLeft(ConnectionError):
    """Raised when there is nobody any more to send to."""


class Ear(asyncio.StreamReader):
    """A reader that says at once when the other side has closed, not only to who reads."""

    def __init__(self) -> None:
        super().__init__(LIMIT)
        self.left = asyncio.Event()

    def feed_eof(self) -> None:
        super().feed_eof()
        self.left.set()

    def set_exception(self, exc: Exception) -> None:
        super().set_exception(exc)
        self.left.set()


class Wire:
    """One connection."""

    def __init__(self, reader: Ear, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def read(self) -> HttpRequest | None:
        """The next request; none when the client has closed, between requests or within one, or speaks no HTTP."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
            method, path, _ = first.split(" ")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ValueError):
            return None
        return HttpRequest(method, path, headers, body)

    async def write(self, data: bytes) -> None:
        if self.reader.left.is_set():
            raise ClientLeft
        self.writer.write(data)
        await self.writer.drain()

    async def pause(self, seconds: float) -> None:
        """Let time pass for as long as the client waits."""
        if seconds <= 0:
            return
        try:
            await asyncio.wait_for(self.reader.left.wait(), seconds)
        except TimeoutError:
            return
        raise ClientLeft

    async def until(self, event: asyncio.Event) -> None:
        """Wait for the event for as long as the client waits."""
        if event.is_set():
            return
        waits = {asyncio.ensure_future(event.wait()), asyncio.ensure_future(self.reader.left.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    def _sending(self, plain: socket.socket) -> bool:
        """Say whether there are bytes that the client's side has not yet acknowledged."""
        queued = int.from_bytes(fcntl.ioctl(plain, termios.TIOCOUTQ, bytes(4)), sys.byteorder)
        return bool(self.writer.transport.get_write_buffer_size() or queued) and not self.reader.left.is_set()

    async def reset(self) -> None:
        """Close with RST, once all that was written has reached the client's side."""
        plain = self.writer.get_extra_info("socket")
        # A reset discards what is still in the queue, so that a test could not say what the client got.
        deadline = time.monotonic() + SECONDS_TO_SEND
        while self._sending(plain) and time.monotonic() < deadline:
            await asyncio.sleep(0.001)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


def head(status: int, headers: dict[str, str]) -> bytes:
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown"
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def chunks(pieces: Sequence[bytes]) -> list[bytes]:
    """The pieces as chunks; the end of all goes with the last, so that no client sees the one without the other."""
    framed = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces]
    return [*framed[:-1], framed[-1] + LAST_CHUNK]
