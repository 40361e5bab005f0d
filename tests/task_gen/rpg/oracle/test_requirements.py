from collections import Counter
from random import Random

from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.oracle.gathering import Requirements
from tests.sizes import for_each
from tests.task_gen.rpg.changed import material, with_more


def brute_force(world: World, code: str, pieces: int) -> Counter[str]:
    """Return all that goes into an item, and the item itself, by walking down its recipe once per piece."""
    total = Counter({code: pieces})
    recipe = world.recipe_of(code)
    for part, quantity in recipe.ingredients.items() if recipe else ():
        total += brute_force(world, part, pieces * quantity)
    return total


def test_a_diamond_of_recipes_is_counted_along_both_its_sides() -> None:
    """The top needs left and right, which need different amounts of the base, and the top needs the base too."""
    world = with_more(
        items=[
            material("base", clay=2),
            material("left", base=3),
            material("right", base=1, left=1),
            material("top", left=1, right=2, base=5),
        ]
    )
    requirements = Requirements.of(world, {"top": 2})
    assert requirements.crafts == {"base": 2 * 5 + 4 * 1 + 6 * 3, "left": 2 + 4, "right": 4, "top": 2}
    assert requirements.raw == {"clay": 2 * 32}
    assert list(requirements.crafts) == ["base", "left", "right", "top"]


def test_what_is_not_crafted_may_be_ordered_too(tiny: World) -> None:
    requirements = Requirements.of(tiny, {"drake_charm": 1, "fur": 2})
    assert requirements.crafts == {}
    assert requirements.raw == {"drake_charm": 1, "fur": 2}
    assert requirements.skills == {}


def test_each_skill_has_to_reach_the_highest_of_its_recipes() -> None:
    world = with_more(items=[material("stew", skill="brewing", at=7, broth=1, brick=1)])
    assert Requirements.of(world, {"stew": 1, "bar": 1}).skills == {"smithing": 5, "brewing": 7}


def test_who_drops_and_where_it_is_gathered_is_told_in_the_worlds_order(tiny: World) -> None:
    requirements = Requirements.of(tiny, {"drake_charm": 1, "bar_sword": 1, "pearl_charm": 1})
    assert requirements.monsters(tiny) == ("rat", "drake")
    assert Requirements.of(tiny, {"tonic": 1}).monsters(tiny) == ()


def test_everything_in_the_classic_world_is_counted_as_by_walking_down_each_recipe(classic: World) -> None:
    for code in classic.items:
        requirements = Requirements.of(classic, {code: 3})
        assert {**requirements.crafts, **requirements.raw} == brute_force(classic, code, 3), code


@for_each("seed", range(20))
def test_an_order_of_many_items_is_their_sum_with_ingredients_first(classic: World, seed: int) -> None:
    chance = Random(seed)
    order = {code: chance.randint(1, 3) for code in chance.sample(list(classic.items), 8)}
    requirements = Requirements.of(classic, order)
    total: Counter[str] = Counter()
    for code, pieces in order.items():
        total += brute_force(classic, code, pieces)
    assert {**requirements.crafts, **requirements.raw} == total
    done: set[str] = set(requirements.raw)
    for code in requirements.crafts:
        recipe = classic.recipe_of(code)
        assert recipe is not None
        assert recipe.ingredients.keys() <= done
        assert requirements.skills[recipe.skill] >= recipe.level
        done.add(code)
    assert list(Requirements.of(classic, order).crafts) == list(requirements.crafts)
