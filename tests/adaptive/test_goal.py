"""The text of --until."""

from herobench.adaptive.goal import Goal, GoalFault
from tests.refusals import raises
from tests.sizes import for_each


def test_a_goal_is_read_and_told_again() -> None:
    goal = Goal.of("tasks=200, factor=1.5,cost=0.25")
    assert goal == Goal(factor=1.5, tasks=200, cost=0.25)
    assert (str(goal), Goal.of(str(goal))) == ("factor=1.5,tasks=200,cost=0.25", goal)
    assert Goal.of("factor=2") == Goal(factor=2.0)


@for_each(
    ("fault", "fact", "texts"),
    [
        (GoalFault.NO_SUCH_LIMIT, "such as factor=2", ["", "2", "width=2"]),
        (GoalFault.TWICE, "factor", ["factor=2,factor=3"]),
        (GoalFault.BAD_VALUE, "a number from 1.2", ["factor=1", "factor=nan", "factor="]),
        (GoalFault.BAD_VALUE, "a whole number from 1", ["tasks=0", "tasks=1.5"]),
        (GoalFault.BAD_VALUE, "a number above 0", ["cost=0", "cost=inf", "longest=0,tasks=3"]),
        (GoalFault.NO_LIMIT, "such as factor=2", ["longest=100"]),
    ],
)
def test_what_is_no_goal_is_refused(fault: GoalFault, fact: str, texts: list[str]) -> None:
    for text in texts:
        with raises(fault, fact):
            Goal.of(text)


@for_each(
    "text", ["factor=2", "factor=1.5,tasks=1000000", "tasks=40,longest=4454", "tasks=12345678901", "cost=1234.567"]
)
def test_a_goal_is_written_as_it_was_given(text: str) -> None:
    assert str(Goal.of(text)) == text


def test_no_task_is_longer_than_the_goal_allows() -> None:
    lengths = {"short": 4.0, "middle": 40.0, "long": 400.0}
    assert Goal.of("factor=2").among(lengths) == lengths
    assert [*Goal.of("factor=2,longest=40").among(lengths)] == ["short", "middle"]
    assert Goal.of("factor=2,longest=3").among({}) == {}
    with raises(GoalFault.TOO_SHORT, "longest=3", "length of 4"):
        Goal.of("factor=2,longest=3").among(lengths)
