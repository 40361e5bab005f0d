"""What is proven of shipped data is proven again when a byte of the data or of the prover changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from tests import proven
from tests.proven import Recorder, claims, digest_of

PROVER = "def proven() -> bool:\n    return True\n"


@pytest.mark.parametrize(
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
    before = digest_of.__wrapped__(places, tmp_path)
    (tmp_path / "other.py").write_text("changed = True")
    (tmp_path / "prover" / "__pycache__").mkdir()
    (tmp_path / "prover" / "__pycache__" / "search.pyc").write_bytes(b"bytecode")
    assert digest_of.__wrapped__(places, tmp_path) == before
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(content)
    assert digest_of.__wrapped__(places, tmp_path) != before


def test_a_test_is_proven_while_its_digest_stays_and_all_its_cases_passed(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Report:
        def __init__(self, nodeid: str, passed: bool) -> None:
            self.nodeid, self.passed = nodeid, passed

    class Item:
        path = request.path

        def __init__(self, nodeid: str) -> None:
            self.nodeid = nodeid

        def get_closest_marker(self, _: str) -> pytest.Mark:
            return pytest.mark.proves("Makefile").mark

    items = cast("list[pytest.Item]", [Item("t.py::holds[a]"), Item("t.py::holds[b]"), Item("t.py::fails[a]")])
    record = tmp_path / "proven.json"
    assert proven.proven(items, record) == set()
    recorder = Recorder(record)
    recorder._claims = claims(items)
    for nodeid, passed in [("t.py::holds[a]", True), ("t.py::fails[a]", True), ("t.py::fails[b]", False)]:
        recorder.pytest_runtest_logreport(cast("Any", Report(nodeid, passed)))
    recorder.pytest_sessionfinish(pytest.ExitCode.OK)
    assert json.loads(record.read_text()) == {"t.py::holds": digest_of(("Makefile", "tests/test_proven.py"))}
    assert proven.proven(items, record) == {"t.py::holds"}
    monkeypatch.setattr(proven, "digest_of", lambda places: "another")
    assert proven.proven(items, record) == set()
