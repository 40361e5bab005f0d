"""The bound over all ways to win: no way of the game is shorter, and what it does not cover is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import pytest

from herobench.suites.discover.courses.all_ways import Unprovable, all_ways_bound
from herobench.suites.discover.courses.course import Course
from herobench.suites.discover.game.mystery import Mystery, Truth
from herobench.suites.discover.making.planner import CourseReader, plan
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.scoring import has_won
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.steps import Do, play
from tests.sizes import for_each, many
from tests.suites.discover.courses.every_way import can_be_searched, shortest_length
from tests.suites.discover.mysteries import some

MYSTERIES = some(60, 110)


def course_of(mystery: Mystery) -> Course:
    shard = CourseReader(mystery.told, mystery.task).course()
    assert shard
    return shard.course


MAKING = next(mystery for mystery in MYSTERIES if mystery.task.knowledge.recipes and course_of(mystery).needed)
"""A mystery whose told plan makes gear."""


def bound(truth: Truth, task: Task) -> int:
    return all_ways_bound(*truth, task)


@pytest.mark.slow
def test_no_way_is_shorter_among_all_sequences_of_actions() -> None:
    plain = [mystery for mystery in MYSTERIES if can_be_searched(mystery.task)]
    assert plain
    for mystery in plain[: many(12, 2)]:
        steps = plan(mystery.told, mystery.task)
        assert steps
        length = sum(step.times for step in steps)
        shortest = shortest_length(*mystery.told, mystery.task, length)
        assert shortest is not None
        assert bound(mystery.told, mystery.task) <= shortest <= length


def test_gear_in_the_bag_that_need_not_be_made_lowers_the_bound() -> None:
    world, task = MAKING.told.world, MAKING.task
    course = CourseReader(MAKING.told, task).course()
    assert course
    owned = {course.code(piece): 1 for piece in course.course.needed}
    assert owned
    hero = replace(task.hero, inventory=MappingProxyType({**task.hero.inventory, **owned}))
    assert bound(MAKING.told, replace(task, hero=hero)) < bound(MAKING.told, task)
    assert owned.keys() <= world.items.keys()


@for_each(
    ("change", "reason"),
    [
        (lambda task: replace(task, mechanics=replace(task.mechanics, ground="world")), "the hero can leave"),
        (lambda task: replace(task, mechanics=replace(task.mechanics, drop_scale=2.0)), "drops fall by chance"),
        (lambda task: replace(task, hero=replace(task.hero, combat=(39, 0, 150))), "level is not the highest"),
        (lambda task: replace(task, mechanics=replace(task.mechanics, exchange="world")), "the exchange sells"),
    ],
)
def test_a_task_that_the_proof_does_not_cover_is_refused(change: Callable[[Task], Task], reason: str) -> None:
    task = change(MAKING.task)
    with pytest.raises(Unprovable, match=reason):
        all_ways_bound(MAKING.told.world, task.rules(load_rules()), task)


def test_a_craft_that_another_craft_counts_for_is_not_covered() -> None:
    world, rules = MAKING.told
    with pytest.raises(Unprovable, match="the craft of another item"):
        all_ways_bound(world, replace(rules, craft_credit="mention"), MAKING.task)


def test_a_monster_that_hits_heal_is_not_covered() -> None:
    """To take a piece off may win then, which the table of loadouts does not have."""
    world, rules = MAKING.told
    documents = json.loads(world.source)
    foe = next(row for row in documents["monsters"]["monsters"] if row["code"] == MAKING.task.target)
    foe["resistance"] = {world.elements[0]: 101}
    with pytest.raises(Unprovable, match="some hits heal"):
        all_ways_bound(World.from_documents(documents), rules, MAKING.task)


def test_more_hunts_than_a_proof_can_follow_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    mystery = next(each for each in some(240) if any(fight.is_hunt for fight in course_of(each).fights))
    monkeypatch.setattr("herobench.suites.discover.courses.all_ways._MOST_HUNTS", 0)
    with pytest.raises(Unprovable, match="too many hunts"):
        bound(mystery.told, mystery.task)


def hearth(world: World, drops: list[str]) -> World:
    """The same world with a node at its start, where each task starts and which no task tells."""
    documents = json.loads(world.source)
    node = {"code": "hearth_node", "name": "Hearth Node", "skill": world.skills[0], "level": 1}
    fallen = [{"item": code, "one_in": 1, "min": 1, "max": 1} for code in drops]
    documents["resources"]["resources"].append({**node, "drops": fallen})
    start = next(tile for tile in documents["map"]["tiles"] if (tile["x"], tile["y"]) == world.start)
    start["content"] = {"type": "resource", "code": "hearth_node"}
    return World.from_documents(documents)


@for_each("dies", [False, True])
def test_what_stands_where_the_hero_starts_or_wakes_is_in_reach_though_it_is_not_told(dies: bool) -> None:
    """He crafts a piece of two raw materials that one untold node gives, and that two told nodes give too."""
    (world, rules), task = MAKING.told, MAKING.task
    recipes = {code: world.recipe_of(code) for code in task.knowledge.recipes}
    code, base, gem = next(
        (code, *sorted(recipe.ingredients, key=lambda part: part in world.nodes))
        for code, recipe in recipes.items()
        if recipe
        and sum(part in world.nodes for part in recipe.ingredients) == 1
        and len(recipe.ingredients) == 2
        and all(part in world.nodes or part in recipes for part in recipe.ingredients)
    )
    (raw,) = recipes[base].ingredients
    other = hearth(world, [raw, gem])
    standing = other.standing("monster")
    place = next(place for place in task.knowledge.places if place in standing) if dies else world.start
    hero = replace(task.hero, place=place, worn=MappingProxyType({}) if dies else task.hero.worn)
    craft = replace(
        task,
        world=other.digest,
        kind="craft",
        target=code,
        missing=MappingProxyType({}),
        then=(),
        is_short=True,
        hero=hero,
        mechanics=replace(task.mechanics, defeat=None),
    )
    own = craft.rules(replace(rules, defeat="free"))
    shops = [other.places_of("workshop", other.recipe_of(each).skill)[0] for each in (base, code)]
    steps = [
        *([Do("fight")] if dies else []),
        Do("gather", (1000,)),
        Do("move", shops[0]),
        Do("craft", (base, 20)),
        Do("move", shops[1]),
        Do("craft", (code, 1)),
    ]
    game = play(steps, Game(other, own, craft.hero))
    assert has_won(craft, own, game.events)
    assert all_ways_bound(other, own, craft) <= len(game.events)
