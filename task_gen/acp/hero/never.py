"""Drafts for reach and areach: what can never be, in a world with something more than the task needs.

In half of the questions something is impossible, in the other half nothing is. In both halves things are told that the
task does not need: an item with a recipe, or a monster. So the presence of such a thing gives nothing away; whether it
can be made or beaten has to be found out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from herobench.suites.acp.hero.closure import Closure, OwnedGearFights
from herobench.suites.acp.hero.question import text_of
from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.acp.hero.universe import actions_of, facts_of
from herobench.suites.rpg.game.task import Knowledge, Task
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, Monster, Recipe, World
from herobench.task_gen.acp.hero.landmarks import FEWEST
from herobench.task_gen.acp.hero.source import PlannedScene, QuestionDraft

Extra = Callable[[World, HeroScene, Random], Task | None]
_MOST_PARTS = 3
_MOST_PIECES = 8
_MOST_ABOVE = 10
"""The most levels that something is above the hero."""


def _makeable(world: World, scene: HeroScene, chance: Random) -> Task | None:
    """Tell an item that is made of told things."""
    item = _item(world, scene, chance)
    return None if item is None else _with_item(scene, item)


def _without_source(world: World, scene: HeroScene, chance: Random) -> Task | None:
    """Tell an item with an ingredient that comes from nowhere."""
    item = _item(world, scene, chance)
    foreign = sorted(code for code in world.items if code not in scene.mentioned)
    if item is None or item.recipe is None or not foreign:
        return None
    parts = dict(item.recipe.ingredients)
    parts.pop(chance.choice(sorted(parts)))
    parts[chance.choice(foreign)] = chance.randint(1, _MOST_PIECES)
    return _with_item(scene, replace(item, recipe=item.recipe._replace(ingredients=parts)))


def _too_hard_to_make(world: World, scene: HeroScene, chance: Random) -> Task | None:
    """Tell an item whose recipe is above the hero's skill."""
    item = _item(world, scene, chance)
    if item is None or item.recipe is None:
        return None
    level = scene.task.hero.skills[item.recipe.skill][0] + chance.randint(1, _MOST_ABOVE)
    return _with_item(scene, replace(item, recipe=item.recipe._replace(level=level)))


def _too_hard_to_wear(world: World, scene: HeroScene, chance: Random) -> Task | None:
    """Tell an item that can be made but is above the hero's level."""
    item = _item(world, scene, chance)
    level = scene.task.hero.combat[0] + chance.randint(1, _MOST_ABOVE)
    return None if item is None else _with_item(scene, replace(item, level=level))


def _monster(is_above: bool) -> Extra:
    """Tell a monster above the hero's level, or one that is not."""

    def extra(world: World, scene: HeroScene, chance: Random) -> Task | None:
        level = scene.task.hero.combat[0]

        def fits(who: Monster) -> bool:
            known = who.code in scene.whole.monsters or who.code in scene.task.knowledge.monsters
            untold = not known and world.places_of("monster", who.code)
            return bool(untold) and (who.level > level) == is_above

        fitting = sorted(code for code, who in world.monsters.items() if fits(who))
        if not fitting:
            return None
        who = chance.choice(fitting)
        knows = scene.task.knowledge
        place = world.places_of("monster", who)[0]
        return _telling(scene, replace(knows, monsters=(*knows.monsters, who), places=(*knows.places, place)))

    return extra


def _lost_place(world: World, scene: HeroScene, chance: Random) -> Task | None:
    """Tell one place less: what stood there cannot be found."""
    knows, here = scene.task.knowledge, scene.task.hero.place
    places = [place for place in knows.places if place != here and world.tiles[place].content]
    if not places:
        return None
    lost = chance.choice(places)
    return _telling(scene, replace(knows, places=tuple(place for place in knows.places if place != lost)))


HARMLESS: tuple[Extra, ...] = (_makeable, _makeable, _monster(is_above=False))
HURDLES: tuple[Extra, ...] = (
    _without_source, _too_hard_to_make, _too_hard_to_wear, _monster(is_above=True), _lost_place,
)  # fmt: skip


