"""Sets of journeys have the same ids and other roads: their tasks are never paired, and their runs ranked apart."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.report.write import report_runs, write_report
from herobench.analysis.samples.sources import AskedDataset, read_sources
from herobench.analysis.samples.variants import KeptTasks, datasets_by_row
from herobench.data.documents import schema_problems
from tests.program import herobench

SETS = {"far": "horizon-v4", "chance": "luck-v1"}
NOTE = (
    "These runs are of different datasets, which have other tasks under the same ids: luck-v1 (chance), "
    "horizon-v4 (far, copy, twins)."
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of short tasks of each set; a copy of one under another name; private twins."""
    folder = tmp_path_factory.mktemp("runs")
    for name, dataset in SETS.items():
        words = ("run", "--model", "greedy", "--dataset", dataset, "--task-id", "2/[15]", "-o", folder / name)
        assert herobench(*words).returncode == 0
    shutil.copytree(folder / "far", folder / "copy")
    manifest = json.loads((folder / "copy" / "run.json").read_text("utf-8"))
    manifest["config"]["dataset"] = "mine"
    (folder / "copy" / "run.json").write_text(json.dumps(manifest), "utf-8")
    words = ("run", "--model", "greedy", "--task-id", "2/[15]", "--fresh", "7", "-o", folder / "twins")
    assert herobench(*words).returncode == 0
    return folder


@pytest.mark.parametrize(
    ("pair", "shared"),
    [
        (("far", "chance"), 0),
        (("chance", "far"), 0),
        (("twins", "chance"), 0),
        (("chance", "twins"), 0),
        (("far", "copy"), 2),
        (("far", "twins"), 2),
    ],
)
def test_compare_pairs_roads_and_no_ids(pair: tuple[str, str], shared: int, runs: Path) -> None:
    done = herobench("compare", *(runs / name for name in pair), "--json")
    assert json.loads(done.stdout)["success"]["shared"] == shared
    assert ("no task is measured in both" in done.stderr) == (not shared)
    assert ("of different datasets" in done.stderr) == (not shared)


def test_compare_tells_the_ratio_of_decisions_between_mistakes(runs: Path) -> None:
    told = json.loads(herobench("compare", runs / "far", runs / "twins", "--json").stdout)
    assert schema_problems(told, "comparison", "stdout") == []
    ranked = told["ranked_by"]
    assert (ranked["name"], ranked["ratio"]["tasks"]) == ("between_mistakes", 2)
    assert ranked["ratio"]["estimate"] == ranked["first"]["estimate"] / ranked["second"]["estimate"]
    text = herobench("compare", runs / "far", runs / "far", columns=300).stdout
    assert re.search(r"\ndecisions between mistakes, ratio +not told apart: 1.00 times the second's \(", text)
    assert "ranked_by" not in json.loads(herobench("compare", runs / "far", runs / "chance", "--json").stdout)


def test_the_leaderboard_keeps_sets_apart_and_names_them(runs: Path) -> None:
    words = ("leaderboard", runs / "chance", runs / "copy", runs / "far", runs / "twins")
    done = herobench(*words, "--format", "json")
    sets = {row["name"]: row["apart"]["tasks"] for row in json.loads(done.stdout)["runs"]}
    far = "of horizon-v4"
    assert sets == {"chance": "of luck-v1", "copy": far, "far": far, "twins": far}
    assert NOTE in done.stderr
    alone = herobench("leaderboard", runs / "far", "--format", "json")
    assert "tasks" not in json.loads(alone.stdout)["runs"][0]["apart"]


def test_a_report_compares_no_tasks_of_two_sets(runs: Path, tmp_path: Path) -> None:
    for second, shared in (("chance", False), ("twins", True)):
        write_report(tmp_path / "page.html", report_runs(read_sources([runs / "far", runs / second])))
        assert ("2 shared tasks" in (tmp_path / "page.html").read_text("utf-8")) == shared


def test_a_dataset_without_rows_is_known_by_its_name() -> None:
    kept = [
        KeptTasks(name, "journey", asked and AskedDataset(asked), {})
        for name, asked in (("a", "one"), ("b", "two"), ("c", None), ("d", "one"))
    ]
    assert datasets_by_row(kept, load_reading("journey")) == {"one": ["a", "d"], "two": ["b"]}
    assert datasets_by_row(kept, Reading()) == datasets_by_row(kept[:1], load_reading("journey")) == {}
