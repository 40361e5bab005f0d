"""Many clients of `herobench serve` at once, each with a connection of its own, and one more that asks how it is."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Crowd:
    """What came of all requests."""

    statuses: Counter[int] = field(default_factory=Counter)
    rows: list[Any] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """How long each answer took that was scored."""
    health: list[float] = field(default_factory=list)
    """How long the server took to tell its health, meanwhile."""
    took: float = 0.0


async def send(url: str, clients: int, bodies: Sequence[Any], *, again: bool = True) -> Crowd:
    """Let clients post these bodies to /score, each its share. With `again` they retry what was refused with 429."""
    crowd = Crowd()
    waiting = list(enumerate(bodies))
    crowd.rows = [None] * len(waiting)
    begin = time.perf_counter()
    watching = asyncio.create_task(_watch(url, crowd))
    async with asyncio.TaskGroup() as group:
        for client in range(clients):
            group.create_task(_client(url, waiting[client::clients], crowd, again))
    crowd.took = time.perf_counter() - begin
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    return crowd


async def _client(url: str, share: Sequence[tuple[int, Any]], crowd: Crowd, again: bool) -> None:
    reader, writer = await _connected(url)
    for number, body in share:
        begin = time.perf_counter()
        while True:
            status, row = await _request(reader, writer, "POST", "/score", body)
            crowd.statuses[status] += 1
            if status != 429 or not again:
                break
            await asyncio.sleep(0.2)
        crowd.rows[number] = row
        crowd.seconds.append(time.perf_counter() - begin)
    await _gone(writer)


async def _watch(url: str, crowd: Crowd) -> None:
    reader, writer = await _connected(url)
    try:
        while True:
            begin = time.perf_counter()
            assert (await _request(reader, writer, "GET", "/health"))[0] == 200
            crowd.health.append(time.perf_counter() - begin)
            await asyncio.sleep(0.05)
    finally:
        await _gone(writer)


async def _gone(writer: asyncio.StreamWriter) -> None:
    writer.close()
    await writer.wait_closed()


async def _connected(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(url)
    return await asyncio.open_connection(parts.hostname, parts.port)


async def _request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, body: Any = None
) -> tuple[int, Any]:
    data = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(data)}"
    )
    writer.write(f"{head}\r\n\r\n".encode() + data)
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
    return int(lines[0].split()[1]), json.loads(await reader.readexactly(int(headers["content-length"])))
