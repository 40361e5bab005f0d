"""`--on` for this suite."""

from pathlib import Path

import pytest

from tests.cluster.here import here
from tests.program import herobench, refuses

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")


def test_questions_are_made_on_one_machine(tmp_path: Path) -> None:
    sentence = "The suite acp makes its tasks one after the other"
    assert sentence in refuses(herobench("generate", "--suite", "acp", "--on", "ray", "-o", tmp_path / "x"))
