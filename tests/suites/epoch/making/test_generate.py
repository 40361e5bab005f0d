"""New levels: the same for the same wish, with certificates that hold. Shipped levels are proven, others refused."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.pddl import SearchLimits
from herobench.pddl.relaxation import LmCut
from herobench.pddl.search import a_star
from herobench.suites.epoch import Level, load_level
from herobench.suites.epoch.game.level import DATASET, PUBLISHED, load_levels
from herobench.suites.epoch.game.world import causal_rules, level_world, parse_atom
from herobench.suites.epoch.making import LevelQuery, level, levels
from herobench.suites.epoch.making.proof import find_problems
from herobench.suites.epoch.making.prover import play_plan, shortest_plan
from herobench.suites.epoch.players import EpochPlayer
from herobench.suites.epoch.refusals import EpochFault
from tests.program import herobench, write_jsonl
from tests.refusals import misread, raises
from tests.sizes import for_each, some_slow

SHORT = LevelQuery((5, 8), people=3, seed=1)


@pytest.fixture(scope="module")
def drawn() -> Level:
    return level(SHORT, 1)


def plain_length(one: Level) -> int:
    """The length of a shortest plan, by a search that tries every action."""
    world, rules = level_world(one), {rule.name for rule in causal_rules()}
    estimate = LmCut(world.grounded.actions, world.grounded.goal, free=rules)
    goal, closed = world.grounded.goal, world.rules.closure
    plan = a_star(world.tool_actions, world.initial, goal, None, SearchLimits(60_000), estimate, closed).plan
    assert plan is not None
    return len(plan)


def test_the_same_wish_and_number_give_the_same_level(drawn: Level) -> None:
    assert next(levels(SHORT, [1])) == drawn.as_row()
    assert level(replace(SHORT, seed=2), 1).problem != drawn.problem


def test_a_level_has_a_length_that_was_wanted_and_a_certificate_that_holds(drawn: Level) -> None:
    assert 5 <= drawn.optimal <= 8
    assert find_problems(Level.of(drawn.as_row())) == []
    assert plain_length(drawn) == drawn.optimal


def test_levers_that_spring_back_leave_time_for_the_solution_only() -> None:
    one = level(LevelQuery((9, 14), decay=True, seed=1), 1)
    assert find_problems(one) == []
    assert one.unstable
    pulls = [n for n, action in enumerate(one.reference_plan) if parse_atom(action).name == "pull-lever"]
    assert pulls[-1] - pulls[0] <= one.unstable.ttl <= pulls[-1] - pulls[0] + 1


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


def test_a_wish_that_cannot_be_fulfilled_is_refused() -> None:
    with raises(EpochFault.BAD_LENGTHS, "2 to 60", "9-4"):
        LevelQuery((9, 4))
    with raises(EpochFault.BAD_PEOPLE, "2 to 6", "7"):
        LevelQuery(people=7)
    with raises(EpochFault.NO_LEVEL, "'L07'", "L01, "):
        load_level("L07")


def test_validate_names_the_fault_of_a_level(drawn: Level, tmp_path: Path) -> None:
    good = write_jsonl(tmp_path / "good.jsonl", [drawn.as_row()])
    done = herobench("validate", "--suite", "epoch", good)
    assert (done.returncode, done.stdout) == (0, "1 of 1 tasks hold\n")
    spoilt = write_jsonl(tmp_path / "spoilt.jsonl", [{**drawn.as_row(), "max_steps": 1}])
    done = herobench("validate", "--suite", "epoch", spoilt)
    assert done.returncode == 2
    assert f"{drawn.id}: max_steps is 1" in done.stdout


@pytest.mark.slow
def test_narrowed_and_plain_searches_agree() -> None:
    for number in range(1, 31):
        one = level(LevelQuery((4, 16), people=2 + number % 3, seed=3), number)
        assert plain_length(one) == one.optimal, number


@pytest.mark.slow
def test_every_fifth_of_300_levels_holds_and_cannot_be_solved_by_chance() -> None:
    solved: Counter[bool] = Counter()
    for number in range(1, 301, 5):
        one = Level.of(json.loads(json.dumps(level(LevelQuery((4, 60)), number).as_row())))
        assert find_problems(one) == []
        plan = list(map(str, shortest_plan(one).plan or ()))
        assert play_plan(one, plan).stop == "SOLVED"
        if one.optimal >= 10:
            player = EpochPlayer("random", {one.id: one}, "tools")
            for epoch in range(5):
                game = one.start()
                for call in player._decide(one.id, epoch):
                    game.turn({"call": call})
                solved[game.stop == "SOLVED"] += 1
    assert solved[True] <= 0.05 * solved.total()


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


def test_levels_are_audited_by_their_lengths(tmp_path: Path) -> None:
    levels = [
        load_levels("epochs-v1")["L01"].as_row(),
        *(level.as_row() for level in [*load_levels(DATASET).values()][:2]),
    ]
    done = herobench("audit", write_jsonl(tmp_path / "levels.jsonl", levels), "--suite", "epoch")
    assert done.returncode == 0, done.stderr
    header, _, greedy, random = filter(None, map(str.split, done.stdout.splitlines()))
    assert (header[:2], greedy[:2], random[0]) == (["player", "L01"], ["greedy", "100"], "random")
