"""Says what help the model had in an attempt: its lane. Runs, tables, ranks and reports ask here.

A model that saw results of its plan, called tools or let a program compute is not measured on the same ability as one
that planned everything at once. The lane follows from the suite, the model and the details of a sample, so that older
samples have one too. A name that says `solver` stands for no model: a player of the suite, such as its oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, get_args

from herobench.data.errors import SuiteError, UsageError, abbreviate
from herobench.suite.checked import suite_class, suite_errors
from herobench.suite.contract import Lane, Suite

LANES: tuple[Lane, ...] = get_args(Lane)
SOLVER: Lane = "solver"
ORACLE = "oracle"
"""The model that every suite's oracle is called."""


def attempt_lane(suite: str, model: str | None, details: Mapping[str, Any]) -> Lane:
    """Return the lane of an attempt, by the suite and the model of its sample and by its details."""
    lane_in, players = _lanes_and_players(suite)
    if (model or "").partition(":")[0] in players:
        return SOLVER
    with suite_errors(suite, "lane"):
        lane = lane_in(details)
    if lane not in LANES:
        raise SuiteError(
            f"The suite {suite} names the lane {abbreviate(lane)}, which is not one of {', '.join(LANES)}."
        )
    return lane


def is_of_people(config: Mapping[str, Any]) -> bool:
    """Return whether people answered in a run, by its `config`: it has no server, and neither a player nor a model of a
    package. A config that does not say who answered is not theirs."""
    model, suite = config.get("model"), config.get("suite")
    if not isinstance(model, str) or not isinstance(suite, str) or config.get("base_url") is not None:
        return False
    return ":" not in model and model not in _lanes_and_players(suite)[1]


def lane_words(lanes: Collection[str]) -> str:
    """Return lanes as text, in their order, such as `bare and solver`; empty for none."""
    return " and ".join(lane for lane in LANES if lane in lanes)


@cache  # asked for every sample, and looking packages up is slow
def _lanes_and_players(suite: str) -> tuple[Callable[[Mapping[str, Any]], Lane], frozenset[str]]:
    """Return what tells the lanes of a suite, and its players. A suite that is not installed has lanes by default."""
    try:
        kind = suite_class(suite)
    except UsageError:
        return Suite.lane, frozenset((ORACLE,))
    players = kind.players if isinstance(kind.players, (tuple, list)) else ()
    return kind.lane, frozenset((ORACLE, *players, *kind.former_players))
