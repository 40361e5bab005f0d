"""The distance of a hero from the goal of a task: a way that wins from his position, and a lower bound of all ways.

The way comes from the certified plan, or from the oracle's if there is none. Work for things that the hero already owns
is left out, and the game plays the rest from the present position.

The bound counts one action for the goal, a move if the hero has to go there, and what he lacks before it.

The certified plan says what is made, in what gear each fight is won, and where. From another position the same work is
done in the same order: before each fight the hero changes into the gear that he wore then, and goes to the place.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from threading import Lock
from typing import NamedTuple

from herobench.suite.contract import Distance
from herobench.suites.rpg.game.calls import PLACE_BOUND, Call, straight_calls
from herobench.suites.rpg.game.events import Action, Crafted, Event, Fought, Gathered
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task, reaches
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Place, World, slot_type
from herobench.task_gen.rpg.oracle.planner import oracle_code
from herobench.task_gen.rpg.oracle.steps import Unplannable

_MOST_TASKS, _MOST_POSITIONS = 256, 10_000
_LONGEST_REPLAY = 300
"""The calls of the longest plan of which all work is done again where leaving some out does not win."""


class Distances:
    """The distances in the tasks of one world. Threads may share it."""

    def __init__(self, world: World, rules: Rules) -> None:
        self._world, self._rules = world, rules
        self._known: OrderedDict[str, _TaskDistances] = OrderedDict()
        self._lock = Lock()

    def __call__(self, position: GamePosition) -> Distance:
        """Return how many actions a position is from a win. It is not changed."""
        task = position.task
        with self._lock:
            task_distances = self._known.pop(task.id, None) or _TaskDistances(self._world, self._rules, task)
            self._known[task.id] = task_distances
            if len(self._known) > _MOST_TASKS:
                self._known.popitem(last=False)
            return task_distances(position)


@dataclass(frozen=True, slots=True)
class _Deed:
    """A call of the plan that takes place at a place: what it uses up and gives, and the gear of a fight."""

    call: Call
    place: Place
    worn: Mapping[str, Code]
    takes: Mapping[Code, int]
    gives: Mapping[Code, int]
    is_goal: bool
    """True if it reaches the goal."""


class _TaskDistances:
    """The distances in one task."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self._task = task
        self._start = GamePosition(world, rules, task)
        self._calls = _plan(world, rules, task) if self._start.game.rules.drops == "sure" else ()
        self._deeds = self._read_deeds()
        self._resumption = Resumption(self._start, self._calls) if len(self._calls) <= _LONGEST_REPLAY else None
        self._most: dict[object, float] = {}

    def __call__(self, position: GamePosition) -> Distance:
        if self._task.impossible is not None:  # to give up is right, and too late after the first action
            return Distance(inf, inf) if position.played else Distance(1, 1)
        if position.won:
            return Distance(0, 0)
        if position.ended:
            return Distance(inf, inf)
        key = _key(position)
        if key not in self._most:
            if len(self._most) >= _MOST_POSITIONS:
                self._most.clear()
            self._most[key] = self._way(position)
        most = self._most[key]
        return Distance(_least(position), most)

    # -- the plan -----------------------------------------------------------------------------------------------------

    def _read_deeds(self) -> list[_Deed]:
        """Play the plan, and return its deeds; nothing if it does not win, for it shows no way then."""
        position, deeds = self._start.fork(), list[_Deed]()
        for call in self._calls:
            if position.ended or position.won:
                break
            place, worn = position.game.hero.place, dict(position.game.hero.worn)
            event = position.act(call.action)
            if event and event.ok and (deed := _deed(call, place, worn, event, position)):
                deeds.append(deed)
        return deeds if position.won else []

    # -- the way ------------------------------------------------------------------------------------------------------

    def _way(self, position: GamePosition) -> float:
        """Return the length of a way that was seen to win."""
        here = position.fork()
        for action in self._work(here):
            here.act(action)
            if here.ended or here.won:
                break
        if here.won:
            return here.played - position.played
        calls = self._resumption.calls(position) if self._resumption else None
        return inf if calls is None else len(calls)

    def _work(self, here: GamePosition) -> Iterator[Action]:
        """Yield the actions up to the goal, without the work for what the hero owns. The caller does them."""
        for deed in self._lacking(here):
            yield from _changes(here, deed)
            if here.game.hero.place != deed.place:
                yield _action("move", *deed.place)
            yield deed.call.action

    def _lacking(self, here: GamePosition) -> list[_Deed]:
        """Return the deeds that have to be done, in the order of the plan."""
        hero = here.game.hero
        lacking = Counter[Code]()
        owned = Counter(hero.inventory) + Counter(hero.worn.values())
        deeds: list[_Deed] = []
        for deed in reversed(self._deeds):
            if deed.is_goal or any(lacking[code] > owned[code] for code in deed.gives):
                deeds.append(deed)
                _before(lacking, deed)
        return deeds[::-1]


