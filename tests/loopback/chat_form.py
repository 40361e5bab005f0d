"""A reply in the form of Chat Completions: one document, or the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.loopback.behaviour import Framing, Json
from tests.loopback.model_output import CREATED, ModelOutput, OutputCall, TokenCounts, arguments, pieces

DONE = "data: [DONE]\n\n"


def completion(reply: ModelOutput) -> Json:
    document = {**_head(reply, "chat.completion"), "choices": [] if reply.empty else [_choice(reply)]}
    return {**document, "usage": _usage(reply.usage)} if reply.usage else document


def events(reply: ModelOutput, wants_usage: bool) -> list[str]:
    """The stream; with usage wanted, each chunk has a `usage` that is null but in a last one without choices."""
    head = _head(reply, "chat.completion.chunk")
    told = {"usage": None} if wants_usage and reply.usage else {}
    chunks = [{**head, "choices": choices, **told} for choices in _choices(reply)]
    if wants_usage and reply.usage:
        chunks.append({**head, "choices": [], "usage": _usage(reply.usage)})
    return [*(_event(chunk) for chunk in chunks), DONE]


def error_events(error: Json) -> list[str]:
    """Return the last events of a stream that fails midway."""
    return [_event({"error": error}), DONE]


def _head(reply: ModelOutput, kind: str) -> Json:
    return {
        "id": f"chatcmpl-{reply.id}",
        "object": kind,
        "created": CREATED,
        "model": reply.model,
        "service_tier": "default",
        "system_fingerprint": reply.fingerprint,
    }


def _choice(reply: ModelOutput) -> Json:
    reasoning = {"reasoning_content": reply.reasoning} if reply.reasoning else {}
    content = None if reply.refusal or (reply.calls and not reply.text) else reply.text
    message: Json = {"role": "assistant", "content": content, "refusal": reply.refusal, "annotations": [], **reasoning}
    if reply.calls and reply.framing is Framing.FUNCTION_CALL:
        message["function_call"] = _function(reply, reply.calls[0])
    elif reply.calls:
        message["tool_calls"] = [_whole_call(reply, call) for call in reply.calls]
    return {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish}


def _choices(reply: ModelOutput) -> Iterator[list[Json]]:
    """The `choices` of chunk after chunk."""
    if reply.empty:
        yield []
        return
    yield _delta({"role": "assistant", "content": "", "refusal": None})
    texts = {"reasoning_content": reply.reasoning, "content": reply.text, "refusal": reply.refusal or ""}
    for name, text in texts.items():
        for piece in pieces(text):
            yield _delta({name: piece})
    for delta in _call_deltas(reply):
        yield _delta(delta)
    yield _delta({}, reply.finish)


# -- tool calls -------------------------------------------------------------------------------------------------------


def _function(reply: ModelOutput, call: OutputCall) -> Json:
    return {"name": call.name, "arguments": arguments(reply, call)}


def _whole_call(reply: ModelOutput, call: OutputCall) -> Json:
    return {**_call_head(reply, call), "function": _function(reply, call)}


def _call_head(reply: ModelOutput, call: OutputCall) -> Json:
    """Return the fields of a call without its function and its index."""
    return {"type": "function"} | ({} if reply.framing in (Framing.NO_ID, Framing.BARE) else {"id": call.id})


def _call_deltas(reply: ModelOutput) -> Iterator[Json]:
    if reply.framing is Framing.FUNCTION_CALL:
        for call in reply.calls[:1]:
            yield {"function_call": {"name": call.name, "arguments": ""}}
            yield from ({"function_call": {"arguments": piece}} for piece in pieces(call.arguments))
        return
    for index, call in enumerate(reply.calls):
        yield from ({"tool_calls": [piece]} for piece in _call_pieces(reply, index, call))
    if reply.framing is Framing.REPEATED_AT_END:
        yield {"tool_calls": [{"index": at, **_whole_call(reply, call)} for at, call in enumerate(reply.calls)]}


def _call_pieces(reply: ModelOutput, index: int, call: OutputCall) -> Iterator[Json]:
    framing, begun = reply.framing, _call_head(reply, call)
    at = {} if framing in (Framing.NO_INDEX, Framing.BARE) else {"index": index}
    if framing is Framing.SAME_INDEX:
        at = {"index": 0}
    if framing in (Framing.AT_ONCE, Framing.BARE, Framing.SAME_INDEX, Framing.OBJECTS):
        yield {**at, **_whole_call(reply, call)}
        return
    yield {**at, **begun, "function": {"name": call.name, "arguments": ""}}
    for piece in pieces(call.arguments):
        again = {**begun, "function": {"name": call.name, "arguments": piece}}
        yield {**at, **(again if framing is Framing.NAME_REPEATED else {"function": {"arguments": piece}})}


def _delta(delta: Json, finish: str | None = None) -> list[Json]:
    return [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]


def _usage(usage: TokenCounts) -> Json:
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "total_tokens": usage.total,
        "prompt_tokens_details": {"cached_tokens": usage.cached, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": usage.reasoning,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def _event(data: Json) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"
