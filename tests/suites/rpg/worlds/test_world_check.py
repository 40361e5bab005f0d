"""The checks that a schema cannot make: what they find together, how far recipes may go, and what is allowed.

What they say of each mistake is held by the corpus in `worlds`.
"""

from itertools import pairwise
from typing import Any

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import check_world
from herobench.suites.rpg.worlds.world_check import MOST_STEPS
from tests.builders import TINY, Json, documents
from tests.sizes import for_each
from tests.suites.rpg.worlds.mistakes import ITEM, TILE, recipe, tiny_with


def complaints(content: dict[str, Json]) -> list[str]:
    return [str(problem) for problem in check_world(content, "tiny")]


@for_each("name", ["tiny", "classic"])
def test_the_worlds_we_have_are_sound(name: str) -> None:
    assert check_world(documents(TINY if name == "tiny" else None), name) == []


def test_all_problems_of_all_documents_are_named_at_once() -> None:
    changes = [
        ("items.items.8.recipe.ingredients.bar_sword", 1),
        ("monsters.monsters.0.gold.min", 9),
        ("world.start.y", -7),
        ("resources.resources.0.skill", "dig"),
        ("map.tiles.0.x", 1),
    ]
    files = {complaint.split(":")[0] for complaint in complaints(tiny_with(changes))}
    assert files == {f"tiny/{name}.json" for name in ("items", "monsters", "world", "resources", "map")}


# -- recipes that lead back, or far -----------------------------------------------------------------------------------


def test_each_cycle_is_named_once_however_many_recipes_need_it() -> None:
    changes = [
        ("items.items.7.recipe.ingredients.brick", 1),
        ("items.items.8.recipe.ingredients.bar_sword", 1),
        ("items.items.12.recipe.ingredients.bar_sword", 1),
    ]
    found = [complaint.rpartition("found ")[2] for complaint in complaints(tiny_with(changes))]
    assert found == [
        '"brick > brick"; remove brick from this recipe',
        '"bar > bar_sword > bar"; remove bar_sword from this recipe',
    ]


def test_a_cycle_is_named_where_it_is_not_where_it_is_needed() -> None:
    changes = [("items.items.7.recipe.ingredients.tonic", 1), ("items.items.15.recipe.ingredients.broth", 1),
               ("items.items.14.recipe.ingredients.tonic", 1)]  # fmt: skip
    (complaint,) = complaints(tiny_with(changes))
    assert complaint.startswith("tiny/items.json: $.items[15].recipe.ingredients: ")
    assert complaint.endswith('found "tonic > broth > tonic"; remove broth from this recipe')


def chain(length: int, *, backwards: bool = False) -> list[tuple[str, Any]]:
    """Items of which each is crafted from the one before it, the first from clay."""
    parts = ["clay", *(f"link_{number}" for number in range(length))]
    links = [{**ITEM, "code": code, "name": code, "recipe": recipe(part)} for part, code in pairwise(parts)]
    return [("items.items.+", link) for link in (reversed(links) if backwards else links)]


@for_each("backwards", [False, True])
def test_recipes_may_follow_on_one_another_for_so_many_steps(backwards: bool) -> None:
    longest = tiny_with(chain(MOST_STEPS, backwards=backwards))
    assert complaints(longest) == []
    world = World.from_documents(longest)
    assert len(world.recipe_tree(f"link_{MOST_STEPS - 1}")) == MOST_STEPS + 1


@for_each("backwards", [False, True])
@for_each("length", [MOST_STEPS + 1, 5 * MOST_STEPS])
def test_recipes_of_more_steps_are_refused_at_the_first_that_is_too_far(length: int, backwards: bool) -> None:
    (complaint,) = complaints(tiny_with(chain(length, backwards=backwards)))
    expected = f'expected at most {MOST_STEPS} crafts in a row, found "link_{MOST_STEPS}"'
    assert complaint.endswith(f"{expected}; leave out some of the steps")


def test_a_cycle_of_more_recipes_than_python_goes_into_calls_is_found() -> None:
    changes = [*chain(1500), ("items.items.16.recipe", recipe("link_1499"))]
    (complaint,) = complaints(tiny_with(changes))
    assert "do not need their own product" in complaint
    assert len(complaint) < 300


# -- what is allowed --------------------------------------------------------------------------------------------------

SOUND: dict[str, list[tuple[str, Any]]] = {
    "a meal that gives little": [("items.items.14.effects.restore", 1)],
    "effects that mean nothing": [("items.items.9.effects.luck", -3)],
    "a monster above all heroes that is meant for some": [("monsters.monsters.1.level", 90)],
    "an ingredient that is only sold": [("items.items.15.recipe.ingredients", {"salt": 1})],
    "an ingredient that is only owned": [("items.items.9.recipe.ingredients", {"twig": 1})],
    "a market that sells everything": [
        ("world.exchange_sells", "every item"), ("world.starter_items.+", "salt"),
    ],
    "a market without goods": [("world.exchange_sells", []), ("items.items.14.recipe", recipe("fur")),
                               ("items.items.15.recipe", recipe("fur"))],
    "a map without a market and without goods": [
        ("world.exchange_sells", []), ("items.items.14.recipe", recipe("fur")),
        ("items.items.15.recipe", recipe("fur")), ("map.tiles.8", {**TILE, "x": 0, "y": 2}),
    ],
    "a workshop that nothing is made in": [
        ("map.tiles.+", {**TILE, "x": 9, "y": 9, "content": {"type": "workshop", "code": "digging"}})
    ],
    "two tiles of one monster": [
        ("map.tiles.+", {**TILE, "x": 9, "y": 9, "content": {"type": "monster", "code": "rat"}})
    ],
    "a distractor made of another": [
        ("distractors.items.+", {**documents(TINY)["distractors"]["items"][0], "code": "sun_blade",
                                 "recipe": recipe("moon_blade")}),
    ],
}  # fmt: skip


@for_each("changes", SOUND.values())
def test_what_is_odd_but_possible_is_allowed(changes: list[tuple[str, Any]]) -> None:
    assert complaints(tiny_with(changes)) == []


def test_a_market_that_sells_everything_is_no_source_of_ingredients() -> None:
    """It is a way around work, and a world has to hold together without it."""
    found = complaints(tiny_with([("world.exchange_sells", "every item")]))
    assert [complaint.partition(": expected an ingredient")[0] for complaint in found] == [
        f"tiny/items.json: $.items[{index}].recipe.ingredients.salt" for index in (14, 15)
    ]
