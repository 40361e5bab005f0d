from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.told import ToldItems
from tests.task_gen.rpg.audit.cases import ALL, noise, told


def looked_at(world: World, **knowledge: Any) -> ToldItems:
    return ToldItems(world, told(world, **knowledge))


def test_a_chain_that_ends_at_told_sources_is_traced(tiny: World) -> None:
    found = looked_at(tiny, **ALL)
    assert all(found.traceable(code) for code in ("bar_sword", "fur_coat", "pearl_charm", "club", "fur", "twig"))


@pytest.mark.parametrize(
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
    assert not found.traceable("drake_charm")
    assert not found.traceable("axe")


def test_depth_work_and_raw_materials_are_those_of_the_recipe(tiny: World) -> None:
    found = looked_at(tiny, **ALL)
    assert [found.depth(code) for code in ("ore", "bar", "bar_sword")] == [0, 1, 2]
    assert found.raw("bar_sword") == Counter({"ore": 8, "fur": 1})
    # 8 ore, 2 bars, 1 fur and the sword.
    assert found.work("bar_sword") == 12
    assert found.uses["bar"] == 1


def test_items_stand_in_the_order_of_the_prompt(tiny: World) -> None:
    found = looked_at(tiny, recipes=["bar_sword", "club"], noise=[noise("axe", level=4)])
    assert list(found.items) == ["club", "axe", "bar_sword"]


def test_what_stands_on_closed_places_only_is_no_source(tiny: World) -> None:
    open_map = told(tiny, **ALL)
    closed = ToldItems(tiny, replace(open_map, mechanics=replace(open_map.mechanics, closed=((1, 1), (1, 0)))))
    assert not any(closed.traceable(code) for code in ("ore", "bar", "fur", "fur_coat"))
    assert closed.traceable("club")
    assert closed.places("resource", None) == [place for place in ToldItems(tiny, open_map).places("resource", None)
                                               if place != (1, 1)]  # fmt: skip
    assert (1, 0) not in closed.places("monster", None)
