"""The climb: a bounded search for gear that beats a monster, quick enough for every hunt of a plan.

It changes the item, or the two items, that improve the fight most, once for every weapon. It may miss gear that wins,
which the exact search in `search` never does, and it counts the sets whose fight it computes. Where hits and health
decide all fights, a fight is computed in closed form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.combat_batch import Fighters, Numbers, duels, stat_rows
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import HEALTH, Fighter, duel, strike
from herobench.suites.rpg.game.world import Code, Item, Stats, World
from herobench.task_gen.rpg.gear.candidates import add, subtract

Picks = NDArray[np.int64]
"""The number of the chosen option for each slot; a matrix has one row for each set."""
Options = Mapping[str, Sequence[Item | None]]
"""The items that fit each slot; None leaves the slot empty. The first option is where the search starts."""
_TINY = 1e-9
"""Less than any damage: it keeps divisions defined."""


class GearClimb:
    """The options of a hero, and the number of sets that may still be computed."""

    def __init__(
        self, world: World, hero: Hero, options: Options, evaluations: int, pieces: Mapping[Code, int] | None = None
    ) -> None:
        """Prepare the options. `pieces` are in the hero's bag; of what is not among them there is enough."""
        self.evaluations = evaluations
        self._options = {slot: items for slot, items in options.items() if items}
        # Sums of rows are the stats of whole sets, so no set is added up item by item.
        nothing = subtract(hero.stats, hero.stats)
        bare = hero.stats
        for slot, code in hero.worn.items():
            bare = subtract(bare, world.items[code].worn) if slot in self._options else bare
        self._bare = bare
        self._rows = [stat_rows(item.worn if item else nothing for item in items) for items in self._options.values()]
        self._scarce = list(self._too_few(hero, pieces or {}))

    def winning(self, monster: Stats, rounds: int) -> dict[str, Code] | None:
        """Return a set that beats a monster, or None if the search finds none."""
        start = np.zeros(len(self._rows), dtype=np.int64)
        if self._wins(start, monster, rounds):
            return self._gear_codes(start)
        for begin, fixed in self._starts(start, monster):
            top = self._climb(begin, fixed, monster, rounds)
            if top is not None and self._wins(top, monster, rounds):
                return self._gear_codes(top)
        return None

    def _starts(self, start: Picks, monster: Stats) -> Iterator[tuple[Picks, int | None]]:
        """Yield sets to climb from: one for each weapon that may win, with the slot that stays as it is."""
        has_arms = (any(item and any(item.worn.attack) for item in items) for items in self._options.values())
        slot = next((index for index, is_armed in enumerate(has_arms) if is_armed), None)
        if slot is None:
            yield start, None
            return
        begins = np.repeat(start[None], len(self._rows[slot]), axis=0)
        begins[:, slot] = np.arange(len(begins))
        most = self._most(begins, slot, monster)
        for index in np.argsort(-most, kind="stable"):
            if most[index] >= monster.hp:
                yield begins[index], slot

    def _most(self, begins: Picks, slot: int, monster: Stats) -> Numbers:
        """Return more than the damage that each weapon can do before the hero falls, whatever else he wears."""
        if not self._only_hits(monster):
            return np.full(len(begins), np.inf)
        others = [rows for index, rows in enumerate(self._rows) if index != slot]
        best = stat_rows([self._bare]) + self._rows[slot][begins[:, slot]] + sum(rows.max(axis=0) for rows in others)
        dealt, damage_taken, health = _exchange(best, monster)
        most = np.where(damage_taken > 0, dealt * (health / np.maximum(damage_taken, _TINY) + 1), np.inf)
        return np.where(dealt > 0, most, 0)

    def _climb(self, picks: Picks, fixed: int | None, monster: Stats, rounds: int) -> Picks | None:
        """Return the first winning set on the way up, or None at the top or at the end of the evaluations."""
        merit = -np.inf
        moves = [index for index in range(len(self._rows)) if index != fixed]
        while self.evaluations > 0:
            ways = self._variants(picks, [(index,) for index in moves])
            best, height, is_won = self._best(ways, monster, rounds)
            if not is_won and height <= merit and self.evaluations > 0:
                best, height, is_won = self._best(self._variants(picks, list(combinations(moves, 2))), monster, rounds)
            if is_won:
                return best
            if height <= merit:
                return None
            picks, merit = best, height
        return None

    def _best(self, ways: Picks, monster: Stats, rounds: int) -> tuple[Picks, float, bool]:
        """Return the best of some sets, how good it is, and whether it should win."""
        ways = ways[: max(1, self.evaluations)]
        self.evaluations -= len(ways)
        rows = stat_rows([self._bare]) + sum(rows[ways[:, index]] for index, rows in enumerate(self._rows))
        if self._only_hits(monster):
            dealt, damage_taken, health = _exchange(rows, monster)
            strokes = np.ceil(monster.hp / np.maximum(dealt, _TINY))
            is_won = (dealt > 0) & (strokes <= rounds) & (health > (strokes - 1) * damage_taken)
            merit = np.where(dealt > 0, np.maximum(health, 0) * dealt / np.maximum(damage_taken, _TINY), 0)
        else:
            fights = duels(Fighters.of(rows), monster, rounds)
            is_won, merit = fights.won, -fights.monster_hp
        best = int(np.argmax(np.where(is_won, np.inf, merit)))
        return ways[best], float(merit[best]), bool(is_won[best])

    def _variants(self, picks: Picks, changes: Sequence[tuple[int, ...]]) -> Picks:
        """Return the set itself and those that differ in one of the groups of slots, if there are pieces for them."""
        groups = [picks[None]]
        for slots in changes:
            grid = np.indices([len(self._rows[slot]) for slot in slots]).reshape(len(slots), -1)
            ways = np.repeat(picks[None], grid.shape[1], axis=0)
            ways[:, list(slots)] = grid.T
            groups.append(ways)
        ways = np.vstack(groups)
        for where, pieces in self._scarce:
            ways = ways[sum(ways[:, slot] == number for slot, number in where) <= pieces]
        return ways

    def _too_few(self, hero: Hero, pieces: Mapping[Code, int]) -> Iterator[tuple[list[tuple[int, int]], int]]:
        """Yield where an item is an option, and how many pieces there are, if these are fewer."""
        where: dict[Code, list[tuple[int, int]]] = {}
        for index, (slot, items) in enumerate(self._options.items()):
            for number, item in enumerate(items):
                if item and item.code != hero.worn.get(slot):
                    where.setdefault(item.code, []).append((index, number))
        yield from ((at, pieces[code]) for code, at in where.items() if len(at) > pieces.get(code, len(at)))

    def _only_hits(self, monster: Stats) -> bool:
        """Return whether hits and health decide the fight, so that it can be computed without fighting."""
        worn = (item.worn for items in self._options.values() for item in items if item)
        return not any(stats.round_effects for stats in (self._bare, monster, *worn))

    def _wins(self, picks: Picks, monster: Stats, rounds: int) -> bool:
        items = (options[pick] for options, pick in zip(self._options.values(), picks, strict=True))
        stats = add(self._bare, *(item.worn for item in items if item))
        return duel(Fighter(stats), monster, rounds).won

    def _gear_codes(self, picks: Picks) -> dict[str, Code]:
        by_slot = {slot: items[pick] for (slot, items), pick in zip(self._options.items(), picks, strict=True)}
        return {slot: item.code for slot, item in by_slot.items() if item}


def _exchange(rows: Numbers, monster: Stats) -> tuple[Numbers, Numbers, Numbers]:
    """Return what each hero deals and takes in a round, and his health."""
    heroes = Fighters.of(rows)
    hits = strike(heroes.attack, heroes.damage, np.array(monster.resistance), HEALTH)
    dealt = np.where(heroes.attack > 0, hits, 0.0).sum(axis=1)
    attack, damage = np.array(monster.attack), np.array(monster.damage)
    damage_taken = np.where(attack > 0, strike(attack, damage, heroes.resistance, HEALTH), 0.0).sum(axis=1)
    return dealt, damage_taken, heroes.hp
