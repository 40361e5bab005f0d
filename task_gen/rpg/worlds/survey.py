"""A survey of a world: collect all of its oddities, and the brackets that it has tasks for.

Called by `herobench world validate`. The check of fights finds which monsters heroes can beat, and which are no
challenge or too strong. Only whether any gear wins counts, so dominated gear is removed before a search. Gear must be
obtainable, which depends on who can be beaten: a drop of an unbeatable monster is no gear, and without it further
monsters may be unbeatable. So the sets shrink until they no longer change (a fixed point).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import BRACKETS, bracket_steps, to_bracket
from herobench.suites.rpg.game.world import Code, Monster, World, slot_type
from herobench.task_gen.rpg.gear.candidates import GearItem, Slot, gear_slots, more_is_better
from herobench.task_gen.rpg.gear.search import Gear, GearSearch
from herobench.task_gen.rpg.task_maker import Generator
from herobench.task_gen.rpg.tasks.drafts import LEVELS_ABOVE
from herobench.task_gen.rpg.tasks.spec import FIGHT, Spec, item_difficulty
from herobench.task_gen.rpg.worlds.oddity import Oddity, Spots, obtainable, unreachable, unwearable, useless_items

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
    return Survey((*_oddities(world, spots, fights), *holes(brackets, spots)), brackets)


def _oddities(world: World, spots: Spots, fights: WorldFights) -> Iterator[Oddity]:
    yield from unreachable(world, spots, fights.had)
    yield from useless_items(world, spots, fights.had)
    yield from unwearable(world, spots)
    yield from unbeatable(fights, spots)
    yield from pushovers(fights, spots)


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
