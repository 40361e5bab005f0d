"""Cases in the tiny world, for tests of the players that use only what a prompt tells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.workshop import Case
from tests.builders import hero_row, task_row, tiny_task

RULES = load_rules()


def told(world: World, hero: dict[str, Any] | None = None, **knowledge: Any) -> Task:
    """Return a task against the drake that tells of some items, of all places and of all monsters."""
    row = task_row(world)
    everywhere = {"places": [list(place) for place in world.tiles], "monsters": list(world.monsters), "sold": ["twig"]}
    return tiny_task(world, knowledge={**row["knowledge"], **everywhere, **knowledge}, hero=hero or hero_row())


def armed(world: World, **knowledge: Any) -> Task:
    """Return the same task for a hero who can beat a rat for its fur."""
    return told(world, hero_row(worn={"blade": "twig"}), **{"stats": ["twig"], **knowledge})


def final(task: Task) -> Task:
    """Return the task with defeats that are final."""
    return replace(task, mechanics=replace(task.mechanics, defeat="final"))


def case(world: World, task: Task) -> Case:
    return Case(world, RULES, task)


def noise(code: str, **changes: Any) -> dict[str, Any]:
    row = {"code": code, "name": code, "level": 1, "type": "blade", "subtype": "", "description": "", "effects": {}}
    recipe = {"skill": "smithing", "level": 1, "ingredients": {"moonstone": 1}}
    return {**row, "recipe": recipe, **changes}


WINNING = {"recipes": ["bar", "bar_sword", "fur_coat"], "materials": ["ore", "fur"]}
"""The knowledge of gear with which the hero beats the drake."""
ALL = {
    "recipes": ["brick", "bar", "club", "bar_sword", "fur_coat", "pearl_charm"],
    "materials": ["clay", "ore", "fur", "twig", "pearl"],
}
"""The knowledge of all gear that can be made."""
