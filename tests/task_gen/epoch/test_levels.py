"""Levels: the shipped ones are proven, and rows with faults are refused with the place of each."""

from typing import Any

import pytest

from herobench.data.errors import InputError, UsageError
from herobench.suites.epoch import Level, load_level
from herobench.suites.epoch.game.level import SHIPPED
from herobench.task_gen.epoch.prover import landmarks, played, shortest_plan
from tests.sizes import for_each, some_slow

OPTIMAL = dict(zip(SHIPPED, [4, 3, 8, 10, 18, 25], strict=True))


@pytest.mark.proves("world_data/epoch", "herobench/suites/epoch", "herobench/pddl", "task_gen/epoch")
@pytest.mark.parametrize("id", some_slow(OPTIMAL, ["L05", "L06"]))
def test_the_optimal_lengths_and_milestones_are_proven(id: str) -> None:
    level, length = load_level(id), OPTIMAL[id]
    plan = shortest_plan(level).plan
    assert plan is not None
    assert len(plan) == len(level.reference_plan) == level.optimal == length
    game = played(level, level.reference_plan)
    assert (game.stop, game.clock, game.missing) == ("SOLVED", length, ())
    assert set(level.milestones) <= landmarks(level)
    assert (level.max_steps, level.stagnation_window) == (max(15, 3 * length), max(10, length))


@pytest.mark.parametrize("id", SHIPPED)
def test_a_level_is_the_same_after_its_way_through_a_row(id: str) -> None:
    assert Level.of(load_level(id).as_row()) == load_level(id)


@for_each(
    ("changes", "place"),
    [
        ({"problem": "(define (problem p) (:domain epochs) (:init (at x y)) (:goal (and)))"}, "$.problem"),
        ({"tools": ["move", "tree-grows"]}, "$.tools[1]"),
        ({"hidden": ["fit"]}, "$.hidden[0]"),
        ({"milestones": ["(booth booth-past)"]}, "$.milestones[0]"),
        ({"milestones": ["(has hester)"]}, "$.milestones[0]"),
        ({"reference_plan": ["(take hester lantern)"]}, "$.reference_plan[0]"),
        ({"reference_plan": ["(plant-tree hester lantern mill-past)"]}, "$.reference_plan[0]"),
        ({"unstable": {"predicate": "booth", "ttl": 5}}, "$.unstable.predicate"),
        ({"unstable": {"predicate": "has", "ttl": 5, "until": "(booth booth-past)"}}, "$.unstable.until"),
        ({"unstable": {"predicate": "has", "ttl": 0}}, "$.unstable"),
        ({"max_steps": 0}, "$.max_steps"),
        ({"extra": 1}, "$.extra"),
    ],
)
def test_a_fault_is_named_with_its_place(changes: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError) as raised:
        Level.of({**load_level("L01").as_row(), **changes}, "levels.jsonl:3")
    assert {problem.file for problem in raised.value.problems} == {"levels.jsonl:3"}
    assert place in [problem.path for problem in raised.value.problems]


def test_an_unknown_level_is_refused_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match="no level 'L07': the levels are L01"):
        load_level("L07")


def test_a_level_in_which_too_much_can_be_done_is_refused_by_its_name() -> None:
    row = load_level("L01").as_row()
    places, items = (" ".join(f"{kind}{number}" for number in range(1100)) for kind in ("p", "i"))
    problem = row["problem"].replace("- place", f"{places} - place").replace("- item", f"{items} - item")
    level = Level.of({**row, "problem": problem})
    with pytest.raises(InputError, match=r"level L01.*at most 1,000,000 groundings of the predicate lies"):
        level.start()
