"""The forms in which sub-agents answer. Each is an object with all of its properties, as strict servers demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.conversation import Form

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
