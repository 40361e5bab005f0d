"""Draws the tasks of a spec, kills and crafts, and proves each: the oracle plans it, and certifies the plan.

A certificate says that a task can be solved and that every missing item is needed. The oracle's plan is played in a
game of the task, and every figure is measured in that game, never estimated. If drops are random, the plan is played
under a hundred seeds, and the task's own seed is the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from herobench.suites.rpg.game.episode import FINISHED, Episode
from herobench.suites.rpg.game.events import Event, Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Certificate, Kind, Mechanics, Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.oracle.loadouts import all_needed, gains, needs_leveling, without
from herobench.task_gen.rpg.oracle.planner import lower_bound, oracle_plan, search_bound
from herobench.task_gen.rpg.oracle.steps import Step, Unplannable, as_code, play
from herobench.task_gen.rpg.tasks.drafts import EXCHANGE, CraftTasks, Fight, KillTasks, TaskDraft
from herobench.task_gen.rpg.tasks.spec import DROP_SCALE, Spec, total_difficulty, with_budget
from herobench.task_gen.rpg.tasks.telling import knowledge_for

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


_SEED_BITS = 53
"""Seeds are integers that every JSON reader keeps exact."""


class ProvenTasks:
    """Draws the tasks of a spec in a world. What cannot be proven is no task."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self.world = world
        self.rules = rules
        self.spec = spec
        self._kills = KillTasks(world, rules, spec)
        self._crafts = CraftTasks(world, rules, spec)

    def kinds(self, difficulty: int, rng: Random) -> list[Kind]:
        """Return the kinds that a task of a difficulty may have, the wanted one first."""
        spec = self.spec
        if spec.kind != "mixed":
            return [spec.kind]
        if spec.monster or not self._crafts.has(difficulty):
            return ["kill"]
        # Drawn only if there is a choice. One draw more or less would change the bytes of every dataset.
        return ["craft", "kill"] if rng.random() < spec.craft_share else ["kill", "craft"]

    def draw(self, kind: Kind, difficulty: int, rng: Random) -> Task | None:
        """Draw a task of a difficulty and prove it. Return None if that fails."""
        tasks = self._kills if kind == "kill" else self._crafts
        draft = tasks.draw(difficulty, rng)
        try:
            return self._prove(draft, rng) if draft else None
        except Unplannable:
            return None

    def draw_fight(self, difficulty: int, fight: Fight | None, rng: Random) -> Task | None:
        """Draw a kill task of a difficulty, and of a fight if one is given, without a certificate.

        Return None if there is none. Raise Unplannable if there is no plan for it.
        """
        draft = self._kills.draw(difficulty, rng, fight)
        return self._with_knowledge(draft, rng) if draft else None

    def _prove(self, draft: TaskDraft, rng: Random) -> Task | None:
        task = self._with_knowledge(draft, rng)
        return self.certify(task) if task else None

    def _with_knowledge(self, draft: TaskDraft, rng: Random) -> Task | None:
        """Return a draft as a task with its knowledge, but without a certificate. Return None if it needs no leveling.

        Raises Unplannable if there is no plan for it.
        """
        spec = self.spec
        if spec.leveling:
            draft = draft.without_skills(self.world)
        scale = DROP_SCALE if spec.stochastic else None
        mechanics = Mechanics(draft.leveling, scale, EXCHANGE, spec.plan, spec.defeat)
        task = draft.task(self.world, rng.getrandbits(_SEED_BITS), mechanics)
        # A low level and low skills do not matter if nothing needs more, and then the draw is no leveling task.
        if draft.leveling and not needs_leveling(self.world, task):
            return None
        # First with full knowledge, to learn which facts a plan needs; then with only the facts that the task tells.
        rehearsal = rehearse(self.world, self.rules, task)
        knowledge = knowledge_for(self.world, task.rules(self.rules), spec, task, rehearsal, rng)
        task = replace(task, knowledge=knowledge)
        return replace(task, difficulty=total_difficulty(self.world, task))

    def certify(self, task: Task) -> Task:
        """Return a task with its certificate and its budget. Raises Unplannable if it cannot be proven."""
        task = certify(self.world, self.rules, task, rehearse(self.world, self.rules, task))
        return task if self.spec.budget is None else with_budget(task, self.spec.budget)
