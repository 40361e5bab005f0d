"""What is proven of a lost plan, against plans whose faults are known and against brute force."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from herobench.analysis.suites.rpg.repair.edits import alignment, apply_edits, edit_kinds, edits_between, told_repair
from herobench.analysis.suites.rpg.repair.line import Allowance, Line
from herobench.analysis.suites.rpg.repair.repair import MOST_PLAYED, repair
from herobench.analysis.suites.rpg.repair.search import EditSearchResult, fewest_edits
from herobench.analysis.suites.rpg.repair.work import attempted_calls
from herobench.suites.rpg.game.calls import Call, straight_calls
from herobench.suites.rpg.game.episode import write_trace
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import execute
from herobench.suites.rpg.worlds.content import load_rules, load_world
from tests.analysis.suites.rpg.repair.planted import (
    by_brute_force,
    call,
    certified,
    lost_plans,
    planted,
    start_position,
    tasks_between,
    wins,
)
from tests.builders import craft_task, hero_row
from tests.sizes import many

MANY = Allowance(10**9)


def found_edits(line: Line, most: int) -> EditSearchResult:
    return fewest_edits(line, most, MANY)


def check_against_brute_force(count: int, longest: int, faults: tuple[int, ...], most: int, seed: int) -> None:
    for task, calls, _ in lost_plans(4, longest, faults, count, seed):
        line = Line(start_position(task), calls, 0, MANY)
        found = found_edits(line, most)
        fewest = by_brute_force(task, calls, most)
        # the search also puts in the same fight many times as one step, from which a hero learns
        assert found.least <= fewest, (task.id, calls)
        assert len(found.edits or ()) in (0, found.least)
        assert found.edits is None or wins(start_position(task), apply_edits(calls, found.edits))


def test_the_search_finds_as_few_edits_as_brute_force() -> None:
    check_against_brute_force(12, 9, (1, 2), 2, seed=5)


@pytest.mark.slow
def test_the_search_finds_as_few_edits_as_brute_force_in_longer_plans() -> None:
    check_against_brute_force(40, 14, (1, 2, 3), 3, seed=11)
    check_against_brute_force(120, 12, (1, 2, 3, 4, 5), 2, seed=101)


def test_a_win_from_another_position_is_told_without_playing_all_calls() -> None:
    """`Line.wins` plays only what touches a difference; it has to tell the same as playing everything."""
    chance = Random(8)
    for task, calls, _ in lost_plans(6, 40, (1, 2), 8, seed=8):
        line = Line(start_position(task), calls, 0, MANY)
        actions = [call.action for call in certified(task)]
        for _ in range(60):
            number = chance.randrange(line.stop + 1)
            position = line.at(number).fork()
            for _ in range(chance.randrange(1, 4)):
                position.act(chance.choice(actions))
            assert line.wins(number, position) == wins(position, calls, number)


def test_a_line_that_asks_another_one_stands_where_the_game_does() -> None:
    """A line plays only what touches its difference from another line; in between it has to tell the same."""
    chance = Random(3)
    for task, calls, _ in lost_plans(6, 60, (1, 2), 10, seed=13):
        line = Line(start_position(task), calls, 0, MANY)
        actions = [call.action for call in certified(task)]
        for _ in range(20):
            number = chance.randrange(line.stop + 1)
            here = line.at(number).fork()
            for _ in range(chance.randrange(1, 4)):
                here.act(chance.choice(actions))
            beside, alone = (Line(here, calls, number, MANY, other) for other in (line, None))
            assert (beside.won, beside.stop) == (alone.won, alone.stop)
            for at in range(number, alone.stop + 1):
                position = alone.at(at)
                assert not beside.at(at).difference(position)
                events = beside.event(at), alone.event(at)
                assert len({event and event.ok for event in events}) == 1


def test_more_of_an_item_matters_where_it_lacks(tiny: World) -> None:
    poor, rich = (
        GamePosition(tiny, load_rules(), craft_task(tiny, "bar", hero=hero_row(inventory=bag)))
        for bag in ({}, {"ore": 9})
    )
    shop = tiny.places_of("workshop", "smithing")[0]
    calls = [Call.of(call("move", *shop)), Call.of(call("craft", "bar", 1))]
    line = Line(poor, calls, 0, MANY)
    assert not line.won
    assert line.wins(0, rich)


def test_a_call_of_another_hero_does_nothing() -> None:
    assert Call.of(Action("move", ("Nobody", 1, 0))).values is None


def test_a_position_is_another_one_with_their_differences() -> None:
    chance = Random(2)
    for task in tasks_between(20, 60)[:6]:
        calls = certified(task)
        one, other = start_position(task), start_position(task)
        for each in calls[: chance.randrange(len(calls))]:
            one.act(each.action)
        patched = other.patch(one.difference(other))
        assert one.difference(patched) == {}
        assert wins(patched, calls) == wins(one, calls)
        assert other.difference(start_position(task)) == {}, "the other position did not change"


def test_the_edits_between_plans_are_as_few_as_were_made() -> None:
    chance = Random(4)
    for task in [chance.choice(tasks_between(4, 200)) for _ in range(many(60))]:
        faults = chance.randrange(1, 6)
        calls, good = planted(task, faults, chance).calls, certified(task)
        edits = alignment(calls, good, faults)
        assert edits is not None
        assert [each.key for each in apply_edits(calls, edits)][: len(good)] == [each.key for each in good]


def test_a_run_of_equal_calls_is_one_step() -> None:
    fight, move, gather = (Call.of(call(*words)) for words in (("fight",), ("move", 1, 0), ("gather", 2)))
    rest = [move, gather]
    assert alignment([*[fight] * 5, *rest], rest, 1) == [(0, 5, None, 1)]
    assert alignment(rest, [*[fight] * 5, *rest], 1) == [(0, 0, fight.action, 5)]
    assert alignment([gather, *rest], [*[fight] * 5, *rest], 1) == [(0, 1, fight.action, 5)]
    other = Call.of(call("equip", "ring", "a"))
    assert alignment([*[fight] * 5, *rest], [other, *rest], 1) == [(0, 5, other.action, 1)]
    assert alignment([fight, move], [fight, gather, move, fight], 1) is None


def test_edits_are_read_off_a_plan_that_holds_the_same_calls() -> None:
    one, two, three, new = (Call.of(call("move", x, 0)) for x in range(4))
    calls = [one, two, three]
    for other in ([one, new, three], [new, one, two, three], [one, three], [one, two, three, new], [new, new, three]):
        edits = edits_between(calls, other)
        assert apply_edits(calls, edits) == other
    assert len(edits_between(calls, [one, new, three])) == 1


def test_kinds_of_edits() -> None:
    calls = [
        Call.of(call(*words)) for words in (("move", 1, 0), ("gather", 2), ("craft", "bar", 1), ("equip", "ring", "a"))
    ]
    kinds = {
        "gear": (3, 1, call("equip", "ring", "b")),
        "count": (1, 1, call("gather", 3)),
        "missing": (2, 0, call("gather", 3)),
        "place": (0, 1, call("move", 2, 0)),
        "stopped": (4, 0, call("fight")),
        "needless": (2, 1, None),
    }
    words = {"gear": "put in", "missing": "put in", "stopped": "put in", "needless": "leave out"}
    for kind, (at, steps, action) in kinds.items():
        found = edits_between(calls, [*calls[:at], *([Call.of(action)] if action else []), *calls[at + steps :]])
        assert edit_kinds(calls, found) == [kind]
        assert [edit.word for edit in found] == [words.get(kind, "change")]
    # the same call left out at one place and put in at another is taken at another time
    assert edit_kinds(calls, edits_between(calls, [*calls[1:2], Call.of(calls[0].action), *calls[2:]])) == ["order"] * 2
    broken = [Call.of(Action("gather", ("Hero", 1, 2, 3))), *calls]
    assert edit_kinds(broken, edits_between(broken, calls)) == ["format"]


def test_a_call_that_is_none_takes_the_win_away_and_has_to_go() -> None:
    task = tasks_between(4, 9)[0]
    calls = [*certified(task), Call.of(Action("fight", ("Hero", "twice", 1)))]
    found = repair(start_position(task), calls, certified(task))
    assert (found.least, found.kinds) == (1, ["format"])
    assert found.lost_by == len(calls)


def test_a_plan_that_only_stops_too_early_never_loses_its_goal_from_sight() -> None:
    task = tasks_between(16, 30)[0]
    calls = certified(task)[:-2]
    found = repair(start_position(task), calls, certified(task))
    assert (found.lost_by, found.least, set(found.kinds)) == (None, 2, {"stopped"})


def test_straight_plans_are_read_as_the_sandbox_plays_them() -> None:
    task = tasks_between(16, 60)[0]
    assert task.certificate
    plan = f"for turn in range(1, 3):\n    gather('Hero', quantity=2)\n{task.certificate.plan}"
    played = execute(load_world(), task, plan).episode
    said = straight_calls(plan)
    assert said
    assert [each.action for each in said] == [event.action for event in played.events]
    assert straight_calls("while True:\n    fight('Hero')") is None
    assert straight_calls("fight(") is None
    loops = "for a in range(10**9):\n    for b in range(10**9):\n        pass".replace("10**9", "1000000000")
    assert straight_calls(loops) is None
    assert attempted_calls({"ended": "no_code"}, None, None) is None
    stopped = {"track": "straight", "ended": "limit", "end_kind": "actions"}
    done = write_trace(())
    assert attempted_calls({**stopped, "end_kind": "fight"}, plan, done) == said, "also what stands behind a lost fight"
    assert attempted_calls(stopped, plan, done) == [], "behind the limit of actions nothing would have been done"


def test_bounds_are_told_where_the_search_does_not_come_to_its_end() -> None:
    task, calls, _ = next(lost_plans(100, 300, (4, 5), 1, seed=9))
    found = repair(start_position(task), calls, certified(task), most=50)
    assert found.edits is not None
    assert 1 <= found.least < len(found.edits)
    row = found.as_row(calls)
    assert row["fewest"] == {"least": found.least, "most": len(found.edits)}
    words = told_repair(row)["about"]
    assert ("and no fewer do" in words) == found.is_exact
    assert MOST_PLAYED > 50


def test_a_repair_is_told_in_words() -> None:
    step = {"action": "equip", "args": ["Hero", "ring", "b"]}
    edit = {
        "edit": "change",
        "kind": "gear",
        "at": 3,
        "line": 4,
        "old": {**step, "args": ["Hero", "ring", "a"]},
        "new": step,
    }
    row = {
        "calls": 9,
        "lost": {"after": 6, "by": 7},
        "fewest": {"least": 1, "most": 1},
        "edits": [edit],
        "kinds": {"gear": 1},
    }
    told = told_repair(row)
    assert told["about"] == "The goal is out of reach from step 7 on. One edit wins, and no fewer do."
    assert told["edits"] == [{"line": 4, "text": "change equip('ring', 'a') in line 4 to equip('ring', 'b')"}]
    added = {**edit, "edit": "put in", "line": None, "old": None}
    row = {**row, "lost": None, "fewest": {"least": 2, "most": 5}, "edits": [added]}
    told = told_repair(row)
    assert told["about"].endswith("5 edits win; between 2 and 5 are needed.")
    assert told["edits"][0]["text"] == "put in equip('ring', 'b') behind the last line"


def test_a_step_that_the_budget_does_not_allow_is_left_out() -> None:
    task = tasks_between(8, 9)[0]
    calls = certified(task)
    tight = replace(task, mechanics=replace(task.mechanics, budget=len(calls)))
    wasted = [Call.of(call("gather", 1)), *calls]  # it is refused there, and counts
    found = repair(start_position(tight), wasted, calls)
    assert wins(start_position(tight), apply_edits(wasted, found.edits or ()))
    assert found_edits(Line(start_position(tight), wasted, 0, MANY), 2).least == len(found.edits or ()) == 1
    assert (found.lost_after, found.kinds) == (0, ["needless"])
    assert found.lost_by == len(calls), "the budget is spent"


def test_a_failed_craft_that_forfeits_the_task_is_left_out(tiny: World) -> None:
    """In one edition a failed craft that names the target loses the task, whatever was crafted."""
    task = craft_task(tiny, "bar", hero=hero_row(inventory={"ore": 9}))
    shop = tiny.places_of("workshop", "smithing")[0]
    steps = [call("move", *shop), call("craft", "bar", 5), call("craft", "bar", 1)]
    calls = [Call.of(each) for each in steps]
    start = GamePosition(tiny, load_rules("paper-late"), task)
    found = repair(start, calls, [calls[0], calls[2]])
    assert (found.least, found.lost_after, found.lost_by) == (1, 1, 2)
    assert wins(start, apply_edits(calls, found.edits or ()))
    assert found_edits(Line(start, calls, 0, MANY), 1).edits


@pytest.mark.slow
def test_a_plan_of_more_calls_than_are_played_has_bounds() -> None:
    task = tasks_between(4, 9)[0]
    calls = straight_calls('for turn in range(20000):\n    move("Hero", 0, 0)') or ()
    found = repair(start_position(task), calls, certified(task))
    assert (found.least, len(found.edits or ()) > 2, found.lost_by) == (1, True, None), "the search did not end"


def test_a_goal_that_nobody_shows_to_be_in_reach_is_not_said_to_be() -> None:
    task = tasks_between(8, 9)[0]
    calls = certified(task)
    tight = replace(task, mechanics=replace(task.mechanics, budget=len(calls)))
    told = repair(start_position(tight), [Call.of(call("gather", 1)), *calls[:2]], calls).as_row(calls[:3])
    assert told["lost"] == {"after": 0, "by": None}
    assert "not known" in told_repair(told)["about"]
