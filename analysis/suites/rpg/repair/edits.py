"""Edits of a plan, the fewest that make one plan of another, and the edits of a repair in words.

A plan is a list of steps. A step is a call, or the same call several times in a row; an edit puts one in, leaves one
out, or changes one. `edit_kinds` names what an edit mends, such as a craft that is missing or a count that is wrong.

The search for the fewest goes along the diagonals of the table of both plans, as Ukkonen's does: for each number of
edits it keeps the furthest point on each diagonal. So two plans of thousands of calls that differ in a few steps take a
few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
        if not self.steps:
            return "put in"
        return "change" if self.action else "leave out"


def apply_edits(calls: Sequence[Call], edits: Iterable[Edit]) -> list[Call]:
    """Return the calls of a plan after edits. Edits at the same number stand in their order."""
    edited_calls: list[Call] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.at):
        edited_calls += calls[position : edit.at]
        if edit.action:
            edited_calls += [Call.of(edit.action)] * edit.times
        position = max(position, edit.at + edit.steps)
    return [*edited_calls, *calls[position:]]


def run_lengths(calls: Sequence[Call]) -> list[int]:
    """Return for each call how many from it on are equal."""
    lengths = [1] * len(calls)
    for number in range(len(calls) - 2, -1, -1):
        if calls[number].key == calls[number + 1].key:
            lengths[number] += lengths[number + 1]
    return lengths


def edit_kinds(calls: Sequence[Call], edits: Sequence[Edit]) -> list[Kind]:
    """Return the kind of each edit."""
    left_out = [calls[edit.at].key for edit in edits if edit.steps and not edit.action]
    put_in = [Call.of(edit.action).key for edit in edits if edit.action and not edit.steps]
    moved_keys = {*left_out} & {*put_in}
    return [_kind(calls, edit, moved_keys) for edit in edits]


def edits_between(calls: Sequence[Call], other: Sequence[Call]) -> list[Edit]:
    """Return edits that make one plan of another which holds some of its very calls, in their order, and new ones.

    What stands behind the last of them stays.
    """
    numbers = {id(call): number for number, call in enumerate(calls)}
    edits: list[Edit] = []
    position, new = 0, list[Call]()
    for call in other:
        number = numbers.get(id(call))
        if number is None:
            new.append(call)
            continue
        edits += _replace_calls(range(position, number), new)
        position, new = number + 1, []
    return [*edits, *(Edit(position, 0, call.action) for call in new)]


def _replace_calls(old: range, new: Sequence[Call]) -> Iterator[Edit]:
    """Yield the edits that put new calls in the place of old ones."""
    for index in range(max(len(old), len(new))):
        at = min(old.start + index, old.stop)
        yield Edit(at, int(index < len(old)), new[index].action if index < len(new) else None)


def _kind(calls: Sequence[Call], edit: Edit, moved_keys: set[object]) -> Kind:
    old = calls[edit.at] if edit.steps else None
    if old and old.is_broken:
        return "format"
    new = Call.of(edit.action) if edit.action else None
    if (new and not old and new.key in moved_keys) or (old and not new and old.key in moved_keys):
        return "order"
    if not old and edit.at >= len(calls):
        return "stopped"
    call = new or old
    assert call, "an edit has a step"
    if old and new and old.name == new.name and _without_count(old) == _without_count(new):
        return "count"
    if call.name in ("equip", "unequip"):
        return "gear"
    if call.name == "move":
        return "place"
    return "missing" if new else "needless"


def _without_count(call: Call) -> Any:
    """Return the values of a call but for the last, the quantity, where it has one."""
    if call.values is None:
        return call.action
    return call.values[:-1] if call.name in ("gather", "craft", "buy") else call.values


_NONE, _OUT, _IN, _CHANGE = range(4)
"""The last edit of an alignment: there is none, or it leaves a run of equal calls out, puts it in, or changes it."""


class _Point(NamedTuple):
    """`done` calls of the plan are dealt with, which made the first `made` calls of the other."""

    done: int
    made: int
    edit: int


def alignment(plan: Sequence[Call], other: Sequence[Call], most: int) -> list[Edit] | None:
    """Return the fewest edits after which a plan begins with all calls of another; None if it takes more than `most`.

    What stands behind them stays: it comes after the win. Broken calls there are left out.
    """
    return _Alignment(plan, other).edits(most)


class _Alignment:
    def __init__(self, plan: Sequence[Call], other: Sequence[Call]) -> None:
        self._plan, self._other = plan, other
        numbers: dict[object, int] = {}
        self._old = [numbers.setdefault(call.key, len(numbers)) for call in plan]
        self._new = [numbers.setdefault(call.key, len(numbers)) for call in other]
        self._sound_from = max((number + 1 for number, call in enumerate(plan) if call.is_broken), default=0)
        self._before: dict[_Point, tuple[_Point, bool]] = {}
        """For each point the one before it, and whether an edit lies between them."""
        self._furthest: dict[tuple[int, int], int] = {}

    def edits(self, most: int) -> list[Edit] | None:
        """Return the fewest edits, or None."""
        start = _Point(0, 0, _NONE)
        level = [self._slid(start)]
        for number in range(most + 1):
            level = self._closure(level)
            for point in level:
                if point.made == len(self._new) and point.done >= self._sound_from:
                    return self._trace(point)
            if number < most:
                level = [then for point in level for then in self._next_points(point)]
        return None

    def _slid(self, point: _Point) -> _Point:
        """Return the point after all equal calls from a point on."""
        old_at, new_at = point.done, point.made
        while old_at < len(self._old) and new_at < len(self._new) and self._old[old_at] == self._new[new_at]:
            old_at, new_at = old_at + 1, new_at + 1
        if old_at == point.done:
            return point
        slid = _Point(old_at, new_at, _NONE)
        self._before.setdefault(slid, (point, False))
        return slid

    def _closure(self, level: Sequence[_Point]) -> list[_Point]:
        """Return all points that need no further edit, but for those that another one surpasses."""
        waiting, closure = list(level), []
        while waiting:
            point = waiting.pop()
            place = point.done - point.made, point.edit
            if self._furthest.get(place, -1) >= point.done:
                continue
            self._furthest[place] = point.done
            closure.append(point)
            waiting += [self._slid(then) for then in self._going_on(point)]
            slid = self._slid(point)
            if slid != point:
                waiting.append(slid)
        return closure

    def _going_on(self, point: _Point) -> Iterator[_Point]:
        """Yield the points after one more call of the run that the last edit is about."""
        old_at, new_at, edit = point
        if edit in (_OUT, _CHANGE) and old_at < len(self._old) and self._old[old_at] == self._old[old_at - 1]:
            yield self._link(_Point(old_at + 1, new_at, edit), point, False)
        if edit in (_IN, _CHANGE) and new_at < len(self._new) and self._new[new_at] == self._new[new_at - 1]:
            yield self._link(_Point(old_at, new_at + 1, edit), point, False)

    def _next_points(self, point: _Point) -> Iterator[_Point]:
        """Yield the points after one more edit."""
        old_at, new_at, _ = point
        if old_at < len(self._old):
            yield self._slid(self._link(_Point(old_at + 1, new_at, _OUT), point, True))
        if new_at < len(self._new):
            yield self._slid(self._link(_Point(old_at, new_at + 1, _IN), point, True))
            if old_at < len(self._old):
                yield self._slid(self._link(_Point(old_at + 1, new_at + 1, _CHANGE), point, True))

    def _link(self, then: _Point, point: _Point, is_edit: bool) -> _Point:
        self._before.setdefault(then, (point, is_edit))
        return then

    def _trace(self, point: _Point) -> list[Edit]:
        """Return the edits on the way to a point."""
        edits: list[Edit] = []
        end: _Point | None = None
        while point in self._before and point != (0, 0, _NONE):
            before, is_edit = self._before[point]
            if end is None and point.edit != _NONE:
                end = point
            if is_edit:
                assert end, "an edit ends at a point of its own"
                steps, times = end.done - before.done, end.made - before.made
                action = self._other[before.made].action if times else None
                edits.append(Edit(before.done, steps, action, max(times, 1)))
                end = None
            point = before
        return edits[::-1]


Row = Mapping[str, Any]

_MOST_EDITS = 40
"""The most edits that a page lists."""


def told_repair(repair: Row) -> dict[str, Any]:
    """Return a repair in words: what is proven, and each edit with its line.

    `calls` is the number of calls after which the goal was still in reach; None if it never was out of reach."""
    edits = repair["edits"] or ()
    loss = repair["lost"]
    return {
        "about": " ".join(filter(None, [_reach(repair), _fewest(repair["fewest"])])),
        "calls": loss["after"] if loss else None,
        "edits": [{"line": edit["line"], "text": _edit(edit)} for edit in edits[:_MOST_EDITS]],
        "more": max(0, len(edits) - _MOST_EDITS),
    }


def _reach(repair: Row) -> str:
    loss = repair["lost"]
    if repair["calls"] is None:
        return "The answer has no plan that could be played."
    if loss is None:
        return "The goal was in reach to the end: the plan stopped too early or went on wrongly." * bool(
            repair["fewest"]
        )
    if loss["by"] is None:
        return f"The goal was in reach after step {loss['after']}; whether it was later is not known."
    if loss["by"] == loss["after"] + 1:
        return f"The goal is out of reach from step {loss['by']} on."
    return f"The goal went out of reach between steps {loss['after'] + 1} and {loss['by']}."


def _fewest(fewest: Row | None) -> str:
    if fewest is None:
        return ""
    least, most = fewest["least"], fewest["most"]
    if most is None:
        return f"No fewer than {_edits(least)} win."
    if least == most:
        return f"{_edits(most).capitalize()} {'wins' if most == 1 else 'win'}, and no fewer do."
    return f"{_edits(most).capitalize()} win; between {least} and {most} are needed."


def _edits(number: int) -> str:
    return "one edit" if number == 1 else f"{number} edits"


def _edit(edit: Row) -> str:
    line = "behind the last line" if edit["line"] is None else f"in line {edit['line']}"
    if edit["edit"] == "put in":
        before = "behind the last line" if edit["line"] is None else f"before line {edit['line']}"
        return f"put in {_step(edit['new'])} {before}"
    if edit["edit"] == "leave out":
        return f"leave out {_step(edit['old'])} {line}"
    return f"change {_step(edit['old'])} {line} to {_step(edit['new'])}"


def _step(step: Row) -> str:
    positional: Sequence[Any] = step["args"][1:]  # the first is the hero
    keyword_texts = (f"{name}={value!r}" for name, value in step.get("kwargs", {}).items())
    times = step.get("times", 1)
    return f"{step['action']}({', '.join([*map(repr, positional), *keyword_texts])})" + (
        f", {times} times," if times > 1 else ""
    )
