"""The conversation: days of exploration by tools and a plan; and a plan alone in the lane told."""

import json
from collections.abc import Sequence
from dataclasses import replace
from math import log2
from pathlib import Path

import jsonschema
import pytest

from herobench.api import check_suite
from herobench.conversation import Message, Reply, ToolCall
from herobench.data.columns import record
from herobench.data.errors import InputError
from herobench.data.rows import write_rows
from herobench.suite.checked import open_suite
from herobench.suite.contract import SuiteSetting, Verdict
from herobench.suite.plugins import default_suite
from herobench.suites.discover.attempt import FoundAttempt
from herobench.suites.discover.game.columns import DETAILS, EVENTS, DiscoverStyle
from herobench.suites.discover.game.day import STRENGTH, Call
from herobench.suites.discover.game.laws import Choice
from herobench.suites.discover.making.days import lode_calls, whole_day
from herobench.suites.discover.suite import Discover
from tests.sizes import for_each
from tests.suites.discover.mysteries import as_reply, played, results, several, some

MYSTERY, TWO = some(1)[0], several(2)
((LAND, LAWS, TRUTH),) = MYSTERY.lands
PLAN = Reply(f"So:\n```python\n{MYSTERY.certificate.plan}\n```")
DONE, NEW_DAY = Call("done"), Call("new_day")


def started() -> FoundAttempt:
    return FoundAttempt(MYSTERY, DiscoverStyle())


def after(*calls: Call, plan: Reply = PLAN) -> FoundAttempt:
    """An attempt after some calls, done and a plan."""
    attempt = started()
    attempt.step(as_reply([*calls, DONE]))
    assert attempt.step(plan) is None
    return attempt


def test_each_answer_says_how_much_of_the_budget_is_left() -> None:
    attempt = started()
    answers = results(attempt.step(as_reply([*lode_calls(LAND, Choice.of(frozenset({0}))), NEW_DAY])))
    assert [answer["left"] for answer in answers] == [
        {"strength": STRENGTH, "days": MYSTERY.days - 1},
        {"strength": STRENGTH - 1, "days": MYSTERY.days - 1},
        {"strength": STRENGTH - 1, "days": MYSTERY.days - 1},
        {"strength": STRENGTH - 2, "days": MYSTERY.days - 1},
        {"strength": STRENGTH, "days": MYSTERY.days - 2},
    ]


def test_the_plan_is_asked_for_when_the_last_day_is_over_and_no_day_is_lost_by_that() -> None:
    attempt = started()
    fight = [Call("move", LAND.place_of[LAND.lord]), Call("fight")]
    messages: Sequence[Message] | None = None
    for day in range(MYSTERY.days):
        assert attempt.tools
        messages = attempt.step(as_reply([*([NEW_DAY] * bool(day)), *fight]))
    assert messages
    assert attempt.tools == ()
    assert "Write the plan now" in messages[-1].text
    assert attempt.step(PLAN) is None
    verdict = attempt.grade()
    assert (verdict.won, verdict.details["days_used"]) == (True, MYSTERY.days)
    assert verdict.details["told_nothing"] == MYSTERY.days


def test_after_the_fight_with_the_lord_calls_are_refused_and_not_counted_until_a_new_day() -> None:
    fight = [Call("move", LAND.place_of[LAND.lord]), Call("fight")]
    attempt = started()
    answers = results(attempt.step(as_reply([*fight, Call("unequip", ("ring1",)), NEW_DAY, *fight[:1]])))
    assert "ended this day" in str(answers[2]["error"])
    assert "error" not in answers[4]
    attempt.step(as_reply([DONE]))
    attempt.step(PLAN)
    details = attempt.grade().details
    assert (details["explored"], details["refused"]) == (3, 0)


def test_one_day_more_than_there_are_is_refused_and_the_exploration_goes_on() -> None:
    attempt = started()
    answers = results(attempt.step(as_reply([NEW_DAY] * MYSTERY.days)))
    assert answers[-1]["error"] == "no day is left: call done"
    assert attempt.tools


