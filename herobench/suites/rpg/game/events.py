"""Events, one for each action that a plan attempted, and the episode: the events of a plan and how it ended.

The game writes events; scoring, failure classes, traces and reports read them. Readers never search prose: everything
that they need is in a field. Statuses and reasons are the published ones, and `Refusal` names their meanings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

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


def refused(events: Sequence[Event]) -> list[Event]:
    """Return the events whose action was not carried out."""
    return [event for event in events if not event.ok]


_MOST_CHARACTERS = 10_000
"""The longest text that is checked."""
# Possessive quantifiers (`*+`) never give back what they took, so no text can make the match slow.
_GAP = r"(?:[^\S\n]*+(?:#[^\n]*+)?+(?:\n|\Z))*+[^\S\n]*+"
_TEXT = r"""(?:"(?!"")(?:[^"\\\n]|\\[^\n])*+"|'(?!'')(?:[^'\\\n]|\\[^\n])*+')"""
_NUMBER = r"[+-]?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+"
_REFUSAL = re.compile(
    rf"{_GAP}give_up\(\s*+(?:reason\s*+=\s*+)?+(?P<reason>{_TEXT})\s*+"
    rf"(?:,\s*+p\s*+=\s*+(?P<p>{_NUMBER})\s*+)?+,?+\s*+\)[^\S\n]*+;?+{_GAP}\Z"
)


class GivingUp(NamedTuple):
    """A refusal: its reason, and the stated probability that the task is impossible; None without one from 0 to 1."""

    reason: str
    stated: float | None


def giving_up(plan: str) -> GivingUp | None:
    """Return the refusal if a plan is nothing else; otherwise None."""
    found = _REFUSAL.match(plan) if len(plan) <= _MOST_CHARACTERS else None
    if found is None:
        return None
    stated = float(found["p"]) if found["p"] else None
    # The verdict does not depend on the number, so one outside 0 to 1 is ignored.
    return GivingUp(found["reason"][1:-1], stated if stated is not None and 0 <= stated <= 1 else None)


Ended = Literal["finished", "defeated", "over_budget", "no_code", "rejected", "error", "limit", "gave_up"]

EndKind = Literal[
    "empty", "syntax", "forbidden", "not_straight", "size", "runtime", "steps", "actions", "memory", "output", "depth",
    "wall_clock", "killed", "protocol", "fight", "budget",
]  # fmt: skip
"""Why a plan ended: an empty text; its syntax, a forbidden construct, a construct that straight plans exclude, or its
size (rejected); an error at run time; a limit on steps, actions, memory, output, depth of calls or time; a killed
process, or an impossible message from it; a lost fight if a defeat is final (defeated); or an action beyond the budget
of the task (over_budget)."""
END_KINDS: tuple[EndKind, ...] = get_args(EndKind)
GAME_ENDS: Mapping[EndKind, Ended] = MappingProxyType({"fight": "defeated", "budget": "over_budget"})
"""The ends that the game itself causes, by kind. What such a plan reached counts."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a plan: how, the reason in a sentence for people, the line of the plan, and the kind."""

    how: Ended
    reason: str | None = None
    line: int | None = None
    kind: EndKind | None = None
    error: str | None = None
    """The class of the error that the plan did not catch, such as NameError; None for any other end."""
    stated: float | None = None
    """The probability, stated in a refusal, that the task is impossible; None for any other end."""


FINISHED = Ending("finished")


def gave_up(reason: str, stated: float | None) -> Ending:
    """Return the ending of a plan that refuses its task."""
    return Ending("gave_up", reason or "it gives no reason", stated=stated)


def defeat(monster: str, line: int | None) -> Ending:
    """Return the ending of a plan that lost a fight against this monster if a defeat is final."""
    return Ending("defeated", f"the hero lost his fight against {monster}, and a defeat is final here", line, "fight")


def over_budget(budget: int, line: int | None) -> Ending:
    """Return the ending of a plan that attempts more actions than the budget of its task."""
    return Ending("over_budget", f"the plan attempts more than the {budget:,} actions of its budget", line, "budget")


@dataclass(frozen=True, slots=True)
class Episode:
    """The events up to the end of the plan, and how it ended."""

    events: tuple[Event, ...]
    ending: Ending
    output: str = ""
    """The text that the plan printed, for people to read. It never counts in a score."""

    @property
    def finished(self) -> bool:
        """True if the plan ran to its end."""
        return self.ending.how == "finished"

    @property
    def counts(self) -> bool:
        """True if what the episode reached counts. Otherwise it is lost.

        The game may end a plan at a lost fight or over its budget. Such a plan broke no rule, so it keeps what it
        reached, like a plan that stops there by itself."""
        return self.finished or self.ending.how in GAME_ENDS.values()
