"""`--on` for this suite: the same rows and the same words as on one machine."""

from pathlib import Path

import pytest

from tests.cluster.here import assert_made_and_proven, here

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")
MADE = ("--count", "5", "--gates", "2,3")


@pytest.mark.slow
def test_made_levels_are_those_of_one_machine_and_are_proven(tmp_path: Path) -> None:
    assert_made_and_proven(tmp_path, "epoch", *MADE)
