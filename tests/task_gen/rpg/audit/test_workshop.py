from __future__ import annotations

from dataclasses import replace

import pytest

from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.journey import Journey, ToldItems
from herobench.task_gen.rpg.audit.workshop import beating, make
from tests.builders import hero_row
from tests.task_gen.rpg.audit.cases import ALL, RULES, armed, case, told
from tests.task_gen.rpg.made import tasks


def journey(world: World, hero: dict[str, object] | None = None) -> Journey:
    task = told(world, hero or hero_row(worn={"blade": "twig"}), **{**ALL, "stats": ["twig"]})
    return Journey(ToldItems(world, task), RULES)


def test_an_order_is_made_and_nothing_is_refused(tiny: World) -> None:
    found = journey(tiny)
    make(found, {"bar_sword": 1, "fur_coat": 1, "pearl_charm": 2})
    assert {code: found.hero.inventory.get(code) for code in ("bar_sword", "fur_coat", "pearl_charm")} == {
        "bar_sword": 1,
        "fur_coat": 1,
        "pearl_charm": 2,
    }
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


def test_one_piece_is_not_worn_twice(tiny: World) -> None:
    found = journey(tiny)
    make(found, {"pearl_charm": 1})
    loadout = beating(found, "rat")
    assert loadout is not None
    assert list(loadout.values()).count("pearl_charm") <= 1


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


def test_the_hero_of_a_case_stays_as_the_task_has_him(tiny: World) -> None:
    task = armed(tiny, **ALL)
    found = case(tiny, task)
    found.with_everything().do("move", 2, 0)
    assert found.journey().hero.place == task.hero.place
    assert found.with_everything().hero.place != (2, 0)
    assert replace(task) == task
