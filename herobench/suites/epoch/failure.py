"""The failure classes of the suite epoch: why a game was not solved."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from herobench.suites.epoch.tally import Stop

Failure = Literal["format", "lost", "loop", "stagnation", "decay", "premature", "gave_up", "unfinished"]

MEANING: Mapping[Failure, str] = MappingProxyType(
    {
        "format": "Too many errors in a row, most of them no call of a tool with fitting arguments; or no plan at all.",
        "lost": "Too many errors in a row, most of them refused actions; or the turns were used up.",
        "loop": "The same state was there too often.",
        "stagnation": "Too many turns in a row reached no milestone.",
        "decay": "A fact faded.",
        "premature": "The model ended the game before the goal was reached.",
        "gave_up": "The model said that it was stuck.",
        "unfinished": "The replies ended before the game did.",
    }
)
"""The definition of each class."""

_BY_STOP: Mapping[Stop, Failure] = MappingProxyType(
    {
        "MAX_STEPS": "lost",
        "LOOP_DETECTED": "loop",
        "STAGNATION": "stagnation",
        "TEMPORAL_DECAY": "decay",
        "LLM_DONE_EARLY": "premature",
        "LLM_STUCK": "gave_up",
        "API_FAILURE": "unfinished",
    }
)


def failure_of(stop: Stop | None, *, misread: bool) -> Failure | None:
    """Return the class of a game's end; None for a solved one. `misread`: most of the last errors were of form."""
    if stop == "SOLVED":
        return None
    if stop == "MAX_INVALID_STREAK":
        return "format" if misread else "lost"
    if stop is None:
        return "format" if misread else "unfinished"
    return _BY_STOP[stop]
