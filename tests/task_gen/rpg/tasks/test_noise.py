from random import Random

import pytest

from herobench.suites.rpg.game.world import Item, World, item_from_row, item_row, slot_type
from herobench.task_gen.rpg.oracle.steps import Unplannable
from herobench.task_gen.rpg.tasks.telling import most_noise, noise_for
from tests.sizes import for_each, some_slow
from tests.task_gen.rpg.made import tasks

SEEDS = range(15)


def makeable_gear(world: World) -> list[Item]:
    types = {slot_type(slot) for slot in world.slots}
    return [item for item in world.items.values() if item.type in types]


def some_gear(world: World, seed: int) -> list[Item]:
    return Random(seed).sample(makeable_gear(world), 4)


def noise(world: World, seed: int, number: int = 8) -> tuple[Item, ...]:
    return noise_for(world, some_gear(world, seed), number, Random(seed))


@pytest.fixture(params=["classic", "tiny"])
def world(request: pytest.FixtureRequest) -> World:
    found: World = request.getfixturevalue(request.param)
    return found


@for_each("seed", SEEDS)
def test_noise_is_new_or_a_distractor_and_each_told_apart(world: World, seed: int) -> None:
    found = noise(world, seed)
    assert len({item.code for item in found}) == len({item.name for item in found}) == 8
    for item in found:
        assert item.code not in world.items
        assert item.name not in {other.name for other in world.items.values()}
        if item.code in world.distractors:
            assert item_row(item) == item_row(world.distractors[item.code])
    assert list(found) == sorted(found, key=lambda item: item.code)


@for_each("seed", SEEDS)
def test_noise_looks_like_what_is_needed_and_no_weaker(world: World, seed: int) -> None:
    """Each noise item has the type and level of a needed item, and each needed item is hidden equally well."""
    like = some_gear(world, seed)
    for item in noise(world, seed):
        assert any(
            (item.type, item.level) == (other.type, other.level) and item.power >= other.power for other in like
        ), item.code
    for other in like:
        twins = [item for item in noise(world, seed) if (item.type, item.level) == (other.type, other.level)]
        assert len(twins) >= 8 // len(like)


@for_each("seed", SEEDS)
def test_noise_cannot_be_made_for_something_in_it_has_no_source(world: World, seed: int) -> None:
    found = noise(world, seed)
    for item in found:
        assert item.recipe is not None
        assert item.recipe.skill in world.skills
        strange = [part for part in item.recipe.ingredients if part not in world.items]
        assert strange
        assert not set(strange) & (world.nodes.keys() | world.droppers.keys() | world.exchange_sells)


@for_each("seed", SEEDS)
def test_noise_is_as_it_is_read_from_a_task(world: World, seed: int) -> None:
    for item in noise(world, seed):
        assert item_from_row(item_row(item), ()) == item


def test_both_the_catalogue_and_invention_have_a_part_in_it(classic: World) -> None:
    codes = {item.code for seed in SEEDS for item in noise(classic, seed)}
    assert codes & classic.distractors.keys()
    assert len(codes - classic.distractors.keys()) > 50


def test_the_same_chance_gives_the_same_noise_and_another_gives_other(classic: World) -> None:
    like = some_gear(classic, 0)
    first = noise_for(classic, like, 10, Random(1))
    assert noise_for(classic, like, 10, Random(1)) == first
    assert noise_for(classic, like, 10, Random(2)) != first


@pytest.mark.parametrize("world", some_slow(["classic", "tiny"], {"classic"}), indirect=True)
def test_all_names_can_be_used_up_and_not_one_more(world: World) -> None:
    like = some_gear(world, 3)
    most = most_noise(world, {item.type for item in like})
    assert len(noise_for(world, like, most, Random(5))) == most
    with pytest.raises(Unplannable, match=f"no more than {most} noise items can be invented"):
        noise_for(world, like, most + 1, Random(5))


def test_gear_that_only_monsters_have_is_hidden_too(tiny: World, classic: World) -> None:
    for world, code in ((tiny, "drake_charm"), (classic, "life_crystal")):
        for item in noise_for(world, [world.items[code]], 3, Random(0)):
            assert item.type == world.items[code].type
            assert item.recipe is not None


def test_a_task_whose_missing_gear_only_falls_from_monsters_has_noise(classic: World) -> None:
    """No told item has a recipe that noise could imitate."""
    made = tasks(classic, 30, steps=(5,), noise=2, kind="kill")
    dropped = [task for task in made if not any(map(classic.recipe_of, task.missing.values()))]
    assert dropped
    for task in dropped:
        assert len(task.knowledge.noise) == 2
        assert {item.type for item in task.knowledge.noise} <= {slot_type(slot) for slot in task.missing}


@pytest.mark.slow
def test_the_noise_of_a_task_is_like_its_missing_gear(classic: World) -> None:
    for task in tasks(classic, 18, noise=6):
        wanted = [task.target] if task.kind == "craft" else list(task.missing.values())
        types = {classic.items[code].type for code in wanted}
        assert len(task.knowledge.noise) == 6
        assert {item.type for item in task.knowledge.noise} <= types


@for_each("seed", SEEDS)
def test_no_noise_item_is_an_ingredient_of_another_one(classic: World, seed: int) -> None:
    parts = [item for item in classic.items.values() if item.recipe and item.type == "resource"]
    found = noise_for(classic, parts, 30, Random(seed))
    codes = {item.code for item in found}
    assert len(codes) == 30
    for item in found:
        assert item.recipe
        assert codes.isdisjoint(item.recipe.ingredients)
