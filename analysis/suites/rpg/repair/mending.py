"""Mends a lost plan flaw by flaw, in few edits but not always the fewest: an upper bound for long plans.

Where a fight is lost, the fewest pieces of gear are changed with which it is won, by changing what the plan puts on. A
plan that ends too early goes on by the certified plan. The search over all edits shows whether fewer would do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress

import numpy as np

from herobench.analysis.suites.rpg.repair.line import Allowance, Exhausted, Line
from herobench.analysis.suites.rpg.repair.loadouts import fighters
from herobench.suites.rpg.game.calls import Call
from herobench.suites.rpg.game.combat_batch import duels
from herobench.suites.rpg.game.position import Position
from herobench.suites.rpg.game.world import CONSUMABLE, Code, slot_type
from herobench.task_gen.rpg.oracle.resumption import Resumption

_MOST_LOADOUTS = 50_000
_TRIED = 6
"""The most changes of gear that are tried at one fight."""
Gear = Mapping[str, Code | None]


def mended(lost: Line, resumption: Resumption, allowance: Allowance) -> list[Call] | None:
    """Return a plan that wins, made from a lost one; None if none was found within the allowance."""
    line = lost.counted(allowance)
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
            reached = math.inf if after.won else after.stop - (len(plan) - len(line.calls))
            if reached > stop and (best is None or reached > best[0]):
                best = reached, after
            if reached > stop:
                break
    return best[1] if best else None


def _winning_gear(here: Position) -> Iterator[Gear]:
    """Yield the fewest changes of gear with which the fight at a place is won, at most some."""
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
    won = duels(fighters(here, slots, options), world.monsters[content.code].stats, here.game.rules.rounds).won
    changes = np.zeros(1, dtype=int)
    for codes in options:
        changes = (changes[:, None] + (np.arange(len(codes)) > 0)).reshape(-1)
    if not won.any():
        return
    fewest = np.flatnonzero(won & (changes == changes[won].min()))
    for index in fewest[:_TRIED]:
        chosen = np.unravel_index(int(index), tuple(map(len, options)))
        yield {slot: codes[at] for slot, codes, at in zip(slots, options, chosen, strict=True) if at}


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
