"""Proofs of small generated questions agree with trying everything, in code that shares nothing with the engine."""

import re
from collections.abc import Callable, Mapping
from itertools import combinations

import pytest

from herobench.suites.acp.making.words import WITH_GOAL
from herobench.suites.acp.questions.questions import TASKS, Question, offered_in, plan_in
from herobench.suites.acp.questions.reference import sound_proof
from tests.pddl.naive import Naive
from tests.sizes import many
from tests.suites.acp.making.small import COUNTS, small

MOST_ACTIONS, MOST = 100_000, 4000
"""The most actions and states of a question that is tried out."""


def app(question: Question, naive: Naive) -> None:
    able = {name for name, _ in naive.after[naive.initial]}
    assert able == set(question.answer) == set(question.proof["sound"])


def prog(question: Question, naive: Naive) -> None:
    after = dict(naive.after[naive.initial])[question.proof["sound"]["action"]]
    assert set(question.answer["pos"]) == set(question.proof["sound"]["pos"]) == after - naive.initial
    assert set(question.answer["neg"]) == set(question.proof["sound"]["neg"]) == naive.initial - after


def reach(question: Question, naive: Naive) -> None:
    atoms = set(naive.atoms)
    reachable = atoms & set().union(*naive.after)
    proof = sound_proof(question)
    assert proof.reachable == reachable
    assert proof.unreachable == len(atoms - reachable)
    offered = set(offered_in(question.question))
    assert {f"({item})" for item in question.answer} == offered - reachable
    assert offered <= atoms


def areach(question: Question, naive: Naive) -> None:
    reachable = {name for able in naive.after.values() for name, _ in able}
    proof = sound_proof(question)
    assert proof.reachable == reachable
    assert proof.unreachable == len(naive.actions) - len(reachable)
    offered = set(offered_in(question.question))
    assert set(question.answer) == offered - reachable
    assert offered <= set(naive.actions)


def val(question: Question, naive: Naive) -> None:
    assert naive.first_refused(plan_in(question.question)) == question.answer


def just(question: Question, naive: Naive) -> None:
    plan, sound = list(plan_in(question.question)), question.proof["sound"]
    assert naive.is_plan(plan)
    single = [place for place in range(len(plan)) if naive.is_plan(plan[:place] + plan[place + 1 :])]
    pair = [place for place in range(len(plan) - 1) if naive.is_plan(plan[:place] + plan[place + 2 :])]
    assert (sound["single"], sound["pair"]) == (single, pair)
    named = [[plan[place], str(plan[: place + 1].count(plan[place]))] for place in single]
    assert question.answer == [*named, *([plan[place], plan[place + 1], "-1"] for place in pair)]
    assert question.answer
    if len(plan) <= 11 and sound["shortest"] is not None:
        parts = (list(part) for size in range(1, len(plan)) for part in combinations(plan, size))
        assert sound["shortest"] == next(len(part) for part in parts if naive.is_plan(part))


def land(question: Question, naive: Naive) -> None:
    asked = set().union(*naive.after) & set(naive.atoms) - naive.initial - naive.goal
    needed = naive.landmarks()
    assert set(question.proof["sound"]) == set(question.answer["yes"]) == needed
    assert not needed & set(question.answer["no"])
    assert asked <= needed | set(question.answer["no"])


def nexta(question: Question, naive: Naive) -> None:
    able = {name for name, _ in naive.after[naive.initial]}
    sound, shortest, first = question.proof["sound"], naive.distance(naive.initial), naive.next_actions()
    assert sound["opt"] == int(question.answer["opt"]) == shortest
    assert set(sound["yes"]) == set(question.answer["yes"]) == first
    assert set(sound["no"]) == set(question.answer["no"]) == able - first
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
            naive = Naive.of(question.pddl_domain, question.pddl_problem)
            if naive.is_small(MOST_ACTIONS, MOST):
                TRIED[task](question, naive)
                tried += 1
    assert tried >= 13 * many(25, 5) * 0.8


@pytest.mark.slow
@pytest.mark.parametrize("domain", COUNTS)
def test_the_context_names_all_objects_and_what_is_asked_about(domain: str) -> None:
    for task in TASKS:
        for question in small(domain, task, 2):
            naive = Naive.of(question.pddl_domain, question.pddl_problem)
            words = set(re.findall(r"[\w-]+", question.context.lower()))
            assert naive.objects.keys() <= words
            assert ("The goal is reached" in question.context) == (task in WITH_GOAL)
            actions = {schema["name"] for schema in naive.domain[":action"]}
            named = naive.changed if task in ("prog", "reach", "land") else actions
            assert set(re.findall(r"\(([\w-]+)[^()]*\) - ", question.context)) == named
