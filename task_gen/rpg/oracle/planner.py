"""The oracle: plan a task with full knowledge of the world, for the full score in few actions.

Called for certificates, and for the player `oracle`. Each node, hunt and the exchange is visited once and
each item crafted in one go, so only the order is left to choose. A quick planner finds the fewest workshop visits
(breadth-first); if its plan exceeds the lower bound, A* looks for a shorter order, and a plan is kept in any case.

The plan of a campaign is a straight list of actions and counted loops. All gathering and buying comes first, once for
the whole campaign. Each visit to a workshop makes everything possible by then, for whatever goal. A monster is hunted
for everything it drops, as soon as the hero beats it in what he wears anyway. Only if the next goal needs a drop that
he cannot win so, he changes for the hunt, in the fewest actions. The plan follows the order of the goals and is not
proven to be the shortest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Goal, Task
from herobench.suites.rpg.game.world import Code, World
from herobench.task_gen.rpg.oracle.a_star import Unplannable, a_star, fewest_steps
from herobench.task_gen.rpg.oracle.gathering import ANY, Hunt, Trip, known_nodes, plan_hunts, plan_visits
from herobench.task_gen.rpg.oracle.job_order import Growth, JobGraph, JobOrder, JobProgress
from herobench.task_gen.rpg.oracle.loadouts import Loadout, LoadoutFights, QuickLoadouts, Slots, TaskLoadouts, change
from herobench.task_gen.rpg.oracle.lower_bound import LIMIT, CampaignWork, is_searchable, lower_bound
from herobench.task_gen.rpg.oracle.requirements import NeededItems
from herobench.task_gen.rpg.oracle.steps import Do, Step, as_code, read_steps


def oracle_plan(world: World, rules: Rules, task: Task) -> list[Step]:
    """Return the oracle's plan for a task under the task's own rules. Raises Unplannable if it finds none.

    The quick plan stands if the search finds no shorter one, hits its limit, or does not cover the task's mechanics.
    """
    if task.certificate and task.certificate.proof == "loadouts":
        return list(read_steps(task.certificate.plan))
    if task.campaign:
        return campaign_plan(world, rules, task)
    planner = _Planner(world, rules, task)
    # The quick plan comes first: it often meets the bound, and without one the task counts as unplannable.
    quick = planner.quick_plan()
    # Every plan waits for the same drops, so no other one would be straight.
    if task.mechanics.plan == "straight" and not all(isinstance(step, Do) for step in quick):
        raise Unplannable("a straight plan cannot wait for drops that fall by chance")
    # A plan that meets the lower bound is optimal, so a search could not improve it.
    if not is_searchable(world, rules, task) or length(quick) == lower_bound(world, rules, task):
        return quick
    found = planner.searched_plan(LIMIT)
    return found if found is not None and length(found) < length(quick) else quick


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
        progress, swapped = self._hunt(trip, JobProgress(), frozenset())
        for shop in route:
            then = self.jobs.after(progress, shop)
            trip.craft(shop, self.jobs.crafts, then.crafted - progress.crafted)
            progress, swapped = self._hunt(trip, then, swapped)
        trip.steps += self.loadouts.change(swapped, frozenset(self.task.missing))
        return self._ended(trip)

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
        owned = self.jobs.owned(progress)
        won = {who for who in self.jobs.left(progress) if self.loadouts.can_beat(who, owned)}
        return self._with_hunts(progress._replace(beaten=progress.beaten | won)) if won else progress

    def _hunt(self, trip: Trip, progress: JobProgress, swapped: Slots) -> tuple[JobProgress, Slots]:
        """Add all hunts that can be won, those with the fewest changes of gear first."""
        while True:
            owned = self.jobs.owned(progress)
            ways = [(who, self.loadouts.cheapest(who, owned, swapped)) for who in self.jobs.left(progress)]
            winning = [(self.loadouts.effort(swapped, way), who, way) for who, way in ways if way is not None]
            if not winning:
                return progress, swapped
            # min takes the first among equals, so that plans are reproducible.
            _, who, way = min(winning, key=lambda found: found[0])
            trip.steps += self.loadouts.change(swapped, way)
            swapped = way
            trip.hunt(who, self.hunts[who])
            progress = progress._replace(beaten=progress.beaten | {who})

    # -- the searched plan ------------------------------------------------------------------------------------------

    def searched_plan(self, limit: int) -> list[Step] | None:
        """Return a plan in the shortest order, or None if the search finds none within `limit` settled states."""
        wins = {who: hunt.wins for who, hunt in self.hunts.items()}
        # The least growth, because the plan has to win in the game, whatever the order of the victories.
        growth = Growth.at_least(self.world, self.rules, self.task, wins)
        order = JobOrder(self.jobs, TaskLoadouts(self.world, self.rules, self.task), growth)
        found = a_star(order, limit)
        if found is None or found.path is None:
            return None
        trip = self._errands()
        progress = JobProgress()
        for state in found.path:
            trip.wear(state.loadout)
            crafted = state.progress.crafted - progress.crafted
            if crafted:
                trip.craft(self.jobs.shop(min(crafted)), self.jobs.crafts, crafted)
            for who in order.hunts(state.progress._replace(beaten=progress.beaten), state.loadout):
                trip.hunt(who, self.hunts[who])
            progress = state.progress
        return self._ended(trip)

    # -- the beginning and the end of every plan --------------------------------------------------------------------

    def _errands(self) -> Trip:
        """Return a trip that has gathered and bought everything needed."""
        trip = Trip(self.world, self.rules, self.task)
        trip.fetch(self.visits, self.work.bought)
        return trip

    def _ended(self, trip: Trip) -> list[Step]:
        """Return the steps of a trip that ends with the last fight, if there is one."""
        if self.task.kind == "kill":
            trip.hunt(self.task.target, Hunt())
        return trip.steps


def campaign_plan(world: World, rules: Rules, task: Task, fights: LoadoutFights | None = None) -> list[Step]:
    """Return the plan for a campaign under its own rules. Raises Unplannable if there is none.

    `fights` may come from other campaigns of the same hero.
    """
    if rules.drops != "sure":
        raise Unplannable("a campaign needs drops that fall every time")
    return list(folded(_Campaigner(world, rules, task, fights or LoadoutFights(world, rules, task.hero)).steps()))


def folded(steps: list[Step]) -> Iterator[Step]:
    """Yield the steps with equal neighbours as one counted loop: each is one decision."""
    for step, equal in groupby(steps, key=lambda step: step._replace(times=1) if isinstance(step, Do) else step):
        times = sum(each.times for each in equal if isinstance(each, Do))
        yield step._replace(times=times) if isinstance(step, Do) else step


class _Campaigner:
    """Makes the plan of one campaign, goal by goal."""

    def __init__(self, world: World, rules: Rules, task: Task, fights: LoadoutFights) -> None:
        self._world = world
        self._rules = rules
        self._task = task
        self._fights = fights
        self._work = work = CampaignWork.of(world, task)
        self._trip = Trip(world, rules, task)
        self._worn: Loadout = task.hero.worn
        self._left = Counter(work.hunted)
        """The drops that are still needed."""
        self._had = {*work.gathered, *work.bought, *task.hero.inventory, *task.hero.worn.values()}
        """Items that are complete for the whole campaign, apart from items that are crafted when they are due."""
        self._had -= work.crafts.keys() | work.hunted.keys()
        self._hunters = [
            who for who, monster in world.monsters.items() if any(d.item in work.hunted for d in monster.drops)
        ]

    def steps(self) -> list[Step]:
        """Return the steps of the whole campaign."""
        self._errands()
        for number, goal in enumerate(self._task.goals):
            self._prepare(number, goal)
            if goal.kind == "kill":
                self._wear(self._work.loadouts[number])
                self._hunt(goal.target, least=1)
            else:
                self._deliver(goal.target)
        return self._trip.steps

    def _errands(self) -> None:
        """Gather and buy everything that the campaign needs, and raise the skills for it."""
        world, task, work = self._world, self._task, self._work
        known = known_nodes(world, self._rules, task, work.gathered)
        hero = Hero(world, task.hero)
        visits = plan_visits(world, self._rules, hero, work.gathered, work.skills, known)
        self._trip.fetch(visits, work.bought)

    # -- what a goal needs ------------------------------------------------------------------------------------------

    def _prepare(self, number: int, goal: Goal) -> None:
        """Make and win everything that a goal needs."""
        recipe = self._world.recipe_of(goal.target) if goal.kind == "craft" else None
        needs = set(recipe.ingredients) if recipe else set(goal.missing.values())
        while True:
            self._hunt_at_hand(goal)
            lacking = needs - self._had
            if not lacking:
                return
            route = self._route(lacking, goal)
            if route:
                self._visit(route[0], goal)
            elif not self._hunt_changed(number, goal, lacking):
                self._visit(self._useful_shop(lacking, goal), goal)

    def _tree(self, codes: Collection[Code]) -> set[Code]:
        """Return some items and all their parts that are not there yet."""
        found: set[Code] = set()
        left = [code for code in codes if code not in self._had]
        while left:
            code = left.pop()
            if code not in found:
                found.add(code)
                recipe = self._world.recipe_of(code)
                left += [part for part in (recipe.ingredients if recipe else ()) if part not in self._had]
        return found

    def _useful_shop(self, lacking: Collection[Code], goal: Goal) -> str:
        """Return a workshop that makes a part of what is lacking. Raises Unplannable if there is none."""
        wanted = self._tree(lacking)
        for shop in self._shops(wanted):
            if self._made(shop, frozenset(self._had), wanted, goal):
                return shop
        stuck = sorted(code for code in wanted if code in self._left)
        raise Unplannable(f"the hero cannot come by {', '.join(stuck or sorted(wanted))} when he needs it")

    # -- workshops --------------------------------------------------------------------------------------------------

    def _shop(self, code: Code) -> str:
        recipe = self._world.recipe_of(code)
        assert recipe, "only crafts have a workshop"
        return recipe.skill if self._rules.workshop == "matching" else ANY

    def _shops(self, codes: Collection[Code]) -> list[str]:
        return sorted({self._shop(code) for code in codes if code in self._work.crafts})

    def _made(self, shop: str, had: frozenset[Code], among: Collection[Code], goal: Goal) -> dict[Code, None]:
        """Return what a visit to a workshop can make, ingredients first. The item that is due has to wait."""
        made: dict[Code, None] = {}
        due = goal.target if goal.kind == "craft" else None
        for code in self._work.crafts:
            if code not in among or code in had or code == due or self._shop(code) != shop:
                continue
            recipe = self._world.recipe_of(code)
            if recipe and all(part in had or part in made for part in recipe.ingredients):
                made[code] = None
        return made

    def _route(self, lacking: Collection[Code], goal: Goal) -> list[str] | None:
        """Return the fewest workshop visits after which nothing is lacking; None if that takes a hunt first."""
        wanted = self._tree(lacking)
        shops = self._shops(wanted)

        def visits(had: frozenset[Code]) -> Iterator[tuple[str, frozenset[Code]]]:
            return ((shop, had.union(self._made(shop, had, wanted, goal))) for shop in shops)

        return fewest_steps(frozenset(self._had), lambda had: had.issuperset(lacking), visits)

    def _visit(self, shop: str, goal: Goal) -> None:
        """Make everything possible in a workshop, for whatever goal."""
        made = self._made(shop, frozenset(self._had), self._work.crafts, goal)
        crafts = {code: number for code in made if (number := self._work.crafts[code])}
        self._had.update(made)
        if crafts:
            self._trip.craft(shop, crafts, crafts)

    def _deliver(self, code: Code) -> None:
        """Craft the item that is due, with all other pieces of it if they are still to be made."""
        more = 0 if code in self._had else self._work.crafts[code]
        self._had.add(code)
        self._trip.craft(self._shop(code), {code: 1 + more}, [code])

    # -- hunts ------------------------------------------------------------------------------------------------------

    def _hunt_at_hand(self, goal: Goal) -> None:
        """Hunt every monster that drops something needed and loses to the loadout; the next target has to wait."""
        for who in self._hunters:
            if who != goal.target and self._gives(who) and self._fights.beats(who, self._worn):
                self._hunt(who)

    def _hunt_changed(self, number: int, goal: Goal, lacking: Collection[Code]) -> bool:
        """Change for a hunt that the lacking items need, and hunt. Return whether there is one."""
        wanted = self._tree(lacking)
        made = {slot: code for slot, code in self._work.loadouts[number].items() if code in self._had}
        known = [*self._known_loadouts(number), made]
        ways = [
            (len(list(change(self._world, self._worn, {**self._worn, **way}))), index, who, way)
            for index, who in enumerate(self._hunters)
            if who != goal.target and wanted.intersection(self._gives(who))
            if (way := self._fights.nearest(who, self._worn, known)) is not None
        ]
        if not ways:
            return False
        _, _, who, way = min(ways, key=lambda found: found[:2])
        self._wear({**self._worn, **way})
        self._hunt(who)
        return True

    def _known_loadouts(self, number: int) -> Collection[Loadout]:
        """Return each loadout once that the hero had on for some goal before, and the one of the start."""
        loadouts = (self._task.hero.worn, *self._work.loadouts[:number])
        return {frozenset(loadout.items()): loadout for loadout in loadouts}.values()

    def _gives(self, who: Code) -> list[Code]:
        """Return the drops of a monster that are still needed."""
        return [drop.item for drop in self._world.monsters[who].drops if self._left[drop.item] > 0]

    def _hunt(self, who: Code, least: int = 0) -> None:
        """Beat a monster a least number of times, and until it has dropped everything needed."""
        drops = self._world.monsters[who].drops
        wins = max([least, *(-(-self._left[drop.item] // drop.least) for drop in drops)])
        self._trip.hunt(who, Hunt(wins))
        for drop in drops:
            self._left[drop.item] -= wins * drop.least
            if drop.item in self._work.hunted and self._left[drop.item] <= 0:
                self._had.add(drop.item)

    def _wear(self, loadout: Loadout) -> None:
        """Change to a loadout."""
        self._trip.steps += change(self._world, self._worn, loadout)
        self._worn = loadout
