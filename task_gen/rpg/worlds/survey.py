"""A survey of a world: collect all of its oddities, and the brackets that it has tasks for.

Called by `herobench world validate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Code, Place, World
from herobench.task_gen.rpg.gear.search import Gear, GearSearch
from herobench.task_gen.rpg.generator import Generator
from herobench.task_gen.rpg.tasks.difficulty import BRACKETS, FIGHT, LEAST, STEPS, bracket_of, item_difficulty
from herobench.task_gen.rpg.tasks.kill_tasks import LEVELS_ABOVE
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.worlds.fights import WorldFights, pushovers, unbeatable
from herobench.task_gen.rpg.worlds.gear_checks import (
    dead_elements,
    dominated,
    idle_effects,
    misfits,
    odd_distractors,
    unasked,
)
from herobench.task_gen.rpg.worlds.oddity import Oddity, OddityKind, Spots
from herobench.task_gen.rpg.worlds.supply import broken_ladders, unreachable, unused


def islands(world: World) -> list[list[Place]]:
    """Return the groups of tiles that no edge joins to the start's group, each in the map's order."""
    # A dict serves as an ordered set, so that islands come in the map's order.
    left = dict.fromkeys(world.tiles)
    _take_group(left, world.start)
    found = []
    while left:
        group = _take_group(left, next(iter(left)))
        found.append([place for place in world.tiles if place in group])
    return found


def _take_group(left: dict[Place, None], first: Place) -> set[Place]:
    """Remove one connected group of tiles from those left, and return it (flood fill)."""
    group, open_places = set[Place](), [first]
    while open_places:
        x, y = place = open_places.pop()
        if place in left:
            del left[place]
            group.add(place)
            open_places += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return group


def stray_land(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the islands of the map."""
    for island in islands(world):
        size = "1 tile" if len(island) == 1 else f"{len(island)} tiles"
        what = f"an island of {size} around {island[0]}, joined to the land around the start by no edge"
        advice = "move it, or add the tiles between; heroes get there anyway"
        yield Oddity(OddityKind.ISLAND, spots.tile(island[0]), what, advice)


def idle_buildings(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the workshops in which nothing is made, and the exchanges that sell nothing."""
    used = {item.recipe.skill for item in world.items.values() if item.recipe}
    needed = used | {node.skill for node in world.resources.values()}
    for place, skill in world.standing("workshop").items():
        # A skill that nothing needs at all is an oddity of the skill, reported elsewhere.
        if skill in needed and skill not in used:
            what, advice = f"no recipe asks for {skill}, so nothing is made there", "add one, or leave out the workshop"
            yield Oddity(OddityKind.IDLE_WORKSHOP, spots.tile(place, "content", "code"), what, advice)
    if not world.exchange_sells:
        for place in world.standing("grand_exchange"):
            what, advice = "the exchange sells nothing", "name goods in exchange_sells, or leave out the exchange"
            yield Oddity(OddityKind.IDLE_EXCHANGE, spots.tile(place, "content", "code"), what, advice)


ASKED = tuple(BRACKETS[:-1])
"""The brackets that datasets are made of; the tenth has no upper end."""
_PROSPECTS = 2
"""The number of likely monsters that are tried for a bracket before any monster is."""
_FIGHTS = 100
"""The number of fights that are looked at to find likely monsters."""


def open_brackets(world: World, rules: Rules, step: Callable[[], None] = lambda: None) -> tuple[int, ...]:
    """Return the brackets that a task can be made for; `step` is called after each bracket."""
    prospects = _prospects(world, rules)
    found = []
    for bracket in ASKED:
        if _gives(world, rules, bracket, prospects[bracket]):
            found.append(bracket)
        step()
    return tuple(found)


def _gives(world: World, rules: Rules, bracket: int, monsters: Sequence[Code]) -> bool:
    brackets = (bracket,)
    kills = (Spec(brackets=brackets, kind="kill", monster=monster) for monster in monsters)
    # The cheapest question first: a craft task needs no search for gear.
    specs = (Spec(brackets=brackets, kind="craft"), *kills, Spec(brackets=brackets, kind="kill"))
    return any(Generator(world, rules, spec).attempt(0) is not None for spec in specs)


def _prospects(world: World, rules: Rules) -> Mapping[int, list[Code]]:
    """Return, by bracket, monsters whose gear has parts of that difficulty; the strongest monsters come first."""
    found: dict[int, list[Code]] = {bracket: [] for bracket in BRACKETS}
    monsters = sorted(world.monsters.values(), key=lambda monster: (-monster.level, monster.code))
    fights = [(monster, monster.intended_level + above) for monster in monsters for above in LEVELS_ABOVE]
    # An even sample, because a large world has thousands of fights.
    for monster, level in fights[:: len(fights) // _FIGHTS + 1]:
        hero = HeroStart.bare(world, rules, min(level, rules.level_cap))
        gear = GearSearch.of(world, rules, monster, hero).random_set(Random(0))  # noqa: S311 - a reproducible estimate
        for bracket in brackets_of(difficulties(world, gear or {})):
            found[bracket].append(monster.code)
        if all(len(found[bracket]) >= _PROSPECTS for bracket in ASKED):
            break
    return {bracket: codes[:_PROSPECTS] for bracket, codes in found.items()}


def difficulties(world: World, gear: Gear) -> int:
    """Return the total difficulties of kill tasks about a gear set, as a bit set.

    Any part of the set may be missing, and no slot has to be emptied first.
    """
    sums = 1
    for code in gear.values():
        # Subset sums as one big integer: bit n is set if some subset adds up to n.
        sums |= sums << item_difficulty(world, code)
    return (sums & ~1) << FIGHT


def brackets_of(bits: int) -> set[int]:
    """Return the brackets of a bit set of total difficulties."""
    return {bracket_of(difficulty) for difficulty in range(bits.bit_length()) if bits >> difficulty & 1}


def holes(given: Sequence[int], spots: Spots) -> Iterator[Oddity]:
    """Yield the closed brackets between two open ones, or that no bracket is open at all."""
    if not given:
        what, advice = "no task can be made in this world", "add a monster that gear beats, or items with recipes"
        yield Oddity(OddityKind.NO_TASKS, spots.about(), what, advice)
        return
    for bracket in range(given[0], given[-1]):
        if bracket not in given:
            least = LEAST + (bracket - 1) * STEPS
            what = f"no task of bracket {bracket} can be made, though there are easier and harder ones"
            advice = f"add gear or goods of a total difficulty from {least} to {least + STEPS - 1}"
            yield Oddity(OddityKind.NO_TASKS, spots.about(), what, advice)


@dataclass(frozen=True, slots=True)
class Survey:
    """The oddities of a world and its open brackets."""

    oddities: tuple[Oddity, ...]
    brackets: tuple[int, ...]
    """The brackets that the world has tasks for."""


def steps_of(world: World) -> int:
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
    yield from unused(world, spots, fights.had)
    yield from unasked(world, rules, spots, fights.had)
    yield from dominated(world, spots)
    yield from misfits(world, spots)
    yield from idle_effects(world, spots)
    yield from dead_elements(world, spots)
    yield from unbeatable(fights, spots)
    yield from pushovers(fights, spots)
    yield from broken_ladders(world, rules, spots)
    yield from stray_land(world, spots)
    yield from idle_buildings(world, spots)
    yield from odd_distractors(world, rules, spots)
