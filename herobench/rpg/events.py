"""What a plan did: actions as attempted, and events, one action each with what came of it.

An episode is a list of events, in order; nothing downstream searches prose. The reasons are the published messages,
the codes the published codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from herobench.rpg.world import Code, Place

OK = 200
UNPROCESSABLE = 422

Value = str | int | float | bool | None


class Action(NamedTuple):
    """An action as a plan called it."""

    name: str
    args: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    line: int | None = None


class Moved(NamedTuple):
    """The hero stands elsewhere."""

    place: Place


class Fought(NamedTuple):
    """A duel was fought to its end."""

    monster: Code
    won: bool
    rounds: int
    hero_hp: float
    monster_hp: float
    xp: int
    drops: tuple[tuple[Code, int], ...]


class Gathered(NamedTuple):
    """A node was worked, so many swings."""

    resource: Code
    skill: str
    swings: int
    xp: int
    drops: tuple[tuple[Code, int], ...]


class Crafted(NamedTuple):
    """So many pieces were made."""

    item: Code
    skill: str
    quantity: int
    xp: int


class CraftRefused(NamedTuple):
    """What a craft lacked: the three independent checks, all of them done."""

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
    """Item, needed, owned."""


class Equipped(NamedTuple):
    """A slot holds an item, or more of it."""

    slot: str
    item: Code
    quantity: int


class Unequipped(NamedTuple):
    """An item left a slot for the bag."""

    slot: str
    item: Code
    quantity: int


class Bought(NamedTuple):
    """So many pieces came from the exchange."""

    item: Code
    quantity: int


Detail = Moved | Fought | Gathered | Crafted | CraftRefused | Equipped | Unequipped | Bought


class Event(NamedTuple):
    """One action and what came of it: status 200 and the detail, or an error code and its reason."""

    action: Action
    status: int
    reason: str = ""
    detail: Detail | None = None

    @property
    def ok(self) -> bool:
        """Whether the action was carried out."""
        return self.status == OK


def refused(events: Sequence[Event]) -> list[Event]:
    """The events whose action was not carried out."""
    return [event for event in events if not event.ok]
