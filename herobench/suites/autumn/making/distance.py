"""How far an episode of a planning challenge is from its goal: exact where a search ends, else an interval.

A search from the start of the test lists states with all that leads from one to another. From each of them the shortest
way in the list is a way. It is a shortest one at all if no way out of the list could be shorter. The states of the
certified plan are in the list too. From a state beyond it the certified plan is tried: it may still reach the goal.
No state is nearer than the proven bound of the challenge less the actions that were done.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping
from math import inf
from threading import Lock

from herobench.suite.contract import Distance
from herobench.suites.autumn.episode.challenge import Challenge, Planning
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.tests import PlanningTest
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.world import AutumnWorld
from herobench.suites.autumn.making.planning import first_reached
from herobench.suites.autumn.making.search import state_key, successors

_STEPS = 2_500
"""Actions that a search may try."""
_MOST_CHALLENGES, _MOST_STATES = 32, 10_000


class GoalDistances:
    """The distances of episodes. Threads may share it."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Listed] = OrderedDict()
        self._lock = Lock()

    def __call__(self, episode: Episode) -> Distance | None:
        """Return how many actions an episode is from its goal; None for other challenges, and programs that fail."""
        challenge = episode.challenge
        if not isinstance(challenge.test, Planning):
            return None
        if episode.ending:
            over = 0 if episode.ending == "solved" else inf
            return Distance(over, over)
        with self._lock:
            try:
                distances = self._known.pop(challenge.id, None) or _Listed(challenge, challenge.test)
                self._known[challenge.id] = distances
                if len(self._known) > _MOST_CHALLENGES:
                    self._known.popitem(last=False)
                if isinstance(episode.test, PlanningTest):
                    return distances(episode.test.world)
                start = distances(distances.start)  # the test begins with one more action
            except AutumnError:
                return None
        return Distance(1 + start.least, 1 + start.most)


class _Listed:
    """The states of one challenge as far as a search lists them."""

    def __init__(self, challenge: Challenge, goal: Planning) -> None:
        self._goal = goal
        self.start = challenge.start()
        self._bound = int(challenge.certificate.get("lower_bound", 0))
        self._before: dict[bytes, list[bytes]] = {}
        """For each state those from which one action leads to it."""
        self._reached: set[bytes] = set()
        open_states = self._search() | self._add_plan()
        self._most = self._distances(self._reached)
        self._out = self._distances(open_states)
        """For each state how many actions may lead out of the list."""
        self._tried: dict[bytes, float] = {}

    def __call__(self, world: AutumnWorld) -> Distance:
        key = state_key(world)
        bound = max(1, self._bound - (world.steps - self.start.steps))
        if key not in self._before:
            return Distance(bound, max(bound, self._by_plan(key, world)))
        most = self._most.get(key, inf)
        least = min(most, self._out.get(key, inf) + 1)
        if most == inf and least < inf:
            most = max(least, self._by_plan(key, world))
        return Distance(max(least, min(bound, most)), most)

    def _search(self) -> set[bytes]:
        """List states, nearest first. Return those from which not all actions were tried."""
        first = state_key(self.start)
        self._before[first] = []
        queue, steps = deque([(first, self.start)]), 0
        while queue and steps < _STEPS:
            key, world = queue.popleft()
            for _, after in successors(world):
                steps += 1
                after_key = state_key(after)
                if after_key not in self._before:
                    self._before[after_key] = []
                    if self._goal.fits(after.grid):
                        self._reached.add(after_key)  # the episode is over
                    else:
                        queue.append((after_key, after))
                self._before[after_key].append(key)
        return {key for key, _ in queue}

    def _add_plan(self) -> set[bytes]:
        """Add the states of the certified plan. Return those from which not all actions were tried."""
        world, key, open_states = self.start.redrawn(), state_key(self.start), set[bytes]()
        for action in self._goal.actions:
            world.act(action)
            world_key = state_key(world)
            if world_key not in self._before:
                self._before[world_key] = []
                open_states.add(world_key)
            self._before[world_key].append(key)
            key = world_key
            if self._goal.fits(world.grid):
                self._reached.add(key)
                open_states.discard(key)
        return open_states

    def _distances(self, ends: Iterable[bytes]) -> Mapping[bytes, int]:
        distances = dict.fromkeys(ends, 0)
        queue = deque(distances)
        while queue:
            key = queue.popleft()
            for other in self._before[key]:
                if other not in distances:
                    distances[other] = distances[key] + 1
                    queue.append(other)
        return distances

    def _by_plan(self, key: bytes, world: AutumnWorld) -> float:
        """Return how many actions of the certified plan reach the goal from a state; `inf` if they do not."""
        if key not in self._tried:
            if len(self._tried) >= _MOST_STATES:
                self._tried.clear()
            self._tried[key] = first_reached(world.clone(), self._goal.actions, self._goal.fits) or inf
        return self._tried[key]
