"""What is proven of shipped data is proven again when a byte of the data or of the prover changes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from tests import proven
from tests.proven import Recorder, places_digest
from tests.sizes import for_each

PROVER = "def proven() -> bool:\n    return True\n"


@for_each(
    ("file", "content"),
    [
        ("data/tasks.jsonl", '{"id": "2"}\n'),
        ("data/more.jsonl", ""),
        ("prover/search.py", PROVER.replace("True", "False")),
        ("prover/inner/new.py", ""),
    ],
)
def test_a_changed_byte_changes_the_digest(file: str, content: str, tmp_path: Path) -> None:
    for name, text in {"data/tasks.jsonl": '{"id": "1"}\n', "prover/search.py": PROVER, "other.py": ""}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    places = ("data/tasks.jsonl", "data", "prover")
    before = places_digest.__wrapped__(places, tmp_path)
    (tmp_path / "other.py").write_text("changed = True")
    (tmp_path / "prover" / "__pycache__").mkdir()
    (tmp_path / "prover" / "__pycache__" / "search.pyc").write_bytes(b"bytecode")
    assert places_digest.__wrapped__(places, tmp_path) == before
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(content)
    assert places_digest.__wrapped__(places, tmp_path) != before


def test_a_test_is_proven_while_its_digest_stays_and_all_its_cases_passed(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Report:
        when = "call"

        def __init__(self, nodeid: str, passed: bool) -> None:
            self.nodeid, self.passed = nodeid, passed

    @dataclass
    class Session:
        items: list[pytest.Item]

    class Item:
        path = request.path

        def __init__(self, nodeid: str) -> None:
            self.nodeid = nodeid

        def get_closest_marker(self, _: str) -> pytest.Mark:
            return pytest.mark.proves("Makefile").mark

    names = ["holds[a]", "holds[b]", "fails[a]", "fails[b]", "is_not_run", "is_left_out[a]"]
    items = cast("list[pytest.Item]", [Item(f"t.py::{name}") for name in names])
    record = tmp_path / "proven.json"
    assert proven.proven(items, record) == set()
    recorder = Recorder(record)
    recorder.pytest_deselected(cast("list[pytest.Item]", [Item("t.py::is_left_out[b]")]))
    recorder.pytest_collection_finish(cast("Any", Session(items)))
    passed = ["holds[a]", "holds[b]", "fails[a]", "is_left_out[a]"]
    for name in [*passed, "fails[b]"]:
        recorder.pytest_runtest_logreport(cast("Any", Report(f"t.py::{name}", name in passed)))
    record.write_text(json.dumps({"t.py::is_not_run": "before", "t.py::fails": "before"}))
    recorder.pytest_sessionfinish(pytest.ExitCode.OK)
    digest = places_digest(("Makefile", "tests/test_proven.py"))
    assert json.loads(record.read_text()) == {"t.py::holds": digest, "t.py::is_not_run": "before"}
    assert proven.proven(items, record) == {"t.py::holds"}
    monkeypatch.setattr(proven, "places_digest", lambda places: "another")
    assert proven.proven(items, record) == set()
