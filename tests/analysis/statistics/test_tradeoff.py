import pytest

from herobench.analysis.statistics.findings import mean_known
from herobench.analysis.statistics.ranking import Spending, Tradeoff, tradeoff_of


def test_the_pareto_line_has_the_runs_that_no_run_beats_from_the_cheapest() -> None:
    points = {
        "dear": (9.0, 50.0),
        "best": (4.0, 80.0),
        "cheap": (1.0, 20.0),
        "beaten": (4.0, 70.0),
        "late": (5.0, 80.0),
    }
    assert Tradeoff("cost", points).frontier == ["cheap", "best"]


def test_equal_runs_are_both_on_the_line() -> None:
    assert Tradeoff("cost", {"one": (1.0, 50.0), "other": (1.0, 50.0)}).frontier == ["one", "other"]


@pytest.mark.parametrize(
    ("runs", "unit", "names"),
    [
        ({"a": Spending(1, 2.0, 9.0), "b": Spending(1, 3.0, 9.0)}, "cost", ["a", "b"]),
        ({"a": Spending(1, 2.0, 9.0), "b": Spending(1, None, 9.0)}, "tokens", ["a", "b"]),
        ({"a": Spending(1, 2.0, None), "b": Spending(1, 0.0, 9.0), "c": Spending(1, None, 9.0)}, "cost", ["a", "b"]),
        ({"a": Spending(None, 2.0, 9.0), "b": Spending(1, 3.0, 9.0)}, None, []),
    ],
    ids=["priced", "one without a price", "as many of each", "one without success"],
)
def test_cost_is_compared_unless_tokens_are_known_of_more_runs(
    runs: dict[str, Spending], unit: str | None, names: list[str]
) -> None:
    found = tradeoff_of(runs)
    assert (found.unit if found else None, list(found.points) if found else []) == (unit, names)


def test_an_unknown_amount_is_no_nought() -> None:
    assert (mean_known([None, 3.0, 1.0]), mean_known([None])) == (2.0, None)
