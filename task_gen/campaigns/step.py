"""A step: one goal that a campaign may take next, and the gear of its rivals."""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType
from typing import NamedTuple

from herobench.rpg.task import Goal
from herobench.rpg.world import Code, World
from herobench.task_gen.oracle.outfits import Outfit


class Step(NamedTuple):
    """A goal, and what is told because of it."""

    goal: Goal
    rivals: Collection[Code] = ()
    """The gear of monsters that could have been the goal."""


def kill(world: World, who: Code, missing: Outfit) -> Goal:
    """Return the goal to beat a monster, with the missing gear in the world's order of slots."""
    slots = (slot for slot in world.slots if slot in missing)
    return Goal("kill", who, MappingProxyType({slot: missing[slot] for slot in slots}))
