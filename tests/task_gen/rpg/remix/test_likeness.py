"""Likeness: remixed worlds of half the classic size and more have about its depth."""

from functools import cache

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.remix.remixed_world import remix
from tests.task_gen.rpg.remix.likeness import Profile, distance

WHOLE, HALF = (0.05, 0.15, 0.2), (0.15, 0.2, 0.3)
"""The farthest that worlds of the classic size and more may be, and those of half the size: in the sizes of smallest
sets, the work of gear, the difficulties of tasks. Over 20 seeds of each the farthest found are 0, 0.12 and 0.14 at the
classic size, and 0.12, 0.18 and 0.29 at half of it."""


@cache
def classic() -> Profile:
    return Profile.of(load_world(), load_rules())


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "size"), [(0, 0.5), (1, 1.0), pytest.param(2, 1.5, marks=pytest.mark.slow)])
def test_a_remixed_world_is_near_the_classic_one(seed: int, size: float) -> None:
    profile = Profile.of(World.from_documents(remix(seed, size)), load_rules())
    assert [
        far <= most for far, most in zip(profile.distances(classic()), WHOLE if size >= 1 else HALF, strict=True)
    ] == [True] * 3


def test_a_world_is_at_no_distance_from_itself() -> None:
    assert classic().distances(classic()) == (0, 0, 0)


def test_a_small_world_is_farther_away() -> None:
    profile = Profile.of(World.from_documents(remix(0, 0.1)), load_rules())
    assert max(profile.distances(classic())) > max(HALF)


def test_the_distance_is_the_most_that_shares_differ_by() -> None:
    assert distance([1, 2, 3, 4], [1, 2, 3, 4, 4, 3, 2, 1]) == 0
    assert distance([1, 1], [2, 2, 2]) == 1
    assert distance([1, 2, 3, 4], [1, 2, 3, 3]) == 0.25
