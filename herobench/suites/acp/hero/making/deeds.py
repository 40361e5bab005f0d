"""Drafts for app and prog: which actions can be carried out, and what one of them changes."""

from __future__ import annotations

from random import Random

from herobench.rpg.events import Action
from herobench.suites.acp.hero.action import text_of
from herobench.suites.acp.hero.change import change
from herobench.suites.acp.hero.making.draft import Draft
from herobench.suites.acp.hero.making.source import Source
from herobench.suites.acp.hero.scene import Scene
from herobench.suites.acp.hero.universe import actions_of, moves_of

FEWEST = 4
"""The fewest actions in question. With less there is nothing to ask."""


def app(source: Source, chance: Random, luck: float) -> Draft | None:
    """Draw a state. The answer is every action that the game accepts in it."""
    scene, _ = source.cut(chance)
    return Draft(scene, applicable(scene)) if len(actions_of(scene)) >= FEWEST else None


def applicable(scene: Scene) -> list[str]:
    """Return the actions in question that can be carried out, each tried on a hero of its own."""
    return [text_of(action) for action in actions_of(scene) if scene.game().act(action).ok]


def prog(source: Source, chance: Random, luck: float) -> Draft | None:
    """Draw a state and an action: one of each kind that can be carried out is as likely, whatever their numbers."""
    scene, rest = source.cut(chance)
    able = [action for action in (*actions_of(scene), *moves_of(scene), rest[0]) if scene.game().act(action).ok]
    if not able:
        return None
    kind = chance.choice(sorted({action.name for action in able}))
    action = _larger(scene, chance.choice([each for each in able if each.name == kind]), chance)
    return Draft(scene, change(scene, action), (action,), {"action": text_of(action)})


def _larger(scene: Scene, action: Action, chance: Random) -> Action:
    """Return the action in a larger quantity, if it has one and can be carried out in it."""
    if action.name not in ("gather", "craft", "buy"):
        return action
    quantity = chance.randint(1, 20 if action.name != "craft" else 5)
    more = action._replace(args=(*action.args[:-1], quantity))
    return more if scene.game().act(more).ok else action
