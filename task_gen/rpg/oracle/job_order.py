"""The order of a task's jobs as a problem for A*: which workshops to visit when, and when to change the loadout.

All orders craft the same items and win the same fights, so only the rest is counted: 1 per visit to a workshop, and
the actions of each change of loadout. The other choices are fixed by exchange arguments, listed at JobOrder. They
need gathering, buying and drops that never hinder, and must be reviewed if a mechanic is added.

A* needs a heuristic that is consistent: a step lowers it by at most the step's cost, and it is 0 at a goal. Then
f = g + h never falls, each state is expanded once, and the first goal taken from the frontier is cheapest. The limit of
a search is a number of states, not a time, so that every machine gives the same answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Generic, NamedTuple, Protocol, TypeVar

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, World
from herobench.task_gen.rpg.oracle.gathering import NeededItems
from herobench.task_gen.rpg.oracle.loadouts import Slots, TaskLoadouts
from herobench.task_gen.rpg.oracle.steps import Pieces

State = TypeVar("State", bound=Hashable)


class SearchProblem(Protocol[State]):
    """A search problem. Its steps must come in the same order every time, so that results are reproducible."""

    @property
    def start(self) -> State:
        """The start state."""

    def is_goal(self, state: State) -> bool:
        """Return whether a path may end in a state."""

    def estimate(self, state: State) -> int:
        """Return a lower bound on the remaining cost: the heuristic h."""

    def steps(self, state: State) -> Iterator[tuple[int, State]]:
        """Yield the steps from a state: their costs and their end states."""


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[State]):
    """The result of a search."""

    cost: int
    """The cost of the path. Without a path: a lower bound on the cost of every path."""
    path: tuple[State, ...] | None
    """The states from the start to a goal, or None if the limit came first."""
    settled: int
    """The number of states that were settled (expanded)."""


def a_star(problem: SearchProblem[State], limit: int) -> SearchResult[State] | None:
    """Search until a goal is reached or `limit` states are settled. Return None if no goal can be reached."""
    # g: the cheapest known cost from the start to each state.
    cheapest = {problem.start: 0}
    before: dict[State, State] = {}
    settled: set[State] = set()
    serial = count()
    frontier = [(problem.estimate(problem.start), 0, next(serial), problem.start)]
    while frontier:
        total, _, _, state = heappop(frontier)
        # A state can stand in the frontier several times: a cheaper entry is added, the old one is not removed.
        if state in settled:
            continue
        if problem.is_goal(state):
            return SearchResult(total, _path(before, state), len(settled))
        # The smallest f of the frontier bounds the cost of every path, because h never overestimates.
        if len(settled) == limit:
            return SearchResult(total, None, limit)
        settled.add(state)
        for cost, then in problem.steps(state):
            path_cost = cheapest[state] + cost
            if then not in cheapest or path_cost < cheapest[then]:
                cheapest[then] = path_cost
                before[then] = state
                # Among equal f the deepest state goes first, which reaches a goal sooner. The serial number
                # breaks the remaining ties, so that states are never compared.
                heappush(frontier, (path_cost + problem.estimate(then), -path_cost, next(serial), then))
    return None


def fewest_steps(
    start: State, is_goal: Callable[[State], bool], steps: Callable[[State], Iterable[tuple[str, State]]]
) -> list[str] | None:
    """Return the names of the fewest steps to a goal, found breadth-first; None if no goal can be reached."""
    ways = deque([(start, list[str]())])
    visited = {start}
    while ways:
        state, route = ways.popleft()
        if is_goal(state):
            return route
        for name, then in steps(state):
            if then not in visited:
                visited.add(then)
                ways.append((then, [*route, name]))
    return None


def _path(before: dict[State, State], state: State) -> tuple[State, ...]:
    path = [state]
    while path[-1] in before:
        path.append(before[path[-1]])
    return tuple(reversed(path))


class Growth:
    """The health and the levels that the victories of a task give."""

    def __init__(
        self, world: World, rules: Rules, task: Task, wins: Mapping[Code, int], level: int, spare: int = 0
    ) -> None:
        """Count every victory as at `level`; `spare` victories over the strongest monster come before all others."""
        self._start = Hero(world, task.hero)
        self._world = world
        self._rules = rules
        self._task = task
        self._taught = {who: number * rules.xp_gain(level, world.monsters[who].level) for who, number in wins.items()}
        # The strongest monster gives the most experience, so it bounds every spare victory.
        strongest = max(monster.level for monster in world.monsters.values())
        self._spare = spare * rules.xp_gain(level, strongest)
        self._known: dict[frozenset[Code], int] = {}

    @classmethod
    def at_most(cls, world: World, rules: Rules, task: Task, wins: Mapping[Code, int], spare: int) -> Growth:
        """Return an upper bound on the growth."""
        return cls(world, rules, task, wins, task.hero.combat[0], spare)

    @classmethod
    def at_least(cls, world: World, rules: Rules, task: Task, wins: Mapping[Code, int]) -> Growth:
        """Return a lower bound on the growth that holds in any order of the victories."""
        highest = cls.at_most(world, rules, task, wins, 0).level
        return cls(world, rules, task, wins, highest)

    @property
    def level(self) -> int:
        """The hero's level after all victories."""
        return self._hero_after(self._taught).combat.level

    def extra_hp(self, beaten: frozenset[Code]) -> int:
        """Return the health gained once some monsters are beaten."""
        if beaten not in self._known:
            self._known[beaten] = self._hero_after(beaten).hp - self._start.hp
        return self._known[beaten]

    def _hero_after(self, beaten: Iterable[Code]) -> Hero:
        hero = Hero(self._world, self._task.hero)
        # Experience adds up, so the order of the victories does not matter at a fixed rate.
        hero.learn(self._spare + sum(self._taught.get(who, 0) for who in beaten), self._rules)
        return hero


