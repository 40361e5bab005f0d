"""Models that are made up: plans and answers with a planted truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from herobench.analysis.diagnosis.evidence import Evidence, TaskEvidence

SKILLS = ("app", "prog", "reach", "areach", "val", "just", "land", "nexta")
BRACKETS = ("1", "5", "9")


def outcomes(
    seed: int, tasks: int, decisive: str | None, strength: float
) -> Iterator[tuple[str, str, bool, Mapping[str, bool]]]:
    """Id and bracket of each task, whether its plan won, and whether each skill was right.

    With the chance `strength` the decisive skill decides the plan. All else depends on the bracket only: the harder
    it is, the worse.
    """
    chance = Random(seed)
    for number in range(tasks):
        bracket = BRACKETS[number % len(BRACKETS)]
        ease = 0.8 - 0.15 * BRACKETS.index(bracket)
        right = {skill: chance.random() < ease for skill in SKILLS}
        won = chance.random() < ease
        if decisive and chance.random() < strength:
            won = right[decisive]
        yield f"{bracket}/{number}_Lich_kill", bracket, won, right


def planted(seed: int, tasks: int = 120, decisive: str | None = "prog", strength: float = 0.7) -> Evidence:
    """What is known of a model that was asked one question on each skill about each task."""
    told = (
        TaskEvidence(key, group, 20.0, [float(won)], {skill: [float(value)] for skill, value in right.items()})
        for key, group, won, right in outcomes(seed, tasks, decisive, strength)
    )
    return Evidence("made-up", tuple(told), SKILLS, 0, 0)
