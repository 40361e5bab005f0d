"""The oracle: plans for tasks, made with full knowledge of the world, that reach the full score in few actions.

Everything is done as rarely as possible: each node, each hunt and the exchange are visited once, every item is crafted
in one go. What is left to choose is the order. Hunts need gear, gear needs workshops, and workshops need each other's
products.

A quick planner finds the fewest visits to workshops with which all gets done; on the way a hunt is taken up as soon as
something that the hero owns by then wins it. Where its plan is longer than the lower bound, an exact search looks for a
shorter order. The quick plan stands where the search finds none, hits its limit or does not know the task's mechanics.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from herobench.rpg.hero import Hero
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, World
from herobench.task_gen.oracle.a_star import a_star
from herobench.task_gen.oracle.dresses import Dresses
from herobench.task_gen.oracle.gathering import gathering
from herobench.task_gen.oracle.growth import Growth
from herobench.task_gen.oracle.hunting import Hunt, hunting
from herobench.task_gen.oracle.jobs import Jobs, Progress
from herobench.task_gen.oracle.lower_bound import lower_bound
from herobench.task_gen.oracle.order import Order
from herobench.task_gen.oracle.search_bound import LIMIT, is_searchable
from herobench.task_gen.oracle.steps import Do, Step, as_code
from herobench.task_gen.oracle.trip import Trip
from herobench.task_gen.oracle.unplannable import Unplannable
from herobench.task_gen.oracle.wardrobe import Slots, Wardrobe
from herobench.task_gen.oracle.work import Work


def oracle_plan(world: World, rules: Rules, task: Task) -> list[Step]:
    """The oracle's plan for a task under the task's own rules. Raises Unplannable where it finds none."""
    planner = _Planner(world, rules, task)
    quick = planner.quick_plan()
    if not is_searchable(world, rules, task) or length(quick) == lower_bound(world, rules, task):
        return quick
    found = planner.searched_plan(LIMIT)
    return found if found is not None and length(found) < length(quick) else quick


def oracle_code(world: World, edition: Rules, task: Task) -> str:
    """The oracle's plan for a task under an edition of the rules, as code. Raises Unplannable where it finds none."""
    return as_code(oracle_plan(world, task.rules(edition), task))


def length(steps: Sequence[Step]) -> int:
    """How many actions steps take, where chance has no part."""
    return sum(step.times for step in steps if isinstance(step, Do))


