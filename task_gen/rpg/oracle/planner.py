"""The oracle: plan a task with full knowledge of the world, for the full score in few actions.

Called for certificates, and for the player `oracle`. Each node, hunt and the exchange is visited once and
each item crafted in one go, so only the order is left to choose. A quick planner finds the fewest workshop visits
(breadth-first); if its plan exceeds the lower bound, A* looks for a shorter order, and a plan is kept in any case.

The lower bound of a task holds for every plan that makes and wears the missing gear, beats all droppers of its parts,
and buys only what the task sells. It counts one craft per item, one gathering per node of a minimum cover, the fights
that the drops need, and one move per place. Ordering and leveling are left out. A plan that meets the bound is optimal.

`search_bound` adds to the counts the fewest second visits to workshops and repeated changes of loadout, found by a
search over the orders of the jobs. The search is a relaxation: it allows more than the game, so no plan is shorter. It
proves certificates, and is run again when they are validated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Drop, Item, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.gathering import (
    Hunt,
    NeededItems,
    Trip,
    drop_chance,
    fewest_nodes,
    known_nodes,
    plan_hunts,
    plan_visits,
)
from herobench.task_gen.rpg.oracle.job_order import Growth, JobGraph, JobOrder, JobProgress, a_star, fewest_steps
from herobench.task_gen.rpg.oracle.loadouts import QuickLoadouts, Slots, TaskLoadouts, needs_leveling
from herobench.task_gen.rpg.oracle.steps import Do, Step, Unplannable, as_code


def lower_bound(world: World, rules: Rules, task: Task) -> int:
    """Return the bound for a task under its own rules."""
    work = NeededItems.of(world, task)
    crafts = work.requirements.crafts
    # An item that monsters drop too may come from fights, so no node is counted for it.
    nodes = fewest_nodes(world, work.gathered.keys() - work.hunted.keys(), world.resources)
    wins = Wins.of(world, rules, task, work)
    shops = {recipe.skill for recipe in map(world.recipe_of, crafts) if recipe}
    workshops = len(shops) if rules.workshop == "matching" else min(1, len(shops))
    target = int(task.kind == "kill")
    stops = len(nodes) + len(wins.each) + workshops + target + bool(work.bought)
    # The hero may already stand on one of the places, so that one needs no move.
    moves = max(0, stops - (world.tiles[task.hero.place].content is not None))
    changes = _changes(world, task, list(task.missing.values()))
    return moves + len(nodes) + wins.total + len(work.bought) + len(crafts) + changes + target


class Wins(NamedTuple):
    """The fewest victories that a task needs."""

    each: Counter[Code]
    """Victories over each monster, for items that only it drops."""
    more: int
    """Further victories over any of them, for items that several drop."""

    @classmethod
    def of(cls, world: World, rules: Rules, task: Task, work: NeededItems) -> Wins:
        """Return the victories of a task: one over every dropper of a part, and more where the drops need it.

        Of the parts that several monsters drop, only the one that needs most is counted: one victory may serve several.
        """
        droppers = {leaf: [who for who in world.droppers[leaf] if who != task.target] for leaf in work.hunted}
        wins = Counter({who: 1 for everyone in droppers.values() for who in everyone})
        for leaf, everyone in droppers.items():
            # A single dropper has to give all of it.
            if len(everyone) == 1:
                most = most_dropped(world, rules, everyone[0], leaf)
                wins[everyone[0]] = max(wins[everyone[0]], -(-work.hunted[leaf] // most))
        more = 0
        for leaf, everyone in droppers.items():
            if len(everyone) > 1:
                gives = {who: most_dropped(world, rules, who, leaf) for who in everyone}
                lacking = work.hunted[leaf] - sum(wins[who] * gives[who] for who in everyone)
                # The maximum, not the sum: the same victories may serve several of these parts.
                more = max(more, -(-lacking // max(gives.values())))
        return cls(wins, more)

    @property
    def total(self) -> int:
        """The number of victories."""
        return self.each.total() + self.more


def most_dropped(world: World, rules: Rules, who: Code, leaf: Code) -> int:
    """Return the most of an item that one victory can give."""

    # A lower bound on actions has to assume the largest drop that luck can give.
    def falls(drop: Drop) -> int:
        return drop.least if rules.drops == "sure" else drop.most

    return sum(falls(drop) for drop in world.monsters[who].drops if drop.item == leaf and drop_chance(drop, rules) > 0)


def _changes(world: World, task: Task, missing: Collection[Code]) -> int:
    """Return the least number of equips, and of unequips in types that have too few free slots."""
    changes = len(missing)
    for kind, count in Counter(world.items[code].type for code in missing).items():
        free = sum(slot_type(slot) == kind and slot not in task.hero.worn for slot in gear_slots(world))
        changes += max(0, count - free)
    return changes


# -- the bound by a search over orders --------------------------------------------------------------------------------

_BUY = 1
_GATHER = 1
_STOP = 1
"""A move to a place where the work has nothing to do."""
_FIGHT = 1
_CRAFT = 1
NEVER = 1_000_000
"""The cost if there is no way: more than any plan costs."""


class OtherWays:
    """The least cost of items beyond the work of a task."""

    def __init__(self, world: World, rules: Rules, task: Task, work: NeededItems, wins: Wins) -> None:
        self._world = world
        self._rules = rules
        self._task = task
        self._work = work
        self._wins = wins
        recipes = [recipe for recipe in map(world.recipe_of, work.requirements.crafts) if recipe]
        self._worn = frozenset(task.hero.worn.values())
        near = {node for leaf in work.gathered for node in world.nodes[leaf]}
        # Items from nodes that the work visits anyway cost no further action: one swing gives all drops.
        self._near = {drop.item for node in near for drop in world.resources[node].drops}
        self._ingredients = {part for recipe in recipes for part in recipe.ingredients}
        self._known: dict[Code, int] = {}
        self._shops = {recipe.skill for recipe in recipes}

    def parts(self) -> dict[Code, int]:
        """Return the costs of crafted or hunted items in another way, for the items that have one."""
        costs = {code: list(self._ways_around(code)) for code in (*self._work.requirements.crafts, *self._work.hunted)}
        return {code: min(ways) for code, ways in costs.items() if ways}

    def gear(self, level: int) -> int:
        """Return the least cost of wearing any gear or food that the task does not name, for a hero of a level."""
        slots = Counter(map(slot_type, self._world.slots))
        missing = Counter(map(slot_type, self._task.missing))
        new = frozenset(self._task.missing.values())

        def cost(item: Item) -> int:
            """Return the cost to get an item, to put it on, and to take it off if missing gear needs the slot."""
            return self._come_by(item.code) + 1 + (missing[item.type] == slots[item.type])

        # A second copy of a missing item counts as other gear if its type has several slots.
        wearable = (item for item in self._world.items.values() if item.type in slots and item.level <= level)
        return min((cost(item) for item in wearable if item.code not in new or slots[item.type] > 1), default=NEVER)

    def _ways_around(self, code: Code) -> Iterator[int]:
        """Yield the costs of the ways to an item besides the one that the work takes."""
        if code in self._task.hero.inventory or (code in self._worn and code in self._ingredients):
            yield 0
        if code in self._world.nodes:
            yield 0 if code in self._near else _STOP + _GATHER
        if code in self._task.knowledge.sold:
            yield _BUY
        droppers = self._world.droppers.get(code, ())
        if any(who not in self._wins.each for who in droppers):
            yield _STOP + _FIGHT
        prey = [who for who in droppers if who in self._wins.each]
        if code in self._work.requirements.crafts and prey:
            yield 0
        elif len(prey) > 1:
            yield _FIGHT if self._takes_all(code, prey) else 0

    def _takes_all(self, code: Code, prey: list[Code]) -> bool:
        """Return whether no craft can use a drop before all its droppers are beaten, without one more victory."""
        gives = {who: most_dropped(self._world, self._rules, who, code) for who in prey}
        more = self._wins.more * max(gives.values())
        before_the_last = max(
            sum(self._wins.each[who] * gives[who] for who in prey if who != last) + more for last in prey
        )
        return before_the_last < min(self._uses(code))

    def _uses(self, code: Code) -> Iterator[int]:
        """Yield how many of an item each craft takes, and whoever wears it."""
        for crafted_code, number in self._work.requirements.crafts.items():
            recipe = self._world.recipe_of(crafted_code)
            if recipe and code in recipe.ingredients:
                yield recipe.ingredients[code] * number
        if code in self._task.missing.values():
            yield 1

    def _come_by(self, code: Code) -> int:
        """Return the least cost of one more of an item."""
        if code not in self._known:
            self._known[code] = min(self._sources(code), default=NEVER)
        return self._known[code]

    def _sources(self, code: Code) -> Iterator[int]:
        recipe = self._world.recipe_of(code)
        if code in self._task.hero.inventory or code in self._work.requirements.crafts:
            yield 0
        if code in self._world.nodes:
            # The work already pays for the visit to its own nodes.
            yield 0 if code in self._near else _STOP + _GATHER
        if code in self._task.knowledge.sold:
            yield _BUY
        if code in self._world.droppers:
            yield 0 if any(who in self._wins.each for who in self._world.droppers[code]) else _STOP + _FIGHT
        if recipe:
            parts = [0 if part in self._worn else self._come_by(part) for part in recipe.ingredients]
            # The maximum, not the sum: one stop may give several ingredients, and the cost must stay a lower bound.
            yield _CRAFT + (0 if recipe.skill in self._shops else _STOP) + max(parts)


LIMIT = 500
"""The number of states that a search may settle. The shipped datasets and the paper's need at most 52."""