def _item(world: World, scene: HeroScene, chance: Random) -> Item | None:
    """Draw gear of the world that is not told, and give it a recipe of told things at a told workshop."""
    told, hero = scene.world, scene.task.hero
    mentioned = {*scene.mentioned, *scene.whole.items, *(item.code for item in scene.task.knowledge.noise)}
    untold = [item for code, item in world.items.items() if code not in mentioned and item.recipe]
    gear = [item for item in untold if item.type != CONSUMABLE and item.type in _types(told)]
    shops = sorted(frozenset(told.standing("workshop").values()))
    parts = sorted(
        code for code in scene.mentioned if code in told.items or code in told.droppers or code in told.nodes
    )
    if not gear or not shops or not parts:
        return None
    item, shop = chance.choice(gear), chance.choice(shops)
    ingredients: Mapping[Code, int] = {
        part: chance.randint(1, _MOST_PIECES)
        for part in chance.sample(parts, min(len(parts), chance.randint(1, _MOST_PARTS)))
    }
    level = min(item.level, hero.combat[0])
    recipe = Recipe(shop, min(level, hero.skills[shop][0]), MappingProxyType(dict(ingredients)))
    return replace(item, level=level, recipe=recipe)


def _types(world: World) -> frozenset[str]:
    return frozenset(slot.rstrip("0123456789") for slot in world.slots)


def _with_item(scene: HeroScene, item: Item) -> Task:
    knows = scene.task.knowledge
    return _telling(scene, replace(knows, noise=(*knows.noise, item)))


def _telling(scene: HeroScene, knows: Knowledge) -> Task:
    return replace(scene.task, knowledge=knows)


Search = Callable[[HeroScene], tuple[list[str], int] | None]
"""Finds what is impossible in a scene, and the number of all things in question; None if some are not proven."""
_SOME = 0.5
"""The part of the questions in which something is impossible."""
_MOST_IMPOSSIBLE = 0.3
"""The largest part that may be impossible. With more, a guess would often be right."""


def reach(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Draw a state. The answers are the facts that can never be."""
    return _draft(source, chance, luck, impossible_facts)


def areach(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Draw a state. The answers are the actions that can never be carried out."""
    return _draft(source, chance, luck, impossible_actions)


def _draft(source: PlannedScene, chance: Random, luck: float, impossible: Search) -> QuestionDraft | None:
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
    scene = HeroScene.of(source.world, task, source.edition).frozen()
    found = None if _has_food(scene) and scene.world.monsters else impossible(scene)
    if found is None:
        return None
    never, count = found
    return QuestionDraft(scene, never) if bool(never) == wants_some and len(never) <= _MOST_IMPOSSIBLE * count else None


def _has_food(scene: HeroScene) -> bool:
    """Return whether food may decide a fight, which the closures do not look at."""
    return any(item.type == CONSUMABLE for item in scene.world.items.values())


def impossible_facts(scene: HeroScene) -> tuple[list[str], int] | None:
    """Return the facts that can never be and the number of all; None if some are not proven."""
    most, least = closures(scene)
    facts = facts_of(scene)
    return _decided(facts, {fact for fact in facts if most.holds(fact)}, {fact for fact in facts if least.holds(fact)})


def impossible_actions(scene: HeroScene) -> tuple[list[str], int] | None:
    """Return the actions that can never be carried out and the number of all; None if some are not proven."""
    most, least = closures(scene)
    actions = actions_of(scene)
    if len(actions) < FEWEST:
        return None
    texts = list(map(text_of, actions))
    allowed = ({text_of(action) for action in actions if closure.allows(action)} for closure in (most, least))
    return _decided(texts, *allowed)


def closures(scene: HeroScene) -> tuple[Closure, Closure]:
    """Return the generous and the strict closure of a scene."""
    fights = OwnedGearFights(scene)
    return Closure.of(scene, fights, generous=True), Closure.of(scene, fights, generous=False)


def _decided(everything: list[str], most: Collection[str], least: Collection[str]) -> tuple[list[str], int] | None:
    return ([item for item in everything if item not in most], len(everything)) if most == least else None
