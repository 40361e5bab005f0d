"""Makes questions about RPG tasks: for each task, kind and number one, from a seed.

    rows = [question.as_row() for question in questions_about(world, tasks, kinds=("app", "land"), seed=1)]

The same arguments give the same questions. A state about which a question is trivial, or whose answer is not proven
within the limits, is drawn again. Where that never succeeds, there is no such question.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType

from herobench.suites.acp.hero.columns import FILE, HERO
from herobench.suites.acp.hero.judge import judge
from herobench.suites.acp.hero.players import answer_of
from herobench.suites.acp.hero.question import HeroQuestion, hero_question_of, text_of
from herobench.suites.acp.questions.questions import TASKS
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import DEFAULT_EDITION, load_rules
from herobench.task_gen.acp.hero import landmarks, never, plans, text
from herobench.task_gen.acp.hero.source import PlannedScene, QuestionDraft, unfit
from herobench.task_gen.rpg.datasets import shipped_tasks, world_of

Maker = Callable[[PlannedScene, Random, float], QuestionDraft | None]
"""Draws a question. The number from 0 to 1 stays the same in all draws for one question, so that what it decides, such
as whether None is right, does not depend on which draws fail."""

_TRIES = 80
"""How often a state is drawn for one question."""
_MAKERS: Mapping[str, Maker] = MappingProxyType(
    {
        "app": landmarks.app,
        "prog": landmarks.prog,
        "reach": never.reach,
        "areach": never.areach,
        "val": plans.val,
        "just": plans.just,
        "land": landmarks.land,
        "nexta": landmarks.nexta,
    }
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
    question = hero_question_of(_written(source, kind, split, name, draft).as_row())
    if judge(question, answer_of("oracle", question, 0)).fault:
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
        context=text.context(scene),
        question=text.question(scene, kind, **draft.facts),
        given=tuple(map(text_of, draft.given)),
        answer=draft.answer,
        kept=scene.as_row(),
    )


DATASET = "base-v2"
"""The RPG tasks that are asked about."""
_EVERY = 3
_SEED = 1


def default_questions() -> Iterator[HeroQuestion]:
    """Yield the questions of the set in their order."""
    world, rules = world_of(None, DATASET), load_rules()
    tasks = (task for task in shipped_tasks(DATASET).values() if not unfit(world, task.rules(rules), task))
    return questions_about(world, list(tasks)[::_EVERY], seed=_SEED)


def as_file(questions: Iterator[HeroQuestion]) -> bytes:
    """Return questions as a shipped file."""
    rows = (json.dumps(question.as_row(), ensure_ascii=False, separators=(",", ":")) for question in questions)
    return lzma.compress("".join(f"{row}\n" for row in rows).encode(), preset=9)


if __name__ == "__main__":
    folder = Path(__file__).parents[3] / "world_data" / "acp"
    (folder / FILE).write_bytes(as_file(default_questions()))
