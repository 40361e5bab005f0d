"""Check fights: find which monsters heroes can beat, and which are no challenge or too strong.

Called by the survey. Only whether any gear wins counts, so dominated gear is removed before a search. Gear must be
obtainable, which depends on who can be beaten: a drop of an unbeatable monster is no gear, and without it further
monsters may be unbeatable. So the sets shrink until they no longer change (a fixed point).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Code, Monster, Stats, World, slot_type
from herobench.task_gen.rpg.gear.candidates import GearItem, Slot, gear_slots
from herobench.task_gen.rpg.gear.search import Gear, GearSearch
from herobench.task_gen.rpg.worlds.oddity import Oddity, OddityKind, Spots
from herobench.task_gen.rpg.worlds.supply import obtainable


@dataclass
class WorldFights:
    """The monsters that can be beaten at each level, and the items that can then be obtained."""

    world: World
    rules: Rules
    had: frozenset[Code]
    """The items that can be obtained if every beatable monster is beaten."""
    lowest: dict[Code, int | None] = field(default_factory=dict)
    """The lowest level, from the intended one on, at which gear that tasks ask for beats each monster, or None."""
    bare: set[Code] = field(default_factory=set)
    """The monsters that heroes of the intended level beat without gear."""

    @classmethod
    def of(cls, world: World, rules: Rules, step: Callable[[], None] = lambda: None) -> WorldFights:
        """Return all fights of a world; `step` is called after each monster."""
        fights = cls(world, rules, obtainable(world, world.monsters))
        for code in world.monsters:
            fights._judge(code)
            step()
        # A fixed-point iteration: each round can only remove items, so it ends.
        while (had := obtainable(world, fights._beaten())) < fights.had:
            fights.had = had
            for code in fights._beaten():
                fights._judge(code)
        return fights

    def _beaten(self) -> list[Code]:
        """Return the monsters that heroes of some level beat in some gear."""
        return [code for code, level in self.lowest.items() if level is not None or self._falls_to_anything(code)]

    def _falls_to_anything(self, code: Code) -> bool:
        """Return whether a hero of the highest level who may wear any gear beats a monster."""
        world, rules = self.world, self.rules
        bare = HeroStart.bare(world, rules, rules.level_cap)
        types = {slot_type(slot): group for group, slot in enumerate(gear_slots(world))}
        choices: dict[int, list[GearItem]] = {group: [] for group in types.values()}
        for item in world.items.values():
            if item.type in types and item.level <= rules.level_cap:
                choices[types[item.type]].append(GearItem(item.code, types[item.type], item.worn))
        names = sorted((types[slot_type(slot)], slot) for slot in gear_slots(world))
        slots = [Slot(slot, group, tuple(choices[group])) for group, slot in names]
        # Any gear counts here, because a task may give it to its hero at the start.
        search = GearSearch(world, rules, world.monsters[code], Hero(world, bare).stats, tuple(slots))
        return _thinned(search, self.had).random_set(Random(0)) is not None  # noqa: S311 - any set will do

    def _judge(self, code: Code) -> None:
        monster = self.world.monsters[code]
        # Packs may set an intended level above the level cap.
        first, last = monster.intended_level, max(monster.intended_level, self.rules.level_cap)
        gear = self._winning(monster, first)
        if gear is not None and not gear:
            self.bare.add(code)
        if monster.stats.round_effects:
            # It may harm the more the healthier the hero is, so no level tells of another.
            levels = range(first, last + 1)
            self.lowest[code] = next((level for level in levels if self._winning(monster, level) is not None), None)
            return
        if gear is None and self._winning(monster, last) is None:
            self.lowest[code] = None
            return
        lost = first - 1 if gear is not None else first
        # If the intended level wins, one test confirms it. Otherwise binary search: a higher level never loses a fight.
        while last - lost > 1:
            middle = lost + 1 if gear is not None else (lost + last) // 2
            if self._winning(monster, middle) is None:
                lost = middle
            else:
                last = middle
        self.lowest[code] = last

    def _winning(self, monster: Monster, level: int) -> Gear | None:
        """Return gear that wins for a hero of a level who wears nothing else, or None if no gear wins."""
        search = GearSearch.of(self.world, self.rules, monster, HeroStart.bare(self.world, self.rules, level))
        if search.wins({}):
            return {}
        return _thinned(search, self.had).random_set(Random(0))  # noqa: S311 - any set will do


def unbeatable(fights: WorldFights, spots: Spots) -> Iterator[Oddity]:
    """Yield the monsters that nobody beats at the level they are meant for."""
    for code, level in fights.lowest.items():
        monster = fights.world.monsters[code]
        if level is None:
            what = f"no gear that a task can ask for beats {monster.name}, on a hero of whatever level"
            advice = "lower its hp, attack or resistance, or add stronger gear"
        elif level > monster.intended_level:
            what = f"no gear that a task can ask for beats {monster.name} on a hero of level {monster.intended_level}"
            advice = f"raise intended_level to {level}, where some does, or make it weaker"
        else:
            continue
        yield Oddity(OddityKind.UNBEATABLE, spots.monster(code, "intended_level"), what, advice)


def pushovers(fights: WorldFights, spots: Spots) -> Iterator[Oddity]:
    """Yield the monsters that heroes beat without gear."""
    for code in fights.world.monsters:
        if code in fights.bare:
            monster = fights.world.monsters[code]
            what = f"a hero of level {monster.intended_level} beats {monster.name} with nothing on: no gear is missing"
            advice = "raise its hp or attack, or lower what a hero has by himself"
            yield Oddity(OddityKind.PUSHOVER, spots.monster(code, "hp"), what, advice)


# -- less gear to look at ---------------------------------------------------------------------------------------------


def _thinned(search: GearSearch, had: Collection[Code]) -> GearSearch:
    """Return the search without unobtainable and dominated gear, which wins if and only if the whole search does."""
    monster = search.target.stats
    choices = {slot.group: [choice for choice in slot.choices if choice.item in had] for slot in search.slots}
    if _more_is_better(search, monster):
        attacking = [attack > 0 for attack in monster.attack]
        choices = {group: _front(found, attacking) for group, found in choices.items()}
    slots = (Slot(slot.name, slot.group, tuple(choices[slot.group])) for slot in search.slots)
    return replace(search, slots=tuple(slots))


def _more_is_better(search: GearSearch, monster: Stats) -> bool:
    """Return whether more of any stat never harms: it may if a hit can turn into healing, or with a round effect."""
    if not search.only_hits:
        return False
    damages = [search.base.damage, *(choice.adds.damage for slot in search.slots for choice in slot.choices)]
    return max(monster.resistance) < 100 and min(map(min, damages)) >= 0


def _front(choices: list[GearItem], attacking: list[bool]) -> list[GearItem]:
    """Return the Pareto front: the choices that no other equals or exceeds in every stat."""
    front: list[tuple[tuple[int, ...], GearItem]] = []
    worth = ((_worth(choice.adds, attacking), choice) for choice in choices)
    # Largest sum first: an item can only be dominated by one with at least its sum.
    for values, choice in sorted(worth, key=lambda found: (-sum(found[0]), found[1].item)):
        if not any(all(map(int.__ge__, other, values)) for other, _ in front):
            front.append((values, choice))
    return [choice for _, choice in front]


def _worth(adds: Stats, attacking: list[bool]) -> tuple[int, ...]:
    """Return the stats of a choice that count: resistance only to elements that the monster attacks in."""
    resistance = (value for value, counts in zip(adds.resistance, attacking, strict=True) if counts)
    return (adds.hp, *adds.attack, *adds.damage, *resistance)
