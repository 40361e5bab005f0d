"""Plans are straight: calls with plain values, and nothing else."""

import pytest

from herobench.suites.discover.game.day import Call
from herobench.suites.discover.game.plan import MOST_LINES, as_code, days_of, joined, read_plan
from herobench.suites.rpg.game.calls import NotStraight
from tests.sizes import for_each

CALLS = [Call("move", (3, -1)), Call("fight"), Call("craft", ("rope",)), Call("equip", ("ring1", "jade_ring"))]


def test_what_is_written_is_read_again() -> None:
    assert read_plan(as_code(CALLS)) == CALLS


def test_a_plan_has_a_day_for_each_land() -> None:
    plan = joined([CALLS, [], CALLS[:1]])
    assert days_of(read_plan(as_code(plan))) == [CALLS, [], CALLS[:1]]
    assert days_of([]) == [[]]


@for_each(
    ("text", "call"),
    [
        ('move("Hero", 3, -1)', CALLS[0]),
        ("  move(y=-1, x=3)  # there", CALLS[0]),
        ("\n# a comment\r\nfight(); fight()", CALLS[1]),
        ("craft(code='rope')", CALLS[2]),
    ],
)
def test_a_call_may_be_written_in_several_ways(text: str, call: Call) -> None:
    assert {*read_plan(text)} == {call}


@for_each(
    "line",
    [
        "for _ in range(3): fight()", "x = 1", "fight", "fight() or gather()", "move(1)", "move(1, 2, 3)",
        "move(1, x=1)", "craft(code)", "craft(f'{1}')", "look()", "import os", "craft(None)", "craft([1])",
        "((((", "move(1 + 1, 2)",
        "fight(*[])", "fight(**{})", "a.fight()", "x" * 201, "(" * 199, "\x00",
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(NotStraight) as error:
        read_plan(f"fight()\n{line}")
    assert error.value.line == 2


def test_a_plan_has_an_end() -> None:
    with pytest.raises(NotStraight):
        read_plan("\n" * MOST_LINES)
