"""The signatures of the actions, and the reading of the arguments of a call.

As published: a call that does not fit the signature raises a TypeError in the plan; a value of the wrong kind gets
status 422 before anything else is checked; numeric strings ("1.0" too), integral floats and bools count as integers.
The game calls `bound` for every action. Nothing here depends on the state of the hero.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.events import Detail, Refusal, Value, ValueReason
from herobench.suites.rpg.game.world import World

MOST = 10**9
"""The largest quantity or coordinate. Larger numbers have no use and would slow down arithmetic."""
MOST_WORN = 100
"""The largest quantity that equip and unequip take."""

# `\Z` and not `$`, which would accept a line end after the word.
_WORD = re.compile(r"[A-Za-z0-9_-]+\Z")
_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,12})(?:\.0{0,12})?\s*\Z")


class RefusedAction(Exception):
    """Raised inside the game when an action is not carried out; the game makes an event of it."""

    def __init__(self, refusal: Refusal, reason: str = "", detail: Detail | None = None) -> None:
        super().__init__(refusal, reason)
        self.refusal = refusal
        self.reason = reason or refusal.reason
        self.detail = detail


def unprocessable(parameter: str, expected: str) -> RefusedAction:
    """Return the refusal of a call whose parameter has a value that is not as expected."""
    return RefusedAction(Refusal.UNPROCESSABLE, ValueReason(parameter, expected))


class CallError(TypeError):
    """Raised when a call does not fit the action's signature: the one error an action raises in a plan."""


class Parameter(NamedTuple):
    """One parameter: its name, the function that reads its value, and its default."""

    name: str
    read: Callable[[str, Value], str | int | None]
    default: int | None = None


def _word(name: str, value: Value) -> str:
    if type(value) is str and _WORD.match(value):
        return value
    raise unprocessable(name, "letters, digits, '_' and '-' expected.")


def _whole(name: str, value: Value) -> int:
    if isinstance(value, str) and (written := _WHOLE.match(value)):
        value = int(written[1])
    # NaN and infinity fail the comparison, so `int` never gets them.
    if isinstance(value, int | float) and -MOST <= value <= MOST and value == int(value):
        return int(value)
    raise unprocessable(name, "a whole number expected.")


def _quantity(name: str, value: Value) -> int:
    number = _whole(name, value)
    if number < 1:
        raise unprocessable(name, "at least 1 expected.")
    return number


def _worn_quantity(name: str, value: Value) -> int | None:
    # As published, null is valid here. Gear slots ignore it; `pieces` handles it elsewhere.
    if value is None:
        return None
    number = _quantity(name, value)
    if number > MOST_WORN:
        raise unprocessable(name, f"at most {MOST_WORN} expected.")
    return number


_NAME = Parameter("name", _word)
_CODE = Parameter("code", _word)
_SLOT = Parameter("slot", _word)

SIGNATURES = MappingProxyType(
    {
        "move": (_NAME, Parameter("x", _whole), Parameter("y", _whole)),
        "fight": (_NAME,),
        "equip": (_NAME, _SLOT, _CODE, Parameter("quantity", _worn_quantity, 1)),
        "unequip": (_NAME, _SLOT, Parameter("quantity", _worn_quantity, 1)),
        "gather": (_NAME, Parameter("quantity", _quantity, 1)),
        "craft": (_NAME, _CODE, Parameter("quantity", _quantity)),
        "buy": (_NAME, _CODE, Parameter("quantity", _quantity, 1)),
    }
)
"""The actions that a plan can call: names, parameters and defaults as published."""


def named_values(action: str) -> tuple[str, ...]:
    """Return the names of an action's parameters, without the hero's name."""
    return tuple(parameter.name for parameter in SIGNATURES[action][1:])


@lru_cache(maxsize=4096)
def bound(
    action: str, args: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...]
) -> tuple[str | int | None, ...]:
    """Read the arguments of a call, in order, with defaults filled in.

    Raises CallError if the call does not fit, RefusedAction if a value is unprocessable. Cached, since plans repeat
    themselves; values that compare equal (1, 1.0, True) are read alike.
    """
    given = given_values(action, args, keywords)
    read = []
    for parameter in SIGNATURES[action]:
        if parameter.name in given:
            read.append(parameter.read(parameter.name, given[parameter.name]))
        elif parameter.default is not None:
            read.append(parameter.default)
    return tuple(read)


def given_values(action: str, args: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...]) -> dict[str, Value]:
    """Return the values of a call by parameter. Raises CallError if the call does not fit the signature."""
    signature = SIGNATURES[action]
    if len(args) > len(signature):
        raise CallError(f"{action}() takes {len(signature)} arguments but {len(args)} were given")
    given = {parameter.name: value for parameter, value in zip(signature, args, strict=False)}
    names = {parameter.name for parameter in signature}
    for name, value in keywords:
        if name not in names:
            raise CallError(f"{action}() got an unexpected keyword argument {name!r}")
        if name in given:
            raise CallError(f"{action}() got multiple values for argument {name!r}")
        given[name] = value
    for parameter in signature:
        if parameter.name not in given and parameter.default is None:
            raise CallError(f"{action}() missing a required argument: {parameter.name!r}")
    return given


def pieces(action: str, quantity: int | None) -> int:
    """Return the quantity of a call about consumables. Raises CallError if it is None."""
    # Gear slots ignore the quantity, so None may get this far. The published server failed on it with an error in the
    # plan, which a CallError keeps.
    if quantity is None:
        raise CallError(f"{action}() needs a quantity for a consumable slot, not None")
    return quantity


def check_slot(world: World, slot: str | int | None) -> None:
    """Raise RefusedAction for a slot that the world does not have."""
    if slot not in world.slots:
        raise unprocessable("slot", f"one of {', '.join(world.slots)} expected.")