@for_each("arguments", ["[]", "{", '{"x": 1}', '{"x": {}, "y": []}', '{"z": 1}', ""])
def test_wrong_arguments_are_answered(arguments: str) -> None:
    (answer,) = results(started().step(Reply("", (ToolCall("c", "move", arguments),))))
    assert "error" in answer


def test_two_replies_without_a_call_end_the_exploration() -> None:
    attempt = started()
    assert "Go on" in (attempt.step(Reply("I wonder.")) or [])[0].text
    assert "The exploration is over" in (attempt.step(Reply("I know.")) or [])[0].text


def test_tools_that_do_not_exist_leave_no_trace_and_do_not_go_on_for_ever() -> None:
    attempt = started()
    (answer,) = results(attempt.step(Reply("", (ToolCall("c", "nope", json.dumps({"x": "y" * 100_000})),))))
    assert answer["error"] == "there is no tool 'nope'"
    turns = 0
    while attempt.tools and turns < 1_000:
        attempt.step(Reply("", (ToolCall("c", "look", "{}"),)))
        turns += 1
    assert turns < 30
    attempt.step(PLAN)
    assert "nope" not in json.dumps(attempt.grade().events)


def test_calls_beyond_the_most_of_a_reply_are_not_carried_out() -> None:
    answers = results(started().step(as_reply([Call("gather")] * 101)))
    assert "at most" not in str(answers[99])
    assert "a reply may have 100 calls" in str(answers[100])


@for_each("lane", ["found", "told"])
@for_each("misplaced", [Reply("First I look around."), as_reply([Call("fight"), DONE]), Reply("")])
def test_a_reply_without_a_plan_is_asked_for_one_once_more(lane: str, misplaced: Reply) -> None:
    for second, outcome in ((PLAN, (True, None)), (misplaced, (False, "no_plan"))):
        attempt = Discover(SuiteSetting(options={"lane": lane})).open(MYSTERY.id, 0)
        if lane == "found":
            attempt.step(as_reply([DONE]))
        *answers, question = attempt.step(misplaced) or []
        assert [message.call_id for message in answers] == [call.id for call in misplaced.tool_calls]
        assert all("a plan is asked for" in message.text for message in answers)
        assert (question.role, "Your answer has no plan" in question.text) == ("user", True)
        assert attempt.tools == ()
        assert attempt.step(second) is None
        verdict = attempt.grade()
        assert (verdict.won, verdict.failure) == outcome


def plan_with(beasts: Sequence[int]) -> Reply:
    """A plan with other beasts."""
    right = [Choice.of(frozenset(secret.wanted)) for secret in TRUTH]
    calls = whole_day(LAND, [Choice.of(frozenset(beasts)), *right[1:]])
    lines = [f"{call.name}({', '.join(map(repr, call.values))})" for call in calls]
    return Reply("```python\n" + "\n".join(lines) + "\n```")


def test_a_lost_plan_is_a_guess_refuted_or_a_slip() -> None:
    """The answers decide: the same plan is a guess before its beasts were tried, and refuted behind that."""
    wrong = next(pair for pair in LAWS.lode.pairs if pair != TRUTH.lode.wanted)
    tried = lode_calls(LAND, Choice.of(frozenset(wrong)))
    assert after(plan=plan_with(wrong)).grade().failure == "guess"
    assert after(*tried, plan=plan_with(wrong)).grade().failure == "refuted"
    assert after(plan=Reply("```python\nfight()\n```")).grade().failure == "slip"
    assert after(plan=Reply("```python\nwhile True: fight()\n```")).grade().failure == "slip"
    ended = after(plan=plan_with(wrong)).grade().details["end_reason"]
    assert ended == "the fight with the lord is lost"


