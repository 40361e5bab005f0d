"""What errors say, and that no line of theirs is very long: clients and files may name things by megabytes."""

import pickle

from herobench.adaptive.goal import GoalFault
from herobench.agents.agent import AgentFault
from herobench.data.errors import HeroBenchError, InputError, Problem, SuiteError, UsageError, quoted, short_line
from herobench.data.options import OptionFault
from herobench.models.model_error import ModelFault
from herobench.runs.refusals import RunFault
from herobench.scorer.refusals import ScorerFault
from herobench.suite.refusals import SuiteFault
from tests.sizes import for_each

LONG = "<" + 8_000_000 * "a" + ">"


@for_each(
    "error",
    [
        UsageError(f"There is no {LONG}.", [LONG, "end"]),
        UsageError("Many:", (LONG for _ in range(200))),
        InputError([Problem(LONG, LONG, LONG, LONG, LONG), Problem("file", "$", "text")]),
        SuiteError(LONG),
        UsageError(RunFault.NO_RUN, [LONG], path=LONG),
    ],
)
def test_no_line_of_an_error_is_very_long(error: HeroBenchError) -> None:
    assert_lines_are_short(error)


def assert_lines_are_short(error: HeroBenchError) -> None:
    """The error is told in lines that are not very long, before and after another process sent it."""
    assert max(map(len, error.lines)) < 1_100
    assert len(error.lines) <= 101
    assert str(error) == "\n".join(error.lines)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_each_kind_of_error_has_a_sentence_of_its_own() -> None:
    for kinds in (AgentFault, GoalFault, ModelFault, OptionFault, RunFault, ScorerFault, SuiteFault):
        assert list(kinds.__members__.values()) == list(kinds)


def test_both_ends_of_a_long_line_stay() -> None:
    assert short_line("a" * 1_000) == "a" * 1_000
    assert short_line("a" * 600 + "b" * 300 + "c" * 200) == "a" * 600 + " [300 characters] " + "c" * 200
    assert quoted("it") == "'it'"
    assert quoted(LONG).startswith("'<aaa")
    assert len(quoted(LONG)) < 120


def test_a_problem_as_data_is_short_too() -> None:
    assert Problem("f", "$", "text", [1]).as_row()["found"] == [1]
    assert len(str(Problem(LONG, LONG, LONG, [LONG], LONG).as_row())) < 6_000
