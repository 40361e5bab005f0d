"""The oracle: plan a task with full knowledge of the world, for the full score in few actions.

Called for certificates, and for the player `oracle`. Each node, hunt and the exchange is visited once and
each item crafted in one go, so only the order is left to choose. A quick planner finds the fewest workshop visits
(breadth-first); if its plan exceeds the lower bound, A* looks for a shorter order, and a plan is kept in any case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.oracle.a_star import Unplannable, a_star, fewest_steps
from herobench.task_gen.rpg.oracle.gathering import Hunt, Trip, known_nodes, plan_hunts, plan_visits
from herobench.task_gen.rpg.oracle.job_order import Growth, JobGraph, JobOrder, JobProgress
from herobench.task_gen.rpg.oracle.loadouts import QuickLoadouts, Slots, TaskLoadouts
from herobench.task_gen.rpg.oracle.lower_bound import LIMIT, is_searchable, lower_bound
from herobench.task_gen.rpg.oracle.requirements import NeededItems
from herobench.task_gen.rpg.oracle.steps import Do, Step, as_code


def oracle_plan(world: World, rules: Rules, task: Task) -> list[Step]:
    """Return the oracle's plan for a task under the task's own rules. Raises Unplannable if it finds none.

    The quick plan stands if the search finds no shorter one, hits its limit, or does not cover the task's mechanics.
    """
    planner = _Planner(world, rules, task)
    # The quick plan comes first: it often meets the bound, and without one the task counts as unplannable.
    quick = planner.quick_plan()
    # Every plan waits for the same drops, so no other one would be straight.
    if task.mechanics.plan == "straight" and not all(isinstance(step, Do) for step in quick):
        raise Unplannable("a straight plan cannot wait for drops that fall by chance")
    # A plan that meets the lower bound is optimal, so a search could not improve it.
    if not is_searchable(world, rules, task) or length(quick) == lower_bound(world, rules, task):
        return quick
    plan = planner.searched_plan(LIMIT)
    return plan if plan is not None and length(plan) < length(quick) else quick


def oracle_code(world: World, edition: Rules, task: Task) -> str:
    """Return the plan for a task under an edition of the rules, as code. Raises Unplannable if it finds none."""
    return as_code(oracle_plan(world, task.rules(edition), task))


def length(steps: Sequence[Step]) -> int:
    """Return the number of actions of some steps, if nothing in them is random."""
    return sum(step.times for step in steps if isinstance(step, Do))


class _Planner:
    """Makes the plans of one task."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self.world = world
        self.rules = rules
        self.task = task
        self.work = NeededItems.of(world, task)
        self.hunts = plan_hunts(world, rules, self.work.hunted, task.target)
        hero = Hero(world, task.hero)
        self.visits = plan_visits(
            world,
            rules,
            hero,
            self.work.gathered,
            self.work.requirements.skills,
            known_nodes(world, rules, task, self.work.gathered),
        )
        skills = {skill: progress.level for skill, progress in hero.skills.items()}
        self.jobs = JobGraph(world, rules, task, self.work, self.hunts, skills)
        self.loadouts = QuickLoadouts(world, rules, task)

    # -- the quick plan ---------------------------------------------------------------------------------------------

    def quick_plan(self) -> list[Step]:
        """Return a plan with the fewest visits to workshops."""
        route = self._route()
        trip = self._errands()
        progress, swaps = self._hunt(trip, JobProgress(), frozenset())
        for shop in route:
            then = self.jobs.after(progress, shop)
            trip.craft(shop, self.jobs.crafts, then.crafted - progress.crafted)
            progress, swaps = self._hunt(trip, then, swaps)
        trip.steps += self.loadouts.change(swaps, frozenset(self.task.missing))
        return self._last_steps(trip)

    def _route(self) -> list[str]:
        """Return the fewest workshop visits, by skill, after which all is crafted and everyone is beaten."""
        start = self._with_hunts(JobProgress())
        # Jobs never undo each other, so there is one greatest progress. If it is not all, no order works.
        most = self._as_far_as_possible(start)
        if not self.jobs.is_done(most):
            raise Unplannable(self._obstacle(most))
        route = fewest_steps(start, most.__eq__, self._visits)
        assert route is not None, "`most` was reached by visits, so the search finds a route to it"
        return route

    def _visits(self, progress: JobProgress) -> Iterator[tuple[str, JobProgress]]:
        """Yield the visits to workshops, each with the progress after it."""
        for shop in self.jobs.shops(progress):
            yield shop, self._with_hunts(self.jobs.after(progress, shop))

    def _as_far_as_possible(self, progress: JobProgress) -> JobProgress:
        """Return the progress when nothing more can be crafted and nobody more beaten: more of either never hinders."""
        then = progress
        for shop in self.jobs.shops(progress):
            then = self._with_hunts(self.jobs.after(then, shop))
        return progress if then == progress else self._as_far_as_possible(then)

    def _obstacle(self, progress: JobProgress) -> str:
        unbeaten = self.jobs.left(progress)
        if unbeaten:
            return f"the hero cannot beat {', '.join(unbeaten)} with the gear that he can have by then"
        unmade = [code for code in self.jobs.crafts if code not in progress.crafted]
        return f"the hero is not skilled enough for {', '.join(unmade)}"

    def _with_hunts(self, progress: JobProgress) -> JobProgress:
        """Return the progress after all hunts that can be won by now."""
        owned = self.jobs.owned_slots(progress)
        beatable = {who for who in self.jobs.left(progress) if self.loadouts.can_beat(who, owned)}
        return self._with_hunts(progress._replace(beaten=progress.beaten | beatable)) if beatable else progress

    def _hunt(self, trip: Trip, progress: JobProgress, swaps: Slots) -> tuple[JobProgress, Slots]:
        """Add all hunts that can be won, those with the fewest changes of gear first."""
        while True:
            owned = self.jobs.owned_slots(progress)
            ways = [(who, self.loadouts.cheapest(who, owned, swaps)) for who in self.jobs.left(progress)]
            winning = [(self.loadouts.effort(swaps, way), who, way) for who, way in ways if way is not None]
            if not winning:
                return progress, swaps
            # min takes the first among equals, so that plans are reproducible.
            _, who, way = min(winning, key=lambda candidate: candidate[0])
            trip.steps += self.loadouts.change(swaps, way)
            swaps = way
            trip.hunt(who, self.hunts[who])
            progress = progress._replace(beaten=progress.beaten | {who})

    # -- the searched plan ------------------------------------------------------------------------------------------

    def searched_plan(self, limit: int) -> list[Step] | None:
        """Return a plan in the shortest order, or None if the search finds none within `limit` settled states."""
        wins = {who: hunt.wins for who, hunt in self.hunts.items()}
        # The least growth, because the plan has to win in the game, whatever the order of the victories.
        growth = Growth.at_least(self.world, self.rules, self.task, wins)
        order = JobOrder(self.jobs, TaskLoadouts(self.world, self.rules, self.task), growth)
        result = a_star(order, limit)
        if result is None or result.path is None:
            return None
        trip = self._errands()
        progress = JobProgress()
        for state in result.path:
            trip.wear(state.loadout)
            new_crafts = state.progress.crafted - progress.crafted
            if new_crafts:
                trip.craft(self.jobs.shop(min(new_crafts)), self.jobs.crafts, new_crafts)
            for who in order.hunts(state.progress._replace(beaten=progress.beaten), state.loadout):
                trip.hunt(who, self.hunts[who])
            progress = state.progress
        return self._last_steps(trip)

    # -- the beginning and the end of every plan --------------------------------------------------------------------

    def _errands(self) -> Trip:
        """Return a trip that has gathered and bought everything needed."""
        trip = Trip(self.world, self.rules, self.task)
        trip.fetch(self.visits, self.work.bought)
        return trip

    def _last_steps(self, trip: Trip) -> list[Step]:
        """Return the steps of a trip that ends with the last fight, if there is one."""
        if self.task.kind == "kill":
            trip.hunt(self.task.target, Hunt())
        return trip.steps
