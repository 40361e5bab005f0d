"""What earlier sessions kept of calls."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Reply
from herobench.documents import schema_problems
from herobench.errors import InputError
from herobench.rows import dump_row
from herobench.runs.folder import Key
from herobench.runs.kept import Kept, read_kept

Json = dict[str, Any]


def call(task_id: str, number: int = 0, text: str | None = "x", **more: Any) -> Json:
    reply = None if text is None else Reply(text, model=more.pop("model", "m")).as_row()
    row = {"schema": 1, "task_id": task_id, "epoch": 0, "call": number, "request": "0" * 64, "messages": []}
    times = {"started": "2026", "seconds": 1.0, "finished": "2026"}
    return {**row, "reply": reply, "error": None, "cost": None, "retries": [], **times, **more}


def kept(path: Path, *calls: Json, done: Collection[Key] = ()) -> Kept:
    path.write_text("".join(map(dump_row, calls)), "utf-8")
    return read_kept(path, done)


def test_replies_are_found_by_attempt_and_number(tmp_path: Path) -> None:
    rows = [call("a"), call("b"), call("a", 1), {**call("a"), "epoch": 1}]
    found = kept(tmp_path / "calls.jsonl", *rows)
    assert found.replies == {("a", 0): {0: rows[0], 1: rows[2]}, ("b", 0): {0: rows[1]}, ("a", 1): {0: rows[3]}}


def test_a_call_that_was_asked_again_counts_as_it_was_last(tmp_path: Path) -> None:
    found = kept(tmp_path / "calls.jsonl", call("a", text="old"), call("a", text="new"), call("a", text=None))
    assert found.replies["a", 0][0]["reply"]["text"] == "new"


def test_replies_of_what_is_done_are_not_held_but_what_they_cost_counts(tmp_path: Path) -> None:
    rows = [call("a", cost=0.5), call("b", cost=0.25, model="n"), call("c", text=None), call("d", model=None)]
    found = kept(tmp_path / "calls.jsonl", *rows, done={("a", 0), ("b", 0)})
    assert (found.spent, found.served) == (0.75, {"m", "n"})
    assert found.replies.keys() == {("d", 0)}


def test_the_rows_of_these_tests_are_calls() -> None:
    assert [schema_problems(row, "call", "") for row in (call("a"), call("a", text=None, cost=0.5))] == [[], []]


def test_without_calls_there_is_nothing(tmp_path: Path) -> None:
    assert read_kept(tmp_path / "none.jsonl", set()) == Kept()
    assert (Kept().replies, Kept().spent, Kept().served) == ({}, 0.0, set())


@pytest.mark.parametrize("wrong", [{}, {"task_id": "a", "epoch": 0, "call": 0}])
def test_a_line_that_is_no_call_is_named(tmp_path: Path, wrong: Json) -> None:
    with pytest.raises(InputError, match=r"calls\.jsonl"):
        kept(tmp_path / "calls.jsonl", call("a"), wrong)
