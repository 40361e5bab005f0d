"""Actions as questions and answers write them: `craft(iron, 3)` is an action of the game without the hero's name."""

from __future__ import annotations

import re

from herobench.rpg.arguments import SIGNATURES, CallError, Refused, bound
from herobench.rpg.events import Action, Value
from herobench.rpg.hero import NAME

_CALL = re.compile(r"([a-z]+)\s*(?:\((.*)\)|(.*))\Z", re.DOTALL)
_SPLIT = re.compile(r"[,\s]+")
_KEYWORD = re.compile(r"\A[a-z]+=")
_WHOLE = re.compile(r"[+-]?[0-9]{1,12}\Z")


def act(name: str, *args: Value) -> Action:
    """Return an action of the hero."""
    return Action(name, (NAME, *args))


def text_of(action: Action) -> str:
    """Return an action as text."""
    return f"{action.name}({', '.join(map(str, action.args[1:]))})"


def action_in(text: str) -> Action | None:
    """Return the action that a text writes, with its defaults filled in; None if it is none.

    Quotes, the hero's name, names of parameters and a missing quantity of 1 are accepted.
    """
    # white space is stripped and not matched: a pattern with several runs of it takes for ever on a long one
    call = _CALL.match(text.strip().removesuffix(";").rstrip())
    if not call or call[1] not in SIGNATURES:
        return None
    words = [_KEYWORD.sub("", word).strip("\"'") for word in _SPLIT.split((call[2] or call[3] or "").strip())]
    args = [int(word) if _WHOLE.match(word) else word for word in words if word]
    if args[:1] == [NAME]:
        del args[0]
    try:
        _, *values = bound(call[1], (NAME, *args), ())
    except (CallError, Refused):
        return None
    # one piece is meant if gear is put on or taken off
    if call[1] in ("equip", "unequip") and values[-1] == 1:
        del values[-1]
    return act(call[1], *values)
