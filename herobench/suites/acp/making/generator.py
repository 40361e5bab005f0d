"""The generator of the suite behind the contract: reads its options, makes questions in order, and drops repeats.

Question number n depends only on the seed, its task, its domain and n. So it does not matter which process makes it,
and the first questions are the same whatever the count. A draw whose answer is not proven is thrown away, and the next
one is made from its own seed.

Private twins of published questions are new questions that cannot be looked up, each as like its original as can be. A
twin has the task, the domain and the split of its original, an instance with as many objects of each type, and the
length of its plan or its distance to the goal. For land, its right answer is None if that of the original is. The
instance, the state and the words are new. If no such question is found, the length may be off by more with every draw,
and in the end the answer may be another kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Literal, NamedTuple

from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.suite.generating import GenerateRequest, Made, TaskGenerator
from herobench.suites.acp.making.makers import MAKERS
from herobench.suites.acp.making.scene import ANY, QuestionQuery
from herobench.suites.acp.making.source import open_source
from herobench.suites.acp.making.states import FARTHEST
from herobench.suites.acp.questions.questions import TASKS, Question, plan_in, published, stored_proof
from herobench.suites.acp.questions.situation import read_situation
from herobench.suites.acp.refusals import AcpFault
from herobench.work.engine import Each, Local

ALL = "all"
_COUNT = 20
"""How many questions are made when no number is given. There are as many twins as originals."""
_DRAWS = 400
"""The most draws for one question."""


@dataclass(frozen=True, slots=True)
class QuestionOrder:
    """One question that is to be made."""

    seed: int
    task: str
    domain: str
    """The name of a domain, or the path of a folder."""
    number: int
    first: int = 0
    """The first draw that counts: those before it gave a question that is there already."""
    wanted: QuestionQuery = ANY
    """What the question should be like."""


class Drawn(NamedTuple):
    """A question, and the number of the draw that gave it."""

    question: Question
    draw: int


def draw_question(order: QuestionOrder) -> Drawn:
    """Make the question of an order. Raise UsageError if no draw succeeds."""
    source = open_source(order.domain)
    for draw in range(order.first, _DRAWS):
        chance = Random(f"{order.seed}/{source.name}/{order.task}/{order.number}/{draw}")  # noqa: S311 - a seed
        question = source.ask(order.task, chance, order.wanted.for_draw(draw))
        if question is not None:
            return Drawn(question, draw)
    raise UsageError(
        AcpFault.NO_DRAW, more="more " if order.first else "", task=order.task, domain=order.domain, draws=_DRAWS
    )


def drawn_in_order(orders: Sequence[QuestionOrder], jobs: int) -> Iterator[Question]:
    """Yield the questions of orders. A question that was there before is drawn anew, here, and so by all jobs alike."""
    results = Local(jobs).results(Each(draw_question), orders)
    keys: set[str] = set()
    for order, (question, draw) in zip(orders, results, strict=True):
        while question.key in keys:
            question, draw = draw_question(replace(order, first=draw + 1))
        keys.add(question.key)
        yield question


def _tasks(text: str) -> tuple[str, ...]:
    values = TASKS if text == ALL else tuple(dict.fromkeys(text.split(",")))
    if not {*values} <= {*TASKS}:
        raise ValueError(f"give some of {', '.join(TASKS)}")
    return values


def _domains(text: str) -> tuple[str, ...]:
    """Return the names of domains and the paths of folders, each once."""
    return tuple(MAKERS) if text == ALL else tuple(dict.fromkeys(text.split(",")))


@dataclass(frozen=True, slots=True)
class QuestionOptions:
    """The options by which users choose the questions that are made."""

    task: Annotated[
        tuple[str, ...], Option(f"Some of {', '.join(TASKS)}; they take turns.", metavar="LIST", shown=ALL, read=_tasks)
    ] = TASKS
    domain: Annotated[
        tuple[str, ...],
        Option(
            f"Some of {', '.join(MAKERS)}, or folders of PDDL files; they take turns.",
            metavar="LIST",
            shown=ALL,
            read=_domains,
        ),
    ] = tuple(MAKERS)
    twin_of: Annotated[
        Literal["dev", "test", "all"] | None,
        Option("For each published question of dev, test or all, another one like it."),
    ] = None


class AcpGenerator(TaskGenerator):
    """Makes questions of tasks and domains that take turns."""

    options = QuestionOptions

    def make(self, request: GenerateRequest) -> Made:
        """Make questions."""
        options: QuestionOptions = request.options
        tasks, domains = options.task, options.domain
        if options.twin_of is not None:
            return twins_of_split(options.twin_of, tasks, domains, request)
        for domain in domains:
            open_source(domain)  # a wrong folder fails here, before any process starts
        orders = [
            QuestionOrder(
                request.seed, tasks[number % len(tasks)], domains[number // len(tasks) % len(domains)], number
            )
            for number in range(request.count or _COUNT)
        ]
        return Made(len(orders), (question.as_row() for question in drawn_in_order(orders, request.jobs)))


# -- private twins ----------------------------------------------------------------------------------------------------

NOTES = (
    "Twins of alfred have smaller rooms than their originals: at most 32 things and 14 receptacles.",
    f"Twins of nexta are at most {FARTHEST} actions from the goal, and fewer if no more is proven.",
)
"""The differences between twins and originals."""


def twins_of_split(split: str, tasks: Sequence[str], domains: Sequence[str], request: GenerateRequest) -> Made:
    """Make twins of the questions of a published split."""
    if foreign := [domain for domain in domains if domain not in MAKERS]:
        raise UsageError(AcpFault.FOREIGN_DOMAIN, split=split, domain=foreign[0])
    questions = [
        question
        for question in published().values()
        if split in (ALL, question.split) and question.task in tasks and question.domain in domains
    ][: request.count]
    if not questions:
        raise UsageError(AcpFault.NONE_PUBLISHED, split=split)
    return Made(len(questions), (twin.as_row() for twin in make_twins(questions, request.seed, request.jobs)))


def make_twins(originals: Sequence[Question], seed: int, jobs: int) -> Iterator[Question]:
    """Return a twin of each question, in their order. Raise UsageError for a question that is not published."""
    for one in originals:
        if published().get(one.key) != one:
            raise UsageError(AcpFault.NOT_PUBLISHED, key=one.key)
    return _twins(originals, seed, jobs)


def _twins(originals: Sequence[Question], seed: int, jobs: int) -> Iterator[Question]:
    # The number comes from the original, so its twin is the same whichever other questions are chosen.
    orders = [QuestionOrder(seed, one.task, one.domain, one.id, wanted=like(one)) for one in originals]
    for original, twin in zip(originals, drawn_in_order(orders, jobs), strict=True):
        yield replace(twin, split=original.split, twin_of=original.key, proof=None).with_proof(_sound(twin))


def like(original: Question) -> QuestionQuery:
    """Return the features that a twin should have."""
    task = read_situation(original).task
    counts = Counter(kind for name, kind in task.problem.objects.items() if name not in task.domain.constants)
    return QuestionQuery(dict(counts), _length(original), is_none=_is_none(original))


def _length(original: Question) -> int | None:
    """Return the length of the plan, or the distance to the goal, where the question has one."""
    if original.task in ("val", "just"):
        return len(plan_in(original.question))
    return min(int(original.answer["opt"]), FARTHEST) if original.task == "nexta" else None


def _is_none(original: Question) -> bool | None:
    """Return whether the right answer is None, for land. For reach and areach, None is as rare as in new questions."""
    proof = stored_proof(original) if original.task == "land" else None
    return None if proof is None else not proof.sound


def _sound(question: Question) -> Mapping[str, Any]:
    """Return the proven answer that a generated question carries."""
    assert question.proof is not None, "every generated question has its proof"
    sound: Mapping[str, Any] = question.proof["sound"]
    return sound
