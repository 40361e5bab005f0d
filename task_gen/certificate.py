"""Certificates: the proof that a task can be solved, and that nothing of its missing gear can be left out.

The oracle's plan is played in a game of the task; all figures come from what happened there. Where drops go by chance
the plan is played under a hundred seeds, the task's own first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import MappingProxyType

from herobench.rpg.episode import FINISHED, Episode
from herobench.rpg.events import Event, Fought
from herobench.rpg.game import Game
from herobench.rpg.hero import Hero
from herobench.rpg.rules import Rules
from herobench.rpg.scoring import score
from herobench.rpg.task import Certificate, Task
from herobench.rpg.world import World
from herobench.task_gen.necessity import Dressing, without
from herobench.task_gen.oracle.lower_bound import lower_bound
from herobench.task_gen.oracle.planner import oracle_plan
from herobench.task_gen.oracle.search_bound import search_bound
from herobench.task_gen.oracle.steps import Step, as_code, play
from herobench.task_gen.oracle.unplannable import Unplannable

SEEDS = 100
"""Under how many seeds a plan is played where chance has a part."""
WINS_NEEDED = 99
MOST_ACTIONS = 3000
"""Where chance has a part: how long a plan may take under any of the seeds, to stay far from the sandbox's limits."""


@dataclass(frozen=True)
class Rehearsal:
    """The oracle's plan for a task, with the game it won."""

    steps: list[Step]
    game: Game


def rehearse(world: World, rules: Rules, task: Task) -> Rehearsal:
    """Plan a task and play the plan. Raises Unplannable where that does not win with the full score, or where the hero
    could do without some of the missing gear."""
    own = task.rules(rules)
    if task.kind == "kill":
        check_need(world, own, task, 0)
    steps = oracle_plan(world, own, task)
    game = play(steps, Game(world, own, task.hero, task.seed))
    judged = score(task, world, own, Episode(tuple(game.events), FINISHED))
    if judged.outcome != "win" or judged.score != 100:
        raise Unplannable(f"the plan comes to {judged.outcome} with a score of {judged.score:g}")
    if task.kind == "kill":
        check_need(world, own, task, health_gained(world, own, task, game.events))
    return Rehearsal(steps, game)


def certified(world: World, rules: Rules, task: Task, rehearsal: Rehearsal) -> Task:
    """The task with its certificate. Raises Unplannable where the plan does not hold under other seeds."""
    own = task.rules(rules)
    games = [rehearsal.game] if own.drops == "sure" else _under_all_seeds(world, own, task, rehearsal.steps)
    wins = sum(_is_won(world, own, task, game) for game in games)
    if wins < len(games) * WINS_NEEDED / SEEDS:
        raise Unplannable(f"the plan wins under {wins} of {len(games)} seeds")
    if task.kind == "kill":
        check_need(world, own, task, max(health_gained(world, own, task, game.events) for game in games))
    left_out = (
        without(world, own, task, health_gained(world, own, task, rehearsal.game.events)) if task.kind == "kill" else {}
    )
    actions = len(rehearsal.game.events)
    bound = search_bound(world, own, task, actions)
    certificate = Certificate(
        plan=as_code(rehearsal.steps),
        actions=actions,
        lower_bound=bound,
        seeds=len(games),
        wins=wins,
        without=MappingProxyType({slot: fight.monster_hp for slot, fight in left_out.items()}),
        proof="search" if bound > lower_bound(world, own, task) else "counts",
    )
    return replace(task, certificate=certificate)


def check_need(world: World, rules: Rules, task: Task, extra_hp: int) -> None:
    """Raise Unplannable unless all of the missing gear wins, and no proper part of it."""
    if not Dressing.of(world, task.hero, task.missing, extra_hp).all_needed(world.monsters[task.target], rules):
        raise Unplannable(f"not all of the missing gear is needed with {extra_hp} more health")


def health_gained(world: World, rules: Rules, task: Task, events: Iterable[Event]) -> int:
    """By how much healthier the hero was when he beat the target; what he learnt from that is not counted."""
    hero = Hero(world, task.hero)
    bare = hero.hp
    for event in events:
        if isinstance(event.detail, Fought) and event.detail.won:
            if event.detail.monster == task.target:
                break
            hero.learn_from_victory(world.monsters[event.detail.monster].level, rules)
    return hero.hp - bare


def seeds_of(task: Task) -> range:
    """The seeds that a certificate is about."""
    return range(task.seed, task.seed + SEEDS)


def _under_all_seeds(world: World, rules: Rules, task: Task, steps: list[Step]) -> list[Game]:
    return [play(steps, Game(world, rules, task.hero, seed)) for seed in seeds_of(task)]


def _is_won(world: World, rules: Rules, task: Task, game: Game) -> bool:
    judged = score(task, world, rules, Episode(tuple(game.events), FINISHED))
    return judged.outcome == "win" and len(game.events) <= MOST_ACTIONS