def is_searchable(world: World, rules: Rules, task: Task) -> bool:
    """Return whether the search covers the task: it does not cover random drops, leveling or food.

    It takes more health to be no worse, so it does not cover round effects of monsters either.
    """
    if any(monster.stats.round_effects for monster in world.monsters.values()):
        return False
    return rules.drops == "sure" and not needs_leveling(world, task) and not task.hero.consumables


def search_bound(world: World, rules: Rules, task: Task, actions: int, limit: int = LIMIT) -> int:
    """Return the bound for a task under its own rules, to prove a plan of `actions` actions. Never below `lower_bound`.

    Relaxations: (1) In every fight the hero has all the health that he could have gained. A plan shorter than the given
    one has a known number of spare actions, and has at most that many victories more than needed. (2) With any other
    gear or food on, he beats everyone; it costs the least that such an item costs. (3) An item that can be had in
    another way than by its craft or hunt costs the least that any other way costs.
    """
    bound = lower_bound(world, rules, task)
    # The counts alone prove the plan optimal, or the search cannot say more.
    if bound == actions or not is_searchable(world, rules, task):
        return bound
    work = NeededItems.of(world, task)
    wins = Wins.of(world, rules, task, work)
    # A plan that is shorter has at most actions - 1 actions, and all beyond the counted ones could be fights.
    spare = wins.more + max(0, actions - 1 - bound)
    growth = Growth.at_most(world, rules, task, wins.each, spare)
    ways = OtherWays(world, rules, task, work, wins)
    hunts = [who for who in world.monsters if who in wins.each]
    skills = {skill: progress[0] for skill, progress in task.hero.skills.items()}
    order = JobOrder(
        JobGraph(world, rules, task, work, hunts, skills, ways.parts()),
        TaskLoadouts(world, rules, task, ways.gear(growth.level)),
        growth,
    )
    # If the limit comes first, `found.cost` is still a lower bound, so the result holds, but may not meet the plan.
    result = a_star(order, limit)
    # `counted` contains the estimate at the start, so only what the search adds to it is added.
    return bound if result is None else bound + result.cost - order.estimate(order.start)


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
