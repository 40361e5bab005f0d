"""Loadouts: what a hero wears, the fights that he wins in it, the cost of changes, and the proof that all is needed.

All missing gear is needed if the hero loses with any proper subset of it. This is checked when a certificate is made
and when it is validated. An item that is left out leaves the old item on, or the slot empty. All subsets are tried, not
only those that lack one item: old gear can be better in one stat and worse in another, so leaving out two items may win
where leaving out one loses.

There are two models. The exact search over job orders may combine all pieces. The quick planner puts either the old or
the new item in each slot; what else the hero makes is used up as material. Fights are remembered, since the same
loadouts meet the same monsters again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.combat_batch import Fighters, duels, stat_rows
from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import HEALTH, HUNDREDTHS, Duel, Fighter, Rules, Unit, duel
from herobench.suites.rpg.game.scoring import TaskItems
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Monster, Stats, World, slot_type
from herobench.task_gen.rpg.gear.candidates import add, gear_slots, more_is_better, stat_numbers, subtract, wins
from herobench.task_gen.rpg.oracle.gathering import easiest_node, items_to_make
from herobench.task_gen.rpg.oracle.steps import Do, Piece, Pieces, Step


def needs_leveling(world: World, task: Task) -> bool:
    """Return whether the missing gear asks for more than the hero's level, or the work for more than his skills."""
    gear = (world.items[code] for code in task.missing.values())
    if any(item.level > task.hero.combat[0] for item in gear):
        return True
    # A skill that the task does not list is at level 1.
    return any(task.hero.skills.get(skill, (1, 0, 0))[0] < level for skill, level in _demands(world, task))


def _demands(world: World, task: Task) -> set[tuple[str, int]]:
    """Return the skills and levels that the task's crafts and gatherings ask for."""
    parts = TaskItems.of(task, world)
    recipes = filter(None, map(world.recipe_of, {*items_to_make(task), *parts.intermediates}))
    demands = {(recipe.skill, recipe.level) for recipe in recipes}
    # A dropped item can be had by fights, so it needs no skill.
    nodes = (easiest_node(world, code) for code in parts.leaves - task.knowledge.sold - world.droppers.keys())
    return demands | {(node.skill, node.level) for node in nodes if node}


MOST_SLOTS = 16
"""The largest number of missing items for which all subsets are tried: their number doubles per item."""


def winning_subsets(
    world: World,
    rules: Rules,
    who: Code,
    hero: HeroStart,
    missing: Mapping[str, Code],
    extra_hp: int = 0,
    unit: Unit[Any] = HUNDREDTHS,
) -> list[frozenset[int]]:
    """Return the subsets of missing gear that beat a monster on a hero with more health, as sets of indices."""
    base = Hero(world, hero).stats
    base = base._replace(hp=base.hp + extra_hp)
    count = len(missing)
    # Row i holds the bits of i, so there is one row per subset.
    masks = (np.arange(2**count)[:, None] >> np.arange(count)) & 1 if count <= MOST_SLOTS else _large_parts(count)
    # One matrix product gives the hero's stats for every subset, and all fights are then computed at once.
    changes = stat_rows(swap_change(world, hero.worn.get(slot), code) for slot, code in missing.items())
    fighters, target = Fighters.of(stat_rows([base]) + masks @ changes), world.monsters[who].stats
    outcomes = duels(fighters, target, rules.rounds, unit=unit).won
    return [frozenset(np.flatnonzero(masks[row]).tolist()) for row in np.flatnonzero(outcomes)]


def all_needed(
    world: World, rules: Rules, who: Code, hero: HeroStart, missing: Mapping[str, Code], extra_hp: int = 0
) -> bool:
    """Return whether the whole missing gear wins and no proper subset of it, in floats and in exact fights."""
    return all(
        winning_subsets(world, rules, who, hero, missing, extra_hp, unit) == [frozenset(range(len(missing)))]
        for unit in (HEALTH, HUNDREDTHS)
    )


def swap_change(world: World, old: Code | None, new: Code) -> Stats:
    """Return what an item changes in the hero's stats when it takes the place of another one, or an empty slot."""
    stats = world.items[new].worn
    return subtract(stats, world.items[old].worn) if old else stats


def gains(target: Monster, rules: Rules, most: int) -> Collection[int]:
    """Return the gains of health, beside none, at which the need of gear is checked.

    More health never loses a fight of hits, so the most covers all below it. A round effect of the monster may do
    anything with the hero's health: then the gain of each level counts.
    """
    step = rules.hp_per_level
    if step <= 0 or not target.stats.round_effects:
        return (most,)
    return (*range(step, most, step), most)


def _large_parts(count: int) -> NDArray[np.int_]:
    # This many items have too many subsets: only the whole and the subsets without one item are tried.
    return np.vstack([1 - np.eye(count, dtype=int), np.ones(count, int)])


