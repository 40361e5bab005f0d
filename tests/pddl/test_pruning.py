"""Which actions and states a search may leave out: only some actions of a state, and one of several alike states."""

from __future__ import annotations

from random import Random

from herobench.pddl import GroundAction
from herobench.pddl.grounded import Grounded, ground
from herobench.pddl.limits import SearchLimits
from herobench.pddl.parser import read_task
from herobench.pddl.pruning import PersistentSets, Symmetry
from herobench.pddl.search import a_star, enumerate_states
from tests.pddl.small import FERRY


def holds(chosen: list[int], *actions: tuple[int, int, int], goal: int = 0b110, state: int = 0b001) -> bool:
    named = [GroundAction(f"a{number}", (), *masks) for number, masks in enumerate(actions)]
    return PersistentSets(named, goal).at(state, range(len(named))).holds(chosen)


SPEND, KEEP = (0b001, 0b010, 0b001), (0b001, 0b100, 0)
"""Two actions that need the first atom. One of them deletes it."""


def test_an_action_that_has_to_come_and_hinders_nothing_is_enough() -> None:
    assert holds([1], SPEND, KEEP)


def test_an_action_that_deletes_what_another_one_needs_is_not() -> None:
    assert not holds([0], SPEND, KEEP)


def test_an_action_whose_effect_another_one_deletes_is_not() -> None:
    assert not holds([1], (0b001, 0b010, 0b100), KEEP)


def test_an_action_that_need_not_come_is_not() -> None:
    assert not holds([1], SPEND, KEEP, KEEP)
    assert holds([1, 2], SPEND, KEEP, KEEP)


def test_a_set_of_which_others_could_make_another_one_the_first_is_not() -> None:
    later = (0b1000, 0b100, 0)
    assert not holds([1, 2], SPEND, KEEP, later, (0b001, 0b1000, 0))
    assert holds([1, 2], SPEND, KEEP, later)


def ferry(chance: Random, cars: str) -> Grounded:
    initial = " ".join(f"(at {car} {chance.choice(['x', 'y'])})" for car in cars)
    goal = " ".join(f"(at {car} {'x' if car < 'c' else 'y'})" for car in cars)
    return ground(
        read_task(
            FERRY,
            f"(define (problem p) (:domain ferry) (:objects {' '.join(cars)} - car x y - port)"
            f"(:init {initial} (docked x) (empty) (sea x y) (sea y x) (wide x) (deep y)) (:goal (and {goal})))",
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
    states = enumerate_states(grounded.actions, grounded.initial, 10**6)[0]
    kept = {alike(state) for state in states}
    assert len(kept) < len(states) / 4
    assert kept <= set(states)
    assert all(alike(state) == state for state in kept)
    goal = next(state for state in states if grounded.is_goal(state))
    assert grounded.is_goal(alike(goal))
