"""Served models, by the official SDK: any endpoint that speaks chat completions or the Responses API.

The SDK carries requests and streams. It does not interpret their contents, since servers send fields that it does not
know and leave out ones that it expects: documents are taken as plain JSON and read by `chat_api` and `responses_api`.
Its own retries are off. Every failure leaves here as a ModelError; neither it nor a reply has the key in it.

A reply that came whole was paid for, and is taken whatever happens to its connection afterwards: a reset, an end
without the end marker, a timeout, an error, or garbage. It is whole

- in a stream of chat completions, when a choice has given its finish reason;
- in a stream of the Responses API, when the last event has come (`response.completed` or `response.incomplete`), or
  when a message has a text (`response.output_text.done`) and every item and every text that was begun is done;
- in one document, when the bytes that came are JSON.

Usage that comes later than that and is lost is unknown, as it is of servers that never tell it. Everything else that
breaks off is a failure.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx2
import openai

from herobench.conversation import Reply, Request
from herobench.errors import UsageError
from herobench.models import chat_api, responses_api
from herobench.models.endpoint import address, is_openai, key_for
from herobench.models.model import Setting
from herobench.models.refusals import FAILURES, failure_of, shortened
from herobench.models.secrets import Secrets

_OURS = {"model", "messages", "input", "stream", "stream_options", "n"}
"""Fields of a request that a run depends on."""
_CONNECT_SECONDS = 10.0
_LANE = 100
"""How many connections one client has: it looks through all of them for each request, which a thousand would slow."""


def build(setting: Setting) -> ServedModel:
    """The model of a setting; the entry point."""
    if not setting.argument:
        raise UsageError("Say which model is served: --model openai:NAME.")
    if setting.endpoint.api == "responses" and setting.sampling.seed is not None:
        raise UsageError("The Responses API takes no seed.")
    if ours := sorted(_OURS & setting.sampling.extra_body.keys()):
        raise UsageError(f"--extra-body cannot say {', '.join(ours)}: that is the run's own business.")
    return ServedModel(setting)


@dataclass(slots=True)
class _Lane:
    """One client with its own connections."""

    client: openai.AsyncOpenAI
    busy: int = 0


def _widths(connections: int) -> list[int]:
    """So many connections dealt out to lanes."""
    lanes = -(-connections // _LANE)
    return [connections // lanes + (lane < connections % lanes) for lane in range(lanes)]


class ServedModel:
    """A model behind an endpoint."""

    def __init__(self, setting: Setting) -> None:
        self._name = setting.argument
        self._sampling = setting.sampling
        self._endpoint = setting.endpoint
        url = address(setting.endpoint.base_url)
        self._key = key_for(setting.endpoint.key_name, url)
        self._secrets = Secrets.sent(self._key, url, setting.sampling.extra_body)
        self._newest = is_openai(url)
        self._lanes = [self._lane(url, width) for width in _widths(setting.endpoint.connections)]

    def _lane(self, url: str, width: int) -> _Lane:
        timeout = self._endpoint.timeout
        client = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=url,
            max_retries=0,
            timeout=httpx2.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS), pool=None),
            http_client=openai.DefaultAsyncHttpxClient(
                limits=httpx2.Limits(max_connections=width, max_keepalive_connections=width)
            ),
        )
        return _Lane(client)

    async def reply(self, request: Request) -> Reply:
        """Ask once."""
        lane = min(self._lanes, key=lambda lane: lane.busy)
        lane.busy += 1
        try:
            return self._secrets.reply(await self._ask(lane.client, request))
        except FAILURES as error:
            raise shortened(self._secrets.failure(failure_of(error))) from None
        finally:
            lane.busy -= 1

    async def _ask(self, client: openai.AsyncOpenAI, request: Request) -> Reply:
        """The reply, as soon as it is whole, or else what went wrong."""
        stream = self._endpoint.stream
        collector: type[chat_api.ChatReply | responses_api.ResponsesReply]
        if self._endpoint.api == "chat":
            path, collector = chat_api.PATH, chat_api.ChatReply
            body = chat_api.request(self._name, request, self._sampling, stream=stream, newest=self._newest)
        else:
            path, collector = responses_api.PATH, responses_api.ResponsesReply
            body = responses_api.request(self._name, request, self._sampling, stream=stream)
        answer = await client.post(path, cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object])
        streamed = stream and not _is_document(answer.response)
        reply = collector(stream=streamed)
        try:
            async with answer:
                async for document in answer if streamed else _whole(answer.response):
                    reply.add(document)
        except FAILURES:
            if not reply.whole:
                raise
        return reply.reply()

    async def close(self) -> None:
        """Close all connections."""
        for lane in self._lanes:
            await lane.client.close()


def _is_document(response: httpx2.Response) -> bool:
    """Whether a server sends one document in place of the stream that it was asked for."""
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower() == "application/json"


async def _whole(response: httpx2.Response) -> AsyncIterator[object]:
    """The one document of a body. One that came whole is read although the connection broke after it."""
    body = bytearray()
    try:
        async for part in response.aiter_bytes():
            body += part
    except httpx2.HTTPError as broken:
        try:
            whole = json.loads(body)
        except (ValueError, RecursionError):
            raise broken from None
        yield whole
        return
    yield json.loads(body)