def test_what_the_answers_tell_is_counted_exactly() -> None:
    """One day with the right beasts leaves the worlds that have these; a day with all tells nothing."""
    every = Choice.of(frozenset(range(LAWS.lode.things)))
    right = Choice.of(frozenset(TRUTH.lode.wanted))
    details = after(*lode_calls(LAND, every), NEW_DAY, *lode_calls(LAND, right)).grade().details
    worlds = LAWS.worlds
    assert details["bits_left"] == pytest.approx(log2(worlds / len(LAWS.lode.pairs)), abs=1e-3)
    assert (details["days_used"], details["told_nothing"]) == (2, 1)
    assert details["bits"] == pytest.approx(3.907, abs=1e-3), "one of 15"
    assert details["excluded"] == pytest.approx(100 * (1 - (worlds / 15 - 1) / (worlds - 1)), abs=0.01)
    assert details["plan_chance"] == pytest.approx(100 * 15 / worlds, abs=0.01)
    assert not details["sure"]


def test_the_experimenter_is_sure_and_rows_say_what_each_call_left() -> None:
    _, _, verdict = played("experimenter", MYSTERY)
    details = verdict.details
    assert (details["plan_chance"], details["sure"], details["days_used"]) == (100, True, MYSTERY.certificate.needed)
    left = [row["left"] for row in verdict.events["exploration"]]  # type: ignore[index]
    assert left == sorted(left, reverse=True)
    assert log2(left[-1]) == pytest.approx(details["bits_left"], abs=1e-3)
    assert details["days_over"] == round(MYSTERY.certificate.needed - MYSTERY.certificate.expected, 2)


def test_days_over_ends_at_the_day_after_which_a_plan_is_sure() -> None:
    """A day that tries once more what is known costs nothing, and without a sure plan there is no figure."""
    rows = played("experimenter", MYSTERY)[2].events["exploration"]  # type: ignore[index]
    attempt = started()
    for row in rows:
        attempt.step(as_reply([Call(row["name"], tuple(row["arguments"].values()))]))
    attempt.step(as_reply([NEW_DAY, *lode_calls(LAND, Choice.of(frozenset({0}))), DONE]))
    attempt.step(PLAN)
    details = attempt.grade().details
    assert details["days_used"] == MYSTERY.certificate.needed + 1
    assert details["days_over"] == round(MYSTERY.certificate.needed - MYSTERY.certificate.expected, 2)
    assert after().grade().details["days_over"] is None


def two_lands(*plan: str) -> Verdict:
    """The verdict on a plan for two lands, none of which was explored."""
    attempt = Discover(SuiteSetting(), {TWO.id: TWO}).open(TWO.id, 0)
    attempt.step(as_reply([DONE]))
    attempt.step(Reply("```python\n" + "\nnext_land()\n".join(plan) + "\n```"))
    return attempt.grade()


def test_a_plan_for_several_lands_wins_if_it_wins_in_all_of_them() -> None:
    first, second = TWO.certificate.plan.split("\nnext_land()\n")
    for won in (two_lands(first, second), two_lands(first, second, "")):
        assert (won.won, won.score, won.details["lands_won"]) == (True, 100, 2)
        assert won.details["end_reason"] == "all lords are beaten"
    for half in (two_lands(first, first), two_lands(first)):
        assert (half.won, half.score, half.failure, half.details["lands_won"]) == (False, 50, "slip", 1)
        assert half.details["end_reason"].startswith("land 2: the plan ends before the lord is fought")
    longer = two_lands(first, second, first)
    assert (longer.won, longer.score) == (False, 0)
    assert longer.details["end_reason"] == "the plan begins more days than there are lands: 3"
    assert two_lands("f", second).details["end_reason"].startswith("line 1: ")


