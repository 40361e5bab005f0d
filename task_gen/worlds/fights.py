"""Fights: which monsters heroes can beat, and which of them are no challenge or too much of one.

Whether any gear wins is all that is asked here, so a search first loses the gear that other gear for the same slot
outdoes against the same monster. A task asks for gear that its hero can make; for drops it is enough that heroes with
any gear on can win them, for a task may give him some to start with. Gear has to be made of what can be come by, which
hangs on who can be beaten: a drop of someone whom nobody beats is no gear, and without it others may stand unbeaten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from herobench.rpg.hero import Hero, HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, Monster, Stats, World, slot_type
from herobench.task_gen.gear.candidates import gear_slots
from herobench.task_gen.gear.choices import Choice, Slot
from herobench.task_gen.gear.search import Gear, GearSearch
from herobench.task_gen.worlds.oddity import Kind, Oddity, Spots
from herobench.task_gen.worlds.supply import obtainable


@dataclass
class Fights:
    """Who can be beaten at which level, and what can be come by then."""

    world: World
    rules: Rules
    had: frozenset[Code]
    """What can be come by when all are beaten who can be."""
    lowest: dict[Code, int | None] = field(default_factory=dict)
    """The lowest level from the intended one on at which gear that a task can ask for beats each monster; None where
    none is high enough."""
    bare: set[Code] = field(default_factory=set)
    """Who is beaten by heroes of the intended level as they are."""

    @classmethod
    def of(cls, world: World, rules: Rules, step: Callable[[], None] = lambda: None) -> Fights:
        """All fights of a world; `step` is called for each monster once it is judged."""
        fights = cls(world, rules, obtainable(world, world.monsters))
        for code in world.monsters:
            fights._judge(code)
            step()
        while (had := obtainable(world, fights._beaten())) < fights.had:
            fights.had = had
            for code in fights._beaten():
                fights._judge(code)
        return fights

    def _beaten(self) -> list[Code]:
        """Who is beaten by heroes of some level with some gear on."""
        return [code for code, level in self.lowest.items() if level is not None or self._falls_to_anything(code)]

    def _falls_to_anything(self, code: Code) -> bool:
        """Whether a hero of the highest level who may wear all there is beats a monster."""
        world, rules = self.world, self.rules
        bare = HeroStart.bare(world, rules, rules.level_cap)
        types = {slot_type(slot): group for group, slot in enumerate(gear_slots(world))}
        choices: dict[int, list[Choice]] = {group: [] for group in types.values()}
        for item in world.items.values():
            if item.type in types and item.level <= rules.level_cap:
                choices[types[item.type]].append(Choice(item.code, types[item.type], item.worn))
        names = sorted((types[slot_type(slot)], slot) for slot in gear_slots(world))
        slots = [Slot(slot, group, tuple(choices[group])) for group, slot in names]
        search = GearSearch(world, rules, world.monsters[code], Hero(world, bare).stats, tuple(slots))
        return _thinned(search, self.had).random_set(Random(0)) is not None  # noqa: S311 - any set will do

    def _judge(self, code: Code) -> None:
        monster = self.world.monsters[code]
        first, last = monster.intended_level, max(monster.intended_level, self.rules.level_cap)
        gear = self._winning(monster, first)
        if gear is not None and not gear:
            self.bare.add(code)
        if gear is None and self._winning(monster, last) is None:
            self.lowest[code] = None
            return
        lost = first - 1 if gear is not None else first
        while last - lost > 1:
            middle = lost + 1 if gear is not None else (lost + last) // 2
            if self._winning(monster, middle) is None:
                lost = middle
            else:
                last = middle
        self.lowest[code] = last

    def _winning(self, monster: Monster, level: int) -> Gear | None:
        """Gear that wins for a hero of a level who has nothing on; None where no gear does."""
        search = GearSearch.of(self.world, self.rules, monster, HeroStart.bare(self.world, self.rules, level))
        if search.wins({}):
            return {}
        return _thinned(search, self.had).random_set(Random(0))  # noqa: S311 - any set will do


def unbeatable(fights: Fights, spots: Spots) -> Iterator[Oddity]:
    """The monsters that nobody beats at the level they are meant for."""
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
        yield Oddity(Kind.UNBEATABLE, spots.monster(code, "intended_level"), what, advice)


def pushovers(fights: Fights, spots: Spots) -> Iterator[Oddity]:
    """The monsters that are beaten with nothing on."""
    for code in fights.world.monsters:
        if code in fights.bare:
            monster = fights.world.monsters[code]
            what = f"a hero of level {monster.intended_level} beats {monster.name} with nothing on: no gear is missing"
            advice = "raise its hp or attack, or lower what a hero has by himself"
            yield Oddity(Kind.PUSHOVER, spots.monster(code, "hp"), what, advice)


# -- less gear to look at ---------------------------------------------------------------------------------------------


def _thinned(search: GearSearch, had: Collection[Code]) -> GearSearch:
    """The search among gear that can be come by, without what other gear for the slot outdoes; it wins where the whole
    one does."""
    monster = search.target.stats
    choices = {slot.group: [choice for choice in slot.choices if choice.item in had] for slot in search.slots}
    if _more_is_better(search, monster):
        attacking = [attack > 0 for attack in monster.attack]
        choices = {group: _front(found, attacking) for group, found in choices.items()}
    slots = (Slot(slot.name, slot.group, tuple(choices[slot.group])) for slot in search.slots)
    return replace(search, slots=tuple(slots))


def _more_is_better(search: GearSearch, monster: Stats) -> bool:
    """Whether more of any stat never does harm: it may, where a hit can turn into health."""
    damages = [search.base.damage, *(choice.adds.damage for slot in search.slots for choice in slot.choices)]
    return max(monster.resistance) < 100 and min(map(min, damages)) >= 0


def _front(choices: list[Choice], attacking: list[bool]) -> list[Choice]:
    """The choices that no other has at least as much of everything as."""
    front: list[tuple[tuple[int, ...], Choice]] = []
    worth = ((_worth(choice.adds, attacking), choice) for choice in choices)
    for values, choice in sorted(worth, key=lambda found: (-sum(found[0]), found[1].item)):
        if not any(all(map(int.__ge__, other, values)) for other, _ in front):
            front.append((values, choice))
    return [choice for _, choice in front]


def _worth(adds: Stats, attacking: list[bool]) -> tuple[int, ...]:
    """What a choice adds of all that counts: resistance only to elements that the monster attacks in."""
    resistance = (value for value, counts in zip(adds.resistance, attacking, strict=True) if counts)
    return (adds.hp, *adds.attack, *adds.damage, *resistance)
