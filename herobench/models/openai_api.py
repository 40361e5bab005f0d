"""Ask a served model through the official SDK: any endpoint that speaks chat completions or the Responses API.

The SDK carries requests and streams; `chat_api` and `responses_api` read the documents as plain JSON, since servers
send fields that the SDK does not know and leave out ones that it expects. Its own retries are off. Every failure leaves
here as a ModelError; neither a failure nor a reply has the key in it.

The first bytes of a body say whether it is one document or a stream of events. The content type does not: servers and
proxies send either one under any header, and also the one that was not asked for, and the reply in it is paid for all
the same.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import openai

from herobench.conversation import Reply, Request
from herobench.data.errors import UsageError
from herobench.models import chat_api, responses_api
from herobench.models.chat_api import ReplyReader
from herobench.models.endpoint import address, advised, is_openai, key_for
from herobench.models.model import ModelSpec, cut
from herobench.models.model_error import ErrorKind, ModelError, ModelFault
from herobench.models.negotiation import Body, Dialect, Negotiation
from herobench.models.secrets import Secrets
from herobench.models.server_errors import FAILURES, as_model_error, httpx, is_stream, open_client, shortened

_BLANK = b" \t\r\n\xef\xbb\xbf"
"""The bytes that may stand before a body: white space and the mark of UTF-8."""
_SIGNS = 6
"""The bytes that tell a document from a stream: `event:` is the longest name that is looked for."""
_TITLE = re.compile(rb"<title[^>]*>([^<]{1,200})", re.IGNORECASE)
_DONE = "[DONE]"
_SECONDS_TO_DRAIN = 0.1
"""The longest wait for the end of a body after its last event. It saves the connection for the next request."""


class ReplyBody:
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


_RESERVED = {"model", "messages", "input", "tools", "functions", "stream", "stream_options", "n"}
"""Fields of a request that a run sets itself. `tool_choice` and `parallel_tool_calls` are the user's to choose."""
_LANE = 100
"""The most connections of one client. A client looks through all of its connections for each request, and with a
thousand of them that alone would slow a run down."""
_LONGEST_PAUSE = 3600.0
"""The longest time in seconds without anything new of a reply, also while the server keeps the connection busy."""


def build(setting: ModelSpec) -> ServedModel:
    """Build the served model of a setting; an entry point."""
    if not setting.argument:
        raise UsageError("The model openai: has no name after the colon: write --model openai:NAME.")
    if setting.endpoint.api == "responses" and setting.sampling.seed is not None:
        raise UsageError(ModelFault.NO_SEED)
    if reserved := sorted(_RESERVED & setting.sampling.extra_body.keys()):
        raise UsageError(ModelFault.RESERVED_FIELDS, fields=", ".join(reserved))
    return ServedModel(setting)


@dataclass(slots=True)
class _Lane:
    """One client with its own connections."""

    client: openai.AsyncOpenAI
    busy: int = 0


