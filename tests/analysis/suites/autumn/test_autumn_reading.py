"""The reading of the suite autumn: means over environments, the baseline, and what a page gets of a sample."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from herobench.analysis.reading.interval import wilson
from herobench.analysis.suites.autumn.reading import AutumnReading, baseline_of, mean_of, tables_of
from herobench.data.documents import schema_problems
from herobench.suites.autumn.episode.challenge import FAMILIES
from tests.program import herobench, read_jsonl, write_jsonl
from tests.suites.autumn.challenges import row


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("autumn")
    tasks = write_jsonl(folder / "beads.jsonl", map(row, FAMILIES))
    words = ("--set", "steps=12", "--set", "total=30", "--set", "span=4")
    done = herobench("run", "--suite", "autumn", "--tasks", tasks, "-m", "random", *words, "-o", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder / "run"


def test_a_run_is_analyzed_and_told_in_json(run: Path) -> None:
    done = herobench("analyze", run, "--format", "json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert schema_problems(document, "analysis", "stdout") == []
    (found,) = document["runs"]
    samples = {sample["group"]: sample["details"] for sample in read_jsonl(run / "samples.jsonl")}
    scores = {part["family"]: part["estimate"] for part in found["worlds"]["scores"]["by_family"]}
    assert scores == {family: samples[family]["task_score"] for family in FAMILIES}
    assert [part["chance"] for part in found["worlds"]["scores"]["by_chance"]] == ["deterministic"]
    areas = [details["perplexity_auc"] for details in samples.values()]
    assert found["worlds"]["exploration"]["perplexity_auc"]["estimate"] == pytest.approx(sum(areas) / 3)


def table(*rows: tuple[str, str, float | None]) -> pd.DataFrame:
    named = [{"environment": env, "task_id": task, "task_score": score} for env, task, score in rows]
    return pd.DataFrame(named).assign(measured=True, chance="stochastic", category="game", family="planning")


def test_means_are_over_environments_and_the_baseline_is_a_percentile() -> None:
    samples = table(("a", "a1", 1.0), ("a", "a2", 1.0), ("b", "b1", 0.0), ("b", "b2", None))
    mean = mean_of(samples)
    assert (mean.estimate, mean.samples, mean.tasks) == (0.5, 3, 2)
    assert (mean.low, mean.high) == wilson(1, 2), "two environments, one with the full score and one with none"
    rewards = mean_of(samples.assign(reference_reward=[-1.0, -1.0, 0.5, None]), "reference_reward")
    assert (rewards.estimate, rewards.low > -1) == (-0.25, True), "rewards are from -1 to 1"
    steps = mean_of(samples.assign(interaction_steps=[1, 1, 90, None]), "interaction_steps")
    assert (steps.estimate, steps.low, steps.high > 90) == (45.5, 0.0, True), "steps have no upper bound"
    attempts = table(*(("a", "a1", score / 10) for score in range(10)), ("b", "b1", 0.5))
    assert baseline_of(attempts).estimate == pytest.approx((0.7 + 0.5) / 2)
    assert tables_of(run_columns(samples))["scores"]["all"]["estimate"] == 0.5


def run_columns(samples: pd.DataFrame) -> pd.DataFrame:
    """The table with the other columns that the tables need, all unknown."""
    from herobench.analysis.suites.autumn.reading import EXPLORATION

    return samples.assign(**dict.fromkeys(("reference_reward", *EXPLORATION)))


def test_the_page_of_a_sample_gets_its_frames_and_the_grids_of_its_test(run: Path) -> None:
    manifest = json.loads((run / "run.json").read_text("utf-8"))
    panel = AutumnReading().panel(run, manifest)
    given: dict[str, Any] = {family: panel.task(f"bead-{family}") for family in FAMILIES}
    assert given["planning"]["goal"][1] == ["#000000", "#000000", "#ff0000", "#000000"]
    assert given["planning"]["goal"][2] == [""] * 4, "cells that do not count"
    assert len(given["prediction"]["choices"]) == 6
    assert "moveDown bead" in given["detection"]["changed"]
    assert given["detection"]["prompt"].startswith("[system]\nYou are a curious agent")
    sample = read_jsonl(run / "samples.jsonl")[0]
    assert panel.sample(sample)["paint"][:2] == ["#ff0000", "#000000"]
    assert panel.sample({**sample, "events": None})["paint"] is None
    torn = {**sample["events"], "phases": [{**sample["events"]["phases"][0], "size": 10**6}]}
    assert panel.sample({**sample, "events": torn})["paint"] is None


@pytest.mark.slow
def test_the_report_has_the_panel(run: Path, tmp_path: Path) -> None:
    done = herobench("analyze", run, "--format", "html", "-o", tmp_path / "report.html")
    assert done.returncode == 0, done.stderr
    assert "PANELS.autumn" in (tmp_path / "report.html").read_text("utf-8")
