"""Proves the length of a shortest solution, and that milestones are landmarks.

Rules cost nothing and only add, so a state is searched with all that follows from it. That facts fade is left out: it
only forbids plans. So the length that is found is a lower bound, and it is exact if the plan that is found, or another
one of this length, solves the level in the game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from herobench.pddl import Atom, GroundAction, SearchLimits
from herobench.pddl.limits import ORDINARY
from herobench.pddl.pruning import PersistentSets
from herobench.pddl.relaxation import LmCut, relaxed_landmarks
from herobench.pddl.search import SearchOutcome, a_star
from herobench.pddl.task import bits
from herobench.suites.epoch.game.game import EpochGame
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import EpochWorld, level_world, parse_atom


class Walk:
    """Where one person can walk."""

    def __init__(self, person: str, places: Mapping[str, int], moves: Mapping[int, GroundAction]) -> None:
        self.person = person
        self.places = places
        """The bit of each place."""
        self._moves = {number: (move.args[1], move.args[2]) for number, move in moves.items()}
        self._near: dict[str, set[str]] = {place: set() for place in places}
        for start, end in self._moves.values():
            self._near[start].add(end)
            self._near[end].add(start)

    @property
    def is_tree(self) -> bool:
        """Whether there is one way at most between two places."""
        visited: set[str] = set()
        trees = 0
        for place in self.places:
            if place not in visited:
                visited.update(self._ways_from(place))
                trees += 1
        return sum(map(len, self._near.values())) == 2 * (len(self.places) - trees)

    def moves(self, goals: int) -> list[int]:
        """Return the moves that can be of use if the person is, or has to be, at the wanted places only."""
        places = self.places
        near = {place: set(others) for place, others in self._near.items()}
        ends = [place for place, others in near.items() if len(others) < 2 and not places[place] & goals]
        while ends:
            end = ends.pop()
            for other in near.pop(end):
                near[other].discard(end)
                if len(near[other]) < 2 and not places[other] & goals and other not in ends:
                    ends.append(other)
        return [number for number, (start, end) in self._moves.items() if start in near and end in near]

    def shortest_tour(self, start: str, stops: Collection[str], ends: Collection[str]) -> int:
        """Return the fewest moves of a tour in a tree that passes all stops and ends at one of the `ends` among them.

        The tour passes each way to a stop there and back, but for the way to its end.
        """
        ways = self._ways_from(start)
        passed: set[str] = set()
        for stop in stops:
            place = stop if stop in ways else start
            while place != start and place not in passed:
                passed.add(place)
                place = ways[place][0]
        return 2 * len(passed) - max((ways[end][1] for end in ends if end in ways), default=0)

    def _ways_from(self, start: str) -> dict[str, tuple[str, int]]:
        """Return for each place that can be reached the place before it, and its distance."""
        ways = {start: (start, 0)}
        for place in (line := [start]):  # grows while it is read
            for other in self._near[place]:
                if other not in ways:
                    ways[other] = place, ways[place][1] + 1
                    line.append(other)
        return ways


def walks(actions: Sequence[GroundAction], atoms: Sequence[Atom]) -> Iterator[Walk]:
    """Yield the walk of each person."""
    places: dict[str, dict[str, int]] = {}
    for bit, atom in enumerate(atoms):
        if atom.name == "at":
            places.setdefault(atom.args[0], {})[atom.args[1]] = 1 << bit
    moves = {number: action for number, action in enumerate(actions) if action.name == "move"}
    for person, own in places.items():
        yield Walk(person, own, {number: move for number, move in moves.items() if move.args[0] == person})


class Tours:
    """The bound for one goal. Keeps the values of the states that it was asked for."""

    def __init__(
        self, actions: Sequence[GroundAction], goal: int, free: Collection[str], atoms: Sequence[Atom]
    ) -> None:
        """Prepare for some actions; `free` has the names of those that cost nothing."""
        self._actions, self._goal = actions, goal
        self._others = LmCut(actions, goal, {*free, "move"})
        self._walks = list(walks(actions, atoms))
        self._has: dict[str, dict[str, int]] = {}
        """For each thing the bits of the facts that somebody has it, by person."""
        self._lies: dict[str, dict[str, int]] = {}
        """For each thing the bits of the facts that it lies somewhere, by place."""
        for bit, atom in enumerate(atoms):
            if atom.name == "has":
                self._has.setdefault(atom.args[1], {})[atom.args[0]] = 1 << bit
            elif atom.name == "lies":
                self._lies.setdefault(atom.args[0], {})[atom.args[1]] = 1 << bit
        self._booths: dict[str, set[str]] = {}
        """The places from which each person can send."""
        for action in actions:
            if action.name == "send":
                self._booths.setdefault(action.args[0], set()).add(action.args[3])
        self._known: dict[int, int | None] = {}

    @property
    def fits(self) -> bool:
        """Whether the bound holds: everybody walks in a tree, and nobody where another person walks."""
        apart = all(not one.places.keys() & other.places.keys() for one, other in combinations(self._walks, 2))
        return apart and all(walk.is_tree for walk in self._walks)

    def __call__(self, state: int) -> int | None:
        """Return a lower bound on the number of actions from a state; None if the goal cannot be reached."""
        if state not in self._known:
            self._known[state] = self._bound(state)
        return self._known[state]

    def _bound(self, state: int) -> int | None:
        others = self._others(state)
        needed = None if others is None else relaxed_landmarks(self._actions, state, self._goal)
        if others is None or needed is None:
            return None
        return others + sum(self._moves(walk, state, needed) for walk in self._walks)

    def _moves(self, walk: Walk, state: int, needed: int) -> int:
        """Return how many moves a person needs at least if some facts have to become true."""
        here = next((place for place, bit in walk.places.items() if bit & state), None)
        if here is None:
            return 0
        ends = {place for place, bit in walk.places.items() if bit & needed}
        fetched = self._sent_from(walk, state, needed)
        booths = self._booths.get(walk.person, ())
        if fetched and len(booths) == 1:
            return walk.shortest_tour(here, {*ends, *fetched, *booths}, {*(ends - fetched), *booths})
        return walk.shortest_tour(here, ends, ends)

    def _sent_from(self, walk: Walk, state: int, needed: int) -> set[str]:
        """Return the places of a walk where a thing lies that another person has to get: it has to be sent."""
        return {
            place
            for thing, people in self._has.items()
            if any(bit & needed for person, bit in people.items() if person != walk.person)
            for place, bit in self._lies.get(thing, {}).items()
            if bit & state and place in walk.places
        }


class Useful:
    """The useful actions on the way to one goal."""

    def __init__(
        self, actions: Sequence[GroundAction], rules: Collection[str], atoms: Sequence[Atom], goal: int
    ) -> None:
        """Prepare for some actions; `rules` has the names of those that follow by themselves."""
        self._actions, self._goal = actions, goal
        self._persistent = PersistentSets(actions, goal)
        self._who = [None if action.name in rules else action.args[0] for action in actions]
        """The person of each action; None for a rule."""
        self._walks = list(walks(actions, atoms))
        self._adders: dict[int, list[int]] = {}
        for number, action in enumerate(actions):
            if action.name != "move" and (action.name != "drop" or self._matters(action)):
                for bit in bits(action.add):
                    self._adders.setdefault(bit, []).append(number)
        deleted = 0
        for action in actions:
            deleted |= action.delete
        self._lasting = ~deleted
        """The facts that stay true for ever."""

    def __call__(self, state: int, timed: int = 0) -> Sequence[GroundAction]:
        """Return the actions to try in a state: some shortest plan, if there is one, begins with one of them.

        What changes a fact of the mask `timed` comes no sooner for that than in the plan: to try others is enough.
        """
        useful = self._useful(state)
        return [self._actions[number] for number in self._enough(useful, state, timed)]

    def choices(self, state: int) -> list[GroundAction]:
        """Return all useful actions that people can carry out in a state."""
        return [self._actions[number] for number in self._useful(state) if self._is_choice(number, state)]

    def towards_goal(self, state: int) -> list[GroundAction]:
        """Return the actions, rules among them, that add what is still needed."""
        return [self._actions[number] for number in self._useful(state)]

    def _enough(self, useful: Sequence[int], state: int, timed: int) -> Sequence[int]:
        """Return one action if one is enough, else the actions of one person, else all applicable ones."""
        now = [number for number in useful if self._is_choice(number, state)]
        if len(now) < 2:
            return now
        persistent = self._persistent.at(state, useful)
        # What is not a move is more often free of conflicts.
        for number in sorted(now, key=lambda number: self._actions[number].name == "move"):
            if not self._changes([number], timed) and persistent.holds([number]):
                return [number]
        by_person: dict[str | None, list[int]] = {}
        for number in now:
            by_person.setdefault(self._who[number], []).append(number)
        for person, choices in sorted(by_person.items(), key=lambda item: len(item[1])):
            own = [number for number in useful if self._who[number] == person]
            if len(choices) < len(now) and not self._changes(choices, timed) and persistent.holds(own):
                return choices
        return now

    def _changes(self, numbers: Sequence[int], facts: int) -> bool:
        return bool(facts) and any((self._actions[one].add | self._actions[one].delete) & facts for one in numbers)

    def _is_choice(self, number: int, state: int) -> bool:
        """Return whether an action is a person's, can be carried out, and changes something."""
        _, _, pre, add, delete = self._actions[number]
        return not pre & ~state and self._who[number] is not None and bool(add & ~state or delete)

    def _useful(self, state: int) -> list[int]:
        facts = state & self._lasting
        targets, handled = self._goal & ~facts, 0
        useful: dict[int, None] = {}
        while True:
            while new := targets & ~handled:
                handled |= new
                for bit in bits(new):
                    for number in self._adders.get(bit, ()):
                        useful[number] = None
                        targets |= self._actions[number].pre & ~facts
            moves = [number for walk in self._walks for number in walk.moves(state | targets)]
            for number in moves:
                move = self._actions[number]
                targets |= move.pre & ~facts & ~move.delete  # that a place is left does not make it wanted
            if not targets & ~handled:
                return [*useful, *moves]

    def _matters(self, drop: GroundAction) -> bool:
        """Return whether another person comes to the place of a drop, or the goal is that the thing lies there."""
        place = drop.args[2]
        return bool(drop.add & self._goal) or sum(place in walk.places for walk in self._walks) > 1


