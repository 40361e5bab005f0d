"""New levels: the same for the same wish, with certificates that hold. Shipped levels are proven, others refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.epoch import Level, load_level
from herobench.suites.epoch.game.level import PUBLISHED, Trap
from herobench.suites.epoch.game.world import level_world, parse_atom
from herobench.suites.epoch.making import generator
from herobench.suites.epoch.making.generator import LevelQuery, level, levels
from herobench.suites.epoch.making.proof import find_problems
from herobench.suites.epoch.making.prover import play_plan, shortest_plan
from herobench.suites.epoch.refusals import EpochFault
from tests.program import herobench, write_jsonl
from tests.refusals import misread, raises
from tests.sizes import THOROUGH, for_each, some_slow

SHORT = LevelQuery(gates=(2,), reach=(1,), seed=11)


@pytest.fixture(scope="module")
def drawn() -> Level:
    return level(SHORT, 1)


def test_the_same_query_and_number_give_the_same_level(drawn: Level) -> None:
    assert next(levels(SHORT, [1])) == drawn.as_row()
    assert level(replace(SHORT, seed=3), 1).problem != drawn.problem


def test_a_level_has_what_was_asked_for_and_a_certificate_that_holds() -> None:
    query = LevelQuery(gates=(3, 2), reach=(1, 2), limit=(1.01, 1.0), seed=11)
    for number, (gates, limit, reach) in enumerate([(3, 1.01, 1), (2, 1.0, 1), (3, 1.01, 2)], 1):
        one = level(query, number)
        assert (len(one.milestones), one.hours_to_win) == (gates, int(limit * one.least))
        assert one.max_steps > 1.2 * one.optimal, "the turns of a game tell nothing"
        assert any(trap.gates >= reach for trap in one.traps)
        assert find_problems(Level.of(json.loads(json.dumps(one.as_row())))) == []


def test_a_level_tells_no_tool_that_it_has_no_use_for() -> None:
    some = [level(replace(SHORT, seed=seed, traps=0), 1) for seed in range(14 if THOROUGH else 2)]
    planting = ["plant-tree" in one.tools for one in some]
    assert planting == [bool(re.search(r"\(stored \w+-sapling ", one.problem)) for one in some]
    assert not all(planting), "a road without a tree does not show it"


@pytest.fixture(scope="module")
def road() -> Level:
    return level(LevelQuery(gates=(2,), reach=(1,), limit=(1.0,), seed=4), 1)


@for_each(
    ("change", "problem"),
    [
        ({"max_steps": 10}, "reference_plan ends with MAX_STEPS"),
        ({"max_steps": 999, "stagnation_window": 999}, "max_steps is 999, and follows from optimal as 100"),
        ({"limit": None}, "there is no limit"),
        ({"least": 7}, "the least hours are "),
        ({"milestones": ("(raised gate-2)",)}, "the milestones are not the gates in their order"),
        ({"traps": ()}, "is left out"),
        (
            {"traps": (Trap(1, "(move ada here there)", 9, 1),)},
            "the trap (move ada here there) at turn 1 is none",
        ),
    ],
)
def test_each_claim_of_a_road_that_does_not_hold_is_named(road: Level, change: dict[str, Any], problem: str) -> None:
    spoilt = replace(road, **change)
    assert any(problem in one for one in find_problems(spoilt)), find_problems(spoilt)


def test_a_plan_that_is_longer_than_the_shortest_is_named(road: Level) -> None:
    world = level_world(road)
    state, detour = world.initial, None
    for action, after in world.choices(state):
        back = next((str(other) for other, last in world.choices(after) if last == state), None)
        detour = detour or (back and [str(action), back])
    longer = replace(road, optimal=road.optimal + 2, reference_plan=(*(detour or ()), *road.reference_plan))
    hours = sum(map(world.hours, (parse_atom(action) for action in detour or ())))
    assert find_problems(longer)[0] == f"the plan takes {(road.least or 0) + hours}, and not {road.least}"
    assert f"the least hours are {road.least}, and not 5" in find_problems(replace(road, least=5))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"optimal": 11, "reference_plan": 1, "max_steps": 33, "stagnation_window": 11}, "there is a plan of fewer"),
        ({"max_steps": 31}, "max_steps is 31, and follows from optimal as 30"),
        ({"stagnation_window": 11}, "stagnation_window is 11"),
        ({"milestones": ("(has milo rusty-key)",)}, "the milestone (has milo rusty-key) is no landmark"),
        ({"milestones": ("(at milo attic-present)",)}, "holds at the start"),
        ({"milestones": ()}, "there are no milestones"),
        ({"reference_plan": -1}, "reference_plan ends with the goal not reached"),
    ],
)
def test_each_claim_that_does_not_hold_is_named(change: dict[str, object], problem: str) -> None:
    vault = load_level("L04")
    assert find_problems(vault) == []
    plan = vault.reference_plan
    longer = ("(move quill booth-future canteen-future)", "(move quill canteen-future booth-future)", *plan)
    plans = {None: plan, 1: longer, -1: plan[:-1]}
    spoilt = replace(vault, **{**change, "reference_plan": plans[change.get("reference_plan")]})  # type: ignore[arg-type]
    assert any(problem in one for one in find_problems(spoilt)), find_problems(spoilt)


def test_a_query_that_cannot_be_fulfilled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_DRAFTS", 3)
    with raises(EpochFault.BAD_GATES, "2 to 32", "(1,)"):
        LevelQuery(gates=(1,))
    with raises(EpochFault.BAD_LIMITS, "1 to 2", "(0.9,)"):
        LevelQuery(limit=(0.9,))
    with raises(EpochFault.NO_DRAFT, "2 gates", "reach 1"):
        level(LevelQuery(gates=(2,), limit=(2.0,)), 1)
    with raises(EpochFault.NO_LEVEL, "'L07'", "L01, "):
        load_level("L07")


def test_validate_names_the_fault_of_a_level(drawn: Level, tmp_path: Path) -> None:
    good = write_jsonl(tmp_path / "good.jsonl", [drawn.as_row()])
    done = herobench("validate", "--suite", "epoch", good)
    assert (done.returncode, done.stdout) == (0, "1 of 1 tasks hold\n")
    rows = [{**drawn.as_row(), "max_steps": 1}, "nonsense", {"id": 3}, drawn.as_row()]
    done = herobench("validate", "--suite", "epoch", write_jsonl(tmp_path / "spoilt.jsonl", rows))
    assert done.returncode == 2
    assert f"{drawn.id}: reference_plan ends with MAX_STEPS, not with SOLVED\n0 of 4 tasks hold\n" in done.stdout
    lines = [line.partition("spoilt.jsonl:")[2][:1] for line in done.stderr.splitlines()]
    assert [*dict.fromkeys(lines)] == ["2", "3", "4"], "the last one has the id of the first"


OPTIMAL = dict(zip(PUBLISHED, [4, 3, 8, 10, 18, 25], strict=True))


@pytest.mark.proves
@pytest.mark.parametrize("id", some_slow(OPTIMAL, ["L05", "L06"]))
def test_the_optimal_lengths_and_milestones_are_proven(id: str) -> None:
    level, length = load_level(id), OPTIMAL[id]
    plan = shortest_plan(level).plan
    assert plan is not None
    assert len(plan) == len(level.reference_plan) == level.optimal == length
    game = play_plan(level, level.reference_plan)
    assert (game.stop, game.clock, game.missing) == ("SOLVED", length, ())
    world = level_world(level)
    found = world.grounded.landmarks()
    assert found
    assert set(level.milestones) <= {*world.facts(found.needed | world.grounded.goal & ~world.initial)}
    assert (level.max_steps, level.stagnation_window) == (max(15, 3 * length), max(10, length))


@pytest.mark.parametrize("id", PUBLISHED)
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
    with misread(place, "levels.jsonl:3: "):
        Level.of({**load_level("L01").as_row(), **changes}, "levels.jsonl:3")


def test_a_level_in_which_too_much_can_be_done_is_refused_by_its_name() -> None:
    row = load_level("L01").as_row()
    places, items = (" ".join(f"{kind}{number}" for number in range(1100)) for kind in ("p", "i"))
    problem = row["problem"].replace("- place", f"{places} - place").replace("- item", f"{items} - item")
    level = Level.of({**row, "problem": problem})
    with misread("$.problem", "L01", "1,000,000", "the predicate lies"):
        level.start()


def test_levels_are_audited_by_their_lengths(tmp_path: Path, drawn: Level) -> None:
    rows = [load_level("L01").as_row(), drawn.as_row()]
    done = herobench("audit", write_jsonl(tmp_path / "levels.jsonl", rows), "--suite", "epoch")
    assert done.returncode == 0, done.stderr
    header, _, *lines = filter(None, map(str.split, done.stdout.splitlines()))
    assert header[:3] == ["player", "L01", "8-15"]
    assert [line[0] for line in lines] == ["greedy", "sight:1", "sight:2", "sight:4", "random"]
    assert lines[0][1:3] == ["100", "0"]
