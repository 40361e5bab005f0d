"""Proves two things of a lost plan: the first step from which the goal is out of reach, and the fewest edits that win.

Both come from the plan, the task and the game alone. Where a proof would take too long there are two bounds, and the
row says so. The lower one is what the search has ruled out. The upper one mends the plan flaw by flaw, in few edits
but not always the fewest: where a fight is lost, it changes the fewest pieces of gear that win it, in the calls that
put them on; and a plan that ends too early continues with the certified plan.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from herobench.analysis.suites.rpg.repair.edits import Edit, Kind, alignment, apply_edits, edit_kinds, edits_between
from herobench.analysis.suites.rpg.repair.line import Allowance, Exhausted, Line, plays_out
from herobench.analysis.suites.rpg.repair.search import fewest_edits, least_quantities
from herobench.suites.rpg.game.calls import Call
from herobench.suites.rpg.game.combat_batch import Fighters, duels, stat_rows
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.world import CONSUMABLE, Code, slot_type
from herobench.task_gen.rpg.oracle.distance import Resumption

_MOST_LOADOUTS = 50_000
_TRIED = 6
"""The most changes of gear that are tried at one fight."""
Gear = Mapping[str, Code | None]


def fighters(here: GamePosition, options: Sequence[Sequence[Code | None]]) -> Fighters:
    """Return the hero in each combination of the pieces of some slots, the last slot first to change."""
    hero, items = here.game.hero, here.game.world.items
    worn = [items[code].worn for code in hero.worn.values()]
    total = stat_rows([hero.stats]) - (stat_rows(worn).sum(axis=0) if worn else 0)
    nothing = np.zeros(total.shape[1], total.dtype)
    for codes in options:
        rows = np.array([stat_rows([items[code].worn])[0] if code else nothing for code in codes])
        total = (total[:, None, :] + rows[None, :, :]).reshape(-1, total.shape[1])
    return Fighters.of(total)


def mend(lost_line: Line, resumption: Resumption, allowance: Allowance) -> list[Call] | None:
    """Return a plan that wins, made from a lost one; None if none was found within the allowance."""
    line = lost_line.with_allowance(allowance)
    with suppress(Exhausted):
        while not line.won and line.stop < len(line.calls) and (better := _with_other_gear(line)):
            line = better
    if line.won:
        return list(line.calls)
    rest = resumption.calls(line.at(line.stop))
    return None if rest is None else [*line.calls[: line.stop], *rest]


def _with_other_gear(line: Line) -> Line | None:
    """Return a line with the fewest other pieces with which the fight is won that ends a line; the furthest of some."""
    here, stop = line.at(line.stop), line.stop
    if line.calls[stop].name != "fight":
        return None
    best: tuple[float, Line] | None = None
    for gear in _winning_gear(here):
        for plan, number in (_rewritten(line, gear), _changed_before(line, gear)):
            after = line.again(plan, number)
            reach = math.inf if after.won else after.stop - (len(plan) - len(line.calls))
            if reach > stop and (best is None or reach > best[0]):
                best = reach, after
            if reach > stop:
                break
    return best[1] if best else None


def _winning_gear(here: GamePosition) -> Iterator[Gear]:
    """Yield the smallest changes of gear that win the fight at a place, up to a limit."""
    hero, world = here.game.hero, here.game.world
    content = world.tiles[hero.place].content
    if content is None or content.type != "monster":
        return
    slots = [slot for slot in world.slots if slot_type(slot) != CONSUMABLE]
    options: list[list[Code | None]] = []
    for slot in slots:
        usable = (code for code in hero.inventory if world.items[code].type == slot_type(slot))
        options.append(
            [hero.worn.get(slot), *(code for code in usable if world.items[code].level <= hero.combat.level)]
        )
    if math.prod(map(len, options)) > _MOST_LOADOUTS:
        return
    winning = duels(fighters(here, options), world.monsters[content.code].stats, *here.game.rules.bout).won
    changes = np.zeros(1, dtype=int)
    for codes in options:
        changes = (changes[:, None] + (np.arange(len(codes)) > 0)).reshape(-1)
    if not winning.any():
        return
    fewest = np.flatnonzero(winning & (changes == changes[winning].min()))
    for index in fewest[:_TRIED]:
        indices = np.unravel_index(int(index), tuple(map(len, options)))
        yield {slot: codes[at] for slot, codes, at in zip(slots, options, indices, strict=True) if at}


def _rewritten(line: Line, gear: Gear) -> tuple[list[Call], int]:
    """Return a plan that puts on other pieces wherever it last filled these slots, and where it differs first."""
    plan, late, first = list(line.calls), dict(gear), line.stop
    for number in range(line.stop - 1, -1, -1):
        name, values = plan[number].name, plan[number].values
        slot = str(values[1]) if name == "equip" and values else None
        if slot in late and (event := line.event(number)) and event.ok:
            plan[number] = Call.to("equip", slot, str(late.pop(slot)))
            first = number
        if not late:
            break
    return [*plan[: line.stop], *_changes(line, late), *plan[line.stop :]], first


def _changed_before(line: Line, gear: Gear) -> tuple[list[Call], int]:
    """Return a plan that changes pieces right before the fight."""
    return [*line.calls[: line.stop], *_changes(line, gear), *line.calls[line.stop :]], line.stop


def _changes(line: Line, gear: Gear) -> Iterator[Call]:
    worn = line.at(line.stop).game.hero.worn
    for slot, code in gear.items():
        if slot in worn:
            yield Call.to("unequip", slot)
        yield Call.to("equip", slot, str(code))


_MOST_SEARCHED = 3
_FURTHER = 10
"""The search may play this many times as many calls where at most three edits are known."""
_MOST_ALIGNED = 20
_MOST_SHRUNK = 1_000_000
_MOST_NEEDED = 8
"""The most edits of which it is tried whether all are needed."""
MOST_PLAYED = 15_000
"""The most calls that are played for one plan, to mend it and again to show that no fewer edits win. Where at most
three edits are known, ten times as many are played to show it."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What is proven of one lost plan."""

    lost_after: int
    """After this many calls the goal was still in reach."""
    lost_by: int | None
    """After this many it was out of reach; None if nobody knows, or if it never was: `lost_after` is the end then."""
    least: int
    """No fewer edits win."""
    edits: Sequence[Edit] | None
    """Edits that win; None if none were found."""
    kinds: Sequence[Kind]

    @property
    def is_exact(self) -> bool:
        """True if no fewer edits win than those that are named."""
        return self.edits is not None and len(self.edits) == self.least

    def as_row(self, calls: Sequence[Call]) -> dict[str, Any]:
        """Return the repair as plain data."""
        was_always = self.lost_by is None and self.lost_after == len(calls)
        loss = None if was_always else {"after": self.lost_after, "by": self.lost_by}
        return {
            "calls": len(calls),
            "lost": loss,
            "fewest": {"least": self.least, "most": None if self.edits is None else len(self.edits)},
            "edits": None
            if self.edits is None
            else [_edit_row(calls, edit, kind) for edit, kind in self._edits_with_kinds()],
            "kinds": dict(Counter(self.kinds)),
        }

    def _edits_with_kinds(self) -> Sequence[tuple[Edit, Kind]]:
        return list(zip(self.edits or (), self.kinds, strict=True))


