"""`herobench analyze --on`: what it says is what it says on one machine."""

from pathlib import Path

import pytest

from herobench.analysis.samples.facts import chunks_of
from tests.cluster.here import here
from tests.program import herobench, read_jsonl, write_jsonl

__all__ = ["here"]
EXAMPLES = Path(__file__).parents[2] / "world_data" / "examples"
pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Answers that were scored, each in some epochs. They are read in many chunks."""
    monkeypatch.setattr("herobench.analysis.samples.facts.chunks_of", lambda source: chunks_of(source, 5_000))
    rows = [{**row, "epoch": epoch} for epoch in range(4) for row in read_jsonl(EXAMPLES / "answers.jsonl")]
    answers = write_jsonl(tmp_path / "answers.jsonl", rows)
    done = herobench("score", EXAMPLES / "tasks.jsonl", answers, "-o", tmp_path / "scored.jsonl", "--jobs", "1")
    assert done.returncode == 0
    return tmp_path / "scored.jsonl"


def test_the_command_says_the_same_also_of_the_first_wrong_line(scored: Path) -> None:
    for form in ("table", "json", "csv"):
        alone = herobench("analyze", scored, "--format", form, "--jobs", "1")
        done = herobench("analyze", scored, "--format", form, "--on", "ray")
        assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, alone.stderr)
    rows = read_jsonl(scored)
    write_jsonl(scored, [*rows, {"task_id": 5}, *rows])
    alone = herobench("analyze", scored, "--jobs", "1")
    done = herobench("analyze", scored, "--on", "ray")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", alone.stderr)
    assert f"{scored}:{len(rows) + 1}" in done.stderr


def test_pages_are_made_without_a_cluster(scored: Path, tmp_path: Path) -> None:
    done = herobench("analyze", scored, "--format", "html", "-o", tmp_path / "page.html", "--on", "ray")
    assert (done.returncode, done.stdout) == (2, "")
    assert "html shows whole samples: leave --on out" in done.stderr
    assert not (tmp_path / "page.html").exists()
