"""Drafts for val and just: where a changed plan fails first, and how a plan that does too much can be shortened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from herobench.suites.acp.hero.scene import HeroScene
from herobench.task_gen.acp.hero.source import PlannedScene, QuestionDraft, numbered
from herobench.task_gen.acp.hero.stops import (
    CHANGES,
    CRAFT,
    FIGHT,
    PlaceStop,
    Plan,
    laid,
    spare_part,
    spare_repeat,
    split,
    split_into_units,
    split_stops,
)

_LEAST = 3
"""The fewest actions of a plan that is asked about."""

# -- val --------------------------------------------------------------------------------------------------------------

_UNREFUSED = 1 / 10
"""The part of the questions of val in whose plan nothing is refused."""
_MOST_SPLITS = 4
_CHANGED = 24
"""How many changes are tried. One of them is taken."""


def val(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Change a plan at one place. The answer is where it is refused first, often far behind.

    Of the actions that one of many changes makes the first that is refused, each is as likely to be the answer.
    """
    scene, rest = source.cut(chance, _LEAST)
    if len(rest) < _LEAST:
        return None
    here = scene.task.hero.place
    stops = split_stops(here, rest)
    for _ in range(chance.randint(0, _MOST_SPLITS)):
        stops = split(scene, stops, chance) or stops
    refused: dict[int | None, list[Plan]] = {}
    for _ in range(_CHANGED):
        plan = laid(here, chance.choice(CHANGES)(scene, stops, chance)).plan
        refused.setdefault(first_refused(scene, plan), []).append(plan)
    answers = [answer for answer in refused if (answer is None) == (luck < _UNREFUSED)]
    if not answers:
        return None
    answer = chance.choice(answers)
    plan = chance.choice(refused[answer])
    return QuestionDraft(scene, answer, plan, {"plan": numbered(plan)})


def first_refused(scene: HeroScene, plan: Plan) -> int | None:
    """Return the number of the first refused action; None if all are accepted."""
    game = scene.game()
    return next((number for number, action in enumerate(plan) if not game.act(action).ok), None)


# -- just -------------------------------------------------------------------------------------------------------------

_SPLITS = (7, 11)
"""The fewest and the most splits of a plan, apart from the spare one."""
_ALIKE = 4
"""How many pieces of needed work of the spare kind the plan has at least."""
_PER_FREE = 5
"""Of how many pieces of work at most one can be left out or made smaller."""
_REPEATED = 0.25
"""The part of the questions in which the spare work was done before, and is not a part of some needed work."""
_USUAL = 0.75
"""The part of the draws for a question that keep to one kind of spare work. The others look for any."""
_TRIES = 4
"""How often a split is tried."""


def just(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Split the work of a plan into stops that look alike. One of them is spare, as play proves."""
    scene, rest = source.cut(chance, _LEAST)
    stops = split_stops(scene.task.hero.place, rest)
    usual = _kinds(split_stops(source.scene.task.hero.place, source.plan))
    able = _kinds(stops)
    if not able:
        return None
    kind = usual[int(luck * len(usual))] if chance.random() < _USUAL else chance.choice(able)
    done = split_stops(source.scene.task.hero.place, source.plan[: len(source.plan) - len(rest)])
    with_spare = _with_spare(scene, stops, done, chance, kind)
    return None if with_spare is None else _draft(scene, _with_decoys(scene, with_spare, chance, kind), kind)


def _kinds(stops: Sequence[PlaceStop]) -> list[str]:
    """Return the kinds of work that suffice for look-alikes."""
    amounts = Counter[str]()
    for unit in split_into_units(stops):
        amounts[unit.action.name] += unit.amount
    return sorted(kind for kind, amount in amounts.items() if amount > _ALIKE)


def _with_spare(
    scene: HeroScene, stops: Sequence[PlaceStop], done: Sequence[PlaceStop], chance: Random, kind: str
) -> list[PlaceStop] | None:
    is_repeat = kind != CRAFT and chance.random() < _REPEATED
    for _ in range(_TRIES):
        found = spare_repeat(scene, stops, done, chance, kind) if is_repeat else spare_part(scene, stops, chance, kind)
        if found:
            return found
    return None


def _with_decoys(scene: HeroScene, stops: list[PlaceStop], chance: Random, kind: str) -> list[PlaceStop]:
    """Return the stops with needed splits, half of them of the kind of the spare one."""
    for _ in range(chance.randint(*_SPLITS)):
        wanted = chance.choice((kind, None))
        stops = split(scene, stops, chance, wanted) or split(scene, stops, chance) or stops
    return stops


def _draft(scene: HeroScene, stops: Sequence[PlaceStop], kind: str) -> QuestionDraft | None:
    """Return the question of stops with enough look-alikes, and of few in which one alone can be left out."""
    plan, spare = laid(scene.task.hero.place, stops)
    *units, _ = split_into_units(stops)
    alike = [unit for unit in units if unit.action.name == kind and not stops[unit.stop].is_spare]
    if len(alike) < _ALIKE:
        return None
    heads = list(_heads(plan))
    free = [head for head in heads if scene.wins((*plan[:head], *plan[head + 1 :]))]
    return (
        QuestionDraft(scene, list(spare), plan, {"plan": numbered(plan)})
        if len(free) <= len(heads) // _PER_FREE
        else None
    )


def _heads(plan: Plan) -> Iterator[int]:
    """Yield the number of the first action of each piece of work."""
    for number, action in enumerate(plan):
        if action.name in ("gather", "buy", CRAFT) or (action.name == FIGHT and plan[number - 1 : number] != (action,)):
            yield number
