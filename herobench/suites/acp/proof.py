"""Proves the answers of a questions file again: by the engine, or by the game and its exact searches."""

from __future__ import annotations

from herobench.suites.acp.generate import proof as in_pddl
from herobench.suites.acp.hero.making import proof as about_hero
from herobench.suites.acp.hero.question import HeroQuestion
from herobench.suites.acp.rows import AnyQuestion


def faults_of(question: AnyQuestion) -> list[str]:
    """Return a sentence for each thing that does not hold."""
    if isinstance(question, HeroQuestion):
        return about_hero.faults_of(question)
    return in_pddl.faults_of(question)
