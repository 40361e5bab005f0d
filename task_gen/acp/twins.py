"""Private twins of published questions: new questions that cannot be looked up, each as like its original as can be.

A twin has the task, the domain and the split of its original, an instance with as many objects of each type, and the
length of its plan or its distance to the goal. Its right answer is None if that of the original is. The instance, the
state and the words are new. Where no such question is found, the length may be off by more with every draw, and in the
end the answer may be another kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from herobench.data.errors import UsageError
from herobench.suite.generating import GenerateRequest, Made
from herobench.suites.acp.hero.any_question import AnyQuestion
from herobench.suites.acp.hero.columns import HERO, hero_questions
from herobench.suites.acp.hero.question import HeroQuestion
from herobench.suites.acp.questions.questions import Question, plan_in, proof_of, published
from herobench.suites.acp.questions.situation import situation_of
from herobench.task_gen.acp.asked import QuestionQuery
from herobench.task_gen.acp.generator import ALL, QuestionOrder, drawn_in_order
from herobench.task_gen.acp.hero.generated import twins_of as hero_twins_of
from herobench.task_gen.acp.makers import MAKERS
from herobench.task_gen.acp.of_states import FARTHEST

NOTES = (
    "Twins of alfred have smaller rooms than their originals: at most 32 things and 14 receptacles.",
    f"Twins of nexta are at most {FARTHEST} actions from the goal, and nearer than that where more is not proven.",
)
"""What is not alike in twins and originals."""
_SPLITS = ("dev", "test", ALL, HERO)


def twins_of_split(split: str, tasks: Sequence[str], domains: Sequence[str], request: GenerateRequest) -> Made:
    """Make twins of the questions of a shipped split."""
    if split not in _SPLITS:
        raise UsageError(f"--twin-of is {split!r}: give one of {', '.join(_SPLITS)}.")
    shipped: Mapping[str, AnyQuestion] = hero_questions() if split == HERO else published()
    known = (HERO,) if split == HERO else tuple(MAKERS)
    if domains != tuple(MAKERS) and (foreign := [domain for domain in domains if domain not in known]):
        advice = f"give --twin-of {HERO}" if foreign[0] == HERO else f"leave out --domain {foreign[0]}"
        raise UsageError(f"No question of --twin-of {split} is of the domain {foreign[0]}: {advice}.")
    chosen = [
        question
        for question in shipped.values()
        if split in (ALL, HERO, question.split)
        and question.task in tasks
        and (split == HERO or question.domain in domains)
    ][: request.count]
    if not chosen:
        raise UsageError(f"There is no published question of the split {split} to make a twin of: choose others.")
    return Made(len(chosen), (twin.as_row() for twin in twins_of(chosen, request.seed, request.jobs)))


def twins_of(originals: Sequence[AnyQuestion], seed: int, jobs: int) -> Iterator[AnyQuestion]:
    """Yield a twin of each shipped question, in their order. Raise UsageError for one that is none."""
    about_hero = [one for one in originals if isinstance(one, HeroQuestion)]
    in_pddl = [one for one in originals if isinstance(one, Question)]
    for one in in_pddl:
        if published().get(one.key) != one:
            raise UsageError(f"The question {one.key} is not a published one, so it has no twin.")
    of_hero, of_pddl = (
        iter(hero_twins_of(about_hero, seed, jobs)) if about_hero else iter(()),
        _twins(in_pddl, seed, jobs),
    )
    return (next(of_hero) if isinstance(one, HeroQuestion) else next(of_pddl) for one in originals)


def _twins(originals: Sequence[Question], seed: int, jobs: int) -> Iterator[Question]:
    # the number is that of the original, so that a question has the same twin in every choice of questions
    orders = [QuestionOrder(seed, one.task, one.domain, one.id, wanted=like(one)) for one in originals]
    for original, twin in zip(originals, drawn_in_order(orders, jobs), strict=True):
        yield replace(twin, split=original.split, twin_of=original.key, proof=None).proven(_sound(twin))


def like(original: Question) -> QuestionQuery:
    """Return what a twin should be like."""
    task = situation_of(original).task
    counts = Counter(kind for name, kind in task.problem.objects.items() if name not in task.domain.constants)
    return QuestionQuery(dict(counts), _length(original), is_none=_is_none(original))


def _length(original: Question) -> int | None:
    """Return the length of the plan, or the distance to the goal, where the question has one."""
    if original.task in ("val", "just"):
        return len(plan_in(original.question))
    return min(int(original.answer["opt"]), FARTHEST) if original.task == "nexta" else None


def _is_none(original: Question) -> bool | None:
    """Return whether the right answer is None, where it may be."""
    proof = proof_of(original)
    if proof is None or original.task not in ("reach", "areach", "land"):
        return None
    return not proof.sound if original.task == "land" else proof.unreachable == 0


def _sound(question: Question) -> Mapping[str, Any]:
    """Return the proven answer that a generated question carries."""
    assert question.proof is not None, "every generated question has its proof"
    sound: Mapping[str, Any] = question.proof["sound"]
    return sound
