"""The model's output for a request, before either API puts it into its own form: text, tool calls, counts.

`http_answer` asks for it; `chat_form` and `responses_form` write it down. It knows nothing of HTTP or of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from tests.loopback.api_request import ApiRequest
from tests.loopback.behaviour import Behaviour, Framing, Kind

CREATED = 1_700_000_000
REFUSAL = "I'm sorry, but I can't help with that."
HALVED = {Kind.LENGTH: "length", Kind.CONTENT_FILTER: "content_filter"}
SILENT = {
    Kind.EMPTY_LENGTH: "length",
    Kind.CONTEXT_STOP: "model_context_window_exceeded",
    Kind.EMPTY_CONTENT: "stop",
    Kind.EMPTY_CHOICES: "stop",
    Kind.REFUSAL: "stop",
    Kind.THOUGHTS_ONLY: "stop",
}
"""The kinds of replies without a text and calls, and why they stop."""
FINISH: dict[Kind, str | None] = {**HALVED, **SILENT, Kind.NO_FINISH: None}
UNCOUNTED = (Kind.EMPTY_LENGTH, Kind.CONTEXT_STOP)
NONSENSE = 10**30
PIECES = 8


@dataclass(frozen=True, slots=True)
class TokenCounts:
    prompt: int
    cached: int
    completion: int
    """With the reasoning, as in both APIs."""
    reasoning: int

    @property
    def total(self) -> int:
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True)
class OutputCall:
    """One tool call."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ModelOutput:
    id: str
    model: str
    text: str
    calls: tuple[OutputCall, ...] = ()
    framing: Framing = Framing.USUAL
    reasoning: str = ""
    refusal: str | None = None
    finish: str | None = "stop"
    usage: TokenCounts | None = None
    empty: bool = False
    """Not even a choice, or an item of output."""
    echo: str | None = None
    """A text that is repeated in every field that can hold it."""
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The answer to a request when nothing goes wrong: a text, tool calls, or both."""

    text: str = ""
    calls: Sequence[Mapping[str, Any]] = ()


Said = str | Mapping[str, Any]
"""One turn of the model: a text, or `{"text": ..., "calls": [{"name": ..., "arguments": ...}]}`."""
Answers = Callable[[str], Said | Sequence[Said]]
AnswerTable = Mapping[str, Said | Sequence[Said]]


def as_answers(given: Answers | AnswerTable | None) -> Answers:
    """Answers by key; a key that a table lacks is answered as by default."""
    if given is None:
        return default_answer
    return given if callable(given) else lambda key: given[key] if key in given else default_answer(key)


def pick_turn(answer: Said | Sequence[Said], number: int) -> Turn:
    """Return the turn that an answer has for a request in which the model has answered this often before.

    The last turn of a list stays. So the same request gets the same answer, however often it is asked.
    """
    said = answer if isinstance(answer, str | Mapping) else answer[min(number, len(answer) - 1)]
    return Turn(said) if isinstance(said, str) else Turn(**said)


def default_answer(key: str) -> str:
    """A block of code that is Python, whatever the key, and does nothing."""
    return f"```python\n{f'answer to {key}'!r}\n```"


def output_for(
    request: ApiRequest, behaviour: Behaviour, turn: Turn, number: int, echo: str | None = None
) -> ModelOutput:
    """Return the output for a request, with those parts of the behaviour in it that concern what is said."""
    turn = _said(behaviour, turn)
    one_id = behaviour.framing is Framing.SAME_ID
    calls = tuple(
        OutputCall(f"call_{number:08x}_{0 if one_id else place}", call["name"], call["arguments"])
        for place, call in enumerate(turn.calls)
    )
    reasoning = behaviour.reasoning or ("Hm." if behaviour.kind is Kind.THOUGHTS_ONLY else "")
    refusal = REFUSAL if behaviour.kind is Kind.REFUSAL else None
    output = ModelOutput(
        id=f"{number:08x}",
        model=request.model if behaviour.model is None else behaviour.model,
        text=turn.text,
        calls=calls,
        framing=behaviour.framing,
        reasoning=reasoning,
        refusal=refusal,
        finish=FINISH.get(behaviour.kind, "tool_calls" if calls else "stop"),
        empty=behaviour.kind is Kind.EMPTY_CHOICES,
    )
    if echo is not None:
        output = _with_echo(output, echo)
    said = (refusal or output.text) + "".join(call.arguments for call in calls)
    if not behaviour.usage or behaviour.kind in UNCOUNTED:
        return output
    if behaviour.kind is Kind.WRONG_USAGE:
        return replace(output, usage=TokenCounts(-1, -1, NONSENSE, NONSENSE))
    return replace(output, usage=count_usage(request.text, said, reasoning))


def _with_echo(output: ModelOutput, echo: str) -> ModelOutput:
    """Return the output with what it echoes after its text, and everywhere else."""
    calls = (
        OutputCall(f"{call.id}-{echo}", f"{call.name}-{echo}", f"{call.arguments}\n{echo}") for call in output.calls
    )
    return replace(
        output,
        id=f"{output.id}-{echo}",
        model=f"{output.model}-{echo}",
        text=f"{output.text}\n# {echo}\n",
        calls=tuple(calls),
        reasoning=f"{output.reasoning} {echo}",
        echo=echo,
        fingerprint=f"fp-{echo}",
    )


def count_usage(prompt: str, text: str, reasoning: str = "") -> TokenCounts:
    """Count tokens so that a test can foretell them; half of the prompt's are said to come from the cache."""
    return TokenCounts(tokens(prompt), tokens(prompt) // 2, tokens(text) + tokens(reasoning), tokens(reasoning))


def tokens(text: str) -> int:
    return ceil(len(text) / 4)


def pieces(text: str) -> list[str]:
    """Divide a text into deltas: a few of them, however long it is."""
    size = max(1, ceil(len(text) / PIECES))
    return [text[start : start + size] for start in range(0, len(text), size)]


def arguments(output: ModelOutput, call: OutputCall) -> Any:
    """Return the arguments of a call as the framing tells them: as text, or as the JSON that the text is."""
    if output.framing is Framing.OBJECTS:
        with suppress(ValueError):
            return json.loads(call.arguments)
    return call.arguments


def _said(behaviour: Behaviour, turn: Turn) -> Turn:
    """Return the turn as the behaviour changes it. A reply that is cut has half of its last call, or of its text."""
    if behaviour.kind in SILENT:
        return Turn()
    if behaviour.calls is not None:
        turn = Turn(behaviour.text or "", behaviour.calls)
    elif behaviour.text is not None:
        turn = Turn(behaviour.text)
    if behaviour.kind not in HALVED:
        return turn
    if not turn.calls:
        return Turn(turn.text[: len(turn.text) // 2])
    *whole, last = turn.calls
    return Turn(turn.text, [*whole, {**last, "arguments": last["arguments"][: len(last["arguments"]) // 2]}])