def _widths(connections: int) -> list[int]:
    """Divide the connections evenly among as few clients as can hold them."""
    lanes = -(-connections // _LANE)
    return [connections // lanes + (lane < connections % lanes) for lane in range(lanes)]


class ServedModel:
    """A model behind an endpoint."""

    def __init__(self, setting: ModelSpec, key: str | None = None) -> None:
        """Ask the endpoint of a setting. `key` is that of a server of our own; others have theirs in a variable."""
        self._name = setting.argument
        self._sampling = setting.sampling
        self._endpoint = setting.endpoint
        self._api = chat_api.API if self._endpoint.api == "chat" else responses_api.API
        self._url = url = address(setting.endpoint.base_url)
        key = key or key_for(setting.endpoint.key_name, url)
        self._secrets = Secrets.sent(key, url, setting.sampling.extra_body)
        # OpenAI's own models refuse the older name of the limit, and some other servers know only that one.
        usual = replace(setting.dialect, limit="max_completion_tokens") if is_openai(url) else setting.dialect
        self._negotiation = Negotiation(usual, setting.learned)
        widths = _widths(self._endpoint.connections)
        self._lanes = [_Lane(open_client(key, url, self._endpoint.timeout, width)) for width in widths]

    async def reply(self, request: Request) -> Reply:
        """Ask the server once."""
        # The run's pace limits the requests at once, so the least busy client always has a free connection.
        lane = min(self._lanes, key=lambda lane: lane.busy)
        lane.busy += 1
        try:
            # cut first: to look for secrets in very long texts takes long
            return self._secrets.reply(cut(await self._ask(lane.client, request)))
        except FAILURES as error:
            # `from None`: a traceback would show the SDK's exception, which may hold the key.
            raise self._told(error) from None
        finally:
            lane.busy -= 1

    def _told(self, error: Exception) -> ModelError:
        """Return a failure without the key, with advice."""
        failure = as_model_error(error)
        failure.reply = failure.reply and cut(failure.reply)
        return advised(shortened(self._secrets.failure(failure)), self._endpoint, self._url)

    async def _ask(self, client: openai.AsyncOpenAI, request: Request) -> Reply:
        """Ask in the dialect that the server is known to take."""

        async def charged(refusal: ModelError) -> None:
            if request.refused is not None:
                await request.refused(self._told(refusal))

        return await self._negotiation.ask(partial(self._body, request), partial(self._send, client, request), charged)

    async def _send(self, client: openai.AsyncOpenAI, request: Request, body: Body, take: Callable[[], None]) -> Reply:
        """Return the reply as soon as it is whole, or raise what went wrong. Calls `take` when the server replies."""
        # `stream=True` is for the SDK only: it then hands over the bytes as they come, so that a body is ours to read
        # however it ends.
        form = openai.AsyncStream[object]
        try:
            answer = await client.post(self._api.path, cast_to=object, body=body, stream=True, stream_cls=form)
        except openai.APIStatusError as refusal:
            raise self._with_reply(refusal) from refusal
        take()
        async with answer:
            return await self._read(answer.response, tools=bool(request.tools))

    async def _read(self, response: httpx.Response, *, tools: bool) -> Reply:
        """Return the reply in a body."""
        reader: ReplyReader | None = None
        patience = max(_LONGEST_PAUSE, self._endpoint.timeout)
        try:
            # what is left of a body is closed here, and not when the event loop has gone
            async with asyncio.timeout(patience) as clock, aclosing(response.aiter_bytes()) as parts:
                body = await ReplyBody.open(parts)
                reader = self._api.reader(stream=body.streamed, tools=tools)
                async with aclosing(body.documents()) as documents:
                    async for document in documents:
                        size = reader.size
                        reader.add(document)
                        if reader.overlong:
                            break
                        if reader.size > size:
                            clock.reschedule(asyncio.get_running_loop().time() + patience)
            reader.ended = body.done
        except (*FAILURES, TimeoutError) as error:
            # A reply that came whole was paid for, and is taken whatever happens to its connection
            # afterwards. A stream of chat completions is whole when a choice has given its finish reason.
            # A stream of the Responses API is whole with its last event; or when every item that began is
            # done, with a tool call in it or, if the request offered no tools, a text. So a stream that
            # breaks inside a call is never taken, and neither is a text after which a call could have
            # followed. Usage that is lost is unknown, as with servers that never tell it.
            if reader is None or not reader.whole:
                failure = as_model_error(error)
                failure.reply = None if reader is None else reader.so_far()
                raise failure from error
        return reader.reply()

    def _with_reply(self, refusal: openai.APIStatusError) -> ModelError:
        """Return a refusal with the usage in its body, if there is any: the server may charge for it."""
        failure, reader = as_model_error(refusal), self._api.reader(stream=False)
        with suppress(ModelError, ValueError, RecursionError, httpx.StreamError):
            reader.add(json.loads(refusal.response.content))
        failure.reply = reader.so_far()
        return failure

    def _body(self, request: Request, dialect: Dialect) -> dict[str, Any]:
        body = self._api.request_body(
            self._name, request, self._sampling, stream=self._endpoint.stream, dialect=dialect
        )
        return {name: _sendable(part) for name, part in body.items()}

    async def close(self) -> None:
        """Close all connections."""
        for lane in self._lanes:
            await lane.client.close()


def _sendable(value: Any) -> Any:
    """Return a part of a request as UTF-8 can encode it: a model may have said half of a surrogate pair before."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_sendable(name): _sendable(part) for name, part in value.items()}
    return [_sendable(part) for part in value] if isinstance(value, list | tuple) else value
