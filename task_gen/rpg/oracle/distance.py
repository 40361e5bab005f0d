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

from herobench.suite.contract import Distance
from herobench.suites.rpg.game.calls import Call, hero_action, straight_calls
from herobench.suites.rpg.game.events import Crafted, Event, Fought, Gathered
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task, reaches
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Place, World, slot_type
from herobench.task_gen.rpg.oracle.planner import oracle_code
from herobench.task_gen.rpg.oracle.steps import Unplannable

_MOST_TASKS, _MOST_POSITIONS = 256, 10_000


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
        start = GamePosition(world, rules, task)
        is_sure = start.game.rules.drops == "sure"
        self._resumption = Resumption(start, _plan(world, rules, task) if is_sure else ())
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
            calls = self._resumption.calls(position)
            self._most[key] = inf if calls is None else len(calls)
        most = self._most[key]
        return Distance(_least(position), most)


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
    event = first.act(hero_action("fight"))
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


# -- going on by a plan -----------------------------------------------------------------------------------------------


class Resumption:
    """Goes on from positions of one task by a plan that wins it."""

    def __init__(self, start: GamePosition, plan: Sequence[Call]) -> None:
        self._deeds = _read_deeds(start.fork(), plan)

    def calls(self, position: GamePosition) -> list[Call] | None:
        """Return calls that win from a position; None if the plan does not show the way.

        Work for things that the hero owns is left out, or if that does not win, done all the same.
        """
        if position.ended:
            return None
        return _play(position.fork(), self._lacking(position)) or _play(position.fork(), self._deeds)

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


def _play(here: GamePosition, deeds: Iterable[_Deed]) -> list[Call] | None:
    """Do some deeds. Return the calls up to the win; None if they do not win."""
    calls: list[Call] = []
    for deed in deeds:
        for call in _with_way(here, deed):
            here.act(call.action)
            calls.append(call)
            if here.won or here.ended:
                return calls if here.won else None
    return None


def _read_deeds(position: GamePosition, plan: Iterable[Call]) -> list[_Deed]:
    """Play a plan, and return its deeds; nothing if it does not win, for it shows no way then."""
    deeds: list[_Deed] = []
    for call in plan:
        if position.ended or position.won:
            break
        place, worn = position.game.hero.place, dict(position.game.hero.worn)
        event = position.act(call.action)
        if event and event.ok and (deed := _deed(call, place, worn, event, position)):
            deeds.append(deed)
    return deeds if position.won else []


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


def _with_way(here: GamePosition, deed: _Deed) -> Iterator[Call]:
    """Yield the calls of a deed: changes of gear before a fight or a craft of gear, the way, and the call itself."""
    if deed.call.name == "fight":
        yield from _into(here, deed.worn)
    hero = here.game.hero
    for code, number in deed.takes.items():
        slots = [slot for slot, worn in hero.worn.items() if worn == code]
        yield from (Call.to("unequip", slot) for slot in slots[: max(0, number - hero.inventory.get(code, 0))])
    if here.game.hero.place != deed.place:
        yield Call.to("move", *deed.place)
    yield deed.call


def _into(here: GamePosition, loadout: Mapping[str, Code]) -> Iterator[Call]:
    """Yield the changes of gear that lead to the wanted gear: first all that comes off, since a piece may be wanted in
    another slot."""
    worn = here.game.hero.worn
    slots = [
        slot for slot in here.game.world.slots if slot_type(slot) != CONSUMABLE and worn.get(slot) != loadout.get(slot)
    ]
    yield from [Call.to("unequip", slot) for slot in slots if slot in worn]
    yield from [Call.to("equip", slot, loadout[slot]) for slot in slots if slot in loadout]
