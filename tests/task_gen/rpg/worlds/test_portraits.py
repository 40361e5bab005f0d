"""Portraits, compared with the documents of their world."""

from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.worlds.portraits import portraits, recipe_lines, world_portrait
from tests.sizes import for_each
from tests.task_gen.rpg.changed import material, with_more


def test_a_monster_is_told_with_its_drops_and_where_it_stands(tiny: World) -> None:
    (rat,) = portraits(tiny, "rat")
    assert (rat["kind"], rat["hp"], rat["attack"], rat["places"]) == ("monster", 30, {"frost": 5}, [[1, 0]])
    assert rat["drops"] == [{"item": "fur", "one_in": 4, "min": 1, "max": 2}]


def test_an_item_is_told_with_where_it_comes_from_and_what_it_goes_into(tiny: World) -> None:
    (fur,) = portraits(tiny, "FUR")
    assert fur["dropped_by"] == [{"code": "rat", "one_in": 4, "min": 1, "max": 2}]
    assert fur["goes_into"] == ["bar_sword", "fur_coat", "broth"]
    (salt,) = portraits(tiny, "salt")
    assert (salt["sold"], salt["owned"], salt["gathered_at"]) == (True, False, [])
    (sword,) = portraits(tiny, "Sword")
    assert (sword["code"], sword["workshops"], sword["difficulty"]) == ("bar_sword", [[2, 1]], 6)
    assert sword["tree"] == ["1 bar_sword (smithing 5)", "  2 bar (smithing 5)", "    8 ore", "  1 fur"]


def test_resources_distractors_and_places_are_told_too(tiny: World) -> None:
    (vein,) = portraits(tiny, "Ore Vein")
    assert (vein["kind"], vein["skill"], vein["level"]) == ("resource", "digging", 5)
    (moon,) = portraits(tiny, "moon_blade")
    assert (moon["kind"], moon["lacking"]) == ("distractor", ["moon_dust"])
    (forge,) = portraits(tiny, " 2, 1")
    assert forge["content"] == {"type": "workshop", "code": "smithing"}
    assert portraits(tiny, "-1,-1")[0]["name"] == "Bank"


@for_each("text", ["", "rats", "9,9", "1", "1,2,3", "--1,0", "1,²", "9" * 5000 + ",1"])
def test_nothing_is_told_of_what_there_is_not(tiny: World, text: str) -> None:
    assert portraits(tiny, text) == []


def test_things_of_two_kinds_with_one_name_are_both_told() -> None:
    world = with_more(items=[material("rat")])
    assert [row["kind"] for row in portraits(world, "rat")] == ["monster", "item"]


def test_what_is_crafted_twice_is_taken_apart_once() -> None:
    parts = ["clay", *(f"part_{number}" for number in range(40))]
    items = [
        material(code, **{before: 1, other: 1})
        for before, other, code in zip(["clay", *parts], ["ore", *parts[:-1]], parts[1:], strict=False)
        if before != other
    ]
    world = with_more(items=items)
    assert len(recipe_lines(world, items[-1]["code"])) < 200


def test_a_world_is_told_as_it_is_written_with_its_digest(tiny: World) -> None:
    told = world_portrait(tiny)
    assert (told["code"], told["exchange_sells"], told["digest"]) == ("tiny", ["salt", "twig"], tiny.digest)
    assert told["counts"]["items"] == 16
