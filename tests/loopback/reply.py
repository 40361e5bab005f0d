"""What the model says to a question, before either API puts it into its own form."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from tests.loopback.behaviour import Behaviour, Kind
from tests.loopback.question import Question

CREATED = 1_700_000_000
REFUSAL = "I'm sorry, but I can't help with that."
FINISH = {Kind.LENGTH: "length", Kind.CONTENT_FILTER: "content_filter"}
PIECES = 8


@dataclass(frozen=True, slots=True)
class Usage:
    prompt: int
    cached: int
    completion: int
    """With the reasoning, as in both APIs."""
    reasoning: int

    @property
    def total(self) -> int:
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True)
class Reply:
    id: str
    model: str
    text: str
    reasoning: str = ""
    refusal: str | None = None
    finish: str = "stop"
    usage: Usage | None = None
    empty: bool = False
    """Not even a choice, or an item of output."""
    echo: str | None = None
    """What is said wherever there is room for it."""
    fingerprint: str | None = None


def reply_to(question: Question, behaviour: Behaviour, answer: str, number: int, echo: str | None = None) -> Reply:
    """The reply, with that part of the behaviour in it that concerns what is said."""
    if echo is not None:
        return _echo(question, behaviour, _said(behaviour, answer), number, echo)
    text = _said(behaviour, answer)
    refusal = REFUSAL if behaviour.kind is Kind.REFUSAL else None
    return Reply(
        id=f"{number:08x}",
        model=question.model if behaviour.model is None else behaviour.model,
        text=text,
        reasoning=behaviour.reasoning,
        refusal=refusal,
        finish=FINISH.get(behaviour.kind, "stop"),
        usage=usage_of(question.text, refusal or text, behaviour.reasoning) if behaviour.usage else None,
        empty=behaviour.kind is Kind.EMPTY_CHOICES,
    )


def _echo(question: Question, behaviour: Behaviour, text: str, number: int, echo: str) -> Reply:
    """A reply that says what it echoes after its text, and everywhere else."""
    said = f"{text}\n# {echo}\n"
    return Reply(
        id=f"{number:08x}-{echo}",
        model=f"{question.model}-{echo}",
        text=said,
        reasoning=f"{behaviour.reasoning} {echo}",
        usage=usage_of(question.text, said),
        echo=echo,
        fingerprint=f"fp-{echo}",
    )


def usage_of(prompt: str, text: str, reasoning: str = "") -> Usage:
    """Tokens that a test can foretell; a half of the prompt's are said to come from the cache."""
    return Usage(tokens(prompt), tokens(prompt) // 2, tokens(text) + tokens(reasoning), tokens(reasoning))


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
