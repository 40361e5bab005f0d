"""What earlier sessions kept of calls."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Message, Reply, Request, ToolCall
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError
from herobench.data.rows import dump_row
from herobench.runs.asking import SavedCalls, count_characters, read_kept
from herobench.runs.folder import Key
from tests.runs.trial import LOOK
from tests.sizes import for_each

Json = dict[str, Any]


def call(task_id: str, number: int = 0, text: str | None = "x", **more: Any) -> Json:
    reply = None if text is None else Reply(text, model=more.pop("model", "m")).as_row()
    row: Json = {"schema": 4, "task_id": task_id, "epoch": 0, "call": number, "request": "0" * 64}
    row |= {"role": None, "branch": [], "form": None, "messages": [], "tools": [], "characters": 0}
    times = {"started": "2026", "seconds": 1.0, "finished": "2026"}
    return {**row, "reply": reply, "error": None, "cost": None, "retries": [], **times, **more}


def kept(path: Path, *calls: Json, done: Collection[Key] = ()) -> SavedCalls:
    path.write_text("".join(map(dump_row, calls)), "utf-8")
    return read_kept(path, done)


def test_replies_are_found_by_attempt_and_number(tmp_path: Path) -> None:
    rows = [call("a"), call("b"), call("a", 1), {**call("a"), "epoch": 1}]
    found = kept(tmp_path / "calls.jsonl", *rows)
    assert [schema_problems(row, "call", "") for row in rows] == [[]] * 4
    assert found.replies == {("a", 0): {0: rows[0], 1: rows[2]}, ("b", 0): {0: rows[1]}, ("a", 1): {0: rows[3]}}


def test_a_call_that_was_asked_again_counts_as_it_was_last(tmp_path: Path) -> None:
    found = kept(tmp_path / "calls.jsonl", call("a", text="old"), call("a", text="new"), call("a", text=None))
    assert found.replies["a", 0][0]["reply"]["text"] == "new"


def test_replies_of_what_is_done_are_not_held_but_what_they_cost_counts(tmp_path: Path) -> None:
    rows = [call("a", cost=0.5), call("b", cost=0.25, model="n"), call("c", text=None), call("d", model=None)]
    found = kept(tmp_path / "calls.jsonl", *rows, done={("a", 0), ("b", 0)})
    assert (found.spent, found.served) == (0.75, {"m", "n"})
    assert found.replies.keys() == {("d", 0)}


def test_a_call_of_unknown_cost_counts_by_what_was_sent_and_said(tmp_path: Path) -> None:
    called = Message("assistant", "", (ToolCall("1", "look", "x" * 100),))
    request = Request("a", 0, [Message("user", "x" * 8), called, Message("tool", "seen", (), "1")], [LOOK])
    sent: Json = {
        "messages": [m.as_row() for m in request.messages],
        "tools": [tool.as_row() for tool in request.tools],
        "characters": count_characters(request),
    }
    rows = [call("a", text="seven 7", **sent), call("b", cost=0.5, **sent), call("c", text=None, **sent)]
    assert [problem for row in rows for problem in schema_problems(row, "call", "")] == []
    assert kept(tmp_path / "calls.jsonl", *rows).uncounted == [(count_characters(request), 7, True)]
    filtered = {"kind": "filtered", "message": "", "status": None, "reply": rows[0]["reply"]}
    mixed = call("d", cost=0.5, error=filtered, **sent)
    assert kept(tmp_path / "calls.jsonl", mixed).uncounted == [(239, 7, False), (239, 1, True)]
    assert count_characters(request) > 112


def test_the_lines_of_one_call_count_once_and_each_session_for_itself(tmp_path: Path) -> None:
    empty = {"kind": "empty", "message": "", "status": None, "waited": 0.0, "reply": Reply("").as_row()}
    first = call("a", text=None, cost=1.0, retries=[empty])
    second = call("a", text=None, cost=3.0, retries=[empty] * 2)
    later = {"started": "2027", "cost": 5.0}
    path = tmp_path / "calls.jsonl"
    for rows, spent, uncounted in (
        ([first, call("b", cost=0.5), second], 3.5, 2),
        ([first, second, call("a", cost=4.0, retries=[empty] * 2)], 4.0, 3),
        ([first, call("a", text=None, retries=[empty], **later), call("a", retries=[empty], **later)], 6.0, 2),
    ):
        saved = kept(path, *rows)
        assert (saved.spent, len(saved.uncounted)) == (spent, uncounted)


def test_without_calls_there_is_nothing(tmp_path: Path) -> None:
    assert read_kept(tmp_path / "none.jsonl", set()) == SavedCalls()


WRONG: dict[str, Json] = {
    "$.schema: expected 4, found 1": {"schema": 1, "old": True},
    '$.call: expected integer, found "0"': {"call": "0"},
    "$.cost: expected less than 1000000000000000, found 1e+308": {"cost": 1e308},
    "$.reply: expected the property 'usage'": {"reply": {**Reply("x").as_row(), "usage": ...}},
    '$.reply.usage.input: expected integer or nothing, found "1"': {
        "reply": {**Reply("x").as_row(), "usage": {**Reply("x").usage.as_row(), "input": "1"}}
    },
    "$.messages[0].content: expected string, found null": {"messages": [{"role": "user", "content": None}]},
    "$: expected the property 'finished'": {"finished": ...},
}


@for_each("told", WRONG)
def test_a_line_that_is_no_call_is_named(tmp_path: Path, told: str) -> None:
    with pytest.raises(InputError) as caught:
        kept(tmp_path / "calls.jsonl", call("a"), without_dots({**call("a", 1), **WRONG[told]}))
    assert str(caught.value).startswith(f"{tmp_path / 'calls.jsonl'}:2: {told}")


def without_dots(row: Json) -> Json:
    """The row without the properties that are three dots."""
    return {
        name: without_dots(value) if isinstance(value, dict) else value
        for name, value in row.items()
        if value is not ...
    }
