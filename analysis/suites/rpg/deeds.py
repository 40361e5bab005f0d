"""The deeds of a plan: what it had, wore and fought, and what succeeded after an earlier refusal.

`explain` uses it to find the first failure that was not made good. It reads only the details and events of a sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from herobench.suites.rpg.game.events import (
    OK,
    Action,
    Bought,
    Crafted,
    Equipped,
    Event,
    Fought,
    Gathered,
    Moved,
    Unequipped,
    Value,
    given_values,
)
from herobench.suites.rpg.game.scoring import Milestone

PlanLine = int | None
_CRAFTS = ("craft_missing", "craft_intermediate")
_SOUGHT = ("gather_resource", "buy_resource", "obtain_missing", "other_monster")
"""Milestones of finding items, and of beating monsters for them."""
_ALREADY_THERE = 490
_SLOT_HELD = 491


@dataclass(slots=True)
class Deeds:
    """The deeds of one plan, collected in one pass over its events."""

    had: dict[str, PlanLine] = field(default_factory=dict)
    """Items that were crafted, gathered, bought or dropped, with the line that first brought them."""
    pieces: Counter[str] = field(default_factory=Counter)
    """The pieces of each item, in all."""
    worn: dict[str, set[str]] = field(default_factory=dict)
    """Items that were ever put into each slot."""
    other_worn: dict[str, PlanLine] = field(default_factory=dict)
    """Items that were put on but are not needed, each with its first line."""
    other_made: dict[str, PlanLine] = field(default_factory=dict)
    """Items that were made but are not needed, each with its first line. Parts precede the items made of them."""
    target_fights: list[tuple[PlanLine, bool]] = field(default_factory=list)
    """Each lost fight against the target: its line, and whether all the missing gear was on."""
    target_made: bool = False
    last_line: PlanLine = None
    all_found: bool = False
    """True if all items that the task needs were found, and all its monsters beaten."""
    _harmless: set[int] = field(default_factory=set)
    """The numbers of events whose refusal did no harm."""
    _astray: list[int] = field(default_factory=list)
    """The numbers of refused moves with no other action since."""
    _done: dict[tuple[str, object], int] = field(default_factory=dict)
    """For each kind of success, the number of its last event."""

    @classmethod
    def of(cls, details: Mapping[str, Any], events: Sequence[tuple[Event, int]]) -> Deeds:
        """Collect the deeds of a sample. Each event has a count of repetitions."""
        deeds = cls()
        needed = _needed_items(details)
        now: dict[str, str] = {}
        for number, (event, times) in enumerate(events):
            deeds.last_line = event.action.line or deeds.last_line
            if event.status == OK:
                deeds._take(details, needed, event, times, number, now)
            deeds._forgive(event, number, now)
        sought = map(Milestone.parse, details["milestones"]["missed"])
        deeds.all_found = not any(kind in _SOUGHT and code not in deeds.had for kind, code in sought)
        return deeds

    def _take(
        self, details: Mapping[str, Any], needed: set[str], event: Event, times: int, number: int, now: dict[str, str]
    ) -> None:
        line = event.action.line
        match event.detail:
            case Moved():  # most events
                return
            case Crafted(item=item):
                self._bring(item, event.detail.quantity * times, number, line)
                self.target_made |= item == details["target"]
                if item not in needed:
                    self.other_made.setdefault(item, line)
            case Equipped(slot, item, _):
                self.worn.setdefault(slot, set()).add(item)
                now[slot] = item
                # nothing goes into a full slot, so an earlier attempt to empty it is made good
                self._done["equip", item] = self._done["emptied", slot] = number
                if item not in needed:
                    self.other_worn.setdefault(item, line)
            case Unequipped(slot, _, _):
                now.pop(slot, None)
            case Bought(item, quantity):
                self._bring(item, quantity * times, number, line)
            case Gathered(drops=drops):
                self._done["gather", None] = number
                for item, quantity in drops:
                    self._bring(item, quantity * times, number, line)
            case Fought(drops=drops) as fight:
                for item, quantity in drops:
                    self._bring(item, quantity * times, number, line)
                self._fight(details, fight, number, line, now)

    def _fight(
        self, details: Mapping[str, Any], fight: Fought, number: int, line: PlanLine, now: Mapping[str, str]
    ) -> None:
        # also without a code: a fight without a monster names none, so any later one may have been meant
        self._done["fight", None] = number
        if fight.won:
            self._done["fight", fight.monster] = number
        elif fight.monster == details["target"]:
            is_dressed = Counter(details["missing"].values()) <= Counter(now.values())
            self.target_fights.append((line, is_dressed))

    def _bring(self, item: str, quantity: int, number: int, line: PlanLine) -> None:
        self.had.setdefault(item, line)
        self.pieces[item] += quantity
        self._done["have", item] = number

    def _forgive(self, event: Event, number: int, now: Mapping[str, str]) -> None:
        """Note refused events that did no harm.

        These are a move to the hero's own place, a move to no place before another move, and putting on what the slot
        already has.
        """
        if event.action.name == "move":
            # a refused move is harmless if another move follows: nothing was done at the wrong place
            self._astray.append(number)
            if event.status in (OK, _ALREADY_THERE):
                self._harmless.update(self._astray)
                self._astray.clear()
            return
        self._astray.clear()
        if event.action.name == "equip" and event.status == _SLOT_HELD:
            arguments = arguments_by_name(event.action)
            if now.get(str(arguments["slot"])) == arguments["code"]:
                self._harmless.add(number)

    def made_good(self, event: Event, number: int) -> bool:
        """Return whether a failed event did no harm, or succeeded later.

        On an empty tile the purpose of a gather or fight is unknown: a later one makes it good if everything was found
        in the end.
        """
        if number in self._harmless:
            return True
        kind, code = _key(event)
        if code is None and not self.all_found:
            return False
        return self._done.get((kind, code), -1) > number


def _needed_items(details: Mapping[str, Any]) -> set[str]:
    """Return the missing gear, its parts, and the target."""
    milestones = map(Milestone.parse, (*details["milestones"]["reached"], *details["milestones"]["missed"]))
    crafts = {code for kind, code in milestones if kind in _CRAFTS and code is not None}
    return {*crafts, *details["missing"].values(), details["target"]}


def _key(event: Event) -> tuple[str, object]:
    """Return what must succeed later to make an event good. Having an item is enough, however it was found."""
    arguments = arguments_by_name(event.action)
    match event.action.name:
        case "fight" if isinstance(event.detail, Fought):
            return "fight", event.detail.monster
        case "craft" | "buy":
            return "have", arguments["code"]
        case "equip":
            return "equip", arguments["code"]
        case "unequip":
            return "emptied", arguments["slot"]
        case name:
            return name, None


def arguments_by_name(action: Action) -> dict[str, Value]:
    """Return the arguments of an action by name, however they were passed."""
    return given_values(action.name, action.args, action.keywords)
