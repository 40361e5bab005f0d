"""The table of planted faults fits the tree."""

from collections import Counter
from pathlib import Path

from tests.faults.__main__ import FAULTS, ROOT


def test_each_fault_fits_the_tree() -> None:
    for fault in FAULTS:
        assert fault.place(ROOT).is_file()
        assert fault.old != fault.new
        assert all((Path(__file__).parents[1] / place).exists() for place in fault.near.split()), fault


def test_names_are_given_once() -> None:
    assert max(Counter(fault.name for fault in FAULTS).values()) == 1
