"""The body of an answer: one document, or a stream of events.

The first bytes say which. The content type does not: servers and proxies send either one under any header, and also the
one that was not asked for, and the reply in it is paid for all the same. `openai_api` reads bodies.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import Self

from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.server_errors import httpx, is_stream

_BLANK = b" \t\r\n\xef\xbb\xbf"
"""The bytes that may stand before a body: white space and the mark of UTF-8."""
_SIGNS = 6
"""The bytes that tell a document from a stream: `event:` is the longest name that is looked for."""
_TITLE = re.compile(rb"<title[^>]*>([^<]{1,200})", re.IGNORECASE)
_DONE = "[DONE]"
_SECONDS_TO_DRAIN = 0.1
"""The longest wait for the end of a body after its last event. It saves the connection for the next request."""


class AnswerBody:
    """Reads one body. `open` looks at its first bytes, and `documents` gives the JSON values in it."""

    def __init__(self, begin: bytes, rest: AsyncIterator[bytes]) -> None:
        self._begin, self._rest = begin, rest
        self.streamed = is_stream(begin)
        """True for a stream of events."""
        self.done = False
        """True once the server has sent the mark after its last event, [DONE]."""

    @classmethod
    async def open(cls, parts: AsyncIterator[bytes]) -> Self:
        """Begin to read a body by its parts. Raise ModelError for a page of HTML."""
        begin = b""
        async for part in parts:
            begin = (begin + part).lstrip(_BLANK)
            if len(begin) >= _SIGNS:
                break
        if begin.startswith(b"<"):
            title = _TITLE.search(begin)
            named = f" ({title[1].decode('utf-8', 'replace').strip()})" if title else ""
            message = f"The server sent an HTML page{named} in place of a reply."
            raise ModelError(ErrorKind.MALFORMED, message, is_page=True)
        return cls(begin, parts)

    async def documents(self) -> AsyncGenerator[object]:
        """Yield the one document, or the document of each event."""
        if not self.streamed:
            if body := await self._whole():
                yield json.loads(body)
            return
        async with aclosing(self._events()) as events:
            async for data in events:
                if data.startswith(_DONE):
                    self.done = True
                    await self._drain()
                    return
                yield json.loads(data)

    async def _whole(self) -> bytes:
        """Return all bytes of a document, also if the connection broke after the last one."""
        body = bytearray(self._begin)
        try:
            async for part in self._rest:
                body += part
        except httpx.HTTPError:
            if not _is_json(body):  # a document that was cut is not
                raise
        return bytes(body)

    async def _events(self) -> AsyncGenerator[str]:
        """Yield the data of each event that has some."""
        data: list[str] = []
        async with aclosing(self._lines()) as lines:
            async for line in lines:
                if line.startswith(b"data:"):
                    data.append(line[5:].decode().strip())
                elif not line and any(data):
                    yield "\n".join(data)
                    data = []
        last = "\n".join(data)
        # the blank line behind the last event may be missing; a torn event is none
        if last.startswith(_DONE) or _is_json(last):
            yield last

    async def _lines(self) -> AsyncGenerator[bytes]:
        """Yield the lines of a body as soon as they are whole. A long line is not copied for each of its parts."""
        line = bytearray()
        part = self._begin
        while True:
            line += part
            if end := max(part.rfind(b"\n"), part.rfind(b"\r")) + 1:
                whole = len(line) - len(part) + end
                for one in bytes(line[:whole]).splitlines():
                    yield one
                del line[:whole]
            try:
                part = await anext(self._rest)
            except StopAsyncIteration:
                break
        if line:
            yield bytes(line)

    async def _drain(self) -> None:
        """Read what follows the last event, but not for long."""
        with suppress(TimeoutError, httpx.HTTPError, ModelError):
            async with asyncio.timeout(_SECONDS_TO_DRAIN):
                async for _ in self._rest:
                    pass


def _is_json(body: bytes | bytearray | str) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True
