"""The wardrobe of a world: gear that nobody has a reason to make, and slots and types that do not fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, Item, Monster, World, slot_type
from herobench.task_gen.craft_tasks import can_be_target
from herobench.task_gen.difficulty import item_difficulty
from herobench.task_gen.draft import skills_for
from herobench.task_gen.gear.candidates import gear_slots, sources
from herobench.task_gen.kill_tasks import LEVELS_ABOVE
from herobench.task_gen.worlds.oddity import Kind, Oddity, Spots
from herobench.task_gen.worlds.supply import acts, ingredients


@dataclass(frozen=True)
class Gear:
    """An item of gear, with what it asks of who makes it and what it gives to who wears it."""

    item: Item
    work: int
    skills: tuple[int, ...]
    hunted: frozenset[Monster]
    """Who drops anything that it is made of."""
    worth: tuple[int, ...]
    """Its stats that matter in the world."""

    @classmethod
    def of(cls, world: World, item: Item, matters: tuple[bool, ...]) -> Gear:
        """An item's own."""
        code = item.code
        hunted = {world.monsters[who] for part in world.everything_in(code) for who in world.droppers.get(part, ())}
        worn = (item.worn.hp, *item.worn.attack, *item.worn.damage, *item.worn.resistance)
        return cls(
            item,
            item_difficulty(world, code),
            tuple(skills_for(world, 1, {code: 1}).values()),
            frozenset(hunted),
            tuple(value for value, counts in zip(worn, matters, strict=True) if counts),
        )

    def outdoes(self, other: Gear) -> bool:
        """Whether nobody has a reason to make the other instead."""
        return (
            self.item.level <= other.item.level
            and self.work <= other.work
            and all(map(int.__ge__, self.worth, other.worth))
            and self.worth != other.worth
            and all(map(int.__le__, self.skills, other.skills))
            and self._hunts_no_harder(other)
        )

    def _hunts_no_harder(self, other: Gear) -> bool:
        """Whether it may be asked for in every fight that the other may be asked for in: its drops fall neither from
        the target nor from anyone above it there."""
        highest = max((monster.level for monster in other.hunted), default=0)
        return all(monster in other.hunted or monster.level < highest for monster in self.hunted)

    def may_be_asked(self, target: Monster, level: int) -> bool:
        """Whether a hero of a level may be asked to make it for a fight."""
        fair = all(who is not target and who.level <= target.level for who in self.hunted)
        return fair and self.item.level <= level


def worn_types(world: World) -> frozenset[str]:
    """The types of item that are worn as gear."""
    return frozenset(map(slot_type, gear_slots(world)))


def gear_of(world: World) -> dict[str, list[Gear]]:
    """The gear that can be made of what is gathered and dropped, by type; without starter items, which nobody makes."""
    matters, types = _what_matters(world), worn_types(world)
    found: dict[str, list[Gear]] = {kind: [] for kind in sorted(types)}
    for code, item in world.items.items():
        if item.type in types and code not in world.starter_items and sources(world, code) is not None:
            found[item.type].append(Gear.of(world, item, matters))
    return found


def _what_matters(world: World) -> tuple[bool, ...]:
    """Which stats matter: no resistance to what nobody attacks in, and no damage in what no gear attacks in."""
    elements = range(len(world.elements))
    hit = [any(monster.stats.attack[e] for monster in world.monsters.values()) for e in elements]
    struck = [
        world.hero_stats.get(f"attack_{world.elements[e]}", 0) > 0
        or any(item.worn.attack[e] > 0 for item in world.items.values())
        for e in elements
    ]
    return (True, *(True for _ in elements), *struck, *hit)


def dominated(world: World, spots: Spots) -> Iterator[Oddity]:
    """The gear that other gear outdoes in every respect."""
    parts = ingredients(world)
    for gears in gear_of(world).values():
        for gear in gears:
            better = next((other for other in gears if other.outdoes(gear)), None)
            if better is not None and gear.item.code not in parts:
                what = f"{gear.item.name} is outdone by {better.item.name} ({better.item.code}) in every respect"
                advice = "make it better in a stat that matters, or easier to come by, or let something be made of it"
                yield Oddity(Kind.DOMINATED, spots.item(gear.item.code), what, advice)


def unasked(world: World, rules: Rules, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """The gear that can be come by, and that no task can ask for."""
    types, parts, matters = worn_types(world), ingredients(world), _what_matters(world)
    fights = _fights(world, rules)
    for code, item in world.items.items():
        if item.type not in types or code in parts or code in world.starter_items or code not in had or not acts(item):
            continue
        if item.recipe and can_be_target(world, code):
            continue
        if sources(world, code) is None:
            what = f"no task can ask for {item.name}: some of it is neither gathered nor dropped"
            advice = "let a node give it, let a monster drop it, or let the exchange sell what its recipe lacks"
            yield Oddity(Kind.UNASKED, spots.item(code), what, advice)
            continue
        gear = Gear.of(world, item, matters)
        if fights and not any(gear.may_be_asked(target, level) for target, level in fights):
            what = f"no fight is left to wear {item.name} in once it can be made and worn"
            advice = "lower its level, let weaker monsters drop what it is made of, or add a stronger monster"
            yield Oddity(Kind.UNASKED, spots.item(code), what, advice)


def _fights(world: World, rules: Rules) -> list[tuple[Monster, int]]:
    """The fights of tasks, each with the highest level of its heroes; the strongest monsters first."""
    above = max(LEVELS_ABOVE)
    fights = [(who, min(who.intended_level + above, rules.level_cap)) for who in world.monsters.values()]
    return sorted(fights, key=lambda fight: (-fight[0].level, -fight[1]))


def misfits(world: World, spots: Spots) -> Iterator[Oddity]:
    """The slots that nothing fits, and what would act if a slot took it."""
    types = dict.fromkeys(map(slot_type, world.slots))
    filled = {item.type for item in world.items.values()}
    for slot in world.slots:
        if slot_type(slot) not in filled:
            what, advice = f"no item is of type {slot_type(slot)!r}", "add one, or leave out the slot"
            yield Oddity(Kind.EMPTY_SLOT, spots.listed("slots", slot), what, advice)
    for code, item in world.items.items():
        eaten = item.eaten.restore or item.eaten.hp or any(item.eaten.damage)
        if item.type not in types and (eaten or item.worn.hp or any(map(any, item.worn[1:]))):
            near = get_close_matches(item.type, types, 1)
            advice = f"is {near[0]!r} meant?" if near else f"there are slots for {', '.join(types)}"
            what = f"no slot takes a {item.type!r}, so the effects of {item.name} do nothing"
            yield Oddity(Kind.UNWEARABLE, spots.item(code, "type"), what, advice)
