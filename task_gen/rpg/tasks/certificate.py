"""Certificates: prove that a task can be solved and that every missing item is needed.

The generator calls this for each task that it draws. The oracle's plan is played in a game of the task, and every
figure is measured in that game, never estimated. If drops are random, the plan is played under a hundred seeds, and
the task's own seed is the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from herobench.suites.rpg.game.episode import FINISHED, Episode
from herobench.suites.rpg.game.events import Event, Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Certificate, Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.loadouts import all_needed, gains, without
from herobench.task_gen.rpg.oracle.lower_bound import lower_bound, search_bound
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Step, as_code, play

SEEDS = 100
"""The number of seeds that a plan is played under if drops are random."""
WINS_NEEDED = 99
"""The number of these games that the plan has to win."""
MOST_ACTIONS = 3000
"""The longest plan allowed under any of the seeds if drops are random: it stays far below the sandbox's limits."""


@dataclass(frozen=True)
class Rehearsal:
    """The oracle's plan for a task, and the game that the plan won."""

    steps: list[Step]
    game: Game


def rehearse(world: World, rules: Rules, task: Task) -> Rehearsal:
    """Plan a task and play the plan.

    Raises Unplannable if the plan does not win with the full score, or if some of the missing gear is not needed.
    """
    own = task.rules(rules)
    # Cheap test first: planning takes much longer than computing a few fights.
    check_need(world, own, task, 0)
    steps = oracle_plan(world, own, task)
    game = play(steps, Game(world, own, task.hero, task.seed))
    verdict = score(task, world, own, Episode(tuple(game.events), FINISHED))
    if verdict.outcome != "win" or verdict.score != 100:
        raise Unplannable(f"the plan ends with outcome {verdict.outcome} and score {verdict.score:g}")
    check_need(world, own, task, health_gained(world, own, task, game.events))
    return Rehearsal(steps, game)


def certify(world: World, rules: Rules, task: Task, rehearsal: Rehearsal) -> Task:
    """Return the task with its certificate. Raises Unplannable if the plan fails under too many other seeds."""
    own = task.rules(rules)
    seeds = () if own.drops == "sure" else certified_seeds(task)
    games = [play(rehearsal.steps, Game(world, own, task.hero, seed)) for seed in seeds] or [rehearsal.game]
    wins = sum(_is_won(world, own, task, game) for game in games)
    # A share, because a task with sure drops has only one game.
    if wins < len(games) * WINS_NEEDED / SEEDS:
        raise Unplannable(f"the plan wins under {wins} of {len(games)} seeds")
    check_need(world, own, task, max(health_gained(world, own, task, game.events) for game in games))
    # Measured with the health of the task's own seed, so that a validator gets the same figures.
    left_out = left_over(world, own, task, health_gained(world, own, task, rehearsal.game.events))
    actions = len(rehearsal.game.events)
    bound = search_bound(world, own, task, actions)
    certificate = Certificate(
        plan=as_code(rehearsal.steps),
        actions=actions,
        lower_bound=bound,
        seeds=len(games),
        wins=wins,
        without=left_out,
        # The proof is named so that a validator repeats the right computation.
        proof="search" if bound > lower_bound(world, own, task) else "counts",
    )
    return replace(task, certificate=certificate)


def check_need(world: World, rules: Rules, task: Task, extra_hp: int) -> None:
    """Raise Unplannable unless the hero wins with all of the missing gear and loses with every proper subset of it.

    `extra_hp` is the most health that he gains. At the start he has gained none, which takes a call of its own.
    """
    if task.kind == "craft":  # it has no missing gear that could be left out
        return
    for gain in gains(world.monsters[task.target], rules, extra_hp):
        if not all_needed(world, rules, task.target, task.hero, task.missing, gain):
            raise Unplannable(f"not all of the missing gear is needed with {gain} more health")


def left_over(world: World, rules: Rules, task: Task, extra_hp: int) -> Mapping[str, float]:
    """Return, for each slot of missing gear, the health that the target keeps if its item is left out."""
    if task.kind == "craft":
        return MappingProxyType({})
    fights = without(world, rules, task, extra_hp)
    return MappingProxyType({slot: fight.monster_hp for slot, fight in fights.items()})


def health_gained(world: World, rules: Rules, task: Task, events: Iterable[Event]) -> int:
    """Return how much health the hero gained by levels before he beat the target.

    The victory over the target itself does not count: its experience comes too late for that fight.
    """
    # Only the levels are replayed, so that health from food or gear does not count.
    hero = Hero(world, task.hero)
    bare = hero.hp
    for event in events:
        if isinstance(event.detail, Fought) and event.detail.won:
            if event.detail.monster == task.target:
                break
            hero.learn_from_victory(world.monsters[event.detail.monster].level, rules)
    return hero.hp - bare


def certified_seeds(task: Task) -> range:
    """Return the seeds that a certificate covers."""
    return range(task.seed, task.seed + SEEDS)


def _is_won(world: World, rules: Rules, task: Task, game: Game) -> bool:
    verdict = score(task, world, rules, Episode(tuple(game.events), FINISHED))
    return verdict.outcome == "win" and len(game.events) <= MOST_ACTIONS
