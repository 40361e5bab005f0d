"""Drafts of questions about a state: possible actions and their effects, landmarks, and unreachable facts.

In most questions of reach and areach something is impossible, in the others nothing is. All of them tell things that
the task does not need, so that the told things do not give the answer away. A question that a rule of thumb answers is
asked less often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from herobench.suites.acp.hero.closure import Closure, Oath, OwnedGearFights
from herobench.suites.acp.hero.errand import Errand
from herobench.suites.acp.hero.judge import is_trivial
from herobench.suites.acp.hero.question import action_text, change
from herobench.suites.acp.hero.scene import BEAT, HAVE, VISIT, WEAR, HeroScene, act
from herobench.suites.acp.hero.shortcuts import NEVER
from herobench.suites.acp.hero.shortest import Shortest, goal_gear
from herobench.suites.rpg.game.events import Action, Fought
from herobench.suites.rpg.game.task import Knowledge
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, Monster, Recipe, World, slot_type
from herobench.task_gen.acp.hero.source import PlannedScene, QuestionDraft, gear_goal

_WITHOUT = 0.2
"""The part of the questions in which nothing is a landmark."""
_MOST_NEEDED = 0.3
"""The largest part of the facts that may be landmarks. With more, a guess would often be right."""


def land(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Draw a state. The answers are all facts without which the goal is out of reach."""
    state, rest = source.cut(chance, whole_hunts=True)
    scene = state.frozen()
    if not scene.wins(rest):
        return None  # the plan needs a level that it gains
    needed = landmarks(scene, rest)
    if needed is None or bool(needed) == (luck < _WITHOUT) or len(needed) > _MOST_NEEDED * len(scene.landmarks()):
        return None
    return QuestionDraft(scene, needed)


def landmarks(scene: HeroScene, plan: Iterable[Action]) -> list[str] | None:
    """Return the landmarks of a state that a plan leads from to the goal; None if some fact is not decided.

    A fact that the plan does without is no landmark. Of the others, the closures without the fact decide.
    """
    fights, happens = OwnedGearFights(scene), facts_on_the_way(scene, plan)
    needed = []
    for fact in scene.landmarks():
        if fact in happens and not is_trivial(scene, fact):
            oath = Oath(*fact.split())
            if not Closure.of(scene, fights, generous=True, oath=oath).reaches_goal:
                needed.append(fact)
            elif not Closure.of(scene, fights, generous=False, oath=oath).reaches_goal:
                return None
    return needed


def unavoidable(scene: HeroScene) -> list[str]:
    """Return the facts without which even the generous closure does not reach the goal: each is a landmark.

    It takes no plan. Of a state that a question is asked about, these are all landmarks.
    """
    fights = OwnedGearFights(scene)
    asked = [fact for fact in scene.landmarks() if not is_trivial(scene, fact)]
    oaths = {fact: Oath(*fact.split()) for fact in asked}
    return [fact for fact in asked if not Closure.of(scene, fights, generous=True, oath=oaths[fact]).reaches_goal]


def facts_on_the_way(scene: HeroScene, plan: Iterable[Action]) -> set[str]:
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


_FEWEST = 2
"""The fewest actions of a shortest plan that is asked about."""


