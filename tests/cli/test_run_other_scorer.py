"""A killed run whose samples another scorer scored: it resumes when it was scored again, and says so before."""

from pathlib import Path
from shutil import copytree

import pytest

from tests.cli.running import calls, contents, resume, samples
from tests.program import herobench, write_jsonl

TASKS = Path(__file__).parents[1] / "runs" / "tiny_tasks.jsonl"
TINY = Path(__file__).parents[1] / "suites" / "rpg" / "worlds" / "tiny"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the oracle: four tasks, two epochs."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    options = ("--model", "oracle", "--tasks", TASKS, "--world", TINY, "--epochs", "2", "--jobs", "1")
    assert herobench("run", *options, "-o", path).returncode == 0
    return path


@pytest.fixture
def begun(whole: Path, tmp_path: Path) -> Path:
    """What a kill leaves of it: two samples of scorer 3, the torn beginning of a third, and its call."""
    path = Path(copytree(whole, tmp_path / "begun"))
    rows = samples(whole)
    for packed in path.glob("*.gz"):
        packed.unlink()
    told = [{**row, "details": {**row["details"], "scorer": 3}} for row in rows[:2]]
    write_jsonl(path / "samples.jsonl", told)
    with (path / "samples.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"schema": 2, "sui')
    write_jsonl(path / "calls.jsonl", calls(whole)[:3])
    return path


def assert_whole(run: Path, whole: Path) -> None:
    """The run is as one that was never killed, and replies that were kept were not asked again."""
    prints = [herobench("fingerprint", path, "--show", "--samples").stdout for path in (run, whole)]
    assert prints[0] == prints[1]
    assert "won" in prints[0]
    assert "lost" in prints[0]
    assert calls(run)[:3] == calls(whole)[:3]
    assert len(calls(run)) == 8
    assert herobench("analyze", run).returncode == 0


@pytest.mark.slow
def test_a_run_whose_attempts_have_no_verdict_yet_resumes(begun: Path, whole: Path) -> None:
    (begun / "samples.jsonl").write_text("", "utf-8")
    done = resume(begun, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert_whole(begun, whole)


def test_a_run_that_was_scored_in_another_way_resumes_when_it_was_scored_again(begun: Path, whole: Path) -> None:
    (begun / "lock").unlink()
    before = contents(begun)
    done = resume(begun, "--jobs", "1")
    assert (done.returncode, done.stdout) == (2, "")
    first, advice = done.stderr.splitlines()
    assert first.startswith(f"{begun} has samples of scorer 3, such as ")
    assert advice.endswith(f"herobench score {begun}")
    assert {name: data for name, data in contents(begun).items() if name != "lock"} == before

    assert herobench("score", begun).returncode == 0
    assert len(samples(begun)) == 2
    done = resume(begun, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert_whole(begun, whole)
