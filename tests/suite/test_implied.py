"""Which suite is meant where none is named: suites of the test stand before ours among the default ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import herobench
from herobench.cluster.maps import Generate
from herobench.data.errors import UsageError
from herobench.runs.spec import make_spec
from herobench.scorer import TaskQuery
from herobench.suite.checked import close_suite
from herobench.suite.choice import Clues, implied_suite
from herobench.suite.plugins import default_suite, default_suites
from herobench.suite.refusals import SuiteFault
from tests.packages import install
from tests.program import herobench as command
from tests.program import read_jsonl, write_jsonl
from tests.refusals import raises
from tests.sizes import for_each

CODE = """
    from dataclasses import dataclass
    from typing import Annotated
    from herobench.data.options import Option
    from herobench.suite.contract import TaskInfo
    from herobench.suite.generating import Made, TaskGenerator
    from tests.tiny_suite import TinySuite

    @dataclass
    class Height:
        height: Annotated[int, Option("How high.")] = 1

    @dataclass
    class Depth:
        depth: Annotated[int, Option("How deep.")] = 1

    @dataclass
    class Width:
        width: Annotated[int, Option("How wide.")] = 1

    class Pits(TaskGenerator):
        options = Width
        def make(self, request):
            return Made(1, iter([{"id": "new", "pit": True}]))

    class Towers(TinySuite):
        datasets, task_fields, run_options = ("towers-v2",), ("tower",), (Height,)
        def __init__(self, setting):
            super().__init__(setting)
            self.dataset = self.choose_dataset(setting)

    class Caves(Towers):
        datasets, task_fields, run_options = ("caves-v1", "mines-v1"), ("pit",), (Depth,)
        modes, has_brackets = ("walk", "dig"), True
        def tasks(self):
            return [TaskInfo("t0", "3", {"id": "t0"})]
        @staticmethod
        def generator():
            return Pits()

    class Wells(Towers):
        datasets, task_fields = ("wells-v1", "shared-v1"), ()

    class Ponds(Towers):
        datasets, task_fields = ("ponds-v1", "shared-v1"), ()
"""
POINTS = {
    "herobench.suites": {name: f"places:{name.title()}" for name in ("towers", "caves", "wells", "ponds")},
    "herobench.defaults": {"00": "towers", "01": "caves", "02": "nowhere"},
}


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", "places", CODE, POINTS, "places")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with files of tasks of both default suites, and some that are torn."""
    monkeypatch.chdir(tmp_path)
    for name, field in (("high", "tower"), ("low", "pit"), ("other", "pond")):
        write_jsonl(tmp_path / f"{name}.jsonl", [{"id": "t0", field: 1}])
    (tmp_path / "torn.jsonl").write_text('{"id": "t\n{"id": "t1", "pit": 1}\n', "utf-8")
    (tmp_path / "folder").mkdir()
    write_jsonl(tmp_path / "folder" / "low.jsonl", [{"id": "t0", "pit": 1}])
    return tmp_path


def test_the_default_suites_stand_in_order_and_are_installed() -> None:
    assert default_suites()[:2] == ["towers", "caves"]
    assert "nowhere" not in default_suites()
    assert default_suite() == "towers"


@for_each(
    ("clues", "suite"),
    [
        (Clues(), "towers"),
        (Clues("towers"), "towers"),
        (Clues("caves-v1"), "caves"),
        (Clues("mines"), "caves"),
        (Clues("wells"), "wells"),
        (Clues("high.jsonl"), "towers"),
        (Clues(Path("low.jsonl")), "caves"),
        (Clues("folder"), "caves"),
        (Clues("torn.jsonl"), "caves"),
        (Clues(options=["height"]), "towers"),
        (Clues(options=["depth"]), "caves"),
        (Clues(options=["mode"]), "caves"),
        (Clues(options=["mode"], mode="dig"), "caves"),
        (Clues(options=["mode"], mode="fly"), "towers"),
        (Clues(groups=True), "caves"),
        (Clues("towers", groups=True), "towers"),
        (Clues("towers", ["depth"]), "towers"),
        (Clues("wells", ["depth"]), "wells"),
        (Clues(options=["width"], generates=True), "caves"),
        # nothing fits, so the suite that says why is the first that knows the options
        (Clues(options=["width"]), "towers"),
        (Clues(options=["depth", "height"]), "towers"),
        (Clues("nothing.jsonl"), "towers"),
        (Clues("other.jsonl", ["depth"]), "caves"),
        (Clues("-", ["depth"]), "caves"),
    ],
)
def test_the_first_suite_is_meant_that_has_the_tasks_and_knows_the_options(
    clues: Clues, suite: str, files: Path
) -> None:
    assert implied_suite(clues) == suite


