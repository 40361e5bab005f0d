"""A survey of a world: collect all of its oddities, and the brackets that it has tasks for.

Called by `herobench world validate`. The check of fights finds which monsters heroes can beat, and which are no
challenge or too strong. Only whether any gear wins counts, so dominated gear is removed before a search. Gear must be
obtainable, which depends on who can be beaten: a drop of an unbeatable monster is no gear, and without it further
monsters may be unbeatable. So the sets shrink until they no longer change (a fixed point).

The checks of gear, effects and distractors find those that do nothing, and slots and types that do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from random import Random

from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import BRACKETS, bracket_steps, to_bracket
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, Monster, World, slot_type
from herobench.task_gen.rpg.gear.candidates import GearItem, Slot, gear_candidates, gear_slots, more_is_better, sources
from herobench.task_gen.rpg.gear.search import Gear, GearSearch
from herobench.task_gen.rpg.task_maker import Generator
from herobench.task_gen.rpg.tasks.drafts import LEVELS_ABOVE, can_be_target, hero_levels
from herobench.task_gen.rpg.tasks.spec import FIGHT, Spec, item_difficulty
from herobench.task_gen.rpg.worlds.oddity import (
    Oddity,
    Spot,
    Spots,
    acts,
    broken_ladders,
    ingredients,
    obtainable,
    unreachable,
    useless_items,
)

_NAMED = 5
"""The number of items that a message names."""


def odd_distractors(world: World, rules: Rules, spots: Spots) -> Iterator[Oddity]:
    """Yield the oddities of the distractors."""
    yield from _unlearnt(world, spots)
    names = {item.name: code for code, item in world.items.items()}
    for code, item in world.distractors.items():
        # A prompt that names two items alike tells the careful reader that one of them is noise.
        if item.name in names:
            what = f"{item.name} is the name of the item {names[item.name]} too"
            yield Oddity("transparent", spots.of("distractors", code, "name"), what, "give it a name of its own")
        if item.recipe and item.recipe.level > rules.level_cap:
            what = f"{item.name} asks for skill {item.recipe.level}, and nobody gets beyond {rules.level_cap}"
            spot = spots.of("distractors", code, "recipe", "level")
            yield Oddity("transparent", spot, what, f"ask for {rules.level_cap} or less")


def _unlearnt(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the distractors that need a skill which the world does not have."""
    skills = (item.recipe.skill for item in world.distractors.values() if item.recipe)
    for skill in dict.fromkeys(skill for skill in skills if skill not in world.skills):
        items = [item for item in world.distractors.values() if item.recipe and item.recipe.skill == skill]
        near = get_close_matches(skill, world.skills, 1)
        advice = f"is {near[0]!r} meant?" if near else f"there are {', '.join(world.skills)}"
        what = f"the world has no skill {skill!r}, and it is asked for by {_name_list(items)}"
        yield Oddity("transparent", spots.of("distractors", items[0].code, "recipe", "skill"), what, advice)


def _name_list(items: Sequence[Item]) -> str:
    """Return the names of some items, and how many more there are."""
    names = [item.name for item in items[:_NAMED]]
    return ", ".join(names) + (f" and {len(items) - _NAMED} more" if len(items) > _NAMED else "")


_CLOSE = 0.75
"""The similarity to a known effect from which a name counts as a typing error; other names are left alone."""


def worn_effects(world: World) -> tuple[str, ...]:
    """Return the effects of gear."""
    return ("hp", *(f"{kind}_{element}" for kind in ("attack", "dmg", "res") for element in world.elements))


def eaten_effects(world: World) -> tuple[str, ...]:
    """Return the effects of food."""
    return ("restore", "boost_hp", *(f"boost_dmg_{element}" for element in world.elements))


