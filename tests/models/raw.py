"""Bytes that no test of ours would think of as an answer, sent by a server that knows nothing but them."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from herobench.models.openai_api import build
from tests.models.asked import Outcome, Way, once, setting


def http(
    status: int, body: bytes, *, headers: str = "Content-Type: application/json", length: int | None = None
) -> bytes:
    """An answer by HTTP; its length is that of the body, if not said to be another."""
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status} Whatever\r\n{headers}\r\nContent-Length: {size}\r\n\r\n".encode() + body


def events(*data: bytes) -> bytes:
    """A stream of events, properly framed."""
    body = b"".join(b"data: " + one + b"\n\n" for one in data)
    return http(200, body, headers="Content-Type: text/event-stream")


def answered(way: Way, answer: bytes) -> Outcome:
    """Ask a server that sends these bytes and closes; return the outcome."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            writer.write(answer)
            await writer.drain()
        writer.close()

    async def work() -> Outcome:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        model = build(setting(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", way))
        try:
            return await once(model, "k")
        finally:
            await model.close()
            server.close()

    return asyncio.run(work())
