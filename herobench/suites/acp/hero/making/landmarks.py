"""Drafts for land: what has to happen on every way to the goal."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from herobench.rpg.events import Action, Fought
from herobench.suites.acp.hero.closure import Closure, Fights, Oath
from herobench.suites.acp.hero.judge import is_trivial
from herobench.suites.acp.hero.making.draft import Draft
from herobench.suites.acp.hero.making.source import Source
from herobench.suites.acp.hero.scene import Scene
from herobench.suites.acp.hero.universe import BEAT, HAVE, VISIT, WEAR, landmarks_of

_WITHOUT = 0.2
"""The part of the questions in which nothing is a landmark."""
_MOST_NEEDED = 0.3
"""The largest part of the facts that may be landmarks. With more, a guess would often be right."""


def land(source: Source, chance: Random, luck: float) -> Draft | None:
    """Draw a state. The answers are all facts without which the goal is out of reach."""
    state, rest = source.cut(chance, whole_hunts=True)
    scene = state.frozen()
    if not scene.wins(rest):
        return None  # the plan needs a level that it gains
    needed = landmarks(scene, rest)
    if needed is None or bool(needed) == (luck < _WITHOUT) or len(needed) > _MOST_NEEDED * len(landmarks_of(scene)):
        return None
    return Draft(scene, needed)


def landmarks(scene: Scene, plan: Iterable[Action]) -> list[str] | None:
    """Return the landmarks of a state that a plan leads from to the goal; None if some fact is not decided.

    A fact that the plan does without is none. Of the others, the closures without the fact decide.
    """
    fights, happens = Fights(scene), facts_on_the_way(scene, plan)
    needed = []
    for fact in landmarks_of(scene):
        if fact in happens and not is_trivial(scene, fact):
            oath = Oath(*fact.split())
            if not Closure.of(scene, fights, generous=True, oath=oath).reaches_goal:
                needed.append(fact)
            elif not Closure.of(scene, fights, generous=False, oath=oath).reaches_goal:
                return None
    return needed


def unavoidable(scene: Scene) -> list[str]:
    """Return the facts without which even the generous closure does not reach the goal: each is a landmark.

    It takes no plan. Of a state that a question is asked about, these are all landmarks.
    """
    fights = Fights(scene)
    asked = [fact for fact in landmarks_of(scene) if not is_trivial(scene, fact)]
    oaths = {fact: Oath(*fact.split()) for fact in asked}
    return [fact for fact in asked if not Closure.of(scene, fights, generous=True, oath=oaths[fact]).reaches_goal]


def facts_on_the_way(scene: Scene, plan: Iterable[Action]) -> set[str]:
    """Return the facts that come about while a plan is played."""
    game, facts = scene.game(), set[str]()
    for action in plan:
        event = game.act(action)
        hero = game.hero
        facts |= {f"{HAVE} {code}" for code in (*hero.inventory, *hero.worn.values())}
        facts |= {f"{WEAR} {code}" for code in hero.worn.values()}
        content = scene.world.tiles[hero.place].content
        facts |= {f"{VISIT} {content.code}"} if content else set()
        if isinstance(event.detail, Fought) and event.detail.won:
            facts.add(f"{BEAT} {event.detail.monster}")
    return facts
