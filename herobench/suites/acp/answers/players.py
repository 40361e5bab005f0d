"""Players without a model. `oracle` gives the proven answers, the others show what needs no understanding.

`random` draws well-formed answers from the names of the question's PDDL, the same for the same question and epoch.
`format-only` gives the same answer to all questions of a task: its score is what None and the form alone are worth.
`shortcut:NAME` goes by a rule of thumb where it says something of the task, and answers as `format-only` elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from random import Random

from herobench.conversation import Reply, Request
from herobench.data.errors import UsageError
from herobench.pddl.task import PddlTask
from herobench.suite.players import SuitePlayer, parse_player
from herobench.suites.acp.answers.shortcuts import RULES, as_list, thumb_answer
from herobench.suites.acp.questions.lenient import NONE
from herobench.suites.acp.questions.questions import Proof, Question, offered_in, plan_in
from herobench.suites.acp.questions.reference import sound_proof
from herobench.suites.acp.questions.situation import read_situation
from herobench.suites.acp.questions.sound import applicable_in
from herobench.suites.acp.refusals import AcpFault

UNKNOWN = "The right answer is not proven."


class AcpPlayer(SuitePlayer):
    """Answers questions."""

    def __init__(self, name: str, questions: Mapping[str, Question]) -> None:
        self._player, rule = parse_player("acp", name, PLAYERS, (SHORTCUT,))
        super().__init__(name)
        self._rule = rule or RULES[0]
        if self._rule not in RULES:
            raise UsageError(AcpFault.NO_SHORTCUT, rule=rule, rules=", ".join(RULES))
        self._questions = questions

    async def _answer(self, request: Request) -> Reply:
        question = self._questions[request.task_id]
        return Reply(await asyncio.to_thread(self.answer, question, request.epoch), stop="stop")

    def answer(self, question: Question, epoch: int = 0) -> str:
        """Return the answer to a question, the same for the same epoch."""
        if self._player != SHORTCUT:
            return _PLAYERS[self._player](question, epoch)
        return thumb_answer(self._rule, question) or _FORMS[question.task]


# -- the oracle -------------------------------------------------------------------------------------------------------


def _oracle(question: Question, epoch: int) -> str:
    situation = read_situation(question)
    match question.task:
        case "app":
            return as_list(sorted(applicable_in(question)))
        case "val":
            return str(situation.first_fault(plan_in(question.question)))
        case "just":
            return _shorten(question)
    proof = sound_proof(question)
    return UNKNOWN if proof is None else _unreachable_item(question, proof)


def _unreachable_item(question: Question, proof: Proof) -> str:
    match question.task:
        case "prog":
            return f"{as_list(proof.sound['pos'])} {as_list(proof.sound['neg'])}"
        case "land":
            return next(iter(proof.sound), UNKNOWN if proof.unknown else NONE)
        case "nexta":
            return next(iter(proof.sound["yes"]), UNKNOWN)
    task = read_situation(question).task
    every = task.atoms(sorted(task.fluents)) if question.task == "reach" else task.ground_actions()
    items = offered_in(question.question) or every
    possible = proof.reachable | proof.unknown
    return next((str(item) for item in items if str(item) not in possible), UNKNOWN if proof.unknown else NONE)


def _shorten(question: Question) -> str:
    """Return the plan without the first action, or else the first pair, that can be left out."""
    plan, situation = plan_in(question.question), read_situation(question)
    for width in (1, 2):
        for start in range(len(plan) - width + 1):
            shorter = plan[:start] + plan[start + width :]
            if shorter and situation.is_plan(shorter):
                return as_list(shorter)
    return UNKNOWN


# -- guessing ---------------------------------------------------------------------------------------------------------


def _random(question: Question, epoch: int) -> str:
    chance = Random(f"{question.key} {epoch}")  # noqa: S311 - the same guess for the same question
    task, plan = read_situation(question).task, plan_in(question.question)
    match question.task:
        case "app":
            return as_list(_action(task, chance) for _ in range(chance.randint(1, 10)))
        case "prog":
            positive, negative = ([_atom(task, chance) for _ in range(chance.randint(1, 2))] for _ in range(2))
            return f"{as_list(positive)} {as_list(negative)}"
        case "val":
            return str(chance.randrange(len(plan)))
        case "just":
            start = chance.randrange(len(plan))
            return as_list(plan[:start] + plan[start + chance.randint(1, 2) :])
        case "nexta":
            return _action(task, chance)
        case "reach" | "areach" if offered := offered_in(question.question):
            return chance.choice([NONE, *offered])
        case "areach":
            return chance.choice([NONE, _action(task, chance)])
        case _:
            return chance.choice([NONE, _atom(task, chance)])


def _action(task: PddlTask, chance: Random) -> str:
    """Return an action with objects of the right types, where there are such."""
    schema = chance.choice(sorted(task.domain.actions.values(), key=lambda schema: schema.name))
    return _fill(task, chance, schema.name, [parameter.type for parameter in schema.parameters])


def _atom(task: PddlTask, chance: Random) -> str:
    predicate = task.domain.predicates[chance.choice(sorted(task.fluents))]
    return _fill(task, chance, predicate.name, [parameter.type for parameter in predicate.parameters])


def _fill(task: PddlTask, chance: Random, name: str, types: list[str]) -> str:
    everything = sorted(task.problem.objects)
    return f"({' '.join([name, *(chance.choice(task.objects[kind] or everything) for kind in types)])})"


# -- the form alone ---------------------------------------------------------------------------------------------------

_FORMS: Mapping[str, str] = {
    "app": "[]",
    "prog": "[] []",
    "reach": NONE,
    "areach": NONE,
    "val": "0",
    "just": "[(a)]",
    "land": NONE,
    "nexta": "(a)",
}


_PLAYERS: Mapping[str, Callable[[Question, int], str]] = {
    "oracle": _oracle,
    "random": _random,
    "format-only": lambda question, epoch: _FORMS[question.task],
}
SHORTCUT = "shortcut"
PLAYERS = (*_PLAYERS, SHORTCUT)
