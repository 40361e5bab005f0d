"""`herobench validate --suite acp`: what holds is counted, and what was forged with a digest of its own is named."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.acp.making.generator import QuestionOrder, draw_question
from herobench.suites.acp.making.proof import find_faults
from herobench.suites.acp.questions.questions import TASKS, Question
from tests.program import herobench, write_jsonl


def in_pddl(task: str) -> Question:
    return draw_question(QuestionOrder(5, task, "ferry", 0)).question


def forged(question: Question, sound: Any, answer: Any = None) -> Question:
    """The question with another proof, and the digest that goes with it."""
    return replace(question, proof=None, answer=question.answer if answer is None else answer).with_proof(sound)


def checked(folder: Path, *questions: Question) -> tuple[int, Mapping[str, Any]]:
    file = write_jsonl(folder / "questions.jsonl", [question.as_row() for question in questions])
    done = herobench("validate", "--suite", "acp", file, "--json")
    return done.returncode, json.loads(done.stdout)


def test_what_was_made_holds_and_what_was_forged_is_named(tmp_path: Path) -> None:
    val = in_pddl("val")
    assert checked(tmp_path, in_pddl("app"), val) == (0, {"tasks": 2, "unread": 0, "faults": {}})
    wrong = [
        (forged(in_pddl("app"), ["(zork)"]), "its proof is wrong"),
        (forged(val, val.answer, val.answer + 1), "its label is wrong"),
        (replace(in_pddl("prog"), proof=None), "it carries no proof"),
    ]
    code, found = checked(tmp_path, *(question for question, _ in wrong))
    assert code == 2
    assert found["faults"] == {question.key: [fault] for question, fault in wrong}


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_a_forged_answer_to_any_task_is_found(task: str) -> None:
    question = in_pddl(task)
    assert find_faults(question) == []
    sound = question.proof["sound"] if question.proof else None
    assert find_faults(forged(question, other_proof(sound))) == ["its proof is wrong"]


def other_proof(sound: Any) -> Any:
    match sound:
        case {"single": single}:
            return {**sound, "single": [*single, 99]}
        case {}:
            name = next(name for name in ("never", "pos", "yes") if name in sound)
            return {**sound, name: sound[name][1:] or ["(zork)"]}
    return sound[1:] or ["(zork)"] if isinstance(sound, list) else sound + 1
