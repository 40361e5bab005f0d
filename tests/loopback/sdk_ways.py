"""For the tests of the server: the genuine SDK asks in each of its four ways, and what it saw is told in one form."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from openai.types import CompletionUsage
from openai.types.responses import Response, ResponseUsage

from tests.loopback.running_server import RunningServer

MODEL = "some/model"
KEY = "sk-loopback-secret"


@dataclass
class SdkView:
    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    end: str | None = None
    """finish_reason, status or reason of incompleteness: stop and completed are the same."""
    usage: tuple[int, int, int, int] | None = None
    """Tokens of the prompt, cached, of the completion, and of reasoning."""
    model: str = ""
    calls: list[list[str]] = field(default_factory=list)
    """The id, the name and the arguments of each tool call."""
    documents: list[Any] = field(default_factory=list)
    """The objects that the SDK returned, in its own types."""


Way = Callable[[AsyncOpenAI, str], Awaitable[SdkView]]


def ask(server: RunningServer, way: Way, prompt: str = "k1") -> SdkView:
    """Ask once, with no retries."""

    async def one() -> SdkView:
        async with client_of(server) as client:
            return await way(client, prompt)

    return asyncio.run(one())


def client_of(server: RunningServer) -> AsyncOpenAI:
    plain = DefaultAsyncHttpxClient(verify=False)  # to load certificates takes longer than to ask
    return AsyncOpenAI(base_url=server.url, api_key=KEY, max_retries=0, timeout=10, http_client=plain)


async def chat(client: AsyncOpenAI, prompt: str) -> SdkView:
    whole = await client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": prompt}])
    seen = SdkView(model=whole.model, usage=_chat_usage(whole.usage), documents=[whole])
    for choice in whole.choices:
        seen.text = choice.message.content or ""
        seen.refusal = choice.message.refusal or ""
        seen.reasoning = getattr(choice.message, "reasoning_content", "")
        seen.end = choice.finish_reason
        for call in choice.message.tool_calls or []:
            if call.type == "function":
                seen.calls.append([call.id, call.function.name, call.function.arguments])
    return seen


async def chat_stream(client: AsyncOpenAI, prompt: str) -> SdkView:
    seen = SdkView()
    async for chunk in await client.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": [{"type": "text", "text": prompt}]}],
        stream=True,
        stream_options={"include_usage": True},
    ):
        seen.documents.append(chunk)
        seen.model = chunk.model
        seen.usage = _chat_usage(chunk.usage) or seen.usage
        for choice in chunk.choices:
            seen.text += choice.delta.content or ""
            seen.refusal += choice.delta.refusal or ""
            seen.reasoning += getattr(choice.delta, "reasoning_content", "")
            seen.end = choice.finish_reason or seen.end
            for piece in choice.delta.tool_calls or []:
                if piece.index == len(seen.calls):
                    seen.calls.append(["", "", ""])
                call, function = seen.calls[piece.index], piece.function
                call[0] += piece.id or ""
                call[1] += (function.name if function else None) or ""
                call[2] += (function.arguments if function else None) or ""
    return seen


async def response(client: AsyncOpenAI, prompt: str) -> SdkView:
    whole = await client.responses.create(model=MODEL, input=prompt)
    seen = SdkView(model=whole.model, end=_end(whole), usage=_response_usage(whole.usage), documents=[whole])
    seen.text = whole.output_text
    for item in whole.output:
        if item.type == "reasoning":
            seen.reasoning = item.summary[0].text
        if item.type == "message" and item.content[0].type == "refusal":
            seen.refusal = item.content[0].refusal
        if item.type == "function_call":
            seen.calls.append([item.call_id, item.name, item.arguments])
    return seen


async def response_stream(client: AsyncOpenAI, prompt: str) -> SdkView:
    seen = SdkView()
    async for event in await client.responses.create(
        model=MODEL,
        input=[{"role": "user", "content": [{"type": "input_text", "text": prompt}]}],
        stream=True,
    ):
        seen.documents.append(event)
        if event.type == "response.output_text.delta":
            seen.text += event.delta
        elif event.type == "response.refusal.delta":
            seen.refusal += event.delta
        elif event.type == "response.reasoning_summary_text.delta":
            seen.reasoning += event.delta
        elif event.type == "response.function_call_arguments.delta":
            seen.calls[-1][2] += event.delta
        elif event.type == "response.output_item.added" and event.item.type == "function_call":
            seen.calls.append([event.item.call_id, event.item.name, event.item.arguments])
        elif event.type in ("response.completed", "response.incomplete", "response.failed"):
            seen.model, seen.end = event.response.model, _end(event.response)
            seen.usage = _response_usage(event.response.usage)
    return seen


def _end(whole: Response) -> str | None:
    if whole.incomplete_details:
        reason = whole.incomplete_details.reason
        return "length" if reason == "max_output_tokens" else reason
    return "stop" if whole.status == "completed" else whole.status


def _chat_usage(usage: CompletionUsage | None) -> tuple[int, int, int, int] | None:
    if usage is None or usage.prompt_tokens_details is None or usage.completion_tokens_details is None:
        return None
    cached = usage.prompt_tokens_details.cached_tokens or 0
    return usage.prompt_tokens, cached, usage.completion_tokens, usage.completion_tokens_details.reasoning_tokens or 0


def _response_usage(usage: ResponseUsage | None) -> tuple[int, int, int, int] | None:
    if usage is None:
        return None
    cached, reasoning = usage.input_tokens_details.cached_tokens, usage.output_tokens_details.reasoning_tokens
    return usage.input_tokens, cached, usage.output_tokens, reasoning
