"""The reading of the suite autumn: means over environments, the baseline, and what a page gets of a sample."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest

from herobench.analysis.reading.interval import wilson
from herobench.data.documents import schema_problems
from herobench.suites.autumn.episode.challenge import FAMILIES
from herobench.suites.autumn.reading.reading import (
    AutumnReading,
    build_tables,
    environment_mean,
    mean_baseline,
    replay_lcs,
)
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each
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


@for_each(
    ("actions", "share"),
    [
        ("left up reset left up", 1.0),
        ("left up reset left up down down", 1.0),  # a replay, and more
        ("left up down up reset left down", 1.0),
        ("left up reset up left", 0.5),
        ("left up reset down down", 0.0),
        ("left up reset left up reset down", 0.5),  # the mean of two resets
        ("left reset reset left", 1.0),  # no action between them
        ("left jump reset left go-to-test", 1.0),
        ("left up", None),
        ("reset left", None),
    ],
)
def test_replays_around_resets_are_measured_by_what_both_sides_have_in_common(actions: str, share: float) -> None:
    turns = [{"action": word} | ({"refused": "unknown"} if word == "jump" else {}) for word in actions.split()]
    assert replay_lcs({"phases": [{"turns": turns}]}) == share


def test_a_row_without_sound_events_has_no_figure_of_replays() -> None:
    for events in (None, {}, {"phases": []}, {"phases": [{"turns": None}]}, {"phases": [{"turns": [{}]}]}):
        assert replay_lcs(events) is None


def test_two_players_without_a_plan_have_more_than_half_in_common() -> None:
    """The figure needs such a floor beside it: docs/autumnbench.md tells it."""
    rng = Random(3)
    shares = []
    for _ in range(300):
        turns = [{"action": rng.choice(("left", "right", "up", "down", "noop", "click 1 1"))} for _ in range(40)]
        shares.append(replay_lcs({"phases": [{"turns": [*turns[:20], {"action": "reset"}, *turns[20:]]}]}) or 0.0)
    assert sum(shares) / len(shares) == pytest.approx(0.5, abs=0.05)


def table(*rows: tuple[str, str, float | None]) -> pd.DataFrame:
    named = [{"environment": env, "task_id": task, "task_score": score} for env, task, score in rows]
    return pd.DataFrame(named).assign(measured=True, chance="stochastic", category="game", family="planning")


def test_means_are_over_environments_and_the_baseline_is_a_percentile() -> None:
    samples = table(("a", "a1", 1.0), ("a", "a2", 1.0), ("b", "b1", 0.0), ("b", "b2", None))
    mean = environment_mean(samples)
    assert (mean.estimate, mean.samples, mean.tasks) == (0.5, 3, 2)
    assert (mean.low, mean.high) == wilson(1, 2), "two environments, one with the full score and one with none"
    rewards = environment_mean(samples.assign(reference_reward=[-1.0, -1.0, 0.5, None]), "reference_reward")
    assert (rewards.estimate, rewards.low > -1) == (-0.25, True), "rewards are from -1 to 1"
    steps = environment_mean(samples.assign(interaction_steps=[1, 1, 90, None]), "interaction_steps")
    assert (steps.estimate, steps.low, steps.high > 90) == (45.5, 0.0, True), "steps have no upper bound"
    attempts = table(*(("a", "a1", score / 10) for score in range(10)), ("b", "b1", 0.5))
    assert mean_baseline(attempts).estimate == pytest.approx((0.7 + 0.5) / 2)
    assert build_tables(run_columns(samples))["scores"]["all"]["estimate"] == 0.5


def run_columns(samples: pd.DataFrame) -> pd.DataFrame:
    """The table with the other columns that the tables need, all unknown."""
    from herobench.suites.autumn.reading.reading import EXPLORATION

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
