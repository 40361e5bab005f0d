"""`--on` for this suite: the same rows and the same words as on one machine."""

from pathlib import Path

import pytest

from herobench.suites.epoch import load_level
from tests.cluster.here import assert_made_and_proven, here, on
from tests.program import herobench, write_jsonl

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")
MADE = ("--count", "5", "--gates", "2,3")


@pytest.mark.slow
def test_made_levels_are_those_of_one_machine_and_are_proven(tmp_path: Path) -> None:
    assert_made_and_proven(tmp_path, "epoch", *MADE)


def test_rows_that_are_no_tasks_are_named_as_on_one_machine(tmp_path: Path) -> None:
    first, second = (load_level(id).as_row() for id in ("L01", "L02"))
    rows = [first, "nonsense", {**second, "hidden": ["zork"]}, {"id": 3}, first]
    file = write_jsonl(tmp_path / "levels.jsonl", rows)
    alone = herobench("validate", "--suite", "epoch", file, "--jobs", "1")
    done = on(tmp_path, "validate", "--suite", "epoch", file)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (2, "1 of 5 tasks hold\n")
    assert done.stderr.splitlines()[1:] == alone.stderr.splitlines()
