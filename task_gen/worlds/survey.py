"""A survey of a world: everything that is odd about it, and which brackets it gives tasks of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from herobench.rpg.rules import Rules
from herobench.rpg.world import World
from herobench.task_gen.worlds.brackets import ASKED, holes, open_brackets
from herobench.task_gen.worlds.distractors import odd_distractors
from herobench.task_gen.worlds.effects import dead_elements, idle_effects
from herobench.task_gen.worlds.fights import Fights, pushovers, unbeatable
from herobench.task_gen.worlds.ladders import broken_ladders
from herobench.task_gen.worlds.land import idle_buildings, stray_land
from herobench.task_gen.worlds.oddity import Oddity, Spots
from herobench.task_gen.worlds.supply import unreachable, unused
from herobench.task_gen.worlds.wardrobe import dominated, misfits, unasked


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found."""

    oddities: tuple[Oddity, ...]
    brackets: tuple[int, ...]
    """The brackets of which there are tasks."""


def steps_of(world: World) -> int:
    """How many steps a survey takes."""
    return len(world.monsters) + len(ASKED)


def survey(world: World, rules: Rules, name: str, step: Callable[[], None] = lambda: None) -> Survey:
    """Look at all of a world; `name` stands before the names of its files, and `step` is called along the way."""
    spots = Spots(world, name)
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
