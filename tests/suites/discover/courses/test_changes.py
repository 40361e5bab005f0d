"""The fewest changes of gear, against all ways to win of tiny courses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.discover.courses.armory import EMPTY, Choice, Choices
from herobench.suites.discover.courses.course import effort, fewest_changes
from herobench.suites.discover.courses.draw import repeats_itself

LOADOUTS = st.tuples(*[st.sampled_from((0, 1, 2, EMPTY))] * 3)
WINNERS = st.lists(LOADOUTS, min_size=1, max_size=4, unique=True)


def rows(choices: Sequence[Choice]) -> Choices:
    return np.array(choices, np.int8)


def by_hand(now: Choice, then: Choice) -> int:
    """Each slot that changes is emptied, unless it is empty, and filled, unless it stays empty."""
    changed = [(old, new) for old, new in zip(now, then, strict=True) if old != new]
    return sum((old != EMPTY) + (new != EMPTY) for old, new in changed)


@given(LOADOUTS, LOADOUTS)
def test_the_effort_of_a_change(now: Choice, then: Choice) -> None:
    assert effort(rows([now]), rows([then])).tolist() == [[by_hand(now, then)]]


def orders(goals: Sequence[int], deadlines: Mapping[int, int]) -> Iterator[list[int]]:
    """All orders of the fights in which each hunt comes before the goal of its deadline."""
    places = [range(due + 1) for due in deadlines.values()]
    for chosen in product(*places):
        hunts = list(zip(deadlines, chosen, strict=True))
        # hunts before the same goal in both orders
        for way in (hunts, hunts[::-1]):
            order: list[int] = []
            for number, goal in enumerate(goals):
                order += [foe for foe, place in way if place == number]
                order.append(goal)
            yield order


def least(start: Choice, winners: Sequence[Sequence[Choice]], order: Sequence[int]) -> int:
    """The least cost of one order of fights, by trying all loadouts."""
    costs = {start: 0}
    for foe in order:
        costs = {then: min(cost + by_hand(now, then) for now, cost in costs.items()) for then in winners[foe]}
    return min(costs.values())


@given(
    start=LOADOUTS,
    winners=st.lists(WINNERS, min_size=4, max_size=4),
    goals=st.lists(st.integers(0, 2), min_size=1, max_size=4),
    dues=st.lists(st.integers(0, 3), max_size=2),
)
def test_no_way_to_win_takes_fewer_changes(
    start: Choice, winners: list[list[Choice]], goals: list[int], dues: list[int]
) -> None:
    deadlines = {2 + hunt: min(due, len(goals) - 1) for hunt, due in enumerate(dues)}
    found = fewest_changes(start, [rows(some) for some in winners], goals, deadlines)
    assert found is not None
    assert found.cost == min(least(start, winners, order) for order in orders(goals, deadlines))
    worn = [start, *(fight.worn for fight in found.fights)]
    assert found.cost == sum(by_hand(now, then) for now, then in pairwise(worn))
    assert [fight.foe for fight in found.fights if not fight.is_hunt] == goals
    assert all(fight.worn in winners[fight.foe] for fight in found.fights)
    hunts = {fight.foe: fight.goal for fight in found.fights if fight.is_hunt}
    assert hunts.keys() == deadlines.keys()
    assert all(goal <= deadlines[foe] for foe, goal in hunts.items())


def test_the_same_goals_twice_in_a_row_are_a_repetition() -> None:
    assert all(map(repeats_itself, ([1, 1], [1, 2, 1, 2], [3, 1, 2, 4, 1, 2, 4])))
    assert not any(map(repeats_itself, ([], [1], [1, 2, 1], [1, 2, 2, 1], [1, 2, 1, 2, 3])))