def test_days_over_are_added_up_over_the_lands_and_days_that_only_confirm_cost_nothing() -> None:
    """The game of the experimenter, with a day that tries once more what is known before it leaves the first land."""
    rows = played("experimenter", TWO)[2].events["exploration"]  # type: ignore[index]
    figures = []
    for days in (0, 2):
        attempt = Discover(SuiteSetting(), {TWO.id: replace(TWO, days=TWO.days + 2)}).open(TWO.id, 0)
        for row in rows:
            again = [NEW_DAY, *lode_calls(TWO.lands[0].land, Choice.of(frozenset({0})))] * days
            calls = [Call(row["name"], tuple(row["arguments"].values()))]
            attempt.step(as_reply([*again, *calls] if row["name"] == "next_land" else calls))
        attempt.step(as_reply([DONE]))
        attempt.step(Reply(f"```python\n{TWO.certificate.plan}\n```"))
        figures.append(attempt.grade().details)
    assert [each["days_used"] for each in figures] == [TWO.certificate.needed, TWO.certificate.needed + 2]
    assert {each["days_over"] for each in figures} == {round(TWO.certificate.needed - TWO.certificate.expected, 2)}
    assert {each["excluded"] for each in figures} == {100}


def test_days_of_one_land_are_lacking_in_the_next_and_each_tells_of_its_own_land() -> None:
    (land, _, truth), other = TWO.lands
    attempt = Discover(SuiteSetting(), {TWO.id: TWO}).open(TWO.id, 0)
    right = lode_calls(land, Choice.of(frozenset(truth.lode.wanted)))
    nothing = lode_calls(other.land, Choice.of(frozenset()))
    answers = results(attempt.step(as_reply([*right, Call("next_land"), *nothing])))
    assert answers[-3]["left"] == {"strength": STRENGTH, "days": TWO.days - 2, "lands": 0}
    attempt.step(as_reply([DONE]))
    attempt.step(Reply(f"```python\n{TWO.certificate.plan}\n```"))
    verdict = attempt.grade()
    left = [row["left"] for row in verdict.events["exploration"]]  # type: ignore[index]
    worlds = [laws.worlds for laws in TWO.laws]
    assert left[-3:] == [worlds[1]] * 3
    assert left[-4] == worlds[0] // len(TWO.laws[0].lode.pairs)
    assert verdict.details["bits"] == pytest.approx(log2(len(TWO.laws[0].lode.pairs)), abs=1e-3)
    assert verdict.details["bits_hidden"] == pytest.approx(log2(worlds[0] * worlds[1]), abs=1e-3)


def test_what_the_sample_keeps_fits_its_columns() -> None:
    for player, mystery in (("experimenter", TWO), ("noop", MYSTERY)):
        _, _, verdict = played(player, mystery)
        jsonschema.validate(json.loads(json.dumps(verdict.details)), record(DETAILS))
        jsonschema.validate(json.loads(json.dumps(verdict.events)), record(EVENTS))
    jsonschema.validate(dict(Discover(SuiteSetting()).blank(MYSTERY.id)), record(DETAILS))


def test_the_lane_told_asks_for_a_plan_alone() -> None:
    attempt, conversation, verdict = played("experimenter", MYSTERY, lane="told")
    assert len(conversation) == 2
    assert attempt.tools == ()
    assert (verdict.details["told"], verdict.details["mode"], verdict.details["bits"]) == ("told", "plan", None)
    assert (verdict.won, verdict.details["plan_chance"]) == (True, 100)
    assert (Discover.help(verdict.details), Discover.help({"mode": "tools"})) == ("bare", "tools")


def test_the_same_replies_get_the_same_verdict() -> None:
    assert played("rote:shuffled", MYSTERY)[2] == played("rote:shuffled", MYSTERY)[2]


@pytest.mark.slow
def test_the_suite_keeps_to_the_contract() -> None:
    assert check_suite("discover") == []


def test_another_suite_says_whose_the_tasks_are(tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.jsonl"
    write_rows(tasks, [MYSTERY.as_row()])
    with pytest.raises(InputError) as error:
        open_suite(default_suite(), SuiteSetting(tasks=tasks))
    (problem,) = error.value.problems
    assert (problem.file, problem.advice.split()[-2:]) == (str(tasks), ["--suite", "discover"])
