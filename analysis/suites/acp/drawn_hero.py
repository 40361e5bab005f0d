"""Prepares a question about the hero's world for the report: the state as facts, the goal, the plan, and the answer.

The data have the form of `question_state` in `reading`, so that the page draws both alike. Actions are one name each,
`["craft(iron, 3)"]`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from herobench.suites.acp.hero.question import HeroQuestion, action_in, action_text, change
from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.rpg.game.events import Action, CraftRefused, Event

_MOST = 60
"""The most items of an answer that are drawn."""


def state_of_hero(question: HeroQuestion) -> dict[str, Any]:
    """Return the hero's place, bag, gear and levels as facts, and the goal."""
    scene = question.scene
    hero, task = scene.task.hero, scene.task
    facts = [
        ["place", _place(*hero.place)],
        *(["have", code, str(count)] for code, count in sorted(hero.inventory.items()) if count),
        *(["wear", code, slot] for slot, code in sorted(hero.worn.items())),
        *(["wear", stack.item, slot, str(stack.quantity)] for slot, stack in sorted(hero.consumables.items())),
        ["level", "hero", str(hero.combat[0])],
        *(["level", skill, str(level)] for skill, (level, _, _) in sorted(hero.skills.items())),
    ]
    return {
        "facts": facts,
        "static": [],
        "goal": [["beat" if task.kind == "kill" else "craft", task.target]],
        "objects": [[name, kind] for name, kind in sorted(_objects(scene))],
        "plan": [[action_text(action)] for action in question.actions],
    }


def answered_by_hero(question: HeroQuestion, parsed: str | None) -> list[dict[str, Any]]:
    """Return the items of an answer: actions with what they change or why they are refused, and other texts."""
    value = json.loads(parsed) if parsed else None
    if question.task == "val":
        return [_step(question, value)] if isinstance(value, int) else []
    if question.task == "just":
        return (
            [_left_out(question, place) for place in value if isinstance(place, int)] if isinstance(value, list) else []
        )
    return [_item(question.scene, text) for text in [*_texts(value)][:_MOST]] if question.task != "prog" else []


def _step(question: HeroQuestion, index: int) -> dict[str, Any]:
    """Return the action of the plan that an index names, in the state before it."""
    plan = question.actions
    if not 0 <= index < len(plan):
        return {"kind": "index", "index": index}
    return {**_deed(question.scene.after(plan[:index]), plan[index]), "index": index}


def _left_out(question: HeroQuestion, place: int) -> dict[str, Any]:
    plan = question.actions
    if not 0 <= place < len(plan):
        return {"kind": "index", "index": place}
    return {"kind": "action", "names": [action_text(plan[place])], "out": place}


def _item(scene: HeroScene, text: str) -> dict[str, Any]:
    action = action_in(text)
    return {"kind": "named", "names": [text]} if action is None else _deed(scene, action)


def _deed(scene: HeroScene, action: Action) -> dict[str, Any]:
    """Return an action with what it changes, or with the reason why it is refused."""
    event = scene.game().act(action)
    changed = change(scene, action) or {}
    return {
        "kind": "action",
        "names": [action_text(action)],
        "needs": [],
        "missing": [[reason] for reason in _reasons(event)],
        "adds": [[f"{part}: {json.dumps(what, ensure_ascii=False)}"] for part, what in changed.items()],
        "deletes": [],
    }


def _reasons(event: Event) -> Iterator[str]:
    """Yield why an action is refused; nothing if it is not. The reason of a craft is taken apart."""
    match event.detail:
        case CraftRefused() as craft:
            if not craft.at_workshop:
                yield f"a workshop for {craft.skill} at this place"
            if not craft.skilled:
                yield f"{craft.skill} at level {craft.needed_level}"
            yield from (f"{needed} {item}, and there are {owned}" for item, needed, owned in craft.lacking)
        case _ if not event.ok:
            yield str(event.reason)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value of JSON."""
    match value:
        case str():
            yield value
        case list():
            for part in value:
                yield from _texts(part)
        case dict():
            for part in value.values():
                yield from _texts(part)


def _objects(scene: HeroScene) -> Iterator[tuple[str, str]]:
    hero = scene.task.hero
    yield _place(*hero.place), "place"
    yield from ((code, "item") for code in {*hero.inventory, *hero.worn.values()})
    yield from ((stack.item, "item") for stack in hero.consumables.values())
    yield from ((slot, "slot") for slot in {*hero.worn, *hero.consumables})
    yield from ((skill, "skill") for skill in ("hero", *hero.skills))


def _place(x: int, y: int) -> str:
    return f"({x}, {y})"
