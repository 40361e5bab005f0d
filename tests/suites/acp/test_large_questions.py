"""After a large question, and beside one, small ones are answered, and nothing of the large one stays."""

import gc
import tracemalloc
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from herobench.pddl import Grounded
from herobench.suites.acp.questions.questions import Question, published
from herobench.suites.acp.questions.reference import sound_proof
from herobench.suites.acp.questions.situation import read_situation
from herobench.suites.acp.questions.sound import find_fault
from tests.program import write_jsonl
from tests.refusals import misread
from tests.surfaces.environment import make_environment
from tests.surfaces.test_serve import served

DOMAIN = """(define (domain big) (:requirements :strips :typing) (:types thing)
  (:predicates (on ?x - thing) (held ?x - thing))
  (:action take :parameters (?a ?b - thing) :precondition (and (on ?a) (on ?b)) :effect (held ?a)))"""
PROBLEM = "(define (problem p{}) (:domain big) (:objects {} - thing) (:init {}) (:goal (held t1)))"


def question(task: str, things: int, number: int = 0) -> Question:
    """A question without a proof whose problem has so many things: pairs of them are its actions."""
    names = [f"t{thing}" for thing in range(things)]
    problem = PROBLEM.format(number, " ".join(names), " ".join(f"(on {name})" for name in names))
    some = next(question for question in published().values() if question.task == task)
    return replace(some, split="generated", id=number, answer=[], pddl_domain=DOMAIN, pddl_problem=problem)


@pytest.mark.slow
def test_a_question_that_is_too_large_is_refused_each_time_and_leaves_no_memory_behind() -> None:
    chain = " ".join(f"c{number + 1} - c{number}" for number in range(1000))
    large = [question("app", 150, number) for number in range(3)]
    large = [replace(one, pddl_domain=DOMAIN.replace("thing)", f"thing {chain} c0)", 1)) for one in large]
    small = question("reach", 3)
    assert find_fault(small, (("(held t1)",),)) == "missed_none"
    tracemalloc.start()
    for one in [*large, *large]:
        with misread("", "20,000", "the action take"):
            find_fault(one, (("(take t0 t1)",),))
    gc.collect()
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert left < 3_000_000
    assert find_fault(small, (("(held t1)",),)) == "missed_none"


def test_what_large_questions_take_is_kept_of_the_last_ones_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_situation(question("app", 100)).grounded.size > 5_000_000
    monkeypatch.setattr(Grounded, "size", 150_000_000)
    asked = [question("app", 3, number) for number in range(3)]
    first, second, third = map(read_situation, asked)
    assert [read_situation(one) for one in asked] == [first, second, third]
    for situation in (first, second, third):
        assert len(situation.grounded.actions) == 9
    assert read_situation(asked[2]) is third
    assert read_situation(asked[0]) is not first


def test_a_search_in_one_question_keeps_none_of_the_others_waiting() -> None:
    found = []
    beside = Thread(target=lambda: found.append(sound_proof(question("reach", 4, 7))), daemon=True)
    with read_situation(question("reach", 5, 8)).alone:
        beside.start()
        beside.join(30)
    assert len(found) == 1


@pytest.mark.packaging
def test_a_question_that_is_too_large_to_score_is_refused_with_a_sentence(tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "serve", herobench="serve")
    file = write_jsonl(tmp_path / "large.jsonl", [question("app", 150).as_row()])
    with served(environment, "--suite", "acp", "--tasks", str(file)) as server:
        task_id = server.ask("/tasks")[1]["tasks"][0]["id"]
        status, document = server.ask("/score", {"task_id": task_id, "answer": "[(take t0 t1)]"})
        assert (status, "groundings of the action take" in document["detail"]) == (422, True), document
