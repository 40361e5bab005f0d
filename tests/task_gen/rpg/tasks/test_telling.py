"""Tasks tell exactly what the proven plan needs, more at higher knowledge levels, and nothing twice."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from herobench.suites.rpg.game.events import Bought, Crafted, Equipped, Fought, Gathered, Moved
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Knowledge, KnowledgeLevel, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Unplannable, play
from herobench.task_gen.rpg.tasks.proven_tasks import rehearse
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.tasks.telling import KnowledgeTelling, knowledge_for
from tests.sizes import many
from tests.task_gen.rpg.made import tasks

rules = load_rules()
KINDS: list[tuple[str, int, dict[str, Any]]] = [
    ("classic", many(36, 6), {}),
    ("classic", many(18, 6), {"knowledge": "decoys"}),
    ("classic", many(18, 6), {"knowledge": "world"}),
    ("classic", many(18, 6), {"leveling": True}),
    ("classic", many(18, 6), {"noise": 6}),
    ("classic", many(20, 5), {"kind": "craft", "brackets": (1,)}),
    ("tiny", 8, {"brackets": (1,)}),
]
kinds = pytest.mark.parametrize(("name", "count", "options"), KINDS)


@pytest.fixture
def made(request: pytest.FixtureRequest, name: str, count: int, options: dict[str, Any]) -> tuple[World, list[Task]]:
    world: World = request.getfixturevalue(name)
    return world, list(tasks(world, count, **options))


def used(world: World, task: Task) -> tuple[set[str], set[str], set[str], set[tuple[int, int]]]:
    """Return what the oracle's plan crafts, buys and fights, and the places it visits."""
    own = task.rules(rules)
    crafted, bought, fought, places = set(), set(), set(), set()
    for event in play(oracle_plan(world, own, task), Game(world, own, task.hero, task.seed)).events:
        match event.detail:
            case Crafted(item=item):
                crafted.add(item)
            case Bought(item=item):
                bought.add(item)
            case Fought(monster=monster):
                fought.add(monster)
            case Moved(place=place):
                places.add(place)
            case Equipped() | Gathered():
                pass
    return crafted, bought, fought, places


@pytest.mark.slow
@kinds
def test_the_plan_uses_nothing_that_is_not_told(made: tuple[World, list[Task]]) -> None:
    world, found = made
    for task in found:
        crafted, bought, fought, places = used(world, task)
        told = task.knowledge
        assert crafted <= set(told.recipes), task.id
        assert bought <= told.sold <= set(told.materials) | set(told.recipes), task.id
        assert fought <= set(told.monsters), task.id
        assert places <= set(told.places), task.id
        for code in crafted:
            recipe = world.recipe_of(code)
            assert recipe is not None
            assert recipe.ingredients.keys() <= {*told.recipes, *told.materials}, task.id


@kinds
def test_nothing_is_said_twice_and_all_in_the_worlds_order(made: tuple[World, list[Task]]) -> None:
    world, found = made
    for task in found:
        told = task.knowledge
        items = [*told.recipes, *told.materials, *told.stats, *(item.code for item in told.noise)]
        for codes in (items, told.monsters, told.places):
            assert [code for code, times in Counter(codes).items() if times > 1] == [], task.id
        for codes in (told.recipes, told.materials, told.stats):
            assert list(codes) == [code for code in world.items if code in codes]
        assert list(told.monsters) == [code for code in world.monsters if code in told.monsters]
        assert list(told.places) == [place for place in world.tiles if place in told.places]


@pytest.mark.parametrize(("name", "count", "options"), [KINDS[0], KINDS[3], KINDS[5], KINDS[6]])
def test_exact_tells_just_what_is_needed(made: tuple[World, list[Task]]) -> None:
    world, found = made
    for task in found:
        crafted, bought, fought, places = used(world, task)
        told = task.knowledge
        assert set(told.recipes) == crafted, task.id
        assert set(told.monsters) == fought, task.id
        assert told.sold == bought, task.id
        assert set(told.stats) <= {task.hero.worn[slot] for slot in task.missing if slot in task.hero.worn}
        contents = [world.tiles[place].content for place in told.places]
        kinds = Counter(content.type for content in contents if content)
        assert bool(kinds["grand_exchange"]) == bool(bought), task.id
        assert sum(kinds.values()) == len(told.places)
        assert {world.standing("resource")[place] for place in told.places if place in world.standing("resource")} == {
            world.standing("resource")[place] for place in places if place in world.standing("resource")
        }, task.id


@pytest.mark.parametrize(("name", "count", "options"), [KINDS[0]])
def test_decoys_tell_all_that_exact_does_and_more_and_the_world_everything(made: tuple[World, list[Task]]) -> None:
    """The same tasks are told at each knowledge level."""
    world, found = made
    more = 0
    for task in found:
        exact = told(world, task, "exact")
        everything = told(world, task, "world")
        assert exact is not None
        assert everything is not None
        assert exact == task.knowledge
        assert includes(everything, exact)
        assert {*everything.recipes, *everything.materials} == world.items.keys()
        assert set(everything.monsters) == world.monsters.keys()
        standing = {place for kind in ("monster", "resource") for place in world.standing(kind)}
        assert standing <= set(everything.places)
        assert bool(set(world.standing("grand_exchange")) & set(everything.places)) == bool(task.knowledge.sold)
        decoys = told(world, task, "decoys")
        if decoys is not None:
            assert includes(decoys, exact)
            assert includes(everything, decoys)
            assert set(task.hero.worn.values()) <= {*decoys.stats, *decoys.recipes, *decoys.materials}
            more += len(decoys.recipes) > len(exact.recipes)
    assert more


def told(world: World, task: Task, level: KnowledgeLevel) -> Knowledge | None:
    bare = replace(task, knowledge=replace(task.knowledge, places=tuple(world.tiles)))
    spec, own = Spec(knowledge=level), task.rules(rules)
    try:
        return knowledge_for(world, own, spec, bare, rehearse(world, rules, bare), Random(3))
    except Unplannable:
        assert level == "decoys"
        return None


def includes(more: Knowledge, less: Knowledge) -> bool:
    return (
        set(less.recipes) <= set(more.recipes)
        and set(less.materials) <= set(more.materials)
        and set(less.monsters) <= set(more.monsters)
        and set(less.places) <= set(more.places)
        and less.sold <= more.sold
        and set(less.stats) <= {*more.stats, *more.recipes, *more.materials}
    )


def test_who_drops_a_part_is_told_though_it_may_be_the_target(tiny: World) -> None:
    telling = KnowledgeTelling(tiny, "exact")
    telling.add_item("bar_sword")
    telling.add_item("drake_charm")
    told = telling.knowledge()
    assert told.recipes == ("bar", "bar_sword")
    assert told.materials == ("ore", "fur", "drake_charm")
    assert told.monsters == ("rat", "drake")
    assert told.places == ((1, 0), (2, 0), (2, 1))


def test_what_is_sold_is_told_with_the_market_and_its_droppers_are_not(tiny: World) -> None:
    telling = KnowledgeTelling(tiny, "exact", sold={"fur"})
    telling.add_item("fur_coat")
    told = telling.knowledge()
    assert (told.monsters, told.sold, told.places) == ((), {"fur"}, ((2, 1), (0, 2)))
