"""How large the tests are. `make test` takes small samples, `make test-all` whole ones (HEROBENCH_TESTS=thorough)."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from typing import Any

import pytest

THOROUGH = os.environ.get("HEROBENCH_TESTS") in ("thorough", "proofs")
PROOFS = os.environ.get("HEROBENCH_TESTS") == "proofs"
"""Whether the proofs of shipped data are run, to be recorded."""
CHANGE = os.environ.get("HEROBENCH_TESTS") == "change"
"""Whether the sample of rare tests and the quick tests run in one session."""

SURFACE_TASKS = int(os.environ.get("HEROBENCH_SURFACE_TASKS", 8))
"""How many tasks of a suite go through the runner of a tool that starts processes for each: 60 take many minutes."""


def many(whole: int, small: int | None = None) -> int:
    """A number of examples, seeds or draws: the whole number if tests are thorough; else the small one, which is a
    tenth, and 20 at least, where it is not given."""
    return whole if THOROUGH else min(whole, max(20, whole // 10) if small is None else small)


def some_slow(values: Iterable[Any], slow: Container[Any]) -> list[Any]:
    """Values of a parametrized test, of which some are marked as slow."""
    return [pytest.param(value, marks=pytest.mark.slow) if value in slow else value for value in values]


def one_in(step: int, values: Iterable[Any]) -> list[Any]:
    """Values of a parametrized test, or tuples of them, of which all but one in so many are marked as slow."""
    rows = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*row, marks=[pytest.mark.slow] if number % step else []) for number, row in enumerate(rows)]
