"""Proves the answers of a questions file again: by the engine, or by the game and its exact searches."""

from __future__ import annotations

from herobench.suites.acp.hero.any_question import AnyQuestion
from herobench.suites.acp.hero.question import HeroQuestion
from herobench.task_gen.acp import proof as in_pddl
from herobench.task_gen.acp.hero import proof as about_hero


def faults_of(question: AnyQuestion) -> list[str]:
    """Return a sentence for each thing that does not hold."""
    if isinstance(question, HeroQuestion):
        return about_hero.faults_of(question)
    return in_pddl.faults_of(question)
