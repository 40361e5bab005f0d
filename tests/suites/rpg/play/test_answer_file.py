import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.errors import InputError, Problem
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.plan import FileAnswer, read_answers
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import tiny_task

RULES = load_rules()


def read(tmp_path: Path, world: World, *rows: dict[str, Any] | str) -> list[FileAnswer | str]:
    """What a file of rows to the tasks a and b gives: answers, and complaints without the file's name."""
    file = tmp_path / "answers.jsonl"
    file.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    tasks = {name: tiny_task(world, id=name) for name in ("a", "b")}
    return [
        str(found).replace(f"{file}:", "line ") if isinstance(found, Problem) else found
        for found in read_answers(file, tasks, RULES)
    ]


def plan_of(row: dict[str, Any]) -> str | None:
    return FileAnswer.from_row({"task_id": "a", **row}, RULES).plan


# -- one answer -------------------------------------------------------------------------------------------------------


def test_an_answer_has_its_plan_taken_out() -> None:
    assert plan_of({"answer": "I think so.\n```python\nmove('Hero', 1, 0)\n```\n"}) == "move('Hero', 1, 0)"


def test_code_is_the_plan_as_it_stands() -> None:
    assert plan_of({"code": "```python\nmove('Hero', 1, 0)\n```"}) == "```python\nmove('Hero', 1, 0)\n```"
    assert plan_of({"code": ""}) == ""


@pytest.mark.parametrize("row", [{"answer": "I give up."}, {"answer": ""}, {"answer": None}, {"code": None}])
def test_an_answer_may_have_no_plan(row: dict[str, Any]) -> None:
    assert plan_of(row) is None


def test_the_last_reply_of_a_sample_has_the_plan() -> None:
    first, last = {"text": "```python\nx\n```", "answer": "y"}, {"text": "So:\n```python\nz\n```"}
    assert plan_of({"replies": [first, last]}) == "z"
    assert plan_of({"replies": [last, first]}) == "y"
    cut = {"text": "<think>\n```\nx\n```\n</think>", "stop": "length"}
    assert plan_of({"replies": [cut]}) is None
    assert plan_of({"replies": [first, {"text": None}]}) is plan_of({"replies": []}) is None


def test_what_is_left_out_is_nothing_and_the_first_epoch() -> None:
    assert FileAnswer.from_row({"task_id": "a", "code": "x"}, RULES) == FileAnswer("a", 0, "x", None, None)


def test_whole_numbers_may_be_written_as_floats() -> None:
    answer = FileAnswer.from_row({"task_id": "a", "code": "x", "epoch": 2.0, "tokens": 10.0, "model": "m"}, RULES)
    assert answer == FileAnswer("a", 2, "x", "m", 10)
    assert (type(answer.epoch), type(answer.tokens)) == (int, int)


# -- files ------------------------------------------------------------------------------------------------------------


def test_answers_come_in_order_whatever_else_their_rows_say(tmp_path: Path, tiny: World) -> None:
    rows = ({"task_id": "b", "code": "x", "latency": 3.5, "usage": {"in": [1]}}, {"task_id": "a", "answer": None})
    assert read(tmp_path, tiny, *rows) == [FileAnswer("b", 0, "x", None, None), FileAnswer("a", 0, None, None, None)]


def test_epochs_are_answers_of_their_own(tmp_path: Path, tiny: World) -> None:
    found = read(tmp_path, tiny, *({"task_id": "a", "code": "x", "epoch": epoch} for epoch in (1, 0, 2)))
    assert [answer.epoch for answer in found if isinstance(answer, FileAnswer)] == [1, 0, 2]


def test_an_answer_given_twice_counts_once_and_is_named(tmp_path: Path, tiny: World) -> None:
    rows: list[dict[str, Any]] = [{"task_id": name, "code": "x"} for name in "aba"]
    rows.append({"task_id": "b", "code": "y", "epoch": 0})
    first, second, *complaints = read(tmp_path, tiny, *rows)
    assert isinstance(first, FileAnswer)
    assert isinstance(second, FileAnswer)
    assert complaints == [
        'line 3: $.task_id: expected the first answer to this task and epoch, and line 1 is, found "a"',
        'line 4: $.task_id: expected the first answer to this task and epoch, and line 2 is, found "b"',
    ]


def test_an_answer_to_no_task_is_named(tmp_path: Path, tiny: World) -> None:
    row = {"task_id": "c", "code": "x"}
    complaint = 'line 1: $.task_id: expected the id of one of the tasks, found "c"'
    assert read(tmp_path, tiny, row, row) == [complaint, complaint.replace("line 1", "line 2")]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"task_id": "a"}, '$: expected exactly one of these forms: answer; code; replies, found {"task_id": "a"}'),
        (
            {"task_id": "a", "code": "", "answer": ""},
            "$: expected exactly one of these forms: answer; code; replies, found "
            '{"task_id": "a", "code": "", "answer": ""}',
        ),
        ({"code": "x"}, "$: expected the property 'task_id'"),
        ({"task_id": "", "code": "x"}, '$.task_id: expected text of 1 characters or more, found ""'),
        ({"task_id": 1, "code": "x"}, "$.task_id: expected string, found 1"),
        ({"task_id": "a", "code": ["x"]}, '$.code: expected string or nothing, found ["x"]'),
        ({"task_id": "a", "answer": 1}, "$.answer: expected string or nothing, found 1"),
        ({"task_id": "a", "code": "x", "epoch": -1}, "$.epoch: expected 0 or more, found -1"),
        ({"task_id": "a", "code": "x", "epoch": True}, "$.epoch: expected integer, found true"),
        ({"task_id": "a", "code": "x", "epoch": None}, "$.epoch: expected integer, found null"),
        ({"task_id": "a", "code": "x", "model": 4}, "$.model: expected string or nothing, found 4"),
        ({"task_id": "a", "code": "x", "tokens": -1}, "$.tokens: expected 0 or more, found -1"),
        ({"task_id": "a", "code": "x", "tokens": 1.5}, "$.tokens: expected integer or nothing, found 1.5"),
        (
            {"task_id": "a", "code": "x", "tokens": 10**30},
            f"$.tokens: expected 1000000000000 or less, found {10**30}",
        ),
        (
            "{",
            "column 2: expected JSON (Expecting property name enclosed in double quotes); "
            "is there a comma too many, or a name without quotes?",
        ),
    ],
)
def test_a_row_that_is_no_answer_is_named_and_the_rest_goes_on(
    row: dict[str, Any] | str, complaint: str, tmp_path: Path, tiny: World
) -> None:
    good = {"task_id": "b", "code": "x"}
    assert read(tmp_path, tiny, row, good) == [f"line 1: {complaint}", FileAnswer("b", 0, "x", None, None)]


def test_a_row_that_is_no_answer_takes_no_answers_place(tmp_path: Path, tiny: World) -> None:
    _, good = read(
        tmp_path, tiny, {"task_id": "a", "code": "x", "epoch": 0, "tokens": -1}, {"task_id": "a", "code": "x"}
    )
    assert good == FileAnswer("a", 0, "x", None, None)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl"):
        list(read_answers(tmp_path / "none.jsonl", {}, RULES))
