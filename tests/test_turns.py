"""The sample of rare tests that CI draws: something of each kind at each turn, and each test at some turn."""

import os
import re
from pathlib import Path
from typing import Any, cast

import pytest

from tests.turns import SHARES, drawn


class Rare:
    """A test as the draw sees it."""

    def __init__(self, module: str, number: int, *marks: str) -> None:
        self.path = Path(module)
        self.nodeid = f"{module}::{number}"
        self._marks = marks

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self._marks else None


TESTS: list[Any] = [
    *(Rare("test_quick.py", number) for number in range(9)),
    *(Rare("test_proofs.py", number, "proves") for number in range(9)),
    *(Rare(f"test_tool_{number % 3}.py", number, "packaging") for number in range(9)),
    *(Rare("test_any.py", number, kind) for kind in SHARES if kind != "packaging" for number in range(30)),
]


def names(turn: str) -> list[str]:
    return [item.nodeid for item in drawn(cast("list[pytest.Item]", TESTS), turn)]


def test_the_same_turn_draws_the_same_tests_and_another_one_others() -> None:
    assert names("a") == names("a") != names("b")


def test_each_rare_test_has_its_turn_and_neither_a_quick_one_nor_a_proof_has_one() -> None:
    met = {name for turn in range(400) for name in names(str(turn))}
    assert met == {test.nodeid for test in TESTS if test.path.name not in ("test_quick.py", "test_proofs.py")}


def test_the_workflows_and_ci_run_targets_that_exist() -> None:
    root = Path(__file__).parents[1]
    targets = set(re.findall(r"^([\w-]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    steps = {
        path.name: re.findall(r"- run: (.+)", path.read_text("utf-8"))
        for path in (root / ".github" / "workflows").glob("*.yml")
    }
    assert steps == {"ci.yml": [".ci/run"], "nightly.yml": ["make test-all", "make faults"]}
    assert os.access(root / ".ci" / "run", os.X_OK)
    lines = [line for line in (root / ".ci" / "run").read_text("utf-8").splitlines() if line.startswith("make ")]
    words = {word for line in [*steps["nightly.yml"], *lines] for word in line.split()[1:] if word[0] not in "-."}
    assert words <= targets