def shortest_plan(level: Level, limits: SearchLimits = ORDINARY, bound: int | None = None) -> SearchOutcome:
    """Return a shortest plan of a level in which nothing fades; with a bound, only one that is not longer."""
    world = level_world(level)
    return shortest_way(world, world.initial, world.grounded.goal, limits, bound)


def is_shortest(level: Level, length: int, limits: SearchLimits = ORDINARY) -> bool | None:
    """Return whether no plan is shorter than a length; None if the limits are too narrow to know."""
    shorter = shortest_plan(level, limits, length - 1).exists
    return None if shorter is None else not shorter


def shortest_way(
    world: EpochWorld, state: int, goal: int, limits: SearchLimits, bound: int | None = None
) -> SearchOutcome:
    """Return a shortest plan from a state to the facts of a mask, if nothing fades."""
    useful = Useful(world.deeds, world.edition.rule_names, world.grounded.atoms, goal)
    actions = useful.towards_goal(state)
    return a_star(actions, state, goal, bound, limits, bound_for(world, actions, goal), world.rules.closure, useful)


def bound_for(world: EpochWorld, actions: Sequence[GroundAction], goal: int) -> Callable[[int], int | None]:
    """Return the lower bound on the number of some actions to a goal that fits the world."""
    tours = Tours(actions, goal, world.edition.rule_names, world.grounded.atoms)
    return tours if tours.fits else LmCut(actions, goal, free=world.edition.rule_names)


