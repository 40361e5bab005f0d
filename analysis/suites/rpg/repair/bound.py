"""A lower bound of the edits that a lost plan needs, in time that grows with the plan's length: no search.

Two things are counted that no edit elsewhere can mend, where a lost fight is final:

- A *trap* is a stretch of the plan that ends with a lost fight in whatever gear the hero comes to it, because its own
  calls put the gear on. Each trap needs an edit inside, unless all goals are reached before it. Traps do not overlap.
- Goals are reached in their order, each by a call of the plan or by an edit.

`least_edits` walks along the calls. For each number of goals reached it keeps the fewest edits, and assumes the best of
all that it does not know: what is in the bag, and that fights outside of traps are won.

What the hero can come by at all (places, gear, and all combinations of pieces, to be fought at once) comes first.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, takewhile

import numpy as np
from numpy.typing import NDArray

from herobench.analysis.suites.rpg.repair.line import NEVER, Line
from herobench.suites.rpg.game.calls import Call
from herobench.suites.rpg.game.combat_batch import Fighters, duels, rows_of
from herobench.suites.rpg.game.position import Position
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Content, Place, slot_type


def fighters(here: Position, slots: Sequence[str], options: Sequence[Sequence[Code | None]]) -> Fighters:
    """Return the hero in each combination of pieces, the last slot first to change."""
    hero, items = here.game.hero, here.game.world.items
    worn = [items[code].worn for code in hero.worn.values()]
    total = rows_of([hero.stats]) - (rows_of(worn).sum(axis=0) if worn else 0)
    nothing = np.zeros(total.shape[1], total.dtype)
    for codes in options:
        rows = np.array([rows_of([items[code].worn])[0] if code else nothing for code in codes])
        total = (total[:, None, :] + rows[None, :, :]).reshape(-1, total.shape[1])
    return Fighters.of(total)


def told_places(position: Position, calls: Sequence[Call]) -> dict[Content, Place]:
    """Return a place for each thing that stands somewhere that the task tells or the plan goes to."""
    world, task = position.game.world, position.task
    gone = [call.values[1:] for call in calls if call.name == "move" and call.values]
    places = [*task.knowledge.places, world.start, task.hero.place, *((int(x or 0), int(y or 0)) for x, y in gone)]
    found: dict[Content, Place] = {}
    for place in dict.fromkeys(places):
        tile = world.tiles.get(place)
        if tile and tile.content:
            found.setdefault(tile.content, place)
    return found


def obtainable_gear(start: Position, calls: Sequence[Call]) -> Mapping[str, Sequence[Code | None]] | None:
    """Return for each slot nothing and the pieces that the hero can come by; None if there is food."""
    world, task, hero = start.game.world, start.task, start.game.hero
    known = [*task.knowledge.recipes, *task.knowledge.materials, *hero.worn.values(), *hero.inventory]
    known += [goal.target for goal in task.goals if goal.kind == "craft"]
    known += [str(call.values[1]) for call in calls if call.name in ("craft", "buy") and call.values]
    known += world.exchange_sells if start.game.rules.for_sale is None else start.game.rules.for_sale
    for content in told_places(start, calls):
        thing = world.monsters.get(content.code) or world.resources.get(content.code)
        known += [drop.item for drop in thing.drops] if thing else []
    items = [world.items[code] for code in dict.fromkeys(known) if code in world.items]
    if hero.consumables or any(item.type == CONSUMABLE for item in items):
        return None
    return {
        slot: [None, *(item.code for item in items if item.type == slot_type(slot))]
        for slot in world.slots
        if slot_type(slot) != CONSUMABLE
    }


def lasting_gear(start: Position) -> Iterator[Code]:
    """Yield the pieces that the hero owns from the start to the end: no recipe takes them, and they fit one slot."""
    world, hero = start.game.world, start.game.hero
    types = Counter(map(slot_type, world.slots))
    taken = {part for item in world.items if (recipe := world.recipe_of(item)) for part in recipe.ingredients}
    for code in (*hero.worn.values(), *hero.inventory):
        item = world.items[code]
        if code not in taken and types[item.type] == 1 and item.level <= hero.combat.level:
            yield code


_MOST_LOADOUTS = 4096
"""The most loadouts that are fought for one fight."""
_NEVER = np.int32(1 << 20)
Costs = NDArray[np.int32]
"""The fewest edits for each number of goals reached."""


def least_edits(line: Line) -> int:
    """Return a number of edits of a lost plan below which none win; 1 where nothing can be said."""
    start = line.at(line.first)
    hero, rules = start.game.hero, start.game.rules
    is_grown = rules.experience == "none" or hero.combat.level >= rules.level_cap
    if not (start.is_plain and is_grown and rules.defeat == "final") or rules.failed_craft_is_logged:
        return 1
    gear = obtainable_gear(start, line.calls)
    if gear is None:
        return 1
    traps = list(_Traps(line, gear).found())
    return _Walk(line, traps).least()


def _run_end(calls: Sequence[Call], number: int) -> int:
    """Return the number of the first call behind a run of equal ones."""
    end = number + 1
    while end < len(calls) and calls[end].key == calls[number].key:
        end += 1
    return end


def destination(start: Position, call: Call) -> Place | None:
    """Return where a move leads; None if the call is no move, or one that the game refuses."""
    if call.name != "move" or call.values is None:
        return None
    rules, place = start.game.rules, (int(call.values[1] or 0), int(call.values[2] or 0))
    is_open = place not in rules.closed and (rules.ground is None or place in rules.ground)
    return place if is_open and place in start.game.world.tiles else None


# -- traps --------------------------------------------------------------------------------------------------------


class _Traps:
    """The traps of a line. `gear` has for each slot nothing and all pieces that the hero can come by."""

    def __init__(self, line: Line, gear: Mapping[str, Sequence[Code | None]]) -> None:
        self._line, self._calls, self._gear = line, line.calls, gear
        self._start = line.at(line.first)
        self._kept = set(lasting_gear(self._start))
        self._won: dict[Code, list[Mapping[str, Code | None]]] = {}
        """Loadouts that win, by monster."""

    def found(self) -> Iterator[range]:
        """Yield the traps. The first one ends with the fight that ends the line."""
        number, end = self._line.first, self._line.stop
        while end < len(self._calls):
            yield range(self._latest(number, end), end + 1)
            number = _run_end(self._calls, end)
            end = next((at for at, monster, worn in self._fights(number) if self._is_lost(monster, worn)), NEVER)

    def _latest(self, low: int, end: int) -> int:
        """Return from which call on a fight is surely lost. It is lost from a call `low` on."""
        starts = [at for at in range(low + 1, end) if self._calls[at].key != self._calls[at - 1].key]
        return [low, *starts][bisect_left(starts, True, key=lambda start: not self._leads(start, end))]

    def _leads(self, number: int, end: int) -> bool:
        """Return whether a fight is lost by whoever comes to a call, whatever he wears."""
        fights = takewhile(lambda fight: fight[0] <= end, self._fights(number))
        return any(at == end and self._is_lost(monster, worn) for at, monster, worn in fights)

    def _fights(self, number: int) -> Iterator[tuple[int, Code, Mapping[str, Sequence[Code | None]]]]:
        """Yield the fights from a call on whose monster is known, with what whoever comes to that call may wear."""
        worn, place = dict(self._gear), None
        for at in range(number, len(self._calls)):
            call = self._calls[at]
            place = destination(self._start, call) or place
            if call.name in ("equip", "unequip") and call.values and call.values[1] in worn:
                slot = str(call.values[1])
                worn[slot] = [None] if call.name == "unequip" else self._filled(slot, worn[slot], call.values[2])
            elif call.name == "fight" and call.values and (monster := self._monster_at(place)):
                yield at, monster, worn

    def _monster_at(self, place: Place | None) -> Code | None:
        content = self._start.game.world.tiles[place].content if place else None
        return content.code if content and content.type == "monster" else None

    def _filled(self, slot: str, pieces: Sequence[Code | None], code: object) -> list[Code | None]:
        """Return what may be in a slot after a call that puts a piece on."""
        if None not in pieces or code not in self._gear[slot]:
            return list(pieces)
        others = [piece for piece in pieces if piece is not None and piece != code]
        return [*others, str(code), *(() if code in self._kept else (None,))]

    def _is_lost(self, monster: Code, worn: Mapping[str, Sequence[Code | None]]) -> bool:
        """Return whether a fight is lost in all loadouts."""
        won = self._won.setdefault(monster, [])
        if any(all(code in worn[slot] for slot, code in loadout.items()) for loadout in won):
            return False
        sizes = tuple(map(len, worn.values()))
        if math.prod(sizes) > _MOST_LOADOUTS:
            return False
        rules = self._start.game.rules
        heroes = fighters(self._start, list(worn), list(worn.values()))
        wins = duels(heroes, self._start.game.world.monsters[monster].stats, rules.rounds, rules.first, rules.ward).won
        if not wins.any():
            return True
        chosen = np.unravel_index(int(np.argmax(wins)), sizes)
        won.append({slot: codes[int(at)] for (slot, codes), at in zip(worn.items(), chosen, strict=True)})
        return False


# -- the walk -----------------------------------------------------------------------------------------------------


class _Walk:
    """The fewest edits up to a call, for each number of goals reached.

    `_costs` has them in four cases. The first index is 1 where an edit may have changed the place, the second is 1
    where the present trap has an edit. Goals that ask for the same several times in a row count as one."""

    def __init__(self, line: Line, traps: Sequence[range]) -> None:
        self._line, self._calls = line, line.calls
        self._trap_starts = {trap.start for trap in traps}
        self._trap_ends = {trap.stop - 1 for trap in traps}
        self._start = line.at(line.first)
        wanted = [(goal.kind, goal.target) for goal in self._start.goals]
        self._goals = [goal for goal, _ in groupby(wanted)]
        self._numbers = [0, *(number + 1 for number, (_, same) in enumerate(groupby(wanted)) for _ in same)]
        self._costs = np.full((2, 2, len(self._goals) + 1), _NEVER)
        self._place: Place | None = None
        self._masks: dict[tuple[str, Code | None], NDArray[np.bool_]] = {}

    def least(self) -> int:
        """Walk along all calls, and return the fewest edits with which all goals are reached."""
        for number, call in enumerate(self._calls):
            if number in self._trap_starts:
                self._costs[:, 0], self._costs[:, 1] = self._costs.min(axis=1), _NEVER
            self._pass(number, call)
        costs = self._before(len(self._calls))
        return max(1, int(min(costs[-1], _edited(costs)[-1])))

    def _before(self, number: int) -> Costs:
        """Return the fewest edits before a call, in any case; with none the plan is played as it stands."""
        costs: Costs = self._costs.min(axis=(0, 1))
        if number <= self._line.stop:
            costs[self._numbers[self._line.at(number).reached]] = 0
        return costs

    def _pass(self, number: int, call: Call) -> None:
        """Go on behind a call: it stays, with or without an edit before it, or an edit takes it away."""
        is_again = number > 0 and self._calls[number - 1].key == call.key
        if is_again and (call.is_broken or call.name == "move"):
            return  # the edit that took away the one before may have taken this one too
        if not (call.is_broken or call.name in ("move", "fight", "craft")):
            return  # an edit here does no more than one before the next call that counts
        edited = _edited(self._before(number))
        if call.is_broken:
            self._costs[:] = _NEVER
        else:
            np.minimum(self._costs[1, 1], edited, out=self._costs[1, 1])
            if number in self._trap_ends:
                self._costs[:, 0, :-1] = _NEVER
            self._stay(call)
        np.minimum(self._costs[1, 1], edited, out=self._costs[1, 1])

    def _stay(self, call: Call) -> None:
        """Let a call do what it can at best."""
        if place := destination(self._start, call):
            self._place = place
            self._costs[0], self._costs[1] = self._costs.min(axis=0), _NEVER
        elif call.name == "fight":
            content = self._start.game.world.tiles[self._place].content if self._place else None
            if content and content.type == "monster":
                self._reach(0, self._mask("kill", content.code))
            self._reach(1, self._mask("kill", None))
        elif call.name == "craft" and call.values:
            mask = self._mask("craft", str(call.values[1]))
            self._reach(0, mask)
            self._reach(1, mask)

    def _mask(self, kind: str, target: Code | None) -> NDArray[np.bool_]:
        """Return which goals are of a kind and a target, or of any."""
        if (kind, target) not in self._masks:
            fits = [goal[0] == kind and target in (None, goal[1]) for goal in self._goals]
            self._masks[kind, target] = np.array(fits, dtype=bool)
        return self._masks[kind, target]

    def _reach(self, case: int, mask: NDArray[np.bool_]) -> None:
        """Reach one goal more where the next one is among some."""
        if mask.any():
            costs = self._costs[case]
            costs[:, 1:] = np.minimum(costs[:, 1:], np.where(mask, costs[:, :-1], _NEVER))


def _edited(costs: Costs) -> Costs:
    """Return the fewest edits after at least one more. Each of them reaches at most one goal."""
    goals = np.arange(len(costs), dtype=np.int32)
    furthest = np.minimum.accumulate(costs - goals) + goals
    found = costs + 1
    found[1:] = np.minimum(found[1:], furthest[:-1] + 1)
    return found
