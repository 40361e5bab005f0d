"""The page on clusters is true: its commands, without a cluster."""

from pathlib import Path

import pytest

from tests.cluster.here import here
from tests.reader import ROOT, Reader

__all__ = ["here"]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_the_page_is_true_when_followed_from_top_to_bottom(tmp_path: Path) -> None:
    (tmp_path / "world_data").symlink_to(ROOT / "world_data")
    Reader(tmp_path).follow((ROOT / "docs" / "cluster.md").read_text("utf-8"))
