"""The program with few file descriptors: it works or says so in a sentence, and loses nothing."""

import resource
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import TASKS, contents
from tests.program import Done, command, herobench, surroundings
from tests.sizes import many, some_slow

ANSWERS = TASKS.parent / "answers.jsonl"


def with_descriptors(count: int, *args: str | Path, cwd: Path) -> Done:
    return subprocess.run(
        command(*args),
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        env=surroundings(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (count, count)),
    )


def works_or_says_so(done: Done) -> bool:
    """Whether it works; fails where it neither does nor says why not."""
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2), done
    if done.returncode == 2:
        assert "open files" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    return done.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("count", [9, 12, 16, 20, 24, 28, 64])
def test_scoring_works_or_leaves_the_earlier_output_as_it_was(count: int, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")
    done = with_descriptors(count, "score", TASKS, ANSWERS, "-o", "out", "--jobs", "4", cwd=tmp_path)
    if works_or_says_so(done):
        assert len((tmp_path / "out").read_text().splitlines()) == 5
    else:
        assert contents(tmp_path) == {"out": b"old"}
    assert count < 64 or done.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("count", [8, 16, 64])
def test_making_tasks_works_or_leaves_no_half_of_them(count: int, tmp_path: Path) -> None:
    done = with_descriptors(count, "generate", "--count", "3", "--jobs", "2", "-o", "out", cwd=tmp_path)
    assert works_or_says_so(done) == (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_run_is_not_begun_where_its_descriptors_would_run_out(tmp_path: Path) -> None:
    done = with_descriptors(64, "run", "-m", "noop", "--tasks", TASKS, "-o", "run", cwd=tmp_path)
    assert not works_or_says_so(done)
    assert contents(tmp_path) == {}


@pytest.mark.slow
@pytest.mark.parametrize("count", some_slow([7, 10, 20], {7, 20}))
def test_reports_of_a_run_need_few(count: int, tmp_path: Path) -> None:
    assert herobench("run", "-m", "noop", "--tasks", TASKS, "-o", "run", cwd=tmp_path).returncode == 0
    before = contents(tmp_path / "run")
    ways = (["--jobs", "3"], ["--format", "html", "-o", "page.html"], [], ["--format", "csv"])
    for more in ways[: many(4, 2)]:
        works_or_says_so(with_descriptors(count, "analyze", "run", *more, cwd=tmp_path))
    assert contents(tmp_path / "run") == before