# -- the bound --------------------------------------------------------------------------------------------------------


def _least(position: GamePosition) -> int:
    """Return a number of actions that no way is below."""
    world, rules, task = position.game.world, position.game.rules, position.task
    content = world.tiles[position.game.hero.place].content
    is_shop = content is not None and content.type == "workshop"
    here = content and (_workshop_stop(rules, content.code) if is_shop else tuple(content))
    lacks = _unready(position) if task.kind == "kill" else _unmade(position, task.target)
    return 1 + (here != _goal_stop(world, rules, task)) + lacks


def _goal_stop(world: World, rules: Rules, goal: Task) -> tuple[str, str]:
    """Return where a goal is reached."""
    recipe = world.recipe_of(goal.target) if goal.kind == "craft" else None
    return _workshop_stop(rules, recipe.skill) if recipe else ("monster", goal.target)


def _workshop_stop(rules: Rules, skill: str) -> tuple[str, str]:
    """Return where a skill is worked; all workshops are one where any of them will do."""
    return "workshop", skill if rules.workshop == "matching" else ""


def _plan(world: World, rules: Rules, task: Task) -> Sequence[Call]:
    """Return the calls of the plan of a task; none if there is no straight one."""
    if task.impossible is not None:
        return ()
    calls = straight_calls(task.certificate.plan) if task.certificate else None
    if calls is not None:
        return calls
    try:
        return straight_calls(oracle_code(world, rules, task)) or ()
    except Unplannable:
        return ()


def _deed(
    call: Call,
    place: Place,
    worn: Mapping[str, Code],
    event: Event,
    position: GamePosition,
) -> _Deed | None:
    """Return a call that was carried out as a deed; None for a move or a change of gear."""
    takes, gives = dict[Code, int](), dict[Code, int]()
    match event.detail:
        case Fought(drops=drops) | Gathered(drops=drops):
            gives = dict(drops)
        case Crafted(item=item, quantity=quantity):
            recipe = position.game.world.recipe_of(item)
            gives = {item: quantity}
            takes = {code: each * quantity for code, each in recipe.ingredients.items()} if recipe else {}
        case _ if call.name == "buy" and call.values:
            gives = {str(call.values[1]): int(call.values[2] or 1)}
        case _ if call.name in ("equip", "unequip") and call.values and slot_type(str(call.values[1])) == CONSUMABLE:
            pass
        case _:
            return None
    return _Deed(call, place, worn if call.name == "fight" else {}, takes, gives, position.won)


def _before(needed: Counter[Code], deed: _Deed) -> None:
    """Turn what is needed after a deed into what is needed before it."""
    for code, number in deed.gives.items():
        needed[code] = max(0, needed[code] - number)
    for code, number in deed.takes.items():
        needed[code] += number
    for code, number in Counter(deed.worn.values()).items():
        needed[code] = max(needed[code], number)


def _changes(here: GamePosition, deed: _Deed) -> Iterator[Action]:
    """Yield the changes of gear that a deed takes: into that of a fight, and out of gear that goes into a craft."""
    if deed.call.name == "fight":
        yield from _into(here, deed.worn)
    hero = here.game.hero
    for code, number in deed.takes.items():
        slots = [slot for slot, worn in hero.worn.items() if worn == code]
        yield from (_action("unequip", slot) for slot in slots[: max(0, number - hero.inventory.get(code, 0))])


