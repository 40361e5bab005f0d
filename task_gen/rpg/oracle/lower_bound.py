"""Lower bounds on the actions of a task: by counting each kind of action alone, and by a search.

The bound of a task holds for every plan that makes and wears the missing gear, beats all droppers of its parts, and
buys only what the task sells. It counts one craft per item, one gathering per node of a minimum cover, the fights that
the drops need, and one move per place. Ordering and leveling are left out. A plan that meets the bound is optimal.

`search_bound` adds to the counts the fewest second visits to workshops and repeated changes of loadout, found by a
search over the orders of the jobs. The search is a relaxation: it allows more than the game, so no plan is shorter. It
proves certificates, and is run again when they are validated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Drop, Item, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.a_star import a_star
from herobench.task_gen.rpg.oracle.gathering import drop_chance, fewest_nodes
from herobench.task_gen.rpg.oracle.job_order import Growth, JobGraph, JobOrder
from herobench.task_gen.rpg.oracle.loadouts import TaskLoadouts, needs_leveling
from herobench.task_gen.rpg.oracle.requirements import NeededItems


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
