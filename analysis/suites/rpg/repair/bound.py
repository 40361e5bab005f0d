"""A lower bound of the edits that a lost plan needs, in time that grows with the plan's length: no search.

Two things are counted that no edit elsewhere can mend, where a lost fight is final:

- A *trap* is a stretch of the plan that ends with a lost fight in whatever gear the hero comes to it, because its own
  calls put the gear on. Each trap needs an edit inside, unless all goals are reached before it. Traps do not overlap.
- Goals are reached in their order, each by a call of the plan or by an edit, and only where the hero is: at the place
  that the plan has gone to, unless an edit changes it.

`LeastEdits` walks along the calls, from the last to the first. For each number of goals reached it keeps the fewest
edits. It is optimistic about the unknown: the bag has everything, and fights outside of traps are won. The search asks
it at each step whether the edits that are left could be enough.

What the hero can come by at all (places, gear, and all combinations of pieces, to be fought at once) comes first.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, pairwise, takewhile

import numpy as np
from numpy.typing import NDArray

from herobench.analysis.suites.rpg.repair.edits import run_lengths
from herobench.analysis.suites.rpg.repair.line import NEVER, Line
from herobench.suites.rpg.game.calls import Call
from herobench.suites.rpg.game.combat_batch import Fighters, duels, stat_rows
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Content, Place, slot_type


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


def told_places(position: GamePosition, calls: Sequence[Call]) -> dict[Content, Place]:
    """Return a place for each thing that stands somewhere that the task tells or the plan goes to."""
    world, task = position.game.world, position.task
    move_targets = [call.values[1:] for call in calls if call.name == "move" and call.values]
    places = [
        *task.knowledge.places,
        world.start,
        task.hero.place,
        *((int(x or 0), int(y or 0)) for x, y in move_targets),
    ]
    places_by_content: dict[Content, Place] = {}
    for place in dict.fromkeys(places):
        tile = world.tiles.get(place)
        if tile and tile.content:
            places_by_content.setdefault(tile.content, place)
    return places_by_content


def obtainable_gear(start: GamePosition, calls: Sequence[Call]) -> Mapping[str, Sequence[Code | None]] | None:
    """Return for each slot nothing and the pieces that the hero can come by; None if there is food."""
    world, task, hero = start.game.world, start.task, start.game.hero
    codes = [*task.knowledge.recipes, *task.knowledge.materials, *hero.worn.values(), *hero.inventory]
    codes += [goal.target for goal in task.goals if goal.kind == "craft"]
    codes += [str(call.values[1]) for call in calls if call.name in ("craft", "buy") and call.values]
    codes += world.exchange_sells if start.game.rules.for_sale is None else start.game.rules.for_sale
    for content in told_places(start, calls):
        thing = world.monsters.get(content.code) or world.resources.get(content.code)
        codes += [drop.item for drop in thing.drops] if thing else []
    items = [world.items[code] for code in dict.fromkeys(codes) if code in world.items]
    if hero.consumables or any(item.type == CONSUMABLE for item in items):
        return None
    return {
        slot: [None, *(item.code for item in items if item.type == slot_type(slot))]
        for slot in world.slots
        if slot_type(slot) != CONSUMABLE
    }


def lasting_gear(start: GamePosition) -> Iterator[Code]:
    """Yield the pieces that the hero owns from the start to the end: no recipe takes them, and they fit one slot."""
    world, hero = start.game.world, start.game.hero
    types = Counter(map(slot_type, world.slots))
    ingredients = {part for item in world.items if (recipe := world.recipe_of(item)) for part in recipe.ingredients}
    for code in (*hero.worn.values(), *hero.inventory):
        item = world.items[code]
        if code not in ingredients and types[item.type] == 1 and item.level <= hero.combat.level:
            yield code


_MOST_LOADOUTS = 4096
"""The most loadouts that are fought for one fight."""
_NEVER = np.int32(1 << 20)
Costs = NDArray[np.int32]
"""The fewest edits for each number of goals reached."""


class LeastEdits:
    """Tells, for each call of a lost plan, how many edits at least are needed from there on, whatever the hero has."""

    def __init__(self, line: Line) -> None:
        self._line = line
        start = line.at(line.first)
        hero, rules = start.game.hero, start.game.rules
        is_grown = hero.combat.level >= rules.level_cap
        is_known = start.is_plain and is_grown and rules.defeat == "final" and not rules.failed_craft_is_logged
        gear = obtainable_gear(start, line.calls) if is_known else None
        self._walk = None if gear is None else _Walk(line, list(_Traps(line, gear).find_all()))

    def after(self, number: int, place: Place, reached: int) -> int:
        """Return how few edits win if the first of them is right before a call or takes it away."""
        return self._walk.fewest(self._walk.edited, number, place, reached) if self._walk else 1

    def rest(self, number: int, position: GamePosition) -> int:
        """Return how few edits win from a position before a call, after an edit right before it."""
        place, reached = position.game.hero.place, position.reached
        return self._walk.fewest(self._walk.rest, number, place, reached) if self._walk else 0

    def in_all(self) -> int:
        """Return how few edits the plan needs."""
        line = self._line
        return min(self.after(number, *line.stands(number)) for number in range(line.first, line.stop + 1))


def destination(start: GamePosition, call: Call) -> Place | None:
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

    def find_all(self) -> Iterator[range]:
        """Yield the traps. The first one ends with the fight that ends the line."""
        number, end, lengths = self._line.first, self._line.stop, run_lengths(self._calls)
        while end < len(self._calls):
            yield range(self._latest(number, end), end + 1)
            number = end + lengths[end]
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
        """Yield the fights from a call on whose monster is known, with the gear that the hero may wear at that call."""
        worn, place = dict(self._gear), None
        for at in range(number, len(self._calls)):
            call = self._calls[at]
            place = destination(self._start, call) or place
            if call.name in ("equip", "unequip") and call.values and call.values[1] in worn:
                slot = str(call.values[1])
                worn[slot] = [None] if call.name == "unequip" else self._slot_options(slot, worn[slot], call.values[2])
            elif call.name == "fight" and call.values and (monster := self._monster_at(place)):
                yield at, monster, worn

    def _monster_at(self, place: Place | None) -> Code | None:
        content = self._start.game.world.tiles[place].content if place else None
        return content.code if content and content.type == "monster" else None

    def _slot_options(self, slot: str, pieces: Sequence[Code | None], code: object) -> list[Code | None]:
        """Return what may be in a slot after a call that puts a piece on."""
        if None not in pieces or code not in self._gear[slot]:
            return list(pieces)
        others = [piece for piece in pieces if piece is not None and piece != code]
        return [*others, str(code), *(() if code in self._kept else (None,))]

    def _is_lost(self, monster: Code, worn: Mapping[str, Sequence[Code | None]]) -> bool:
        """Return whether a fight is lost in all loadouts."""
        winning_loadouts = self._won.setdefault(monster, [])
        if any(all(code in worn[slot] for slot, code in loadout.items()) for loadout in winning_loadouts):
            return False
        sizes = tuple(map(len, worn.values()))
        if math.prod(sizes) > _MOST_LOADOUTS:
            return False
        rules = self._start.game.rules
        heroes = fighters(self._start, list(worn.values()))
        wins = duels(heroes, self._start.game.world.monsters[monster].stats, rules.rounds, rules.first, rules.ward).won
        if not wins.any():
            return True
        best_indices = np.unravel_index(int(np.argmax(wins)), sizes)
        winning_loadouts.append(
            {slot: codes[int(at)] for (slot, codes), at in zip(worn.items(), best_indices, strict=True)}
        )
        return False


# -- the walk -----------------------------------------------------------------------------------------------------


class _Walk:
    """The fewest edits from a call on, for each number of goals reached, from the end of the plan to its start.

    They are kept for two cases: the second is that an edit may have changed the place. Goals that ask for the same
    several times in a row count as one."""

    def __init__(self, line: Line, traps: Sequence[range]) -> None:
        self._calls, self._start = line.calls, line.at(line.first)
        self._trap_starts = {trap.start for trap in traps}
        self._trap_ends = {trap.stop - 1 for trap in traps}
        goal_pairs = [(goal.kind, goal.target) for goal in self._start.goals]
        self._goals = [goal for goal, _ in groupby(goal_pairs)]
        self._numbers = [0, *(number + 1 for number, (_, same) in enumerate(groupby(goal_pairs)) for _ in same)]
        self._numbers.append(self._numbers[-1])
        self._needs = list(map(self._need, self._goals))
        moves = (None not in (one, other) and one != other for one, other in pairwise(self._needs))
        self._reaching = np.cumsum([0, *(1 + move for move in moves)], dtype=np.int32)
        """The fewest edits that reach all goals before one, and come to where that one is reached."""
        self._masks: dict[object, NDArray[np.bool_]] = {}
        self._places = list(accumulate(line.calls, self._place_after, initial=self._start.game.hero.place))
        self.edited: dict[int, Costs] = {}
        """For each call the fewest edits if one is right before it or takes it away."""
        self.rest: dict[int, Costs] = {}
        """For each call the fewest edits after one right before it."""
        self._fill()

    def fewest(self, costs: Mapping[int, Costs], number: int, place: Place, reached: int) -> int:
        """Return the fewest edits at a call."""
        return int(costs[number][int(place != self._places[number]), self._numbers[reached]])

    def _fill(self) -> None:
        """Walk along the calls, from the last to the first, and keep what is needed from each on."""
        goals = len(self._goals)
        # the first index is 1 where an edit may have changed the place, the second where the present trap has an edit
        after = np.zeros((2, 2, goals + 1), np.int32)
        after[:, :, :-1] = _NEVER
        edit_costs = self._edit_costs(after, self._places[-1])
        after = np.minimum(after, edit_costs[:, None])
        self.edited[len(self._calls)], self.rest[len(self._calls)] = edit_costs, after[:, 1]
        is_known = False
        for number in range(len(self._calls) - 1, -1, -1):
            call, place = self._calls[number], self._places[number]
            is_again = number > 0 and self._calls[number - 1].key == call.key
            if not is_known or call.name == "move":
                edit_costs = self._edit_costs(after, place)
            is_known = False
            if (call.is_broken or call.name == "move") and is_again:
                pass  # the edit that took away the one before may have taken this one too
            elif call.is_broken:
                after = np.repeat(edit_costs[:, None], 2, axis=1)
            elif call.name in ("move", "fight", "craft"):
                stay_costs = self._stay_costs(call, place, after)
                if number in self._trap_ends:
                    stay_costs[:, 0, :-1] = _NEVER
                edit_costs = np.minimum(edit_costs, self._edit_costs(stay_costs, place))
                after = np.minimum(stay_costs, edit_costs[:, None])
            else:
                is_known = True
            self.edited[number], self.rest[number] = edit_costs, after[:, 1]
            if number in self._trap_starts:
                after, is_known = after[:, [0, 0]], False

    def _place_after(self, place: Place, call: Call) -> Place:
        return destination(self._start, call) or place

    def _need(self, goal: tuple[str, Code]) -> Content | None:
        """Return what has to stand where a goal is reached; None if it may be several things."""
        kind, target = goal
        if kind == "kill":
            return Content("monster", target)
        recipe = self._start.game.world.recipe_of(target)
        return Content("workshop", recipe.skill) if recipe and self._start.game.rules.workshop != "any" else None

    def _of(self, kind: str, target: Code | None) -> NDArray[np.bool_]:
        """Return which goals are of a kind and a target, or of any."""
        return self._mask((kind, target), lambda goal, _: goal[0] == kind and target in (None, goal[1]))

    def _at(self, place: Place) -> NDArray[np.bool_]:
        """Return which goals can be reached at a place."""
        tile = self._start.game.world.tiles.get(place)
        content = tile.content if tile else None
        return self._mask(content, lambda _, need: need in (None, content))

    def _mask(self, key: object, fits: Callable[[tuple[str, Code], Content | None], bool]) -> NDArray[np.bool_]:
        if key not in self._masks:
            self._masks[key] = np.array(list(map(fits, self._goals, self._needs)), dtype=bool)
        return self._masks[key]

    def _stay_costs(self, call: Call, place: Place, after: Costs) -> Costs:
        """Return the fewest edits before a call that does what it can at best."""
        if call.name == "move":
            return after[[0, 0]] if destination(self._start, call) else after.copy()
        if call.values is None:
            return after.copy()
        fits = self._of("kill", None) if call.name == "fight" else self._of("craft", str(call.values[1]))
        stay_costs = after.copy()
        stay_costs[0, :, :-1] = np.where(fits & self._at(place), after[0, :, 1:], after[0, :, :-1])
        stay_costs[1, :, :-1] = np.where(fits, after[1, :, 1:], after[1, :, :-1])
        return stay_costs

    def _edit_costs(self, after: Costs, place: Place) -> Costs:
        """Return the fewest edits with at least one more right here, at a place or wherever an edit has led.

        Each of them reaches at most one goal, and only where the hero is; else one has to take him there."""
        then, reaching = after[1, 1], self._reaching
        edit_costs = np.repeat((then + 1)[None], 2, axis=0)
        least = np.minimum.accumulate((reaching + then[1:])[::-1])[::-1] - reaching + 1
        edit_costs[1, :-1] = np.minimum(edit_costs[1, :-1], least)
        edit_costs[0, :-1] = np.minimum(edit_costs[0, :-1], np.where(self._at(place), least, least + 1))
        return edit_costs
