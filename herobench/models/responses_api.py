"""The Responses API: build a request's body, and read a reply from its last event or its one document.

`openai_api` calls this, sends and receives. The last event of a stream repeats the whole response, so that it alone is
read. The events before it are kept (`streamed_parts`) for the case that it never comes, or comes without its output;
`openai_api` says when they are a reply without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from herobench.conversation import Reply, Request, Usage
from herobench.models.dialect import USUAL, Dialect
from herobench.models.model import Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.refusals import CONTEXT_IS_FULL, failure_in, told_failure
from herobench.models.response_items import response_history, response_tool, said_in
from herobench.models.server_json import count, entries, mapping, text
from herobench.models.streamed_parts import StreamedParts

PATH = "/responses"
_LAST = {"response.completed", "response.incomplete", "response.failed"}


def request_body(
    name: str, request: Request, sampling: Sampling, *, stream: bool, dialect: Dialect = USUAL
) -> dict[str, Any]:
    """Return the body of a request in the dialect of a server. There is no seed in this API.

    The server is asked not to keep the request. So it gives its thoughts in an encrypted form, to have them back."""
    effort = sampling.reasoning_effort
    # without tools the next reply does not go on with the thoughts of the last one
    thoughts = dialect.thoughts if request.tools else "none"
    fields = {
        "model": name,
        "input": list(response_history(request.messages, thoughts)),
        "tools": [response_tool(tool) for tool in request.tools] or None,
        "text": _text_format(request) if dialect.forms else None,
        "max_output_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "reasoning": None if effort is None else {"effort": effort, "summary": "auto"},
        "include": None if thoughts == "none" else ["reasoning.encrypted_content"],
        "store": False,
        "stream": True if stream else None,
    }
    # The user's own fields last: they may replace ours, but for those that `openai_api` reserves.
    return {name: value for name, value in fields.items() if value is not None} | sampling.extra_body


def _text_format(request: Request) -> dict[str, Any] | None:
    if request.form is None:
        return None
    return {"format": {"type": "json_schema", **request.form.as_row(), "strict": True}}


class ResponsesReply:
    """Waits for the whole response among events; a document that comes whole is one."""

    def __init__(self, *, stream: bool, tools: bool = False) -> None:
        self._stream = stream
        self._last: Mapping[str, Any] | None = None
        self._parts = StreamedParts(tools=tools)
        self._heard = False

    def add(self, event: object) -> None:
        """Take one event in."""
        if not isinstance(event, dict):
            raise ModelError(ErrorKind.MALFORMED, f"The server sent a {type(event).__name__} where an object belongs.")
        self._heard = True
        kind = text(event.get("type"))
        if not kind and (failure := failure_in(event, "output")):
            raise failure
        if not self._stream:
            self._last = event  # a document has the form of what the last event of a stream holds
        elif kind in _LAST:
            self._last = mapping(event.get("response"))
        elif kind == "error":
            raise told_failure(event)
        else:
            self._parts.add(event)

    @property
    def whole(self) -> bool:
        """True once the last event came, or all that was begun is done."""
        return self._last is not None or self._parts.whole

    @property
    def overlong(self) -> bool:
        """False: the response is told whole in the end, and nothing of it is added up before."""
        return False

    def reply(self) -> Reply:
        """Return the reply that the response holds. Raises ModelError where it holds none."""
        if not self._heard:
            raise ModelError(ErrorKind.MALFORMED, "The server sent no stream: is the base URL that of the API?")
        if not self.whole:
            raise ModelError(ErrorKind.TRUNCATED, "The stream ended before the response was complete.")
        response = self._parts.response if self._last is None else self._last
        stop = self._parts.stop if self._last is None else _stop_of(self._last)
        if self._last is not None and not entries(response.get("output")):
            # Some servers leave the output out of the last event, having streamed it.
            response = {**response, "output": self._parts.response["output"]}
        output = [mapping(item) for item in entries(response.get("output"))]
        said = said_in(output)
        usage = _usage(mapping(response.get("usage")))
        nothing = not (said.text or said.reasoning or said.tool_calls or said.server_fields or usage.output)
        if nothing and stop in CONTEXT_IS_FULL:
            raise ModelError(ErrorKind.CONTEXT, f"The server stopped the response: {stop}.")
        if nothing and stop != "length":
            raise ModelError(ErrorKind.EMPTY, "The server sent a response with nothing in it.")
        if stop == "stop" and said.tool_calls:
            stop = "tool_calls"  # this API has one word for both ends; chat completions tells them apart
        return replace(
            said,
            stop=said.stop or stop,
            usage=usage,
            model=text(response.get("model")),
            id=text(response.get("id")),
        )


def _stop_of(response: Mapping[str, Any]) -> str:
    """Return why a response ended. Raises ModelError for one that failed or was filtered."""
    if response.get("status") == "failed" or response.get("error"):
        raise told_failure(response.get("error"))
    if response.get("status") != "incomplete":
        return "stop"
    reason = text(mapping(response.get("incomplete_details")).get("reason"))
    if reason == "content_filter":
        raise ModelError(ErrorKind.FILTERED, "The server's content filter stopped the response.")
    return "length" if reason == "max_output_tokens" else reason or "incomplete"


def _usage(row: Mapping[str, Any]) -> Usage:
    return Usage(
        input=count(row.get("input_tokens")),
        output=count(row.get("output_tokens")),
        reasoning=count(mapping(row.get("output_tokens_details")).get("reasoning_tokens")),
        cached=count(mapping(row.get("input_tokens_details")).get("cached_tokens")),
    )
