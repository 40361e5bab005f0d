"""The families of players that the audit lets try a task: a registry, one entry for each row of the table.

To add a family, add an entry. A family plays one task and returns the journey; the audit judges it by the task's own
rules. A family that needs a result before its next action belongs to the program track only. Families that compute
fights are upper marks: they may win, and are counted apart from rules that compute nothing.

Calculators choose gear by greedy objectives, by pairs of slots, and exactly. A greedy player changes the slot that
improves its objective most, until it wins or nothing helps. `pairs` changes two slots at a time. `frontier` computes
damage and rounds, but no fight. `exact` finds the fewest changes that win: first among worn and owned pieces, then also
among pieces that have to be made. None of them looks beyond the next goal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.combat_batch import Duels, Fighters, Numbers, duels
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.task import reaches
from herobench.suites.rpg.game.world import Item, Stats
from herobench.task_gen.rpg.audit.case import Case, Craftable, Family, OpenSlot, Play, made, wearing
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.shortcuts import (
    RULES,
    TRIVIAL,
    by_rule,
    by_trial,
    by_trial_after_grinding,
    by_trial_with_food,
    make_all_listed,
    make_everything_and_wear_the_last,
)
from herobench.task_gen.rpg.audit.simulator import GearOptions, Picks, by_simulation, exchange
from herobench.task_gen.rpg.audit.sums import WEIGHTS, Rate, by_sum, looked_up, nearest_gear
from herobench.task_gen.rpg.audit.workshop import make
from herobench.task_gen.rpg.gear.search import GearSearch, greedy_gear
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.tasks.noise import power
from herobench.task_gen.rpg.unsolvable.reach import is_out_of_reach

Merit = Callable[[Numbers, Stats, Duels], Numbers]
"""Rates heroes, given their rows of stats, the monster and how their fights end."""


def _margin(rows: Numbers, monster: Stats, _: Duels) -> Numbers:
    dealt, taken, _health = exchange(rows, monster)
    return dealt - taken


def _product(rows: Numbers, monster: Stats, _: Duels) -> Numbers:
    dealt, taken, health = exchange(rows, monster)
    found: Numbers = np.maximum(dealt, 0) * health / np.maximum(taken, 1)
    return found


def _rounds(rows: Numbers, monster: Stats, _: Duels) -> Numbers:
    dealt, taken, _health = exchange(rows, monster)
    # If the number of rounds is equal, the hero who loses less health a round is better.
    found: Numbers = -np.ceil(monster.hp / np.maximum(dealt, 1)) - taken / (1 + np.abs(taken).max())
    return found


def _left(_: Numbers, __: Stats, fights: Duels) -> Numbers:
    return fights.hero_hp - fights.monster_hp


OBJECTIVES: Mapping[str, tuple[str, Merit]] = MappingProxyType(
    {
        "margin": ("the most damage dealt less damage taken", _margin),
        "product": ("the highest product of damage dealt and rounds survived", _product),
        "rounds": ("the fewest rounds to win", _rounds),
        "left": ("the most health left to the hero less that of the monster", _left),
    }
)
"""The objectives by name, each in words."""


class _Climb(GearOptions):
    """A search among the pieces that a hero may wear. It starts at the worn gear."""

    def __init__(self, case: Case, merit: Merit) -> None:
        # The worn item comes first: there the climb begins.
        options = {
            slot.slot: [slot.worn, *(item for item in slot.told if item != slot.worn)] for slot in case.all_slots
        }
        super().__init__(case.world, Hero(case.world, case.task.hero), options, case.spare)
        self._merit = merit
        self._rounds = case.rules.rounds
        self._target = case.world.monsters[case.task.target].stats

    def gear(self, at_once: int) -> dict[str, Item]:
        """Return the gear at the top of a hill climb that changes up to `at_once` slots in a step."""
        now = np.zeros((1, len(self._rows)), dtype=np.int64)
        merits, won = self._judged(now)
        height = merits[0]
        groups = [slots for size in range(1, at_once + 1) for slots in combinations(range(len(self._rows)), size)]
        while not won[0] and groups:
            ways = self._changed(now[0], groups)
            merits, wins = self._judged(ways)
            best = int(np.lexsort((merits, wins))[-1])
            # Ties end the climb as well: equal pieces could be swapped forever.
            if not wins[best] and merits[best] <= height:
                break
            now, height, won = ways[best : best + 1], merits[best], wins[best : best + 1]
        return self._named(now[0])

    def frontier(self, at_once: int) -> dict[str, Item]:
        """Return the gear with the fewest changes on the frontier: no other gear beats it in both damage and rounds.

        It compares damage dealt and rounds survived of all gear with at most `at_once` changed slots.
        """
        slots = len(self._rows)
        if not slots:
            return {}
        groups = list(combinations(range(slots), min(at_once, slots)))
        ways = np.unique(self._changed(np.zeros(slots, dtype=np.int64), groups), axis=0)
        dealt, taken, health = exchange(self._set_stats(ways), self._target)
        survived = health / np.maximum(taken, 1)
        order = np.lexsort((-survived, -dealt))
        # In the order of falling damage, keep each gear that survives longer than all before it.
        longest = np.maximum.accumulate(np.concatenate([[-np.inf], survived[order][:-1]]))
        best = order[survived[order] > longest]
        changes = (ways[best] > 0).sum(axis=1)
        return self._named(ways[best[np.lexsort((-(dealt * survived)[best], changes))[0]]])

    def _named(self, way: Picks) -> dict[str, Item]:
        picks = zip(self._options.items(), way, strict=True)
        return {slot: item for (slot, items), pick in picks if pick and (item := items[pick])}

    def _judged(self, ways: Picks) -> tuple[Numbers, NDArray[np.bool_]]:
        rows = self._set_stats(ways)
        fights = duels(Fighters.of(rows), self._target, self._rounds)
        return self._merit(rows, self._target, fights), fights.won


def by_climb(case: Case, objective: str, at_once: int = 1) -> Journey:
    """Choose gear by an objective, one slot at a time or several; make it, put it on and fight."""
    return wearing(case, _Climb(case, OBJECTIVES[objective][1]).gear(at_once))


def frontier_gear(case: Case) -> dict[str, Item]:
    """Return the gear with the fewest changes on the frontier of damage and rounds."""
    return _Climb(case, _product).frontier(_AT_ONCE)


_AT_ONCE = 3
"""The most slots in which the gear on a frontier may differ from the worn gear."""


# -- the exact choice -------------------------------------------------------------------------------------------------


def exactly(case: Case) -> Journey:
    """Make and put on the fewest changes of gear that win, and fight. If none wins, fight in the worn gear."""
    return wearing(case, exact_gear(case) or {})


def exact_gear(case: Case) -> dict[str, Item] | None:
    """Return the fewest changes of gear with which the hero wins, of owned pieces if possible; None if none wins."""
    owned = case.task.hero.inventory
    mine = [replace(slot, told=tuple(item for item in slot.told if item.code in owned)) for slot in case.all_slots]
    for slots, pieces in ((mine, owned), (case.all_slots, case.spare)):
        search = _search(case, slots)
        for number, gear in enumerate(search.minimal_sets()):
            if not Counter(gear.values()) - Counter({code: pieces.get(code, _ENOUGH) for code in gear.values()}):
                return {slot: case.world.items[code] for slot, code in gear.items()}
            if number > _TRIES:
                break
    return None


_ENOUGH = 99
"""The number of pieces of an item that can be made: more than a hero can wear."""
_TRIES = 1000
"""The search gives up after this many sets that need more pieces than there are."""


def _search(case: Case, slots: Sequence[OpenSlot]) -> GearSearch:
    """Return the exact search among the pieces for some slots."""
    options = {slot.slot: (slot.worn, [item for item in slot.told if item != slot.worn]) for slot in slots}
    hero, target = Hero(case.world, case.task.hero), case.world.monsters[case.task.target]
    return GearSearch.among(case.world, case.rules, target, hero.stats, options)


def greedily(case: Case) -> Journey:
    """Return the greedy player's journey: make the chosen gear, put it on, fight."""
    gear = chosen_gear(case)
    journey = made(case, gear.values())
    journey.challenge({slot: item.code for slot, item in gear.items()})
    return journey


