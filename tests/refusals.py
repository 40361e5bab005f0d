"""Errors are expected by their kind and their facts. No test of the library repeats a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from herobench.data.errors import Fault, HeroBenchError


@contextmanager
def raises(fault: Fault, *facts: object) -> Iterator[pytest.ExceptionInfo[HeroBenchError]]:
    """Expect an error of a kind that tells some facts."""
    with pytest.raises(HeroBenchError) as caught:
        yield caught
    assert caught.value.fault is fault, caught.value
    assert [fact for fact in map(str, facts) if fact not in str(caught.value)] == []
