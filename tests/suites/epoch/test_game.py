"""The rules of a game: what a turn comes to, what fades, how games end; its chronicle; and files of levels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.errors import InputError
from herobench.suites.epoch import EpochGame, load_level
from herobench.suites.epoch.game.chronicle import Lanes, replay_turns
from herobench.suites.epoch.game.level import LEVELS
from herobench.suites.epoch.game.world import parse_atom
from herobench.suites.epoch.making.prover import write_call
from herobench.suites.epoch.refusals import EpochFault
from tests.program import write_jsonl
from tests.refusals import raises
from tests.sizes import for_each
from tests.suites.epoch.games import act, after, turn

HELLO = load_level("L01")
BODIES = load_level("L06")
LEFT = "move hester mill-past lane-past"
BACK = "move hester lane-past mill-past"


def test_a_valid_action_moves_the_clock_and_tells_what_changed() -> None:
    game = HELLO.start()
    (told,) = act(game, "take hester lantern mill-past")
    assert told["kind"] == "done"
    assert (told["added"], told["deleted"]) == (["(has hester lantern)"], ["(lies lantern mill-past)"])
    assert told["milestones"] == ["(has hester lantern)"]
    assert (game.clock, game.turns) == (1, 1)


def test_a_refused_action_names_all_that_is_false_and_changes_nothing() -> None:
    game = HELLO.start()
    before = game.digest()
    (told,) = act(game, "send hester lantern quill mill-past booth-future")
    assert told["unmet"] == ["(booth mill-past)", "(has hester lantern)", "(linked mill-past booth-future)"]
    assert told["hints"][1] == {"actions": ["take", "send"], "rules": []}
    assert (game.digest(), game.clock, game.turns) == (before, 0, 1)


def test_what_follows_is_told_in_rounds_with_its_causes() -> None:
    game = load_level("L02").start()
    told = next(told for told in act(game, *game.level.reference_plan) if told["caused"])
    assert [(fact["round"], fact["rule"]) for fact in told["caused"]] == [
        (1, "tree-grows"), (1, "tree-grows"), (2, "gate-yields"), (2, "branch-bends"),
    ]  # fmt: skip
    assert told["caused"][2]["because"] == ["(tree-exists green-future)", "(gated-by-tree green-future park-future)"]


@for_each(
    ("arguments", "why"),
    [
        ({"who": "hester", "from": "mill-past"}, "bad-arguments"),
        ({"who": "hester", "from": "mill-past", "to": "lane-past", "fast": "yes"}, "bad-arguments"),
        ({"who": "lantern", "from": "mill-past", "to": "lane-past"}, "bad-arguments"),
        ({"who": ["hester"], "from": "mill-past", "to": "lane-past"}, "bad-arguments"),
        ({"who": "Hester", "from": "mill-past", "to": "lane-past"}, "bad-arguments"),
        ("[" * 100_000, "bad-arguments"),
        ("3", "bad-arguments"),
        (None, "bad-arguments"),
    ],
)
def test_arguments_that_do_not_fit_are_format_errors(arguments: object, why: str) -> None:
    assert HELLO.start().turn({"call": {"name": "move", "arguments": arguments}})["why"] == why


def test_arguments_may_come_as_json_text() -> None:
    arguments = json.dumps({"who": "hester", "from": "mill-past", "to": "lane-past"})
    assert HELLO.start().turn({"call": {"name": "move", "arguments": arguments}})["kind"] == "done"


@for_each("name", ["teleport", "plant-tree", "", None, ["move"]])
def test_other_tools_are_unknown_also_those_of_other_levels(name: object) -> None:
    assert HELLO.start().turn({"call": {"name": name, "arguments": {}}})["why"] == "unknown-tool"


@for_each(("text", "stop"), [("I see.\n STUCK \n", "LLM_STUCK"), ("DONE", "LLM_DONE_EARLY")])
def test_a_signal_stands_alone_on_the_last_line(text: str, stop: str) -> None:
    game = HELLO.start()
    assert game.turn({"text": text})["kind"] == "control"
    assert game.stop == stop


@for_each("text", ["done", "I am STUCK here", "STUCK.", "DONE\nnot yet", ""])
def test_other_words_are_no_signals(text: str) -> None:
    game = HELLO.start()
    assert game.turn({"text": text}) == {"kind": "format-error", "why": "no-call"}
    assert game.turn({"call": None, "text": text}) == {"kind": "format-error", "why": "no-call"}
    assert game.stop is None


@for_each("call", [None, "move", 3, True, [], ["move"]])
def test_what_is_no_object_is_no_call(call: object) -> None:
    for sent in ({"call": call}, {"calls": [call]}, {"calls": [call, {"name": "stuck"}]}, {"calls": call}):
        assert HELLO.start().turn(sent) == {"kind": "format-error", "why": "no-call"}
    assert HELLO.start().turn({"calls": [call], "text": "DONE"})["kind"] == "control"


def test_a_game_that_is_over_takes_no_turn() -> None:
    game = HELLO.start()
    game.turn({"text": "STUCK"})
    with raises(EpochFault.GAME_OVER, "LLM_STUCK"):
        act(game, LEFT)


def test_the_fourth_visit_of_a_state_ends_the_game() -> None:
    game = HELLO.start()
    act(game, LEFT, BACK, LEFT, BACK, LEFT)
    assert game.stop is None
    act(game, BACK)
    assert (game.stop, game.failure) == ("LOOP_DETECTED", "loop")


@for_each(("call", "failure"), [({"name": "fly"}, "format"), (turn(HELLO, BACK)["call"], "lost")])
def test_five_errors_in_a_row_end_the_game(call: object, failure: str) -> None:
    game = HELLO.start()
    for _ in range(4):
        game.turn({"call": call})
    game.turn({"api_error": True})
    assert game.stop is None
    game.turn({"call": call})
    assert (game.stop, game.failure) == ("MAX_INVALID_STREAK", failure)


def test_a_valid_action_recovers_from_a_streak() -> None:
    game = HELLO.start()
    act(game, BACK, BACK, LEFT, LEFT)
    row = game.row()
    assert (row["total_invalid_streaks"], row["recovered_streaks"], row["max_invalid_streak"]) == (2, 1, 2)
    assert row["recovery_rate"] == 0.5


def test_turns_without_a_milestone_end_the_game_but_signals_and_api_errors_do_not_count() -> None:
    game = HELLO.start()
    walks = ["milo booth-present attic-present", "quill booth-future terrace-future", "hester mill-past lane-past"]
    for who, here, there in map(str.split, walks):
        act(game, f"move {who} {here} {there}", f"move {who} {there} {here}", f"move {who} {here} {there}")
    for _ in range(2):
        game.turn({"api_error": True})
    assert (game.stop, game.turns) == (None, 11)
    act(game, "move hester lane-past orchard-past")
    assert (game.stop, game.failure) == ("STAGNATION", "stagnation")


def test_all_kinds_of_turns_use_up_the_most_turns() -> None:
    game = HELLO.start()
    for action in (LEFT, BACK, LEFT, "move milo booth-present attic-present", BACK):
        assert game.stop is None
        game.turn({"api_error": True})
        game.turn({"api_error": True})
        act(game, action)
    assert (game.stop, game.failure, game.turns) == ("MAX_STEPS", "lost", HELLO.max_steps)


def test_three_api_errors_in_a_row_end_the_game() -> None:
    game = HELLO.start()
    for _ in range(3):
        assert game.stop is None
        game.turn({"api_error": True})
    assert game.stop == "API_FAILURE"


def levers(idle: int) -> EpochGame:
    """The last level after its reference plan, with so many idle steps behind the first lever."""
    plan = [action.strip("()") for action in BODIES.reference_plan]
    first = next(number for number, action in enumerate(plan) if action.startswith("pull-lever")) + 1
    walk = ["move hester engine-room-past hall-past", "move hester hall-past balcony-past"][:idle]
    game = after("L06", [*plan[:first], *walk])
    for action in plan[first:]:
        if not game.stop:
            act(game, action)
    return game


@for_each(("idle", "stop"), [(0, "SOLVED"), (1, "SOLVED"), (2, "TEMPORAL_DECAY")])
def test_the_last_lever_may_be_pulled_when_the_first_is_six_actions_old(idle: int, stop: str) -> None:
    game = levers(idle)
    assert game.stop == stop
    assert game.countdown() == ({} if stop == "SOLVED" else {"(lever-pulled engine-present)": 3})


def test_refusals_do_not_age_what_fades() -> None:
    plan = [action.strip("()") for action in BODIES.reference_plan]
    game = after("L06", plan[:20])
    act(game, "take hester iron-key balcony-past")
    assert game.countdown() == {"(lever-pulled engine-past)": 5}


def test_facts_and_deeds_belong_to_epochs() -> None:
    lanes = Lanes(load_level("L05"))
    found = [
        lanes.of(parse_atom(fact))
        for fact in ("(tree-exists green-present)", "(has quill almanac)", "(opened cabinet)")
    ]
    assert found == ["present", "future", "present"]
    assert lanes.of(parse_atom("(convinced founder)")) == "past"
    assert lanes.of(parse_atom("(amendment-in-constitution)")) is None
    assert lanes.of_action(parse_atom("(take hester sapling green-past)")) == "past"


def test_a_deed_knows_the_turns_that_made_true_what_it_needs() -> None:
    level = load_level("L02")
    game, turns = level.start(), []
    for action in level.reference_plan:
        turn: dict[str, Any] = {"call": write_call(level, action)}
        turns.append({"turn": turn, "feedback": game.turn(turn)})
    told = replay_turns(level, turns)
    assert told.differs_at is None
    planted = next(number for number, turn in enumerate(told.turns, 1) if turn["said"].startswith("plant-tree"))
    assert any(origin == planted for turn in told.turns[planted:] for _, origin in turn["built_on"])

    changed = [turns[0], {**turns[1], "feedback": {**turns[1]["feedback"], "clock": 9}}, turns[2]]
    assert (len(replay_turns(level, changed).turns), replay_turns(level, changed).differs_at) == (1, 1)
    assert replay_turns(level, [{"turn": 5}]).differs_at == 0
    assert replay_turns(level, [*turns, turns[0]]).differs_at == len(turns), "the game was over"


ROW = load_level("L01").as_row()


def test_all_problems_of_a_file_are_named(tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "id": "L02", "tools": ["fly"]}, ROW, "{", {**ROW, "id": "L03", "max_steps": 0}]
    file = write_jsonl(tmp_path / "levels.jsonl", rows)
    with pytest.raises(InputError) as raised:
        LEVELS.in_file(file)
    places = [(problem.file.rpartition(":")[2], problem.path) for problem in raised.value.problems]
    assert places[:2] == [("2", "$.tools[0]"), ("2", "$.reference_plan[0]")]
    assert [place for place in places if place[0] != "2"] == [("3", "$.id"), ("4", "column 2"), ("5", "$.max_steps")]


def test_levels_are_read_in_order(tmp_path: Path) -> None:
    file = write_jsonl(tmp_path / "levels.jsonl", [{**ROW, "id": id} for id in ("b", "a")])
    assert list(LEVELS.in_file(file)) == ["b", "a"]
