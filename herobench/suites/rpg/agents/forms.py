"""The forms in which sub-agents answer. Each is an object with all of its properties, as strict servers demand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from herobench.conversation import Form
from herobench.suites.rpg.game.arguments import named_values
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.task import PlanTrack

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


_MOST_ENTRIES = 1_000
_MOST_QUESTIONS = 10
_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_COUNT_OR_NULL = {"type": ["integer", "null"]}


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _one_of(*words: str) -> dict[str, Any]:
    # strict servers demand a type beside the words
    return {"type": "string", "enum": list(words)}


def _list(entry: Mapping[str, Any], least: int = 0, most: int = _MOST_ENTRIES) -> dict[str, Any]:
    return {"type": "array", "items": entry, "minItems": least, "maxItems": most}


SUBTASKS = Form(
    "subtasks",
    _object(
        subtasks=_list(
            _object(
                do=_one_of("craft", "fight", "gather"),
                code=_TEXT,
                quantity={"type": "integer", "minimum": 1},
                note=_TEXT_OR_NULL,
            ),
        ),
        give_up=_TEXT_OR_NULL,
    ),
)
"""A plan on the high level. `note` may say what the subtask is for, such as which gear to wear in a fight. `give_up` is
the reason why the goal is impossible; null where it is not."""

JUDGEMENT = Form("judgement", _object(accepted={"type": "boolean"}, comments=_TEXT_OR_NULL))
"""What a critic says."""

ACTIONS = Form(
    "actions",
    _object(
        actions=_list(
            _object(
                action=_one_of("move", "fight", "gather", "craft", "equip", "unequip", "buy"),
                x=_COUNT_OR_NULL,
                y=_COUNT_OR_NULL,
                code=_TEXT_OR_NULL,
                slot=_TEXT_OR_NULL,
                quantity=_COUNT_OR_NULL,
                times=_COUNT_OR_NULL,
                until={"type": ["array", "null"], "items": _object(code=_TEXT, quantity={"type": "integer"})},
            ),
            least=1,
        )
    ),
)
"""A subtask as actions. What an action does not need is null."""

ESTIMATES = Form(
    "estimates",
    _object(estimates=_list(_object(monster=_TEXT, gear=_list(_TEXT), wins={"type": "boolean"}, reason=_TEXT_OR_NULL))),
)
"""The outcome of fights, each in some gear that the hero would wear beside what he wears."""

DECOMPOSITION = Form(
    "decomposition",
    _object(
        questions=_list(_object(expert=_one_of("map", "craft"), question=_TEXT), most=_MOST_QUESTIONS),
        steps=_list(_TEXT),
    ),
)
"""A subtask as steps in words, or questions to the experts before there are steps."""

ANSWER = Form("answer", _object(answer=_TEXT))
"""What an expert says."""