def nexta(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Draw a state. The answer has every action that begins a shortest plan, each in the quantity that is needed.

    Only states are asked about in which less than half of the actions that can be carried out are right.
    """
    scene = source.cut(chance)[0].frozen()
    gear = goal_gear(scene, source.scene.task.hero.worn) if scene.task.kind == "kill" else Counter[Code]()
    found = beginning(scene, gear)
    if found is None or not 0 < 2 * len(found.first) < found.able:
        return None
    goal = {"goal": gear_goal(scene, gear)} if gear else {}
    return QuestionDraft(scene, found.answer(gear), facts=goal)


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


def beginning(scene: HeroScene, gear: Counter[Code]) -> Beginning | None:
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
        first += [action_text(action)] if begins else []
    return Beginning(first, length, len(able))


def candidates(scene: HeroScene, errand: Errand) -> Iterator[Action]:
    """Yield the actions of all kinds, each in the quantity that the work needs."""
    yield from scene.moves()
    for action in scene.actions():
        match action.name:
            case "gather":
                yield act("gather", _swings(scene, errand))
            case "craft":
                yield act("craft", action.args[1], errand.crafts.get(str(action.args[1]), 1))
            case "buy":
                yield act("buy", action.args[1], errand.raw.get(str(action.args[1]), 1))
            case _:
                yield action


def _swings(scene: HeroScene, errand: Errand) -> int:
    """Return the swings that give everything missing that the resource here has."""
    content = scene.world.tiles[scene.task.hero.place].content
    drops = scene.world.resources[content.code].drops if content and content.type == "resource" else ()
    return max([1, *(-(-errand.raw[drop.item] // drop.least) for drop in drops if drop.item in errand.raw)])


FEWEST = 4
"""The fewest actions in question. With less there is nothing to ask."""


def app(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Draw a state. The answer is every action that the game accepts in it."""
    scene, _ = source.cut(chance)
    return QuestionDraft(scene, applicable(scene)) if len(scene.actions()) >= FEWEST else None


def applicable(scene: HeroScene) -> list[str]:
    """Return the actions in question that can be carried out, each tried on a hero of its own."""
    return [action_text(action) for action in scene.actions() if scene.game().act(action).ok]


def prog(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Draw a state and an action: one of each kind that can be carried out is as likely, whatever their numbers."""
    scene, rest = source.cut(chance)
    able = [action for action in (*scene.actions(), *scene.moves(), rest[0]) if scene.game().act(action).ok]
    if not able:
        return None
    kind = chance.choice(sorted({action.name for action in able}))
    action = _larger(scene, chance.choice([each for each in able if each.name == kind]), chance)
    return QuestionDraft(scene, change(scene, action), (action,), {"action": action_text(action)})


def _larger(scene: HeroScene, action: Action, chance: Random) -> Action:
    """Return the action in a larger quantity, if it has one and can be carried out in it."""
    if action.name not in ("gather", "craft", "buy"):
        return action
    quantity = chance.randint(1, 20 if action.name != "craft" else 5)
    more = action._replace(args=(*action.args[:-1], quantity))
    return more if scene.game().act(more).ok else action


Extra = Callable[[World, HeroScene, Random], Knowledge | None]
"""Returns what a task tells with something more, or less; None if there is nothing."""
_MOST_PARTS = 3
_MOST_PIECES = 8
_MOST_ABOVE = 10
"""The most levels that something is above the hero."""


def _makeable(world: World, scene: HeroScene, chance: Random) -> Knowledge | None:
    """Tell an item that is made of told things."""
    item = _item(world, scene, chance)
    return None if item is None else _with_item(scene, item)


def _without_source(world: World, scene: HeroScene, chance: Random) -> Knowledge | None:
    """Tell an item with an ingredient that comes from nowhere."""
    item = _item(world, scene, chance)
    foreign = sorted(code for code in world.items if code not in scene.mentioned)
    if item is None or item.recipe is None or not foreign:
        return None
    parts = dict(item.recipe.ingredients)
    parts.pop(chance.choice(sorted(parts)))
    parts[chance.choice(foreign)] = chance.randint(1, _MOST_PIECES)
    return _with_item(scene, replace(item, recipe=item.recipe._replace(ingredients=parts)))


def _too_hard_to_make(world: World, scene: HeroScene, chance: Random) -> Knowledge | None:
    """Tell an item whose recipe is above the hero's skill."""
    item = _item(world, scene, chance)
    if item is None or item.recipe is None:
        return None
    level = scene.task.hero.skills[item.recipe.skill][0] + chance.randint(1, _MOST_ABOVE)
    return _with_item(scene, replace(item, recipe=item.recipe._replace(level=level)))


def _too_hard_to_wear(world: World, scene: HeroScene, chance: Random) -> Knowledge | None:
    """Tell an item that can be made but is above the hero's level."""
    item = _item(world, scene, chance)
    level = scene.task.hero.combat[0] + chance.randint(1, _MOST_ABOVE)
    return None if item is None else _with_item(scene, replace(item, level=level))


def _monster(is_above: bool) -> Extra:
    """Tell a monster above the hero's level, or one that is not."""

    def extra(world: World, scene: HeroScene, chance: Random) -> Knowledge | None:
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
        return replace(knows, monsters=(*knows.monsters, who), places=(*knows.places, place))

    return extra


def _lost_place(world: World, scene: HeroScene, chance: Random) -> Knowledge | None:
    """Tell one place less: what stood there cannot be found."""
    knows, here = scene.task.knowledge, scene.task.hero.place
    places = [place for place in knows.places if place != here and world.tiles[place].content]
    if not places:
        return None
    lost = chance.choice(places)
    return replace(knows, places=tuple(place for place in knows.places if place != lost))


HARMLESS: tuple[Extra, ...] = (_makeable, _makeable, _monster(is_above=False))
HURDLES: tuple[Extra, ...] = (
    _without_source,
    _lost_place,
    *(_too_hard_to_make, _too_hard_to_wear, _monster(is_above=True)) * 2,
)


def _item(world: World, scene: HeroScene, chance: Random) -> Item | None:
    """Draw gear of the world that is not told, and give it a recipe of told things at a told workshop."""
    told, hero = scene.world, scene.task.hero
    types = frozenset(map(slot_type, told.slots))
    mentioned = {*scene.mentioned, *scene.whole.items, *(item.code for item in scene.task.knowledge.noise)}
    untold = [item for code, item in world.items.items() if code not in mentioned and item.recipe]
    gear = [item for item in untold if item.type != CONSUMABLE and item.type in types]
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


def _with_item(scene: HeroScene, item: Item) -> Knowledge:
    knows = scene.task.knowledge
    return replace(knows, noise=(*knows.noise, item))


Search = Callable[[HeroScene], tuple[list[str], int] | None]
"""Finds what is impossible in a scene, and the number of all things in question; None if some are not proven."""
_SOME = 0.85
"""The part of the questions in which something is impossible."""
_GUESSED = 0.4
"""The part of the questions in which a rule of thumb may name something impossible."""
_MOST_IMPOSSIBLE = 0.3
"""The largest part that may be impossible. With more, a guess would often be right."""


def reach(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Draw a state. The answers are the facts that can never be."""
    return _draft(source, chance, luck, impossible_facts, "reach")


def areach(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Draw a state. The answers are the actions that can never be carried out."""
    return _draft(source, chance, luck, impossible_actions, "areach")


def _draft(source: PlannedScene, chance: Random, luck: float, impossible: Search, kind: str) -> QuestionDraft | None:
    state, _ = source.cut(chance)
    # What a task tells as noise can never be made, so that something is impossible at any rate.
    wants_some = luck < _SOME or bool(source.task.knowledge.noise)
    extras: list[Extra] = [chance.choice(HARMLESS) for _ in range(chance.randint(0 if wants_some else 1, 2))]
    extras += [chance.choice(HURDLES)] if wants_some else []
    task = state.task
    for extra in extras:
        told = extra(source.world, replace(state, task=task), chance)
        if told is None:
            return None
        task = replace(task, knowledge=told)
    scene = HeroScene.of(source.world, task, source.edition).frozen()
    found = None if _has_food(scene) and scene.world.monsters else impossible(scene)
    if found is None:
        return None
    never, count = found
    if bool(never) != wants_some or len(never) > _MOST_IMPOSSIBLE * count:
        return None
    is_guessed = any(answers[kind](scene) in never for answers in NEVER.values() if kind in answers)
    return None if is_guessed and luck * 10 % 1 > _GUESSED else QuestionDraft(scene, never)


def _has_food(scene: HeroScene) -> bool:
    """Return whether food may decide a fight, which the closures do not look at."""
    return any(item.type == CONSUMABLE for item in scene.world.items.values())


def impossible_facts(scene: HeroScene) -> tuple[list[str], int] | None:
    """Return the facts that can never be and the number of all; None if some are not proven."""
    most, least = closures(scene)
    facts = scene.facts()
    return _decided(facts, {fact for fact in facts if most.holds(fact)}, {fact for fact in facts if least.holds(fact)})


def impossible_actions(scene: HeroScene) -> tuple[list[str], int] | None:
    """Return the actions that can never be carried out and the number of all; None if some are not proven."""
    most, least = closures(scene)
    actions = scene.actions()
    if len(actions) < FEWEST:
        return None
    texts = list(map(action_text, actions))
    allowed = ({action_text(action) for action in actions if closure.allows(action)} for closure in (most, least))
    return _decided(texts, *allowed)


def closures(scene: HeroScene) -> tuple[Closure, Closure]:
    """Return the generous and the strict closure of a scene."""
    fights = OwnedGearFights(scene)
    return Closure.of(scene, fights, generous=True), Closure.of(scene, fights, generous=False)


def _decided(everything: list[str], most: Collection[str], least: Collection[str]) -> tuple[list[str], int] | None:
    return ([item for item in everything if item not in most], len(everything)) if most == least else None
