"""The conversation of an attempt: what the page has of each call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.report import ReportRun, talk
from herobench.analysis.report.talk import talk_tree
from herobench.analysis.samples.calls import Calls
from herobench.analysis.suites.rpg.panel import PlanPanel
from tests.analysis.calls import call
from tests.analysis.report.made import LAZY, run, sample, task
from tests.analysis.report.page_blocks import read_rows
from tests.analysis.report.test_write import written
from tests.builders import Json
from tests.program import write_jsonl


def message(role: str, content: str) -> Json:
    return {"role": role, "content": content}


def shown(*calls: Json) -> list[Any]:
    told = talk_tree(calls)
    assert told is not None
    return list(told["items"])


def test_a_call_has_its_facts_its_question_and_its_answer() -> None:
    asked = [message("system", "Play."), message("user", "Judge it.")]
    (told,) = shown(call("a", 3, "critic", "Good.", messages=asked, form="judgement", retries=[{}, {}]))
    assert told == {
        "number": 3,
        "role": "critic",
        "form": "judgement",
        "input": 100,
        "output": 10,
        "cost": 0.25,
        "seconds": 1.5,
        "retries": 2,
        "error": None,
        "before": 1,
        "question": ["Judge it.", 0],
        "reasoning": None,
        "answer": ["Good.", 0],
    }


def test_a_call_without_a_reply_has_its_error() -> None:
    (told,) = shown(call("a", 0, text=None))
    assert (told["error"], told["answer"], told["output"]) == (["server", "It failed."], None, None)


def test_the_results_of_all_tools_that_were_called_last_are_the_question() -> None:
    told = [message("user", "Go."), message("assistant", ""), message("tool", "one"), message("tool", "two")]
    row = call("a", 1, text="", messages=told)
    row["reply"]["tool_calls"] = [{"id": "c", "name": "move", "arguments": '{"x": 1}'}]
    (shown_call,) = shown(row)
    assert (shown_call["question"], shown_call["before"]) == (["one\ntwo", 0], 2)
    assert shown_call["answer"] == ['→ move({"x": 1})', 0]
    (unasked,) = shown(call("a", 0, messages=[]))
    assert (unasked["question"], unasked["before"]) == (None, 0)


def test_there_is_no_more_than_a_page_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "_LONGEST", 10)
    monkeypatch.setattr(talk, "_MOST_TEXT", 50)
    monkeypatch.setattr(talk, "_MOST_CALLS", 3)
    told = talk_tree(call("a", number, text="x" * 12, messages=[message("user", "y" * 7)]) for number in range(5))
    assert told is not None
    assert told["more"] == 2
    assert (told["calls"], told["cost"], told["input"]) == (5, 1.25, 500), "the sums count what is left out"
    assert [each["question"] for each in told["items"]] == [["y" * 7, 0]] * 3
    assert [each["answer"] for each in told["items"]] == [["x" * 10, 2], ["x" * 10, 2], ["x" * 9, 3]]


def outline(branch: Json) -> list[Any]:
    """The titles of branches with their calls and cost, and the numbers of calls."""
    return [
        [item["title"], item["calls"], item["cost"], outline(item)] if "items" in item else item["number"]
        for item in branch["items"]
    ]


def test_calls_stand_in_their_branches_with_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "_MOST_CALLS", 6)
    branches = [[], ["Plan 1"], ["Plan 1", "Try 1"], ["Plan 2"], ["Plan 1", "Try 1"], None, ["Plan 1", "Try 2"], ["P"]]
    told = talk_tree(call("a", number, branch=branch) for number, branch in enumerate(branches))
    assert told is not None
    assert outline(told) == [0, ["Plan 1", 4, 1.0, [1, ["Try 1", 2, 0.5, [2, 4]]]], ["Plan 2", 1, 0.25, [3]], 5]
    assert (told["calls"], told["cost"], told["more"]) == (8, 2.0, 2)


def test_a_branch_has_no_more_titles_than_a_page_can_hold() -> None:
    (told,) = shown(call("a", 0, branch=["t" * 1_000] * 1_000))
    depth = 0
    while "items" in told:
        assert told["title"] == "t" * 100
        (told,), depth = told["items"], depth + 1
    assert depth == 6


def test_an_attempt_without_calls_has_no_conversation() -> None:
    assert talk_tree([]) is None


def block(folder: Path, calls: list[Json], mode: str = "plan", count: int = 2) -> Any:
    """The block of a sample in the report on a run with these calls."""
    row = sample(task(1), LAZY, calls=count)
    found = Calls(write_jsonl(folder / "calls.jsonl", calls))
    made = run("a", [row], [task(1)])
    panel = made.panel_by(None)  # type: ignore[arg-type]
    assert isinstance(panel, PlanPanel)
    told = PlanPanel(panel.world, panel.rules, panel.tasks, mode)
    return read_rows(written(folder, ReportRun("a", [row], lambda reading: told, None, found)), "sample")[0]


def test_a_sample_has_its_conversation_if_there_is_more_than_a_prompt_and_an_answer(tmp_path: Path) -> None:
    task_id = task(1).id
    several = [call(task_id, 0), call(task_id, 1), call("another", 0)]
    assert len(block(tmp_path, several)["talk"]["items"]) == 2
    alone = [call(task_id, 0)]
    assert block(tmp_path, alone, count=1)["talk"] is None
    assert len(block(tmp_path, alone, "feedback", 1)["talk"]["items"]) == 1, "the page has its prompt nowhere else"
    assert len(block(tmp_path, [call(task_id, 0, "planner")], count=1)["talk"]["items"]) == 1
