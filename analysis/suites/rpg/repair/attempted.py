"""The calls of a plan that is to be repaired: all that a straight plan says, or what another plan attempted.

A straight plan says its calls even behind the fight that ended it. What a program would have done there nobody knows,
so of a program there are the calls that it attempted, and behind them a broken one if an error or a limit ended it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from herobench.suites.rpg.game.calls import MOST_CALLS, Call, straight_calls
from herobench.suites.rpg.game.episode import read_repeats
from herobench.suites.rpg.game.events import Action

_BREAKS_OFF = ("error", "limit")
_FAILURE = Action("error")


def calls_of(details: Mapping[str, Any], plan: str | None, trace: Mapping[str, Any] | None) -> Sequence[Call] | None:
    """Return the calls of a lost plan; None if the answer has no plan that could be played."""
    if details.get("ended") in ("no_code", "rejected", "gave_up") or trace is None:
        return None
    if details.get("track") == "straight" and plan is not None and details.get("mode") in (None, "plan"):
        said = straight_calls(plan)
        if said is not None:
            return said
    attempted = [event.action for event, times in read_repeats(trace) for _ in range(times)]
    end = [_FAILURE] if details.get("ended") in _BREAKS_OFF else []
    return [Call.of(action) for action in (*attempted[:MOST_CALLS], *end)]
