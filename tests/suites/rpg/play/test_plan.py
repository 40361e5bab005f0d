"""The plan in an answer, in the replies of an attempt, and in answers files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.conversation import Reply, ToolCall
from herobench.data.rows import AnswerCheck, RowLine, unread_lines
from herobench.suites.rpg.play.execution import (
    FileAnswer,
    as_answer,
    attempt_plan,
    call_line,
    extract_code,
    first_lines,
    joined_parts,
    plan_in,
)
from herobench.suites.rpg.worlds.content import load_rules
from herobench.work.engine import Local
from herobench.work.rows import FileOfRows, Row, RowFacts, RowWork
from tests.sizes import for_each, many

FRAGMENTS = [
    "```", "``", "`", "```python\n", "```py\n", "~~~", "\n~~~~\n", "\n````a\n", "\n`````\n",
    "<think>", "</think>", "<thinking>", "</thinking>",
    "<Reasoning>", "</reasoning>", "<code>", "</code>", "<CODE>", "final answer", "Final Answer:", "<", ">", "<>",
    "\n", "\r\n", "\r", " ", "\t", "\x00", "\ud800", "İ", "fight('Hero')", "python", "text",
]  # fmt: skip


def lines(*code: str) -> str:
    return "\n".join(code)


@for_each(
    ("answer", "code"),
    [
        ("```python\nmove('Hero', 1, 0)\n```", "move('Hero', 1, 0)"),
        ("```\nfight('Hero')\n```", "fight('Hero')"),
        ("```py\nfight('Hero')\n```", "fight('Hero')"),
        ("```Python3 \nfight('Hero')\n```", "fight('Hero')"),
        ("``` python\nfight('Hero')\n```", "fight('Hero')"),
        ("```c++\nfight('Hero')\n```", "fight('Hero')"),
        ("```python fight('Hero')```", "fight('Hero')"),
        ("```fight('Hero')```", "fight('Hero')"),
        ("````python\nfight('Hero')\n````", "fight('Hero')"),
        ("`````\nfight('Hero')\n`````\nThat is all.", "fight('Hero')"),
        ("````markdown\nSo:\n```python\nfight('Hero')\n```\n````", "fight('Hero')"),
        ("````text\nno()\n````\n```python\nfight('Hero')\n```", "fight('Hero')"),
        ("```python\nfight('Hero')\n````\nor\n````", "fight('Hero')"),
        ("~~~python\nfight('Hero')\n~~~", "fight('Hero')"),
        ("~~~\nno()\n~~~\nFinal answer:\n~~~~py\nfight('Hero')\n~~~~", "fight('Hero')"),
        ("~~~\nno()\n~~~\nFinal answer: fight('Hero')", "fight('Hero')"),
        ("~~~~~~\n```\nfight('Hero')\n```\n~~~~~~", "fight('Hero')"),
        ("So:\n```python\n\n\nfight('Hero')\n\n```\nThat is all.", "fight('Hero')"),
        ("```python\nfor _ in range(2):\n    fight('Hero')\n```", "for _ in range(2):\n    fight('Hero')"),
    ],
)
def test_a_fenced_block_is_the_plan_without_its_language(answer: str, code: str) -> None:
    assert extract_code(answer) == code


def test_of_several_blocks_the_last_is_the_plan() -> None:
    answer = lines(
        "```python", "first()", "```", "no, rather", "```", "second()", "```", "or", "```py", "third()", "```"
    )
    assert extract_code(answer) == "third()"


def test_a_block_goes_before_tags_and_a_final_answer() -> None:
    answer = "<code>tagged()</code> final answer: said()\n```\nfenced()\n```\n<code>later()</code> final answer: more()"
    assert extract_code(answer) == "fenced()"


@for_each("answer", ["<code>fight('Hero')</code>", "x <CODE>\nfight('Hero')\n</Code> final answer: y"])
def test_without_a_block_the_plan_stands_between_code_tags(answer: str) -> None:
    assert extract_code(answer) == "fight('Hero')"


@for_each(
    "answer",
    [
        "Final answer: fight('Hero')",
        "final answer fight('Hero')",
        "FINAL ANSWER :\n\nfight('Hero')\n",
        "final answer:fight('Hero')",
        "I think. Final Answer: <fight('Hero')>",
        "Final answer:\n<\nfight('Hero')\n>",
    ],
)
def test_else_the_plan_is_what_follows_final_answer_less_angle_brackets(answer: str) -> None:
    assert extract_code(answer) == "fight('Hero')"


def test_of_several_final_answers_the_first_counts() -> None:
    assert extract_code("Final answer: one()\nFinal answer: two()") == "one()\nFinal answer: two()"


def test_code_on_the_line_of_its_mark_does_not_begin_with_a_blank() -> None:
    """A blank there would make any plan a syntax error."""
    for answer in (
        "Final answer: a()\nb()",
        "<code> a()\nb() </code>",
        "```python a()\nb()\n```",
        "final answer:\t< a()\nb() >",
    ):
        assert extract_code(answer) == "a()\nb()"


def test_an_angle_bracket_on_one_side_stays() -> None:
    assert extract_code("final answer: a < b") == "a < b"
    assert extract_code("```\n1 > 0\n```") == "1 > 0"


@for_each("end", ["\r\n", "\r"])
def test_line_ends_are_made_uniform(end: str) -> None:
    answer = end.join(["Sure:", "```python", "one()", "two()", "```"])
    assert extract_code(answer) == "one()\ntwo()"


@for_each(
    "answer",
    [
        "",
        "I cannot do that.",
        "move('Hero', 1, 0)",
        "`fight('Hero')`",
        "<code>fight('Hero')",
        "```",
        "<think>hm</think>",
    ],
)
def test_where_nothing_is_marked_there_is_no_plan(answer: str) -> None:
    assert extract_code(answer) is None


@for_each(
    "answer",
    ["``````", "```python\n```", "```\n \n\t\n```", "<code></code>", "final answer:", "Final answer: <>", "```<\n>```"],
)
def test_what_is_marked_and_empty_is_a_plan_that_does_nothing(answer: str) -> None:
    """As the paper ran it: sorted with the plans that lack gear, not with invalid code."""
    assert extract_code(answer) == ""


def test_a_block_that_is_not_closed_is_no_block() -> None:
    assert extract_code("```python\nfight('Hero')\n") is None
    assert extract_code("```\nwhole()\n```\nand then\n```python\ntorn(") == "whole()"


def test_an_empty_last_block_is_not_replaced_by_an_earlier_one() -> None:
    assert extract_code("```\nfirst()\n```\n```\n```") == ""


# -- reasoning --------------------------------------------------------------------------------------------------------


@for_each("tag", ["think", "thinking", "reasoning", "THINK"])
def test_a_plan_in_a_thought_does_not_count_where_there_is_one_outside(tag: str) -> None:
    thought = f"<{tag}>Maybe\n```\ndraft()\n```\nor final answer: x</{tag}>"
    assert extract_code(f"{thought}\nFinal answer: said()") == "said()"
    assert extract_code(f"```\nsaid()\n```{thought}") == "said()"
    assert extract_code(f"{thought}<code>said()</code>{thought}") == "said()"


def test_a_plan_in_a_thought_counts_where_there_is_none_outside() -> None:
    assert extract_code("<think>\n```\ndraft()\n```\n</think>\nThat should do.") == "draft()"


def test_a_thought_that_was_opened_by_nobody_began_with_the_answer() -> None:
    assert extract_code("```\ndraft()\n```\n</think>\nFinal answer: said()") == "said()"
    assert extract_code("final answer? </think> <think>```a```</think> final answer: said()") == "said()"


def test_a_thought_that_is_not_closed_is_read_like_the_rest() -> None:
    assert extract_code("<think>\n```\ndraft()\n```\nand") == "draft()"


@for_each(
    ("answer", "stop", "plan"),
    [
        ("<think>\n```\ndraft()\n```\nand", "stop", None),
        ("<think>\n```\ndraft()\n```\n</think>\nThe plan is", "length", None),
        ("<think>\n```\ndraft()\n```\n</think>\nThat should do.", "stop", "draft()"),
        ("```\nsaid()\n```\n<think>\n```\ndraft()\n```", "length", "said()"),
        ("<think>a</think>\n```\nsaid()\n```\nThis moves", "length", "said()"),
        ("<think>a</think>\n```\nsaid()\n```\n<think>final answer: draft()", None, "said()"),
    ],
)
def test_the_thoughts_of_an_answer_that_was_cut_off_count_in_the_papers_editions_only(
    answer: str, stop: str | None, plan: str | None
) -> None:
    assert extract_code(answer, load_rules("standard").cut_thoughts, stop) == plan
    for edition in ("paper-early", "paper-hard", "paper-late", "paper-scoring"):
        assert extract_code(answer, load_rules(edition).cut_thoughts, stop) == extract_code(answer)


def test_a_thought_ends_at_its_own_tag() -> None:
    answer = "<think>a</reasoning>```\ndraft()\n```</think><code>said()</code>"
    assert extract_code(answer) == "said()"


# -- whatever the text is ---------------------------------------------------------------------------------------------


@settings(max_examples=many(500))
@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=60).map("".join))
def test_any_text_has_a_plan_or_none(answer: str) -> None:
    code = extract_code(answer)
    assert code is None or (code == code.strip() and "\r" not in code)


@given(st.text())
def test_any_code_without_fences_comes_out_of_a_block_as_it_went_in(text: str) -> None:
    code = text.replace("\r", "").replace("```", "").strip().strip("`<>").strip()
    assert extract_code(f"<think>x</think>\n```python\n{code}\n```\n") == code


@for_each(
    "piece",
    [*FRAGMENTS, "<think><reasoning>", "<think></reasoning>", "```\n<code>", "<code>\n", "final answer ", "<think>`"],
)
@for_each("head", ["", "<think>"])
def test_a_long_text_of_one_piece_is_read_in_one_pass(head: str, piece: str) -> None:
    answer = head + piece * (100_000 // len(piece))
    extract_code(answer)  # it would take minutes if it read the text again at each piece


RULES = load_rules()


def test_a_plan_is_the_marked_code_or_the_kept_answer() -> None:
    assert plan_in(Reply(as_answer("x = 1")), RULES) == "x = 1"
    assert plan_in(Reply(as_answer("x = 1"), answer=""), RULES) == ""
    assert plan_in(Reply("words"), RULES) is None


def test_of_several_replies_to_one_prompt_the_last_one_counts() -> None:
    replies = [Reply(as_answer("x = 1")), Reply(as_answer("x = 2"))]
    assert attempt_plan("plan", replies, RULES) == "x = 2"
    assert attempt_plan("plan", [], RULES) is None


def test_parts_stand_one_below_another_with_a_comment_each() -> None:
    replies = [Reply(as_answer("a\nb")), Reply("none"), Reply(as_answer("c"))]
    plan = attempt_plan("feedback", replies, RULES)
    assert plan == "# part 1\na\nb\n# part 2\n\n# part 3\nc"
    parts = ["a\nb", "", "c"]
    assert joined_parts(parts) == plan
    lines = plan.split("\n")
    assert [lines[above] for above in first_lines(parts)] == ["a", "", "c"]


@for_each(
    ("name", "arguments", "line"),
    [
        ("move", '{"x": 1, "y": -2}', 'move("Hero", x=1, y=-2)'),
        ("look", "", 'look("Hero")'),
        ("craft", '{"code": "bar"', '# craft: {"code": "bar"'),
        ("craft", "[\n1]", "# craft: [ 1]"),
        ("a\nb", "{}", 'a b("Hero")'),
        ("a\nb", "{", "# a b: {"),
        ("move", '{"x\\ny": 1}', 'move("Hero", x y=1)'),
    ],
)
def test_a_call_is_one_line(name: str, arguments: str, line: str) -> None:
    assert call_line(ToolCall("c", name, arguments)) == line
    reply = Reply("", (ToolCall("c", name, arguments), ToolCall("d", "look", "{}")))
    assert attempt_plan("tools", [reply, reply], RULES) == "\n".join([line, 'look("Hero")'] * 2)


def test_deep_arguments_are_a_line_too() -> None:
    for depth in range(900, 1001, 5):
        assert "\n" not in call_line(ToolCall("c", "move", '{"x": ' + "[" * depth + "]" * depth + "}"))


RULES = load_rules()


class Unscored(RowWork):
    """Work that leaves answers to the tasks a and b as they are."""

    row_check = AnswerCheck(frozenset({"a", "b"}))
    columns = ()

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        yield lambda line: line.row


def read(tmp_path: Path, *rows: dict[str, Any] | str) -> list[FileAnswer | str]:
    """What a file of rows to the tasks a and b gives: answers, and complaints without the file's name."""
    file = tmp_path / "answers.jsonl"
    file.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    rows = FileOfRows(Unscored(), RowFacts, Local(1))
    answers = [FileAnswer.from_row(json.loads(line), RULES) for line in rows.make_lines(unread_lines(file))]
    return [*answers, *(str(problem).replace(f"{file}:", "line ") for problem in rows.problems)]