class _Planner:
    """The plans of one task in the making."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self.world = world
        self.rules = rules
        self.task = task
        self.work = Work.of(world, task)
        self.hunts = hunting(world, rules, self.work.hunted, task.target)
        hero = Hero(world, task.hero)
        self.visits = gathering(
            world, rules, hero, self.work.gathered, self.work.requirements.skills, self._known_nodes()
        )
        skills = {skill: progress.level for skill, progress in hero.skills.items()}
        self.jobs = Jobs(world, rules, task, self.work, self.hunts, skills)
        self.wardrobe = Wardrobe(world, rules, task)

    def _known_nodes(self) -> Collection[Code]:
        """The nodes that are told of. Other nodes than those of what is needed serve only to raise skills."""
        told = frozenset(self.task.knowledge.places)
        known = {node for node in self.world.resources if not told.isdisjoint(self.world.places_of("resource", node))}
        return known or {node for leaf in self.work.gathered for node in self.world.nodes[leaf]}

    # -- the quick plan ---------------------------------------------------------------------------------------------

    def quick_plan(self) -> list[Step]:
        """A plan with the fewest visits to workshops."""
        route = self._route()
        trip = self._errands()
        progress, dress = self._hunt(trip, Progress(), frozenset())
        for shop in route:
            then = self.jobs.after(progress, shop)
            trip.craft(shop, self.jobs.crafts, then.crafted - progress.crafted)
            progress, dress = self._hunt(trip, then, dress)
        trip.change(self.wardrobe.change(dress, frozenset(self.task.missing)))
        return self._ended(trip)

    def _route(self) -> list[str]:
        """The fewest workshops, by skill, after which everything is made and everyone is beaten."""
        start = self._with_hunts(Progress())
        most = self._as_far_as_possible(start)
        if not self.jobs.is_done(most):
            raise Unplannable(self._obstacle(most))
        ways = deque([(start, list[str]())])
        seen = {start}
        while ways:
            progress, route = ways.popleft()
            if progress == most:
                return route
            for shop in self.jobs.shops(progress):
                then = self._with_hunts(self.jobs.after(progress, shop))
                if then not in seen:
                    seen.add(then)
                    ways.append((then, [*route, shop]))
        raise AssertionError("what can be done can be done in some order")

    def _as_far_as_possible(self, progress: Progress) -> Progress:
        """The progress when nothing more can be made and nobody more be beaten: more of either is never in the way."""
        then = progress
        for shop in self.jobs.shops(progress):
            then = self._with_hunts(self.jobs.after(then, shop))
        return progress if then == progress else self._as_far_as_possible(then)

    def _obstacle(self, progress: Progress) -> str:
        unbeaten = self.jobs.left(progress)
        if unbeaten:
            return f"the hero cannot beat {', '.join(unbeaten)} with what he can have by then"
        unmade = [code for code in self.jobs.crafts if code not in progress.crafted]
        return f"the hero is not skilled enough for {', '.join(unmade)}"

    def _with_hunts(self, progress: Progress) -> Progress:
        """The progress when all hunts that can be won by now are."""
        owned = self.jobs.owned(progress)
        won = {who for who in self.jobs.left(progress) if self.wardrobe.can_beat(who, owned)}
        return self._with_hunts(progress._replace(beaten=progress.beaten | won)) if won else progress

    def _hunt(self, trip: Trip, progress: Progress, dress: Slots) -> tuple[Progress, Slots]:
        """Take up all hunts that can be won, those with the least changes of dress first."""
        while True:
            owned = self.jobs.owned(progress)
            ways = [(who, self.wardrobe.cheapest(who, owned, dress)) for who in self.jobs.left(progress)]
            winning = [(self.wardrobe.effort(dress, way), who, way) for who, way in ways if way is not None]
            if not winning:
                return progress, dress
            _, who, way = min(winning, key=lambda found: found[0])
            trip.change(self.wardrobe.change(dress, way))
            dress = way
            trip.hunt(who, self.hunts[who])
            progress = progress._replace(beaten=progress.beaten | {who})

    # -- the searched plan ------------------------------------------------------------------------------------------

    def searched_plan(self, limit: int) -> list[Step] | None:
        """A plan in the shortest order; None where there is none, or so many states are settled before it is found."""
        wins = {who: hunt.wins for who, hunt in self.hunts.items()}
        growth = Growth.at_least(self.world, self.rules, self.task, wins)
        order = Order(self.jobs, Dresses(self.world, self.rules, self.task), growth)
        found = a_star(order, limit)
        if found is None or found.path is None:
            return None
        trip = self._errands()
        progress = Progress()
        for state in found.path:
            trip.dress(state.dress)
            crafted = state.progress.crafted - progress.crafted
            if crafted:
                trip.craft(self.jobs.shop(min(crafted)), self.jobs.crafts, crafted)
            for who in order.hunts(state.progress._replace(beaten=progress.beaten), state.dress):
                trip.hunt(who, self.hunts[who])
            progress = state.progress
        return self._ended(trip)

    # -- how every plan begins and ends -----------------------------------------------------------------------------

    def _errands(self) -> Trip:
        """A trip that has gathered and bought all that is needed."""
        trip = Trip(self.world, self.rules, self.task)
        for visit in self.visits:
            trip.gather(visit)
        for code, quantity in self.work.bought.items():
            trip.buy(code, quantity)
        return trip

    def _ended(self, trip: Trip) -> list[Step]:
        """The steps of a trip that ends with the last fight, where there is one."""
        if self.task.kind == "kill":
            trip.hunt(self.task.target, Hunt())
        return trip.steps