def chosen_gear(case: Case) -> dict[str, Item]:
    """Return the chosen gear by slot."""
    target, rounds = case.world.monsters[case.task.target].stats, case.rules.rounds
    options = {choice.slot: (choice.worn, choice.told) for choice in case.slots}
    return greedy_gear(target, rounds, Hero(case.world, case.task.hero).stats, options)


# -- families ----------------------------------------------------------------------------------------------------------


def _gear(rule: str, fight: Play, **marks: Any) -> Family:
    """Return a family that chooses gear for fights. For a craft it simply makes the target."""

    def reach(case: Case) -> Journey:
        if case.task.kind == "kill":
            return fight(case)
        journey = case.journey()
        make(journey, {case.task.target: 1})
        return journey

    return Family(rule, lambda case: _goal_by_goal(case, reach) if case.task.campaign else reach(case), **marks)


def _goal_by_goal(case: Case, reach: Play) -> Journey:
    """Return the journey of a player who sees one goal of a campaign at a time."""
    journey = case.journey()
    known: Craftable = {}
    for goal in case.task.goals:
        stage = replace(
            case.task, kind=goal.kind, target=goal.target, missing=goal.missing, then=(), hero=journey.reached()
        )
        before = len(journey.game.events)
        for step in reach(Case(case.world, case.rules, stage, case.budget, case.known, known)).steps:
            journey.take(step)
        # Later goals need the ones before them.
        if not any(reaches(goal, event) for event in journey.game.events[before:]):
            break
    return journey


