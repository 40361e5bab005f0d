"""The options of a run: what is told of the differences, when the goal is told, and the lane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal, get_args

from herobench.data.compressed import shipped_rows
from herobench.suite.given_options import OptionStyle, setting
from herobench.suites.discover.game.mystery import Mystery, built

Disclosure = Literal["told", "hinted"]
GoalTold = Literal["after", "first"]
Lane = Literal["found", "told"]
LANES: tuple[Lane, ...] = get_args(Lane)
"""What is told of the differences before the plan: nothing, so they have to be found, or all of them."""


@dataclass(frozen=True, slots=True)
class DiscoverStyle(OptionStyle):
    """The way in which mysteries are asked."""

    suite = "discover"
    disclosure: Disclosure = setting("told", "Whether the prompt tells the families of differences, and how many.")
    goal: GoalTold = setting("after", "Whether the goal is told after the exploration, or first.")
    lane: Lane = setting("found", "Whether differences have to be found, or all are told and only a plan is asked.")


DATASET = "discover-v4"
FILE = f"{DATASET}.jsonl.xz"


@cache
def shipped_mysteries() -> Mapping[str, Mystery]:
    """Return the mysteries of the shipped set by id, in the order of the file."""
    return MappingProxyType({mystery.id: mystery for mystery in map(built, shipped_rows("discover", FILE))})
