"""Makes questions about RPG tasks: for each task, kind and number one, from a seed.

    rows = [question.as_row() for question in questions_about(world, tasks, kinds=("app", "land"), seed=1)]

The same arguments give the same questions. A state about which a question is trivial, or whose answer is not proven
within the limits, is drawn again. If that never succeeds, there is no such question.

The generator makes one question of each kind about each task of a set or file, then another of each, and so on.
Question number n of a kind about a task depends on the seed, the task and n only.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from itertools import count as numbers
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from herobench.data.compressed import packed_rows
from herobench.data.errors import UsageError
from herobench.suites.acp.answers.players import player_answer
from herobench.suites.acp.hero.judge import judge
from herobench.suites.acp.hero.question import FILE, HERO, HeroQuestion, action_text, read_hero_question
from herobench.suites.acp.questions.questions import TASKS, by_task
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import DEFAULT_EDITION, load_rules
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.acp.hero import plans, states
from herobench.task_gen.acp.hero.source import PlannedScene, QuestionDraft, context, question_text, unfit
from herobench.task_gen.rpg.datasets import load_task_world, shipped_tasks, tasks_at
from herobench.task_gen.rpg.tasks.spec import task_group
from herobench.task_gen.rpg.twins import content_digest, fresh_twins, world_like
from herobench.work.engine import Each, Local, Work

Maker = Callable[[PlannedScene, Random, float], QuestionDraft | None]
"""Draws a question. The number from 0 to 1 stays the same in all draws for one question, so that what it decides, such
as whether None is right, does not depend on which draws fail."""

_TRIES = 80
"""How often a state is drawn for one question."""
_MAKERS: Mapping[str, Maker] = by_task(
    states.app, states.prog, states.reach, states.areach, plans.val, plans.just, states.land, states.nexta
)


def questions_about(
    world: World,
    tasks: Iterable[Task],
    kinds: Iterable[str] = TASKS,
    seed: int = 0,
    per_task: int = 1,
    split: str = "test",
    rules: str = DEFAULT_EDITION,
) -> Iterator[HeroQuestion]:
    """Yield questions about some tasks of a world. Raise UsageError for a task that none are asked about."""
    wanted = tuple(kinds)
    for task in tasks:
        source = PlannedScene.of(world, task, rules)
        for kind in wanted:
            for number in range(per_task):
                if question := question_about(source, kind, seed, number, split):
                    yield question


def question_about(source: PlannedScene, kind: str, seed: int, number: int, split: str) -> HeroQuestion | None:
    """Return question number `number` of a kind about a task; None if none can be asked."""
    name = f"{source.digest} {kind} {seed} {number}"
    chance = Random(name)  # noqa: S311 - reproducible, not secret
    luck = chance.random()
    drafts = (_MAKERS[kind](source, chance, luck) for _ in range(_TRIES))
    draft = next((draft for draft in drafts if draft), None)
    if draft is None:
        return None
    # Read again, so that the row by itself has the answer.
    question = read_hero_question(_written(source, kind, split, name, draft).as_row())
    if judge(question, player_answer("oracle", question, 0)).fault:
        raise AssertionError(f"the proven answer to {question.key} is not accepted")
    return question


def _written(source: PlannedScene, kind: str, split: str, name: str, draft: QuestionDraft) -> HeroQuestion:
    scene = draft.scene
    return HeroQuestion(
        task=kind,
        split=split,
        domain=HERO,
        # unique for all practical purposes: files of several seeds may be joined
        id=int.from_bytes(hashlib.sha256(name.encode()).digest()[:6]),
        rpg_task=source.task.id,
        rpg_digest=source.digest,
        rpg_group=source.group,
        rules=source.rules,
        experience=scene.rules.experience,
        context=context(scene),
        question=question_text(scene, kind, **draft.facts),
        given=tuple(map(action_text, draft.given)),
        answer=draft.answer,
        kept=scene.as_row(),
    )


DATASET = "base-v2"
"""The RPG tasks that are asked about."""
_EVERY = 3
_SEED = 1


def default_questions() -> Iterator[HeroQuestion]:
    """Yield the questions of the set in their order."""
    world, rules = load_task_world(None, DATASET), load_rules()
    tasks = (task for task in shipped_tasks(DATASET).values() if not unfit(world, task.rules(rules), task))
    return questions_about(world, list(tasks)[::_EVERY], seed=_SEED)


if __name__ == "__main__":
    folder = Path(__file__).parents[3] / "world_data" / "acp"
    (folder / FILE).write_bytes(packed_rows(question.as_row() for question in default_questions()))


# -- questions for the generator --------------------------------------------------------------------------------------

_TWIN_TRIES = 5
"""How many seeds are tried for a twin: about a few tasks no question of some kind can be asked."""
_FAR = 2**53
"""The distance between the seeds of questions, beyond every seed that a user may name."""


def make_twins(questions: Iterable[HeroQuestion], seed: int, jobs: int = 1) -> list[HeroQuestion]:
    """Return a twin of each question, in their order. The same questions and seed give the same twins.

    Raise UsageError for a question whose RPG task is not one of the dataset that the shipped questions are about.
    """
    asked = list(questions)
    tasks = shipped_tasks(DATASET)
    for question in asked:
        task = tasks.get(question.rpg_task)
        if task is None or content_digest(task.as_row()).hex() != question.rpg_digest:
            raise UsageError(f"The question {question.key} can have no twin: its RPG task is not in {DATASET}.")
    world = world_like(load_task_world(None, DATASET), seed)
    chosen = list(dict.fromkeys(question.rpg_task for question in asked))
    made, _ = fresh_twins(world, tasks.values(), chosen, seed, jobs)
    before: Counter[tuple[str, str]] = Counter()
    orders: list[tuple[Row, int]] = []
    for question in asked:
        alike = question.rpg_task, question.task
        orders.append((question.as_row(), before[alike]))
        before[alike] += 1
    work = _TwinWork(world, [task.as_row() for task in made.values()], seed)
    return list(map(read_hero_question, Local(jobs).results(work, orders)))


Row = Mapping[str, Any]


@dataclass(frozen=True)
class _TwinWork(Work[tuple[Row, int], Row]):
    """Makes twins of questions. Processes exchange rows, because tasks hold mappings that cannot be pickled."""

    world: World
    made: Sequence[Row]
    """The twins of RPG tasks."""
    seed: int

    def open(self, threads: int) -> AbstractContextManager[Callable[[tuple[Row, int]], Row]]:
        """Give the function of a question and its number."""
        made = map(Task.from_row, self.made)
        maker = _Maker(self.world, shipped_tasks(DATASET), {str(task.twin_of): task for task in made}, self.seed)
        return nullcontext(lambda order: maker.twin(read_hero_question(order[0]), order[1]).as_row())


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
        for attempt in range(_TWIN_TRIES):
            # questions of one kind about one task differ by their seeds
            if found := self._asked(question, question.rpg_task, self.seed + (number * _TWIN_TRIES + attempt) * _FAR):
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
            if task.id != question.rpg_task and task_group(task) == question.rpg_group:
                yield task.id


_SPLIT = "generated"


class _Slot(NamedTuple):
    """One question that may be asked."""

    about: str
    task_id: str
    kind: str
    number: int
    seed: int


def rows_about(about: str, kinds: Sequence[str], seed: int, wanted: int, jobs: int) -> Iterator[Row]:
    """Yield the rows of a number of questions about the tasks of a set or file. Raise UsageError if there are none."""
    tasks = _tasks(about)[1]
    slots = (_Slot(about, task, kind, number, seed) for number in numbers() for task in tasks for kind in kinds)
    made = vain = 0
    while made < wanted:
        # as many as are missing, so that the work does not depend on the number of processes
        asked = list(islice(slots, wanted - made))
        for row in Local(jobs).results(Each(_ask, worth=40), asked):
            if row:
                made, vain = made + 1, 0
                yield row
                continue
            vain += 1
            if vain >= len(tasks) * len(kinds):
                raise UsageError(f"No question of the tasks {', '.join(kinds)} can be asked about {about}.")


def _ask(slot: _Slot) -> Row | None:
    question = question_about(_source(slot.about, slot.task_id), slot.kind, slot.seed, slot.number, _SPLIT)
    return None if question is None else question.as_row()


@cache
def _source(about: str, task_id: str) -> PlannedScene:
    world, tasks = _tasks(about)
    return PlannedScene.of(world, tasks[task_id], DEFAULT_EDITION)


@cache
def _tasks(about: str) -> tuple[World, Mapping[str, Task]]:
    """Return the world, and the tasks about which questions can be asked."""
    world = load_task_world(None, about)
    with tasks_at(Path(about)) as path:
        found = load_tasks(path, world)
    rules = load_rules()
    why = {task.id: unfit(world, task.rules(rules), task) for task in found.values()}
    fit = {task.id: task for task in found.values() if not why[task.id]}
    if not fit:
        reasons = sorted({reason for reason in why.values() if reason})
        raise UsageError(
            f"No questions can be asked about the tasks of {about}: {'; '.join(reasons) or 'it has none'}."
        )
    return world, fit
