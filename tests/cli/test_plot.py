import os
import subprocess
from pathlib import Path
from shutil import copytree

import pytest

from tests.made_runs import changed, make_run
from tests.program import command, herobench, read_jsonl, refuses, surroundings, write_jsonl


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "greedy", "greedy", [8, 9], 8)


def test_figures_are_named_have_the_wanted_size_and_go_by_models(run: Path, tmp_path: Path) -> None:
    twin = copytree(run, tmp_path / "again")
    write_jsonl(twin / "samples.jsonl", [changed(row, rules="paper-hard") for row in read_jsonl(run / "samples.jsonl")])
    args = ["plot", run, twin, "-o", tmp_path / "figures", "--size", "3.3x2.2", "--label", "model"]
    done = herobench(*args)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == sorted(str(path) for path in (tmp_path / "figures").iterdir())
    assert {path.name for path in (tmp_path / "figures").iterdir()} >= {"mean_score.png", "success_by_difficulty.svg"}
    assert "different rules, which do not compare: paper-hard, standard" in done.stderr
    drawn = (tmp_path / "figures" / "mean_success.svg").read_text("utf-8")
    assert "greedy (again)" in drawn
    for wrong in ("3.3", "0x2", "axb", "100x2", "nanx2"):
        assert refuses(herobench("plot", run, "--size", wrong, cwd=tmp_path)) == (
            f"--size {wrong!r}: expected a width and a height of 1 to 40 inches, as in 3.3x2.2."
        )


def test_where_nothing_was_measured_there_is_nothing_to_draw(tmp_path: Path) -> None:
    none = make_run(tmp_path / "none", "noop", [1], 2, measured=False)
    assert refuses(herobench("plot", none)) == "There are no measured samples to draw."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "args", "advice"),
    [
        ("matplotlib", ["plot"], "pip install 'herobench[plots]'"),
        ("pyarrow", ["analyze", "--format", "parquet"], "pip install 'herobench[parquet]'"),
    ],
)
def test_a_library_that_is_an_extra_is_asked_for_by_name(
    run: Path, tmp_path: Path, library: str, args: list[str], advice: str
) -> None:
    (tmp_path / f"{library}.py").write_text("raise ImportError('not here')", "utf-8")
    away = {**surroundings(), "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        command(*args, run, "-o", tmp_path / "out"), capture_output=True, text=True, timeout=120, env=away
    )
    assert advice in refuses(done)


def test_a_folder_that_cannot_be_made_is_named(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert "cannot be written" in refuses(herobench("plot", run, "-o", tmp_path / "file"))


def test_a_run_is_drawn_once_and_never_drawn_over(run: Path, tmp_path: Path) -> None:
    assert refuses(herobench("plot", run, run, "-o", tmp_path)) == f"{run} is named twice."
    rows = tmp_path / "mean_score.png"
    rows.write_bytes(before := (run / "samples.jsonl").read_bytes())
    assert "choose another file" in refuses(herobench("plot", rows, "-o", tmp_path))
    assert rows.read_bytes() == before
