"""The reading of journeys: what it tells of a sample, and the figures of a run."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Found
from herobench.analysis.report.write import report_runs, write_report
from herobench.analysis.samples.frame import frame_of
from herobench.analysis.samples.samples import declared_columns, tidy_columns
from herobench.analysis.samples.sources import read_sources
from herobench.data.rows import write_rows
from herobench.suites.rpg.journey.options import JourneyStyle
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import LEAVE, Call
from herobench.task_gen.rpg.journey.regrets import best_plan
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.suites.rpg.journey.roads import journey
from tests.suites.rpg.journey.samples import sample, unmeasured

READING = load_reading("journey")
CAMP: Call = ("camp",)
"""An action that is a mistake for a hero with all hearts: it costs its time, and changes nothing."""


def road(regions: int, number: int = 0) -> Journey:
    """A journey with all at hand, which is quick to solve."""
    return journey(regions, "hand", 1, 2, f"figures/{number}")


def test_each_way_to_lose_is_a_cause() -> None:
    task = road(2)
    gather: Call = ("gather", "moss")
    cases = {
        "I do not know.": Found("no_plan"),
        "```python\ncamp()\nfor i in range(3): camp()\n```": Found("rejected", 2),
        task.plan[:-1]: Found("stopped"),
        (CAMP, gather): Found("no_site", 2, "moss"),
        (("gather", "moss: 2"),): Found("no_site", 1, "moss:"),
        (LEAVE,): Found("gate_closed", 1),
        (CAMP, *task.plan): Found("slower"),
        task.plan: None,
    }
    samples = [sample(task, plan) for plan in cases]
    assert [READING.cause(each) for each in samples] == list(cases.values())
    assert {loss.cause for loss in cases.values() if loss} <= set(READING.causes)
    assert {each["failure"] for each in samples} - {None} == set(READING.failures) - {"failed"}
    assert READING.cause(unmeasured(task)) is None


def test_facts_are_declared_and_the_same_for_every_sample() -> None:
    task = road(2)
    off = sample(task, task.plan, JourneyStyle(regrets="off"))
    facts = [READING.facts(each) for each in (sample(task, (CAMP, *task.plan)), off, unmeasured(task))]
    full, plain, empty = facts
    assert tuple(full) == tuple(plain) == tuple(empty)
    assert {*full} <= {*declared_columns("journey")}
    assert {*READING.separates} <= {*READING.settings}
    assert {"regions", "kind"} <= {*tidy_columns("journey")}
    assert (full["kind"], full["thought"], full["mistakes_by_reach"]) == ("hand, width 1, reach 2", 400, "1")
    assert full["sight_times"] == " ".join(str(time) for time in task.sights.values())
    assert sum(map(int, full["decision_reaches"].split())) == len(task.plan) + 1
    assert {plain["mistakes"], plain["mistakes_by_reach"], plain["decision_reaches"]} == {None}
    assert (empty["choices"], empty["thought"]) == (None, None)


def test_decisions_are_counted_by_the_reach_that_they_need() -> None:
    """Those of a best plan are the certificate's; those of another are worked out, the mistakes among them."""
    task = next(road(4, number) for number in range(20) if road(4, number).sights[1] > road(4, number).least)
    certified_reaches = [task.reaches.count(reach) for reach in range(1, len(task.sights) + 2)]
    assert sample(task, task.plan)["details"]["reaches"] == certified_reaches
    # a mistake at the end leaves the other decisions as they were
    *others, last = task.plan
    details = sample(task, (*others, CAMP, last))["details"]
    assert details["mistakes"] == 1
    assert [more - less for more, less in zip(details["reaches"], certified_reaches, strict=True)] == [1] + [0] * 8
    short = sample(task, best_plan(BackwardSolver(task.road), task.road, 1))
    counts, mistakes = short["details"]["reaches"], short["events"]["mistakes"]
    assert sum(counts) == short["details"]["choices"]
    assert mistakes
    assert all(each["reach"] > 1 for each in mistakes)
    assert all(counts[each["reach"] - 1] for each in mistakes)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Plans for roads of 2 and 4 regions: two mistakes in one plan, one that is refused, one without regrets."""
    short, long = [road(2, number) for number in range(3)], [road(4, number) for number in range(2)]
    rows = [
        sample(short[0], (CAMP, CAMP, *short[0].plan), output_tokens=100),
        sample(short[1], short[1].plan, output_tokens=200),
        sample(short[2], (LEAVE,), output_tokens=None),
        sample(long[0], long[0].plan, output_tokens=800),
        sample(long[1], (CAMP, *long[1].plan), JourneyStyle(regrets="off"), output_tokens=800),
        unmeasured(road(4, 2)),
    ]
    file = tmp_path_factory.mktemp("run") / "walker.jsonl"
    write_rows(file, rows)
    return file


def test_the_tables_have_the_figures_of_a_run(run: Path) -> None:
    tables = READING.tables(frame_of([run]))
    plans = [len(road(*each).plan) for each in ((2, 0), (2, 1), (4, 0))]
    between = tables["between_mistakes"]
    # the plan that stops ends with a mistake
    assert (between["decisions"], between["mistakes"]) == (sum(plans) + 3, 3)
    assert between["estimate"] == (sum(plans) + 3) / 3
    # two mistakes in one of two tasks: a third task may hold any number
    assert between["low"] < between["estimate"]
    assert between["high"] is None
    camp = road(2).road.limits.camp
    short, long = tables["by_length"]
    assert [(row["regions"], row["plans"], row["arrived"]) for row in (short, long)] == [(2, 3, 2), (4, 2, 2)]
    assert short["time_lost"]["estimate"] == pytest.approx(100 * camp / road(2).least)
    assert long["time_lost"]["estimate"] == pytest.approx(50 * camp / road(4, 1).least)
    assert (short["best"]["estimate"], short["near"]["estimate"], long["best"]["estimate"]) == (1 / 3, 1 / 3, 0.5)
    assert (short["thought"]["estimate"], long["thought"]["estimate"]) == (75, 200)
    assert (long["between_mistakes"]["mistakes"], long["between_mistakes"]["estimate"]) == (0, None)
    first, *others = tables["by_reach"]
    assert (first["reach"], first["mistakes"]) == (1, 2)
    assert sum(row["decisions"] for row in (first, *others)) == between["decisions"] - 1
    assert first["estimate"] == 2 / first["decisions"]
    assert [row["mistakes"] for row in others] == [0] * len(others)


def test_the_remarks_say_the_figures_in_words(run: Path) -> None:
    words = READING.remarks(frame_of([run]))
    number = sum(len(road(*each).plan) for each in ((2, 0), (2, 1), (4, 0))) + 3
    assert words["decisions between mistakes"].endswith(f"; 3 in {number} decisions)")
    assert "1 of 3 plans do not arrive; within 1 %: 33.3 % (" in words["2 regions"]
    assert words["4 regions"].startswith("time lost ")
    assert words["tokens a region"].startswith("138 (")
    assert words["mistakes by reach"].startswith("1: ")
    assert set(words) >= {"between large mistakes", "sight"}


@pytest.mark.parametrize(
    ("plan", "between", "sight"),
    [("best", " or more (0 in ", "3 or more"), ("bare", " in ", "under 1 region (1 or less)")],
)
def test_figures_at_the_ends_of_their_scales(tmp_path: Path, plan: str, between: str, sight: str) -> None:
    roads = [road(2, number) for number in range(3)]
    plans: list[Any] = [each.plan if plan == "best" else (*[CAMP] * 40, *each.plan) for each in roads]
    write_rows(tmp_path / "a.jsonl", list(map(sample, roads, plans)))
    words = READING.remarks(frame_of([tmp_path / "a.jsonl"]))
    assert between in words["decisions between mistakes"]
    assert sight in words["sight"] or plan == "best"


@pytest.mark.parametrize(("plan", "side"), [("best", "over 2 regions (no interval)"), ("bare", "under 1 region (no")])
def test_one_plan_stands_on_its_side_of_the_scale(tmp_path: Path, plan: str, side: str) -> None:
    task = next(road(2, number) for number in range(20) if road(2, number).sights[1] > road(2, number).least)
    short = {1: task.sights[1], 2: task.least + 1e-3}  # a scale at whose end there is still something lost
    task = dataclasses.replace(task, sights=short)
    write_rows(tmp_path / "a.jsonl", [sample(task, task.plan if plan == "best" else (*[CAMP] * 40, *task.plan))])
    samples = frame_of([tmp_path / "a.jsonl"])
    assert READING.remarks(samples)["sight"].startswith(side)
    assert READING.tables(samples)["sight"]["below_scale"] == (plan == "bare")


def test_the_report_has_the_remarks(run: Path, tmp_path: Path) -> None:
    write_report(tmp_path / "page.html", report_runs(read_sources([run])))
    assert "decisions between mistakes" in (tmp_path / "page.html").read_text("utf-8")
