"""The distance of a hero from the goals of a task: a way that wins from his position, and a lower bound of all ways.

The way comes from the certified plan, or from the oracle's if there is none. Up to the next goal, work for things that
the hero already owns is left out, and the game plays the rest from the present position. After that goal the plan
continues unchanged, if the hero is then where the plan had him, in the same gear, and owns all that its rest consumes.
So a state costs the same however long the plan is, except for one look at each call.

The bound counts one action for each goal, a move for each change of place between them, and what the next goal lacks.
Where the length of the plan is proven over all ways to win, the hero also lacks as many actions as that length is above
the number of those that he has done.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from threading import Lock

from herobench.suite.contract import Distance
from herobench.suites.rpg.game.calls import Call, straight_calls
from herobench.suites.rpg.game.events import Action, Crafted, Event, Fought, Gathered
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Goal, Task, reaches
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Place, World, slot_type
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.planner import oracle_code
from herobench.task_gen.rpg.oracle.resumption import Resumption

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
    goal: int | None
    """The number of the goal that it reaches."""


@dataclass(frozen=True, slots=True)
class _Milestone:
    """The plan when a goal is reached."""

    calls: int
    """The calls up to here."""
    deeds: int
    after: GamePosition
    needed: Mapping[Code, int]
    """The pieces that the rest of the plan takes, those in use among them."""


class _TaskDistances:
    """The distances in one task."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self._task = task
        self._start = GamePosition(world, rules, task)
        self._calls = _plan(world, rules, task) if self._start.game.rules.drops == "sure" else ()
        certificate = task.certificate
        self._proven = (certificate and certificate.shortest_win) or 0
        self._deeds: list[_Deed] = []
        self._milestones: list[_Milestone] = []
        self._play()
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
        return Distance(max(self._least(position), self._proven - position.played), most)

    # -- the plan -----------------------------------------------------------------------------------------------------

    def _play(self) -> None:
        """Play the plan, and note its deeds, and how it stands when a goal is reached."""
        position, marks = self._start.fork(), list[tuple[int, int, GamePosition]]()
        for number, call in enumerate(self._calls):
            if position.ended:
                break
            place, worn, before = position.game.hero.place, dict(position.game.hero.worn), position.reached
            event = position.act(call.action)
            goal = before if position.reached > before else None
            if event and event.ok and (deed := _deed(call, place, worn, event, goal, position)):
                self._deeds.append(deed)
            if goal is not None:
                marks.append((number + 1, len(self._deeds), position.fork()))
            if position.won:
                break
        needed, last = Counter[Code](), len(self._deeds)
        for calls, deeds, after in reversed(marks):
            for deed in reversed(self._deeds[deeds:last]):
                _before(needed, deed)
            last = deeds
            self._milestones.insert(0, _Milestone(calls, deeds, after, dict(needed)))
        if len(self._milestones) < len(self._task.goals):  # a plan that does not win shows no way
            self._milestones = []

    # -- the way ------------------------------------------------------------------------------------------------------

    def _way(self, position: GamePosition) -> float:
        """Return the length of a way that was seen to win, or to lead to where the plan is."""
        if not self._milestones:
            return inf
        next_goal = self._milestones[position.reached]
        here = position.fork()
        for action in self._work(here, next_goal):
            here.act(action)
            if here.ended and not here.won:
                break
        length = here.played - position.played
        if here.won:
            return length
        rest = self._milestones[-1].calls - next_goal.calls
        if not here.ended and _can_go_on(here, next_goal, rest):
            return length + rest
        calls = self._resumption.calls(position) if self._resumption else None
        return inf if calls is None else len(calls)

    def _work(self, here: GamePosition, next_goal: _Milestone) -> Iterator[Action]:
        """Yield the actions up to the next goal, without the work for what the hero owns. The caller does them."""
        for deed in self._lacking(here, next_goal):
            yield from _changes(here, deed)
            if here.game.hero.place != deed.place:
                yield _action("move", *deed.place)
            yield deed.call.action
        after = next_goal.after.game.hero
        if not here.won:
            yield from _into(here, after.worn)
            if here.game.hero.place != after.place:
                yield _action("move", *after.place)

    def _lacking(self, here: GamePosition, next_goal: _Milestone) -> list[_Deed]:
        """Return the deeds that have to be done, in the order of the plan."""
        hero = here.game.hero
        lacking = Counter(next_goal.needed)
        owned = Counter(hero.inventory) + Counter(hero.worn.values())
        deeds: list[_Deed] = []
        for deed in reversed(self._deeds[: next_goal.deeds]):
            due = deed.goal is not None and deed.goal >= here.reached
            if due or any(lacking[code] > owned[code] for code in deed.gives):
                deeds.append(deed)
                _before(lacking, deed)
        return deeds[::-1]

    # -- the bound ----------------------------------------------------------------------------------------------------

    def _least(self, position: GamePosition) -> int:
        """Return a number of actions that no way is below."""
        world, rules = position.game.world, position.game.rules
        goals = self._task.goals[position.reached :]
        stops = [_goal_stop(world, rules, goal) for goal in goals]
        content = world.tiles[position.game.hero.place].content
        is_shop = content is not None and content.type == "workshop"
        here = content and (_workshop_stop(rules, content.code) if is_shop else tuple(content))
        moves = sum(one != other for one, other in zip([here, *stops], stops, strict=False))
        lacks = _unready(position) if goals[0].kind == "kill" else _unmade(position, goals[0].target)
        return len(goals) + moves + lacks


def _goal_stop(world: World, rules: Rules, goal: Goal) -> tuple[str, str]:
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
    goal: int | None,
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
    return _Deed(call, place, worn if call.name == "fight" else {}, takes, gives, goal)


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


def _can_go_on(here: GamePosition, milestone: _Milestone, rest: int) -> bool:
    """Return whether the rest of the plan, this many calls, wins from here as it does from its own milestone."""
    budget = here.game.rules.budget
    hero, other = here.game.hero, milestone.after.game.hero
    cap = here.game.rules.level_cap
    owned = Counter(hero.inventory) + Counter(hero.worn.values())
    return (
        (budget is None or here.played + rest <= budget)
        and here.reached == milestone.after.reached
        and hero.place == other.place
        and hero.worn == other.worn
        and hero.consumables == other.consumables
        and all(owned[code] >= number for code, number in milestone.needed.items())
        and all(hero.skills[skill].as_tuple()[:2] >= then.as_tuple()[:2] for skill, then in other.skills.items())
        and (hero.combat.as_tuple() == other.combat.as_tuple() or min(hero.combat.level, other.combat.level) >= cap)
    )


def _key(position: GamePosition) -> object:
    """Return what tells a position from others of the task."""
    hero = position.game.hero
    return (
        hero.place,
        position.reached,
        None if position.is_plain else position.played,
        tuple(sorted(hero.worn.items())),
        tuple(sorted((slot, stack.item, stack.quantity) for slot, stack in hero.consumables.items())),
        tuple(sorted(hero.inventory.items())),
        tuple(progress.as_tuple() for progress in hero.skills.values()),
        hero.combat.as_tuple(),
    )


def _unready(position: GamePosition) -> int:
    """Return 1 if the hero as he is does not beat the monster of the next goal: then another action comes before."""
    goal = position.goals[position.reached]
    first = position.fork()
    for place in first.game.world.places_of("monster", goal.target)[:1]:
        first.game.hero.place = place
    event = first.act(_action("fight"))
    return int(event is None or not reaches(goal, event))


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
