"""Players that compute fights: gear by greedy objectives, by pairs of slots, and exactly. They are upper marks.

A greedy player changes the slot that improves its objective most, until it wins or nothing helps. `pairs` changes two
slots at a time. `frontier` computes damage and rounds, and no fight. `exact` finds the fewest changes that win, among
all told, worn and owned pieces, and first without what has to be made. None of them looks beyond the next goal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.combat_batch import Duels, Fighters, duels
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.world import Item, Stats
from herobench.task_gen.rpg.audit.case import Case, OpenSlot, wearing
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.simulator import GearOptions, Picks, exchange
from herobench.task_gen.rpg.gear.search import GearSearch

Numbers = NDArray[np.float64]
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
    # Among equally many rounds, the hero who loses less in each is better.
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
    """The pieces that a hero may wear, and the way up from what he wears."""

    def __init__(self, case: Case, merit: Merit) -> None:
        # What is worn comes first, and is where the climb begins.
        options = {slot.slot: [slot.worn, *(item for item in slot.told if item != slot.worn)] for slot in case.wardrobe}
        super().__init__(case.world, Hero(case.world, case.task.hero), options, case.spare)
        self._merit = merit
        self._rounds = case.rules.rounds
        self._target = case.world.monsters[case.task.target].stats

    def gear(self, at_once: int) -> dict[str, Item]:
        """Return the gear at the end of the way up, on which so many slots are changed at once."""
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
        """Return gear that no other beats in both damage dealt and rounds survived: that with the fewest changes.

        All gear is looked at in which at most so many slots are changed.
        """
        slots = len(self._rows)
        if not slots:
            return {}
        groups = list(combinations(range(slots), min(at_once, slots)))
        ways = np.unique(self._changed(np.zeros(slots, dtype=np.int64), groups), axis=0)
        dealt, taken, health = exchange(self._rows_of(ways), self._target)
        survived = health / np.maximum(taken, 1)
        order = np.lexsort((-survived, -dealt))
        # from the most dealt down, each that survives longer than all before it
        longest = np.maximum.accumulate(np.concatenate([[-np.inf], survived[order][:-1]]))
        best = order[survived[order] > longest]
        changes = (ways[best] > 0).sum(axis=1)
        return self._named(ways[best[np.lexsort((-(dealt * survived)[best], changes))[0]]])

    def _named(self, way: Picks) -> dict[str, Item]:
        picks = zip(self._options.items(), way, strict=True)
        return {slot: item for (slot, items), pick in picks if pick and (item := items[pick])}

    def _judged(self, ways: Picks) -> tuple[Numbers, NDArray[np.bool_]]:
        rows = self._rows_of(ways)
        fights = duels(Fighters.of(rows), self._target, self._rounds)
        return self._merit(rows, self._target, fights), fights.won


def by_climb(case: Case, objective: str, at_once: int = 1) -> Journey:
    """Choose gear by an objective, one slot at a time or several; make it, put it on and fight."""
    return wearing(case, _Climb(case, OBJECTIVES[objective][1]).gear(at_once))


def frontier_gear(case: Case) -> dict[str, Item]:
    """Return the gear with the fewest changes that no other beats in both damage and rounds."""
    return _Climb(case, _product).frontier(_AT_ONCE)


_AT_ONCE = 3
"""The number of slots in which the gear on a frontier may differ from what is worn."""


# -- the exact choice -------------------------------------------------------------------------------------------------


def exactly(case: Case) -> Journey:
    """Make the fewest changes that win, put them on and fight. Without any, fight as he is."""
    return wearing(case, exact_gear(case) or {})


def exact_gear(case: Case) -> dict[str, Item] | None:
    """Return the fewest changes of gear with which the hero wins: of owned pieces if these do. None if none wins."""
    owned = case.task.hero.inventory
    mine = [replace(slot, told=tuple(item for item in slot.told if item.code in owned)) for slot in case.wardrobe]
    for slots, pieces in ((mine, owned), (case.wardrobe, case.spare)):
        search = _search(case, slots)
        for number, gear in enumerate(search.minimal_sets()):
            if not Counter(gear.values()) - Counter({code: pieces.get(code, _ENOUGH) for code in gear.values()}):
                return {slot: case.world.items[code] for slot, code in gear.items()}
            if number > _TRIES:
                break
    return None


_ENOUGH = 99
"""As many pieces as anyone can wear, of what can be made."""
_TRIES = 1000
"""The number of sets that may take more pieces than there are before the search is given up."""


def _search(case: Case, slots: Sequence[OpenSlot]) -> GearSearch:
    """Return the exact search among the pieces for some slots."""
    options = {slot.slot: (slot.worn, [item for item in slot.told if item != slot.worn]) for slot in slots}
    hero, target = Hero(case.world, case.task.hero), case.world.monsters[case.task.target]
    return GearSearch.among(case.world, case.rules, target, hero.stats, options)