def _into(here: GamePosition, loadout: Mapping[str, Code]) -> Iterator[Action]:
    """Yield the changes of gear that lead to the wanted gear: first all that comes off, since a piece may be wanted in
    another slot."""
    worn = here.game.hero.worn
    slots = [
        slot for slot in here.game.world.slots if slot_type(slot) != CONSUMABLE and worn.get(slot) != loadout.get(slot)
    ]
    yield from [_action("unequip", slot) for slot in slots if slot in worn]
    yield from [_action("equip", slot, loadout[slot]) for slot in slots if slot in loadout]


def _key(position: GamePosition) -> object:
    """Return what tells a position from others of the task."""
    hero = position.game.hero
    return (
        hero.place,
        None if position.is_plain else position.played,
        tuple(sorted(hero.worn.items())),
        tuple(sorted((slot, stack.item, stack.quantity) for slot, stack in hero.consumables.items())),
        tuple(sorted(hero.inventory.items())),
        tuple(progress.as_tuple() for progress in hero.skills.values()),
        hero.combat.as_tuple(),
    )


def _unready(position: GamePosition) -> int:
    """Return 1 if the hero as he is does not beat the monster of the goal: then another action comes before."""
    first = position.fork()
    for place in first.game.world.places_of("monster", position.task.target)[:1]:
        first.game.hero.place = place
    event = first.act(_action("fight"))
    return int(event is None or not reaches(position.task, event))


def _unmade(position: GamePosition, code: Code) -> int:
    """Return the longest chain of actions that have to come one after the other before an item can be crafted."""
    world, hero = position.game.world, position.game.hero
    recipe = world.recipe_of(code)
    if recipe is None or position.game.rules.craft_credit != "exact":  # there the craft of another item may win
        return 0

    def before(part: Code, number: int) -> int:
        if hero.inventory.get(part, 0) >= number:
            return 0
        has_another_source = part in world.droppers or part in world.nodes or part in hero.worn.values()
        return 1 + (0 if has_another_source or part in position.task.knowledge.sold else _unmade(position, part))

    return max((before(part, number) for part, number in recipe.ingredients.items()), default=0)


def _action(name: str, *values: str | int) -> Action:
    return Action(name, (NAME, *values))


# -- going on by the certified plan -----------------------------------------------------------------------------------


class _CertifiedCall(NamedTuple):
    """A call of the certified plan with what it needs: the place, and for a fight the gear."""

    call: Call
    place: Place
    worn: Mapping[str, str]


class Resumption:
    """Goes on from positions of one task by its certified plan."""

    def __init__(self, start: GamePosition, certificate: Sequence[Call]) -> None:
        self._deeds = list(_certified_calls(start.fork(), certificate))

    def calls(self, position: GamePosition) -> list[Call] | None:
        """Return calls that win from a position; None if the certified plan does not show the way."""
        if position.ended:
            return None
        here = position.fork()
        calls = list(self._play(here))
        return calls if here.won else None

    def _play(self, position: GamePosition) -> Iterator[Call]:
        """Play the deeds, and yield the calls."""
        for deed in self._deeds:
            for call in _with_way(position, deed):
                position.act(call.action)
                yield call
                if position.won or position.ended:
                    return


def _certified_calls(position: GamePosition, calls: Iterable[Call]) -> Iterator[_CertifiedCall]:
    for call in calls:
        if position.won or position.ended:
            return
        hero = position.game.hero
        is_food = call.name in ("equip", "unequip") and call.values and slot_type(str(call.values[1])) == CONSUMABLE
        if call.name in PLACE_BOUND or is_food:
            yield _CertifiedCall(call, hero.place, dict(hero.worn))
        position.act(call.action)


def _with_way(position: GamePosition, deed: _CertifiedCall) -> Iterator[Call]:
    """Yield the calls of a deed: changes of gear before a fight, the way, and the call itself."""
    hero = position.game.hero
    if deed.call.name == "fight":
        for slot in position.game.world.slots:
            now, then = hero.worn.get(slot), deed.worn.get(slot)
            if now != then and slot_type(slot) != CONSUMABLE:
                if now:
                    yield Call.to("unequip", slot)
                if then:
                    yield Call.to("equip", slot, then)
    if deed.call.name in PLACE_BOUND and hero.place != deed.place:
        yield Call.to("move", *deed.place)
    yield deed.call
