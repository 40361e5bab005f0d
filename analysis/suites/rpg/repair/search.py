"""The fewest edits with which a lost plan wins, by a search over all edits.

It tries every edit at every step, one, two, then three at a time, and plays what is left of the plan. So if it finds
nothing with two edits, three are needed. Left out are only edits that cannot matter: steps that the game would refuse,
and steps whose effect is the same at a later place of the plan, where they are tried instead. So of two steps that are
put in one behind the other, either the second depends on the first, or each stands right before a call that depends on
it.

Quantities are free: more than is needed never harms, so a gather that is put in takes very much, and the least number
that wins is found in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from herobench.analysis.suites.rpg.repair.edits import Edit, apply_edits, run_lengths
from herobench.analysis.suites.rpg.repair.line import Allowance, Exhausted, Line, plays_out
from herobench.suites.rpg.game.calls import PLACE_BOUND, Call, hero_action
from herobench.suites.rpg.game.events import Action, Fought
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Content, Item, Place, slot_type

_PLENTY = 1000
"""The quantity of a gather or purchase that is put in."""
_MANY = 20
"""The most fights in a row that are put in for a hero who still learns from them."""
_SHELF: Mapping[str, str] = {"fight": "monster", "gather": "resource", "craft": "workshop", "buy": "grand_exchange"}
"""What has to stand where an action is done."""


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


class EditSearchResult(NamedTuple):
    """What a search tells: no fewer edits than `least` win; with `edits` the plan wins, None if none were found."""

    least: int
    edits: Sequence[Edit] | None


def fewest_edits(lost_line: Line, most: int, allowance: Allowance) -> EditSearchResult:
    """Search for the fewest edits, up to a number, of the plan of a lost line."""
    search = _Search(lost_line.with_allowance(allowance))
    for number in range(1, most + 1):
        try:
            edits = search.within(number)
        except Exhausted:
            return EditSearchResult(number, None)
        if edits is not None:
            return EditSearchResult(number, edits)
    return EditSearchResult(most + 1, None)


class _Due(NamedTuple):
    """A step that was put in where nothing depends on it yet: the next edit has to, at the same place."""

    action: Action
    piece: Code | None
    """The gear that is put on or taken off."""
    is_strict: bool
    """True if the next edit has to fill the slot."""


class _Search:
    def __init__(self, line: Line) -> None:
        self._line, self._calls, self._allowance = line, line.calls, line.allowance
        self._base = position = line.at(line.first)
        self._places = told_places(position, line.calls)
        self._lengths = run_lengths(line.calls)
        recipes = filter(None, map(position.game.world.recipe_of, position.task.knowledge.recipes))
        most = max((number for recipe in recipes for number in recipe.ingredients.values()), default=1)
        game = position.game
        is_learning = game.hero.combat.level < game.rules.level_cap
        self._most = max(most, _MANY if is_learning else 1)
        """The most fights in a row that are put in, and the most pieces that are crafted short of all that can be."""
        self._is_monotone = not any(map(_has_drawback, _available_gear(position)))
        """True if no piece makes the hero weaker."""
        self._tried: dict[object, int] = {}

    def within(self, most: int) -> list[Edit] | None:
        """Return at most `most` edits with which the plan wins; None if no such edits exist."""
        self._tried.clear()
        return self._within(self._line, most)

    def _within(self, line: Line, most: int) -> list[Edit] | None:
        """Search along a line, as far as it is another one than before."""
        # what loses a plan is most often near its end
        for number in range(min(line.stop, line.met), line.first - 1, -1):
            edits = self._from(line, number, line.at(number), most, None)
            if edits is not None:
                return edits
        return None

    def _from(self, line: Line, number: int, here: GamePosition, most: int, due: _Due | None) -> list[Edit] | None:
        """Search with the first edit at a step of a line, from a position before it."""
        for edit, position in self._edits(line, number, here, most, due):
            then = edit.at + edit.steps
            if most == 1:
                if line.wins(then, position):
                    return [edit]
                continue
            more = self._goes_on(line, edit, then, position, most - 1)
            if more is not None:
                return [edit, *more]
        return None

    def _goes_on(self, line: Line, edit: Edit, then: int, position: GamePosition, most: int) -> list[Edit] | None:
        """Return further edits behind one; None if none win."""
        if position.ended and not position.won:
            return None
        due = self._due(line, edit, then)
        difference = position.difference(self._base)
        key = then, due, frozenset(difference.items())
        if self._tried.get(key, 0) >= most:
            return None
        self._tried[key] = most
        if due:
            return self._from(line, then, position, most, due)
        after = Line(position, self._calls, then, self._allowance, line)
        return [] if after.won else self._within(after, most)

    def _due(self, line: Line, edit: Edit, then: int) -> _Due | None:
        """Return what the next edit has to depend on: without that, this one does nothing or comes too early."""
        action = edit.action
        if edit.steps or action is None:
            return None
        here = line.at(then)
        is_strict = action.name == "unequip" and not self._lets_on(line, str(action.args[1]), then)
        if not is_strict and self._matters_before(line, action, here, then):
            return None
        return _Due(action, _piece(here, action), is_strict)

    def _matters_before(self, line: Line, action: Action, here: GamePosition, number: int) -> bool:
        """Return whether it matters that a step stands before a call, and not behind it."""
        call = self._calls[number] if number < len(self._calls) else None
        if call is None or call.values is None:
            return False
        name, event = action.name, line.event(number)
        is_refused = event is None or not event.ok
        is_lost = event is None or (isinstance(event.detail, Fought) and not event.detail.won)
        if name == "move":
            return call.name in PLACE_BOUND
        if name in ("equip", "unequip"):
            if call.name == "fight":
                return is_lost or bool(here.game.hero.consumables) or slot_type(str(action.args[1])) == CONSUMABLE
            return _depends_on_gear(here, call, str(action.args[1]), _piece(here, action))
        if call.name == "fight":
            return is_lost or name != "gather"
        if call.name in ("craft", "equip"):
            return is_refused or name in ("craft", "fight")
        if call.name == "unequip":
            return name == "fight"
        return call.name == "move" or (call.name == "gather" and is_refused)

    def _follows(self, here: GamePosition, due: _Due, action: Action, most: int) -> bool:
        """Return whether an action depends on what is due. A change of gear may wait for another one."""
        before = due.action.name
        if due.is_strict:
            return action.name == "equip" and action.args[1] == due.action.args[1]
        if before == "move":
            return action.name in PLACE_BOUND
        if before in ("equip", "unequip"):
            is_fight = action.name == "fight" and (before == "equip" or not self._is_monotone)
            slot = str(due.action.args[1])
            return most > 1 or is_fight or _depends_on_gear(here, Call.of(action), slot, due.piece)
        return action.name not in ("gather", "buy")

    def _lets_on(self, line: Line, slot: str, number: int) -> bool:
        """Return whether an empty slot could let a later call do what it could not: put on a piece, or craft of one."""
        if not self._is_monotone:
            return True
        # in the place of the call that ends the line, it lets all go on that was not played
        end = line.stop + 1 if number < line.stop else len(self._calls)
        return any(
            call.name == "craft" or (call.name == "equip" and call.values is not None and call.values[1] == slot)
            for at in range(number, min(end, len(self._calls)))
            if (call := self._calls[at]) and not ((event := line.event(at)) and event.ok)
        )

    def _runs(self, here: GamePosition, number: int) -> Sequence[int]:
        """Return how many equal calls may be left out: one or all; any number where a budget counts them."""
        length = self._lengths[number]
        return sorted({1, length}) if here.is_plain else range(1, length + 1)

    # -- the edits at one step --------------------------------------------------------------------------------------

    def _edits(
        self, line: Line, number: int, here: GamePosition, most: int, due: _Due | None
    ) -> Iterator[tuple[Edit, GamePosition]]:
        """Yield the edits at a step that could matter, each with the position after it."""
        if here.ended:
            return
        call = self._calls[number] if number < len(self._calls) else None
        event = line.event(number)
        is_refused = event is not None and not event.ok
        is_idle = is_refused and here.is_plain and not line.at(number + 1).ended
        runs = self._runs(here, number) if call else []
        if not is_idle and not due:
            yield from ((Edit(number, run, None), here) for run in runs)
        for action, times in self._actions(here, call, most, due):
            if most == 1 and action.name == "unequip" and not self._lets_on(line, str(action.args[1]), number):
                continue
            after = here.fork()
            for _ in range(times):
                self._allowance.take()
                after.act(action)
            if not is_idle:
                yield from ((Edit(number, run, action, times), after) for run in runs)
            may_wait = call and most == 1 and not self._matters_before(line, action, here, number)
            if not may_wait:
                yield Edit(number, 0, action, times), after

    def _actions(
        self, here: GamePosition, call: Call | None, most: int, due: _Due | None
    ) -> Iterator[tuple[Action, int]]:
        """Yield the actions that the game would not refuse, each with how often it is done."""
        game = here.game
        tile = game.world.tiles[game.hero.place]
        gear = ((action, 1) for action in _gear_actions(here))
        moves = ((hero_action("move", *place), 1) for place in self._destinations(here, call, most))
        work = _work_at(here, tile.content, self._most) if tile.content else ()
        actions = (*gear, *moves, *work)
        yield from (each for each in actions if not due or self._follows(here, due, each[0], most))

    def _destinations(self, here: GamePosition, call: Call | None, most: int) -> Iterator[Place]:
        """Yield the places where something can be done next."""
        content_types = {_SHELF[call.name]} if call and call.name in PLACE_BOUND and most == 1 else {*_SHELF.values()}
        for content, place in self._places.items():
            if content.type in content_types and place != here.game.hero.place:
                yield place


def _available_gear(position: GamePosition) -> Iterator[Item]:
    """Yield the gear that the task tells, or that the hero has."""
    world, task = position.game.world, position.task
    codes = (*task.knowledge.recipes, *task.knowledge.materials, *task.hero.worn.values(), *task.hero.inventory)
    for code in dict.fromkeys(codes):
        if (item := world.items.get(code)) and item.type in map(slot_type, world.slots):
            yield item


def _has_drawback(item: Item) -> bool:
    stats = item.worn
    return bool(stats.round_effects) or min(stats.hp, *stats.attack, *stats.damage, *stats.resistance) < 0


def _piece(here: GamePosition, action: Action) -> Code | None:
    """Return the gear that an action puts on or takes off."""
    if action.name == "unequip":
        return here.game.hero.worn.get(str(action.args[1]))
    return str(action.args[2]) if action.name == "equip" else None


def _depends_on_gear(here: GamePosition, call: Call, slot: str, piece: Code | None) -> bool:
    """Return whether a call other than a fight depends on a slot, or on whether a piece is in the bag."""
    if call.values is None:
        return False
    if call.name in ("equip", "unequip"):
        return slot == call.values[1] or (call.name == "equip" and piece in (None, call.values[2]))
    recipe = here.game.world.recipe_of(str(call.values[1])) if call.name == "craft" else None
    return recipe is not None and (piece is None or piece in recipe.ingredients)


def _gear_actions(here: GamePosition) -> Iterator[Action]:
    """Yield the changes of gear that the game would not refuse."""
    hero, world = here.game.hero, here.game.world
    most = here.game.rules.stack_limit
    for slot in (*hero.worn, *hero.consumables):
        yield hero_action("unequip", slot, *([hero.consumables[slot].quantity] if slot in hero.consumables else ()))
    free = [slot for slot in world.slots if slot not in hero.worn]
    for code in hero.inventory:
        item = world.items[code]
        for slot in free:
            if item.type == slot_type(slot) and item.level <= hero.combat.level:
                yield hero_action("equip", slot, code, *([most] if item.type == CONSUMABLE else ()))


def _work_at(here: GamePosition, content: Content, most: int) -> Iterator[tuple[Action, int]]:
    """Yield what can be done with a thing at the hero's place."""
    game, world = here.game, here.game.world
    if content.type == "monster":
        yield hero_action("fight"), 1
        if most > 1:
            yield hero_action("fight"), most
    elif content.type == "resource":
        node = world.resources[content.code]
        if game.hero.skills[node.skill].level >= node.level:
            yield hero_action("gather", _PLENTY), 1
    elif content.type == "workshop":
        for code in _craftable(here, content.code):
            for quantity in _quantities(here, code, most):
                yield hero_action("craft", code, quantity), 1
    else:
        sold = world.exchange_sells if game.rules.for_sale is None else game.rules.for_sale
        yield from ((hero_action("buy", code, _PLENTY), 1) for code in sorted(sold))


