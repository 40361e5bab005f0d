"""Actions with their signatures and arguments, and events: one for each action that a plan attempted.

The game reads the arguments of every call with `bound`, and writes events. Scoring, failure classes, traces and reports
read them. Readers never search prose: everything that they need is in a field. Statuses and reasons are the published
ones, and `Refusal` names their meanings.

As published, a call that does not fit its signature raises a TypeError in the plan; a value of the wrong kind gets
status 422 before anything else is checked; numeric strings ("1.0" too), integral floats and bools count as integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.world import Code, Place, World

OK = 200
UNPROCESSABLE = 422

Value = str | int | float | bool | None


class Action(NamedTuple):
    """A call of an action, as a plan made it."""

    name: str
    args: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    line: int | None = None


class Moved(NamedTuple):
    """The hero moved to a place."""

    place: Place


class Fought(NamedTuple):
    """A duel was fought."""

    monster: Code
    won: bool
    rounds: int
    hero_hp: float
    monster_hp: float
    xp: int
    drops: tuple[tuple[Code, int], ...]


class Gathered(NamedTuple):
    """A resource node was gathered from, in a number of swings."""

    resource: Code
    skill: str
    swings: int
    xp: int
    drops: tuple[tuple[Code, int], ...]


class Crafted(NamedTuple):
    """Pieces of an item were made."""

    item: Code
    skill: str
    quantity: int
    xp: int


class CraftRefused(NamedTuple):
    """A craft failed: the outcome of each of its three checks, which do not depend on one another."""

    item: Code
    quantity: int
    skill: str
    at_workshop: bool
    workshop: Place | None
    place: Place
    skilled: bool
    needed_level: int
    level: int
    supplied: bool
    lacking: tuple[tuple[Code, int, int], ...]
    """Each ingredient that is lacking: item, pieces needed, pieces owned."""


class Equipped(NamedTuple):
    """An item was put into a slot, or added to the same item there."""

    slot: str
    item: Code
    quantity: int


class Unequipped(NamedTuple):
    """An item was put from a slot into the bag."""

    slot: str
    item: Code
    quantity: int


class Bought(NamedTuple):
    """Pieces of an item were bought at the grand exchange."""

    item: Code
    quantity: int


Detail = Moved | Fought | Gathered | Crafted | CraftRefused | Equipped | Unequipped | Bought


class Refusal(Enum):
    """Why an action was not carried out: one member for each meaning, with its published status code and reason.

    The published codes are ambiguous: 491 tells `equip` that the slot is full, and `unequip` that it is empty. In an
    IntEnum the second member of a number would be an alias of the first. So the value of a member is the code, the
    action that gets it (None for every action) and the reason. Together they are unique, and action and code are enough
    to find the member of a stored event.
    """

    UNPROCESSABLE = (UNPROCESSABLE, None, "{parameter}: {expected}")
    UNKNOWN_HERO = (498, None, "Character not found.")
    UNKNOWN_PLACE = (404, "move", "Map not found.")
    ALREADY_THERE = (490, "move", "Character already at destination.")
    CLOSED = (496, "move", "This place is closed.")
    NO_MONSTER_HERE = (598, "fight", "Monster not found on this map.")
    NO_RESOURCE_HERE = (598, "gather", "Resource not found on this map.")
    SKILL_TOO_LOW = (493, "gather", "Not skill level required.")
    NO_RECIPE = (404, "craft", "Craft not found.")
    CRAFT_FAILED = (500, "craft", "Craft failed.")
    SLOT_FULL = (491, "equip", "Slot is not empty.")
    STACK_FULL = (494, "equip", "Character can't equip more than {most} consumables in the same slot.")
    UNKNOWN_ITEM = (404, "equip", "Item not found.")
    LEVEL_TOO_LOW = (496, "equip", "Character level is insufficient.")
    WRONG_SLOT = (472, "equip", "Item is not valid for this slot.")
    NOT_OWNED = (478, "equip", "Missing item or insufficient quantity.")
    SLOT_EMPTY = (491, "unequip", "Slot is empty.")
    TOO_FEW_IN_SLOT = (478, "unequip", "Insufficient quantity of the equipped item.")
    NO_EXCHANGE_HERE = (598, "buy", "Grand-exchange not found on this map.")
    NOT_FOR_SALE = (404, "buy", "Item not found.")

    def __init__(self, code: int, action: str | None, reason: str) -> None:
        self.code = code
        self.action = action
        self.reason = reason
        """The published text. `str.format` fills in names in braces."""


# Finds the member for the status and action of a stored event.
_REFUSALS: Mapping[tuple[int, str | None], Refusal] = MappingProxyType(
    {(refusal.code, refusal.action): refusal for refusal in Refusal}
)


class ValueReason(str):
    """The reason for refusing a value: a text that keeps its two parts.

    Events store and compare reasons as text, but the reply to a plan needs the parts.
    """

    __slots__ = ("expected", "parameter")
    parameter: str
    expected: str

    def __new__(cls, parameter: str, expected: str) -> ValueReason:
        """Put the text together."""
        reason = super().__new__(cls, Refusal.UNPROCESSABLE.reason.format(parameter=parameter, expected=expected))
        reason.parameter, reason.expected = parameter, expected
        return reason

    def __reduce__(self) -> tuple[type[ValueReason], tuple[str, str]]:
        """Return what copies are made from."""
        return ValueReason, (self.parameter, self.expected)


class Event(NamedTuple):
    """One action and its outcome: status 200 with a detail, or the status and reason of a refusal."""

    action: Action
    status: int
    reason: str = ""
    detail: Detail | None = None

    @property
    def ok(self) -> bool:
        """True if the action was carried out."""
        return self.status == OK

    @property
    def refusal(self) -> Refusal | None:
        """Why the action was not carried out; None if it was, or if the game does not give this status."""
        return _REFUSALS.get((self.status, self.action.name)) or _REFUSALS.get((self.status, None))


def refused_events(events: Sequence[Event]) -> list[Event]:
    """Return the events whose action was not carried out."""
    return [event for event in events if not event.ok]


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
    if isinstance(value, str) and (digits := _WHOLE.match(value)):
        value = int(digits[1])
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
    values = given_values(action, args, keywords)
    read = []
    for parameter in SIGNATURES[action]:
        if parameter.name in values:
            read.append(parameter.read(parameter.name, values[parameter.name]))
        elif parameter.default is not None:
            read.append(parameter.default)
    return tuple(read)


def given_values(action: str, args: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...]) -> dict[str, Value]:
    """Return the values of a call by parameter. Raises CallError if the call does not fit the signature."""
    signature = SIGNATURES[action]
    if len(args) > len(signature):
        raise CallError(f"{action}() takes {len(signature)} arguments but {len(args)} were given")
    values = {parameter.name: value for parameter, value in zip(signature, args, strict=False)}
    names = {parameter.name for parameter in signature}
    for name, value in keywords:
        if name not in names:
            raise CallError(f"{action}() got an unexpected keyword argument {name!r}")
        if name in values:
            raise CallError(f"{action}() got multiple values for argument {name!r}")
        values[name] = value
    for parameter in signature:
        if parameter.name not in values and parameter.default is None:
            raise CallError(f"{action}() missing a required argument: {parameter.name!r}")
    return values


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
