"""Cycles are looked for seldom inside, and as before afterwards."""

from __future__ import annotations

import gc

import pytest

from herobench.data.garbage import seldom_collected


def test_cycles_are_looked_for_seldom_and_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with seldom_collected(1_000_000):
        assert gc.get_threshold()[0] == 1_000_000
    assert gc.get_threshold() == before


def test_an_error_leaves_the_collector_as_it_was() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="wrong"), seldom_collected(1_000_000):
        raise ValueError("wrong")
    assert gc.get_threshold() == before
