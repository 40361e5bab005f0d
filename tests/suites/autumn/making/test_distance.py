"""The distance of an episode holds what a search from its present state finds, and never looks at other challenges."""

from math import inf
from random import Random

import pytest

from herobench.suites.autumn.episode.challenge import Challenge, Planning
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.options import shipped_challenges
from herobench.suites.autumn.episode.phase import GO_TO_TEST, QUIT
from herobench.suites.autumn.episode.tests import PlanningTest
from herobench.suites.autumn.making.distance import GoalDistances
from herobench.suites.autumn.making.search import explore
from tests.sizes import some_slow

QUICK = ("bubbles-planning",)
PLANNING = [name for name in shipped_challenges() if name.endswith("-planning")]


def planning_goal(challenge: Challenge) -> Planning:
    assert isinstance(challenge.test, Planning)
    return challenge.test


def near(episode: Episode, most: int) -> float | None:
    """Return the fewest actions to the goal if they are at most so many, `inf` if more, None if nobody knows."""
    assert isinstance(episode.test, PlanningTest)
    found = explore(episode.test.world.clone(), 300, most)
    for depth, layer in enumerate(found.layers):
        if any(episode.test.asked.fits(node.grid) for node in layer):
            return depth if depth <= found.proven else None
    return inf if found.complete >= most else None


@pytest.mark.parametrize("name", some_slow(PLANNING, slow=[name for name in PLANNING if name not in QUICK]))
def test_the_interval_holds_what_a_search_from_the_state_finds(name: str) -> None:
    challenge = shipped_challenges()[name]
    goal, distances, chance = planning_goal(challenge), GoalDistances(), Random(name)
    for wander in (0.0, 0.5):
        episode = Episode(challenge)
        episode.act(GO_TO_TEST)
        for number, action in enumerate(goal.actions):
            found = distances(episode)
            assert found
            if not wander:
                assert found.least <= found.most <= len(goal.actions) - number
            true = near(episode, 2)
            if true is not None:
                assert found.most > 2 if true == inf else found.least <= true <= found.most
            episode.act(chance.choice(goal.actions) if chance.random() < wander else action)
            if episode.ending:
                break
        if not wander:
            over = distances(episode)
            assert over
            assert over.most == 0


def test_before_the_test_the_goal_is_one_action_farther() -> None:
    challenge, distances = shipped_challenges()["bubbles-planning"], GoalDistances()
    episode = Episode(challenge)
    before = distances(episode)
    episode.act("noop")
    assert distances(episode) == before
    episode.act(GO_TO_TEST)
    after = distances(episode)
    assert before
    assert after
    assert (before.least, before.most) == (after.least + 1, after.most + 1)
    episode.act(QUIT)
    over = distances(episode)
    assert over
    assert over.least == inf


@pytest.mark.slow
def test_where_all_states_are_listed_the_distance_is_exact_or_out_of_reach() -> None:
    challenge, distances, chance = shipped_challenges()["passphrase-planning"], GoalDistances(), Random(3)
    for _ in range(3):
        episode = Episode(challenge)
        episode.act(GO_TO_TEST)
        for _ in range(12):
            found = distances(episode)
            assert found
            assert found.is_exact
            episode.act(chance.choice(planning_goal(challenge).actions))
            if episode.ending:
                break


def test_other_challenges_have_no_distance() -> None:
    distances = GoalDistances()
    for name in ("tray-prediction", "tray-detection"):
        assert distances(Episode(shipped_challenges()[name])) is None
