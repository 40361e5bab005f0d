"""Makes private twins of questions: the same kinds of questions about twins of their RPG tasks, in a remixed world.

The twin of a question is about a task of the same difficulty, whose names, map, recipes and numbers nobody has seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from herobench.errors import UsageError
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.suites.acp.hero.making.default_set import DATASET
from herobench.suites.acp.hero.making.make import questions_about
from herobench.suites.acp.hero.question import HeroQuestion
from herobench.task_gen.datasets import shipped_tasks, world_of
from herobench.task_gen.equality import content_digest
from herobench.task_gen.fresh_twins import fresh_twins, world_like

_TRIES = 5
"""How many seeds are tried for a twin: about a few tasks no question of some kind can be asked."""
_FAR = 2**53
"""The distance between the seeds of questions, beyond every seed that a user may name."""


def twins_of(questions: Iterable[HeroQuestion], seed: int, jobs: int = 1) -> list[HeroQuestion]:
    """Return a twin of each question, in their order. The same questions and seed give the same twins.

    Raise UsageError for a question whose RPG task is not one of the dataset that the shipped questions are about.
    """
    asked = list(questions)
    tasks = shipped_tasks(DATASET)
    for question in asked:
        task = tasks.get(question.rpg_task)
        if task is None or content_digest(task.as_row()).hex() != question.rpg_digest:
            raise UsageError(f"The question {question.key} can have no twin: its RPG task is not in {DATASET}.")
    world = world_like(world_of(None, DATASET), seed)
    chosen = list(dict.fromkeys(question.rpg_task for question in asked))
    made, _ = fresh_twins(world, tasks.values(), chosen, seed, jobs)
    by_original = {str(task.twin_of): task for task in made.values()}
    return list(_twins(world, by_original, asked, seed))


def _twins(world: World, tasks: Mapping[str, Task], asked: Iterable[HeroQuestion], seed: int) -> Iterator[HeroQuestion]:
    before: Counter[tuple[str, str]] = Counter()
    for question in asked:
        alike = question.rpg_task, question.task
        yield _twin(world, tasks[question.rpg_task], question, seed, before[alike])
        before[alike] += 1


def _twin(world: World, task: Task, question: HeroQuestion, seed: int, number: int) -> HeroQuestion:
    for attempt in range(_TRIES):
        # questions of one kind about one task differ by their seeds
        own = seed + (number * _TRIES + attempt) * _FAR
        for made in questions_about(world, [task], (question.task,), own, split=question.split, rules=question.rules):
            return replace(made, twin_of=question.key)
    raise UsageError(f"The question {question.key} can have no twin: none of its kind is found about the twin task.")
