"""The sound grading of thousands of random answers agrees with brute force that shares no code with it.

Instances are small enough for `naive` to visit all of their states: published questions, and random problems of our
own. Of the task prog only published questions are asked, because no others are proven.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from herobench.suites.acp import grade
from herobench.suites.acp.questions.questions import TASKS, Question, plan_in, published
from tests.pddl.naive import Naive
from tests.pddl.small import random_task

MOST = 300
"""The most actions and states of an instance."""
INSTANCES = 25
"""How many published and how many random instances each task has at most."""
STRANGE = ["(zork)", "(zork a b)", "(a)"]
NO_LABEL: dict[str, Any] = {
    "prog": {"pos": [], "neg": []},
    "val": 0,
    "land": {"yes": [], "no": []},
    "nexta": {"yes": [], "no": [], "maybe": [], "opt": "0"},
}


class Instance(NamedTuple):
    """A question, items that an answer may hold, and whether an answer is right."""

    question: Question
    items: list[str]
    right: Callable[[tuple[str, ...]], bool]


Judged = Callable[[Question, Naive], Instance | None]


def any_right(question: Question, items: Collection[str], right: Collection[str], or_none: bool = True) -> Instance:
    """Any one of the right items is an answer; None where there is none."""
    accepted = set(right) or ({"none"} if or_none else set())
    # the right ones are often few, and have to be drawn often
    choice = [*items, *STRANGE, *sorted(right)[:5] * 3, *(["None"] * 3 if or_none else [])]
    return Instance(question, choice, lambda given: given[0] in accepted)


def app(question: Question, naive: Naive) -> Instance:
    here = {name for name, _ in naive.after[naive.initial]}
    return Instance(question, [*sorted(here) * 4, *naive.actions, *STRANGE], lambda given: set(given) == here)


def prog(question: Question, naive: Naive) -> Instance | None:
    """The action is told in words: it is the one that can be carried out and has these objects."""
    words = re.search(r'action "(.*?)"', question.question)
    told = {word for word in words[1].lower().split() if word in naive.objects} if words else set[str]()
    fitting = {after for name, after in naive.after[naive.initial] if set(name.strip("()").split()[1:]) == told}
    if len(fitting) != 1:
        return None
    (after,) = fitting
    effects = {f"+{atom}" for atom in after - naive.initial} | {f"-{atom}" for atom in naive.initial - after}
    items = [*sorted(effects) * 6, *(sign + atom for atom in naive.atoms[:30] for sign in "+-"), "+(zork)"]
    return Instance(question, items, lambda given: set(given) == effects)


def reach(question: Question, naive: Naive) -> Instance:
    static = sorted(naive.initial - set(naive.atoms))[:3]
    return any_right(question, [*naive.atoms, *static], set(naive.atoms).difference(*naive.after))


def areach(question: Question, naive: Naive) -> Instance:
    seen = {name for following in naive.after.values() for name, _ in following}
    return any_right(question, naive.actions, naive.actions.keys() - seen)


def land(question: Question, naive: Naive) -> Instance | None:
    if naive.distance(naive.initial) is None:
        return None
    return any_right(question, [*naive.atoms, *sorted(naive.initial)], naive.landmarks())


def nexta(question: Question, naive: Naive) -> Instance | None:
    here = [name for name, _ in naive.after[naive.initial]] * 2
    return any_right(question, [*naive.actions, *here], naive.next_actions(), False) if naive.next_actions() else None


def val(question: Question, naive: Naive) -> Instance | None:
    first = naive.first_refused(plan := plan_in(question.question.lower()))
    if first is None:
        return None
    return Instance(question, [str(place) for place in range(-1, len(plan) + 2)], lambda given: int(given[0]) == first)


def just(question: Question, naive: Naive) -> Instance:
    """The items are the actions of the plan, in their order."""
    plan = plan_in(question.question.lower())

    def right(given: tuple[str, ...]) -> bool:
        rest = iter(plan)
        is_part = all(any(action == other for other in rest) for action in given)
        return bool(given) and len(given) < len(plan) and is_part and naive.is_plan(given)

    return Instance(question, list(plan), right)


def shortened(plan: list[str]) -> list[list[str]]:
    """A plan without one action, or without several neighbors."""
    return [plan[:start] + plan[end:] for end in range(len(plan) + 1) for start in range(end)]


JUDGED: dict[str, Judged] = {f.__name__: f for f in (app, prog, reach, areach, land, nexta, val, just)}


# -- instances --------------------------------------------------------------------------------------------------------


def published_small(task: str) -> Iterator[tuple[Question, Naive]]:
    """The published questions that are small enough, in turn from different domains."""
    own = [question for question in published().values() if question.task == task]
    Random(task).shuffle(own)
    for question in own:
        naive = Naive.of(question.pddl_domain, question.pddl_problem)
        if naive.is_small(MOST, MOST):
            yield question, naive


def made(task: str) -> Iterator[tuple[Question, Naive]]:
    """Questions about random problems that can be solved, the goal of which does not hold at the start."""
    for seed in range(400):
        problem = random_task(seed)
        naive = Naive.of(problem.domain_text, problem.problem_text)
        if task == "prog" or not naive.is_small(MOST, MOST) or not naive.distance(naive.initial):
            continue
        text = f'Of the plan "{" ".join(draw_plan(Random(seed), naive, task == "val"))}"?'
        label = NO_LABEL.get(task, [])
        yield Question(task, "dev", "made", seed, "", text, label, problem.domain_text, problem.problem_text), naive


def draw_plan(chance: Random, naive: Naive, broken: bool) -> list[str]:
    """A walk with detours that ends in the goal; if it is to be broken, one of its actions is replaced."""
    state, plan = naive.initial, list[str]()
    while not naive.goal <= state:
        following = naive.after[state]
        steps = {name: naive.distance(after) for name, after in following}
        possible = [pair for pair in following if steps[pair[0]] is not None]
        nearest = min(step for step in steps.values() if step is not None)
        detour = chance.random() < 0.3 and len(plan) < 12
        name, state = chance.choice([pair for pair in possible if detour or steps[pair[0]] == nearest])
        plan.append(name)
    if broken:
        plan[chance.randrange(len(plan))] = chance.choice(sorted(naive.actions))
    return plan


@cache
def instances(task: str) -> list[Instance]:
    def some(pairs: Iterator[tuple[Question, Naive]]) -> Iterator[Instance]:
        known = (JUDGED[task](question, naive) for question, naive in pairs)
        found = (instance for instance in known if instance)
        yield from (instance for _, instance in zip(range(INSTANCES), found, strict=False))

    return [*some(published_small(task)), *some(made(task))]


# -- answers ----------------------------------------------------------------------------------------------------------


def answers(task: str, instance: Instance) -> st.SearchStrategy[tuple[str, ...]]:
    """Random answers of the form that is asked for; many are right or nearly so."""
    items = instance.items
    if task in ("app", "prog"):
        likely = list(dict.fromkeys(item for item in items if items.count(item) > 1))
        missing = st.sets(st.sampled_from(likely), max_size=1) if likely else st.just(set[str]())
        more = st.lists(st.sampled_from(items), max_size=2)
        near = st.tuples(missing, st.one_of(st.just([]), more)).map(
            lambda drawn: (*(item for item in likely if item not in drawn[0]), *drawn[1])
        )
        return st.one_of(near, st.lists(st.sampled_from(items), max_size=5).map(tuple))
    if task == "just":
        left_out = st.sets(st.integers(0, len(items) - 1), max_size=3)
        kept = left_out.map(lambda out: [item for place, item in enumerate(items) if place not in out])
        right = [part for part in shortened(items) if instance.right(tuple(part))] or [items]
        swapped = [[*part[:at], *part[at : at + 2][::-1], *part[at + 2 :]] for part in right for at in range(len(part))]
        other = (st.sampled_from(swapped or right), st.lists(st.sampled_from([*items, *STRANGE])))
        return st.one_of(kept, st.sampled_from(right), *other).map(tuple)
    return st.sampled_from(items).map(lambda item: (item,))


def written(chance: Random, task: str, answer: tuple[str, ...]) -> str:
    """An answer as a model may write it: in any case and spacing."""
    if task == "val":
        return f"{chance.choice(['', '0', 'Index '])}{answer[0].removeprefix('-')}"
    if task == "prog":
        lists = [[item[1:] for item in answer if item[0] == sign] for sign in "+-"]
        text = " ".join(f"[{', '.join(items)}]" for items in lists)
    else:
        text = chance.choice([", ", " ", "\n"]).join(answer)
    text = chance.choice([str, str.upper, str.lower, str.title])(text)
    return chance.choice([text, text.replace(" ", "  "), text.replace(")", " )"), text.replace(" ", "\n")])


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_random_answers_are_judged_as_by_brute_force(task: str) -> None:
    known = instances(task)
    assert len(known) >= 15
    seen, seeds = {0: 0, 1: 0}, st.integers(0, 2**32)

    @settings(
        max_examples=2000, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(st.sampled_from(range(len(known))).flatmap(lambda n: st.tuples(st.just(n), answers(task, known[n]), seeds)))
    def judged(drawn: tuple[int, tuple[str, ...], int]) -> None:
        number, answer, seed = drawn
        instance = known[number]
        lowered = tuple(item.lower().removeprefix("-") if task == "val" else item.lower() for item in answer)
        expected = int(instance.right(lowered))
        response = written(Random(seed), task, answer)
        assert grade(instance.question.as_row(), response, how="sound") == expected, (instance.question.key, response)
        seen[expected] += 1

    judged()
    assert sum(seen.values()) >= 2000
    assert min(seen.values()) >= 100, seen
