"""Attempts: what a model is sent, what its replies come to, and how the settings change that."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from herobench.api import check_suite
from herobench.conversation import Message, Reply, ToolCall
from herobench.data.documents import schema_problems
from herobench.data.errors import Fault
from herobench.data.options import OptionFault
from herobench.suite.contract import SuiteSetting
from herobench.suites.epoch import Level, load_level
from herobench.suites.epoch.game.columns import LevelStyle
from herobench.suites.epoch.game.level import DATASET, PUBLISHED, load_levels
from herobench.suites.epoch.game.world import level_world
from herobench.suites.epoch.making.prover import write_call
from herobench.suites.epoch.refusals import EpochFault
from herobench.suites.epoch.suite import Epoch, LevelPlanAttempt, LevelToolAttempt, level_group, plan_in
from tests.refusals import raises
from tests.sizes import for_each

HELLO, BODIES = load_level("L01"), load_level("L06")


def reply(level: Level, *actions: str) -> Reply:
    calls = [write_call(level, action) for action in actions]
    return Reply("", tuple(ToolCall(f"c{n}", one["name"], json.dumps(one["arguments"])) for n, one in enumerate(calls)))


def played(attempt: LevelToolAttempt, level: Level, actions: Sequence[str]) -> list[Sequence[Message]]:
    """The conversation that is sent after each action but the last."""
    sent = []
    for action in actions:
        if attempt.step(reply(level, action)) is None:
            break
        sent.append(attempt.conversation)
    return sent


@for_each("id", PUBLISHED)
def test_the_reference_plan_wins_turn_by_turn_and_as_one_plan(id: str) -> None:
    level = load_level(id)
    turns, plan = LevelToolAttempt(level, LevelStyle()), LevelPlanAttempt(level, LevelStyle())
    played(turns, level, level.reference_plan)
    plan.step(Reply(json.dumps([write_call(level, action) for action in level.reference_plan])))
    for attempt in (turns, plan):
        verdict = attempt.grade()
        assert (verdict.won, verdict.score, verdict.progress, verdict.failure) == (True, 100.0, 100.0, None)
        assert verdict.details["plan_length"] == level.optimal
        assert schema_problems(verdict.details, "epoch-details", "details") == []
        assert schema_problems(verdict.events, "epoch-events", "events") == []


def test_the_window_sends_the_opening_and_the_latest_turns() -> None:
    attempt = LevelToolAttempt(BODIES, LevelStyle(window=3))
    sent = played(attempt, BODIES, BODIES.reference_plan[:8])
    assert [len(messages) for messages in sent] == [4, 6, 8, 8, 8, 8, 8, 8]
    last = sent[-1]
    assert [message.role for message in last] == ["system", "user", *["assistant", "tool"] * 3]
    assert [message.text.split(",")[0] for message in last if message.role == "tool"] == [
        f"Turn {number} of 75" for number in (6, 7, 8)
    ]
    assert len(attempt.grade().events["turns"]) == 8


def test_only_the_newest_result_tells_the_whole_state() -> None:
    *_, sent = played(LevelToolAttempt(BODIES, LevelStyle()), BODIES, BODIES.reference_plan[:4])
    assert ["# State" in message.text for message in sent if message.role == "tool"] == [False, False, False, True]
    *_, sent = played(LevelToolAttempt(BODIES, LevelStyle(state="changes")), BODIES, BODIES.reference_plan[:4])
    assert ["# State" in message.text for message in sent] == [False, True, *[False] * 8]


def test_the_step_returns_what_the_conversation_ends_with() -> None:
    attempt = LevelToolAttempt(HELLO, LevelStyle())
    told = attempt.step(reply(HELLO, *HELLO.reference_plan[:2]))
    assert told == attempt.conversation[-2:]
    assert [(message.call_id, message.text[:16]) for message in told] == [
        ("c0", "Turn 1 of 15, cl"),
        ("c1", "not carried out:"),
    ]


@for_each(
    ("answer", "said"),
    [
        (Reply("Let us think."), "no call of a tool"),
        (Reply("", (ToolCall("c", "fly", "{}"),)), "The tools are move, take, drop, send, stuck, done"),
        (Reply("", (ToolCall("c", "move", "{"),)), "exactly who, from, to"),
        (Reply("", (ToolCall("c", "move", ""),)), "exactly who, from, to"),
    ],
)
def test_a_reply_that_is_not_understood_is_told_why(answer: Reply, said: str) -> None:
    told = LevelToolAttempt(HELLO, LevelStyle()).step(answer)
    assert told is not None
    assert said in told[0].text


def refusal(style: LevelStyle) -> str:
    told = LevelToolAttempt(HELLO, style).step(reply(HELLO, "(send hester lantern quill booth-past booth-future)"))
    assert told is not None
    return told[0].text


def test_hints_can_be_left_out_of_refusals() -> None:
    assert "(has hester lantern) is false; take or send makes it true" in refusal(LevelStyle())
    assert "(has hester lantern) is false." in refusal(LevelStyle(hints="off"))
    assert "makes it true" not in refusal(LevelStyle(hints="off"))


def test_preconditions_are_told_only_if_it_is_wanted() -> None:
    found, told = (LevelToolAttempt(HELLO, LevelStyle(preconditions=way)).messages[0].text for way in ("found", "told"))
    assert "Needs: (at ?who ?from) (path ?from ?to) (unlocked ?to)" in told
    assert "Needs" not in found


def test_what_is_hidden_is_told_nowhere_but_as_a_key_that_does_not_fit() -> None:
    attempt = LevelToolAttempt(BODIES, LevelStyle())
    plan = list(BODIES.reference_plan)
    plan[15] = "(open-lock hester brass-key lock-past hall-past)"
    played(attempt, BODIES, plan[:15])
    told = attempt.step(reply(BODIES, plan[15]))
    assert told is not None
    assert "(has hester brass-key) is false; take or send makes it true; this key does not fit." in told[0].text
    assert not any(word in message.text for message in attempt.conversation for word in ("(fits", "(turns"))


def test_rules_of_what_a_level_lacks_are_not_told() -> None:
    for lane in ("plan", "rules"):
        prompts = [LevelToolAttempt(level, LevelStyle(lane=lane)).messages[0].text for level in (HELLO, BODIES)]
        assert not any(words in prompts[0] for words in ("these rules add facts", "what is missing is added"))
        assert "the clocks align." in prompts[1]
        assert not any(words in prompt for words in ("founder", "A tree", "(tree-") for prompt in prompts)


@for_each("kind", [LevelToolAttempt, LevelPlanAttempt])
def test_the_prompt_says_what_progress_is(kind: type[LevelToolAttempt]) -> None:
    prompt = kind(HELLO, LevelStyle()).messages[0].text
    assert "without progress. Progress is a milestone: a fact on the way to the goal" in prompt


def test_the_last_action_is_answered_with_the_game_s_end() -> None:
    attempt = LevelToolAttempt(HELLO, LevelStyle())
    assert attempt.farewell == ()
    played(attempt, HELLO, HELLO.reference_plan)
    (answer,) = attempt.farewell
    assert "DONE. Now true: (has quill lantern)" in answer.text
    assert "THE GAME IS WON: the goal holds." in answer.text
    assert answer == attempt.conversation[-1]


FORTH, BACK = "(move hester mill-past lane-past)", "(move hester lane-past mill-past)"


@for_each(
    ("replies", "why"),
    [
        ([Reply("STUCK")], "you gave up"),
        ([Reply("DONE")], "you ended it before the goal held"),
        ([Reply("")] * 5, "there were 5 errors in a row"),
        ([reply(HELLO, action) for action in [FORTH, BACK] * 3], "the same state was there for the 4th time"),
        (
            [reply(HELLO, FORTH), Reply(""), reply(HELLO, BACK), Reply("")] * 2 + [reply(HELLO, FORTH), Reply("")],
            "there was no progress in 10 turns in a row",
        ),
    ],
)
def test_a_lost_game_says_why(replies: list[Reply], why: str) -> None:
    attempt = LevelToolAttempt(HELLO, LevelStyle())
    assert [attempt.step(each) is None for each in replies] == [False] * (len(replies) - 1) + [True]
    assert f"THE GAME IS LOST: {why}." in attempt.farewell[0].text


def test_a_plan_is_answered_with_the_game_s_end() -> None:
    attempt = LevelPlanAttempt(HELLO, LevelStyle())
    attempt.step(Reply("no plan"))
    assert [message.text for message in attempt.farewell] == ["THE GAME IS LOST: the plan ended before the goal held."]
    attempt = LevelPlanAttempt(HELLO, LevelStyle())
    take = write_call(HELLO, HELLO.reference_plan[0])
    attempt.step(Reply(json.dumps([take, take])))
    lines = attempt.farewell[0].text.splitlines()
    assert lines[0] == "Turn 2 of 15, clock 1.", "the answer to the last action"
    assert lines[1].startswith("REFUSED: ")
    assert lines[2:] == ["THE GAME IS LOST: the plan ended before the goal held."]


@for_each(
    "text",
    [
        '[{"name": "a"}]',
        'So:\n```json\n[{"name": "a"}]\n```\nDone.',
        'x [{"name": "a"}] y',
        '{"plan": [{"name": "a"}]}',
    ],
)
def test_a_plan_is_found_in_an_answer(text: str) -> None:
    assert plan_in(text) == [{"name": "a"}]


@for_each(
    ("before", "after"),
    [
        ("<think>[1] or\n```json\n[2]\n```\n</think>", ""),
        ("[1]\n</think>", ""),
        ("<think>" + "[1] " * 200_000 + "</think>", ""),
        ("", "<think>\n```json\n[1]\n```\n"),
    ],
)
def test_thoughts_in_a_reply_are_not_its_plan(before: str, after: str) -> None:
    plan = json.dumps([write_call(HELLO, action) for action in HELLO.reference_plan])
    attempt, silent = LevelPlanAttempt(HELLO, LevelStyle()), LevelPlanAttempt(HELLO, LevelStyle())
    attempt.step(Reply(f"{before}\n~~~json\n{plan}\n~~~\n{after}"))
    assert attempt.grade().won
    silent.step(Reply(f"<think>{plan}"))
    assert not silent.grade().won


@for_each("text", ["", "[" * 200_000, '{"name": "a"}', "[1, NaN]", "[1e999]", "no plan"])
def test_a_text_without_a_plan_is_a_format_failure(text: str) -> None:
    attempt = LevelPlanAttempt(HELLO, LevelStyle())
    attempt.step(Reply(text))
    verdict = attempt.grade()
    assert (verdict.failure, verdict.details["format_errors"]) == ("format", 1)


def test_a_plan_goes_on_after_refusals_and_ends_with_the_game() -> None:
    attempt = LevelPlanAttempt(HELLO, LevelStyle())
    plan = ["(move milo attic-present booth-present)", *HELLO.reference_plan, *HELLO.reference_plan]
    attempt.step(Reply(json.dumps([write_call(HELLO, action) for action in plan])))
    details = attempt.grade().details
    assert (details["stop_reason"], details["total_steps"], details["precondition_errors"]) == ("SOLVED", 5, 1)


@for_each("entry", ["move", 3, None, {"name": ["move"]}, {"arguments": {}}, {"name": "\ud800"}])
def test_odd_entries_of_a_plan_are_format_errors(entry: Any) -> None:
    attempt = LevelPlanAttempt(HELLO, LevelStyle())
    attempt.step(Reply(json.dumps([entry] * 20)))
    verdict = attempt.grade()
    assert (verdict.failure, verdict.details["format_errors"]) == ("format", 5)


def suite(**options: str) -> Epoch:
    return Epoch(SuiteSetting(dataset="epochs-v1", options=options))


def test_levels_are_chosen_by_their_numbers() -> None:
    assert [info.id for info in suite(levels="1-2,5").tasks()] == ["L01", "L02", "L05"]
    assert [info.group for info in suite().tasks()] == list(PUBLISHED)


def test_other_levels_are_grouped_by_their_length_whatever_their_ids() -> None:
    assert level_group(Level.of({**load_level("L04").as_row(), "id": "L01"})) == "8-15"


@for_each(
    ("options", "fault", "fact"),
    [
        ({"levels": "3-1"}, EpochFault.NO_NUMBERS, "'3-1'"),
        ({"levels": "9"}, EpochFault.NONE_CHOSEN, "9"),
        ({"window": "0"}, OptionFault.BAD_VALUE, "at least 1, at most 10,000"),
        ({"window": "0" * 5_000 + "7"}, OptionFault.BAD_VALUE, "at least 1, at most 10,000"),
        ({"hints": "maybe"}, OptionFault.BAD_VALUE, "on, off"),
    ],
)
def test_a_wrong_option_is_refused(options: dict[str, str], fault: Fault, fact: str) -> None:
    with raises(fault, fact):
        suite(**options)


@pytest.mark.slow
def test_the_suite_keeps_to_the_contract() -> None:
    assert check_suite("epoch") == []


@pytest.mark.parametrize("dataset", [DATASET, "epochs-v1"])
def test_details_have_the_same_columns_with_a_reply_and_without(dataset: str) -> None:
    suite = Epoch(SuiteSetting(dataset=dataset, options={"mode": "plan"}))
    id = next(suite.tasks()).id
    attempt = suite.open(id, 0)
    attempt.step(Reply("[]"))
    assert suite.blank(id).keys() == attempt.grade().details.keys()
    assert ("mistakes" in suite.blank(id)) == (dataset == DATASET)


def test_a_road_is_won_in_as_many_hours_as_its_limit_has_and_no_more() -> None:
    road = next(iter(load_levels(DATASET).values()))
    spare = road.hours_to_win - (road.least or 0)
    assert spare > 0
    for idle, won in ((spare, True), (spare + 1, False)):
        attempt = LevelPlanAttempt(road, LevelStyle())
        plan = [{"name": "dance"}] * idle + [write_call(road, action) for action in road.reference_plan]
        attempt.step(Reply(json.dumps(plan)))
        verdict = attempt.grade()
        assert (verdict.won, verdict.failure) == (won, None if won else "late")
        assert verdict.details["stop_reason"] == "SOLVED"
        assert (verdict.details["hours_over"], verdict.details["mistakes"]) == (idle, idle)
        assert ("WON" in attempt.farewell[0].text) == won
    assert f" {road.least} " not in "".join(message.text for message in attempt.messages), "the number is not told"


def test_a_refused_action_of_a_road_takes_one_hour_whatever_it_would_take() -> None:
    road = next(iter(load_levels(DATASET).values()))
    world = level_world(road)
    refused = next(
        action for action in world.tool_actions if action.pre & ~world.initial and world.hours(action) not in (0, 1)
    )
    attempt = LevelPlanAttempt(road, LevelStyle())
    attempt.step(Reply(json.dumps([write_call(road, action) for action in (str(refused), *road.reference_plan)])))
    details = attempt.grade().details
    assert details["precondition_errors"] == 1
    assert (details["hours"], details["hours_over"]) == ((road.least or 0) + 1, 1)
    assert (details["mistakes"], details["first_mistake"]) == (1, 1)


def test_a_turn_of_a_road_without_a_call_takes_one_hour() -> None:
    game = next(iter(load_levels(DATASET).values())).start()
    for hours, turn in enumerate(({"text": "Let me think."}, {"call": {"name": "dance"}}, {"call": None}), 1):
        assert game.turn(turn)["kind"] == "format-error"
        assert (game.hours, game.turns, game.clock) == (hours, hours, 0)


def test_the_maps_of_a_road_tell_all_that_never_changes_and_the_hours_of_each_way() -> None:
    road = next(iter(load_levels(DATASET).values()))
    world = level_world(road)
    prompt = LevelPlanAttempt(road, LevelStyle()).messages[1].text
    facts, hours = list[str](), list[str]()
    for text in re.findall(r"\(([^()]+)\)", prompt.partition("# What never changes")[2].partition("# State")[0])[3:]:
        name, *args = text.split()
        number = args.pop() if args[-1].isdecimal() else None
        for ends in (args[-2:], args[-2:][::-1])[: 1 + name.endswith("*")]:
            facts.append(f"({' '.join([name.rstrip('*'), *args[:-2], *ends])})")
            kind = {"lifts": "open", "overgrows": "open", "beyond": "open"}.get(name, name.rstrip("*"))
            hours += [f"({kind}-hours {' '.join(ends)}) {number}"] * (number is not None)
    assert sorted(facts) == sorted(map(str, world.static))
    assert {*hours} == {f"{way} {number}" for way, number in world.task.problem.values.items()}
