"""The quick planner's model of gear: each slot of the missing gear holds either the old item or the new one.

Also used for decoys and for fights with an item left out. It ignores other combinations, which the exact search has
in `loadouts`: what else the hero makes on the way is made to be used up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from herobench.suites.rpg.game.combat import Fighter, duel
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Stats, World
from herobench.task_gen.rpg.gear.candidates import add, subtract
from herobench.task_gen.rpg.gear.verdict import verdict
from herobench.task_gen.rpg.oracle.steps import Do, Step

Slots = frozenset[str]


class Wardrobe:
    """The hero's old gear and the task's missing gear. A state is the set of slots that hold the new item."""

    def __init__(self, world: World, rules: Rules, task: Task, extra_hp: int = 0) -> None:
        self._world = world
        self._rules = rules
        self.old: Mapping[str, Code] = {slot: task.hero.worn[slot] for slot in task.missing if slot in task.hero.worn}
        self.new = task.missing
        base = Hero(world, task.hero).fighter()
        self._base = base._replace(stats=base.stats._replace(hp=base.stats.hp + extra_hp))
        self._eats_nothing = base == Fighter(base.stats)
        self._changes = {slot: self._change(world, slot) for slot in task.missing}
        self._known: dict[tuple[Code, Slots], bool] = {}

    def beats(self, monster: Code, swapped: Slots) -> bool:
        """Return whether the hero beats a monster in a state."""
        known = self._known.get((monster, swapped))
        if known is None:
            known = self._known[monster, swapped] = self._decide(monster, swapped)
        return known

    def _decide(self, monster: Code, swapped: Slots) -> bool:
        opponent, fighter = self._world.monsters[monster].stats, self.fighter(swapped)
        # The integer verdict is much faster than the duel, but knows nothing of food that the hero has equipped.
        certain = verdict(fighter.stats, opponent, self._rules.rounds) if self._eats_nothing else None
        return duel(fighter, opponent, self._rules.rounds).won if certain is None else certain

    def fighter(self, swapped: Slots) -> Fighter:
        """Return the hero as he enters a fight in a state."""
        return self._base._replace(stats=add(self._base.stats, *(self._changes[slot] for slot in swapped)))

    def _change(self, world: World, slot: str) -> Stats:
        """Return what the new item of a slot changes in the hero's stats."""
        new = world.items[self.new[slot]].worn
        return subtract(new, world.items[self.old[slot]].worn) if slot in self.old else new

    def can_beat(self, monster: Code, owned: Slots) -> bool:
        """Return whether the hero beats a monster in some state that the owned gear allows."""
        # All owned gear wins in most cases, so it is tried before the 2^n states.
        return self.beats(monster, owned) or any(self.beats(monster, swapped) for swapped in _subsets(owned))

    def cheapest(self, monster: Code, owned: Slots, now: Slots) -> Slots | None:
        """Return the state with the fewest changes that beats a monster with the owned gear, or None."""
        if self.beats(monster, now):
            return now
        # The slots break ties, so that the choice does not depend on the order of a set.
        ways = sorted(_subsets(owned), key=lambda swapped: (self.effort(now, swapped), sorted(swapped)))
        return next((swapped for swapped in ways if self.beats(monster, swapped)), None)

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
