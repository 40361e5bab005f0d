"""Errors are expected by their kind and their facts, or by their places. No test of the library repeats a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from herobench.data.errors import Fault, HeroBenchError, InputError


@contextmanager
def raises(fault: Fault, *facts: object) -> Iterator[pytest.ExceptionInfo[HeroBenchError]]:
    """Expect an error of a kind that tells some facts."""
    with pytest.raises(HeroBenchError) as caught:
        yield caught
    assert caught.value.fault is fault, caught.value
    assert [fact for fact in map(str, facts) if fact not in str(caught.value)] == []


@contextmanager
def misread(path: str, *facts: object) -> Iterator[pytest.ExceptionInfo[InputError]]:
    """Expect a problem of a file or a row: its path there, and facts such as the file's name or what was found."""
    with pytest.raises(InputError) as caught:
        yield caught
    told = [str(problem) for problem in caught.value.problems if problem.path == path]
    assert any(all(str(fact) in problem for fact in facts) for problem in told), caught.value
