"""Make the bytes of an answer from a request and a behaviour, and decide how it ends, before any byte is sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from tests.loopback import chat_form, responses_form
from tests.loopback.api_request import ApiRequest
from tests.loopback.behaviour import Behaviour, Json, Kind
from tests.loopback.echoes import echoed
from tests.loopback.faults import NO_ANSWERS, PAGE, PAGES, in_body, overloaded, refused
from tests.loopback.http_wire import LAST_CHUNK, chunks, head
from tests.loopback.model_output import ModelOutput, Turn, output_for

MODEL = "test-model"
"""The one model that the server lists; it answers for any."""
TORN = (Kind.TRUNCATED, Kind.MALFORMED_CHUNK, Kind.MALFORMED_BODY)
HALF = (Kind.RESET, Kind.CUT)
AT_END = (Kind.RESET_AT_END, Kind.CUT_AT_END, Kind.STALL_AT_END)
RESETS = (Kind.RESET, Kind.RESET_AT_END)


class ConnectionEnd(Enum):
    """The fate of the connection after an answer."""

    KEEP = auto()
    CLOSE = auto()
    RESET = auto()


@dataclass(frozen=True)
class HttpAnswer:
    parts: tuple[bytes, ...]
    """The pieces after the head, in the order in which they are written; in a stream each is an event."""
    head: bytes = b""
    ending: ConnectionEnd = ConnectionEnd.KEEP


def answer_to(
    request: ApiRequest,
    behaviour: Behaviour,
    turn: Turn,
    number: int,
    key_sent: str,
    note: Callable[[ModelOutput], None],
) -> HttpAnswer:
    """Return the answer to a request, and note a reply that is counted."""
    kind = behaviour.kind
    if kind in NO_ANSWERS:
        return HttpAnswer((), NO_ANSWERS[kind], ConnectionEnd.CLOSE)
    if kind is Kind.EMPTY_BODY:
        return whole(200, b"", number, {"Content-Type": "application/json"})
    if kind in PAGES:
        status, title = PAGES[kind]
        return whole(status, PAGE % (title, title), number, {"Content-Type": "text/html"})
    echo = echoed(behaviour, key_sent)
    told = {"X-Echo": echo} if echo and echo.isprintable() and echo.isascii() else {}
    error = refused(behaviour, request, echo or key_sent)
    if error and behaviour.charged and isinstance(error.document, dict):
        note(reply := output_for(request, behaviour, turn, number, echo))
        counts = _document(request, Kind.OK, reply)["usage"]
        return json_answer(error.status, {**error.document, "usage": counts}, number, error.headers | told)
    if error:
        return json_answer(error.status, error.document, number, error.headers | told)
    told_in_body = in_body(behaviour, echo or key_sent)
    if told_in_body and not request.streams:
        return json_answer(200, {"error": told_in_body}, number, told)
    note(reply := output_for(request, behaviour, turn, number, echo))
    if request.streams and kind is not Kind.MALFORMED_BODY:
        return _stream(request, kind, reply, number, told, told_in_body)
    return _body(request, kind, reply, number, told)


def whole(status: int, body: bytes, number: int, headers: dict[str, str]) -> HttpAnswer:
    measured = {"Content-Length": str(len(body)), "x-request-id": f"req_{number:08x}", **headers}
    return HttpAnswer((body,), head(status, measured))


def json_answer(status: int, document: Any, number: int, headers: dict[str, str] | None = None) -> HttpAnswer:
    body = json.dumps(document, ensure_ascii=False).encode()
    return whole(status, body, number, {"Content-Type": "application/json", **(headers or {})})


def _body(request: ApiRequest, kind: Kind, reply: ModelOutput, number: int, told: dict[str, str]) -> HttpAnswer:
    answer = json_answer(200, _document(request, kind, reply), number, told)
    body = answer.parts[0]
    half = body[: len(body) // 2]
    if kind in TORN:
        return whole(200, half, number, {"Content-Type": "application/json"})
    if kind in (Kind.PINGS, Kind.NOT_UTF8):
        changed = b" \n" + body if kind is Kind.PINGS else body[:-1] + b"\xff}"
        return whole(200, changed, number, {"Content-Type": "application/json"})
    if kind in AT_END:
        promised = json_answer(200, _document(request, kind, reply), number, {"Content-Length": str(len(body) + 1)})
        return _broken((body,), promised.head, kind)
    return _broken((half,), answer.head, kind) if kind in HALF else answer


def _document(request: ApiRequest, kind: Kind, reply: ModelOutput) -> Json:
    if kind is Kind.STREAM_ERROR:
        error = overloaded(reply.echo)
        return {"error": error} if request.is_chat else responses_form.failed(reply, error)
    return chat_form.completion(reply) if request.is_chat else responses_form.response(reply)


def _stream(
    request: ApiRequest, kind: Kind, reply: ModelOutput, number: int, told: dict[str, str], error: Json | None
) -> HttpAnswer:
    headers = {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Transfer-Encoding": "chunked",
        "Cache-Control": "no-cache",
        "x-request-id": f"req_{number:08x}",
        **told,
    }
    events = _events(request, kind, reply) if error is None else chat_form.error_events(error)
    said = [event.encode() for event in events]
    if kind is Kind.NOT_UTF8:
        said[len(said) // 2] = said[len(said) // 2].replace(b'"', b'"\xff', 1)
    parts = tuple(chunks(said))
    begin = head(200, headers)
    if kind in AT_END:
        return _broken((*parts[:-1], parts[-1].removesuffix(LAST_CHUNK)), begin, kind)
    return _broken(parts[: len(parts) // 2], begin, kind) if kind in HALF else HttpAnswer(parts, begin)


def _broken(parts: tuple[bytes, ...], begin: bytes, kind: Kind) -> HttpAnswer:
    return HttpAnswer(parts, begin, ConnectionEnd.RESET if kind in RESETS else ConnectionEnd.CLOSE)


def _events(request: ApiRequest, kind: Kind, reply: ModelOutput) -> list[str]:
    events = chat_form.events(reply, request.wants_usage) if request.is_chat else responses_form.events(reply)
    half = len(events) // 2
    match kind:
        case Kind.TRUNCATED:
            return events[:half]
        case Kind.PINGS:
            return [part for event in events for part in (": ping\n\n", event)]
        case Kind.NO_DONE:
            return events[:-1]
        case Kind.RESET_AT_END | Kind.CUT_AT_END | Kind.STALL_AT_END:
            return events[:-1] if request.is_chat else events
        case Kind.GARBAGE_AT_END:
            return [*events[:-1], _torn(events[-2]), events[-1]]
        case Kind.ERROR_AT_END if request.is_chat:
            return [*events[:-1], *chat_form.error_events(overloaded(reply.echo))]
        case Kind.ERROR_AT_END:
            return [*events[:-1], responses_form.error_event(overloaded(reply.echo), len(events) - 1)]
        case Kind.MALFORMED_CHUNK:
            return [*events[:half], _torn(events[half]), *events[half + 1 :]]
        case Kind.STREAM_ERROR if request.is_chat:
            return [*events[:half], *chat_form.error_events(overloaded(reply.echo))]
        case Kind.STREAM_ERROR:
            return [*events[:half], *responses_form.error_events(reply, overloaded(reply.echo), half)]
        case _:
            return events


def _torn(event: str) -> str:
    return event[: len(event) * 2 // 3] + "\n\n"
