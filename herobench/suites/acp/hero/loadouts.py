"""The loadouts of a hero on the way to his goal: which monsters he beats in them, and what a change costs.

Only the items of a loadout count. So the pieces of an item are numbered, and a loadout has the first ones of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.world import Code, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.gear.loadout_search import LoadoutSearch


class Copy(NamedTuple):
    """A piece of an item, by its number from 0."""

    code: Code
    number: int


Copies = frozenset[Copy]


def first_copies(pieces: Mapping[Code, int]) -> Copies:
    """Return the loadout with these numbers of pieces of each item."""
    return frozenset(Copy(code, number) for code, count in pieces.items() for number in range(count))


class GoalLoadouts(LoadoutSearch[Copy]):
    """The loadouts of a hero of some level. They do not depend on what he has and wears now."""

    def __init__(self, scene: HeroScene, goal: Counter[Code]) -> None:
        world, hero = scene.world, scene.task.hero
        self._goal = first_copies(goal)
        self._level = hero.combat[0]
        self._ends: dict[tuple[Code, Copies, Copies], int | None] = {}
        room = Counter(map(slot_type, gear_slots(world)))
        gear = [item.worn for item in world.items.values() if item.type in room]
        super().__init__(world, scene.rules, Hero(world, replace(hero, worn={})).stats, room, gear)

    def wearable(self, code: Code) -> bool:
        """Return whether an item is gear that the hero may put on."""
        item = self._world.items.get(code)
        return item is not None and item.type in self._room and item.level <= self._level

    def room(self, code: Code) -> int:
        """Return how many pieces of an item can be worn at once."""
        return self._room[self._world.items[code].type]

    def left(self, loadout: Copies) -> int:
        """Return the least cost of wearing all that the goal asks for."""
        return self.lacking(loadout, self._goal)

    def end(self, who: Code, now: Copies, owned: Copies) -> int | None:
        """Return the least cost of a loadout that has all that the goal asks for and beats the target; None if none."""
        key = (who, now, owned)
        if key not in self._ends:
            loadouts = self.with_all(self._goal, owned)
            self._ends[key] = min((len(now ^ each) for each in loadouts if self.beats(who, each)), default=None)
        return self._ends[key]

    def fits(self, part: Copies) -> bool:
        """Return whether no piece is worn without those of the same item before it: that would be the same loadout."""
        return all(not number or Copy(code, number - 1) in part for code, number in part)
