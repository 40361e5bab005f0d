"""How large the tests are. `make test` takes small samples, `make test-all` whole ones (HEROBENCH_TESTS=thorough)."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Container, Iterable
from typing import Any

import pytest

Test = Callable[..., None]

THOROUGH = os.environ.get("HEROBENCH_TESTS") == "thorough"
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


def for_each(
    names: str | tuple[str, ...], cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test on all cases as one test, where a case takes less time than pytest takes for a test.

    It is used like `pytest.mark.parametrize`. A failure tells its case in a note. Each case has its own `tmp_path`.
    """
    own = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    every = [case if len(own) > 1 else (case,) for case in cases]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def on_all(**fixtures: Any) -> None:
            for number, case in enumerate(every):
                told = dict(zip(own, case, strict=True))
                given = dict(fixtures)
                if "tmp_path" in fixtures:
                    given["tmp_path"] = fixtures["tmp_path"] / str(number)
                    given["tmp_path"].mkdir()
                try:
                    test(**given, **told)
                except BaseException as error:
                    error.add_note(f"with {told!r:.2000}")
                    raise

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in own]
        on_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return on_all

    return decorate
