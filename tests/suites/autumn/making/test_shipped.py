"""The shipped set: it is what the environments give, and nothing in a row tells the answer."""

from collections import Counter

import pytest
from herobench.suites.autumn.making.contents import STATISTICS

from herobench.suites.autumn.episode.challenge import FAMILIES, Challenge, Detection, Family, Planning, Prediction
from herobench.suites.autumn.episode.environment import load_environment, shipped_names
from herobench.suites.autumn.episode.options import shipped_challenges
from herobench.suites.autumn.floor import FLOOR, score
from herobench.suites.autumn.making.audit import audit
from herobench.suites.autumn.making.default_set import default_challenge
from herobench.suites.autumn.making.planning import REPEATED, repeated_winner
from herobench.suites.autumn.making.proof import find_problems

pytestmark = pytest.mark.proves

CHALLENGES = list(shipped_challenges().values())
PREDICTIONS = [challenge for challenge in CHALLENGES if isinstance(challenge.test, Prediction)]
PLANNINGS = [challenge for challenge in CHALLENGES if isinstance(challenge.test, Planning)]
DETECTIONS = [challenge for challenge in CHALLENGES if isinstance(challenge.test, Detection)]
CHANCE = len(PREDICTIONS) / 6
FAR = 2.5 * (len(PREDICTIONS) * 5 / 36) ** 0.5
"""More right guesses than chance by this are hardly luck."""


def test_there_is_a_challenge_of_each_family_for_each_environment() -> None:
    wanted = [f"{name}-{family}" for name in shipped_names() for family in FAMILIES]
    assert [challenge.id for challenge in CHALLENGES] == wanted
    for challenge in CHALLENGES:
        environment = load_environment(challenge.environment)
        assert (challenge.program, challenge.category) == (environment.base, environment.category)


def test_right_choices_stand_at_all_positions() -> None:
    positions = Counter(test.choice for challenge in PREDICTIONS if isinstance(test := challenge.test, Prediction))
    assert set(positions) == set(range(6))
    assert max(positions.values()) - min(positions.values()) <= 2


def test_no_goal_comes_about_by_waiting() -> None:
    """`frost-planning` of `autumn-v1` did, after four steps."""
    for challenge in PLANNINGS:
        test, world = challenge.test, challenge.start()
        assert isinstance(test, Planning)
        for _ in range(REPEATED):
            world.act("noop")
            assert not test.fits(world.grid), challenge.id


@pytest.mark.slow
@pytest.mark.parametrize("challenge", PLANNINGS, ids=lambda challenge: challenge.id)
def test_no_goal_is_reached_by_one_action_alone(challenge: Challenge) -> None:
    assert isinstance(challenge.test, Planning)
    assert repeated_winner(challenge.program, challenge.seed, challenge.test) is None


@pytest.mark.slow
def test_no_statistic_wins_far_more_than_chance() -> None:
    table = audit(CHALLENGES)
    assert [name for name, *_ in table.rows] == [*STATISTICS]
    assert max(float(share) for _, *shares in table.rows for share in shares) < 100 * (CHANCE + FAR) / len(PREDICTIONS)


def test_choices_of_most_predictions_differ_by_the_order_of_their_actions_alone() -> None:
    alike = 0
    for challenge in PREDICTIONS:
        test = challenge.test
        assert isinstance(test, Prediction)
        origins = [origin for origin in challenge.certificate["origins"] if origin["by"] == "actions"]
        last = sorted(test.actions[test.mask.since - 1 :])
        alike += all(sorted(origin["actions"]) == last for origin in origins)
    assert alike >= len(PREDICTIONS) * 3 / 5


def test_tests_of_detections_start_elsewhere() -> None:
    for challenge in DETECTIONS:
        assert challenge.test_start.seed != challenge.seed, challenge.id
        assert challenge.test_start.actions, challenge.id


@pytest.mark.slow
@pytest.mark.parametrize("steps", [60, 240])
@pytest.mark.parametrize("player", FLOOR["detection"])
def test_who_repeats_its_actions_has_less_than_half(player: str, steps: int) -> None:
    worth = [score((challenge.id, player, steps)) for challenge in DETECTIONS]
    assert sum(worth) / len(worth) < 0.45


@pytest.mark.slow
def test_who_counts_colours_predicts_like_chance() -> None:
    right = sum(score((challenge.id, "colours", 1)) for challenge in PREDICTIONS)
    assert right < CHANCE + FAR


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_a_sample_of_the_set_is_made_again(family: Family) -> None:
    for number in range(4, len(shipped_names()), 13):
        made = default_challenge(number, family)
        assert made == shipped_challenges()[made.id]


@pytest.mark.slow
@pytest.mark.parametrize("challenge", CHALLENGES[::11], ids=lambda challenge: challenge.id)
def test_a_sample_of_the_set_is_proven_again(challenge: Challenge) -> None:
    assert find_problems(challenge) == []
