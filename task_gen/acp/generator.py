"""The generator of the suite behind the contract: reads its options, makes questions in order, and drops repeats.

Question number n depends only on the seed, its task, its domain and n. So it does not matter which process makes it,
and the first questions are the same whatever the count. A draw whose answer is not proven is thrown away, and the next
one is made from its own seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from herobench.data.errors import UsageError
from herobench.suite.generating import GenerateRequest, GeneratorOption, Made, TaskGenerator
from herobench.suites.acp.hero.columns import HERO
from herobench.suites.acp.questions.questions import TASKS, Question
from herobench.task_gen.acp.asked import ANY, QuestionQuery
from herobench.task_gen.acp.makers import MAKERS
from herobench.task_gen.acp.source import source_of
from herobench.work.engine import Each, Local

ALL = "all"
_COUNT = 20
"""How many questions are made when no number is given. There are as many twins as originals."""
_DRAWS = 400
"""The most draws for one question."""
_WORTH_A_WORKER = 20
"""The number of questions that pays for the start of a process."""


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
    """Make the question of an order. Raise UsageError if all draws are in vain."""
    source = source_of(order.domain)
    for draw in range(order.first, _DRAWS):
        chance = Random(f"{order.seed}/{source.name}/{order.task}/{order.number}/{draw}")  # noqa: S311 - a seed
        question = source.ask(order.task, chance, order.wanted.for_draw(draw))
        if question is not None:
            return Drawn(question, draw)
    raise UsageError(
        f"No {'more ' if order.first else ''}question of the task {order.task} can be proven on {order.domain} within "
        f"{_DRAWS} draws: ask for fewer questions, other tasks, or give more or smaller problems."
    )


def drawn_in_order(orders: Sequence[QuestionOrder], jobs: int) -> Iterator[Question]:
    """Yield the questions of orders. A question that was there before is drawn anew, here, and so by all jobs alike."""
    drawn = Local(jobs).results(Each(draw_question, _WORTH_A_WORKER), orders)
    seen: set[str] = set()
    for order, (question, draw) in zip(orders, drawn, strict=True):
        while question.key in seen:
            question, draw = draw_question(replace(order, first=draw + 1))
        seen.add(question.key)
        yield question


def _tasks(text: str) -> tuple[str, ...]:
    return TASKS if text == ALL else _some(text, TASKS)


def _domains(text: str) -> tuple[str, ...]:
    """Return the names of domains and the paths of folders, each once."""
    return tuple(MAKERS) if text == ALL else tuple(dict.fromkeys(text.split(",")))


def _some(text: str, known: Sequence[str]) -> tuple[str, ...]:
    given = tuple(dict.fromkeys(text.split(",")))
    for name in given:
        if name not in known:
            raise ValueError(f"give some of {', '.join(known)}")
    return given


class AcpGenerator(TaskGenerator):
    """Makes questions of tasks and domains that take turns."""

    options = (
        GeneratorOption("task", f"Some of {', '.join(TASKS)}; they take turns.", ALL, "LIST", _tasks),
        GeneratorOption(
            "domain",
            f"Some of {', '.join(MAKERS)}, or folders of PDDL files; they take turns. Or hero.",
            ALL,
            "LIST",
            _domains,
        ),
        GeneratorOption(
            "twin-of",
            "For each published question of dev, test or all, or each shipped one of hero, another one like it.",
            metavar="SPLIT",
        ),
        GeneratorOption(
            "about",
            "The set or file of RPG tasks that questions of the domain hero are about; base when left out.",
            metavar="SET|FILE",
        ),
    )

    def make(self, request: GenerateRequest) -> Made:
        """Make questions."""
        tasks, domains = request.values["task"], request.values["domain"]
        if request.values["about"] is not None and (HERO not in domains or request.values["twin-of"] is not None):
            raise UsageError("Only new questions of the domain hero are about given RPG tasks: leave out --about.")
        if request.values["twin-of"] is not None:
            from herobench.task_gen.acp.twins import twins_of_split  # it builds on this module

            return twins_of_split(request.values["twin-of"], tasks, domains, request)
        if HERO in domains:
            return _about_hero(request)
        for domain in domains:
            source_of(domain)  # a wrong folder fails here, before any process starts
        orders = [
            QuestionOrder(
                request.seed, tasks[number % len(tasks)], domains[number // len(tasks) % len(domains)], number
            )
            for number in range(request.count or _COUNT)
        ]
        return Made(len(orders), (question.as_row() for question in drawn_in_order(orders, request.jobs)))


def _about_hero(request: GenerateRequest) -> Made:
    from herobench.task_gen.acp.hero.generated import rows_about  # it reads worlds

    if request.values["domain"] != (HERO,):
        raise UsageError("Questions of the domain hero are made apart from those of others: give --domain hero alone.")
    count = request.count or _COUNT
    rows = rows_about(request.values["about"] or "base", request.values["task"], request.seed, count, request.jobs)
    return Made(count, rows)
