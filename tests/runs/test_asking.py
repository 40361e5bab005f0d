"""An attempt of many calls: each is kept, in order, and none that was kept is asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.agents.agent import Ask
from herobench.models.failure import Kind, ModelError
from herobench.models.model import Message, Question, Reply, Usage
from herobench.runs.folder import Key
from tests.runs.trial import DOLLAR_A_TOKEN, Numbers, Player, Said, Talker, Trial, failure, key_of, right

TURNS = 3
TASKS = 4


class Killed(BaseException):
    """Ends a session at once: nothing in flight is waited for."""


def talk(path: Path, player: Player, **more: Any) -> Trial:
    return Trial(path, Numbers(TASKS), player, Talker(TURNS), **more)


def messages_of(trial: Trial, key: Key) -> list[list[str]]:
    return [[message["content"] for message in call["messages"]] for call in trial.calls if key_of(call) == key]


def asked(player: Player) -> list[tuple[Key, int]]:
    """What was asked: the attempt, and the number of the call."""
    return [(key, len(messages) // 2 - 1) for key, messages in player.asked]


def kept(trial: Trial) -> set[tuple[Key, int]]:
    return {(key_of(call), call["call"]) for call in trial.calls if call["reply"]}


# -- many calls -------------------------------------------------------------------------------------------------------


def test_the_calls_of_an_attempt_are_kept_in_order_with_all_that_was_said(tmp_path: Path) -> None:
    player = Player(lambda key, turn: Reply(f"{key[0]} {turn}", usage=Usage(10 * turn, turn, 1, 0)))
    trial = talk(tmp_path, player, price=DOLLAR_A_TOKEN)
    trial.work()
    trial.assert_whole()
    assert messages_of(trial, ("t2", 0)) == [
        ["Play.", "t2"],
        ["Play.", "t2", "t2 1", "Go on, 1."],
        ["Play.", "t2", "t2 1", "Go on, 1.", "t2 2", "Go on, 2."],
    ]
    roles = [[message["role"] for message in call["messages"]] for call in trial.calls if call["call"] == 1]
    assert roles == [["system", "user", "assistant", "user"]] * TASKS
    for row in trial.samples:
        assert (row["calls"], row["answer"], row["tokens"]) == (TURNS, f"{row['task_id']} 3", 6)
        assert (row["input_tokens"], row["output_tokens"], row["reasoning_tokens"]) == (60, 6, 3)
        assert (row["cached_tokens"], row["cost"]) == (0, 66.0)


def test_a_failure_ends_an_attempt_and_what_it_asked_before_counts(tmp_path: Path) -> None:
    player = Player(lambda key, turn: right(key, turn) if turn < 3 else failure(Kind.CONTEXT))
    trial = talk(tmp_path, player)
    trial.work()
    trial.assert_whole()
    assert trial.statuses() == {"context": TASKS}
    assert {(row["calls"], row["output_tokens"], row["answer"]) for row in trial.samples} == {(3, 2, None)}


def test_an_agent_may_take_a_failure_for_an_answer(tmp_path: Path) -> None:
    class Patient:
        async def attempt(self, question: Question, ask: Ask) -> Reply:
            try:
                return await ask([Message("user", question.prompt)])
            except ModelError:
                return await ask([Message("user", "shorter")])

    player = Player(lambda key, turn: failure(Kind.CONTEXT) if turn == 1 else right(key, turn))
    trial = Trial(tmp_path, Numbers(3), player, Patient())
    trial.work()
    trial.assert_whole()
    assert trial.statuses() == {"ok": 3}
    assert [call["error"] is None for call in trial.calls if call["task_id"] == "t1"] == [False, True]


def test_an_agent_may_ask_several_things_at_once(tmp_path: Path) -> None:
    class Crowd:
        async def attempt(self, question: Question, ask: Ask) -> Reply:
            return (await asyncio.gather(*(ask([Message("user", f"{question.task_id} {way}")]) for way in range(3))))[1]

    def say(key: Key, turn: int) -> Said:
        return failure(Kind.SERVER) if turn == 2 else right(key, turn)

    trial = Trial(tmp_path, Numbers(2), Player(say), Crowd(), connections=6)
    trial.work()
    trial.assert_whole()
    for key in (("t0", 0), ("t1", 0)):
        calls = {call["call"]: call for call in trial.calls if key_of(call) == key}
        assert [calls[number]["messages"][0]["content"] for number in range(3)] == [f"{key[0]} {n}" for n in range(3)]
        assert [len(calls[number]["retries"]) for number in range(3)] == [0, 1, 0]


def test_an_agent_may_give_up_waiting_and_ask_on(tmp_path: Path) -> None:
    class Hasty:
        async def attempt(self, question: Question, ask: Ask) -> Reply:
            try:
                return await asyncio.wait_for(ask([Message("user", "hang")]), 0.001)
            except TimeoutError:
                return await ask([Message("user", question.prompt)])

    class Hanging(Player):
        async def reply(self, question: Question, messages: Sequence[Message]) -> Reply:
            if messages[0].text == "hang":
                await asyncio.sleep(3600)
            return await super().reply(question, messages)

    trial = Trial(tmp_path, Numbers(5), Hanging(), Hasty(), connections=2, price=DOLLAR_A_TOKEN, limit=5.0)
    done = trial.work()
    trial.assert_whole()
    assert (trial.statuses(), done.standing.in_flight) == ({"ok": 5}, 0)


def test_who_waits_for_his_turn_when_the_run_stops_asks_nothing(tmp_path: Path) -> None:
    class Crowd:
        async def attempt(self, question: Question, ask: Ask) -> Reply:
            return (await asyncio.gather(*(ask([Message("user", str(way))]) for way in range(3))))[0]

    def say(key: Key, turn: int) -> Said:
        trial.stop.now("interrupted", "")
        return right(key, turn)

    player = Player(say)
    trial = Trial(tmp_path, Numbers(1), player, Crowd(), connections=1)
    assert trial.work().standing.owed == 1
    assert len(player.asked) == 1


def test_a_reply_from_a_cache_costs_nothing(tmp_path: Path) -> None:
    paid = Reply("t0", usage=Usage(10, 5))
    trial = Trial(tmp_path, Numbers(1), Player(lambda key, turn: paid), price=DOLLAR_A_TOKEN, epochs=2)
    trial.work()
    assert [call["cost"] for call in trial.calls] == [15.0, 15.0]
    again = Trial(tmp_path / "again", Numbers(1), Player(lambda key, turn: replace(paid, from_cache=True)))
    again.price = DOLLAR_A_TOKEN
    assert again.work().standing.cost == 0.0
    assert [call["cost"] for call in again.calls] == [0.0]


# -- going on ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("connections", [1, 3, 10])
@pytest.mark.parametrize("last", range(1, TURNS * TASKS + 1))
def test_who_is_killed_at_any_call_asks_only_what_was_not_kept(tmp_path: Path, last: int, connections: int) -> None:
    def say(key: Key, turn: int) -> Said:
        if player.ended == last:
            raise Killed
        return Reply(f"{key[0]} said", usage=Usage(1, 1))

    player = Player(say)
    trial = talk(tmp_path, player, connections=connections)
    with pytest.raises(Killed):
        trial.work()
    before = kept(trial)
    if connections == 1:
        assert len(before) == last - 1
    player = trial.model = Player(lambda key, turn: Reply(f"{key[0]} said", usage=Usage(1, 1)))
    done = trial.work()
    trial.assert_whole()
    every = {((f"t{number}", 0), turn) for number in range(TASKS) for turn in range(TURNS)}
    assert sorted(asked(player)) == sorted(every - before), "what was kept is not asked again"
    assert kept(trial) == every
    assert len(trial.calls) == len(every), "nor kept twice"
    for row in trial.samples:
        assert (row["calls"], row["input_tokens"], row["output_tokens"]) == (TURNS, TURNS, TURNS)
    assert done.standing.usage.output == len(asked(player)) or not asked(player), "the rest is not of this session"


@pytest.mark.parametrize("last", range(1, TURNS * TASKS))
def test_who_is_stopped_after_any_call_asks_each_once(tmp_path: Path, last: int) -> None:
    def say(key: Key, turn: int) -> Said:
        if player.ended == last:
            trial.stop.now("interrupted", "")
        return right(key, turn)

    player = Player(say)
    trial = talk(tmp_path, player, connections=2)
    assert trial.work().stop.reason == "interrupted"
    assert len(trial.calls) == len(player.asked) >= last
    trial.work()
    trial.assert_whole()
    assert len(player.asked) == len(set(asked(player))) == len(trial.calls) == TURNS * TASKS
    assert {row["answer"][3:] for row in trial.samples} == {str(TURNS)}


def test_a_reply_that_was_kept_is_not_for_other_messages(tmp_path: Path) -> None:
    class Other(Talker):
        async def attempt(self, question: Question, ask: Ask) -> Reply:
            return await super().attempt(Question(question.task_id, question.epoch, f"{question.prompt}!"), ask)

    def say(key: Key, turn: int) -> Said:
        if turn == 2:
            raise Killed
        return right(key, turn)

    trial = talk(tmp_path, Player(say), connections=1)
    with pytest.raises(Killed):
        trial.work()
    assert kept(trial) == {(("t0", 0), 0)}
    player = trial.model = Player()
    trial.agent = Other(TURNS)
    trial.work()
    trial.assert_whole()
    assert len(player.asked) == TURNS * TASKS
    assert len(trial.calls) == TURNS * TASKS + 1, "what was paid for stays, also where it is of no use"
    assert {row["calls"] for row in trial.samples} == {TURNS}


def test_a_call_that_failed_is_asked_again_in_the_next_session_after_the_ones_that_did_not(tmp_path: Path) -> None:
    trial = talk(tmp_path, Player(lambda key, turn: right(key, turn) if turn < 3 else failure(Kind.SERVER)), retries=0)
    trial.work()
    assert trial.statuses() == {"server": TASKS}
    player = trial.model = Player()
    trial.work()
    trial.assert_whole()
    assert sorted(asked(player)) == [((f"t{number}", 0), 2) for number in range(TASKS)]
    assert trial.statuses() == {"ok": TASKS}
    assert {row["output_tokens"] for row in trial.samples} == {3}


def test_words_of_all_sorts_come_back_as_they_were(tmp_path: Path) -> None:
    words = "☃\n\u2028\r\n\ud83d\0🗡 \\u0041"

    def say(key: Key, turn: int) -> Said:
        if turn == 2:
            raise Killed
        return Reply(words, plan=words, reasoning=words, stop=words, model=words, id=words)

    class Twice(Talker):
        async def attempt(self, question: Question, ask: Ask) -> Reply:
            first = await ask([Message("user", words)])
            await ask([Message("user", words), Message("assistant", first.text)])
            return first

    trial = Trial(tmp_path, Numbers(1), Player(say), Twice())
    with pytest.raises(Killed):
        trial.work()
    player = trial.model = Player()
    trial.work()
    assert [messages[1].text for _, messages in player.asked] == [words]
    assert [(row["answer"], row["plan"], row["stop"]) for row in trial.samples] == [(words, words, words)]
