"""Samples that are never ranked together are split, and the Pareto line of success against spending."""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd

from herobench.analysis.reading.contract import Reading
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.samples.frame import frame
from herobench.analysis.statistics.findings import Spending, Tradeoff, compare_spending, mean_known
from herobench.analysis.statistics.ranking import RankedGroup, rank_runs, split_runs
from herobench.analysis.statistics.words import help_note
from tests.sizes import for_each


def table(*values: str | None) -> pd.DataFrame:
    return pd.DataFrame({"task_id": [str(n) for n in range(len(values))], "terms_of": values, "counted": True})


def shown(parts: list[RankedGroup]) -> list[tuple[str, dict[str, list[str]]]]:
    return [(part.title, {name: list(samples.task_id) for name, samples in part.runs.items()}) for part in parts]


def test_each_value_is_a_part_and_a_run_may_be_in_several() -> None:
    runs = {"one": table("b", "a", "b"), "two": table("b")}
    assert shown(split_runs(runs, ["terms_of"])) == [
        ("terms of: a", {"one": ["1"]}),
        ("terms of: b", {"one": ["0", "2"], "two": ["0"]}),
    ]


def test_without_such_columns_all_is_one_part_without_a_title() -> None:
    runs = {"one": table("a", "b"), "two": table()}
    assert shown(split_runs(runs, [])) == [("", {"one": ["0", "1"], "two": []})]


def test_what_is_not_known_is_a_part_of_its_own() -> None:
    found = split_runs({"one": table("a", None)}, ["terms_of"])
    assert [part.values for part in found] == [{"terms_of": "a"}, {"terms_of": "unknown"}]


def test_a_run_without_samples_is_in_the_last_part() -> None:
    nothing = table()
    assert shown(split_runs({"none": nothing, "one": table("b", "a")}, ["terms_of"])) == [
        ("terms of: a", {"one": ["1"]}),
        ("terms of: b", {"one": ["0"], "none": []}),
    ]
    assert shown(split_runs({"none": nothing}, ["terms_of"])) == [("", {"none": []})]


def test_what_does_not_count_is_in_the_whole_of_a_run_alone() -> None:
    samples = table("a", "a", "b")
    samples["counted"] = [True, False, False]
    parts = split_runs({"one": samples}, ["terms_of"])
    assert shown(parts) == [("terms of: a", {"one": ["0"]}), ("terms of: b", {"one": []})]
    assert [list(part.whole["one"].task_id) for part in parts] == [["0", "1"], ["2"]]


def test_ranks_begin_anew_in_each_lane_and_reference_programs_come_last() -> None:
    kinds = {"sum": "solver", "none": None, "late": "tools", "good": "bare", "best": "solver", "poor": "bare"}
    wins = {"sum": 9, "late": 8, "good": 5, "best": 10, "poor": 2}
    runs = {name: with_help(kind, wins.get(name, 0)) for name, kind in kinds.items()}
    assert [(row.help, row.rank, row.found.name) for row in rank_runs(RankedGroup({}, runs, runs), Reading())] == [
        ("bare", 1, "good"),
        ("bare", 2, "poor"),
        ("tools", 1, "late"),
        ("solver", 1, "best"),
        ("solver", 2, "sum"),
        ("", 1, "none"),
    ]


class Ranked(Reading):
    """A reading that ranks by a figure which the samples have."""

    ranked_by = "distance"

    def tables(self, samples: pd.DataFrame) -> dict[str, object]:
        """Return the figure of a run."""
        return {"distance": {**asdict(samples.attrs["figure"]), "more": 1}}


def test_a_figure_of_the_suite_ranks_before_success_and_one_without_an_end_comes_first() -> None:
    figures = {
        "far": Estimate(40, 20, 90),
        "farther": Estimate(50, 5, 400),
        "open": Estimate(None, 130, None),
        "opener": Estimate(None, 200, None),
        "unknown": Estimate(),
    }
    runs = {name: with_help("bare", 9 - number) for number, name in enumerate(figures)}
    for name, samples in runs.items():
        samples.attrs["figure"] = figures[name]
    ranked = rank_runs(RankedGroup({}, runs, runs), Ranked())
    assert [row.found.name for row in ranked] == ["opener", "open", "farther", "far", "unknown"]
    assert [row.ranked for row in ranked] == [figures[row.found.name] for row in ranked]


def with_help(kind: str | None, wins: int) -> pd.DataFrame:
    """Ten samples with some kind of help, of which some were won; none without a kind."""
    blank = dict.fromkeys(("score", "progress", "tokens", "cost", "failure", "cause", "error_kind"))
    rows = [
        {
            **blank,
            "task_id": str(number),
            "group": "all",
            "help": kind,
            "epoch": 0,
            "measured": True,
            "win": number < wins,
        }
        for number in range(10)
    ]
    return frame([]) if kind is None else pd.DataFrame(rows)


def test_runs_with_different_help_are_named_by_their_lanes() -> None:
    assert help_note({"a": "bare", "b": "bare", "c": ""}) is None
    assert help_note({"a": "bare", "b": "solver", "c": "bare"}) == (
        "The runs had different help (bare: a, c; solver: b): what differs between them may be that."
    )


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


@for_each(
    ("runs", "unit", "names"),
    [
        ({"a": Spending(1, 2.0, 9.0), "b": Spending(1, 3.0, 9.0)}, "cost", ["a", "b"]),
        ({"a": Spending(1, 2.0, 9.0), "b": Spending(1, None, 9.0)}, "tokens", ["a", "b"]),
        ({"a": Spending(1, 2.0, None), "b": Spending(1, 0.0, 9.0), "c": Spending(1, None, 9.0)}, "cost", ["a", "b"]),
        ({"a": Spending(None, 2.0, 9.0), "b": Spending(1, 3.0, 9.0)}, None, []),
    ],
)
def test_cost_is_compared_unless_tokens_are_known_of_more_runs(
    runs: dict[str, Spending], unit: str | None, names: list[str]
) -> None:
    found = compare_spending(runs)
    assert (found.unit if found else None, list(found.points) if found else []) == (unit, names)


def test_an_unknown_amount_is_no_nought() -> None:
    assert (mean_known([None, 3.0, 1.0]), mean_known([None])) == (2.0, None)
