"""A sample: what was judged, what was asked, and nothing that is not known."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

from herobench.conversation import Reply, ToolCall, Usage
from herobench.data.columns import SAMPLE, names
from herobench.data.documents import schema_problems
from herobench.models.model_error import ErrorKind
from herobench.runs.journal import CallTotals, PlayedAttempt, measured_row, rescored_row, stored_replies, unmeasured_row
from herobench.suite.contract import TaskInfo, Verdict
from tests.runs.trial import failure

TASK = TaskInfo("a", "7", {"id": "a"})
WON = Verdict(True, 100.0, 100.0, None, {"schema": 1, "moves": 3}, {"schema": 1, "moves": []})
LOST = Verdict(False, 0.5, failure="other", details={"schema": 1, "moves": 4})
JUDGED = ("won", "score", "progress", "failure", "details", "events")


def call(usage: Usage | None = None, cost: float | None = None, retries: int = 0, at: str = "1") -> dict[str, Any]:
    reply = None if usage is None else Reply("x", usage=usage).as_row()
    return {
        "reply": reply,
        "cost": cost,
        "retries": [{}] * retries,
        "seconds": 0.25,
        "started": f"begun {at}",
        "finished": f"done {at}",
    }


def totals(*calls: dict[str, Any]) -> CallTotals:
    together = CallTotals()
    for one in calls:
        together.add(one)
    return together


def test_the_calls_of_an_attempt_are_added_up() -> None:
    both = totals(call(Usage(10, 5, 2, 4), 0.5, 2, at="1"), call(Usage(20, 6, None, 0), 0.25, 1, at="2"))
    assert both.as_row() == {
        "calls": 2,
        "retries": 3,
        "input_tokens": 30,
        "output_tokens": 11,
        "reasoning_tokens": 2,
        "cached_tokens": 4,
        "cost": 0.75,
        "seconds": 0.5,
        "started": "begun 1",
        "finished": "done 2",
    }


def test_what_is_not_known_is_none_and_never_0() -> None:
    nothing = totals().as_row()
    assert (nothing["calls"], nothing["retries"], nothing["seconds"]) == (0, 0, 0.0)
    assert all(nothing[name] is None for name in nothing.keys() - {"calls", "retries", "seconds"})
    failed = totals(call(retries=3)).as_row()
    assert (failed["calls"], failed["retries"], failed["cost"], failed["output_tokens"]) == (1, 3, None, None)
    free = totals(call(Usage(0, 0), 0.0)).as_row()
    assert (free["cost"], free["output_tokens"], free["cached_tokens"]) == (0.0, 0, None)


def played(*replies: Reply, calls: CallTotals | None = None) -> PlayedAttempt:
    return PlayedAttempt("asked for", calls or CallTotals(), replies)


def test_a_measured_row_says_what_was_scored_and_what_the_server_said_of_itself() -> None:
    called = (ToolCall("1", "look", "{}"),)
    first = Reply("one", called, model="other", usage=Usage(1, 2), id="x")
    reply = Reply("text", answer="plan", reasoning="hm", stop="length", model="named", usage=Usage(1, 3))
    row = measured_row(TASK, 1, "s", played(first, reply, calls=totals(call(Usage(1, 2)), call(Usage(1, 3)))), WON)
    assert schema_problems(row, "sample", "row") == []
    assert (row["schema"], row["suite"], row["task_id"], row["group"], row["epoch"]) == (2, "s", "a", "7", 1)
    assert (row["status"], row["error"], row["model"]) == ("ok", None, "named")
    assert [row[name] for name in JUDGED] == [True, 100.0, 100.0, None, WON.details, WON.events]
    assert (row["output_tokens"], row["calls"]) == (5, 2)
    assert row["replies"] == [
        {"text": "one", "tool_calls": [asdict(called[0])], "answer": None, "reasoning": None, "stop": None},
        {"text": "text", "tool_calls": [], "answer": "plan", "reasoning": "hm", "stop": "length"},
    ]
    assert measured_row(TASK, 1, "s", played(Reply("text")), WON)["model"] == "asked for"


def test_replies_come_back_from_a_sample_less_what_only_the_calls_know() -> None:
    reply = Reply("☃", (ToolCall("1", "look", "{"),), "plan", "hm", "stop", Usage(1, 2), "m", "id", True)
    row = measured_row(TASK, 0, "s", played(reply, Reply("")), WON)
    again = stored_replies(json.loads(json.dumps(row)))
    assert again == [replace(reply, usage=Usage(), model=None, id=None, from_cache=False), Reply("")]


def test_an_unmeasured_row_says_nothing_of_the_model() -> None:
    error, blank = failure(ErrorKind.SERVER, status=500), {"schema": 1, "moves": None}
    row = unmeasured_row(TASK, 1, "s", played(Reply("lost"), calls=totals(call(retries=5))), error, blank)
    assert schema_problems(row, "sample", "row") == []
    assert (row["status"], row["model"], row["group"]) == ("unmeasured", "asked for", "7")
    assert row["error"] == {"kind": "server", "message": "It failed by server.", "status": 500}
    assert (row["calls"], row["retries"], row["details"]) == (1, 5, blank)
    nothing = ("won", "score", "progress", "failure", "replies", "events", "output_tokens", "cost")
    assert all(row[name] is None for name in nothing)
    assert list(row) == list(measured_row(TASK, 1, "s", played(Reply("")), WON))


def test_new_scores_leave_what_belongs_to_the_asking() -> None:
    sample = measured_row(TASK, 1, "s", played(Reply("text", model="named"), calls=totals(call(Usage(1, 2)))), WON)
    again = rescored_row(sample, LOST)
    changed = {"won": False, "score": 0.5, "progress": None, "failure": "other"}
    assert again == {**sample, **changed, "details": LOST.details, "events": None}
    assert list(again) == list(sample)


def test_a_sample_has_its_columns_in_their_order() -> None:
    assert tuple(measured_row(TASK, 1, "s", played(Reply("")), WON)) == names(SAMPLE)
