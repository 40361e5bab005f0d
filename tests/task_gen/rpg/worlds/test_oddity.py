"""Kinds of oddities and the guide that defines them."""

import re
from pathlib import Path
from typing import get_args

from herobench.task_gen.rpg.worlds.oddity import OddityKind


def test_every_kind_of_oddity_is_defined_in_the_guide() -> None:
    guide = (Path(__file__).parents[4] / "docs" / "worlds.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z_]+)` \| .{20,} \|$", guide.partition("| kind |")[2], re.MULTILINE)
    assert tuple(rows) == get_args(OddityKind)