def idle_effects(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the effects of heroes, items and distractors that do nothing."""
    yield from _slips(world, world.hero_stats, spots.about("hero"))
    for code, item in world.items.items():
        yield from _slips(world, item.effects, spots.of("items", code, "effects"))
        yield from _misplaced_effects(world, item, spots)
    for code, item in world.distractors.items():
        yield from _slips(world, item.effects, spots.of("distractors", code, "effects"))


def _slips(world: World, effects: Mapping[str, int], spot: Spot) -> Iterator[Oddity]:
    """Yield the names that are no effect but look like one."""
    known_effects = (*worn_effects(world), *eaten_effects(world))
    for effect in effects:
        # Only near misses are reported: an unknown effect may be meant for another program.
        near = () if effect in known_effects else get_close_matches(effect, known_effects, 1, _CLOSE)
        if near:
            what = f"there is no effect {effect!r}, so it does nothing"
            yield Oddity("idle_effect", spot.inside(effect), what, f"is {near[0]!r} meant?")


def _misplaced_effects(world: World, item: Item, spots: Spots) -> Iterator[Oddity]:
    """Yield the effects of food on gear, and of gear on food."""
    if item.type == CONSUMABLE:
        idle, why, there = worn_effects(world), "food does nothing when it is worn", eaten_effects(world)
    elif item.type in worn_types(world):
        idle, why, there = eaten_effects(world), "gear is not eaten", worn_effects(world)
    else:
        return
    for effect, value in item.effects.items():
        # An effect of 0 is harmless anywhere.
        if effect in idle and value:
            near = [name for name in there if name in effect or effect in name]
            what = f"{effect} of {item.name} does nothing: {why}"
            advice = f"is {near[0]!r} meant?" if near else f"effects that count here are {', '.join(there)}"
            yield Oddity("idle_effect", spots.of("items", item.code, "effects", effect), what, advice)


def dead_elements(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the elements that nobody attacks in."""
    for index, element in enumerate(world.elements):
        strikes = world.hero_stats.get(f"attack_{element}", 0) > 0
        in_gear = any(item.worn.attack[index] > 0 for item in world.items.values() if item.type in worn_types(world))
        if not (strikes or in_gear or any(monster.stats.attack[index] for monster in world.monsters.values())):
            what = f"nobody attacks in {element}, so its resistances and damage count for nothing"
            advice = f"give a monster or gear an attack in {element}, or leave it out"
            yield Oddity("dead_element", spots.of("elements", element), what, advice)


def worn_types(world: World) -> frozenset[str]:
    """Return the types of item that are worn as gear."""
    return frozenset(map(slot_type, gear_slots(world)))


def unasked_gear(world: World, rules: Rules, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """Yield the gear that can be obtained but that no task can ask for."""
    types, parts = worn_types(world), ingredients(world)
    fights = [gear_candidates(world, who, hero_levels(who, rules)[-1]) for who in world.monsters.values()]
    codes_asked = {item.code for fight in fights for items in fight.values() for item in items}
    for code, item in world.items.items():
        if item.type not in types or code in parts or code in world.starter_items or code not in had or not acts(item):
            continue
        # A craft task can ask for it.
        if item.recipe and can_be_target(world, code):
            continue
        if sources(world, code) is None:
            what = f"no task can ask for {item.name}: a part of it is neither gathered nor dropped"
            advice = "let a node give it, let a monster drop it, or let the exchange sell what its recipe lacks"
            yield Oddity("unasked", spots.of("items", code), what, advice)
            continue
        if fights and code not in codes_asked:
            what = f"no fight is left to wear {item.name} in once it can be made and worn"
            advice = "lower its level, let weaker monsters drop what it is made of, or add a stronger monster"
            yield Oddity("unasked", spots.of("items", code), what, advice)


def misfits(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the slots that no item fits, and the items with effects that no slot takes."""
    types = dict.fromkeys(map(slot_type, world.slots))
    item_types = {item.type for item in world.items.values()}
    for slot in world.slots:
        if slot_type(slot) not in item_types:
            what, advice = f"no item is of type {slot_type(slot)!r}", "add one, or leave out the slot"
            yield Oddity("empty_slot", spots.of("slots", slot), what, advice)
    for code, item in world.items.items():
        eaten = item.eaten.restore or item.eaten.hp or any(item.eaten.damage)
        if item.type not in types and (eaten or item.worn.hp or any(map(any, item.worn[1:]))):
            # A close match is probably what the author meant to write.
            near = get_close_matches(item.type, types, 1)
            advice = f"is {near[0]!r} meant?" if near else f"there are slots for {', '.join(types)}"
            what = f"no slot takes a {item.type!r}, so the effects of {item.name} do nothing"
            yield Oddity("unwearable", spots.of("items", code, "type"), what, advice)


ASKED = tuple(BRACKETS[:-1])
"""The brackets that datasets are made of; the tenth has no upper end."""
_PROSPECTS = 2
"""The number of likely monsters that are tried for a bracket before any monster is."""
_FIGHTS = 100
"""The number of fights that are looked at to find likely monsters."""


def open_brackets(world: World, rules: Rules, step: Callable[[], None] = lambda: None) -> tuple[int, ...]:
    """Return the brackets that a task can be made for; `step` is called after each bracket."""
    prospects = _prospects(world, rules)
    brackets = []
    for bracket in ASKED:
        if _gives(world, rules, bracket, prospects[bracket]):
            brackets.append(bracket)
        step()
    return tuple(brackets)


def _gives(world: World, rules: Rules, bracket: int, monsters: Sequence[Code]) -> bool:
    brackets = (bracket,)
    kills = (Spec(brackets=brackets, kind="kill", monster=monster) for monster in monsters)
    # The cheapest question first: a craft task needs no search for gear.
    specs = (Spec(brackets=brackets, kind="craft"), *kills, Spec(brackets=brackets, kind="kill"))
    return any(Generator(world, rules, spec).attempt(0) is not None for spec in specs)


def _prospects(world: World, rules: Rules) -> Mapping[int, list[Code]]:
    """Return, by bracket, monsters whose gear has parts of that difficulty; the strongest monsters come first."""
    by_bracket: dict[int, list[Code]] = {bracket: [] for bracket in BRACKETS}
    monsters = sorted(world.monsters.values(), key=lambda monster: (-monster.level, monster.code))
    fights = [(monster, monster.intended_level + above) for monster in monsters for above in LEVELS_ABOVE]
    # An even sample, because a large world has thousands of fights.
    for monster, level in fights[:: len(fights) // _FIGHTS + 1]:
        hero = HeroStart.bare(world, rules, min(level, rules.level_cap))
        gear = GearSearch.of(world, rules, monster, hero).random_set(Random(0))  # noqa: S311 - a reproducible estimate
        for bracket in find_brackets(difficulties(world, gear or {})):
            by_bracket[bracket].append(monster.code)
        if all(len(by_bracket[bracket]) >= _PROSPECTS for bracket in ASKED):
            break
    return {bracket: codes[:_PROSPECTS] for bracket, codes in by_bracket.items()}


def difficulties(world: World, gear: Gear) -> int:
    """Return the total difficulties of kill tasks about a gear set, as a bit set.

    Any part of the set may be missing, and no slot has to be emptied first.
    """
    sums = 1
    for code in gear.values():
        # Subset sums as one big integer: bit n is set if some subset adds up to n.
        sums |= sums << item_difficulty(world, code)
    return (sums & ~1) << FIGHT


def find_brackets(bits: int) -> set[int]:
    """Return the brackets of a bit set of total difficulties."""
    return {to_bracket(difficulty) for difficulty in range(bits.bit_length()) if bits >> difficulty & 1}


def holes(brackets: Sequence[int], spots: Spots) -> Iterator[Oddity]:
    """Yield the closed brackets between two open ones, or that no bracket is open at all."""
    if not brackets:
        what, advice = "no task can be made in this world", "add a monster that gear beats, or items with recipes"
        yield Oddity("no_tasks", spots.about(), what, advice)
        return
    for bracket in range(brackets[0], brackets[-1]):
        if bracket not in brackets:
            steps = bracket_steps(bracket)
            what = f"no task of bracket {bracket} can be made, though there are easier and harder ones"
            advice = f"add gear or goods of a total difficulty from {steps[0]} to {steps[-1]}"
            yield Oddity("no_tasks", spots.about(), what, advice)


@dataclass(frozen=True, slots=True)
class Survey:
    """The oddities of a world and its open brackets."""

    oddities: tuple[Oddity, ...]
    brackets: tuple[int, ...]
    """The brackets that the world has tasks for."""


def survey_steps(world: World) -> int:
    """Return the number of steps of a survey, for a progress display."""
    return len(world.monsters) + len(ASKED)


def survey(world: World, rules: Rules, name: str, step: Callable[[], None] = lambda: None) -> Survey:
    """Survey a world; `name` stands before the names of its files, and `step` is called after each step."""
    spots = Spots(world, name)
    # The fights come first: which items can be obtained depends on who can be beaten.
    fights = WorldFights.of(world, rules, step)
    brackets = open_brackets(world, rules, step)
    return Survey((*_oddities(world, rules, spots, fights), *holes(brackets, spots)), brackets)


def _oddities(world: World, rules: Rules, spots: Spots, fights: WorldFights) -> Iterator[Oddity]:
    yield from unreachable(world, spots, fights.had)
    yield from useless_items(world, spots, fights.had)
    yield from unasked_gear(world, rules, spots, fights.had)
    yield from misfits(world, spots)
    yield from idle_effects(world, spots)
    yield from dead_elements(world, spots)
    yield from unbeatable(fights, spots)
    yield from pushovers(fights, spots)
    yield from broken_ladders(world, rules, spots)
    yield from odd_distractors(world, rules, spots)


# -- fights -----------------------------------------------------------------------------------------------------------


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
        # Any gear counts here, because a task may give it to its hero at the start.
        items = [item for item in world.items.values() if item.level <= rules.level_cap]
        options = {slot: (None, [item for item in items if item.type == slot_type(slot)]) for slot in gear_slots(world)}
        search = GearSearch.among(world, rules, world.monsters[code], Hero(world, bare).stats, options)
        return _thin(search, self.had).random_set(Random(0)) is not None  # noqa: S311 - any set will do

    def _judge(self, code: Code) -> None:
        monster = self.world.monsters[code]
        gear = self._winning(monster, monster.intended_level)
        if gear is not None:
            self.bare |= set() if gear else {code}
            self.lowest[code] = monster.intended_level
            return
        higher = range(monster.intended_level + 1, self.rules.level_cap + 1)
        # A higher level never loses a fight, except where an effect harms the more the healthier the hero is.
        if higher and not monster.stats.round_effects and self._winning(monster, higher[-1]) is None:
            higher = range(0)
        self.lowest[code] = next((level for level in higher if self._winning(monster, level) is not None), None)

    def _winning(self, monster: Monster, level: int) -> Gear | None:
        """Return gear that wins for a hero of a level who wears nothing else, or None if no gear wins."""
        search = GearSearch.of(self.world, self.rules, monster, HeroStart.bare(self.world, self.rules, level))
        if search.wins({}):
            return {}
        return _thin(search, self.had).random_set(Random(0))  # noqa: S311 - any set will do


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
        yield Oddity("unbeatable", spots.of("monsters", code, "intended_level"), what, advice)


def pushovers(fights: WorldFights, spots: Spots) -> Iterator[Oddity]:
    """Yield the monsters that heroes beat without gear."""
    for code in fights.world.monsters:
        if code in fights.bare:
            monster = fights.world.monsters[code]
            what = f"a hero of level {monster.intended_level} beats {monster.name} with nothing on: no gear is missing"
            advice = "raise its hp or attack, or lower what a hero has by himself"
            yield Oddity("pushover", spots.of("monsters", code, "hp"), what, advice)


# -- less gear to look at ---------------------------------------------------------------------------------------------


def _thin(search: GearSearch, had: Collection[Code]) -> GearSearch:
    """Return the search without unobtainable and dominated gear, which wins if and only if the whole search does."""
    monster = search.target.stats
    choices = {slot.group: [choice for choice in slot.choices if choice.item in had] for slot in search.slots}
    if more_is_better([monster], [search.base, *(choice.adds for slot in search.slots for choice in slot.choices)]):
        attacking = [attack > 0 for attack in monster.attack]
        choices = {group: _front(gear_items, attacking) for group, gear_items in choices.items()}
    slots = (Slot(slot.name, slot.group, tuple(choices[slot.group])) for slot in search.slots)
    return replace(search, slots=tuple(slots))


def _front(choices: list[GearItem], attacking: list[bool]) -> list[GearItem]:
    """Return the Pareto front: the choices that no other equals or exceeds in every stat."""
    front: list[tuple[tuple[int, ...], GearItem]] = []
    worth = []
    for choice in choices:
        adds = choice.adds
        # of resistance only that to elements that the monster attacks in
        wards = (value for value, counts in zip(adds.resistance, attacking, strict=True) if counts)
        worth.append(((adds.hp, *adds.attack, *adds.damage, *wards), choice))
    # Largest sum first: an item can only be dominated by one with at least its sum.
    for values, choice in sorted(
        worth, key=lambda worth_and_choice: (-sum(worth_and_choice[0]), worth_and_choice[1].item)
    ):
        if not any(all(map(int.__ge__, other, values)) for other, _ in front):
            front.append((values, choice))
    return [choice for _, choice in front]
