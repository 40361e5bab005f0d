import os
import subprocess
from pathlib import Path
from shutil import copytree

import pytest

from tests.golden import Golden
from tests.made_runs import changed, make_run
from tests.program import command, herobench, read_jsonl, surroundings, write_jsonl
from tests.sizes import for_each


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "greedy", "greedy", [8, 9], 8)


@pytest.mark.slow
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


@for_each("size", ["3.3", "0x2", "axb", "100x2", "nanx2"])
def test_a_size_that_is_none_is_refused(size: str, run: Path, tmp_path: Path, golden: Golden) -> None:
    golden(herobench("plot", run, "--size", size, cwd=tmp_path))


def test_where_nothing_was_measured_there_is_nothing_to_draw(tmp_path: Path, golden: Golden) -> None:
    none = make_run(tmp_path / "none", "noop", [1], 2, measured=False)
    golden(herobench("plot", none))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "args"),
    [("matplotlib", ["plot"]), ("pyarrow", ["analyze", "--format", "parquet"])],
)
def test_a_library_that_is_an_extra_is_asked_for_by_name(
    run: Path, tmp_path: Path, library: str, args: list[str], golden: Golden
) -> None:
    (tmp_path / f"{library}.py").write_text("raise ImportError('not here')", "utf-8")
    away = {**surroundings(), "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    golden(
        subprocess.run(
            command(*args, run, "-o", tmp_path / "out"), capture_output=True, text=True, timeout=120, env=away
        )
    )


def test_a_folder_that_cannot_be_made_is_named(run: Path, tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    golden(herobench("plot", run, "-o", tmp_path / "file"))


def test_a_run_is_drawn_once_and_never_drawn_over(run: Path, tmp_path: Path, golden: Golden) -> None:
    golden(herobench("plot", run, run, "-o", tmp_path))
    rows = tmp_path / "mean_score.png"
    rows.write_bytes(before := (run / "samples.jsonl").read_bytes())
    golden(herobench("plot", rows, "-o", tmp_path))
    assert rows.read_bytes() == before
