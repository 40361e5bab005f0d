"""Drafts for reach and areach: what can never be, in a world with something more than the task needs.

In half of the questions something is impossible, in the other half nothing is. In both halves things are told that the
task does not need: an item with a recipe, or a monster. So the presence of such a thing gives nothing away; whether it
can be made or beaten has to be found out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

from herobench.rpg.world import CONSUMABLE
from herobench.suites.acp.hero.action import text_of
from herobench.suites.acp.hero.closure import Closure, Fights
from herobench.suites.acp.hero.making.deeds import FEWEST
from herobench.suites.acp.hero.making.draft import Draft
from herobench.suites.acp.hero.making.extras import HARMLESS, HURDLES, Extra
from herobench.suites.acp.hero.making.source import Source
from herobench.suites.acp.hero.scene import Scene
from herobench.suites.acp.hero.universe import actions_of, facts_of

Search = Callable[[Scene], tuple[list[str], int] | None]
"""Finds what is impossible in a scene, and the number of all things in question; None if some are not proven."""
_SOME = 0.5
"""The part of the questions in which something is impossible."""
_MOST_IMPOSSIBLE = 0.3
"""The largest part that may be impossible. With more, a guess would often be right."""


def reach(source: Source, chance: Random, luck: float) -> Draft | None:
    """Draw a state. The answers are the facts that can never be."""
    return _draft(source, chance, luck, impossible_facts)


def areach(source: Source, chance: Random, luck: float) -> Draft | None:
    """Draw a state. The answers are the actions that can never be carried out."""
    return _draft(source, chance, luck, impossible_actions)


def _draft(source: Source, chance: Random, luck: float, impossible: Search) -> Draft | None:
    state, _ = source.cut(chance)
    # What a task tells as noise can never be made, so that something is impossible at any rate.
    wants_some = luck < _SOME or bool(source.task.knowledge.noise)
    extras: list[Extra] = [chance.choice(HARMLESS) for _ in range(chance.randint(0 if wants_some else 1, 2))]
    extras += [chance.choice(HURDLES)] if wants_some else []
    task = state.task
    for extra in extras:
        changed = extra(source.world, state.with_task(task), chance)
        if changed is None:
            return None
        task = changed
    scene = Scene.of(source.world, task, source.edition).frozen()
    found = None if _has_food(scene) and scene.world.monsters else impossible(scene)
    if found is None:
        return None
    never, count = found
    return Draft(scene, never) if bool(never) == wants_some and len(never) <= _MOST_IMPOSSIBLE * count else None


def _has_food(scene: Scene) -> bool:
    """Return whether food may decide a fight, which the closures do not look at."""
    return any(item.type == CONSUMABLE for item in scene.world.items.values())


def impossible_facts(scene: Scene) -> tuple[list[str], int] | None:
    """Return the facts that can never be and the number of all; None if some are not proven."""
    most, least = closures(scene)
    facts = facts_of(scene)
    return _decided(facts, {fact for fact in facts if most.holds(fact)}, {fact for fact in facts if least.holds(fact)})


def impossible_actions(scene: Scene) -> tuple[list[str], int] | None:
    """Return the actions that can never be carried out and the number of all; None if some are not proven."""
    most, least = closures(scene)
    actions = actions_of(scene)
    if len(actions) < FEWEST:
        return None
    texts = list(map(text_of, actions))
    allowed = ({text_of(action) for action in actions if closure.allows(action)} for closure in (most, least))
    return _decided(texts, *allowed)


def closures(scene: Scene) -> tuple[Closure, Closure]:
    """Return the generous and the strict closure of a scene."""
    fights = Fights(scene)
    return Closure.of(scene, fights, generous=True), Closure.of(scene, fights, generous=False)


def _decided(everything: list[str], most: Collection[str], least: Collection[str]) -> tuple[list[str], int] | None:
    return ([item for item in everything if item not in most], len(everything)) if most == least else None
