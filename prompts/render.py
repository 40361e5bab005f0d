"""Renders what a model is told of a task.

The words are templates in files, the facts come from the world, and only what the task's knowledge names is told. A
digest of the templates goes into the record of a run, since other words make other scores.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from string import Template
from typing import Any

from herobench.hero import NAME, Hero
from herobench.responses import character, item_record, monster_record, tile_record
from herobench.rules import Rules
from herobench.task import Task
from herobench.world import World

TEMPLATE = "one_shot.md"

_WORKSHOPS = {"matching": "at the workshop of the recipe's skill", "any": "at a workshop"}
_DROPS = {
    "sure": "Every drop falls every time, one piece each.",
    "by_rate": "Drops fall by chance, once in `rate` times: look at what the actions return.",
}


def render_prompt(world: World, task: Task, edition: Rules) -> str:
    """The prompt of a task under an edition of the rules."""
    rules = task.rules(edition)
    return _template().substitute(
        goal=_goal(world, task),
        hero=NAME,
        start_x=world.start[0],
        start_y=world.start[1],
        rounds=rules.rounds,
        workshop=_WORKSHOPS[rules.workshop],
        slots=", ".join(world.slots),
        drops=_DROPS[rules.drops],
        character=_line(character(world, Hero(world, task.hero))),
        knowledge="\n\n".join(_sections(world, task)),
    )


def prompt_digest() -> str:
    """SHA-256 of the words that prompts are made of."""
    return hashlib.sha256(_template().template.encode("utf-8")).hexdigest()


def _template() -> Template:
    return Template(resources.files("herobench.prompts").joinpath(TEMPLATE).read_text(encoding="utf-8"))


def _goal(world: World, task: Task) -> str:
    if task.kind == "kill":
        return f"Win a fight against {world.monsters[task.target].name}."
    return f"Craft {world.items[task.target].name} (code `{task.target}`), at least one piece."


def _sections(world: World, task: Task) -> Iterable[str]:
    """What is told, a heading and a line a thing; what there is nothing of is left out."""
    told = task.knowledge
    sections: Mapping[str, Sequence[Mapping[str, Any]]] = {
        "Items with their recipes": [item_record(world.items[code]) for code in told.recipes],
        "Materials": [_material(world, code, told.sold) for code in told.materials],
        "Monsters": [monster_record(world, code) for code in told.monsters],
        "Stats of other items": [item_record(world.items[code]) for code in told.stats],
        "Places": [tile_record(world, place) for place in told.places],
    }
    for heading, records in sections.items():
        if records:
            yield "\n".join([f"## {heading}", "", *(_line(record) for record in records)])


def _material(world: World, code: str, sold: frozenset[str]) -> Mapping[str, Any]:
    """A material with where it comes from: a node to gather from, or the exchange."""
    record = item_record(world.items[code])
    if code in sold:
        return {**record, "for_sale_at": "grand_exchange"}
    nodes = [world.resources[node] for node in world.nodes.get(code, ())]
    gathered = [{"code": node.code, "skill": node.skill, "level": node.level} for node in nodes]
    return {**record, "gathered_from": gathered} if gathered else record


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)
