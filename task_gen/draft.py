"""A draft: a task that is drawn, but not yet proven, and without knowledge.

Kill tasks and craft tasks are drawn as drafts, and the generator turns them into tasks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from herobench.rpg.hero import NEXT_LEVEL_XP, HeroStart
from herobench.rpg.task import Exchange, Goal, Kind, Knowledge, Mechanics, Task
from herobench.rpg.world import Code, World

EXCHANGE: Exchange = "told"
"""The exchange of generated tasks: it sells only what the task tells, or the hero could buy what he has to make."""


@dataclass(frozen=True)
class Draft:
    """The goal, the hero and the missing gear of a task."""

    kind: Kind
    target: Code
    hero: HeroStart
    missing: Mapping[str, Code]
    sold: frozenset[Code] = frozenset()
    then: tuple[Goal, ...] = ()
    """The later goals of a campaign."""
    is_short: bool = False
    """True for a campaign of one goal that has decoys."""
    leveling: bool = False
    """True if the hero of a campaign has to learn."""
    decoys: tuple[Code, ...] = ()
    """Gear that is told and not needed, if it is chosen with the goals."""

    def unskilled(self, world: World) -> Draft:
        """Return the same draft with the hero's gathering skills at level 1."""
        # Only skills that nodes use: there is no place to raise the others.
        beginnings = {node.skill: (1, 0, NEXT_LEVEL_XP) for node in world.resources.values()}
        skills = MappingProxyType({**self.hero.skills, **beginnings})
        return replace(self, hero=replace(self.hero, skills=skills))

    def task(self, world: World, seed: int, mechanics: Mechanics) -> Task:
        """Return the draft as a task with full knowledge, for the oracle to plan."""
        # All places are known, so that the oracle may choose among all nodes.
        everything = Knowledge((), (), self.sold, (), tuple(world.tiles), ())
        return Task(
            id="draft",
            world=world.digest,
            kind=self.kind,
            target=self.target,
            hero=self.hero,
            missing=self.missing,
            knowledge=everything,
            mechanics=mechanics,
            seed=seed,
            difficulty=0,
            then=self.then,
            is_short=self.is_short,
        )
