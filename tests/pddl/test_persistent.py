"""When it is enough to try only some of the actions of a state."""

from __future__ import annotations

from herobench.pddl import GroundAction
from herobench.pddl.pruning import PersistentSets


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
