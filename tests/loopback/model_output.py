"""What the model says to a request, before either API puts it into its own form."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from tests.loopback.api_request import ApiRequest
from tests.loopback.behaviour import Behaviour, Kind

CREATED = 1_700_000_000
REFUSAL = "I'm sorry, but I can't help with that."
FINISH = {Kind.LENGTH: "length", Kind.CONTENT_FILTER: "content_filter"}
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
class ModelOutput:
    id: str
    model: str
    text: str
    reasoning: str = ""
    refusal: str | None = None
    finish: str = "stop"
    usage: TokenCounts | None = None
    empty: bool = False
    """Not even a choice, or an item of output."""
    echo: str | None = None
    """What is said wherever there is room for it."""
    fingerprint: str | None = None


def output_for(
    request: ApiRequest, behaviour: Behaviour, answer: str, number: int, echo: str | None = None
) -> ModelOutput:
    """The reply, with that part of the behaviour in it that concerns what is said."""
    if echo is not None:
        return _echo(request, behaviour, _said(behaviour, answer), number, echo)
    text = _said(behaviour, answer)
    refusal = REFUSAL if behaviour.kind is Kind.REFUSAL else None
    return ModelOutput(
        id=f"{number:08x}",
        model=request.model if behaviour.model is None else behaviour.model,
        text=text,
        reasoning=behaviour.reasoning,
        refusal=refusal,
        finish=FINISH.get(behaviour.kind, "stop"),
        usage=usage_of(request.text, refusal or text, behaviour.reasoning) if behaviour.usage else None,
        empty=behaviour.kind is Kind.EMPTY_CHOICES,
    )


def _echo(request: ApiRequest, behaviour: Behaviour, text: str, number: int, echo: str) -> ModelOutput:
    """A reply that says what it echoes after its text, and everywhere else."""
    said = f"{text}\n# {echo}\n"
    return ModelOutput(
        id=f"{number:08x}-{echo}",
        model=f"{request.model}-{echo}",
        text=said,
        reasoning=f"{behaviour.reasoning} {echo}",
        usage=usage_of(request.text, said),
        echo=echo,
        fingerprint=f"fp-{echo}",
    )


def usage_of(prompt: str, text: str, reasoning: str = "") -> TokenCounts:
    """Tokens that a test can foretell; a half of the prompt's are said to come from the cache."""
    return TokenCounts(tokens(prompt), tokens(prompt) // 2, tokens(text) + tokens(reasoning), tokens(reasoning))


def tokens(text: str) -> int:
    return ceil(len(text) / 4)


def pieces(text: str) -> list[str]:
    """The text as deltas: a few of them, however long it is."""
    size = max(1, ceil(len(text) / PIECES))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _said(behaviour: Behaviour, answer: str) -> str:
    text = answer if behaviour.text is None else behaviour.text
    if behaviour.kind in (Kind.EMPTY_CONTENT, Kind.EMPTY_CHOICES, Kind.REFUSAL):
        return ""
    return text[: len(text) // 2] if behaviour.kind in FINISH else text
