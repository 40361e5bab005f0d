"""The shipped set: it is what the environments give, and nothing in a row tells the answer."""

from collections import Counter
from statistics import fmean

import pytest

from herobench.suites.autumn.episode.challenge import FAMILIES, Challenge, Detection, Family, Planning, Prediction
from herobench.suites.autumn.episode.environment import load_environment, shipped_names
from herobench.suites.autumn.episode.options import shipped_challenges
from herobench.suites.autumn.episode.repeating import WAYS
from herobench.suites.autumn.making.audit import measure_floor
from herobench.suites.autumn.making.default_set import default_challenge, with_lot
from herobench.suites.autumn.making.planning import repeated_winner
from herobench.suites.autumn.making.proof import find_problems

pytestmark = pytest.mark.proves

CHALLENGES = list(shipped_challenges().values())
PREDICTIONS = [challenge for challenge in CHALLENGES if isinstance(challenge.test, Prediction)]
PLANNINGS = [challenge for challenge in CHALLENGES if isinstance(challenge.test, Planning)]
DETECTIONS = [challenge for challenge in CHALLENGES if isinstance(challenge.test, Detection)]


def test_there_is_a_challenge_of_each_family_for_each_environment() -> None:
    wanted = [f"{name}-{family}" for name in shipped_names() for family in load_environment(name).families]
    assert [challenge.id for challenge in CHALLENGES] == wanted
    for challenge in CHALLENGES:
        environment = load_environment(challenge.environment)
        assert (challenge.program, challenge.category) == (environment.base, environment.category)


def test_right_choices_stand_at_all_positions() -> None:
    positions = Counter(test.choice for challenge in PREDICTIONS if isinstance(test := challenge.test, Prediction))
    assert set(positions) == set(range(6))
    assert max(positions.values()) <= len(PREDICTIONS) / 4


@pytest.mark.slow
@pytest.mark.parametrize("challenge", PLANNINGS, ids=lambda challenge: challenge.id)
def test_no_goal_is_reached_by_one_action_alone(challenge: Challenge) -> None:
    assert isinstance(challenge.test, Planning)
    assert repeated_winner(challenge.program, challenge.seed, challenge.test) is None


@pytest.mark.slow
def test_no_rule_wins_more_than_a_quarter_of_the_predictions() -> None:
    floor = measure_floor(CHALLENGES)
    assert floor is not None
    assert floor.shares.max() <= 0.25
    assert floor.learned <= 0.25


def test_one_lot_is_drawn_for_all_predictions() -> None:
    assert len({challenge.certificate["lot"] for challenge in PREDICTIONS}) == 1


def test_the_last_actions_of_most_predictions_are_those_of_all_choices() -> None:
    likenesses = Counter(challenge.certificate["likeness"] for challenge in PREDICTIONS)
    assert likenesses["end"] >= len(PREDICTIONS) / 2


def test_tests_of_detections_start_elsewhere() -> None:
    for challenge in DETECTIONS:
        assert challenge.test_start.seed != challenge.seed, challenge.id
        assert challenge.test_start.actions, challenge.id


def test_who_repeats_its_actions_has_less_than_half() -> None:
    scores = [challenge.certificate["repeated"]["scores"] for challenge in DETECTIONS]
    assert max(fmean(each[way] for each in scores) for way in WAYS) < 0.45


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_a_sample_of_the_set_is_made_again(family: Family) -> None:
    for challenge in [each for each in CHALLENGES if each.family == family][4::13]:
        made = default_challenge(shipped_names().index(challenge.environment), family)
        assert with_lot(made, challenge.certificate.get("lot", 0)) == challenge


@pytest.mark.slow
@pytest.mark.parametrize("challenge", CHALLENGES[::11], ids=lambda challenge: challenge.id)
def test_a_sample_of_the_set_is_proven_again(challenge: Challenge) -> None:
    assert find_problems(challenge) == []
