"""A reply in the form of Responses: one document, or the typed and numbered events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.loopback.behaviour import Framing, Json
from tests.loopback.model_output import CREATED, ModelOutput, OutputCall, TokenCounts, arguments, pieces

INCOMPLETE = {
    "length": "max_output_tokens",
    "content_filter": "content_filter",
    "model_context_window_exceeded": "model_context_window_exceeded",
}
"""Why a response is incomplete, by the word that a chat has for it."""
BEGUN: dict[str, Json] = {"reasoning": {"summary": []}, "message": {"content": []}, "function_call": {"arguments": ""}}
"""The fields of an item that are empty when it is announced."""


def response(reply: ModelOutput) -> Json:
    reason = INCOMPLETE.get(reply.finish or "")
    return {
        **_head(reply),
        "status": "incomplete" if reason else "completed",
        "completed_at": None if reason else CREATED + 1,
        "incomplete_details": {"reason": reason} if reason else None,
        "output": _output(reply),
        "usage": _usage(reply.usage) if reply.usage else None,
    }


def failed(reply: ModelOutput, error: Json) -> Json:
    return {**_head(reply), "status": "failed", "error": {"code": "server_error", "message": error["message"]}}


def events(reply: ModelOutput) -> list[str]:
    whole = response(reply)
    return [_event(number, data) for number, data in enumerate(_events(reply, whole))]


def error_events(reply: ModelOutput, error: Json, number: int) -> list[str]:
    """Return the last events of a stream that fails midway, numbered from `number` on."""
    end = {"type": "response.failed", "response": failed(reply, error)}
    return [error_event(error, number), _event(number + 1, end)]


def error_event(error: Json, number: int) -> str:
    return _event(number, {"type": "error", "code": "server_error", "message": error["message"], "param": None})


def _head(reply: ModelOutput) -> Json:
    """A response on which work has begun."""
    return {
        "id": f"resp_{reply.id}",
        "object": "response",
        "created_at": CREATED,
        "status": "in_progress",
        "background": False,
        "completed_at": None,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "max_output_tokens": None,
        "metadata": {},
        "model": reply.model,
        "output": [],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "service_tier": "default",
        "store": True,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": None,
        "user": None,
    }


def _output(reply: ModelOutput) -> list[Json]:
    if reply.empty:
        return []
    message = [_message(reply)] if reply.text or not reply.calls else []
    return [*([_reasoning(reply)] if reply.reasoning else []), *message, *(_call(reply, call) for call in reply.calls)]


def _reasoning(reply: ModelOutput) -> Json:
    return {"id": f"rs_{reply.id}", "type": "reasoning", "summary": [_summary(reply.reasoning)]}


def _message(reply: ModelOutput) -> Json:
    status = "incomplete" if reply.finish in INCOMPLETE else "completed"
    content = [_part(reply, reply.refusal or reply.text)]
    return {"id": f"msg_{reply.id}", "type": "message", "status": status, "role": "assistant", "content": content}


def _call(reply: ModelOutput, call: OutputCall) -> Json:
    cut = reply.finish in INCOMPLETE and call is reply.calls[-1]
    item = {
        "type": "function_call",
        "status": "incomplete" if cut else "completed",
        "name": call.name,
        "arguments": arguments(reply, call),
    }
    ids = {} if reply.framing in (Framing.NO_ID, Framing.BARE) else {"id": f"fc_{call.id}", "call_id": call.id}
    return {**ids, **item}


def _summary(text: str) -> Json:
    return {"type": "summary_text", "text": text}


def _part(reply: ModelOutput, text: str) -> Json:
    if reply.refusal:
        return {"type": "refusal", "refusal": text}
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _events(reply: ModelOutput, whole: Json) -> Iterator[Json]:
    yield {"type": "response.created", "response": _head(reply)}
    yield {"type": "response.in_progress", "response": _head(reply)}
    for index, item in enumerate(whole["output"]):
        begun = {"status": "in_progress", **BEGUN[item["type"]]}
        numbered = {} if reply.framing in (Framing.NO_INDEX, Framing.BARE) else {"output_index": index}
        yield {"type": "response.output_item.added", **numbered, "item": {**item, **begun}}
        at = {"item_id": item.get("id", ""), **numbered}
        match item["type"]:
            case "reasoning":
                yield from _summary_events(reply, at)
            case "message":
                yield from _part_events(reply, at)
            case _:
                yield from _call_events(item, at)
        yield {"type": "response.output_item.done", **numbered, "item": item}
    yield {"type": f"response.{whole['status']}", "response": whole}


def _summary_events(reply: ModelOutput, at: Json) -> Iterator[Json]:
    at = {**at, "summary_index": 0}
    yield {"type": "response.reasoning_summary_part.added", **at, "part": _summary("")}
    for piece in pieces(reply.reasoning):
        yield {"type": "response.reasoning_summary_text.delta", **at, "delta": piece}
    yield {"type": "response.reasoning_summary_text.done", **at, "text": reply.reasoning}
    yield {"type": "response.reasoning_summary_part.done", **at, "part": _summary(reply.reasoning)}


def _part_events(reply: ModelOutput, at: Json) -> Iterator[Json]:
    at = {**at, "content_index": 0}
    name, field = ("refusal", "refusal") if reply.refusal else ("output_text", "text")
    more: Json = {} if reply.refusal else {"logprobs": []}
    text = reply.refusal or reply.text
    yield {"type": "response.content_part.added", **at, "part": _part(reply, "")}
    for piece in pieces(text):
        yield {"type": f"response.{name}.delta", **at, "delta": piece, **more}
    yield {"type": f"response.{name}.done", **at, field: text, **more}
    yield {"type": "response.content_part.done", **at, "part": _part(reply, text)}


def _call_events(item: Json, at: Json) -> Iterator[Json]:
    whole = item["arguments"]
    for piece in pieces(whole if isinstance(whole, str) else json.dumps(whole)):
        yield {"type": "response.function_call_arguments.delta", **at, "delta": piece}
    yield {"type": "response.function_call_arguments.done", **at, "name": item["name"], "arguments": whole}


def _usage(usage: TokenCounts) -> Json:
    return {
        "input_tokens": usage.prompt,
        "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": 0},
        "output_tokens": usage.completion,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.total,
    }


def _event(number: int, data: Json) -> str:
    numbered = json.dumps({**data, "sequence_number": number}, ensure_ascii=False)
    return f"event: {data['type']}\ndata: {numbered}\n\n"
