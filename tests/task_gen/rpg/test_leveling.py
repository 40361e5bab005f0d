"""Which tasks need leveling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_world
from herobench.task_gen.rpg.oracle.loadouts import needs_leveling
from tests.builders import TINY, craft_task, documents, hero_row, tiny_task, write_world
from tests.sizes import for_each


def hero(**levels: int) -> dict[str, Any]:
    """Return a hero with these skill levels and no experience in the other skills."""
    return hero_row(skills={skill: {"level": level, "xp": 0, "next_level_xp": 150} for skill, level in levels.items()})


def sword(world: World, **levels: int) -> Task:
    return tiny_task(world, missing={"blade": "bar_sword"}, hero=hero(**levels))


@for_each(("digging", "smithing", "has_to"), [(5, 5, False), (9, 9, False), (4, 5, True), (5, 4, True), (1, 1, True)])
def test_a_hero_has_to_level_where_a_craft_or_a_node_asks_for_more_than_he_has(
    tiny: World, digging: int, smithing: int, has_to: bool
) -> None:
    assert needs_leveling(tiny, sword(tiny, digging=digging, smithing=smithing)) is has_to
    craft = craft_task(tiny, "bar_sword", hero=hero(digging=digging, smithing=smithing))
    assert needs_leveling(tiny, craft) is has_to


def test_a_skill_that_is_not_told_is_at_level_1(tiny: World) -> None:
    assert needs_leveling(tiny, sword(tiny, smithing=5))
    assert not needs_leveling(tiny, craft_task(tiny, "brick", hero=hero()))


def test_what_monsters_drop_is_not_gathered_and_asks_for_nothing(tiny: World) -> None:
    assert not needs_leveling(tiny, tiny_task(tiny, missing={"coat": "fur_coat"}, hero=hero(smithing=1)))
    assert not needs_leveling(tiny, tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=hero()))


def test_what_monsters_drop_need_not_be_gathered_though_it_can_be(tmp_path: Path) -> None:
    content = documents(TINY)
    content["monsters"]["monsters"][0]["drops"].append({"item": "ore", "one_in": 1, "min": 1, "max": 1})
    world = load_world(write_world(tmp_path / "world", content))
    assert not needs_leveling(world, sword(world, smithing=5, digging=1))


def test_what_is_sold_is_not_gathered(tiny: World) -> None:
    told = {"recipes": [], "materials": ["ore"], "sold": ["ore"], "monsters": [], "places": [], "stats": []}
    assert needs_leveling(tiny, craft_task(tiny, "bar", hero=hero(smithing=5)))
    assert not needs_leveling(tiny, craft_task(tiny, "bar", hero=hero(smithing=5), knowledge=told))


def test_a_fight_alone_takes_no_skill(tiny: World) -> None:
    assert not needs_leveling(tiny, tiny_task(tiny, missing={}, hero=hero()))


def test_of_several_nodes_the_easiest_is_asked(tmp_path: Path) -> None:
    content = documents(TINY)
    pit, vein = content["resources"]["resources"]
    vein["drops"].append(pit["drops"].pop())
    task = {"missing": {"charm1": "pearl_charm"}, "hero": hero(smithing=1, digging=1)}
    only_in_ore = load_world(write_world(tmp_path / "hard", content))
    assert needs_leveling(only_in_ore, tiny_task(only_in_ore, **task))
    pit["drops"].append(vein["drops"][-1])
    in_both = load_world(write_world(tmp_path / "easy", content))
    assert not needs_leveling(in_both, tiny_task(in_both, **task))
