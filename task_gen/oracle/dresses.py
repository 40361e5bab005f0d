"""The states of dress that a hero can have, and whom he beats in them.

A dress is a set of pieces: of the gear that the hero came with, and of the missing gear. Each type of gear has room for
as many as it has slots; in which of them a piece is makes no difference. To put a piece on is an action, and so is to
take it off.
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
from herobench.task_gen.gear.stats import add
from herobench.task_gen.gear.verdict import verdict


class Piece(NamedTuple):
    """An item of the hero's gear, with the slot that the task names for it."""

    slot: str
    code: Code
    new: bool
    """Whether it is missing gear."""


Dress = frozenset[Piece]
OTHER = Piece("", "", new=False)
"""Any gear or food that the task does not speak of, with which everyone is beaten."""


class _Type(NamedTuple):
    """A type of gear: its pieces, and how many of them can be on at once."""

    pieces: Dress
    room: int


class Dresses:
    """The dresses of a hero."""

    def __init__(self, world: World, rules: Rules, task: Task, other_cost: int | None = None) -> None:
        """It costs so much to have OTHER on; None where that is impossible."""
        self._world = world
        self._rules = rules
        self._other_cost = other_cost
        self.start = frozenset(Piece(slot, code, new=False) for slot, code in task.hero.worn.items())
        self._new = frozenset(Piece(slot, code, new=True) for slot, code in task.missing.items())
        pieces = self.start | self._new
        self._types = [
            _Type(frozenset(piece for piece in pieces if slot_type(piece.slot) == kind), room)
            for kind, room in Counter(map(slot_type, gear_slots(world))).items()
        ]
        self._bare = Hero(world, replace(task.hero, worn={})).stats
        self._more_is_better = _more_is_better(world, self._bare, [world.items[piece.code].worn for piece in pieces])
        self._won: dict[tuple[Code, Dress, int], bool] = {}
        self._known: dict[tuple[Code, Dress, Dress, int], tuple[Dress, ...]] = {}

    def left(self, dress: Dress) -> int:
        """The cost of having all missing gear on: what there is no room for needs something to come off first."""
        cost = 0
        for pieces, room in self._types:
            on = dress & pieces
            lacking = len((pieces & self._new) - on)
            cost += lacking + max(0, lacking - (room - len(on)))
        return cost

    def cost(self, now: Dress, then: Dress) -> int:
        """The cost of a change of dress."""
        change = now ^ then
        other = self._other_cost if self._other_cost is not None and OTHER in change else 0
        return len(change - {OTHER}) + other

    def beats(self, who: Code, dress: Dress, extra_hp: int) -> bool:
        """Whether the hero, healthier by so much, beats a monster in a dress."""
        key = (who, dress, extra_hp)
        if key not in self._won:
            self._won[key] = OTHER in dress or self._wins(who, self._stats(dress), extra_hp)
        return self._won[key]

    def winning(self, who: Code, now: Dress, owned: Collection[str], extra_hp: int) -> tuple[Dress, ...]:
        """The dresses that beat a monster and of which no smaller change would do; `owned` are the slots whose missing
        gear the hero has."""
        key = (who, now, frozenset(piece for piece in self._new if piece.slot in owned), extra_hp)
        if key not in self._known:
            self._known[key] = tuple(self._least_changes(*key))
        return self._known[key]

    def complete(self, who: Code, now: Dress, extra_hp: int) -> Iterator[Dress]:
        """The dresses with all missing gear on that beat a monster."""
        whole = [
            [hanging for hanging in self._hangings(each, each.pieces) if each.pieces & self._new <= hanging]
            for each in self._types
        ]
        with_other = [now & {OTHER}] if self._other_cost is None or OTHER in now else [Dress(), Dress([OTHER])]
        for parts in product(*whole, with_other):
            dress = Dress().union(*parts)
            if self.beats(who, dress, extra_hp):
                yield dress

    def _least_changes(self, who: Code, now: Dress, owned: Dress, extra_hp: int) -> Iterator[Dress]:
        if self._other_cost is not None and OTHER not in now:
            yield now | {OTHER}
        choices = [changes for each in self._types if (changes := list(self._changes(each, now, owned)))]
        found: list[Dress] = []
        for size in range(len(choices) + 1):
            for some in combinations(choices, size):
                for parts in product(*some):
                    change = Dress().union(*parts)
                    if not any(less <= change for less in found) and self.beats(who, now ^ change, extra_hp):
                        found.append(change)
                        yield now ^ change

    def _changes(self, kind: _Type, now: Dress, owned: Dress) -> Iterator[Dress]:
        """The changes within a type that may help in a fight: none of which a part gives stats that are as good."""
        on = now & kind.pieces
        tried = [(Dress(), self._stats(on))]
        hangings = self._hangings(kind, (kind.pieces - self._new) | (kind.pieces & owned))
        for hanging in sorted(hangings, key=lambda hanging: len(on ^ hanging)):
            change, stats = on ^ hanging, self._stats(hanging)
            if not any(part <= change and self._are_as_good(those, stats) for part, those in tried):
                tried.append((change, stats))
                yield change

    def _hangings(self, kind: _Type, pieces: Dress) -> Iterator[Dress]:
        """What can be on of some pieces of a type, always in the same order."""
        for size in range(kind.room + 1):
            yield from map(frozenset, combinations(sorted(pieces), size))

    def _are_as_good(self, stats: Stats, than: Stats) -> bool:
        if not self._more_is_better:
            return stats == than
        return all(one >= other for one, other in zip(_values(stats), _values(than), strict=True))

    def _stats(self, dress: Dress) -> Stats:
        return add(self._bare, *(self._world.items[piece.code].worn for piece in dress if piece != OTHER))

    def _wins(self, who: Code, stats: Stats, extra_hp: int) -> bool:
        opponent, rounds = self._world.monsters[who].stats, self._rules.rounds
        healthier = stats._replace(hp=stats.hp + extra_hp)
        certain = verdict(healthier, opponent, rounds)
        return duel(Fighter(healthier), opponent, rounds).won if certain is None else certain


def _values(stats: Stats) -> Iterator[int]:
    yield stats.hp
    for values in (stats.attack, stats.damage, stats.resistance):
        yield from values


def _more_is_better(world: World, bare: Stats, pieces: Collection[Stats]) -> bool:
    """Whether higher stats never lose a fight: no attack of the hero may heal, whatever he wears."""
    least = sum(min(0, *stats.damage) for stats in (bare, *pieces))
    return all(max(monster.stats.resistance) <= 100 + least for monster in world.monsters.values())
