"""Outfits: all that a hero wears at a time, the monsters that he beats in it, and the fewest changes that make him win.

The planner of campaigns and their generator ask here. Fights are remembered, since the same outfits meet the same
monsters again and again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from types import MappingProxyType

from herobench.suites.rpg.game.combat import Fighter, duel
from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.milestones import stages
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, World, slot_type
from herobench.task_gen.rpg.gear.candidates import add, gear_slots
from herobench.task_gen.rpg.gear.verdict import verdict
from herobench.task_gen.rpg.oracle.necessity import MissingGear, gains
from herobench.task_gen.rpg.oracle.steps import Do, Step

Outfit = Mapping[str, Code]
"""Everything that a hero wears, by slot."""


def outfits_of(task: Task) -> tuple[Outfit, ...]:
    """Return what the hero of a campaign is meant to wear for each goal."""
    return tuple(MappingProxyType({**stage.hero.worn, **stage.missing}) for stage in stages(task))


def change(world: World, now: Outfit, then: Outfit) -> Iterator[Step]:
    """Yield the actions of a change of outfit. All that comes off comes off first, so a piece may change its slot."""
    changed = [slot for slot in gear_slots(world) if now.get(slot) != then.get(slot)]
    yield from (Do("unequip", (slot,)) for slot in changed if slot in now)
    yield from (Do("equip", (slot, then[slot])) for slot in changed if slot in then)


def effort(now: Outfit, changes: Outfit) -> int:
    """Return how many actions some changes take: a slot that is not empty has to be emptied first."""
    return sum(1 + (slot in now) for slot, code in changes.items() if now.get(slot) != code)


def placed(world: World, gear: Outfit, now: Outfit) -> dict[str, Code]:
    """Return some gear by slot so that little changes: a piece stays in its slot if several slots could hold it."""
    left = [(slot_type(slot), code) for slot, code in gear.items()]
    found: dict[str, Code] = {}
    for slot in gear_slots(world):
        if (slot_type(slot), now.get(slot)) in left:
            found[slot] = now[slot]
            left.remove((slot_type(slot), now[slot]))
    # Empty slots first, since they need no emptying.
    free = sorted((slot for slot in gear_slots(world) if slot not in found), key=lambda slot: slot in now)
    for kind, code in left:
        slot = next(slot for slot in free if slot_type(slot) == kind)
        free.remove(slot)
        found[slot] = code
    return {slot: found[slot] for slot in gear_slots(world) if slot in found}


class OutfitFights:
    """The fights of one hero in any outfit."""

    def __init__(self, world: World, rules: Rules, hero: HeroStart, growth: int = 0) -> None:
        """Take the hero, and the health that he may gain: the changes that he needs, he needs with it too."""
        self.hero = hero
        self._world = world
        self._rules = rules
        self._growth = growth
        self._bare = Hero(world, replace(hero, worn=MappingProxyType({}))).stats
        self._won: dict[tuple[Code, frozenset[tuple[str, Code]]], bool] = {}
        self._changes: dict[tuple[Code, frozenset[tuple[str, Code]], frozenset[tuple[str, Code]]], Outfit | None] = {}

    @cached_property
    def of_now(self) -> OutfitFights:
        """The fights of the same hero with the health that he has now."""
        return OutfitFights(self._world, self._rules, self.hero) if self._growth else self

    def beats(self, who: Code, outfit: Outfit) -> bool:
        """Return whether the hero beats a monster in an outfit."""
        key = (who, frozenset(outfit.items()))
        if key not in self._won:
            stats = add(self._bare, *(self._world.items[code].worn for code in outfit.values()))
            opponent, rounds = self._world.monsters[who].stats, self._rules.rounds
            certain = verdict(stats, opponent, rounds)
            self._won[key] = duel(Fighter(stats), opponent, rounds).won if certain is None else certain
        return self._won[key]

    def least_change(self, who: Code, now: Outfit, wished: Outfit) -> Outfit | None:
        """Return the changes towards another outfit that win with the fewest actions; None if not even all of them win.

        With any proper part of these changes he loses.
        """
        changes = {slot: code for slot, code in wished.items() if now.get(slot) != code}
        key = (who, frozenset(now.items()), frozenset(changes.items()))
        if key not in self._changes:
            self._changes[key] = self._least(who, now, changes)
        return self._changes[key]

    def _least(self, who: Code, now: Outfit, changes: Outfit) -> Outfit | None:
        hero = replace(self.hero, worn=MappingProxyType(dict(now)))
        ways = self._winning(who, hero, changes, 0)
        if self._growth:
            # A part is needed at any health if it wins with the least, and no part of it with more.
            for gain in gains(self._world.monsters[who], self._rules, self._growth):
                ways = list(set(ways) & set(_minimal(self._winning(who, hero, changes, gain))))
        slots = list(changes)
        parts = [{slots[index]: changes[slots[index]] for index in sorted(way)} for way in ways]
        # The slots break ties, so that the choice does not depend on the order of a set.
        return min(parts, key=lambda part: (effort(now, part), list(part)), default=None)

    def _winning(self, who: Code, hero: HeroStart, changes: Outfit, extra_hp: int) -> list[frozenset[int]]:
        gear = MissingGear.of(self._world, hero, changes, extra_hp)
        return gear.winning_subsets(self._world.monsters[who], self._rules)

    def nearest(self, who: Code, now: Outfit, known: Sequence[Outfit]) -> Outfit | None:
        """Return the changes with the fewest actions that beat a monster, towards one of some outfits."""
        if self.beats(who, now):
            return {}
        nearest = sorted(known, key=lambda wish: effort(now, wish))
        wishes = islice((wish for wish in nearest if self.beats(who, {**now, **wish})), _NEAREST)
        ways = [self.least_change(who, now, wish) for wish in wishes]
        return min((way for way in ways if way is not None), key=lambda way: effort(now, way), default=None)


def _minimal(ways: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """Return the sets that have no other of the sets in them."""
    found: list[frozenset[int]] = []
    for way in sorted(ways, key=len):
        if not any(less <= way for less in found):
            found.append(way)
    return found


_NEAREST = 4
"""The number of known outfits that are looked at for the fewest changes: the nearest ones."""
