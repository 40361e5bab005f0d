"""mypy checks the suite of somebody else against the contract."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reader import ROOT

WRONG = {
    "opened": ("def open(self, task_id, epoch):", "def open(self, task_id: int, epoch: int) -> Attempt:"),
    "blank": ("def blank(self, task_id):", "def blank(self, task_id: str, more: int) -> dict[str, object]:"),
    "dataset": ('"sums-v1", ("calculator",)', '"sums-v1", 5'),
    "mode": ('one_turn_mode = ""', "one_turn_mode = 3"),
    "certificates": ("def certificates():", "def certificates() -> list[int]:"),
    "messages": ("messages: tuple[Message, ...] = ()", "messages: str = ''"),
    "step": ("def step(self, reply: Reply)", "def step(self, reply: str)"),
    "verdict": ("return Verdict(won, 100 * won,", "return Verdict(won, 'all',"),
}
"""By name, a change of the page's suite that breaks the contract."""


@pytest.mark.slow
def test_mypy_accepts_the_suite_of_the_page_and_finds_wrong_members(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "extend.md").read_text("utf-8").partition("Write `my_suite.py`")[2]
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert code
    (tmp_path / "right.py").write_text(code[1], "utf-8")
    for name, (old, new) in WRONG.items():
        assert code[1].count(old) == 1, name
        (tmp_path / f"wrong_{name}.py").write_text(code[1].replace(old, new), "utf-8")
    options = ["--config-file=", "--follow-imports=silent", "--check-untyped-defs", f"--cache-dir={tmp_path / 'cache'}"]
    command = [sys.executable, "-m", "mypy", *options, *sorted(path.name for path in tmp_path.glob("*.py"))]
    environment = {**os.environ, "MYPYPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert {*re.findall(r"^(\w+)\.py:\d+: error", done.stdout, re.MULTILINE)} == {f"wrong_{name}" for name in WRONG}, (
        done.stdout + done.stderr
    )
