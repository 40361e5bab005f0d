"""A survey of a world: collect all of its oddities, and the brackets that it has tasks for.

Called by `herobench world validate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from herobench.rpg.rules import Rules
from herobench.rpg.world import World
from herobench.task_gen.worlds.brackets import ASKED, holes, open_brackets
from herobench.task_gen.worlds.distractors import odd_distractors
from herobench.task_gen.worlds.effects import dead_elements, idle_effects
from herobench.task_gen.worlds.fights import Fights, pushovers, unbeatable
from herobench.task_gen.worlds.gear_checks import dominated, misfits, unasked
from herobench.task_gen.worlds.ladders import broken_ladders
from herobench.task_gen.worlds.land import idle_buildings, stray_land
from herobench.task_gen.worlds.oddity import Oddity, Spots
from herobench.task_gen.worlds.supply import unreachable, unused


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
    fights = Fights.of(world, rules, step)
    brackets = open_brackets(world, rules, step)
    return Survey((*_oddities(world, rules, spots, fights), *holes(brackets, spots)), brackets)


def _oddities(world: World, rules: Rules, spots: Spots, fights: Fights) -> Iterator[Oddity]:
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
