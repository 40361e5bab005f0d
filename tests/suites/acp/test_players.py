"""The players: the oracle is always right, the others only by chance or by the form."""

import asyncio
from collections import Counter

import pytest

from herobench.conversation import Reply, Request
from herobench.suite.refusals import SuiteFault
from herobench.suites.acp.answers.grading import Grades, grade_response
from herobench.suites.acp.answers.players import PLAYERS, UNKNOWN, AcpPlayer
from herobench.suites.acp.questions.questions import TASKS, Question, published
from tests.refusals import raises
from tests.sizes import THOROUGH, for_each
from tests.suites.acp.asked import lamps


def reply(name: str, question: Question, epoch: int = 0) -> Reply:
    player = AcpPlayer(name, {question.key: question})
    return asyncio.run(player.reply(Request(question.key, epoch, [])))


def grades(name: str, question: Question) -> Grades:
    return grade_response(question, reply(name, question).text)


def some() -> list[Question]:
    """Every question, or some of each task and domain."""
    return list(published().values())[:: 1 if THOROUGH else 23]


def test_the_oracle_is_always_right() -> None:
    wrong = [question.key for question in some() if grades("oracle", question).sound != 1]
    assert wrong == []


@pytest.mark.slow
def test_the_form_alone_is_right_where_none_is_and_at_a_few_indexes() -> None:
    right: Counter[str] = Counter()
    for question in published().values():
        found = grades("format-only", question)
        assert found.parsed is not None, "the form is right"
        right[question.task] += found.sound == 1
    assert right == {"app": 0, "prog": 0, "reach": 67, "areach": 15, "val": 11, "just": 0, "land": 29, "nexta": 0}


def test_guesses_are_well_formed_and_the_same_for_the_same_epoch() -> None:
    for question in some():
        found = grades("random", question)
        assert found.fault not in ("format", "invented_action", "invented_atom", "undecided"), question.key
    question = next(iter(published().values()))
    answers = [reply("random", question, epoch).text for epoch in (0, 0, 1)]
    assert answers[0] == answers[1] != answers[2]


@for_each("task", TASKS)
def test_the_oracle_answers_other_questions_too_where_it_can_prove_its_answer(task: str) -> None:
    question = lamps(task, question='Which: "(go r1 r2) (light r1 l1)"?') if task == "val" else lamps(task)
    text = reply("oracle", question).text
    assert text == UNKNOWN if task == "prog" else grade_response(question, text).sound == 1


def test_a_player_that_does_not_exist_is_refused() -> None:
    with raises(SuiteFault.NO_PLAYER, ", ".join(PLAYERS)):
        AcpPlayer("greedy", {})