def _edit_row(calls: Sequence[Call], edit: Edit, kind: Kind) -> Mapping[str, Any]:
    old = calls[edit.at].action if edit.at < len(calls) else None
    return {
        "edit": edit.word,
        "kind": kind,
        "at": edit.at,
        "line": old.line if old else None,
        "old": _step_row(calls[edit.at].action, edit.steps) if edit.steps else None,
        "new": _step_row(edit.action, edit.times) if edit.action else None,
    }


def _step_row(action: Any, times: int) -> dict[str, Any]:
    keywords = dict(action.keywords)
    row = {"action": action.name, "args": list(action.args), **({"kwargs": keywords} if keywords else {})}
    return row if times == 1 else {**row, "times": times}


def repair(start: GamePosition, calls: Sequence[Call], certificate: Sequence[Call], most: int = MOST_PLAYED) -> Repair:
    """Work out what a lost plan lacks. `most` bounds the calls that are played for it."""
    resumption = Resumption(start, certificate)
    line = Line(start, calls, 0, Allowance(len(calls) + 1))
    after, by = _find_loss(line, resumption)
    edits_known = _known_edits(line, certificate, resumption, most)
    most_edits = min(_MOST_SEARCHED, len(edits_known) - 1) if edits_known else _MOST_SEARCHED
    is_near = edits_known is not None and len(edits_known) <= _MOST_SEARCHED
    outcome = fewest_edits(line, most_edits, Allowance(most * _FURTHER if is_near else most))
    if outcome.edits is not None:
        edits_known = least_quantities(start, calls, outcome.edits, Allowance(_MOST_SHRUNK))
    return _repair(calls, after, by, outcome.least, edits_known)


def _repair(calls: Sequence[Call], after: int, by: int | None, least: int, edits: Sequence[Edit] | None) -> Repair:
    return Repair(after, by, least, edits, edit_kinds(calls, edits) if edits else ())


def _known_edits(line: Line, certificate: Sequence[Call], resumption: Resumption, most: int) -> Sequence[Edit] | None:
    """Return the fewer edits of two ways: to the certified plan, and to the plan mended flaw by flaw."""
    start, calls = line.at(line.first), line.calls
    other = mend(line, resumption, Allowance(most))
    ways = [alignment(calls, certificate, _MOST_ALIGNED), None if other is None else edits_between(calls, other)]
    winning = (way for way in ways if way and plays_out(start, apply_edits(calls, way), 0, Allowance(_MOST_SHRUNK)))
    return min((_without_needless(line, way, Allowance(most)) for way in winning), key=len, default=None)


def _without_needless(line: Line, edits: Sequence[Edit], allowance: Allowance) -> Sequence[Edit]:
    """Return a few edits without those that are not needed, alone or two together."""
    needed_edits = edits
    if len(edits) > _MOST_NEEDED:
        return edits
    start, calls = line.at(line.first), line.calls
    with suppress(Exhausted):
        for number in (1, 2):
            for some in combinations(edits, number):
                fewer = [edit for edit in needed_edits if edit not in some]
                if len(fewer) == len(needed_edits) - number and plays_out(
                    start, apply_edits(calls, fewer), 0, allowance
                ):
                    needed_edits = fewer
    return needed_edits


def _find_loss(line: Line, resumption: Resumption) -> tuple[int, int | None]:
    """Return after how many calls the goal was still in reach, and after how many it was not; None if it always was."""
    count = len(line.events)
    by = count if line.at(count).ended else None
    last = count if by is None else count - 1
    low, high = -1, last
    if resumption.calls(line.at(last)) is not None:
        return last, by
    # in reach at one point means in reach at all before
    while high - low > 1:
        middle = (low + high) // 2
        if resumption.calls(line.at(middle)) is not None:
            low = middle
        else:
            high = middle
    return max(low, 0), by
