"""What holds of attempts of every suite, at the tasks of a fixture `scorer`: prefixes, forks, and rewards of turns.

The potential pays all ways from one state to an end alike.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

import pytest

from herobench.conversation import Reply
from herobench.scorer import Play, Said, Scorer, TurnReward
from tests.sizes import many, one_in


def drawn_turns(way: Sequence[Reply], chance: Random) -> Iterator[Reply]:
    """Yield turns of a way in a wrong order, and words that do nothing."""
    while True:
        yield chance.choice([*way, Reply("I wait.")])


def rewards_to_the_end(play: Play, turns: Iterable[Said], gamma: float) -> tuple[list[float], float]:
    """Play to the end; return the rewards by potential, and the reward of the end."""
    credit, rewards = TurnReward(play, "potential", gamma), []
    for turn in turns:
        play.say(turn)
        rewards.append(credit.of_turn(last=len(rewards) == 80))
        if play.over or len(rewards) > 80:
            break
    return rewards, play.result().reward


class AttemptProperties:
    """A suite's tests import it by a name that begins with Test."""

    def test_a_prefix_is_played_before_the_first_observation(self, scorer: Scorer) -> None:
        for task_id in scorer.tasks:
            way = list(scorer.way(task_id))
            for number in {0, len(way) // 2, len(way) - 1}:
                play, other = scorer.play(task_id, prefix=number), scorer.play(task_id)
                for turn in way[:number]:
                    other.say(turn)
                own, given = other.fork().result(), play.fork().result()
                assert (given.given_turns, own.given_turns) == (number, 0)
                assert (given.reward, given.won) == (own.reward, own.won and number == 0)
                assert play.conversation == other.conversation
                assert (play.turns, play.begun, play.over) == (number, number, False)
                assert play.size == other.size
                if number > 0:
                    assert scorer.play(task_id, prefix=number - len(way)).conversation == play.conversation

    def test_forks_give_equal_verdicts_and_go_on_by_themselves(self, scorer: Scorer) -> None:
        for task_id in scorer.tasks:
            way = list(scorer.way(task_id))
            play = scorer.play(task_id, prefix=len(way) // 2 if len(way) > 1 else 0)
            lost = play.fork()
            lost.say("I wait.")
            twins = [play.fork(), play.fork().fork(), play]
            rows, told = [], []
            for twin in twins:
                for turn in way[twin.turns :]:
                    twin.say(turn)
                rows.append(twin.result())
                told.append(list(twin.conversation))
            assert rows[0] == rows[1] == rows[2]
            assert rows[0].verdict.won
            assert told[0] == told[1] == told[2]
            assert lost.turns == play.begun + 1

    @pytest.mark.parametrize("number", one_in(6, range(12)))
    def test_a_fork_of_random_play_gives_what_the_same_turns_give(self, scorer: Scorer, number: int) -> None:
        chance = Random(f"{scorer.suite} {number}")
        for task_id in scorer.tasks:
            play, said = scorer.play(task_id), []
            for turn in drawn_turns(scorer.way(task_id), chance):
                if play.over or play.turns > 40:
                    break
                said.append(turn)
                play = play.fork() if chance.random() < 0.3 else play
                play.say(turn)
            assert play.result() == scorer.score(task_id, said)

    @pytest.mark.parametrize("gamma", [1.0, 0.9])
    def test_all_ways_from_a_state_to_an_end_are_paid_alike_beside_the_score(
        self, scorer: Scorer, gamma: float
    ) -> None:
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

    def test_the_rewards_of_an_end_and_of_progress_add_up_to_the_score(self, scorer: Scorer) -> None:
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