ANY_SHOP = ""
"""The one workshop under rules that let every workshop do every craft."""


class JobProgress(NamedTuple):
    """The jobs that are done: items that are crafted, and monsters that are beaten."""

    crafted: frozenset[Code] = frozenset()
    beaten: frozenset[Code] = frozenset()
    had: frozenset[Code] = frozenset()
    """Items that the hero got in another way than by these jobs."""


class JobGraph:
    """The crafts and hunts of a task, and what they depend on."""

    def __init__(
        self,
        world: World,
        rules: Rules,
        task: Task,
        work: NeededItems,
        hunts: Collection[Code],
        skills: Mapping[str, int],
        other_ways: Mapping[Code, int] | None = None,
    ) -> None:
        """`skills` are the hero's levels when he crafts.

        `other_ways` are the costs of having an item without the job that gives it.
        """
        self.crafts = work.requirements.crafts
        self.hunts = tuple(hunts)
        self.missing = task.missing
        self.target = task.target if task.kind == "kill" else None
        self._recipes = {code: recipe for code in self.crafts if (recipe := world.recipe_of(code))}
        self._skills = skills
        self._matching = rules.workshop == "matching"
        self._other_ways = other_ways or {}
        self._droppers = {
            code: frozenset(world.droppers[code]).intersection(hunts) for code, number in work.hunted.items() if number
        }

    def is_done(self, progress: JobProgress) -> bool:
        """Return whether every job is done."""
        return progress.crafted == self.crafts.keys() and progress.beaten.issuperset(self.hunts)

    def shop(self, code: Code) -> str:
        """Return the workshop of a craft, named by its skill."""
        return self._recipes[code].skill if self._matching else ANY_SHOP

    def shops(self, progress: JobProgress) -> list[str]:
        """Return the workshops in which something is left to craft."""
        # Sorted, because the search has to try workshops in the same order in every process.
        return sorted({self.shop(code) for code in self.crafts if code not in progress.crafted})

    def left(self, progress: JobProgress) -> list[Code]:
        """Return the monsters that are left to hunt, in the world's order."""
        return [who for who in self.hunts if who not in progress.beaten]

    def other_ways(self, progress: JobProgress) -> Iterator[tuple[int, JobProgress]]:
        """Yield the ways to get one more item without its job: the cost of each, and the progress after it."""
        for code, cost in self._other_ways.items():
            if not self._has(code, progress):
                yield cost, progress._replace(had=progress.had | {code})

    def after(self, progress: JobProgress, shop: str) -> JobProgress:
        """Return the progress after a visit to a workshop in which everything possible is crafted."""
        # Topological order: an ingredient that is crafted here is ready for the next craft of the same visit.
        for code in self.crafts:
            if self.shop(code) == shop and code not in progress.crafted and self._can_craft(code, progress):
                progress = progress._replace(crafted=progress.crafted | {code})
        return progress

    def owned_slots(self, progress: JobProgress) -> Slots:
        """Return the slots whose missing gear the hero has."""
        return frozenset(slot for slot, code in self.missing.items() if self._has(code, progress))

    def _can_craft(self, code: Code, progress: JobProgress) -> bool:
        recipe = self._recipes[code]
        # Skills are final here: all leveling is done at nodes, before the first craft.
        if self._skills[recipe.skill] < recipe.level:
            return False
        return all(self._has(part, progress) for part in recipe.ingredients)

    def _has(self, code: Code, progress: JobProgress) -> bool:
        if code in progress.crafted or code in progress.had:
            return True
        # Items from nodes or the exchange have no droppers here, so they are owned from the start.
        return code not in self.crafts and self._droppers.get(code, frozenset()) <= progress.beaten