def without(world: World, rules: Rules, task: Task, extra_hp: int) -> dict[str, Duel]:
    """Return how the last fight ends for each missing item that is left out, for a hero with `extra_hp` more health.

    Certificates have the healths of this fight in floats, as the shipped ones were written.
    """
    quick = QuickLoadouts(world, rules, task, extra_hp)
    slots = frozenset(task.missing)
    target = world.monsters[task.target]
    return {slot: duel(quick.fighter(slots - {slot}), target.stats, rules.rounds, unit=HEALTH) for slot in task.missing}


# -- the loadouts of the search over job orders -----------------------------------------------------------------------


OTHER = Piece("", "", new=False)
"""Any gear or food that the task does not name. A relaxation: with it on, the hero is assumed to beat everyone."""


class _OfType(NamedTuple):
    """The pieces of one type that a hero has or wears, and how many of them fit at once."""

    on: Pieces
    owned: Pieces
    room: int


class TaskLoadouts:
    """The loadouts of one hero, with cached fights."""

    def __init__(self, world: World, rules: Rules, task: Task, other_cost: int | None = None) -> None:
        """Prepare the loadouts; to put on OTHER costs `other_cost`, and is impossible if that is None."""
        self._world = world
        self._rules = rules
        self._other_cost = other_cost
        self.start = frozenset(Piece(slot, code, new=False) for slot, code in task.hero.worn.items())
        self._new = frozenset(Piece(slot, code, new=True) for slot, code in task.missing.items())
        self._bare = Hero(world, replace(task.hero, worn={})).stats
        self._room = Counter(map(slot_type, gear_slots(world)))
        gear = [world.items[piece.code].worn for piece in self.start | self._new]
        self._more_is_better = more_is_better([who.stats for who in world.monsters.values()], (self._bare, *gear))
        self._won: dict[tuple[Code, Pieces, int], bool] = {}
        self._known: dict[tuple[Code, Pieces, Pieces, int], tuple[Pieces, ...]] = {}

    def beats(self, who: Code, loadout: Pieces, extra_hp: int = 0) -> bool:
        """Return whether the hero, with `extra_hp` more health, beats a monster in a loadout."""
        if OTHER in loadout:
            return True
        key = (who, loadout, extra_hp)
        if key not in self._won:
            stats = self._stats(loadout)
            stats = stats._replace(hp=stats.hp + extra_hp)
            self._won[key] = wins(stats, self._world.monsters[who].stats, self._rules.rounds)
        return self._won[key]

    def left(self, loadout: Pieces) -> int:
        """Return the least cost of wearing all missing gear: a piece without room makes another come off."""
        cost = 0
        for on, wished, room in self._types(loadout, self._new):
            missing = len(wished - on)
            cost += missing + max(0, missing - (room - len(on)))
        return cost

    def cost(self, now: Pieces, then: Pieces) -> int:
        """Return the cost of a change of loadout."""
        change = now ^ then
        other = self._other_cost if self._other_cost is not None and OTHER in change else 0
        return len(change - {OTHER}) + other

    def winning(self, who: Code, now: Pieces, owned: Collection[str], extra_hp: int) -> tuple[Pieces, ...]:
        """Return the loadouts that beat a monster by a minimal change: no subset of the change would do.

        `owned` are the slots whose missing gear the hero has by then.
        """
        pieces = self.start.union(piece for piece in self._new if piece.slot in owned)
        key = (who, now, pieces, extra_hp)
        if key not in self._known:
            self._known[key] = tuple(self._least_changes(*key))
        return self._known[key]

    def complete(self, who: Code, now: Pieces, extra_hp: int) -> Iterator[Pieces]:
        """Yield the loadouts with all missing gear on that beat a monster."""
        with_other = [now & {OTHER}] if self._other_cost is None or OTHER in now else [Pieces(), Pieces([OTHER])]
        parts = [
            [subset for subset in _fitting(pieces, room) if wished <= subset]
            for wished, pieces, room in self._types(self._new, self.start | self._new)
        ]
        for some in product(*parts):
            whole = Pieces().union(*some)
            for other in with_other:
                if self.beats(who, whole | other, extra_hp):
                    yield whole | other

    def _least_changes(self, who: Code, now: Pieces, owned: Pieces, extra_hp: int) -> Iterator[Pieces]:
        if self._other_cost is not None and OTHER not in now:
            # The relaxed way to win: put OTHER on, at the least cost that such gear can have.
            yield now | {OTHER}
        choices = [helpful for each in self._types(now, owned) if (helpful := list(self._helpful(each)))]
        changes: list[Pieces] = []
        # By growing size, so every change is found after all of its subsets, and minimality needs no second pass.
        for size in range(len(choices) + 1):
            for some in combinations(choices, size):
                for parts in product(*some):
                    change = Pieces().union(*parts)
                    if not any(less <= change for less in changes) and self.beats(who, now ^ change, extra_hp):
                        changes.append(change)
                        yield now ^ change

    def _types(self, loadout: Pieces, owned: Pieces) -> list[_OfType]:
        """Return both sets of pieces by type, in the world's order."""
        kinds = {piece: self._world.items[piece.code].type for piece in loadout | owned if piece.code}
        return [
            _OfType(
                frozenset(piece for piece in loadout if kinds.get(piece) == kind),
                frozenset(piece for piece in owned if kinds.get(piece) == kind),
                room,
            )
            for kind, room in self._room.items()
        ]

    def _helpful(self, of_type: _OfType) -> Iterator[Pieces]:
        """Yield the changes within one type that may help in a fight: no part of them is as good.

        More of a stat is as good only where hits and health decide all fights and no hit can heal: a round effect may
        do anything, so with one only equal stats are.
        """
        on = of_type.on
        candidates = [(Pieces(), self._stats(on))]
        subsets = _fitting(of_type.owned, of_type.room)
        for subset in sorted(subsets, key=lambda subset: len(on ^ subset)):
            change, stats = on ^ subset, self._stats(subset)
            if not any(part <= change and self._are_as_good(those, stats) for part, those in candidates):
                candidates.append((change, stats))
                yield change

    def _are_as_good(self, stats: Stats, than: Stats) -> bool:
        if not self._more_is_better:
            return stats == than
        return all(one >= other for one, other in zip(stat_numbers(stats), stat_numbers(than), strict=True))

    def _stats(self, loadout: Pieces) -> Stats:
        return add(self._bare, *(self._world.items[piece.code].worn for piece in loadout if piece.code))


