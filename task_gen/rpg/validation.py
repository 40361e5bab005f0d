"""Validate certificates: prove each again from nothing but the task and the world.

Called by `herobench validate`. The plan runs as a model's plan does, in whatever the caller runs plans with, and
every figure is computed anew. A plan may use only what its task tells. Each fault is a sentence. The proof covers
gear only: a hero who eats in fights, or fights for levels, may do without some of the missing items. The proof that a
task is impossible covers every action of a hero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from herobench.data.errors import Problem
from herobench.data.rows import RowLine
from herobench.suite.validating import ProofWork
from herobench.suites.rpg.game.episode import Episode
from herobench.suites.rpg.game.events import Bought, Crafted, Event, Fought, Gathered, Moved
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Certificate, Task
from herobench.suites.rpg.game.world import PLAIN, Code, Names, World, slot_type
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.renamed import renamed_row, with_names
from herobench.suites.rpg.worlds.task_file import home_world, id_twice, merge_problems, task_problems
from herobench.task_gen.rpg.datasets import tasks_at
from herobench.task_gen.rpg.oracle.loadouts import gains, needs_leveling, winning_subsets
from herobench.task_gen.rpg.oracle.planner import lower_bound, search_bound
from herobench.task_gen.rpg.oracle.steps import Unplannable
from herobench.task_gen.rpg.tasks.proven_tasks import (
    MOST_ACTIONS,
    SEEDS,
    WINS_NEEDED,
    certified_seeds,
    health_gained,
    left_over,
)
from herobench.task_gen.rpg.tasks.spec import action_budget, total_difficulty
from herobench.task_gen.rpg.tasks.telling import knowledge_faults
from herobench.task_gen.rpg.unsolvable.proof import proof_faults
from herobench.work.rows import Row

Run = Callable[[Task, str], Episode]
"""Runs a plan on a task."""


def faults(world: World, rules: Rules, task: Task, run: Run) -> list[str]:
    """Return the faults of a task and its certificate; none if all holds."""
    own = task.rules(rules)
    problems = [*_difficulty(world, task), *_hero(world, own, task), *knowledge_faults(world, task)]
    if task.impossible is not None:
        return [*problems, *proof_faults(world, own, task, task.impossible)]
    if task.certificate is None:
        return ["it has no certificate"]
    # The cheap checks are done by now; from here on plans run in the sandbox.
    return [*problems, *_CertificateCheck(world, own, task, task.certificate, run).faults()]


def _difficulty(world: World, task: Task) -> Iterator[str]:
    difficulty = total_difficulty(world, task)
    if difficulty != task.difficulty:
        yield f"its difficulty is {difficulty}, not {task.difficulty}"
    if task.mechanics.leveling and not needs_leveling(world, task):
        yield "it says that it needs leveling, but no skill or level has to be raised"
    if not task.mechanics.leveling and needs_leveling(world, task):
        yield "a skill or a level has to be raised, but it does not say that it needs leveling"


def _hero(world: World, rules: Rules, task: Task) -> Iterator[str]:
    """Check that the hero does not already carry what he has to make, nor food, which the proof does not cover.

    What he wears, he must be able to wear.
    """
    hero, cap = task.hero, rules.level_cap
    if hero.combat[0] > cap:
        yield f"the hero's level is {hero.combat[0]}, beyond the highest, {cap}"
    too_high = [code for code in hero.worn.values() if world.items[code].level > hero.combat[0]]
    if too_high:
        yield f"the hero wears {', '.join(too_high)}, and his level is too low for it"
    types = {slot_type(slot) for slot in world.slots}
    forbidden = [code for code in hero.inventory if world.items[code].type in types or code == task.target]
    forbidden += [stack.item for stack in hero.consumables.values()]
    if forbidden:
        yield f"the hero starts with {', '.join(forbidden)}, and must not"


class _CertificateCheck:
    """The check of one certificate."""

    def __init__(self, world: World, rules: Rules, task: Task, certificate: Certificate, run: Run) -> None:
        self.world = world
        self.rules = rules
        self.task = task
        self.certificate = certificate
        self.run = run

    def faults(self) -> Iterator[str]:
        """Yield every fault."""
        plan = self.certificate.plan
        episode = self.run(self.task, plan)
        yield from self._outcome(episode)
        yield from self._figures(episode)
        yield from self._budget()
        yield from self._untold(episode)
        seeds = () if self.rules.drops == "sure" else certified_seeds(self.task)
        episodes = [self.run(replace(self.task, seed=seed), plan) for seed in seeds] or [episode]
        yield from self._luck(episodes)
        yield from self._need(episodes)

    def _outcome(self, episode: Episode) -> Iterator[str]:
        verdict = score(self.task, self.world, self.rules, episode)
        if not episode.finished:
            ending = episode.ending
            yield f"the plan does not finish: {ending.reason or ending.how}"
        elif verdict.outcome != "win" or verdict.score != 100:
            misses = ", ".join(map(str, verdict.missed)) or "nothing"
            yield f"the plan ends with outcome {verdict.outcome} and score {verdict.score:g}, and misses {misses}"

    def _figures(self, episode: Episode) -> Iterator[str]:
        certificate = self.certificate
        if len(episode.events) != certificate.actions:
            yield f"the plan attempts {len(episode.events)} actions, not {certificate.actions}"
        refusals = sum(not event.ok for event in episode.events)
        if refusals:
            yield f"{refusals} actions of the plan are refused"
        if certificate.scope != "full_score" or certificate.proof == "loadouts":
            scope = f"the certificate says {certificate.scope}"
            yield f"the lower bound is proven for plans of full score only, and {scope}"
            return
        try:
            bound = self._bound()
        except Unplannable as obstacle:
            yield f"no plan exists: {obstacle}"
            return
        if bound != certificate.lower_bound:
            yield f"the lower bound is {bound}, not {certificate.lower_bound}"

    def _bound(self) -> int:
        """Return the lower bound, proven in the way that the certificate names."""
        # Only a search that proves more than the counts is named, so that most proofs are cheap to repeat.
        if self.certificate.proof == "counts":
            return lower_bound(self.world, self.rules, self.task)
        return search_bound(self.world, self.rules, self.task, self.certificate.actions)

    def _budget(self) -> Iterator[str]:
        """Check that the budget is what its factor gives, and enough for the plan."""
        budget, factor = self.task.mechanics.budget, self.task.mechanics.budget_factor
        if budget is None:
            return
        expected = budget if factor is None else action_budget(self.certificate, factor)
        if budget != expected:
            yield f"its budget is {budget} actions, and the factor {factor:g} gives {expected}"
        if budget < self.certificate.actions:
            yield f"the plan takes {self.certificate.actions} actions, more than the budget of {budget}"

    def _untold(self, episode: Episode) -> Iterator[str]:
        unknown = dict.fromkeys(thing for event in episode.events for thing in self._unknown(event))
        if unknown:
            yield f"the plan uses what the task does not tell: {', '.join(unknown)}"

    def _unknown(self, event: Event) -> Iterator[str]:
        """Yield what an action used that the task does not tell."""
        knowledge = self.task.knowledge
        match event.detail:
            case Moved(place=place) if place not in knowledge.places:
                yield f"the place {place}"
            case Gathered(resource=node) if not self._is_told(node):
                yield f"the node {node}"
            case Crafted(item=item) if item not in knowledge.recipes:
                yield f"the recipe of {item}"
            case Fought(monster=monster) if monster not in knowledge.monsters:
                yield f"the monster {monster}"
            case Bought(item=item) if item not in knowledge.sold:
                yield f"the sale of {item}"

    def _is_told(self, node: Code) -> bool:
        """Return whether the task tells of something that the node gives."""
        return any(drop.item in self.task.knowledge.materials for drop in self.world.resources[node].drops)

    def _luck(self, episodes: Sequence[Episode]) -> Iterator[str]:
        """Check that the plan wins under nearly all seeds if drops are random."""
        claim = (self.certificate.wins, self.certificate.seeds)
        wins = sum(score(self.task, self.world, self.rules, episode).outcome == "win" for episode in episodes)
        if claim != (wins, len(episodes)):
            yield f"the plan wins under {wins} of {len(episodes)} seeds, not {claim[0]} of {claim[1]}"
        if wins < len(episodes) * WINS_NEEDED / SEEDS:
            yield f"{wins} wins under {len(episodes)} seeds are too few: {WINS_NEEDED} of {SEEDS} are needed"
        longest = max(len(episode.events) for episode in episodes)
        if len(episodes) > 1 and longest > MOST_ACTIONS:
            yield f"the plan takes {longest} actions under one of the seeds, more than {MOST_ACTIONS}"

    def _need(self, episodes: Sequence[Episode]) -> Iterator[str]:
        """Check that all of the missing gear is needed: at the start, and with the health gained by victories."""
        gained = [health_gained(self.world, self.rules, self.task, episode.events) for episode in episodes]
        yield from self._check_need(max(gained))
        remaining = dict(left_over(self.world, self.rules, self.task, gained[0]))
        claim = dict(self.certificate.without)
        if claim and self.task.kind == "craft":
            yield "it asks for a craft, and its certificate names fights with an item left out"
        elif remaining != claim:
            yield f"with one missing item left out, the target keeps {remaining} health, not {claim}"

    def _check_need(self, most_gained: int) -> Iterator[str]:
        """Check that the hero needs all of the missing gear."""
        task = self.task
        if task.kind == "craft":
            return
        if not task.missing:
            yield "no gear is missing"
            return
        for gain in dict.fromkeys((0, *gains(self.world.monsters[task.target], self.rules, most_gained))):
            yield from self._spare(gain)

    def _spare(self, extra_hp: int) -> Iterator[str]:
        task, slots = self.task, tuple(self.task.missing)
        winning = winning_subsets(self.world, self.rules, task.target, task.hero, task.missing, extra_hp)
        if frozenset(range(len(slots))) not in winning:
            yield "the missing gear does not win"
        # One smaller set is enough to refute the claim; a list of all of them could have thousands of lines.
        for part in [part for part in winning if len(part) < len(slots)][:1]:
            spare = ", ".join(slot for index, slot in enumerate(slots) if index not in part)
            yield f"a hero with {extra_hp} more health wins without the missing items in {spare}"


@dataclass(frozen=True)
class TaskProofs(ProofWork):
    """Proves rows of tasks of one world, in a sandbox, under the names that a user asks for."""

    world: World
    rules: Rules
    names: Names = PLAIN
    worth = 50
    batch = 8
    has_threads = True

    @property
    def row_check(self) -> TaskProofs:
        """Return itself, which also says which rows are tasks."""
        return self

    @property
    def schema(self) -> str:
        """The schema of tasks."""
        return "task"

    def file(self, tasks: Path) -> AbstractContextManager[Path]:
        """Give the tasks file at a path, or that of a shipped dataset."""
        return tasks_at(tasks)

    def gather(self, problems: list[Problem], file: str) -> list[Problem]:
        """Return the problems of a file without any task: one if all its tasks are of another world."""
        return merge_problems(problems, file, self.world)

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the id of a task, or what is wrong with it in the world."""
        return list(task_problems(line.row, self._home(line), line.place)) or str(line.row["id"])

    def twice(self, place: str, first: str, key: str) -> Problem:
        """Return the problem of a task whose id the task at another place has."""
        return id_twice(place, key)

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        """Open a sandbox in this process."""
        world = self._world_of_names
        with Sandbox(world, self.rules, workers=threads) as sandbox:
            sandbox.warm_up()

            def prove(line: RowLine) -> Row:
                task = Task.from_row(renamed_row(line.row, self._home(line), self.names))
                return {"task_id": task.id, "faults": faults(world, self.rules, task, sandbox.execute)}

            yield prove

    @property
    def _world_of_names(self) -> World:
        return with_names(self.world, self.names)

    def _home(self, line: RowLine) -> World:
        return home_world(line.row, self.world, self.names)
