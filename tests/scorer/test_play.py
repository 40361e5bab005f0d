"""Attempts begin after given turns, and are copied as they stand."""

import json
from random import Random

import pytest

from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.refusals import ScorerFault
from tests.refusals import raises
from tests.scorer.ways import drawn_turns
from tests.sizes import one_in


def test_a_prefix_is_played_before_the_first_observation(scorer: Scorer) -> None:
    for task_id in scorer.tasks:
        way = list(scorer.way(task_id))
        for number in {0, len(way) // 2, len(way) - 1}:
            play, other = scorer.play(task_id, prefix=number), scorer.play(task_id)
            for turn in way[:number]:
                other.say(turn)
            assert play.conversation == other.conversation
            assert (play.turns, play.begun, play.over) == (number, number, False)
            assert play.size == other.size
            if number > 0:
                assert scorer.play(task_id, prefix=number - len(way)).conversation == play.conversation


def test_a_prefix_is_a_list_of_turns_or_a_number_and_does_not_end_the_attempt() -> None:
    with Scorer(TaskQuery(suite="epoch", dataset="epochs-v1", levels="1")) as scorer:
        call = {"name": "take", "arguments": {"who": "hester", "what": "lantern", "here": "mill-past"}}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "function": {"name": "take", "arguments": json.dumps(call["arguments"])}}],
        }
        for prefix in ([json.dumps(call)], [message], [{"role": "user", "content": "Go on."}, message], 1):
            distance = scorer.play("L01", prefix=prefix).distance()
            assert distance
            assert distance.most == 3
        for prefix, fault in (
            (4, ScorerFault.LONG_PREFIX),
            (["STUCK", "x"], ScorerFault.LONG_PREFIX),
            ("STUCK", ScorerFault.BAD_PREFIX),
            (True, ScorerFault.BAD_PREFIX),
            ([3], ScorerFault.BAD_TURN),
        ):
            with raises(fault):
                scorer.play("L01", prefix=prefix)  # type: ignore[arg-type]


def test_forks_give_equal_verdicts_and_go_on_by_themselves(scorer: Scorer) -> None:
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
        assert rows[0].won
        assert told[0] == told[1] == told[2]
        assert lost.turns == play.begun + 1


@pytest.mark.parametrize("number", one_in(6, range(12)))
def test_a_fork_of_random_play_gives_what_the_same_turns_give(scorer: Scorer, number: int) -> None:
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
