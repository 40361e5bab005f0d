"""The record of what was proven of shipped data: `proven.json` beside this module.

A test with the mark `proves` holds of files and folders: shipped data, and the code that proves it. `make proofs` runs
all such tests on large samples and keeps, for each that passed, the digest of those files and of the test's module.
While the digest stays, only `make test-all` and `make proofs` run the test. A changed byte makes `make test` run it
too, unless it is slow.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest

RECORD = Path(__file__).with_name("proven.json")
ROOT = Path(__file__).parents[1]


@cache
def places_digest(places: tuple[str, ...], root: Path = ROOT) -> str:
    """Return the digest of the names and bytes of some files, and of all files in some folders."""
    whole = hashlib.sha256()
    for place in map(root.joinpath, places):
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.is_file() and "__pycache__" not in file.parts:
                content = hashlib.sha256(file.read_bytes()).hexdigest()
                whole.update(f"{file.relative_to(root).as_posix()} {content}\n".encode())
    return whole.hexdigest()


def claims(items: Iterable[pytest.Item]) -> dict[str, str]:
    """Return the name of each test that proves something, without its parameters, and the digest it is proven under."""
    marked = ((item, item.get_closest_marker("proves")) for item in items)
    return {
        plain_name(item.nodeid): places_digest((*mark.args, item.path.relative_to(ROOT).as_posix()))
        for item, mark in marked
        if mark
    }


def plain_name(nodeid: str) -> str:
    """Return the name of a test without its parameters."""
    return nodeid.partition("[")[0]


def proven(items: Iterable[pytest.Item], record: Path = RECORD) -> set[str]:
    """Return the names of the tests whose proof is in the record."""
    kept = _read(record)
    return {name for name, digest in claims(items).items() if kept.get(name) == digest}


def _read(record: Path) -> dict[str, str]:
    return json.loads(record.read_text("utf-8")) if record.exists() else {}


class Recorder:
    """A plugin of `make proofs`, which runs in one process: keeps what was proven when the session ends."""

    def __init__(self, record: Path = RECORD) -> None:
        self._record = record
        self._claims: dict[str, str] = {}
        self._open: set[str] = set()
        """The tests that have not passed, by their ids."""
        self._failed: set[str] = set()

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._open.update(item.nodeid for item in items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._claims = claims(session.items)
        self._open.update(item.nodeid for item in session.items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._open.add(report.nodeid)
            self._failed.add(plain_name(report.nodeid))
        elif report.when == "call":
            self._open.discard(report.nodeid)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            without = set(map(plain_name, self._open))
            kept = {name: digest for name, digest in _read(self._record).items() if name not in self._failed}
            kept |= {name: digest for name, digest in self._claims.items() if name not in without}
            self._record.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n", "utf-8")
