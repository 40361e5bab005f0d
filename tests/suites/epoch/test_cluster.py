"""`--on` for this suite: the same rows and the same words as on one machine."""

from pathlib import Path
from typing import Any

import pytest

from tests.cluster.here import assert_made_and_proven, here, on
from tests.program import herobench, read_jsonl, write_jsonl

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")
MADE = ("--count", "5", "--gates", "2,3")


@pytest.mark.slow
def test_made_levels_are_those_of_one_machine_and_are_proven(tmp_path: Path) -> None:
    assert_made_and_proven(tmp_path, "epoch", *MADE)


def test_rows_that_are_no_tasks_are_named_as_on_one_machine(tmp_path: Path) -> None:
    file = tmp_path / "levels.jsonl"
    herobench("generate", "--suite", "epoch", *MADE, "-o", file, "--jobs", "1")
    rows: list[Any] = read_jsonl(file)
    write_jsonl(file, [rows[0], "nonsense", {**rows[1], "hidden": ["zork"]}, {"id": 3}, rows[0]])
    alone = herobench("validate", "--suite", "epoch", file, "--jobs", "1")
    done = on(tmp_path, "validate", "--suite", "epoch", file)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (2, "1 of 5 tasks hold\n")
    assert done.stderr.splitlines()[1:] == alone.stderr.splitlines()
