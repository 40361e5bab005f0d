"""A draft: a task as drawn, before it is proven and before it is decided what to tell of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from herobench.rpg.hero import NEXT_LEVEL_XP, HeroStart
from herobench.rpg.task import Exchange, Kind, Knowledge, Mechanics, Task
from herobench.rpg.world import Code, World
from herobench.task_gen.oracle.crafting import Requirements

EXCHANGE: Exchange = "told"
"""In tasks of ours the exchange sells only what is told to be for sale: else nothing would have to be made."""


@dataclass(frozen=True)
class Draft:
    """What a task is about."""

    kind: Kind
    target: Code
    hero: HeroStart
    missing: Mapping[str, Code]
    sold: frozenset[Code] = frozenset()

    def unskilled(self, world: World) -> Draft:
        """The same for a hero whose gathering skills are at their beginning."""
        beginnings = {node.skill: (1, 0, NEXT_LEVEL_XP) for node in world.resources.values()}
        skills = MappingProxyType({**self.hero.skills, **beginnings})
        return replace(self, hero=replace(self.hero, skills=skills))

    def task(self, world: World, seed: int, leveling: bool, drop_scale: float | None) -> Task:
        """The draft as a task in which everything is known, for the oracle to try."""
        everything = Knowledge((), (), self.sold, (), tuple(world.tiles), ())
        return Task(
            id="draft",
            world=world.digest,
            kind=self.kind,
            target=self.target,
            hero=self.hero,
            missing=self.missing,
            knowledge=everything,
            mechanics=Mechanics(leveling, drop_scale, EXCHANGE),
            seed=seed,
            difficulty=0,
        )


def skills_for(world: World, level: int, order: Mapping[Code, int]) -> dict[str, int]:
    """Skills that are good enough to make an order: the hero's level, more only where more is asked for."""
    requirements = Requirements.of(world, order)
    needed = dict(requirements.skills)
    for leaf in requirements.raw:
        if leaf in world.nodes:
            easiest = min((world.resources[node] for node in world.nodes[leaf]), key=lambda node: node.level)
            needed[easiest.skill] = max(easiest.level, needed.get(easiest.skill, 1))
    return {skill: max(level, needed.get(skill, 1)) for skill in world.skills}
