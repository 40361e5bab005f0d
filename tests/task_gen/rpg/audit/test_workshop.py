"""What a player can make in a task, by the sources that a prompt tells, and the making of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.journey import Journey, ToldItems
from herobench.task_gen.rpg.audit.workshop import beating, make, open_slots
from tests.builders import hero_row
from tests.sizes import for_each
from tests.task_gen.rpg.audit.cases import ALL, RULES, armed, case, noise, told
from tests.task_gen.rpg.made import tasks


def offered(world: World, task: Task) -> dict[str, list[str]]:
    return {choice.slot: [item.code for item in choice.told] for choice in case(world, task).slots}


def test_slots_of_a_told_type_are_filled_with_what_can_be_made_and_worn_in_the_order_of_the_prompt(tiny: World) -> None:
    task = armed(tiny, **{**ALL, "recipes": ALL["recipes"][::-1]})
    charms = {"charm1": ["pearl_charm"], "charm2": ["pearl_charm"]}
    assert offered(tiny, task) == {"blade": ["club", "bar_sword"], "coat": ["fur_coat"], **charms}
    low = told(tiny, hero_row(level=4, worn={"blade": "twig"}), **ALL, stats=["twig"])
    assert offered(tiny, low)["blade"] == ["club"], "the sword takes level 5"
    secrets = {**task.as_row(), "missing": {"blade": "club"}, "difficulty": 1}
    assert offered(tiny, Task.from_row(secrets)) == offered(tiny, task)


def test_a_budget_does_not_limit_what_is_known_to_be_craftable_but_what_is_made(tiny: World) -> None:
    task = armed(tiny, **ALL)
    short = replace(task, mechanics=replace(task.mechanics, budget=9))
    assert offered(tiny, short) == offered(tiny, task)
    assert len(case(tiny, task).with_everything().game.events) > 9
    assert len(case(tiny, short).with_everything().game.events) == 9


def test_gear_that_goes_into_told_gear_is_a_part_unless_it_is_all_there_is(tiny: World) -> None:
    materials = ["clay", "twig"]
    assert offered(tiny, told(tiny, recipes=["brick", "club"], materials=materials)) == {"blade": ["club"]}
    assert offered(tiny, told(tiny, materials=["twig"])) == {"blade": ["twig"]}
    found = case(tiny, told(tiny, recipes=["brick", "club"], materials=materials))
    (both,) = open_slots(found.told, found.craftable, 10)
    assert [item.code for item in both.told] == ["club", "twig"]


def test_what_is_worn_is_replaced_only_where_its_effects_are_told(tiny: World) -> None:
    hero = hero_row(worn={"blade": "bar_sword"})
    knowledge = {"recipes": ["brick", "club"], "materials": ["clay", "twig"]}
    assert offered(tiny, told(tiny, hero, **knowledge)) == {}
    assert offered(tiny, told(tiny, hero, **knowledge, stats=["bar_sword"])) == {"blade": ["club"]}


def test_what_takes_a_drop_of_a_monster_too_strong_is_not_craftable(tiny: World) -> None:
    craftable = case(tiny, told(tiny, hero_row(stats={"hp": 1}), **ALL)).craftable
    assert {"club", "bar_sword", "fur_coat", "pearl_charm"} & craftable == {"club", "pearl_charm"}


# -- what is told -----------------------------------------------------------------------------------------------------


def looked_at(world: World, **knowledge: Any) -> ToldItems:
    return ToldItems(world, told(world, **knowledge))


@for_each(
    ("code", "without"),
    [
        ("club", {"sold": []}),
        ("fur_coat", {"monsters": ["drake"]}),
        ("fur_coat", {"places": [[2, 1]]}),
        ("bar_sword", {"recipes": ["bar_sword"]}),
        ("bar", {"places": [[1, 1]]}),
    ],
)
def test_a_chain_with_a_gap_is_not(tiny: World, code: str, without: dict[str, Any]) -> None:
    assert looked_at(tiny, **ALL).traceable(code)
    assert not looked_at(tiny, **{**ALL, **without}).traceable(code)


def test_drops_of_the_target_and_noise_are_not_traced(tiny: World) -> None:
    axe = noise("axe", recipe={"skill": "smithing", "level": 1, "ingredients": {"clay": 1}})
    found = looked_at(tiny, materials=["drake_charm", "clay"], noise=[axe])
    assert [found.traceable(code) for code in ("clay", "drake_charm", "axe")] == [True, False, False]


def test_uses_are_those_of_the_recipes(tiny: World) -> None:
    found = looked_at(tiny, **ALL)
    assert found.uses["bar"] == 1


def test_what_stands_on_closed_places_only_is_no_source(tiny: World) -> None:
    open_map = told(tiny, **ALL)
    closed = ToldItems(tiny, replace(open_map, mechanics=replace(open_map.mechanics, closed=((1, 1), (1, 0)))))
    assert not any(closed.traceable(code) for code in ("ore", "bar", "fur", "fur_coat"))
    assert closed.traceable("club")
    assert {(1, 1), *closed.places("resource", None)} == {*ToldItems(tiny, open_map).places("resource", None)}
    assert (1, 0) not in closed.places("monster", None)


# -- making -----------------------------------------------------------------------------------------------------------


def journey(world: World, hero: dict[str, object] | None = None) -> Journey:
    task = told(world, hero or hero_row(worn={"blade": "twig"}), **{**ALL, "stats": ["twig"]})
    return Journey(ToldItems(world, task), RULES)


def test_an_order_is_made_and_nothing_is_refused(tiny: World) -> None:
    found = journey(tiny)
    make(found, {"bar_sword": 1, "fur_coat": 1, "pearl_charm": 2})
    assert [found.hero.inventory.get(code) for code in ("bar_sword", "fur_coat", "pearl_charm")] == [1, 1, 2]
    assert all(event.ok for event in found.game.events)


def test_what_cannot_be_made_does_not_keep_from_the_rest(tiny: World) -> None:
    skills = {
        name: {"level": level, "xp": 0, "next_level_xp": 150} for name, level in [("digging", 1), ("smithing", 1)]
    }
    unskilled = journey(tiny, hero_row(skills={**hero_row()["skills"], **skills}, worn={"blade": "twig"}))
    make(unskilled, {"bar_sword": 1, "fur_coat": 1, "moonstone": 1, "drake_charm": 1})
    assert unskilled.hero.inventory.get("fur_coat") == 1
    assert "bar_sword" not in unskilled.hero.inventory
    weak = journey(tiny, hero_row(stats={"hp": 1}))
    make(weak, {"fur_coat": 1, "pearl_charm": 1})
    assert weak.hero.inventory.get("pearl_charm") == 1
    assert "fur_coat" not in weak.hero.inventory


def test_a_hunt_is_fought_in_the_best_owned_gear(tiny: World) -> None:
    found = journey(tiny, hero_row(stats={"hp": 60}, worn={}))
    assert beating(found, "rat") is None
    make(found, {"club": 1, "fur_coat": 1})
    assert found.hero.inventory.get("fur_coat") == 1
    assert found.hero.worn == {"blade": "club"}


def test_what_is_worn_is_taken_off_where_only_it_can_be_the_part(tiny: World) -> None:
    task = told(tiny, hero_row(worn={"blade": "twig"}), **{**ALL, "sold": [], "stats": ["twig"]})
    found = Journey(ToldItems(tiny, task), RULES)
    make(found, {"club": 1, "fur_coat": 1})
    assert {"club", "fur_coat"} <= found.hero.inventory.keys()
    assert found.hero.worn == {}
    names = [event.action.name for event in found.game.events if event.ok]
    # The twig is the weapon of the hunt, so it comes off after that.
    assert names.index("unequip") > names.index("fight")


def test_only_told_places_are_visited(classic: World) -> None:
    for task in tasks(classic, 3, brackets=(2, 4), kind="kill"):
        journey = case(classic, task).with_everything()
        moved = {event.action.args[1:] for event in journey.game.events if event.action.name == "move"}
        assert moved <= set(task.knowledge.places)


@pytest.mark.parametrize(
    "options",
    [
        {"leveling": True, "brackets": (9,)},
        pytest.param({"stochastic": True, "brackets": (3,)}, marks=pytest.mark.slow),
    ],
)
def test_all_missing_gear_is_made_whatever_the_mechanics(classic: World, options: dict[str, object]) -> None:
    for task in tasks(classic, 2, kind="kill", **options):
        assert set(task.missing.values()) <= case(classic, task).craftable