def test_a_dataset_of_several_suites_and_tasks_of_standard_input_need_the_name() -> None:
    with raises(SuiteFault.OF_SEVERAL, "ponds", "wells", "'shared'"):
        implied_suite(Clues("shared"))
    for is_grouped in (False, True):
        with raises(SuiteFault.OF_INPUT, "--suite towers or --suite caves"):
            implied_suite(Clues("-", groups=is_grouped))


@for_each(
    ("words", "suite"),
    [
        ("", "towers"),
        ("--dataset caves", "caves"),
        ("--dataset wells", "wells"),
        ("--tasks low.jsonl", "caves"),
        ("--depth 2", "caves"),
        ("--set depth=2", "caves"),
        ("--difficulty 3", "caves"),
        ("--height 2", "towers"),
    ],
)
def test_a_run_keeps_the_suite_that_is_meant_and_resumes(words: str, suite: str, files: Path) -> None:
    run = files / f"run{words}"
    done = command("run", "--model", "echo", *words.split(), "-o", run, cwd=files)
    assert done.returncode == 0, done.stderr
    assert {row["suite"] for row in read_jsonl(run / "samples.jsonl")} == {suite}
    for again in (("run", "--resume", run), ("score", run)):
        assert command(*again).returncode == 0
    other = "caves" if suite == "towers" else "towers"
    assert command("score", run, "--suite", other).stderr == "A run names its suite: leave --suite out.\n"


@for_each(
    ("words", "told"),
    [
        ("--colour red", "No such option: --colour"),
        ("--dataset wells --depth 2", "No such option: --depth"),
        ("--dataset towers --depth 2", "No such option: --depth"),
        ("--depth 2 --height 2", "No such option: --depth"),
        ("--dataset nothing", "The suite towers has the dataset towers-v2, and no dataset 'nothing'."),
        ("--dataset nothing --depth 2", "The suite caves has the datasets caves-v1 and mines-v1, and no dataset"),
        ("--dataset shared", "The suites ponds and wells all have a dataset 'shared'"),
    ],
)
def test_what_no_suite_knows_is_an_error_of_the_one_that_is_nearest(words: str, told: str, files: Path) -> None:
    done = command("run", "--model", "echo", *words.split(), "-o", "run", cwd=files)
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr


def test_the_help_shows_the_options_of_the_first_suite_and_says_how_to_see_those_of_others() -> None:
    told = " ".join(command("run", "--help", columns=300).stdout.split())
    assert "Options of the suite towers" in told
    assert "Options of the suite caves are --depth: `herobench run --suite caves --help` explains them." in told
    named = " ".join(command("run", "--suite", "caves", "--help", columns=300).stdout.split())
    assert ("--depth" in named, "--height" in named) == (True, False)
    implied = " ".join(command("tasks", "list", "--depth", "1", "--help", columns=300).stdout.split())
    assert "Options of the suite towers are --height: `herobench tasks list --suite towers --help`" in implied


def test_generate_asks_the_suite_whose_generator_knows_the_options(files: Path) -> None:
    done = command("generate", "--width", "3", "-o", "new.jsonl", cwd=files)
    assert (done.returncode, read_jsonl(files / "new.jsonl")) == (0, [{"id": "new", "pit": True}])
    assert "herobench tasks list --tasks new.jsonl" in done.stderr
    refused = command("generate", "-o", "more.jsonl", cwd=files)
    assert refused.stderr == "The suite towers ships its own tasks: herobench tasks list --suite towers.\n"


@for_each(
    ("knobs", "suite"),
    [
        ({}, "towers"),
        ({"dataset": "mines"}, "caves"),
        ({"tasks": "low.jsonl"}, "caves"),
        ({"depth": 2}, "caves"),
        ({"difficulty": "3"}, "caves"),
        ({"seed": 1, "width": 2}, "caves"),
        ({"dataset": "ponds", "height": 2}, "ponds"),
        ({"suite": "wells", "depth": 2}, "wells"),
    ],
)
def test_a_query_of_another_tool_means_a_suite_in_the_same_way(knobs: dict[str, str], suite: str, files: Path) -> None:
    query = TaskQuery(**knobs)
    assert query.suite == suite
    assert TaskQuery(**query.as_knobs()) == query


def test_python_programs_and_jobs_on_clusters_mean_a_suite_in_the_same_way(files: Path) -> None:
    assert herobench.run("echo", dataset="caves", output="run").config.suite == "caves"
    spec = make_spec({"model": "echo", "groups": ("3",)})
    close_suite(spec.suite)
    assert spec.config.suite == "caves"
    with pytest.raises(UsageError, match="The suite caves makes its tasks one after the other"):
        Generate(width="2")
