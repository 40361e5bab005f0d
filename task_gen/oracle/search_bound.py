"""How many actions a task takes at least, by a search over the orders of its jobs.

The counts of `lower_bound` leave out what the order of the work adds: more than one visit to a workshop, and changes of
dress to and fro. This bound adds the fewest of those that any plan gets by with. Its search allows more than the game
does, so that no plan of the game is shorter:

- The hero is healthier in every fight, by all that he could have learnt. A plan that is shorter than the one to be
  proven has a known number of actions to spare; at most so many victories come to those that are needed.
- With any other gear or food on, everyone is beaten. It costs the fewest actions that such an item takes.
- An item that can be had in another way than by its craft or hunt costs the fewest actions that any other way takes.

The claim is that of `lower_bound`: it holds for plans of full score that make the missing gear and have it on when they
beat the target, and that buy only what is told to be for sale.
"""

from __future__ import annotations

from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.task_gen.ladder import has_to_level
from herobench.task_gen.oracle.a_star import a_star
from herobench.task_gen.oracle.dresses import Dresses
from herobench.task_gen.oracle.growth import Growth
from herobench.task_gen.oracle.jobs import Jobs
from herobench.task_gen.oracle.lower_bound import Wins, lower_bound
from herobench.task_gen.oracle.order import Order
from herobench.task_gen.oracle.other_ways import OtherWays
from herobench.task_gen.oracle.work import Work

LIMIT = 500
"""How many states a search may settle. The largest of the shipped datasets and the paper's settles 52."""


def is_searchable(world: World, rules: Rules, task: Task) -> bool:
    """Whether the search knows all that a task is about: not chance, skills that rise, or food."""
    return rules.drops == "sure" and not has_to_level(world, task) and not task.hero.consumables


def search_bound(world: World, rules: Rules, task: Task, actions: int, limit: int = LIMIT) -> int:
    """The bound for a task under its own rules, to prove a plan of so many actions. Never below `lower_bound`."""
    counted = lower_bound(world, rules, task)
    if counted == actions or not is_searchable(world, rules, task):
        return counted
    work = Work.of(world, task)
    wins = Wins.of(world, rules, task, work)
    spare = wins.more + max(0, actions - 1 - counted)
    growth = Growth.at_most(world, rules, task, wins.each, spare)
    ways = OtherWays(world, rules, task, work, wins)
    hunts = [who for who in world.monsters if who in wins.each]
    skills = {skill: progress[0] for skill, progress in task.hero.skills.items()}
    order = Order(
        Jobs(world, rules, task, work, hunts, skills, ways.parts()),
        Dresses(world, rules, task, ways.gear(growth.level)),
        growth,
    )
    found = a_star(order, limit)
    return counted if found is None else counted + found.cost - order.estimate(order.start)