def read_plan(row: dict[str, Any]) -> str | None:
    return FileAnswer.from_row({"task_id": "a", **row}, RULES).plan


# -- one answer -------------------------------------------------------------------------------------------------------


def test_code_is_the_plan_as_it_stands() -> None:
    assert read_plan({"code": "```python\nmove('Hero', 1, 0)\n```"}) == "```python\nmove('Hero', 1, 0)\n```"
    assert read_plan({"code": ""}) == ""


@for_each("row", [{"answer": "I give up."}, {"answer": ""}, {"answer": None}, {"code": None}])
def test_an_answer_may_have_no_plan(row: dict[str, Any]) -> None:
    assert read_plan(row) is None


def test_the_last_reply_of_a_sample_has_the_plan() -> None:
    first, last = {"text": "```python\nx\n```", "answer": "y"}, {"text": "So:\n```python\nz\n```"}
    assert read_plan({"replies": [first, last]}) == "z"
    assert read_plan({"replies": [last, first]}) == "y"
    cut = {"text": "<think>\n```\nx\n```\n</think>", "stop": "length"}
    assert read_plan({"replies": [cut]}) is None
    assert read_plan({"replies": [first, {"text": None}]}) is read_plan({"replies": []}) is None


def test_what_is_left_out_is_nothing_and_the_first_epoch() -> None:
    assert FileAnswer.from_row({"task_id": "a", "code": "x"}, RULES) == FileAnswer("a", 0, "x", None, None)