def levers_last(world: EpochWorld, state: int, plan: Sequence[GroundAction]) -> list[GroundAction]:
    """Return a plan in another order, in which everything that can come before the first lever does so."""
    early: list[GroundAction] = []
    late: list[GroundAction] = []
    for action in plan:
        after = None if action.name == "pull-lever" else _after(world, state, [action])
        if after is not None and _after(world, after, late) is not None:
            early.append(action)
            state = after
        else:
            late.append(action)
    return [*early, *late]


def _after(world: EpochWorld, state: int, plan: Sequence[GroundAction]) -> int | None:
    """Return the state after a part of a plan, if nothing fades; None if it cannot be carried out in this order."""
    for action in plan:
        if action.pre & ~state:
            return None
        state = world.rules.closure(state & ~action.delete | action.add)
    return state


def write_call(level: Level, action: str) -> dict[str, Any]:
    """Return the call of an action, such as `(take hester lantern mill-past)`."""
    name, args = parse_atom(action)
    return {"name": name, "arguments": dict(zip(level_world(level).keys(name), args, strict=True))}


def play_plan(level: Level, plan: Sequence[str]) -> EpochGame:
    """Return the game after a plan, or after the action that ended it."""
    game = level.start()
    for action in plan:
        if game.stop:
            break
        game.turn({"call": write_call(level, action)})
    return game
