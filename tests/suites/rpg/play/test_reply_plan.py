"""The plan that the replies of an attempt make."""

from __future__ import annotations

import pytest

from herobench.conversation import Reply, ToolCall
from herobench.suites.rpg.play.plan import as_answer, attempt_plan, call_line, first_lines, joined_parts, plan_in
from herobench.suites.rpg.worlds.content import load_rules

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


@pytest.mark.parametrize(
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
