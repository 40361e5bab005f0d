"""The toy suite stands for all suites."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from herobench.checkup import folder
from herobench.cli import checkup as command
from herobench.suite.checkup_parts import Part
from tests.checkup.toy import toy_parts


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, with_toy: None) -> Sequence[Part]:
    """The parts of the toy suite, which a checkup has no others than here."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    parts = toy_parts()
    for module in (folder, command):
        monkeypatch.setattr(module, "load_parts", lambda: list(parts))
    return parts
