"""What a plan did in all: what it had, wore and fought, and what it did in the end though it was refused before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from herobench.rpg.arguments import given_values
from herobench.rpg.events import OK, Action, Bought, Crafted, Equipped, Event, Fought, Gathered, Unequipped, Value

Line = int | None
_CRAFTS = ("craft_missing", "craft_intermediate")
_SOUGHT = ("gather_resource", "buy_resource", "obtain_missing", "other_monster")
"""The milestones of going out: what is come by, and who is beaten for it."""
_ALREADY_THERE = 490
_SLOT_HELD = 491


@dataclass(slots=True)
class Deeds:
    """Filled by going once through the events of a row."""

    had: dict[str, Line] = field(default_factory=dict)
    """What was crafted, gathered, bought or dropped, with the line that first brought it."""
    pieces: Counter[str] = field(default_factory=Counter)
    """How many pieces of it, in all."""
    worn: dict[str, set[str]] = field(default_factory=dict)
    """What was ever put into each slot."""
    other_worn: dict[str, Line] = field(default_factory=dict)
    """What was put on that is not among the missing gear, with the line that first did."""
    other_made: dict[str, Line] = field(default_factory=dict)
    """The same of what was made, less what the missing gear is made of. Parts come before what they go into."""
    target_fights: list[tuple[Line, bool]] = field(default_factory=list)
    """Each lost fight against the target: its line, and whether all the missing gear was on."""
    target_made: bool = False
    last_line: Line = None
    all_found: bool = False
    """Whether all was come by, and everyone beaten, that the task takes."""
    _harmless: set[int] = field(default_factory=set)
    """The numbers of events that were refused without harm."""
    _astray: list[int] = field(default_factory=list)
    """The numbers of refused moves since which nothing was tried."""
    _done: dict[tuple[str, object], int] = field(default_factory=dict)
    """The number of the last event in which something succeeded."""

    @classmethod
    def of(cls, row: Mapping[str, Any], events: Sequence[tuple[Event, int]]) -> Deeds:
        """The deeds of a row; its events each with how often it happened in a row, and numbered so."""
        deeds = cls()
        needed = _needed(row)
        now: dict[str, str] = {}
        for number, (event, times) in enumerate(events):
            deeds.last_line = event.action.line or deeds.last_line
            if event.ok:
                deeds._take(row, needed, event, times, number, now)
            deeds._forgive(event, number, now)
        sought = (name.partition(":") for name in row["milestones"]["missed"])
        deeds.all_found = not any(kind in _SOUGHT and code not in deeds.had for kind, _, code in sought)
        return deeds

    def _take(
        self, row: Mapping[str, Any], needed: set[str], event: Event, times: int, number: int, now: dict[str, str]
    ) -> None:
        line = event.action.line
        match event.detail:
            case Crafted(item=item):
                self._bring(item, event.detail.quantity * times, number, line)
                self.target_made |= item == row["target"]
                if item not in needed:
                    self.other_made.setdefault(item, line)
            case Equipped(slot, item, _):
                self.worn.setdefault(slot, set()).add(item)
                now[slot] = item
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
                self._fight(row, fight, number, line, now)

    def _fight(self, row: Mapping[str, Any], fight: Fought, number: int, line: Line, now: Mapping[str, str]) -> None:
        self._done["fight", None] = number
        if fight.won:
            self._done["fight", fight.monster] = number
        elif fight.monster == row["target"]:
            dressed = Counter(row["missing"].values()) <= Counter(now.values())
            self.target_fights.append((line, dressed))

    def _bring(self, item: str, quantity: int, number: int, line: Line) -> None:
        self.had.setdefault(item, line)
        self.pieces[item] += quantity
        self._done["have", item] = number

    def _forgive(self, event: Event, number: int, now: Mapping[str, str]) -> None:
        """A move to where the hero stands does no harm, nor one to nowhere before another move; nor to put on again
        what the slot holds."""
        if event.action.name == "move":
            self._astray.append(number)
            if event.status in (OK, _ALREADY_THERE):
                self._harmless.update(self._astray)
                self._astray.clear()
            return
        self._astray.clear()
        if event.action.name == "equip" and event.status == _SLOT_HELD:
            told = given(event.action)
            if now.get(str(told["slot"])) == told["code"]:
                self._harmless.add(number)

    def made_good(self, event: Event, number: int) -> bool:
        """Whether what an event failed at did no harm, or was done later.

        Where nothing stands nobody can tell what a gather or fight was after: a later one makes it good if all was
        found in the end.
        """
        if number in self._harmless:
            return True
        kind, code = _key(event)
        if code is None and not self.all_found:
            return False
        return self._done.get((kind, code), -1) > number


def _needed(row: Mapping[str, Any]) -> set[str]:
    """The missing gear, what it is made of, and the target."""
    named = (name.partition(":") for name in (*row["milestones"]["reached"], *row["milestones"]["missed"]))
    crafted = {code for kind, _, code in named if kind in _CRAFTS}
    return {*crafted, *row["missing"].values(), row["target"]}


def _key(event: Event) -> tuple[str, object]:
    """What would have to succeed later to make an event good. To have an item is enough, however it was come by."""
    told = given(event.action)
    match event.action.name:
        case "fight" if isinstance(event.detail, Fought):
            return "fight", event.detail.monster
        case "craft" | "buy":
            return "have", told["code"]
        case "equip":
            return "equip", told["code"]
        case "unequip":
            return "emptied", told["slot"]
        case name:
            return name, None


def given(action: Action) -> dict[str, Value]:
    """The arguments of an action by their names, however they were passed."""
    return given_values(action.name, action.args, action.keywords)
