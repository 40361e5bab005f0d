"""What the hero has on while he works: the gear he came with, and the missing gear as he makes it.

Each slot of the missing gear is in one of two states, old or new. Nothing is gained by others: what else is made on the
way is made to be used up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from herobench.rpg.combat import Fighter, duel
from herobench.rpg.hero import Hero
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, World
from herobench.task_gen.gear.stats import add, subtract
from herobench.task_gen.gear.verdict import verdict
from herobench.task_gen.oracle.steps import Do, Step

Slots = frozenset[str]


class Wardrobe:
    """The hero's old gear and the task's missing gear. A state of dress is the set of slots that hold the new."""

    def __init__(self, world: World, rules: Rules, task: Task, extra_hp: int = 0) -> None:
        self._world = world
        self._rules = rules
        self.old: Mapping[str, Code] = {slot: task.hero.worn[slot] for slot in task.missing if slot in task.hero.worn}
        self.new = task.missing
        self._base = Hero(world, task.hero).fighter()
        self._extra_hp = extra_hp
        self._known: dict[tuple[Code, Slots], bool] = {}

    def beats(self, monster: Code, dress: Slots) -> bool:
        """Whether the hero beats a monster in a state of dress."""
        known = self._known.get((monster, dress))
        if known is None:
            known = self._known[monster, dress] = self._decide(monster, dress)
        return known

    def _decide(self, monster: Code, dress: Slots) -> bool:
        opponent, fighter = self._world.monsters[monster].stats, self.fighter(dress)
        certain = verdict(fighter.stats, opponent, self._rules.rounds) if fighter == Fighter(fighter.stats) else None
        return duel(fighter, opponent, self._rules.rounds).won if certain is None else certain

    def fighter(self, dress: Slots) -> Fighter:
        """The hero as he would enter a fight in a state of dress."""
        total = self._base.stats
        for slot in dress:
            total = add(total, self._world.items[self.new[slot]].worn)
            if slot in self.old:
                total = subtract(total, self._world.items[self.old[slot]].worn)
        return self._base._replace(stats=total._replace(hp=total.hp + self._extra_hp))

    def can_beat(self, monster: Code, owned: Slots) -> bool:
        """Whether some state of dress that what is owned allows beats a monster; all of it, or none, mostly does."""
        return self.beats(monster, owned) or any(self.beats(monster, dress) for dress in _subsets(owned))

    def cheapest(self, monster: Code, owned: Slots, now: Slots) -> Slots | None:
        """The state of dress with the fewest changes, among those that what is owned allows, that beats a monster."""
        if self.beats(monster, now):
            return now
        ways = sorted(_subsets(owned), key=lambda dress: (self.effort(now, dress), sorted(dress)))
        return next((dress for dress in ways if self.beats(monster, dress)), None)

    def effort(self, now: Slots, then: Slots) -> int:
        """How many actions a change of dress takes."""
        return sum(1 + (slot in self.old) for slot in now ^ then)

    def change(self, now: Slots, then: Slots) -> Iterator[Step]:
        """The actions of a change of dress."""
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
