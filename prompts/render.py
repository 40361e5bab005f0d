"""Renders what a model is told of a task: the words from their files, the facts from the world and the rules.

What a prompt depends on is the world, the rules and, of the task, its goal, its hero, its mechanics and its knowledge.
The rest of a task (what is missing, how hard it is, how it is solved, its seed) is for others to know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from herobench.prompts.told import tells_of_consumables, told
from herobench.prompts.words import prompt_digest, words
from herobench.rpg.game import MOST_CHANCES
from herobench.rpg.hero import NAME, Hero
from herobench.rpg.responses import character
from herobench.rpg.rules import CRAFTING, Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World

__all__ = ["prompt_digest", "render_prompt"]


def render_prompt(world: World, task: Task, edition: Rules) -> str:
    """The prompt of a task under an edition of the rules."""
    rules = task.rules(edition)
    return words(
        "frame",
        goal=_paragraphs(_goal(world, task, rules)),
        hero=NAME,
        start_x=world.start[0],
        start_y=world.start[1],
        rounds=rules.rounds,
        stack=rules.stack_limit,
        workshop=words(f"workshop_{rules.workshop}"),
        slots=", ".join(world.slots),
        elements=", ".join(world.elements),
        drops=words(f"drops_{rules.drops}", scale=_number(rules.drop_scale), most=MOST_CHANCES),
        growing=_paragraphs(_growing(world, task, rules)),
        character=_line(character(world, Hero(world, task.hero))),
        known=words("known_exact" if _tells_just_what_is_needed(task) else "known_more"),
        sections=_paragraphs(_sections(world, task, rules)),
    )


def _goal(world: World, task: Task, rules: Rules) -> Iterable[str]:
    things = world.monsters if task.kind == "kill" else world.items
    yield words(f"goal_{task.kind}", name=things[task.target].name, code=task.target)
    if task.kind == "craft" and rules.failed_craft_is_logged:
        yield words("forfeit", code=task.target)


def _growing(world: World, task: Task, rules: Rules) -> Iterable[str]:
    if tells_of_consumables(world, task):
        yield words("consumables", stack=rules.stack_limit)
    if task.mechanics.leveling:
        curve = words(f"xp_{rules.xp}")
        yield words("leveling", crafting=CRAFTING, curve=curve, cap=rules.level_cap, health=rules.hp_per_level)
    else:
        yield words("growth", health=rules.hp_per_level)


def _tells_just_what_is_needed(task: Task) -> bool:
    return task.knowledge.level == "exact" and not task.knowledge.noise


def _sections(world: World, task: Task, rules: Rules) -> Iterable[str]:
    """A heading and a line a thing; what there is nothing of is left out."""
    for heading, records in told(world, task, rules).items():
        if records:
            yield f"{words(heading)}\n\n" + "\n".join(map(_line, records))


def _paragraphs(texts: Iterable[str]) -> str:
    return "\n\n".join(texts)


def _number(value: float) -> str:
    return repr(int(value) if value == int(value) else value)


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)
