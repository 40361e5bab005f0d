"""Edits of a plan: a step put in, left out, or changed. A step is a call, or the same call several times in a row.

`edited` applies edits. `kind_of` names what an edit mends, such as a craft that is missing or a count that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args

from herobench.suites.rpg.game.calls import Call
from herobench.suites.rpg.game.events import Action

Kind = Literal["gear", "missing", "count", "place", "order", "stopped", "needless", "format"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Edit(NamedTuple):
    """One edit: `steps` calls from the number `at` on are left out, and `action` takes their place `times` times."""

    at: int
    steps: int
    action: Action | None
    times: int = 1

    @property
    def word(self) -> str:
        """What the edit does: put in, leave out or change."""
        return "change" if self.steps and self.action else "leave out" if self.steps else "put in"


def edited(calls: Sequence[Call], edits: Iterable[Edit]) -> list[Call]:
    """Return the calls of a plan after edits. Edits at the same number stand in their order."""
    found: list[Call] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: edit.at):
        found += calls[done : edit.at]
        if edit.action:
            found += [Call.of(edit.action)] * edit.times
        done = max(done, edit.at + edit.steps)
    return [*found, *calls[done:]]


def run_length(calls: Sequence[Call], number: int) -> int:
    """Return how many calls from a number on are equal."""
    length = 1
    while number + length < len(calls) and calls[number + length].key == calls[number].key:
        length += 1
    return length


def kinds_of(calls: Sequence[Call], edits: Sequence[Edit]) -> list[Kind]:
    """Return the kind of each edit."""
    left_out = [calls[edit.at].key for edit in edits if edit.steps and not edit.action]
    put_in = [Call.of(edit.action).key for edit in edits if edit.action and not edit.steps]
    moved = {*left_out} & {*put_in}
    return [_kind(calls, edit, moved) for edit in edits]


def edits_between(calls: Sequence[Call], other: Sequence[Call]) -> list[Edit]:
    """Return edits that make one plan of another which holds some of its very calls, in their order, and new ones.

    What stands behind the last of them stays.
    """
    numbers = {id(call): number for number, call in enumerate(calls)}
    found: list[Edit] = []
    done, new = 0, list[Call]()
    for call in other:
        number = numbers.get(id(call))
        if number is None:
            new.append(call)
            continue
        found += _in_place_of(range(done, number), new)
        done, new = number + 1, []
    return [*found, *(Edit(done, 0, call.action) for call in new)]


def _in_place_of(old: range, new: Sequence[Call]) -> Iterator[Edit]:
    """Yield the edits that put new calls in the place of old ones."""
    for index in range(max(len(old), len(new))):
        at = min(old.start + index, old.stop)
        yield Edit(at, int(index < len(old)), new[index].action if index < len(new) else None)


def _kind(calls: Sequence[Call], edit: Edit, moved: set[object]) -> Kind:
    old = calls[edit.at] if edit.steps else None
    if old and old.is_broken:
        return "format"
    new = Call.of(edit.action) if edit.action else None
    if (new and not old and new.key in moved) or (old and not new and old.key in moved):
        return "order"
    if not old and edit.at >= len(calls):
        return "stopped"
    done = new or old
    assert done, "an edit has a step"
    if old and new and old.name == new.name and _without_count(old) == _without_count(new):
        return "count"
    if done.name in ("equip", "unequip"):
        return "gear"
    if done.name == "move":
        return "place"
    return "missing" if new else "needless"


def _without_count(call: Call) -> Any:
    """Return the values of a call but for the last, the quantity, where it has one."""
    if call.values is None:
        return call.action
    return call.values[:-1] if call.name in ("gather", "craft", "buy") else call.values
