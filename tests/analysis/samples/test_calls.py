"""The calls of a run, by attempt."""

from __future__ import annotations

from pathlib import Path

from herobench.analysis.samples.calls import Calls
from herobench.data.documents import schema_problems
from tests.analysis.calls import call
from tests.program import write_jsonl
from tests.refusals import misread
from tests.sizes import for_each


def test_the_calls_made_up_here_are_calls() -> None:
    assert schema_problems(call("a", 0, "critic"), "call", "call") == []
    assert schema_problems(call("a", 0, text=None), "call", "call") == []


def test_the_calls_of_an_attempt_come_in_their_order(tmp_path: Path) -> None:
    rows = [call("a", 1, "critic"), call("b", 0), call("a", 0, "planner"), call("a", 0, "other", epoch=1)]
    calls = Calls(write_jsonl(tmp_path / "calls.jsonl", rows))
    assert [row["role"] for row in calls.of("a", 0, 2)] == ["planner", "critic"]
    assert [row["role"] for row in calls.of("a", 1, None)] == ["other"]
    assert list(calls.of("c", 0, None)) == []


def test_of_a_call_that_was_asked_again_the_last_row_counts(tmp_path: Path) -> None:
    rows = [call("a", 0), call("a", 1, text=None), call("b", 0), call("a", 1, text="At last.")]
    calls = Calls(write_jsonl(tmp_path / "calls.jsonl", rows))
    assert [row["reply"]["text"] for row in calls.of("a", 0, 2)] == ["This.", "At last."]


def test_calls_beyond_the_number_of_the_sample_are_of_no_sample(tmp_path: Path) -> None:
    calls = Calls(write_jsonl(tmp_path / "calls.jsonl", [call("a", number) for number in range(3)]))
    assert len(list(calls.of("a", 0, 2))) == 2


def test_a_call_that_the_file_lacks_is_passed_over(tmp_path: Path) -> None:
    calls = Calls(write_jsonl(tmp_path / "calls.jsonl", [call("a", 2)]))
    assert [row["call"] for row in calls.of("a", 0, 3)] == [2]


@for_each(
    ("rows", "plain"),
    [
        ([], True),
        ([call("a", 0), call("b", 0), call("a", 0, epoch=1)], True),
        ([call("a", 0), call("a", 1)], False),
        ([call("a", 0, "planner")], False),
    ],
)
def test_question_and_answer_are_no_conversation(rows: list[dict[str, object]], plain: bool, tmp_path: Path) -> None:
    assert Calls(write_jsonl(tmp_path / "calls.jsonl", rows)).is_plain is plain


def test_a_run_without_calls_has_none(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "calls.jsonl")
    assert (calls.is_plain, list(calls.of("a", 0, 1))) == (True, [])


def test_the_last_line_may_be_torn(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "calls.jsonl", [call("a", 0)])
    path.write_bytes(path.read_bytes() + b'{"task_id": "a", "epoch": 0, "call": 1, "rol')
    assert len(list(Calls(path).of("a", 0, 2))) == 1


@for_each(
    ("line", "place", "fact"),
    [
        ('["no", "call"]', "$", "a call of a run"),
        ('{"task_id": "a", "epoch": 0, "call": -1}', "$.call", "-1"),
        ('{"task_id": "a", "epoch": 0, "call": 1000000000000}', "$.call", "1000000,"),
        ('{"task_id": 7, "epoch": 0, "call": 0}', "$.task_id", "string"),
        ('{"task_id": "a", "epoch": 0, "call": 0, "role": 7}', "$.role", "string"),
        ('{"task_id": "a", "epoch": 0, "call": 0, "branch": "Try"}', "$.branch", "array"),
        ('{"task_id": "a", "epoch": 0, "call": 0, "cost": "dear"}', "$.cost", "number"),
        ('{"task_id": "a", "epoch": 0, "call": 0, "reply": {"text": "x"}}', "$.reply", "the property"),
        ("{", "column 2", "JSON"),
    ],
)
def test_a_line_that_is_no_call_is_refused(line: str, place: str, fact: str, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "calls.jsonl", [call("a", 0)])
    path.write_text(path.read_text() + line + "\n")
    with misread(place, "calls.jsonl:2: ", fact):
        Calls(path)
