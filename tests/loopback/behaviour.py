"""Behaviours: how the server may answer one request, and scripts, which choose a behaviour for each request.

A kind says what goes wrong. Where a kind makes little sense, such as the end of a stream in an answer that is not
streamed, its note says what happens instead. A framing says how tool calls are put into the answer.

A script is any function of the key of a request and the number of the try with that key, from 1 on, or a table:

    {"default": "ok", "keys": {"task-7": ["rate_limit", {"kind": "reset", "delay": 0.1}, "ok"]}, "delay": 0.01}

A list is gone through try by try, and its last behaviour stays. The `delay` comes on top of each behaviour's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class Kind(StrEnum):
    OK = "ok"

    RATE_LIMIT = "rate_limit"
    """429 that says nothing of when to come again."""
    RATE_LIMIT_SECONDS = "rate_limit_seconds"
    """429 with Retry-After in `seconds`."""
    RATE_LIMIT_DATE = "rate_limit_date"
    """429 with Retry-After as an HTTP date, `seconds` from now and rounded up: dates have whole seconds."""
    RATE_LIMIT_MS = "rate_limit_ms"
    """429 with retry-after-ms."""
    RATE_LIMIT_ABSURD = "rate_limit_absurd"
    """429 with a Retry-After of more than a year."""
    QUOTA = "quota"
    """429 insufficient_quota: to come again is of no use."""
    PAYMENT = "payment"
    """402: the account is empty."""

    SERVER_ERROR = "server_error"
    """500."""
    UNAVAILABLE = "unavailable"
    """503."""
    TIMEOUT = "timeout"
    """408."""
    HTML_502 = "html_502"
    """A proxy's page with status 502."""
    HTML_504 = "html_504"
    """A proxy's page with status 504."""
    OVERLOADED = "overloaded"
    """529, a status of which HTTP knows nothing."""
    CONFLICT = "conflict"
    """409."""

    CODE_401 = "code_401"
    """Status 200, and an error with the code 401: as all of these, a document, or the first event of a stream."""
    CODE_402 = "code_402"
    CODE_429 = "code_429"
    CODE_503 = "code_503"
    """The code is a text."""
    BARE_CODE = "bare_code"
    """Status 200, and a document with the code 500 and a message at its top."""

    CONTEXT = "context"
    """400 context_length_exceeded, in the words of the API that was asked."""
    CONTEXT_VLLM = "context_vllm"
    """400 in vLLM's words, with the code 400."""
    CONTEXT_VLLM_OLD = "context_vllm_old"
    """400 in the words of an older vLLM, whose error has no `error` around it."""
    CONTEXT_STOP = "context_stop"
    """Nothing is said, and the reason to stop is that the context is full."""
    TOO_LARGE = "too_large"
    """413."""
    UNPROCESSABLE = "unprocessable"
    """422, with a list of what is wrong in place of words."""
    NOT_ALLOWED = "not_allowed"
    """405."""
    BAD_REQUEST = "bad_request"
    """400 for a parameter that the model does not take."""
    UNAUTHORIZED = "unauthorized"
    """401 whose message holds the key that was sent."""
    FORBIDDEN = "forbidden"
    """403."""
    NO_MODEL = "no_model"
    """404 model_not_found."""

    CUT_HEAD = "cut_head"
    """The connection is closed in the middle of the headers."""
    BAD_CHUNK = "bad_chunk"
    """The body is said to come in chunks, and does not."""
    CLOSED = "closed"
    """The connection is closed before any answer."""
    SILENCE = "silence"
    """Nothing is answered for `seconds`; then the connection is closed."""
    RESET = "reset"
    """The connection is reset (RST) in the middle of the stream, or of the body."""
    CUT = "cut"
    """The connection is closed (FIN) in the middle of the stream, or of the body, as by a proxy that dies."""

    TRUNCATED = "truncated"
    """The stream ends properly as HTTP, but after half of its events; a body is torn JSON."""
    NO_DONE = "no_done"
    """The stream lacks its last event: [DONE] of a chat, response.completed of a response. A body is whole."""
    RESET_AT_END = "reset_at_end"
    """The connection is reset after all of the reply, but before the end marker: of a stream, [DONE] or the end of the
    chunks; of a body, the last of the bytes that were promised."""
    CUT_AT_END = "cut_at_end"
    """The same, but the connection is closed (FIN)."""
    STALL_AT_END = "stall_at_end"
    """The same, but nothing more comes for `seconds`; then the connection is closed."""
    GARBAGE_AT_END = "garbage_at_end"
    """After all of the reply comes an event of torn JSON. A body is whole."""
    ERROR_AT_END = "error_at_end"
    """After all of the reply, but before the last event, comes an error. A body is whole."""
    MALFORMED_CHUNK = "malformed_chunk"
    """One event in the middle of the stream is torn JSON; a body as a whole."""
    MALFORMED_BODY = "malformed_body"
    """Status 200 and torn JSON in place of a stream or a body."""
    EMPTY_BODY = "empty_body"
    """Status 200 and no body at all."""
    NOT_UTF8 = "not_utf8"
    """An event, or the body, has a byte in it that is no UTF-8."""
    PINGS = "pings"
    """Comments stand between the events of a stream; white space before a body."""
    WRONG_USAGE = "wrong_usage"
    """The counts of tokens are beyond all reason."""
    HTML = "html"
    """Status 200 and a page of HTML, as from a captive portal."""
    STREAM_ERROR = "stream_error"
    """An error after half of the stream's events. In a body: an `error` object, or a response that failed."""

    NO_FINISH = "no_finish"
    """A whole reply whose finish_reason is null to the end; in a response nothing is wrong."""
    EMPTY_CHOICES = "empty_choices"
    """No choices; no output in a response."""
    EMPTY_CONTENT = "empty_content"
    """An empty text, properly finished."""
    THOUGHTS_ONLY = "thoughts_only"
    """Reasoning, and neither a text nor a call."""
    EMPTY_LENGTH = "empty_length"
    """Nothing is said or counted, and finish_reason length; in a response incomplete, max_output_tokens."""
    REFUSAL = "refusal"
    """A refusal in place of a text."""
    LENGTH = "length"
    """Half the text, and finish_reason length; in a response incomplete, max_output_tokens."""
    CONTENT_FILTER = "content_filter"
    """Half the text, and finish_reason content_filter; in a response incomplete, content_filter."""


