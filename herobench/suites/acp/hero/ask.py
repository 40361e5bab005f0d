"""Writes the prompt of a question about the hero's world: its text, and the form in which the answer is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from herobench.prompts.words import words_of
from herobench.suites.acp.hero.question import HeroQuestion

WORDS = "acp/hero"


def asked(question: HeroQuestion, with_thought: bool) -> Iterator[str]:
    """Yield the parts of a prompt. `with_thought` asks the model to reason first."""
    yield question.context
    yield question.question
    yield words_of(WORDS).fill(f"answer_{question.task}")
    if with_thought:
        yield words_of(WORDS).fill("thought")


def hero_digest() -> str:
    """Return the digest of the words of this domain."""
    return words_of(WORDS).digest()
