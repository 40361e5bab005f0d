"""The shipped set: it is what the environments give, and nothing in a row tells the answer."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from herobench.suites.autumn.episode.challenge import FAMILIES, Challenge, Detection, Family, Grid, Planning, Prediction
from herobench.suites.autumn.episode.environment import load_environment, shipped_names
from herobench.suites.autumn.episode.options import shipped_challenges
from herobench.suites.autumn.floor import FLOOR, score
from herobench.suites.autumn.making.default_set import default_challenge
from herobench.suites.autumn.making.near_misses import replay
from herobench.suites.autumn.making.planning import REPEATED, repeated_winner
from herobench.suites.autumn.making.prediction import distance
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


Measure = Callable[[Sequence[Grid], Grid], list[int]]
"""Gets the choices and what was last seen, and gives each choice a number."""


def spread(choices: Sequence[Grid], _: Grid) -> list[int]:
    return [sum(distance(one, other) for other in choices) for one in choices]


def colors(choices: Sequence[Grid], _: Grid) -> list[int]:
    return [len({color for row in choice for color in row}) for choice in choices]


def moved(choices: Sequence[Grid], last: Grid) -> list[int]:
    return [distance(choice, last) for choice in choices]


def odd(choices: Sequence[Grid], _: Grid) -> list[int]:
    counts = [Counter(color for row in choice for color in row) for choice in choices]
    return [counts.count(count) for count in counts]


def guessed(challenge: Challenge, measure: Measure, extreme: Callable[[list[int]], int]) -> float:
    """The share of right guesses of who takes the choice with the least, or the greatest, number."""
    test = challenge.test
    assert isinstance(test, Prediction)
    before = replay(challenge.start(), test.actions[: test.mask.since - 1])
    numbers = measure(test.choices, test.mask.cut(before.last))
    wanted = extreme(numbers)
    return (numbers[test.choice] == wanted) / numbers.count(wanted)


@pytest.mark.slow
@pytest.mark.parametrize("extreme", [min, max])
@pytest.mark.parametrize("measure", [spread, colors, moved, odd])
def test_rules_of_thumb_guess_like_chance(measure: Measure, extreme: Callable[[list[int]], int]) -> None:
    assert sum(guessed(challenge, measure, extreme) for challenge in PREDICTIONS) < CHANCE + FAR


def test_most_choices_have_the_colours_of_the_truth() -> None:
    alike = 0
    for challenge in PREDICTIONS:
        test = challenge.test
        assert isinstance(test, Prediction)
        counts = [Counter(color for row in choice for color in row) for choice in test.choices]
        alike += counts.count(counts[test.choice]) >= 5
    assert alike >= len(PREDICTIONS) - 2


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