class Framing(StrEnum):
    """The forms of tool calls in a chat. In the Responses API only ids, indices and objects make a difference."""

    USUAL = "usual"
    """OpenAI's own: the id and the name first, then the arguments in pieces, all with the index of the call."""
    AT_ONCE = "at_once"
    """Each call whole in one chunk."""
    NO_ID = "no_id"
    NO_INDEX = "no_index"
    BARE = "bare"
    """Neither an id nor an index; each call whole in one chunk."""
    SAME_INDEX = "same_index"
    """All calls have the index 0, each whole in one chunk and with an id of its own."""
    SAME_ID = "same_id"
    """All calls have one id, and each an index of its own; else as usual."""
    NAME_REPEATED = "name_repeated"
    """Each piece has the id and the name again."""
    REPEATED_AT_END = "repeated_at_end"
    """After the pieces comes each call once more, whole."""
    FUNCTION_CALL = "function_call"
    """The older field, which has room for one call and none for an id."""
    OBJECTS = "objects"
    """Arguments that are JSON are sent as that, not as text."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    kind: Kind = Kind.OK
    seconds: float = 1.0
    """For Retry-After, and how long a silence lasts."""
    delay: float = 0.0
    """Seconds before the answer begins."""
    byte_delay: float = 0.0
    """Seconds before each byte of the stream, or of the body."""
    text: str | None = None
    """The text of the answer; by default what the server answers to the key."""
    calls: Sequence[Json] | None = None
    """The tool calls of the answer, each as `{"name": ..., "arguments": "..."}`; the only text beside them is that of
    the behaviour. By default what the server answers to the key."""
    framing: Framing = Framing.USUAL
    reasoning: str = ""
    """Reasoning that comes before the text: reasoning_content in a chat, a reasoning item in a response."""
    model: str | None = None
    """The model that the answer names; by default the one that was asked for."""
    usage: bool = True
    """False for an answer without counts of tokens."""
    charged: bool = False
    """True for an error that comes with counts of tokens, which the server charges for."""
    message: str | None = None
    """The words of an error; by default those of the provider."""
    echo: str | None = None
    """The disguise in which the key that was sent comes back wherever there is room for it: in the text, the reasoning,
    the model, the tool calls, the id and the headers of a reply, and in the message of an error."""

    @classmethod
    def of(cls, given: Given) -> Behaviour:
        """Build from the name of a kind or from JSON."""
        if isinstance(given, Behaviour):
            return given
        if isinstance(given, str):
            return cls(Kind(given))
        kind, framing = Kind(given.get("kind", Kind.OK)), Framing(given.get("framing", Framing.USUAL))
        return cls(**{**given, "kind": kind, "framing": framing})


Given = Behaviour | str | Mapping[str, Any]
"""A behaviour, the name of its kind, or the JSON of its fields."""


Script = Callable[[str, int], Given]


@dataclass(frozen=True)
class ScriptTable:
    default: tuple[Behaviour, ...] = (Behaviour(),)
    keys: Mapping[str, tuple[Behaviour, ...]] = field(default_factory=dict)

    def __call__(self, key: str, attempt: int) -> Behaviour:
        tries = self.keys.get(key, self.default)
        return tries[min(attempt, len(tries)) - 1]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> ScriptTable:
        if unknown := document.keys() - {"default", "keys", "delay"}:
            raise ValueError(f"a script has no {', '.join(sorted(unknown))}")
        delay = document.get("delay", 0.0)
        keys = {key: _tries(given, delay) for key, given in document.get("keys", {}).items()}
        return cls(_tries(document.get("default", "ok"), delay), keys)


def as_script(given: Script | Mapping[str, Any] | None) -> Script:
    return given if callable(given) else ScriptTable.of(given or {})


def _tries(given: Given | list[Given], delay: float) -> tuple[Behaviour, ...]:
    behaviours = [Behaviour.of(one) for one in (given if isinstance(given, list) else [given])]
    if not behaviours:
        raise ValueError("a list of behaviours is empty")
    return tuple(replace(one, delay=one.delay + delay) for one in behaviours)
