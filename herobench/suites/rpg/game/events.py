"""Events: each action that a plan attempted, and what became of it, in order.

The game writes them; scoring, failure classes, traces and reports read them. Nobody downstream searches prose: what a
reader needs stands in a field. Statuses and reasons are the published ones, and `Refusal` names their meanings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.world import Code, Place

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
    """Each ingredient that is short: item, pieces needed, pieces owned."""


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

    The published codes are no names: 491 means to `equip` that the slot is full, and to `unequip` that it is empty. In
    an IntEnum the second member of a number would be an alias of the first. So a member is not its number: its value
    is the code, the action that gets it (None for every action) and the reason. Together they are unique, and action
    and code are enough to find the member of an event that was stored.
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
        """The published text. A name in braces is filled in with `str.format`."""


# Stored events have a status and an action, but no member: this finds it again.
_REFUSALS: Mapping[tuple[int, str | None], Refusal] = MappingProxyType(
    {(refusal.code, refusal.action): refusal for refusal in Refusal}
)


class ValueReason(str):
    """The reason of a value that cannot be processed: a text that keeps the two parts it is made of.

    Events store and compare reasons as text, and the reply to a plan needs the parts.
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
        """Return how to make a copy."""
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
        """Why the action was not carried out; None if it was, and for a status that the game does not give."""
        return _REFUSALS.get((self.status, self.action.name)) or _REFUSALS.get((self.status, None))


def refused(events: Sequence[Event]) -> list[Event]:
    """Return the events whose action was not carried out."""
    return [event for event in events if not event.ok]