def test_whole_numbers_may_be_written_as_floats() -> None:
    answer = FileAnswer.from_row({"task_id": "a", "code": "x", "epoch": 2.0, "tokens": 10.0, "model": "m"}, RULES)
    assert answer == FileAnswer("a", 2, "x", "m", 10)
    assert (type(answer.epoch), type(answer.tokens)) == (int, int)


# -- files ------------------------------------------------------------------------------------------------------------


def test_an_answer_given_twice_counts_once_and_is_named(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"task_id": name, "code": "x"} for name in "aba"]
    rows.append({"task_id": "b", "code": "y", "epoch": 0})
    first, second, *complaints = read(tmp_path, *rows)
    assert isinstance(first, FileAnswer)
    assert isinstance(second, FileAnswer)
    assert complaints == [
        'line 3: $.task_id: expected the first answer to this task and epoch, and line 1 is, found "a"',
        'line 4: $.task_id: expected the first answer to this task and epoch, and line 2 is, found "b"',
    ]


def test_an_answer_to_no_task_is_named(tmp_path: Path) -> None:
    row = {"task_id": "c", "code": "x"}
    complaint = 'line 1: $.task_id: expected the id of one of the tasks, found "c"'
    assert read(tmp_path, row, row) == [complaint, complaint.replace("line 1", "line 2")]


@for_each(
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
        ({"task_id": "a", "code": "x", "tokens": 10**30}, f"$.tokens: expected 1000000000000 or less, found {10**30}"),
        (
            "{",
            "column 2: expected JSON (Expecting property name enclosed in double quotes); "
            "it ends in the middle: was it cut off?",
        ),
    ],
)
def test_a_row_that_is_no_answer_is_named_and_the_rest_goes_on(
    row: dict[str, Any] | str, complaint: str, tmp_path: Path
) -> None:
    good = {"task_id": "b", "code": "x"}
    assert read(tmp_path, row, good) == [FileAnswer("b", 0, "x", None, None), f"line 1: {complaint}"]
