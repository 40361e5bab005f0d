"""Other ways to items never cost more than they do in the game."""

from typing import Any

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.lower_bound import Wins
from herobench.task_gen.rpg.oracle.requirements import NeededItems
from herobench.task_gen.rpg.oracle.search_bound import OtherWays
from tests.builders import Json, hero_row, tiny_task
from tests.task_gen.rpg.changed import material, monster, thing, with_more

rules = load_rules()


def ways(world: World, missing: dict[str, str], **hero: Any) -> OtherWays:
    task = tiny_task(world, missing=missing, hero=hero_row(**hero))
    work = NeededItems.of(world, task)
    return OtherWays(world, rules, task, work, Wins.of(world, rules, task, work))


def test_what_can_be_had_in_one_way_only_has_no_other(tiny: World) -> None:
    assert ways(tiny, {"blade": "bar_sword", "coat": "fur_coat"}).parts() == {}


def test_what_is_in_the_bag_is_there_for_nothing(tiny: World) -> None:
    assert ways(tiny, {"blade": "bar_sword"}, inventory={"bar": 1}).parts() == {"bar": 0}


def test_what_is_worn_is_a_part_only_where_something_is_made_of_it() -> None:
    world = with_more(items=[material("horn", brick=1), thing("helm", "coat", {"hp": 9}, rag=1, horn=1), rag()])
    assert ways(world, {"coat": "helm"}, worn={"coat": "rag"}).parts() == {"rag": 0}
    assert ways(world, {"coat": "rag"}, worn={"coat": "rag"}).parts() == {}


def rag() -> Json:
    return thing("rag", "coat", {"hp": 1}, clay=1)


def test_a_drop_of_the_target_or_of_someone_else_takes_a_stop_and_a_fight() -> None:
    scaly = monster("lizard", {"scale": 1})
    world = with_more(items=[thing("mail", "coat", {"hp": 9}, scale=1)], monsters=[scaly])
    assert ways(world, {"coat": "mail"}).parts() == {"scale": 2}


def test_what_two_monsters_drop_takes_one_more_victory_where_all_of_it_goes_into_one_thing() -> None:
    """Two hounds give two bones each for an item of four; with two items of two, one can be made after one hound."""
    hounds = [monster("hound", {"bone": 2}), monster("wolf", {"bone": 2})]
    whole = with_more(items=[material("bone"), thing("mail", "coat", {"hp": 9}, bone=4)], monsters=hounds)
    assert ways(whole, {"coat": "mail"}).parts() == {"bone": 1}
    parted = with_more(
        items=[
            material("bone"),
            thing("mail", "coat", {"hp": 9}, bone=2),
            thing("bone_blade", "blade", {"attack_heat": 9}, bone=2),
        ],
        monsters=hounds,
    )
    assert ways(parted, {"coat": "mail", "blade": "bone_blade"}).parts() == {"bone": 0}


def test_other_gear_costs_what_comes_to_the_work(tiny: World) -> None:
    """A broth needs fur, which is hunted anyway, and salt, which the task does not sell."""
    fur = {"coat": "fur_coat"}
    assert ways(tiny, {"blade": "bar_sword", **fur}).gear(1) == 4  # pearls: go, gather, craft and put on
    assert ways(tiny, fur, inventory={"pearl_charm": 1}).gear(1) == 1
    assert ways(tiny, {**fur, "charm1": "pearl_charm"}).gear(1) == 1  # the second of two charms
    assert ways(tiny, {**fur, "charm1": "pearl_charm", "charm2": "pearl_charm"}).gear(1) == 2  # and off again
