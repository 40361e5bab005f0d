"""States that differ only in who of interchangeable objects is who are as far from the goal."""

from random import Random

from herobench.pddl.grounded import Grounded, ground
from herobench.pddl.limits import SearchLimits
from herobench.pddl.parser import read_task
from herobench.pddl.pruning import Symmetry
from herobench.pddl.search import a_star
from herobench.suites.acp.questions.questions import published


def ferry(chance: Random, cars: str) -> Grounded:
    domain = next(question.pddl_domain for question in published().values() if question.domain == "ferry")
    initial = " ".join(f"(at {car} {chance.choice(['x', 'y'])})" for car in cars)
    goal = " ".join(f"(at {car} {'x' if car < 'c' else 'y'})" for car in cars)
    return ground(
        read_task(
            domain,
            f"(define (problem p) (:domain ferry) (:objects {' '.join(cars)} - car x y - location)"
            f"(:init {initial} (at-ferry x) (empty-ferry) (not-eq x y) (not-eq y x)) (:goal (and {goal})))",
        )
    )


def test_a_search_over_states_that_stand_for_others_finds_the_same_lengths() -> None:
    for seed in range(8):
        grounded = ferry(Random(seed), "abcdef")
        alike = Symmetry(grounded)
        plan = grounded.a_star(grounded.initial).plan
        same = a_star(
            grounded.actions, alike(grounded.initial), grounded.goal, None, SearchLimits(), grounded.lm_cut, alike
        ).plan
        assert plan is not None and same is not None  # noqa: PT018
        assert len(plan) == len(same)


def test_only_cars_for_one_place_are_interchangeable() -> None:
    grounded = ferry(Random(1), "abcdef")
    alike = Symmetry(grounded)
    states = grounded.enumerate_states(10**6)[0]
    kept = {alike(state) for state in states}
    assert len(kept) < len(states) / 4
    assert kept <= set(states)
    assert all(alike(state) == state for state in kept)
    goal = next(state for state in states if grounded.is_goal(state))
    assert grounded.is_goal(alike(goal))