def _learned(case: Case, tries: int) -> Journey:
    return by_trial(case, lambda item: (case.known.guesses or {}).get(item.code, 0.0), tries)


def _by_fitted_sum(case: Case, method: str) -> Journey:
    rate = case.known.rates.get(method)
    # Without other tasks nothing was learned, so the hero fights in his worn gear.
    return by_sum(case, rate) if rate else wearing(case, {})


def _looking_up(case: Case, rate: Rate | None = None) -> Journey:
    """Wear gear that beat the monster in another task. Without a whole loadout, choose by `rate` if given."""
    gear, is_whole = looked_up(case, case.known.fights)
    return wearing(case, gear) if rate is None or is_whole else by_sum(case, rate)


def _oracle(case: Case) -> Journey:
    if is_out_of_reach(case.world, case.rules, case.task):
        journey = case.journey()
        journey.give_up()
        return journey
    return Journey(case.told, case.rules, oracle_plan(case.world, case.rules, case.task))


_OF_RULES = {name: _gear(rule.words, partial(by_rule, name=name)) for name, rule in RULES.items()}
_OF_SUMS = {
    name: _gear(
        f"take the highest {by.dealt:g} x dealt + {by.warded:g} x warded + {by.health:g} x health",
        partial(by_sum, rate=by.rate),
    )
    for name, by in WEIGHTS.items()
}
_OF_OBJECTIVES = {
    f"greedy_{name}": _gear(
        f"compute fights, one slot at a time, by {OBJECTIVES[name][0]}",
        partial(by_climb, objective=name),
        computes=True,
    )
    for name in ("margin", "product", "rounds")
}
FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        **TRIVIAL,
        "craftable": _gear("make all that can be traced, wear what is first", make_all_listed),
        "everything": _gear("make all that can be made, wear what is last", make_everything_and_wear_the_last),
        **_OF_RULES,
        "trial": _gear(
            "make all, try sets in the order of power", lambda case: by_trial(case, power, case.budget.tries)
        ),
        "grinding": _gear("make all, fight for levels, then try sets in the order of power", by_trial_after_grinding),
        "food": _gear("make all, eat the best food, try sets in the order of power", by_trial_with_food),
        "learned_first": _gear("wear the set that a classifier prefers", lambda case: _learned(case, 1), learns=True),
        "learned": _gear(
            "make all, try sets in the order of a classifier",
            lambda case: _learned(case, case.budget.tries),
            learns=True,
        ),
        **_OF_SUMS,
        "sum_logistic": _gear(
            "sums with weights of a logistic regression on other tasks",
            partial(_by_fitted_sum, method="logistic"),
            reads=True,
        ),
        "sum_boosted": _gear(
            "rate pieces by boosted trees that were trained on other tasks",
            partial(_by_fitted_sum, method="boosted"),
            reads=True,
        ),
        "lookup": _gear("wear what beat the monster in another task of its world", _looking_up, reads=True),
        "lookup_sum": _gear(
            "look up what beat the monster, and sum where nothing is known",
            partial(_looking_up, rate=WEIGHTS["sum"].rate),
            reads=True,
        ),
        "nearest": _gear(
            "wear what is most like what beat the most similar monster in another task",
            lambda case: wearing(case, nearest_gear(case, case.known.fights)),
            reads=True,
        ),
        "simulator": _gear(
            "compute the fights of many sets, wear one that wins", by_simulation, tracks=("program",), computes=True
        ),
        "greedy": _gear("compute fights, choose one item at a time", greedily, computes=True),
        **_OF_OBJECTIVES,
        "pairs": _gear(
            "compute fights, choose two items at a time", partial(by_climb, objective="left", at_once=2), computes=True
        ),
        "frontier": _gear(
            "compute damage and rounds, wear what is nearest of all that nothing beats in both",
            lambda case: wearing(case, frontier_gear(case)),
            computes=True,
        ),
        "exact": _gear("compute the fewest changes that win", exactly, computes=True),
        "oracle": Family("play the proven plan, or give up what is proven to be impossible", _oracle, computes=True),
    }
)
"""All families by name, in the order of the table. Those that compute fights are upper marks, not shortcuts."""


def parse_families(names: str | None) -> tuple[str, ...]:
    """Return the families in a list such as `listed,trial`; all of them for None. Raise UsageError for others."""
    if names is None:
        return tuple(FAMILIES)
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in FAMILIES:
            raise UsageError(f"There is no family {name!r}: give some of {', '.join(FAMILIES)}.")
    return tuple(name for name in FAMILIES if name in wanted)
