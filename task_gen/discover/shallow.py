"""Shallow strategies: what they win needs no experiment that finds out how the world is, or one at most.

The generator refuses what some of them win, and the audit counts what all of them win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from herobench.suites.discover.game.exploration import Exploration
from herobench.suites.discover.game.families import Change
from herobench.suites.discover.game.mystery import Call, Mystery
from herobench.suites.rpg.game.world import Code, World
from herobench.task_gen.discover.inquiry import Inquiry
from herobench.task_gen.discover.planner import plan, wins
from herobench.task_gen.rpg.oracle.steps import Do

_GATHERED, _ROUNDS, _REFINED = 700, 60, 40
"""The gatherings of a visit, the visits of a node and the pieces of a refined material in a lavish plan."""


def with_much_gathered(world: World, steps: Sequence[Do]) -> list[Do]:
    """Return a plan that first gathers and refines far more of everything than it is told to need."""
    found: list[Do] = []
    for place in [*world.standing("resource")] * _ROUNDS:
        found += [Do("move", place), Do("gather", (_GATHERED,))]
    for item in world.items.values() if found else ():
        if item.type == "resource" and item.recipe:
            found.append(Do("move", world.places_of("workshop", item.recipe.skill)[0]))
            found += [Do("craft", (item.code, 1))] * _REFINED
    return [*found, *(step for step in steps if step.action != "gather")]


def wins_somehow(mystery: Mystery, steps: Sequence[Do]) -> bool:
    """Return whether a plan wins in the true world as it is, or with much gathered."""
    ways = (steps, with_much_gathered(mystery.told.world, steps))
    return any(wins(mystery.true, mystery.task, way) for way in ways)


def planned(mystery: Mystery, believed: frozenset[Change], usual: Sequence[Do]) -> Sequence[Do]:
    """Return the plan by what is believed; the usual one if nothing wins by that."""
    return plan(mystery.with_changes(believed), mystery.task) or usual


def after_moves(mystery: Mystery) -> frozenset[Change]:
    """Return what is believed after a visit to each place, where nothing is done."""
    return _after(mystery, [("move", place) for place in mystery.task.knowledge.places])


def after_fight(mystery: Mystery, monster: Code) -> frozenset[Change]:
    """Return what is believed after one fight in what is worn, with the monster that is told to be at a place."""
    (place,) = mystery.told.world.places_of("monster", monster)
    return _after(mystery, [("move", place), ("fight", ())])


def _after(mystery: Mystery, calls: Sequence[Call]) -> frozenset[Change]:
    lab, inquiry = Exploration(mystery.true, mystery.task), Inquiry(mystery)
    for call in calls:
        inquiry.learn(call, lab.play([call])[0])
    return inquiry.belief(len(mystery.changes))


def found_by_one_fight(mystery: Mystery, usual: Sequence[Do]) -> Iterator[Code]:
    """Yield the monsters of which one fight in what is worn is enough to win."""
    for monster in dict.fromkeys(goal.target for goal in mystery.task.goals if goal.kind == "kill"):
        if wins_somehow(mystery, planned(mystery, after_fight(mystery, monster), usual)):
            yield monster
