"""Loadouts: the sets of gear that a hero can wear, which monsters he beats in each, and what a change costs.

The search over job orders uses this. A loadout is a set of pieces of the hero's own and of the missing gear. Slots
of one type are interchangeable, so only the number of pieces per type counts. To put a piece on, or take it off, is
one action. A relaxed search may also wear OTHER, at a given cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

from herobench.rpg.combat import Fighter, duel
from herobench.rpg.hero import Hero
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Stats, World, slot_type
from herobench.task_gen.gear.candidates import gear_slots
from herobench.task_gen.gear.stat_sums import add
from herobench.task_gen.gear.verdict import verdict


class Piece(NamedTuple):
    """An item of the hero's gear, with the slot that the task names for it."""

    slot: str
    code: Code
    new: bool
    """True for missing gear, False for gear that the hero has at the start."""


Loadout = frozenset[Piece]
OTHER = Piece("", "", new=False)
"""Any gear or food that the task does not name. A relaxation: with it on, the hero is assumed to beat everyone."""


class _GearType(NamedTuple):
    """A type of gear: its pieces, and how many of them fit at once."""

    pieces: Loadout
    room: int


class Loadouts:
    """The loadouts of one hero, with cached fights."""

    def __init__(self, world: World, rules: Rules, task: Task, other_cost: int | None = None) -> None:
        """Prepare the loadouts; to put on OTHER costs `other_cost`, and is impossible if that is None."""
        self._world = world
        self._rules = rules
        self._other_cost = other_cost
        self.start = frozenset(Piece(slot, code, new=False) for slot, code in task.hero.worn.items())
        self._new = frozenset(Piece(slot, code, new=True) for slot, code in task.missing.items())
        pieces = self.start | self._new
        self._types = [
            _GearType(frozenset(piece for piece in pieces if slot_type(piece.slot) == kind), room)
            for kind, room in Counter(map(slot_type, gear_slots(world))).items()
        ]
        self._bare = Hero(world, replace(task.hero, worn={})).stats
        # If healing hits are possible, stats cannot be compared, and pruning would lose solutions.
        self._more_is_better = _more_is_better(world, self._bare, [world.items[piece.code].worn for piece in pieces])
        self._won: dict[tuple[Code, Loadout, int], bool] = {}
        self._known: dict[tuple[Code, Loadout, Loadout, int], tuple[Loadout, ...]] = {}

    def left(self, loadout: Loadout) -> int:
        """Return the least cost of wearing all missing gear: a piece without room needs another piece to come off."""
        cost = 0
        for pieces, room in self._types:
            on = loadout & pieces
            lacking = len((pieces & self._new) - on)
            # One equip per lacking piece, and one unequip for each that has no room yet.
            cost += lacking + max(0, lacking - (room - len(on)))
        return cost

    def cost(self, now: Loadout, then: Loadout) -> int:
        """Return the cost of a change of loadout."""
        change = now ^ then
        other = self._other_cost if self._other_cost is not None and OTHER in change else 0
        return len(change - {OTHER}) + other

    def beats(self, who: Code, loadout: Loadout, extra_hp: int) -> bool:
        """Return whether the hero, with `extra_hp` more health, beats a monster in a loadout."""
        key = (who, loadout, extra_hp)
        if key not in self._won:
            self._won[key] = OTHER in loadout or self._wins(who, self._stats(loadout), extra_hp)
        return self._won[key]

    def winning(self, who: Code, now: Loadout, owned: Collection[str], extra_hp: int) -> tuple[Loadout, ...]:
        """Return the loadouts that beat a monster by a minimal change: no subset of the change would do.

        `owned` are the slots whose missing gear the hero has by then.
        """
        key = (who, now, frozenset(piece for piece in self._new if piece.slot in owned), extra_hp)
        if key not in self._known:
            self._known[key] = tuple(self._least_changes(*key))
        return self._known[key]

    def complete(self, who: Code, now: Loadout, extra_hp: int) -> Iterator[Loadout]:
        """Yield the loadouts with all missing gear on that beat a monster."""
        whole = [
            [subset for subset in self._fitting_subsets(each, each.pieces) if each.pieces & self._new <= subset]
            for each in self._types
        ]
        with_other = [now & {OTHER}] if self._other_cost is None or OTHER in now else [Loadout(), Loadout([OTHER])]
        for parts in product(*whole, with_other):
            loadout = Loadout().union(*parts)
            if self.beats(who, loadout, extra_hp):
                yield loadout

    def _least_changes(self, who: Code, now: Loadout, owned: Loadout, extra_hp: int) -> Iterator[Loadout]:
        if self._other_cost is not None and OTHER not in now:
            # The relaxed way to win: put OTHER on, at the least cost that such gear can have.
            yield now | {OTHER}
        choices = [changes for each in self._types if (changes := list(self._changes(each, now, owned)))]
        found: list[Loadout] = []
        # By growing size, so every change is found after all of its subsets, and minimality needs no second pass.
        for size in range(len(choices) + 1):
            for some in combinations(choices, size):
                for parts in product(*some):
                    change = Loadout().union(*parts)
                    if not any(less <= change for less in found) and self.beats(who, now ^ change, extra_hp):
                        found.append(change)
                        yield now ^ change

    def _changes(self, kind: _GearType, now: Loadout, owned: Loadout) -> Iterator[Loadout]:
        """Yield the changes within one type that may help in a fight.

        A change is left out if a part of it gives stats that are at least as good: dominance pruning.
        """
        on = now & kind.pieces
        tried = [(Loadout(), self._stats(on))]
        subsets = self._fitting_subsets(kind, (kind.pieces - self._new) | (kind.pieces & owned))
        for subset in sorted(subsets, key=lambda subset: len(on ^ subset)):
            change, stats = on ^ subset, self._stats(subset)
            if not any(part <= change and self._are_as_good(those, stats) for part, those in tried):
                tried.append((change, stats))
                yield change

    def _fitting_subsets(self, kind: _GearType, pieces: Loadout) -> Iterator[Loadout]:
        """Yield the subsets of some pieces of a type that fit, always in the same order."""
        for size in range(kind.room + 1):
            yield from map(frozenset, combinations(sorted(pieces), size))

    def _are_as_good(self, stats: Stats, than: Stats) -> bool:
        if not self._more_is_better:
            return stats == than
        return all(one >= other for one, other in zip(_values(stats), _values(than), strict=True))

    def _stats(self, loadout: Loadout) -> Stats:
        return add(self._bare, *(self._world.items[piece.code].worn for piece in loadout if piece != OTHER))

    def _wins(self, who: Code, stats: Stats, extra_hp: int) -> bool:
        opponent, rounds = self._world.monsters[who].stats, self._rules.rounds
        healthier = stats._replace(hp=stats.hp + extra_hp)
        # The integer verdict decides nearly all fights; only exact ties need the slower duel.
        certain = verdict(healthier, opponent, rounds)
        return duel(Fighter(healthier), opponent, rounds).won if certain is None else certain


def _values(stats: Stats) -> Iterator[int]:
    yield stats.hp
    for values in (stats.attack, stats.damage, stats.resistance):
        yield from values


def _more_is_better(world: World, bare: Stats, pieces: Collection[Stats]) -> bool:
    """Return whether higher stats never lose a fight: resistance must never turn a hit of the hero into healing."""
    least = sum(min(0, *stats.damage) for stats in (bare, *pieces))
    return all(max(monster.stats.resistance) <= 100 + least for monster in world.monsters.values())
