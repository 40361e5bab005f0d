import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.play.plan import extract_code
from herobench.suites.rpg.worlds.content import load_rules
from tests.sizes import for_each, many

FRAGMENTS = [
    *(
        "```",
        "``",
        "`",
        "```python\n",
        "```py\n",
        "~~~",
        "<think>",
        "</think>",
        "<thinking>",
        "</thinking>",
        "<Reasoning>",
    ),
    *(
        "</reasoning>",
        "<code>",
        "</code>",
        "<CODE>",
        "final answer",
        "Final Answer:",
        "<",
        ">",
        "<>",
        "\n",
        "\r\n",
        "\r",
    ),
    *(" ", "\t", "\x00", "\ud800", "İ", "fight('Hero')", "python", "text"),
]


def lines(*code: str) -> str:
    return "\n".join(code)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("answer", ["<code>fight('Hero')</code>", "x <CODE>\nfight('Hero')\n</Code> final answer: y"])
def test_without_a_block_the_plan_stands_between_code_tags(answer: str) -> None:
    assert extract_code(answer) == "fight('Hero')"


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_are_made_uniform(end: str) -> None:
    answer = end.join(["Sure:", "```python", "one()", "two()", "```"])
    assert extract_code(answer) == "one()\ntwo()"


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("tag", ["think", "thinking", "reasoning", "THINK"])
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


@pytest.mark.parametrize(
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
@for_each("head", ["", "```", "final answer", "<think>"])
def test_a_long_text_of_one_piece_takes_no_time(head: str, piece: str) -> None:
    answer = head + piece * (200_000 // len(piece))
    began = time.perf_counter()
    extract_code(answer)
    assert time.perf_counter() - began < 0.5
