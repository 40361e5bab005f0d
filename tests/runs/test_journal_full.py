"""A disk that takes no more: what came before stands, whole, and nothing comes after."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from herobench.runs.journal import Journal, read_journal
from tests.runs.full_disk import ROWS, row
from tests.sizes import for_each

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "tests.runs.full_disk"]
MOUNT = 'mount -t tmpfs -o size=64k none "$1" && shift && exec "$@"'


def outcome(*command: str | Path) -> dict[str, Any]:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def assert_whole(told: dict[str, Any], path: Path, reason: str) -> None:
    kept = told["kept"]
    assert 0 < len(kept) < ROWS
    assert kept == list(range(len(kept))), "after the first failure nothing more is written, though it would fit"
    assert told["rows"] == kept
    assert told["whole"]
    assert len(told["failed"]) == ROWS - len(kept)
    assert all(reason in failed for failed in told["failed"])
    assert told["files"] == [str(path)]


@for_each("most", [2_000, 20_000, 65_536, 65_537])
def test_a_file_that_may_not_grow_stays_whole_and_goes_on_well_once_it_may(tmp_path: Path, most: int) -> None:
    path = tmp_path / "rows.jsonl"
    told = outcome(*PROGRAM, path, str(most))
    assert_whole(told, path, os.strerror(27))
    assert path.stat().st_size <= most

    async def go_on() -> None:
        with closing(Journal(path)) as journal:
            await journal.append({"row": "next"})

    asyncio.run(go_on())
    rows = list(read_journal(path))
    assert rows == [*map(row, told["kept"]), {"row": "next"}]


def test_a_full_disk_leaves_the_file_whole(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    within = ["unshare", "--map-root-user", "--mount", "sh", "-c", MOUNT, "sh", str(disk)]
    if not shutil.which("unshare") or subprocess.run([*within, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets us mount no disk of our own")
    told = outcome(*within, *PROGRAM, disk / "rows.jsonl")
    assert_whole(told, disk / "rows.jsonl", os.strerror(28))
