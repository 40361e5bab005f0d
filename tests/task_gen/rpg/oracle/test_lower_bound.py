"""What the bound counts, and that it is never above a plan. `test_search_bound` compares bounds with every plan."""

from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.planner import lower_bound
from tests.builders import hero_row, tiny_task
from tests.plays import drake_task
from tests.sizes import many
from tests.task_gen.rpg.changed import drop, material, monster, with_more
from tests.task_gen.rpg.made import proof, tasks

rules = load_rules()


def test_what_is_worn_has_to_come_off_where_no_slot_of_the_type_is_free(tiny: World) -> None:
    both = {"charm1": "pearl_charm", "charm2": "pearl_charm"}

    def bound(missing: dict[str, str], **worn: str) -> int:
        task = tiny_task(tiny, missing=missing, hero=hero_row(worn={"blade": "bar_sword", **worn}))
        return lower_bound(tiny, rules, task)

    free = bound({"charm1": "pearl_charm"})
    assert bound({"charm1": "pearl_charm"}, charm1="drake_charm") == free
    assert bound({"charm1": "pearl_charm"}, charm1="drake_charm", charm2="drake_charm") == free + 1
    assert bound(both) == free + 1
    assert bound(both, charm1="drake_charm") == free + 2
    assert bound(both, charm1="drake_charm", charm2="drake_charm") == free + 3


def test_everyone_who_drops_a_part_is_counted_and_a_drop_of_several_once() -> None:
    world = with_more(
        items=[material("bone"), material("horn"), material("flute", bone=6, horn=1)],
        monsters=[monster("hound", {"bone": 2}), monster("ram", {"horn": 1, "bone": 1})],
    )
    row: dict[str, Any] = {"missing": {"blade": "bar_sword"}, "hero": hero_row(worn={"blade": "club"})}
    with_flute = replace(drake_task(world, **row), missing={"blade": "flute"})
    bare = lower_bound(world, rules, replace(with_flute, missing={"blade": "brick"}))
    assert lower_bound(world, rules, with_flute) == bare - 2 + 2 * 2 + 2


def test_where_drops_go_by_chance_the_best_luck_is_counted_on() -> None:
    bone = material("bone")
    hound = monster("hound")
    hound["drops"] = [drop("bone", 1, one_in=3, most=5)]
    world = with_more(items=[bone, material("flute", bone=11)], monsters=[hound])
    task = replace(drake_task(world), missing={"blade": "flute"})
    sure = lower_bound(world, rules, task)
    lucky = lower_bound(world, replace(rules, drops="by_rate"), task)
    assert sure - lucky == 11 - 3


OPTIONS: list[tuple[int, dict[str, Any]]] = [
    (many(90, 18), {}),
    (many(18, 9), {"knowledge": "decoys"}),
    (many(18, 9), {"knowledge": "world"}),
    (many(36, 9), {"leveling": True}),
    (many(6, 2), {"brackets": (10,)}),
    (many(6, 3), {"stochastic": True, "brackets": (1, 2, 4)}),
    (20, {"kind": "craft", "brackets": (1,)}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("count", "options"), OPTIONS)
def test_the_bound_is_never_above_what_the_oracle_takes(classic: World, count: int, options: dict[str, Any]) -> None:
    for task in tasks(classic, count, **options):
        bound = lower_bound(classic, task.rules(rules), task)
        told = proof(task)
        assert bound <= told.lower_bound <= told.actions, task.id
        assert (told.proof == "search") == (bound < told.lower_bound), task.id
        assert bound > 2 * len(task.missing)
