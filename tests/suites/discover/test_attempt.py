"""The conversation: an exploration by tools, a plan, a form; and a plan alone in the lane told."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from herobench.api import check_suite
from herobench.conversation import Message, Reply, ToolCall
from herobench.data.columns import record
from herobench.data.errors import InputError
from herobench.data.rows import write_rows
from herobench.suite.checked import open_suite
from herobench.suite.contract import SuiteSetting
from herobench.suite.plugins import default_suite
from herobench.suites.discover.attempt import FoundAttempt, form_in
from herobench.suites.discover.game.columns import DETAILS, EVENTS, DiscoverStyle
from herobench.suites.discover.game.families import Change
from herobench.suites.discover.game.mystery import Exploration
from herobench.suites.discover.prompts.telling import WORDS, sentences
from herobench.suites.discover.suite import Discover
from herobench.suites.rpg.game.events import Fought
from herobench.suites.rpg.play.execution import as_answer
from tests.sizes import for_each
from tests.suites.discover.mysteries import played, some, with_family

MYSTERY = some(1, 40)[0]


def calls(*named: tuple[str, dict[str, Any]]) -> Reply:
    return Reply("", tuple(ToolCall(f"c{n}", name, json.dumps(given)) for n, (name, given) in enumerate(named)))


def started(**style: str) -> FoundAttempt:
    return FoundAttempt(MYSTERY, DiscoverStyle(**style))  # type: ignore[arg-type]


def results(told: Sequence[Message] | None) -> list[Any]:
    return [json.loads(message.text) for message in told or [] if message.role == "tool"]


def test_the_goal_is_told_after_the_exploration_by_default() -> None:
    target = f"`{MYSTERY.task.target}`"
    goal = f"Win a fight against {MYSTERY.told.world.monsters[MYSTERY.task.target].name}"
    after, first = started(), started(goal="first")
    told = after.step(calls(("done", {}))) or []
    if not MYSTERY.task.then:
        assert goal in told[-1].text
        assert goal not in after.messages[0].text
        assert goal in first.messages[0].text
        assert target in first.messages[0].text


def test_a_call_is_answered_with_what_is_left() -> None:
    attempt = started()
    (x, y) = MYSTERY.task.knowledge.places[0]
    (moved, looked) = results(attempt.step(calls(("move", {"x": x, "y": y}), ("look", {}))))
    assert (moved["status"], moved["x"], moved["y"]) == (200, x, y)
    assert moved["left"] == {"actions": MYSTERY.budget.actions - 1, "resets": MYSTERY.budget.resets}
    assert looked["left"] == moved["left"]


def test_a_fight_tells_the_thirds_of_health_that_are_left_and_no_more() -> None:
    for found in some(6, 40):
        lab = Exploration(found.true, found.task)
        (place,) = found.true.world.places_of("monster", found.task.target)
        fight = lab.play([("move", place), ("fight", ())])[-1]["fight"]
        detail = lab.events[-1].detail
        assert isinstance(detail, Fought)
        whole = found.true.world.monsters[found.task.target].stats.hp
        assert (fight["thirds_left"] - 1) * whole < 3 * max(detail.monster_hp, 0) <= fight["thirds_left"] * whole
        result = "lose" if fight["thirds_left"] else "win"
        assert fight == {"result": result, "thirds_left": fight["thirds_left"], "drops": {}}


def test_the_exploration_ends_with_its_actions() -> None:
    attempt = started()
    replies = [calls(*[("move", {"x": 0, "y": 0})] * 50) for _ in range(10)]
    told: Sequence[Message] | None = None
    for reply in replies:
        told = attempt.step(reply)
        if told and told[-1].role == "user":
            break
    assert told
    assert "The exploration is over" in told[-1].text
    assert attempt.tools == ()
    assert attempt.step(Reply(as_answer(MYSTERY.certificate.plan)))
    assert attempt.step(Reply("[]")) is None
    assert attempt.grade().details["explored"] == MYSTERY.budget.actions


def test_resets_are_counted() -> None:
    attempt = started()
    found = results(attempt.step(calls(*[("reset", {})] * (MYSTERY.budget.resets + 1))))
    assert found[-1] == {"error": "all resets are used up"}
    assert found[-2]["left"]["resets"] == 0


@for_each("arguments", ["[]", "{", '{"x": 1}', '{"x": {}, "y": []}', '{"z": 1}', ""])
def test_wrong_arguments_are_answered(arguments: str) -> None:
    attempt = started()
    (found,) = results(attempt.step(Reply("", (ToolCall("c", "move", arguments),))))
    assert "error" in found


def test_two_replies_without_a_call_end_the_exploration() -> None:
    attempt = started()
    told = attempt.step(Reply("I wonder."))
    assert told
    assert "Go on" in told[0].text
    told = attempt.step(Reply("I know."))
    assert told
    assert "The exploration is over" in told[0].text


def test_what_the_sample_keeps_fits_its_columns() -> None:
    import jsonschema

    for player in ("experimenter", "noop"):
        _, _, verdict = played(player, MYSTERY)
        jsonschema.validate(json.loads(json.dumps(verdict.details)), record(DETAILS))
        jsonschema.validate(json.loads(json.dumps(verdict.events)), record(EVENTS))
    suite = Discover(SuiteSetting())
    jsonschema.validate(dict(suite.blank(MYSTERY.id)), record(DETAILS))


def test_the_same_replies_get_the_same_verdict() -> None:
    assert played("random", MYSTERY)[2] == played("random", MYSTERY)[2]


def test_the_plan_by_what_is_told_is_lost_and_the_certified_one_wins() -> None:
    for code, won, failure in ((MYSTERY.usual_plan, False, "believed"), (MYSTERY.certificate.plan, True, None)):
        attempt = started()
        attempt.step(calls(("done", {})))
        attempt.step(Reply(as_answer(code)))
        attempt.step(Reply("no idea"))
        verdict = attempt.grade()
        assert (verdict.won, verdict.failure) == (won, failure)
        assert verdict.details["stated"] is None
        assert verdict.details["named"] is None


def test_the_lane_told_tells_all_changes_and_asks_one_plan() -> None:
    attempt, conversation, verdict = played("oracle", MYSTERY, lane="told")
    assert len(conversation) == 2
    assert all(sentence in conversation[0].text for sentence in sentences(MYSTERY.changes))
    assert attempt.tools == ()
    assert verdict.won
    assert (verdict.details["told"], verdict.details["mode"]) == ("told", "plan")
    assert (Discover.help(verdict.details), Discover.help({"mode": "tools"})) == ("bare", "tools")


@for_each("lane", ["found", "told"])
@for_each("misplaced", [Reply("First I look around."), calls(("look", {}), ("done", {})), Reply("")])
def test_a_reply_without_a_plan_is_asked_for_one_once_more(lane: str, misplaced: Reply) -> None:
    plan = Reply(as_answer(MYSTERY.certificate.plan))
    for second, outcome in ((plan, (True, None)), (misplaced, (False, "no_plan"))):
        attempt = Discover(SuiteSetting(options={"lane": lane})).open(MYSTERY.id, 0)
        if lane == "found":
            attempt.step(calls(("done", {})))
        *answers, question = attempt.step(misplaced) or []
        assert [message.call_id for message in answers] == [call.id for call in misplaced.tool_calls]
        assert all("a plan is asked for" in message.text for message in answers)
        assert (question.role, "Your answer has no plan" in question.text) == ("user", True)
        assert attempt.tools == ()
        told = attempt.step(second)
        if lane == "found":
            assert "In what does the world differ" in (told or [])[-1].text
            told = attempt.step(Reply("[]"))
        assert told is None
        verdict = attempt.grade()
        assert (verdict.won, verdict.failure) == outcome


def test_calls_beside_a_plan_are_answered_before_the_form() -> None:
    attempt = started()
    attempt.step(calls(("done", {})))
    beside = calls(("look", {}))
    answer, form = attempt.step(Reply(as_answer(MYSTERY.certificate.plan), beside.tool_calls)) or []
    assert (answer.call_id, form.role) == (beside.tool_calls[0].id, "user")
    assert "In what does the world differ" in form.text
    assert attempt.grade().won


def test_the_form_says_how_two_codes_are_written_and_names_nothing_of_a_world() -> None:
    text = WORDS.fill("form")
    assert "with a space between the codes" in text
    stated = form_in(text) or []
    assert [len(change.subject.split()) for change in stated] == [1, 2, 0], "one code, two and none"
    words = {word for change in stated for word in (*change.subject.split(), change.value)} - {"monster"}
    for mystery in some(12):
        for truth in (mystery.told, mystery.true):
            assert not words & {*truth.world.monsters, *truth.world.items, *truth.world.resources}


def test_the_form_is_graded_exactly() -> None:
    true = [change._asdict() for change in MYSTERY.changes]
    wrong = {"family": "sets", "subject": "", "value": 3}
    for stated, right, named in ((true, len(true), True), ([*true, wrong], len(true), False), ([], 0, False)):
        attempt = started()
        attempt.step(calls(("done", {})))
        attempt.step(Reply(as_answer("")))
        thoughts = "<think>" + "```json\n[]\n```\n" * 20_000 + "</think>"
        attempt.step(Reply(f"{thoughts}So:\n````json\n{json.dumps(stated)}\n````"))
        details = attempt.grade().details
        assert (details["stated"], details["stated_right"], details["named"]) == (len(stated), right, named)


def test_a_gathering_tells_something_again_where_the_node_dries_up() -> None:
    found = with_family("dry")
    attempt = FoundAttempt(found, DiscoverStyle())
    place, _ = next(iter(found.true.world.standing("resource").items()))
    move = ("move", {"x": place[0], "y": place[1]})
    attempt.step(calls(move, *[("gather", {"quantity": 2})] * 5))
    told = [each.nothing for each in attempt.findings()]
    assert not any(told[:2])
    assert sum(told) >= 2, "full, and empty"
    assert not all(told[2:])


@for_each("family", ["place", "drop"])
def test_the_form_may_name_two_monsters_in_any_order(family: str) -> None:
    found = with_family(family)
    attempt = FoundAttempt(found, DiscoverStyle())
    stated = [change._asdict() for change in found.changes]
    for row in stated:
        row["subject"] = " ".join(str(row["subject"]).split()[::-1]) if row["family"] == family else row["subject"]
    for reply in (calls(("done", {})), Reply(as_answer("")), Reply(json.dumps(stated))):
        attempt.step(reply)
    assert attempt.grade().details["named"]


@for_each(
    ("text", "expected"),
    [
        ("[]", []),
        ("nothing", None),
        ('```json\n[{"family": "first", "subject": "", "value": "monster"}]\n```', [Change("first", "", "monster")]),
        ('[{"family": "ward", "value": 50.0}]', [Change("ward", "", 50)]),
        ('[{"family": "ward", "value": true}, {"family": "x", "subject": "", "value": 1}, 3, {"family": 1}]', []),
        ("[" * 100_000, None),
    ],
)
def test_a_form_is_read_leniently(text: str, expected: list[Change] | None) -> None:
    assert form_in(text) == expected


def test_surprises_are_counted() -> None:
    _, _, verdict = played("experimenter", MYSTERY)
    details = verdict.details
    assert details["surprises"] >= 1
    assert 1 <= details["decisive"] <= details["explored"] <= MYSTERY.budget.actions
    assert details["named"] is True


@for_each("family", [["kind"], {}, 5, None])
def test_a_family_that_is_no_text_states_nothing(family: Any) -> None:
    assert form_in(json.dumps([{"family": family, "subject": "a", "value": 1}])) == []


def test_tools_that_do_not_exist_leave_no_trace_and_do_not_go_on_for_ever() -> None:
    attempt = started()
    (answer,) = results(attempt.step(calls(("nope", {"x": "y" * 100_000}))))
    assert answer["error"] == "there is no tool 'nope'"
    x, y = MYSTERY.task.knowledge.places[0]
    turns = 0
    while attempt.tools and turns < 10_000:
        attempt.step(calls(("move", {"x": x, "y": y})) if turns % 15 == 0 else calls(("look", {})))
        turns += 1
    assert turns <= 2 * MYSTERY.budget.actions + 20
    attempt.step(Reply("no plan"))
    attempt.step(Reply("no plan"))
    assert "nope" not in json.dumps(attempt.grade().events)


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
