"""A lower bound on the actions of a task, by a search over the orders of its jobs.

Called for certificates and when they are validated. `lower_bound` leaves out second visits to workshops and repeated
changes of loadout; this bound adds the fewest of them. The search is a relaxation: it allows more than the game (see
`search_bound`), so no plan is shorter. The claim covers the same plans as that of `lower_bound`.
"""

from __future__ import annotations

from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.task_gen.leveling import needs_leveling
from herobench.task_gen.oracle.a_star import a_star
from herobench.task_gen.oracle.growth import Growth
from herobench.task_gen.oracle.job_graph import JobGraph
from herobench.task_gen.oracle.job_order import JobOrder
from herobench.task_gen.oracle.loadouts import Loadouts
from herobench.task_gen.oracle.lower_bound import Wins, lower_bound
from herobench.task_gen.oracle.other_ways import OtherWays
from herobench.task_gen.oracle.work import Work

LIMIT = 500
"""The number of states that a search may settle. The shipped datasets and the paper's need at most 52."""


def is_searchable(world: World, rules: Rules, task: Task) -> bool:
    """Return whether the search covers the task: it does not cover campaigns, random drops, leveling or food.

    It takes more health to be no worse, so it does not cover round effects of monsters either.
    """
    if any(monster.stats.round_effects for monster in world.monsters.values()):
        return False
    return not task.campaign and rules.drops == "sure" and not needs_leveling(world, task) and not task.hero.consumables


def search_bound(world: World, rules: Rules, task: Task, actions: int, limit: int = LIMIT) -> int:
    """Return the bound for a task under its own rules, to prove a plan of `actions` actions. Never below `lower_bound`.

    Relaxations: (1) In every fight the hero has all the health that he could have gained. A plan shorter than the given
    one has a known number of spare actions, and has at most that many victories more than needed. (2) With any other
    gear or food on, he beats everyone; it costs the least that such an item costs. (3) An item that can be had in
    another way than by its craft or hunt costs the least that any other way costs.
    """
    counted = lower_bound(world, rules, task)
    # The counts alone prove the plan optimal, or the search cannot say more.
    if counted == actions or not is_searchable(world, rules, task):
        return counted
    work = Work.of(world, task)
    wins = Wins.of(world, rules, task, work)
    # A plan that is shorter has at most actions - 1 actions, and all beyond the counted ones could be fights.
    spare = wins.more + max(0, actions - 1 - counted)
    growth = Growth.at_most(world, rules, task, wins.each, spare)
    ways = OtherWays(world, rules, task, work, wins)
    hunts = [who for who in world.monsters if who in wins.each]
    skills = {skill: progress[0] for skill, progress in task.hero.skills.items()}
    order = JobOrder(
        JobGraph(world, rules, task, work, hunts, skills, ways.parts()),
        Loadouts(world, rules, task, ways.gear(growth.level)),
        growth,
    )
    # If the limit comes first, `found.cost` is still a lower bound, so the result holds, but may not meet the plan.
    found = a_star(order, limit)
    # `counted` contains the estimate at the start, so only what the search adds to it is added.
    return counted if found is None else counted + found.cost - order.estimate(order.start)
