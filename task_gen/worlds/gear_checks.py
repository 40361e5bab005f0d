"""Check gear: find gear that nobody has a reason to make, and slots and types that do not fit.

Called by the survey; the checks of effects and distractors share its list of gear.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, Item, Monster, World, slot_type
from herobench.task_gen.craft_tasks import can_be_target
from herobench.task_gen.difficulty import item_difficulty
from herobench.task_gen.gear.candidates import gear_slots, sources
from herobench.task_gen.kill_tasks import hero_levels
from herobench.task_gen.oracle.requirements import skills_for
from herobench.task_gen.worlds.oddity import Oddity, OddityKind, Spots
from herobench.task_gen.worlds.supply import acts, ingredients


@dataclass(frozen=True)
class MakeableGear:
    """An item of gear: what it takes to make, and what it gives its wearer."""

    item: Item
    work: int
    skills: tuple[int, ...]
    hunted: frozenset[Monster]
    """The monsters that drop any of its parts."""
    worth: tuple[int, ...]
    """Its stats that matter in the world."""

    @classmethod
    def of(cls, world: World, item: Item, matters: tuple[bool, ...]) -> MakeableGear:
        """Return the gear that an item is."""
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

    def outdoes(self, other: MakeableGear) -> bool:
        """Return whether nobody has a reason to make the other item instead of this one."""
        return (
            self.item.level <= other.item.level
            and self.work <= other.work
            and all(map(int.__ge__, self.worth, other.worth))
            and self.item.worn.round_effects == other.item.worn.round_effects
            # Equal gear does not dominate: two items of one strength are a choice of recipes.
            and self.worth != other.worth
            and all(map(int.__le__, self.skills, other.skills))
            and self._hunts_no_harder(other)
        )

    def _hunts_no_harder(self, other: MakeableGear) -> bool:
        """Return whether this gear may be asked for in every fight that may ask for the other.

        Its drops must fall neither from the target of such a fight nor from a monster above the target's level.
        """
        highest = max((monster.level for monster in other.hunted), default=0)
        return all(monster in other.hunted or monster.level < highest for monster in self.hunted)

    def may_be_asked(self, target: Monster, level: int) -> bool:
        """Return whether a hero of a level may be asked to make it for a fight."""
        fair = all(who is not target and who.level <= target.level for who in self.hunted)
        return fair and self.item.level <= level


def worn_types(world: World) -> frozenset[str]:
    """Return the types of item that are worn as gear."""
    return frozenset(map(slot_type, gear_slots(world)))


def gear_of(world: World) -> dict[str, list[MakeableGear]]:
    """Return the gear that can be made of gathered and dropped items, by type; starter items are left out."""
    matters, types = _what_matters(world), worn_types(world)
    found: dict[str, list[MakeableGear]] = {kind: [] for kind in sorted(types)}
    for code, item in world.items.items():
        if item.type in types and code not in world.starter_items and sources(world, code) is not None:
            found[item.type].append(MakeableGear.of(world, item, matters))
    return found


def _what_matters(world: World) -> tuple[bool, ...]:
    """Return which stats matter: no resistance to elements that nobody attacks in, and no damage in such elements."""
    elements = range(len(world.elements))
    hit = [any(monster.stats.attack[e] for monster in world.monsters.values()) for e in elements]
    struck = [
        world.hero_stats.get(f"attack_{world.elements[e]}", 0) > 0
        or any(item.worn.attack[e] > 0 for item in world.items.values())
        for e in elements
    ]
    return (True, *(True for _ in elements), *struck, *hit)


def dominated(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the gear that other gear outdoes in every respect."""
    parts = ingredients(world)
    for gears in gear_of(world).values():
        for gear in gears:
            better = next((other for other in gears if other.outdoes(gear)), None)
            # Dominated gear that is an ingredient still has a use.
            if better is not None and gear.item.code not in parts:
                what = f"{gear.item.name} is outdone by {better.item.name} ({better.item.code}) in every respect"
                advice = "make it better in a stat that matters, or easier to come by, or let something be made of it"
                yield Oddity(OddityKind.DOMINATED, spots.item(gear.item.code), what, advice)


def unasked(world: World, rules: Rules, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """Yield the gear that can be obtained but that no task can ask for."""
    types, parts, matters = worn_types(world), ingredients(world), _what_matters(world)
    fights = _fights(world, rules)
    for code, item in world.items.items():
        if item.type not in types or code in parts or code in world.starter_items or code not in had or not acts(item):
            continue
        # A craft task can ask for it.
        if item.recipe and can_be_target(world, code):
            continue
        if sources(world, code) is None:
            what = f"no task can ask for {item.name}: some of it is neither gathered nor dropped"
            advice = "let a node give it, let a monster drop it, or let the exchange sell what its recipe lacks"
            yield Oddity(OddityKind.UNASKED, spots.item(code), what, advice)
            continue
        gear = MakeableGear.of(world, item, matters)
        if fights and not any(gear.may_be_asked(target, level) for target, level in fights):
            what = f"no fight is left to wear {item.name} in once it can be made and worn"
            advice = "lower its level, let weaker monsters drop what it is made of, or add a stronger monster"
            yield Oddity(OddityKind.UNASKED, spots.item(code), what, advice)


def _fights(world: World, rules: Rules) -> list[tuple[Monster, int]]:
    """Return the fights of tasks, each with the highest level of its heroes; the strongest monsters come first."""
    fights = [(who, hero_levels(who, rules)[-1]) for who in world.monsters.values()]
    return sorted(fights, key=lambda fight: (-fight[0].level, -fight[1]))


def misfits(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the slots that no item fits, and the items with effects that no slot takes."""
    types = dict.fromkeys(map(slot_type, world.slots))
    filled = {item.type for item in world.items.values()}
    for slot in world.slots:
        if slot_type(slot) not in filled:
            what, advice = f"no item is of type {slot_type(slot)!r}", "add one, or leave out the slot"
            yield Oddity(OddityKind.EMPTY_SLOT, spots.listed("slots", slot), what, advice)
    for code, item in world.items.items():
        eaten = item.eaten.restore or item.eaten.hp or any(item.eaten.damage)
        if item.type not in types and (eaten or item.worn.hp or any(map(any, item.worn[1:]))):
            # A close match is probably what the author meant to write.
            near = get_close_matches(item.type, types, 1)
            advice = f"is {near[0]!r} meant?" if near else f"there are slots for {', '.join(types)}"
            what = f"no slot takes a {item.type!r}, so the effects of {item.name} do nothing"
            yield Oddity(OddityKind.UNWEARABLE, spots.item(code, "type"), what, advice)
