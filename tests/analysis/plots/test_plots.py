import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from herobench.analysis.plots.plots import Plot, draw_figure, make_plots, write_plots
from herobench.analysis.statistics.findings import find
from herobench.analysis.suites.rpg.journey_reading import JourneyReading
from herobench.analysis.suites.rpg.reading import RpgReading
from tests.analysis.samples.samples import as_table, sample
from tests.analysis.statistics.simulated import ladder, wins
from tests.sizes import for_each, many, some_slow

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # loading it takes a worker that draws nothing half a second

GOOD = as_table(
    *(sample(f"{bracket}/{n}", n > bracket, tokens=1000 * bracket) for bracket in (1, 2, 10) for n in range(8))
)
POOR = as_table(*(sample(f"{bracket}/{n}", n > 6, tokens=None) for bracket in (1, 2) for n in range(8)))
KINDS = [
    "success_by_difficulty", "score_by_difficulty", "tokens_by_difficulty", "mean_success", "mean_score",
    "success_per_10k_tokens", "score_per_10k_tokens",
]  # fmt: skip


def test_there_is_a_figure_of_each_of_the_papers_kinds() -> None:
    assert [plot.name for plot in make_plots({"good": GOOD, "poor": POOR})] == KINDS


def test_what_nothing_is_known_of_has_no_figure() -> None:
    assert [plot.name for plot in make_plots({"poor": POOR})] == [name for name in KINDS if "token" not in name]
    assert list(make_plots({"none": as_table(sample("1/1", None))})) == []


def test_lines_go_through_the_figures_of_each_bracket() -> None:
    plot = next(make_plots({"good": GOOD, "poor": POOR}))
    axes = draw_figure(plot).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "10"]
    for container, samples in zip(axes.containers, (GOOD, POOR), strict=True):
        rates = [find("", part).success for _, part in samples.groupby(samples.bracket.astype(int))]
        line, _, (whiskers,) = container.lines
        assert list(line.get_ydata()) == pytest.approx([rate.estimate for rate in rates])
        ends = np.array([segment[:, 1] for segment in whiskers.get_segments()])
        assert ends == pytest.approx(np.array([[rate.low, rate.high] for rate in rates]))
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["good", "poor"]


RUNGS = [*["1"], *(f"{1 << n}-{(2 << n) - 1}" for n in range(1, 10))]


def touching(axes: "Axes") -> list[str]:
    """The names below an axis that run into the next one, as they would on level ground."""
    labels = axes.get_xticklabels()
    apart = [right.get_window_extent().x0 - left.get_window_extent().x1 for left, right in pairwise(labels)]
    return [label.get_text() for label, gap in zip(labels, apart, strict=False) if gap < 0 and not label.get_rotation()]


def test_groups_stand_below_the_axis_by_their_short_names_and_none_on_another() -> None:
    roads = as_table(*(sample(f"{rung} regions/{n}", n > 3) for rung in RUNGS for n in range(8)))
    axes = draw_figure(next(make_plots({"one": roads, "other": roads}, JourneyReading()))).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == RUNGS
    assert (axes.get_xlabel(), touching(axes)) == ("Regions", [])
    both = as_table(*(sample(f"{group}/{n}", n > 3) for group in ("1", *RUNGS, "wide " * 8) for n in range(8)))
    assert touching(draw_figure(next(make_plots({"one": both}))).axes[0]) == []
    assert draw_figure(next(make_plots({"good": GOOD}, RpgReading()))).axes[0].get_xlabel() == "Bracket"


def test_equal_runs_do_not_hide_one_another() -> None:
    axes = draw_figure(next(make_plots({"one": GOOD, "other": GOOD, "third": GOOD}))).axes[0]
    first = [container.lines[0].get_xdata()[0] for container in axes.containers]
    assert len(set(first)) == 3
    assert sum(first) == pytest.approx(0)


def test_the_runs_of_a_lone_group_stand_together_and_marks_on_the_axis_are_whole() -> None:
    lost = as_table(*(sample(f"1/{n}", False) for n in range(8)))
    axes = draw_figure(next(make_plots({"one": lost, "other": lost, "third": lost}))).axes[0]
    assert axes.get_xlim() == (-0.5, 0.5)
    assert not any(container.lines[0].get_clip_on() for container in axes.containers)


@for_each(
    ("costs", "told"),
    [
        ((3e-4, 6e-4), {"0.0003", "0.0004", "0.0006"}),
        ((0.0123, 0.0245), {"0.012", "0.024"}),
        ((1234, 8020), {"2,000", "6,000"}),
        ((1e-7, 2e-2), {"0.0000001", "0.01"}),
        ((40, 20_000), {"100", "10,000"}),
    ],
)
def test_costs_stand_below_the_axis_as_plain_decimals(costs: tuple[float, float], told: set[str]) -> None:
    runs = {f"run {cost}": as_table(*(sample(f"1/{n}", n > 3, cost=cost) for n in range(8))) for cost in costs}
    (plot,) = (plot for plot in make_plots(runs) if plot.kind == "marks")
    axes = draw_figure(plot, (3.3, 2.2)).axes[0]
    axes.figure.draw_without_rendering()
    labels = [label for which in ("major", "minor") for label in axes.get_xticklabels(which=which) if label.get_text()]
    texts = {label.get_text() for label in labels}
    assert told <= texts
    boxes = sorted((label.get_window_extent() for label in labels), key=lambda box: box.x0)
    assert all(right.x0 > left.x1 for left, right in pairwise(boxes)), texts
    assert all(re.fullmatch(r"[0-9,.]+", text) for text in texts), texts


