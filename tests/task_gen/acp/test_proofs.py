"""Proofs of small generated questions agree with trying everything, in code that shares nothing with the engine."""

import re
from collections.abc import Callable, Mapping
from itertools import combinations

import pytest

from herobench.suites.acp.questions.questions import TASKS, Question, plan_in
from herobench.suites.acp.questions.truth import truth_of
from herobench.task_gen.acp.words import WITH_GOAL
from tests.sizes import many
from tests.task_gen.acp.naive import Naive
from tests.task_gen.acp.small import COUNTS, small

MOST = 4000
"""The most states of a question that is tried out."""


def app(question: Question, naive: Naive) -> None:
    able = {deed.name for deed in naive.able(naive.start)}
    assert able == set(question.answer) == set(question.proof["sound"])


def prog(question: Question, naive: Naive) -> None:
    deed = naive.deeds[question.proof["sound"]["action"]]
    after = deed.do(naive.start)
    assert deed.can(naive.start)
    assert set(question.answer["pos"]) == set(question.proof["sound"]["pos"]) == after - naive.start
    assert set(question.answer["neg"]) == set(question.proof["sound"]["neg"]) == naive.start - after


def reach(question: Question, naive: Naive) -> None:
    reachable = set().union(*naive.states(MOST)) & naive.atoms()
    proof = truth_of(question)
    assert proof.reachable == reachable
    assert proof.unreachable == len(naive.atoms() - reachable)
    assert {f"({item})" for item in question.answer} <= naive.atoms() - reachable
    assert bool(question.answer) == bool(naive.atoms() - reachable)


def areach(question: Question, naive: Naive) -> None:
    reachable = {deed.name for state in naive.states(MOST) for deed in naive.able(state)}
    proof = truth_of(question)
    assert proof.reachable == reachable
    assert proof.unreachable == naive.well_typed() - len(reachable)
    assert not set(question.answer) & reachable
    assert bool(question.answer) == (proof.unreachable > 0)


def val(question: Question, naive: Naive) -> None:
    state = naive.start
    for action in plan_in(question.question)[: question.answer]:
        assert naive.deeds[action].can(state)
        state = naive.deeds[action].do(state)
    wrong = plan_in(question.question)[question.answer]
    assert wrong not in naive.deeds or not naive.deeds[wrong].can(state)


def just(question: Question, naive: Naive) -> None:
    plan, sound = list(plan_in(question.question)), question.proof["sound"]
    assert naive.follow(plan) is None
    single = [place for place in range(len(plan)) if naive.follow(plan[:place] + plan[place + 1 :]) is None]
    pair = [place for place in range(len(plan) - 1) if naive.follow(plan[:place] + plan[place + 2 :]) is None]
    assert (sound["single"], sound["pair"]) == (single, pair)
    named = [[plan[place], str(plan[: place + 1].count(plan[place]))] for place in single]
    assert question.answer == [*named, *([plan[place], plan[place + 1], "-1"] for place in pair)]
    assert question.answer
    if len(plan) <= 11 and sound["shortest"] is not None:
        parts = (list(part) for size in range(1, len(plan)) for part in combinations(plan, size))
        assert sound["shortest"] == next(len(part) for part in parts if naive.follow(part) is None)


def land(question: Question, naive: Naive) -> None:
    asked = set().union(*naive.states(MOST)) & naive.atoms() - naive.start - naive.goal
    needed = {atom for atom in asked if not any(naive.goal <= state for state in naive.states(MOST, without=atom))}
    assert set(question.proof["sound"]) == set(question.answer["yes"]) == needed
    assert not needed & set(question.answer["no"])
    assert asked <= needed | set(question.answer["no"])


def nexta(question: Question, naive: Naive) -> None:
    far = {deed.name: naive.distance(deed.do(naive.start)) for deed in naive.able(naive.start)}
    sound, shortest = question.proof["sound"], naive.distance(naive.start)
    assert sound["opt"] == int(question.answer["opt"]) == shortest
    assert set(sound["yes"]) == set(question.answer["yes"]) == {name for name in far if far[name] == shortest - 1}
    assert set(sound["no"]) == set(question.answer["no"]) == {name for name in far if far[name] != shortest - 1}
    assert sound["yes"]
    assert question.answer["maybe"] == []


TRIED: Mapping[str, Callable[[Question, Naive], None]] = {
    "app": app, "prog": prog, "reach": reach, "areach": areach,
    "val": val, "just": just, "land": land, "nexta": nexta,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_proofs_agree_with_trying_everything(task: str) -> None:
    tried = 0
    for domain in COUNTS:
        for question in small(domain, task, many(25, 5)):
            naive = Naive(question.pddl_domain, question.pddl_problem)
            if naive.states(MOST) is not None:
                TRIED[task](question, naive)
                tried += 1
    assert tried >= 13 * many(25, 5) * 0.8


@pytest.mark.slow
@pytest.mark.parametrize("domain", COUNTS)
def test_the_context_names_all_objects_and_what_is_asked_about(domain: str) -> None:
    for task in TASKS:
        for question in small(domain, task, 2):
            naive = Naive(question.pddl_domain, question.pddl_problem)
            words = set(re.findall(r"[\w-]+", question.context.lower()))
            assert set(naive.of_type["object"]) <= words
            assert ("The goal is reached" in question.context) == (task in WITH_GOAL)
            named = naive.fluents if task in ("prog", "reach", "land") else {schema[1] for schema in naive.schemas}
            assert set(re.findall(r"\(([\w-]+)[^()]*\) - ", question.context)) == named
