"""`herobench analyze --on`: what it says is what it says on one machine."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from herobench.analysis.samples.facts import chunks_of, facts
from herobench.analysis.samples.sources import read_sources
from herobench.cluster.store import Unreachable
from herobench.data.errors import SandboxError
from herobench.work.engine import Lost
from tests.cluster.here import Here, here
from tests.program import herobench, read_jsonl, write_jsonl

__all__ = ["here"]
EXAMPLES = Path(__file__).parents[2] / "world_data" / "examples"


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answers that were scored, each in some epochs."""
    folder = tmp_path_factory.mktemp("scored")
    rows = [{**row, "epoch": epoch} for epoch in range(4) for row in read_jsonl(EXAMPLES / "answers.jsonl")]
    answers = write_jsonl(folder / "answers.jsonl", rows)
    done = herobench("score", EXAMPLES / "tasks.jsonl", answers, "-o", folder / "scored.jsonl", "--jobs", "1")
    assert done.returncode == 0
    return folder / "scored.jsonl"


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herobench.analysis.samples.facts.chunks_of", lambda source: chunks_of(source, 5_000))


@pytest.mark.usefixtures("small_chunks")
def test_chunks_that_end_in_another_order_make_the_same_facts(scored: Path) -> None:
    sources = read_sources([scored])
    engine = Here(width=4, fate=lambda number: Lost("gone") if number in (1, 4) else None)
    assert list(facts(sources, engine).rows()) == list(facts(sources).rows())
    assert engine.calls > 6


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_the_command_says_the_same(form: str, scored: Path, here: Callable[[Here], None]) -> None:
    alone = herobench("analyze", scored, "--format", form, "--jobs", "1")
    done = herobench("analyze", scored, "--format", form, "--on", "ray")
    assert (done.returncode, done.stderr) == (0, alone.stderr)
    assert done.stdout == alone.stdout


@pytest.mark.usefixtures("small_chunks")
def test_the_first_wrong_line_is_named(scored: Path, tmp_path: Path, here: Callable[[Here], None]) -> None:
    rows = read_jsonl(scored)
    wrong = write_jsonl(tmp_path / "wrong.jsonl", [*rows, {"task_id": 5}, *rows])
    alone = herobench("analyze", wrong, "--jobs", "1")
    done = herobench("analyze", wrong, "--on", "ray")
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (2, "")
    assert done.stderr == alone.stderr
    assert f"{wrong}:{len(rows) + 1}" in done.stderr


def test_a_file_that_no_worker_can_read_is_named(scored: Path) -> None:
    sources = [replace(source, path=scored) for source in read_sources([scored])]
    engine = Here(fate=lambda number: SandboxError("no disk"))
    with pytest.raises(Unreachable, match=r"scored\.jsonl cannot be read after 3 tries: no disk"):
        facts(sources, engine)


def test_pages_are_made_without_a_cluster(scored: Path, tmp_path: Path, here: Callable[[Here], None]) -> None:
    done = herobench("analyze", scored, "--format", "html", "-o", tmp_path / "page.html", "--on", "ray")
    assert (done.returncode, done.stdout) == (2, "")
    assert "html shows whole samples: leave --on out" in done.stderr
    assert not (tmp_path / "page.html").exists()
