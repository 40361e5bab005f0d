"""Rewards of turns: what each kind pays."""

from typing import Any

import pytest

from herobench.data.errors import UsageError
from herobench.scorer import Scorer, TurnReward
from tests.sizes import for_each


def test_a_fork_is_paid_as_the_attempt_is(short: Scorer) -> None:
    (task_id,) = short.tasks
    way = short.way(task_id)
    for kind in ("end", "progress", "potential"):
        play = short.play(task_id, prefix=1)
        credit = TurnReward(play, kind, 0.9)
        play.say(way[1])
        credit.of_turn()
        copied = credit.fork()
        for turn in way[2:]:
            play.say(turn)
            copied.play.say(turn)
            assert credit.of_turn() == copied.of_turn()


def test_each_step_towards_the_goal_is_paid_alike_and_a_step_away_costs_as_much(short: Scorer) -> None:
    (task_id,) = short.tasks
    play = short.play(task_id)
    credit = TurnReward(play, "potential")
    distances, rewards = [play.distance()], []
    for turn in short.way(task_id):
        play.say(turn)
        rewards.append(credit.of_turn())
        distances.append(play.distance())
    assert [distance and distance.most for distance in distances] == [4, 3, 2, 1, 0]
    assert rewards == [0.25, 0.25, 0.25, 0.25]
    play = short.play(task_id, prefix=1)
    credit = TurnReward(play, "potential")
    play.say("I wait.")
    assert credit.of_turn() == 0.0
    play.say("I wait.")
    assert credit.of_turn() == -0.25  # what the prefix was worth


@for_each(
    ("kind", "gamma", "told"),
    [
        ("dense", 1, 'reward is "dense": give one of end, progress, potential.'),
        (None, 1, "reward is null: give one of end, progress, potential."),
        ("end", 0, "gamma is 0: give a number above 0, and 1 at most."),
        ("end", 1.5, "gamma is 1.5: give a number above 0, and 1 at most."),
        ("end", True, "gamma is true: give a number above 0, and 1 at most."),
        ("end", "1", 'gamma is "1": give a number above 0, and 1 at most.'),
    ],
)
def test_other_rewards_are_refused(short: Scorer, kind: Any, gamma: Any, told: str) -> None:
    with pytest.raises(UsageError) as refused:
        TurnReward(short.play(*short.tasks), kind, gamma)
    assert str(refused.value) == told


def test_a_cut_attempt_keeps_its_potential_for_those_who_estimate_the_rest(short: Scorer) -> None:
    (task_id,) = short.tasks
    paid = []
    for terminal in (True, False):
        play = short.play(task_id)
        credit = TurnReward(play, "potential")
        play.say(short.way(task_id)[0])
        paid.append(credit.of_turn(last=True, terminal=terminal))
    assert paid == [0.0, 0.25]
