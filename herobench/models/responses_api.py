"""The Responses API: what is sent, and what its last event or its one document says.

The last event of a stream repeats the whole response, so that it alone is read. The events before it are kept for the
case that it never comes, or comes without its output. `openai_api` says when they are a reply without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from herobench.conversation import Reply, Request, Usage
from herobench.models.model import Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.refusals import told_failure
from herobench.models.server_json import count, entries, mapping, text
from herobench.models.streamed_parts import StreamedParts

PATH = "/responses"
_LAST = {"response.completed", "response.incomplete", "response.failed"}


def request(name: str, call: Request, sampling: Sampling, *, stream: bool) -> dict[str, Any]:
    """The body of a request. The server is asked not to keep it. There is no seed in this API."""
    effort = sampling.reasoning_effort
    asked = {
        "model": name,
        "input": [message.as_row() for message in call.messages],
        "max_output_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "reasoning": None if effort is None else {"effort": effort, "summary": "auto"},
        "store": False,
        "stream": True if stream else None,
    }
    return {name: value for name, value in asked.items() if value is not None} | sampling.extra_body


class ResponsesReply:
    """Waits for the whole response among events; a document that comes whole is one."""

    def __init__(self, *, stream: bool) -> None:
        self._stream = stream
        self._last: Mapping[str, Any] | None = None
        self._parts = StreamedParts()
        self._heard = False

    def add(self, event: object) -> None:
        """Take one event in."""
        if not isinstance(event, dict):
            raise ModelError(ErrorKind.MALFORMED, f"The server sent a {type(event).__name__} where an object belongs.")
        self._heard = True
        kind = text(event.get("type"))
        if not self._stream:
            self._last = event
        elif kind in _LAST:
            self._last = mapping(event.get("response"))
        elif kind == "error":
            raise told_failure(event)
        else:
            self._parts.add(event)

    @property
    def whole(self) -> bool:
        """Whether the last event came, or all that was begun is done."""
        return self._last is not None or self._parts.whole

    def reply(self) -> Reply:
        """What the response says. Raises ModelError where it is no reply."""
        if not self._heard:
            raise ModelError(ErrorKind.MALFORMED, "The server sent no stream: is the base URL that of the API?")
        if not self.whole:
            raise ModelError(ErrorKind.TRUNCATED, "The stream ended before the response was complete.")
        response = self._parts.response if self._last is None else self._last
        stop = self._parts.stop if self._last is None else self._why_it_stopped(self._last)
        if self._last is not None and not entries(response.get("output")):
            response = {**response, "output": self._parts.response["output"]}
        content = "".join(_parts(response, "message", "output_text", "text"))
        refusal = "".join(_parts(response, "message", "refusal", "refusal"))
        thought = [*_parts(response, "reasoning", "summary_text", "text")]
        thought += _parts(response, "reasoning", "reasoning_text", "text")
        usage = _usage(mapping(response.get("usage")))
        if not (content or refusal or thought or usage.output):
            raise ModelError(ErrorKind.EMPTY, "The server sent a response with nothing in it.")
        return Reply(
            text=content or refusal,
            reasoning="\n\n".join(thought) or None,
            stop="refusal" if refusal and not content else stop,
            usage=usage,
            model=text(response.get("model")),
            id=text(response.get("id")),
        )

    def _why_it_stopped(self, whole: Mapping[str, Any]) -> str:
        if whole.get("status") == "failed" or whole.get("error"):
            raise told_failure(whole.get("error"))
        if whole.get("status") != "incomplete":
            return "stop"
        reason = text(mapping(whole.get("incomplete_details")).get("reason"))
        if reason == "content_filter":
            raise ModelError(ErrorKind.FILTERED, "The server's content filter stopped the response.")
        return "length" if reason == "max_output_tokens" else reason or "incomplete"


def _parts(whole: Mapping[str, Any], item: str, part: str, field: str) -> Iterator[str]:
    """The texts of the parts of a kind in the output's items of a kind."""
    for output in map(mapping, entries(whole.get("output"))):
        if output.get("type") == item:
            for inner in map(mapping, [*entries(output.get("summary")), *entries(output.get("content"))]):
                if inner.get("type") == part and (said := text(inner.get(field))):
                    yield said


def _usage(row: Mapping[str, Any]) -> Usage:
    return Usage(
        input=count(row.get("input_tokens")),
        output=count(row.get("output_tokens")),
        reasoning=count(mapping(row.get("output_tokens_details")).get("reasoning_tokens")),
        cached=count(mapping(row.get("input_tokens_details")).get("cached_tokens")),
    )
