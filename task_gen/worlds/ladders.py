"""Skill ladders: how far practice takes a beginner in each skill, and what lies beyond.

Called by the survey and the statistics. A skill with nodes is practised at nodes, as leveling tasks and the oracle
do; any other skill at its recipes. Each step is taken at the best that is open and still gives experience.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from herobench.rpg.rules import Rules
from herobench.rpg.world import World
from herobench.task_gen.worlds.oddity import Oddity, OddityKind, Spot, Spots


class Rung(NamedTuple):
    """A recipe or a node that asks for a level of a skill."""

    level: int
    name: str
    spot: Spot


class Ladder(NamedTuple):
    """A skill with all that asks for it, and the level that a beginner reaches."""

    skill: str
    nodes: tuple[Rung, ...]
    recipes: tuple[Rung, ...]
    top: int
    """The level that practice leads to."""

    @classmethod
    def of(cls, world: World, rules: Rules, spots: Spots, skill: str) -> Ladder:
        """Return the ladder of a skill."""
        nodes = [
            Rung(node.level, node.name, spots.resource(code, "level"))
            for code, node in world.resources.items()
            if node.skill == skill
        ]
        recipes = [
            Rung(item.recipe.level, item.name, spots.item(code, "recipe", "level"))
            for code, item in world.items.items()
            if item.recipe and item.recipe.skill == skill
        ]
        # If the skill has nodes, only they count, because the oracle raises such skills at nodes only.
        taught = sorted({rung.level for rung in nodes or recipes})
        return cls(skill, tuple(sorted(nodes)), tuple(sorted(recipes)), _climbed(taught, rules))

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """The nodes and recipes that ask for the skill, nodes first."""
        return (*self.nodes, *self.recipes)

    @property
    def begins(self) -> bool:
        """True if a beginner can practise the skill at all."""
        return min(rung.level for rung in self.nodes or self.recipes) == 1


def _climbed(taught: list[int], rules: Rules) -> int:
    """Return the level that a beginner reaches."""
    level = 1
    # One level at a time: each new level may open a better node and close a worse one.
    while level < rules.level_cap and any(step <= level and rules.xp_gain(level, step) > 0 for step in taught):
        level += 1
    return level


def ladders(world: World, rules: Rules, spots: Spots) -> list[Ladder]:
    """Return the ladders of a world's skills."""
    return [Ladder.of(world, rules, spots, skill) for skill in world.skills]


def broken_ladders(world: World, rules: Rules, spots: Spots) -> Iterator[Oddity]:
    """Yield the skills that nobody needs or can begin with, and what asks for more than practice gives."""
    for ladder in ladders(world, rules, spots):
        spot, place = spots.listed("skills", ladder.skill), "a node" if ladder.nodes else "a recipe"
        if not ladder.rungs:
            what, advice = f"no recipe and no node asks for {ladder.skill}", "add one, or leave out the skill"
            yield Oddity(OddityKind.IDLE_SKILL, spot, what, advice)
        elif not ladder.begins:
            first = min(ladder.nodes or ladder.recipes)
            what = f"nobody can begin with {ladder.skill}: the first that teaches it is {first.name}, for {first.level}"
            yield Oddity(OddityKind.NO_BEGINNING, spot, what, f"add {place} of level 1")
        else:
            yield from _beyond(ladder, place)


def _beyond(ladder: Ladder, place: str) -> Iterator[Oddity]:
    """Yield what asks for more than practice gives."""
    last = max(rung.level for rung in ladder.nodes or ladder.recipes if rung.level <= ladder.top)
    for rung in ladder.rungs:
        if rung.level > ladder.top:
            what = f"{rung.name} asks for {ladder.skill} {rung.level}, and practice ends at {ladder.top}"
            advice = f"ask for less, or add {place} of a level from {last + 1} to {ladder.top}"
            yield Oddity(OddityKind.OUT_OF_SKILL, rung.spot, what, advice)
