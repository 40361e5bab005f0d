"""A run that an earlier release began: it resumes, or says why it does not."""

from pathlib import Path
from shutil import copytree

import pytest

from tests.cli.running import calls, contents, resume, samples
from tests.program import herobench, read_jsonl

BEGUN = Path(__file__).parents[1] / "runs" / "old_release"
TINY = Path(__file__).parents[1] / "suites" / "rpg" / "worlds" / "tiny"


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    return Path(copytree(BEGUN, tmp_path / "begun"))


def assert_whole(run: Path, tmp_path: Path) -> None:
    """The run is as one that this release began and ended, and replies that were kept were not asked again."""
    whole = tmp_path / "whole"
    options = ("--model", "oracle", "--tasks", BEGUN / "tasks.jsonl", "--world", TINY, "--epochs", "2", "--jobs", "1")
    assert herobench("run", *options, "-o", whole).returncode == 0
    prints = [herobench("fingerprint", path, "--show", "--samples").stdout for path in (run, whole)]
    assert prints[0] == prints[1]
    assert "won" in prints[0]
    assert "lost" in prints[0]
    assert calls(run)[:3] == read_jsonl(BEGUN / "calls.jsonl")
    assert len(calls(run)) == 8
    assert herobench("analyze", run).returncode == 0


@pytest.mark.slow
def test_a_run_whose_attempts_have_no_verdict_yet_resumes(begun: Path, tmp_path: Path) -> None:
    (begun / "samples.jsonl").write_text("", "utf-8")
    done = resume(begun, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert_whole(begun, tmp_path)


def test_a_run_that_was_scored_in_another_way_resumes_when_it_was_scored_again(begun: Path, tmp_path: Path) -> None:
    before = contents(begun)
    done = resume(begun, "--jobs", "1")
    assert (done.returncode, done.stdout) == (2, "")
    first, advice = done.stderr.splitlines()
    assert first.startswith(
        f"{begun} has samples of scorer 3, such as 1/1_Tonic_craft, epoch 0, and this version has scorer "
    )
    assert advice.endswith(f"herobench score {begun}")
    assert {name: data for name, data in contents(begun).items() if name != "lock"} == before

    assert herobench("score", begun).returncode == 0
    assert len(samples(begun)) == 2
    done = resume(begun, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert_whole(begun, tmp_path)
