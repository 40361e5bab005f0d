"""How far games of a level are from its goal: exact in every state, as long as the limit of a search does not end it.

A search from one state teaches something of all states that it met. No way from a state is shorter than the way found
less the way to there. On the way that was found this is exact. So the searches of a game, and of the next games of the
level, become short: a state costs a few milliseconds of processor time on average.

Where facts fade, a state is searched with the ages of those facts, as bits above the facts. A fact that fades ends the
game, so such states are dead ends. The distance without fading is a lower bound there. Most often a way of that length
is in time once its levers come last: then nothing is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from math import inf
from threading import Lock

from herobench.pddl import GroundAction, SearchLimits
from herobench.pddl.limits import SearchBudget
from herobench.pddl.relaxation import LmCut
from herobench.pddl.search import Parents, SearchOutcome, path
from herobench.pddl.task import bits
from herobench.suite.contract import Distance
from herobench.suites.epoch.game.game import EpochGame
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import EpochWorld, level_world
from herobench.suites.epoch.making.prover import Useful, bound_for, levers_last
from herobench.suites.epoch.making.road import level_values

_LIMITS = SearchLimits(20_000)
_MOST_KEPT = 100_000
"""The most states of which something is kept."""
_MOST_ESTIMATES = 1_000
Estimate = Callable[[int], int | None]
_LEVELS = 64
"""The number of levels of which something is kept."""


def measure_distance(game: EpochGame) -> Distance:
    """Return how many valid actions a game is from its goal, or hours on a road.

    Limits of turns and repeated states do not count.
    """
    if game.stop:
        over = 0 if game.stop == "SOLVED" else inf
        return Distance(over, over)
    if values := level_values(game.level):
        hours = values.value(game.state)
        return Distance(hours, hours)
    return _distances(game.level)(game)


@lru_cache(_LEVELS)
def _distances(level: Level) -> _Distances:
    return _Distances(level)


class _Distances:
    """The distances in one level. Threads may share it."""

    def __init__(self, level: Level) -> None:
        self._world = level_world(level)
        world = self._world
        self._goal = world.grounded.goal
        self._useful = Useful(world.deeds, world.edition.rule_names, world.grounded.atoms, self._goal)
        self._lasting = _Searches(self._goal, self._estimates_from, world.rules.closure, self._useful)
        self._estimates: dict[tuple[GroundAction, ...], Estimate] = {}
        """Lower bounds, by the actions that are of use. There are few of them, since states differ little in this."""
        self._until_goal = not world.until or bool(world.until & self._goal)
        """True if facts go on fading until the goal is reached."""
        self._timed = world.unstable | world.until
        """The facts that fade, and the fact that keeps them from it."""
        self._lock = Lock()

    def __call__(self, game: EpochGame) -> Distance:
        """Return the distance of a game."""
        with self._lock:
            if self._world.level.unstable is None:
                return self._lasting(game.state)
            return self._fading(self._ages.start_state(game))

    def _estimates_from(self, state: int) -> Estimate:
        """Return the lower bound for a state and all that useful actions lead to."""
        useful = tuple(self._useful.towards_goal(state))
        if useful not in self._estimates:
            if len(self._estimates) >= _MOST_ESTIMATES:
                self._estimates.clear()
            self._estimates[useful] = bound_for(self._world, useful, self._goal)
        return self._estimates[useful]

    @cached_property
    def _ages(self) -> _Ages:
        return _Ages(self._world)

    @cached_property
    def _fading(self) -> _Searches:
        return _Searches(
            self._goal, self._estimates_fading_from, self._ages.after_action, self._choices_fading, self._way_in_time
        )

    @cached_property
    def _saving(self) -> LmCut:
        """The bound for the fact that keeps others from fading."""
        return LmCut(self._world.deeds, self._world.until, free=self._world.edition.rule_names)

    def _estimates_fading_from(self, state: int) -> Estimate:
        self._lasting(self._ages.left(state)[0])
        return self._estimate_fading

    def _estimate_fading(self, state: int) -> int | None:
        """Return a lower bound where facts fade; None if the game is lost."""
        facts, time_left = self._ages.left(state)
        if time_left is not None and time_left < 0:
            return None
        value = self._lasting.estimate(facts)
        if time_left is None or value is None or value <= time_left + 1:
            return value
        saving = None if self._until_goal else self._saving(facts)
        return value if saving is not None and saving <= time_left + 1 else None

    def _choices_fading(self, state: int) -> Sequence[GroundAction]:
        facts, time_left = self._ages.left(state)
        if self._ages.is_lost(state):
            return ()
        if time_left is not None:
            # what comes first matters here, so all that is useful is tried
            return self._useful.choices(facts)
        # what does not fade may come before other actions: that makes nothing older
        choices = self._useful(facts, self._timed)
        if any(action.add & self._world.unstable for action in choices) and self._is_too_far(facts):
            return [action for action in choices if not action.add & self._world.unstable]
        return choices

    def _is_too_far(self, facts: int) -> bool:
        """Return whether a fact that begins to fade with the next action has faded before the goal."""
        value = self._lasting.estimate(facts)
        return value is None or (self._until_goal and value > self._ages.longest + 2)

    def _way_in_time(self, state: int) -> Sequence[GroundAction]:
        """Return the way without fading, with its levers last, if it is in time. No way is shorter."""
        facts = self._ages.left(state)[0]
        plan = levers_last(self._world, facts, self._lasting.way(facts))
        for action in plan:
            state = self._ages.after_action(state & ~action.delete | action.add)
            if self._ages.is_lost(state):
                return ()
        return plan


class _Searches:
    """Searches from many states to one goal. What a search learns makes the next ones shorter."""

    def __init__(
        self,
        goal: int,
        estimates_from: Callable[[int], Estimate],
        stand_in: Callable[[int], int],
        choices: Callable[[int], Sequence[GroundAction]],
        guess: Callable[[int], Sequence[GroundAction]] = lambda _: (),
    ) -> None:
        """`estimates_from` returns the lower bound for a search from a state, `guess` a shortest way if known."""
        self._goal, self._estimates_from, self._stand_in, self._find_choices = goal, estimates_from, stand_in, choices
        self._guess = guess
        self._estimate: Estimate = lambda _: 0
        self._least: dict[int, int | None] = {}
        """For each state a lower bound; None if the goal is out of reach."""
        self._exact: dict[int, int] = {}
        self._next: dict[int, GroundAction] = {}
        """The next action of the way that was found."""
        self._choices: dict[int, Sequence[GroundAction]] = {}

    def __call__(self, state: int) -> Distance:
        """Return the distance of a state."""
        if state not in self._exact and not self._is_dead(state):
            self._search(state)
        if self._is_dead(state):
            return Distance(inf, inf)
        if state in self._exact:
            return Distance(self._exact[state], self._exact[state])
        return Distance(self.estimate(state) or 0, inf)

    def _is_dead(self, state: int) -> bool:
        """Return whether the goal is known to be out of reach."""
        return self._least.get(state, 0) is None

    def estimate(self, state: int) -> int | None:
        """Return the best lower bound that is known; None if the goal is out of reach."""
        if state not in self._least:
            self._least[state] = self._estimate(state)
        return self._least[state]

    def begin(self, state: int) -> None:
        """Prepare for a search from a state."""
        if len(self._least) > _MOST_KEPT:
            self._least, self._exact, self._next, self._choices = {}, {}, {}, {}
        self._estimate = self._estimates_from(state)

    def way(self, state: int) -> list[GroundAction]:
        """Return the way from a state whose distance was found."""
        actions = []
        while state in self._next:
            actions.append(action := self._next[state])
            state = self._after(state, action)
        return actions

    def _after(self, state: int, action: GroundAction) -> int:
        return self._stand_in(state & ~action.delete | action.add)

    def _search(self, state: int) -> None:
        self.begin(state)
        if guess := self._guess(state):
            self._keep(state, guess)
            return
        depths = {state: 0}
        outcome = self._shortest(state, depths)
        if not outcome.proven:
            return
        if outcome.plan is None:
            self._least |= dict.fromkeys(depths)
            return
        self._keep(state, outcome.plan)
        length = self._exact[state]
        for other, before in depths.items():
            if (least_known := self._least.get(other)) is not None:
                self._least[other] = max(least_known, length - before)

    def _shortest(self, start: int, depths: dict[int, int]) -> SearchOutcome:
        """Return a shortest way to the goal, or to a state whose distance is known. Fill in how far states are.

        It is A*, but a state is estimated when its turn comes, and not when it is met: most never have a turn.
        """
        budget, parents = SearchBudget(_LIMITS), Parents({start: None})
        queue = [(0, 0, 0, start)]
        while queue:
            _, estimate, distance, state = heappop(queue)
            value = self.estimate(state)
            if distance > depths[state] or value is None:
                continue
            if value > estimate:
                heappush(queue, (distance + value, value, distance, state))
                continue
            if not self._goal & ~state or state in self._exact:
                return SearchOutcome(path(parents, state), True)
            for action in self._narrow(state):
                new = self._after(state, action)
                if depths.get(new, inf) <= distance + 1:
                    continue
                if not budget.take():
                    return SearchOutcome(None, False)
                depths[new], parents[new] = distance + 1, (state, action)
                heappush(queue, (distance + max(estimate, 1), max(estimate - 1, 0), distance + 1, new))
        return SearchOutcome(None, True)

    def _keep(self, state: int, plan: Sequence[GroundAction]) -> None:
        """Keep a shortest way. It ends at the goal, or in a state whose shortest way is known."""
        way = [state]
        for action in plan:
            self._next[way[-1]] = action
            way.append(self._after(way[-1], action))
        rest = self._exact.get(way[-1], 0)
        for number, state in enumerate(reversed(way)):
            self._exact[state] = self._least[state] = rest + number

    def _narrow(self, state: int) -> Sequence[GroundAction]:
        if state not in self._choices:
            self._choices[state] = self._find_choices(state)
        return self._choices[state]


class _Ages:
    """States with the ages of facts that fade: above the facts, a field for each of them, and a bit for a lost game.

    A field is 0 for a fact that has no age, else its age and 1.
    """

    def __init__(self, world: EpochWorld) -> None:
        assert world.level.unstable
        self._world, self._ttl = world, world.level.unstable.ttl
        self.longest = self._ttl
        """How many actions a fact outlasts that has just begun to fade."""
        self._facts = (1 << len(world.grounded.atoms)) - 1
        self._width = (self._ttl + 2).bit_length()
        self._fading = list(bits(world.unstable))
        first = len(world.grounded.atoms)
        self._places = [first + self._width * number for number in range(len(self._fading))]
        self._lost = 1 << first + self._width * len(self._fading)

    def start_state(self, game: EpochGame) -> int:
        """Return the state of a game."""
        ages = game.ages
        fields = (ages[bit] + 1 << place for bit, place in zip(self._fading, self._places, strict=True) if bit in ages)
        return game.state | sum(fields)

    def left(self, state: int) -> tuple[int, int | None]:
        """Return the facts, and how many actions no fact fades yet: None if none does, below 0 for a lost game."""
        fields = self._fields(state)
        if state & self._lost:
            return state & self._facts, -1
        return state & self._facts, self._ttl + 1 - max(fields) if any(fields) else None

    def after_action(self, state: int) -> int:
        """Return the state after an action, with all that follows and with the ages, as a game has them."""
        facts = self._world.rules.closure(state & self._facts)
        if facts & self._world.until:
            return facts
        fields = [
            field + 1 if facts >> bit & 1 else 0 for bit, field in zip(self._fading, self._fields(state), strict=True)
        ]
        old = sum(1 << bit for bit, field in zip(self._fading, fields, strict=True) if field > self._ttl + 1)
        if old:
            facts &= ~old
            return facts if self._world.grounded.is_goal(facts) else facts | self._lost
        return facts | sum(field << place for field, place in zip(fields, self._places, strict=True))

    def is_lost(self, state: int) -> bool:
        """Return whether a fact has faded."""
        return bool(state & self._lost)

    def _fields(self, state: int) -> list[int]:
        return [state >> place & (1 << self._width) - 1 for place in self._places]
