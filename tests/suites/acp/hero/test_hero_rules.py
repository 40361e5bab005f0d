"""Rules of thumb, which read nothing but the form of a plan, do not answer the questions about plans."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise

import pytest

from herobench.suites.acp.hero.judge import judge
from herobench.suites.acp.hero.question import HeroQuestion
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.acp.hero.make import DATASET, questions_about
from herobench.task_gen.acp.hero.source import unfit
from herobench.task_gen.acp.hero.stops import Unit, split_into_units, split_stops
from herobench.task_gen.rpg.datasets import load_task_world, shipped_tasks

Plan = Sequence[Action]
WORK = ("gather", "buy", "craft", "fight")


@cache
def generated(kind: str) -> tuple[HeroQuestion, ...]:
    """About 290 new questions: two about each task."""
    world, rules = load_task_world(None, DATASET), load_rules()
    tasks = [task for task in shipped_tasks(DATASET).values() if not unfit(world, task.rules(rules), task)]
    return tuple(questions_about(world, tasks[::2] + tasks[1::4], (kind,), seed=77, per_task=2))


# -- just: each rule names the actions to leave out -----------------------------------------------------------------


class Form:
    """What the form of a plan shows: its work, and which of it is done at several times."""

    def __init__(self, question: HeroQuestion) -> None:
        self.plan = question.actions
        here = question.scene.task.hero.place
        stops = split_stops(here, self.plan)
        self.units = [
            (unit, (unit.action.name, stops[unit.stop].place, unit.action.args[:-1]))
            for unit in split_into_units(stops)
        ]
        self._ends = self._positions()

    def _positions(self) -> list[list[int]]:
        numbers = iter(number for number, action in enumerate(self.plan) if action.name in WORK)
        return [[next(numbers) for _ in range(unit.end - unit.start)] for unit, _ in self.units]

    def work(self, *kinds: str, twice: bool = False) -> list[tuple[Unit, list[int]]]:
        """The work of some kinds but the last, with the numbers of its actions; or only what is done twice."""
        count = Counter(what for _, what in self.units)
        found = zip(self.units[:-1], self._ends, strict=False)
        return [
            (unit, at) for (unit, what), at in found if unit.action.name in kinds and (count[what] > 1 or not twice)
        ]


def least(found: list[tuple[Unit, list[int]]]) -> list[int]:
    return min(found, key=lambda each: each[0].amount)[1] if found else []


def pick(found: list[tuple[Unit, list[int]]], place: int) -> list[int]:
    return found[place][1] if found else []


def neighbours(form: Form) -> list[int]:
    """The first of two neighbouring moves, or else an unequip with its equip."""
    plan = form.plan
    for number, (first, second) in enumerate(pairwise(plan)):
        if first.name == second.name == "move":
            return [number]
    for number, action in enumerate(plan):
        for other, later in enumerate(plan[number:], number):
            if (action.name, later.name) == ("unequip", "equip") and later.args[1] == action.args[1]:
                return [number, other]
    return []


JUST: Mapping[str, Callable[[Form], list[int]]] = {
    "neighbouring moves, or unequip and equip": neighbours,
    "the first action": lambda form: [0],
    "the second move to a place": lambda form: [
        number for number, action in enumerate(form.plan) if action.name == "move" and action in form.plan[:number]
    ][:1],
    "the least work": lambda form: least(form.work(*WORK)),
    "the least work that is done twice": lambda form: least(form.work(*WORK, twice=True)),
    "the last work that is done twice": lambda form: pick(form.work(*WORK, twice=True), -1),
    "the least gathering": lambda form: least(form.work("gather", "buy")),
    "the last gathering": lambda form: pick(form.work("gather", "buy"), -1),
    "the least craft": lambda form: least(form.work("craft")),
    "a fight of the longest hunt": lambda form: max((at for _, at in form.work("fight")), key=len, default=[])[:1],
    "a fight of the first hunt": lambda form: pick(form.work("fight"), 0)[:1],
    "the least that is done twice: gathering, hunt, craft": lambda form: (
        least(form.work("gather", "buy", twice=True))
        or least(form.work("fight", twice=True))
        or least(form.work("craft", twice=True))
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("rule", JUST)
def test_no_rule_of_thumb_shortens_more_than_a_quarter_of_the_plans(rule: str) -> None:
    questions = generated("just")
    answers = [JUST[rule](Form(question)) for question in questions]
    right = sum(
        judge(one, f"ANSWER: {json.dumps(at)}").fault is None for one, at in zip(questions, answers, strict=True)
    )
    assert right <= 0.25 * len(questions)


# -- val: each rule names the action that is refused ----------------------------------------------------------------


def nth(kind: str, place: int) -> Callable[[Plan], int | None]:
    def rule(plan: Plan) -> int | None:
        found = [number for number, action in enumerate(plan) if action.name == kind]
        return found[place] if -len(found) <= place < len(found) else None

    return rule


def foreign(plan: Plan) -> int | None:
    """Work of another kind than the work before it at the same place."""
    before = None
    for number, action in enumerate(plan):
        if action.name == "move":
            before = None
        elif action.name in WORK:
            if before not in (None, action.name):
                return number
            before = action.name
    return nth("craft", -1)(plan)


VAL: Mapping[str, Callable[[Plan], int | None]] = {
    "none": lambda plan: None,
    **{f"{kind} {place}": nth(kind, place) for kind in ("craft", "equip", "fight", "gather") for place in (0, -1, -2)},
    "foreign work, or else the last craft": foreign,
}


@pytest.mark.slow
@pytest.mark.parametrize("rule", VAL)
def test_no_rule_of_thumb_finds_more_than_a_fifth_of_the_refusals(rule: str) -> None:
    questions = generated("val")
    assert sum(VAL[rule](question.actions) == question.answer for question in questions) <= 0.2 * len(questions)