def _fitting(pieces: Pieces, room: int) -> Iterator[Pieces]:
    """Yield the subsets of some pieces of a type that fit, always in the same order."""
    for size in range(room + 1):
        yield from map(frozenset, combinations(sorted(pieces), size))


# -- the loadouts of the quick planner --------------------------------------------------------------------------------

Slots = frozenset[str]


class QuickLoadouts:
    """The hero's old gear and the task's missing gear. A state is the set of slots that hold the new item."""

    def __init__(self, world: World, rules: Rules, task: Task, extra_hp: int = 0) -> None:
        self._world = world
        self._rules = rules
        self.old: Mapping[str, Code] = {slot: task.hero.worn[slot] for slot in task.missing if slot in task.hero.worn}
        self.new = task.missing
        base = Hero(world, task.hero).fighter()
        self._base = base._replace(stats=base.stats._replace(hp=base.stats.hp + extra_hp))
        self._eats_nothing = base == Fighter(base.stats)
        self._changes = {slot: swap_change(world, self.old.get(slot), code) for slot, code in task.missing.items()}
        self._known: dict[tuple[Code, Slots], bool] = {}

    def beats(self, monster: Code, swaps: Slots) -> bool:
        """Return whether the hero beats a monster in a state."""
        verdict = self._known.get((monster, swaps))
        if verdict is None:
            verdict = self._known[monster, swaps] = self._decide(monster, swaps)
        return verdict

    def _decide(self, monster: Code, swaps: Slots) -> bool:
        opponent, fighter = self._world.monsters[monster].stats, self.fighter(swaps)
        # Only the duel knows of food that the hero has equipped.
        if not self._eats_nothing:
            return duel(fighter, opponent, self._rules.rounds, unit=HEALTH).won
        return wins(fighter.stats, opponent, self._rules.rounds)

    def fighter(self, swaps: Slots) -> Fighter:
        """Return the hero as he enters a fight in a state."""
        return self._base._replace(stats=add(self._base.stats, *(self._changes[slot] for slot in swaps)))

    def can_beat(self, monster: Code, owned: Slots) -> bool:
        """Return whether the hero beats a monster in some state that the owned gear allows."""
        # All owned gear wins in most cases, so it is tried before the 2^n states.
        return self.beats(monster, owned) or any(self.beats(monster, swaps) for swaps in _subsets(owned))

    def cheapest(self, monster: Code, owned: Slots, now: Slots) -> Slots | None:
        """Return the state with the fewest changes that beats a monster with the owned gear, or None."""
        if self.beats(monster, now):
            return now
        # The slots break ties, so that the choice does not depend on the order of a set.
        ways = sorted(_subsets(owned), key=lambda swaps: (self.effort(now, swaps), sorted(swaps)))
        return next((swaps for swaps in ways if self.beats(monster, swaps)), None)

    def effort(self, now: Slots, then: Slots) -> int:
        """Return how many actions a change between two states takes."""
        return sum(1 + (slot in self.old) for slot in now ^ then)

    def change(self, now: Slots, then: Slots) -> Iterator[Step]:
        """Yield the actions of a change between two states."""
        for slot in self.new:
            if slot in now ^ then:
                before, after = (self.old, self.new) if slot in then else (self.new, self.old)
                if slot in before:
                    yield Do("unequip", (slot,))
                if slot in after:
                    yield Do("equip", (slot, after[slot]))


def _subsets(slots: Slots) -> Iterator[Slots]:
    for size in range(len(slots) + 1):
        yield from map(frozenset, combinations(sorted(slots), size))