def _craftable(here: GamePosition, skill: str) -> Iterator[Code]:
    recipes = here.task.knowledge.recipes
    world, rules = here.game.world, here.game.rules
    targets = [here.task.target] if here.task.kind == "craft" else []
    for code in dict.fromkeys((*recipes, *targets)):
        recipe = world.recipe_of(code)
        if recipe and (recipe.skill == skill or rules.workshop == "any"):
            yield code


def _quantities(here: GamePosition, code: Code, most: int) -> list[int]:
    """Return how many pieces of an item can be crafted here."""
    recipe = here.game.world.recipe_of(code)
    assert recipe, "a craft has a recipe"
    hero = here.game.hero
    if hero.skills[recipe.skill].level < recipe.level:
        return []
    possible = min(hero.inventory.get(part, 0) // number for part, number in recipe.ingredients.items())
    return sorted({*range(1, min(most, possible) + 1), possible} - {0})


def least_quantities(
    position: GamePosition, calls: Sequence[Call], edits: Sequence[Edit], allowance: Allowance
) -> list[Edit]:
    """Return edits with the least quantities with which the plan still wins. More of anything never harms."""
    result = list(edits)
    for index, edit in enumerate(result):
        low, high = 0, _quantity(edit)
        while high - low > 1:
            middle = (low + high) // 2
            candidate = [*result[:index], _with_quantity(edit, middle), *result[index + 1 :]]
            if plays_out(position, apply_edits(calls, candidate), 0, allowance):
                high = middle
            else:
                low = middle
        if high:
            result[index] = _with_quantity(edit, high)
    return result


def _quantity(edit: Edit) -> int:
    """Return the number that an edit could do less of; 0 if it has none."""
    if edit.action is None:
        return 0
    if edit.times > 1:
        return edit.times
    return int(edit.action.args[-1] or 0) if edit.action.name in ("gather", "craft", "buy") else 0


def _with_quantity(edit: Edit, quantity: int) -> Edit:
    if edit.times > 1 or edit.action is None:
        return edit._replace(times=quantity)
    return edit._replace(action=edit.action._replace(args=(*edit.action.args[:-1], quantity)))
