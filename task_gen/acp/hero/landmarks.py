"""Drafts for land: what has to happen on every way to the goal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from herobench.suites.acp.hero.closure import Closure, Oath, OwnedGearFights
from herobench.suites.acp.hero.errand import Errand
from herobench.suites.acp.hero.judge import is_trivial
from herobench.suites.acp.hero.question import act, text_of
from herobench.suites.acp.hero.response import change
from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.acp.hero.shortest import Shortest, goal_gear
from herobench.suites.acp.hero.universe import BEAT, HAVE, VISIT, WEAR, actions_of, landmarks_of, moves_of
from herobench.suites.rpg.game.events import Action, Fought
from herobench.suites.rpg.game.world import Code
from herobench.task_gen.acp.hero.source import PlannedScene, QuestionDraft
from herobench.task_gen.acp.hero.text import gear_goal

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
    if needed is None or bool(needed) == (luck < _WITHOUT) or len(needed) > _MOST_NEEDED * len(landmarks_of(scene)):
        return None
    return QuestionDraft(scene, needed)


def landmarks(scene: HeroScene, plan: Iterable[Action]) -> list[str] | None:
    """Return the landmarks of a state that a plan leads from to the goal; None if some fact is not decided.

    A fact that the plan does without is no landmark. Of the others, the closures without the fact decide.
    """
    fights, happens = OwnedGearFights(scene), facts_on_the_way(scene, plan)
    needed = []
    for fact in landmarks_of(scene):
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
    asked = [fact for fact in landmarks_of(scene) if not is_trivial(scene, fact)]
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
        first += [text_of(action)] if begins else []
    return Beginning(first, length, len(able))


def candidates(scene: HeroScene, errand: Errand) -> Iterator[Action]:
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
    return QuestionDraft(scene, applicable(scene)) if len(actions_of(scene)) >= FEWEST else None


def applicable(scene: HeroScene) -> list[str]:
    """Return the actions in question that can be carried out, each tried on a hero of its own."""
    return [text_of(action) for action in actions_of(scene) if scene.game().act(action).ok]


def prog(source: PlannedScene, chance: Random, luck: float) -> QuestionDraft | None:
    """Draw a state and an action: one of each kind that can be carried out is as likely, whatever their numbers."""
    scene, rest = source.cut(chance)
    able = [action for action in (*actions_of(scene), *moves_of(scene), rest[0]) if scene.game().act(action).ok]
    if not able:
        return None
    kind = chance.choice(sorted({action.name for action in able}))
    action = _larger(scene, chance.choice([each for each in able if each.name == kind]), chance)
    return QuestionDraft(scene, change(scene, action), (action,), {"action": text_of(action)})


def _larger(scene: HeroScene, action: Action, chance: Random) -> Action:
    """Return the action in a larger quantity, if it has one and can be carried out in it."""
    if action.name not in ("gather", "craft", "buy"):
        return action
    quantity = chance.randint(1, 20 if action.name != "craft" else 5)
    more = action._replace(args=(*action.args[:-1], quantity))
    return more if scene.game().act(more).ok else action
