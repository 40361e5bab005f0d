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

from herobench.errors import UsageError
from herobench.generating import Made, Request
from herobench.suites.acp.generate.asked import Wanted
from herobench.suites.acp.generate.generator import ALL, Order, drawn_in_order
from herobench.suites.acp.generate.makers import MAKERS
from herobench.suites.acp.generate.of_goals import FARTHEST
from herobench.suites.acp.plan_text import plan_in
from herobench.suites.acp.questions import Question, proof_of, published
from herobench.suites.acp.situation import situation_of

NOTES = (
    "Twins of alfred have smaller rooms than their originals: at most 32 things and 14 receptacles.",
    f"Twins of nexta are at most {FARTHEST} actions from the goal, and nearer than that where more is not proven.",
)
"""What is not alike in twins and originals."""
_SPLITS = ("dev", "test", ALL)


def twins_of_split(split: str, tasks: Sequence[str], domains: Sequence[str], request: Request) -> Made:
    """Make twins of the published questions of a split."""
    if split not in _SPLITS:
        raise UsageError(f"--twin-of is {split!r}: give one of {', '.join(_SPLITS)}.")
    if foreign := [domain for domain in domains if domain not in MAKERS]:
        raise UsageError(f"There are no published questions of {foreign[0]}: leave out --domain {foreign[0]}.")
    chosen = [
        question
        for question in published().values()
        if split in (ALL, question.split) and question.task in tasks and question.domain in domains
    ][: request.count]
    if not chosen:
        raise UsageError(f"There is no published question of the split {split} to make a twin of: choose others.")
    return Made(len(chosen), (twin.as_row() for twin in twins_of(chosen, request.seed, request.jobs)))


def twins_of(originals: Sequence[Question], seed: int, jobs: int) -> Iterator[Question]:
    """Yield a twin of each published question, in their order."""
    # the number is that of the original, so that a question has the same twin in every choice of questions
    orders = [Order(seed, one.task, one.domain, one.id, wanted=like(one)) for one in originals]
    for original, twin in zip(originals, drawn_in_order(orders, jobs), strict=True):
        yield replace(twin, split=original.split, twin_of=original.key, proof=None).proven(_sound(twin))


def like(original: Question) -> Wanted:
    """Return what a twin should be like."""
    task = situation_of(original).task
    counts = Counter(kind for name, kind in task.problem.objects.items() if name not in task.domain.constants)
    return Wanted(dict(counts), _length(original), is_none=_is_none(original))


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
