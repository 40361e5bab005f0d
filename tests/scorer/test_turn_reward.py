"""Rewards of turns: what each kind pays, and that the potential pays all ways from one state to an end alike."""

from collections.abc import Iterable
from math import inf
from random import Random

import pytest

from herobench.scorer import Play, Said, Scorer, TaskQuery, TurnReward
from herobench.scorer.refusals import ScorerFault
from tests.refusals import raises
from tests.scorer.ways import drawn_turns
from tests.sizes import many


def rewards_to_the_end(play: Play, turns: Iterable[Said], gamma: float) -> tuple[list[float], float]:
    """Play to the end; return the rewards by potential, and the reward of the end."""
    credit, rewards = TurnReward(play, "potential", gamma), []
    for turn in turns:
        play.say(turn)
        rewards.append(credit.of_turn(last=len(rewards) == 80))
        if play.over or len(rewards) > 80:
            break
    return rewards, play.result().reward


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_all_ways_from_a_state_to_an_end_are_paid_the_same_beside_the_score(scorer: Scorer, gamma: float) -> None:
    chance = Random(f"{scorer.suite} {gamma}")
    for task_id in scorer.tasks:
        way = scorer.solution(task_id)
        begun = scorer.play(task_id, prefix=chance.randrange(len(way)) if len(way) > 1 else 0)
        paid = set()
        for number in range(many(4, 2)):
            play = begun.fork()
            turns = scorer.way(task_id)[play.turns :] if not number else drawn_turns(way, chance)
            rewards, end = rewards_to_the_end(play, turns, gamma)
            total = sum(gamma**time * reward for time, reward in enumerate(rewards))
            paid.add(round(total - gamma ** (len(rewards) - 1) * end, 9))
        assert len(paid) == 1, paid


def test_the_rewards_of_an_end_and_of_progress_add_up_to_the_score(scorer: Scorer) -> None:
    for task_id in scorer.tasks:
        for kind in ("end", "progress"):
            play = scorer.play(task_id)
            credit, rewards = TurnReward(play, kind), []
            for turn in scorer.solution(task_id):
                play.say(turn)
                rewards.append(credit.of_turn())
            assert sum(rewards) == pytest.approx(play.result().reward)
            if kind == "end":
                assert not any(rewards[:-1])


def test_a_fork_is_paid_as_the_attempt_is() -> None:
    with Scorer(TaskQuery(suite="epoch", dataset="epochs-v1", levels="3")) as scorer:
        way = scorer.solution("L03")
        for kind in ("end", "progress", "potential"):
            play = scorer.play("L03", prefix=3)
            credit = TurnReward(play, kind, 0.9)
            play.say(way[3])
            credit.of_turn()
            copied = credit.fork()
            for turn in way[4:]:
                play.say(turn)
                copied.play.say(turn)
                assert credit.of_turn() == copied.of_turn()


def test_each_step_towards_the_goal_is_paid_alike_and_a_step_away_costs_as_much() -> None:
    with Scorer(TaskQuery(suite="epoch", dataset="epochs-v1", levels="1")) as scorer:
        play = scorer.play("L01")
        credit = TurnReward(play, "potential")
        distances, rewards = [play.distance()], []
        for turn in scorer.solution("L01"):
            play.say(turn)
            rewards.append(credit.of_turn())
            distances.append(play.distance())
        assert [distance and distance.most for distance in distances] == [4, 3, 2, 1, 0]
        assert rewards == [0.25, 0.25, 0.25, 0.25]
        play = scorer.play("L01", prefix=1)
        credit = TurnReward(play, "potential")
        play.say("I wait.")
        assert credit.of_turn() == 0.0
        play.say("STUCK")
        assert credit.of_turn() == -0.25  # what the prefix was worth
        ended = play.distance()
        assert ended
        assert ended.least == inf


def test_other_rewards_are_refused() -> None:
    with Scorer(TaskQuery(suite="epoch", dataset="epochs-v1", levels="1")) as scorer:
        for kind in ("dense", None):
            with raises(ScorerFault.BAD_REWARD):
                TurnReward(scorer.play("L01"), kind)  # type: ignore[arg-type]
        for gamma in (0, 1.5, True, "1"):
            with raises(ScorerFault.BAD_GAMMA):
                TurnReward(scorer.play("L01"), "end", gamma)  # type: ignore[arg-type]


def test_a_cut_attempt_keeps_its_potential_for_those_who_estimate_the_rest() -> None:
    with Scorer(TaskQuery(suite="epoch", dataset="epochs-v1", levels="1")) as scorer:
        paid = []
        for terminal in (True, False):
            play = scorer.play("L01")
            credit = TurnReward(play, "potential")
            play.say(scorer.solution("L01")[0])
            paid.append(credit.of_turn(last=True, terminal=terminal))
        assert paid == [0.0, 0.25]
