"""Models that are made up: plans and answers with a planted truth."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from herobench.analysis.diagnosis.prediction import Evidence, TaskEvidence
from herobench.data.columns import SAMPLE, blank
from herobench.suites.acp.columns import DETAILS as ACP
from herobench.suites.rpg.play.columns import DETAILS as RPG
from tests.builders import Json

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
        TaskEvidence(
            key, group, 20.0, [float(won)], {s: [float(value)] for s, value in right.items()}, [float(right["nexta"])]
        )
        for key, group, won, right in outcomes(seed, tasks, decisive, strength)
    )
    return Evidence("made-up", tuple(told), SKILLS, 0, 0)


# -- as rows of samples -----------------------------------------------------------------------------------------------


def task_digest(task: str) -> str:
    """A digest that stands for the content of a task."""
    return hashlib.sha256(task.encode()).hexdigest()


def plan_row(task: str, group: str, won: bool, model: str = "made-up", **details: Any) -> Json:
    """A sample of the suite rpg."""
    own = {**blank(RPG), "schema": 1, "oracle_actions": 20, "decisions": 10, "rules": "standard", **details}
    return _row("rpg", task, group, won, model, own)


def answer_row(task: str, group: str, skill: str, right: bool, model: str = "made-up", **details: Any) -> Json:
    """A sample of the suite acp about a task of the suite rpg."""
    about = {"rpg_task": task, "rpg_digest": task_digest(task), "rpg_group": group, "domain": "hero", "task": skill}
    own = {**blank(ACP), "schema": 1, "sound": int(right), **about, **details}
    return _row("acp", f"{skill}/dev/hero/{task}", skill, right, model, own)


def _row(suite: str, task: str, group: str, won: bool, model: str, details: Json) -> Json:
    told = {"suite": suite, "task_id": task, "group": group, "epoch": 0, "status": "ok", "model": model, "won": won}
    asked = {"score": 100.0 * won, "calls": 1, "retries": 0, "seconds": 1.0, "details": details}
    return {**blank(SAMPLE), **told, **asked}


def make_samples(
    seed: int, tasks: int = 120, decisive: str | None = "prog", strength: float = 0.7, model: str = "made-up"
) -> tuple[list[Json], list[Json]]:
    """The samples of `planted`: plans, and answers."""
    plans, answers = list[Json](), list[Json]()
    for task, group, won, right in outcomes(seed, tasks, decisive, strength):
        plans.append(plan_row(task, group, won, model))
        answers += [answer_row(task, group, skill, right[skill], model) for skill in SKILLS]
    return plans, answers