class OrderState(NamedTuple):
    """A state of the search: the jobs done, the gear worn, and whether the last fight is over."""

    progress: JobProgress
    loadout: Pieces
    over: bool = False


class JobOrder:
    """The orders of the jobs, as a problem for A*.

    Exchange arguments: any plan can be changed in the following ways without more actions.

    - Gathering and buying come first. They need nothing, and a stop that is moved to the front adds no move.
    - Each hunt is one stop with all its victories: a later victory is also won at the first stop, in the same loadout.
    - A hunt is done as soon as the current loadout wins it: its stop costs one move at any place in the order, and its
      experience and drops never hinder.
    - A visit to a workshop crafts everything possible: a craft costs one action at any time, and items never hinder.
    - The loadout is changed just before a hunt, by no more than that hunt needs: the rest can be changed later.

    So two stops in a row are at different places, every stop costs one move, and the place is not part of the state.
    """

    def __init__(self, jobs: JobGraph, loadouts: TaskLoadouts, growth: Growth) -> None:
        self._jobs = jobs
        self._loadouts = loadouts
        self._growth = growth
        # Hunts that can be won at once cost nothing in this count.
        self.start = self._after_hunts(JobProgress(), loadouts.start)

    def is_goal(self, state: OrderState) -> bool:
        """Return whether all is over."""
        return state.over

    def estimate(self, state: OrderState) -> int:
        """Return one visit per workshop with crafts left, plus the changes up to the missing gear.

        This is admissible, because each of these workshops needs a visit and each piece has to be put on. It is
        consistent, because a step of cost c removes at most c of them.
        """
        return len(self._jobs.shops(state.progress)) + self._loadouts.left(state.loadout)

    def steps(self, state: OrderState) -> Iterator[tuple[int, OrderState]]:
        """Yield visits to a workshop, changes of loadout for a fight, the ending, and other ways to get an item."""
        progress, loadout, _ = state
        for shop in self._jobs.shops(progress):
            then = self._jobs.after(progress, shop)
            # A visit that crafts nothing would be a step without progress.
            if then != progress:
                yield 1, self._after_hunts(then, loadout)
        for who in self._jobs.left(progress):
            owned, extra_hp = self._jobs.owned_slots(progress), self._growth.extra_hp(progress.beaten)
            for other in self._loadouts.winning(who, loadout, owned, extra_hp):
                yield self._loadouts.cost(loadout, other), self._after_hunts(progress, other)
        if self._jobs.is_done(progress):
            yield from self._endings(state)
        for cost, other_way in self._jobs.other_ways(progress):
            yield cost, self._after_hunts(other_way, loadout)

    def hunts(self, progress: JobProgress, loadout: Pieces) -> list[Code]:
        """Return the monsters that can be beaten in a loadout, one after the other."""
        beaten: list[Code] = []
        monsters = self._jobs.left(progress)
        while monsters:
            extra_hp = self._growth.extra_hp(progress.beaten.union(beaten))
            # A victory may give health, so monsters that were too strong before are tried again.
            who = next((who for who in monsters if self._loadouts.beats(who, loadout, extra_hp)), None)
            if who is None:
                break
            beaten.append(who)
            monsters.remove(who)
        return beaten

    def _after_hunts(self, progress: JobProgress, loadout: Pieces) -> OrderState:
        return OrderState(progress._replace(beaten=progress.beaten.union(self.hunts(progress, loadout))), loadout)

    def _endings(self, state: OrderState) -> Iterator[tuple[int, OrderState]]:
        """Yield the fight with the target in the missing gear; a craft task ends without a fight."""
        progress, loadout, _ = state
        if self._jobs.target is None:
            yield 0, OrderState(progress, loadout, over=True)
            return
        for whole in self._loadouts.complete(self._jobs.target, loadout, self._growth.extra_hp(progress.beaten)):
            yield self._loadouts.cost(loadout, whole), OrderState(progress, whole, over=True)
