"""Drafts for nexta: which action begins a shortest plan, and how many actions that has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from herobench.rpg.events import Action
from herobench.rpg.world import Code
from herobench.suites.acp.hero.action import act, text_of
from herobench.suites.acp.hero.errand import Errand
from herobench.suites.acp.hero.making.draft import Draft
from herobench.suites.acp.hero.making.source import Source
from herobench.suites.acp.hero.making.text import gear_goal
from herobench.suites.acp.hero.scene import Scene
from herobench.suites.acp.hero.shortest import Shortest, goal_gear
from herobench.suites.acp.hero.universe import actions_of, moves_of

_FEWEST = 2
"""The fewest actions of a shortest plan that is asked about."""


def nexta(source: Source, chance: Random, luck: float) -> Draft | None:
    """Draw a state. The answer has every action that begins a shortest plan, each in the quantity that is needed.

    Only states are asked about in which less than half of the actions that can be carried out are right.
    """
    scene = source.cut(chance)[0].frozen()
    gear = goal_gear(scene, source.scene.task.hero.worn) if scene.task.kind == "kill" else Counter[Code]()
    found = beginning(scene, gear)
    if found is None or not 0 < 2 * len(found.first) < found.able:
        return None
    goal = {"goal": gear_goal(scene, gear)} if gear else {}
    return Draft(scene, found.answer(gear), facts=goal)


class Beginning(NamedTuple):
    """How shortest plans begin."""

    first: list[str]
    """The actions that begin one."""
    length: int
    able: int
    """The number of actions that can be carried out."""

    def answer(self, gear: Mapping[Code, int]) -> dict[str, Any]:
        """Return the answer of a question."""
        return {"first": self.first, "length": self.length, "gear": dict(gear)}


def beginning(scene: Scene, gear: Counter[Code]) -> Beginning | None:
    """Return how shortest plans to the goal in some gear begin; None if that is not proven, or one action will do."""
    shortest = Shortest(scene, gear)
    length = shortest.length(scene)
    if length is None or length < _FEWEST:
        return None
    able = [action for action in candidates(scene, Errand(scene, gear)) if scene.game().act(action).ok]
    first = []
    for action in able:
        begins = shortest.begins(scene, action, length)
        if begins is None:
            return None
        first += [text_of(action)] if begins else []
    return Beginning(first, length, len(able))


def candidates(scene: Scene, errand: Errand) -> Iterator[Action]:
    """Yield the actions of all kinds, each in the quantity that the work needs."""
    yield from moves_of(scene)
    for action in actions_of(scene):
        match action.name:
            case "gather":
                yield act("gather", _swings(scene, errand))
            case "craft":
                yield act("craft", action.args[1], errand.crafts.get(str(action.args[1]), 1))
            case "buy":
                yield act("buy", action.args[1], errand.raw.get(str(action.args[1]), 1))
            case _:
                yield action


def _swings(scene: Scene, errand: Errand) -> int:
    """Return the swings that give all that is lacking of what the resource here has."""
    content = scene.world.tiles[scene.task.hero.place].content
    drops = scene.world.resources[content.code].drops if content and content.type == "resource" else ()
    return max([1, *(-(-errand.raw[drop.item] // drop.least) for drop in drops if drop.item in errand.raw)])
