"""Makes private twins of questions: the same kinds of questions about twins of their RPG tasks, in a remixed world.

The twin of a question is about a task of the same difficulty, whose names, map, recipes and numbers nobody has seen:
the twin of its RPG task, or that of another task of its bracket where no question of the kind can be asked about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from herobench.errors import UsageError
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.suites.acp.hero.making.default_set import DATASET
from herobench.suites.acp.hero.making.make import questions_about
from herobench.suites.acp.hero.question import HeroQuestion
from herobench.task_gen.datasets import shipped_tasks, world_of
from herobench.task_gen.difficulty import group_of
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
    maker = _Maker(world, tasks, {str(task.twin_of): task for task in made.values()}, seed)
    before: Counter[tuple[str, str]] = Counter()
    twins = []
    for question in asked:
        alike = question.rpg_task, question.task
        twins.append(maker.twin(question, before[alike]))
        before[alike] += 1
    return twins


@dataclass(frozen=True)
class _Maker:
    """Makes twins one by one."""

    world: World
    tasks: Mapping[str, Task]
    """The tasks of the dataset."""
    made: dict[str, Task]
    """The twins of tasks, by the ids of their originals. Others are added when they are needed."""
    seed: int

    def twin(self, question: HeroQuestion, number: int) -> HeroQuestion:
        """Return a twin of a question. `number` tells questions of one kind about one task apart."""
        for attempt in range(_TRIES):
            # questions of one kind about one task differ by their seeds
            if found := self._asked(question, question.rpg_task, self.seed + (number * _TRIES + attempt) * _FAR):
                return found
        # about the twin task none of the kind can be asked, such as app where hardly anything can be done
        for other in self._as_difficult(question):
            if found := self._asked(question, other, self.seed - (question.id + 1) * _FAR):
                return found
        raise UsageError(
            f"The question {question.key} can have no twin: none of its kind is found about tasks of its bracket."
        )

    def _asked(self, question: HeroQuestion, original: str, seed: int) -> HeroQuestion | None:
        if original not in self.made:
            (self.made[original],) = fresh_twins(self.world, self.tasks.values(), [original], self.seed, 1)[0].values()
        kind, split, rules = (question.task,), question.split, question.rules
        found = questions_about(self.world, [self.made[original]], kind, seed, split=split, rules=rules)
        return next((replace(made, twin_of=question.key) for made in found), None)

    def _as_difficult(self, question: HeroQuestion) -> Iterator[str]:
        """Yield the other tasks of the same bracket."""
        for task in self.tasks.values():
            if task.id != question.rpg_task and group_of(task) == question.rpg_group:
                yield task.id
