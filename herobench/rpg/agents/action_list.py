"""Actions that a sub-agent listed, as the code of a plan."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from herobench.rpg.arguments import named_values
from herobench.rpg.hero import NAME
from herobench.rpg.task import PlanTrack

_REPEATED = ("fight", "gather")
"""The actions that may be repeated until there is enough of what they give."""
_UNTIL = """\
owned = {{}}
while {lacking}:
    status, body = {call}
    if status != 200:
        break
    owned = {{stack["code"]: stack["quantity"] for stack in body["character"]["inventory"]}}
"""


class NotPlanned(Exception):
    """Raised when a list of actions makes no plan, with the reason."""


def code_of(actions: Iterable[Mapping[str, Any]], track: PlanTrack) -> str:
    """Return listed actions as code. Raise NotPlanned for one that cannot be written on the track."""
    return "".join(_lines(number, action, track) for number, action in enumerate(actions, 1))


def _lines(number: int, action: Mapping[str, Any], track: PlanTrack) -> str:
    call, times, until = _call(action), action["times"], action["until"]
    if until and track == "straight":
        raise NotPlanned(f"action {number} waits with `until`, which a straight plan cannot do: say how often")
    if until and action["action"] not in _REPEATED:
        raise NotPlanned(f"action {number} has `until`, which only {' and '.join(_REPEATED)} can have")
    if until:
        lacking = " or ".join(f"owned.get({json.dumps(it['code'])}, 0) < {it['quantity']}" for it in until)
        return _UNTIL.format(lacking=lacking, call=call)
    return f"{call}\n" if times in (None, 1) else f"for _ in range({times}):\n    {call}\n"


def _call(action: Mapping[str, Any]) -> str:
    """Return the call of an action, by name where it was said: what is wrong or lacking is the game's to refuse."""
    said = [name for name in named_values(action["action"]) if action[name] is not None]
    named = [f"{name}={json.dumps(action[name])}" for name in said]
    return f"{action['action']}({', '.join([json.dumps(NAME), *named])})"