def test_bars_have_the_best_on_top() -> None:
    plot = next(plot for plot in make_plots({"poor": POOR, "good": GOOD}) if plot.name == "mean_success")
    axes = draw_figure(plot).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["poor", "good"]
    assert [bar.get_width() for bar in axes.patches] == [12.5, pytest.approx(100 * 11 / 24)]


def measured(name: str, horizon: float, slope: float = 1.0) -> pd.DataFrame:
    """A run of 120 tasks with a known horizon."""
    lengths = ladder(120)
    won = wins(np.random.default_rng(3), lengths, horizon, slope)[0]
    return as_table(*(sample(f"1/{n}", bool(won[n]), run=name, decisions=lengths[n]) for n in range(120)))


def horizon_plot(**runs: pd.DataFrame) -> Plot:
    (plot,) = (plot for plot in make_plots(runs, RpgReading()) if plot.name == "horizon")
    return plot


def test_curves_show_the_tasks_and_mark_the_horizon() -> None:
    found = horizon_plot(far=measured("far", 300), all=measured("all", 1e12))
    axes = draw_figure(found).axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["far", "all"]
    assert axes.get_xscale() == "log"
    assert "decisions" in axes.get_xlabel()
    curves = [line for line in axes.lines if len(line.get_xdata()) == 49]
    assert len(curves) == len(axes.collections) == 1, "a run that wins all has no curve and no band"
    (mark,) = (line for line in axes.lines if len(line.get_xdata()) == 1)
    ((at, half),) = mark.get_xydata()
    assert np.interp(np.log(at), np.log(curves[0].get_xdata()), curves[0].get_ydata()) == pytest.approx(half, abs=0.5)
    assert [text.get_text() for text in axes.texts] == [f"{at:,.0f}"]
    assert sum(len(line.get_xdata()) == 120 for line in axes.lines) == 2


def test_where_no_task_has_a_length_there_is_no_curve() -> None:
    assert [plot.name for plot in make_plots({"good": GOOD, "poor": POOR}, RpgReading())] == KINDS


def test_no_interval_reaches_below_nothing() -> None:
    uneven = as_table(*(sample(f"1/{n}", True, tokens=90_000 if n else 1) for n in range(2)))
    plots = {plot.name: plot for plot in make_plots({"uneven": uneven})}
    (bar,) = draw_figure(plots["tokens_by_difficulty"]).axes[0].containers[0].lines[2]
    assert find("uneven", uneven).tokens.low < 0  # type: ignore[operator]
    assert bar.get_segments()[0][:, 1].min() == 0


def test_marks_show_success_against_tokens_where_no_price_is_known_with_the_line_of_the_best() -> None:
    dear = as_table(*(sample(f"1/{n}", n > 6, tokens=9000) for n in range(8)))
    (plot,) = (plot for plot in make_plots({"good": GOOD, "dear": dear, "poor": POOR}) if plot.kind == "marks")
    assert plot.name == "success_by_tokens"
    axes = draw_figure(plot).axes[0]
    assert axes.get_xlabel() == "Tokens of an attempt (log scale)"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["good", "dear"]
    marks = [container.lines[0].get_xydata()[0] for container in axes.containers]
    assert [list(mark) for mark in marks] == [
        [pytest.approx(13000 / 3), pytest.approx(100 * 11 / 24)],
        [9000, 12.5],
    ]
    assert axes.lines[0].get_xydata().tolist() == [list(marks[0])], "dear is beaten"


def test_runs_are_told_apart_by_more_than_colour() -> None:
    runs = {f"run {number}": GOOD for number in range(9)}
    axes = draw_figure(next(make_plots(runs))).axes[0]
    lines = [container.lines[0] for container in axes.containers]
    assert len({(line.get_marker(), line.get_linestyle()) for line in lines}) == 9


@pytest.mark.parametrize(
    "runs",
    [{"good": GOOD, "poor": POOR}, pytest.param({"<run> & $x_1$": GOOD}, marks=pytest.mark.slow)],
    ids=["plain", "odd names"],
)
def test_each_figure_is_written_in_three_forms_always_with_the_same_bytes(
    runs: dict[str, pd.DataFrame], tmp_path: Path
) -> None:
    plots = list({plot.kind: plot for plot in make_plots(runs)}.values())
    written = write_plots(plots, tmp_path / "new" / "figures")
    assert [path.name for path in written] == [
        f"{plot.name}.{kind}" for plot in plots for kind in ("png", "svg", "pdf")
    ]
    again = write_plots(plots[: many(len(plots), 3)], tmp_path / "again")
    for path, twin in zip(written, again, strict=False):
        assert path.read_bytes() == twin.read_bytes()
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
        else:
            assert path.read_bytes().startswith({".png": b"\x89PNG", ".pdf": b"%PDF"}[path.suffix])


def test_a_figure_has_the_size_that_is_asked_for() -> None:
    for plot in make_plots({"good": GOOD, "poor": POOR}):
        assert tuple(draw_figure(plot, (3.3, 2.2)).get_size_inches()) == (3.3, 2.2)


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(["$\\frac{$", "_hidden", "$x$"], {"$x$"}))
def test_any_run_is_named_as_it_is_called(name: str, tmp_path: Path) -> None:
    plots = list(make_plots({name: GOOD, "other": POOR}))
    write_plots(plots, tmp_path)
    texts = draw_figure(plots[0]).axes[0].get_legend().get_texts()
    assert [text.get_text() for text in texts] == [name, "other"]
    assert not texts[0].get_parse_math()
