"""An attempt of many calls: each is kept, in order, and none that was kept is asked again."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from herobench.agents.agent import Agent, Ask, OneShot
from herobench.conversation import Message, Reply, Request, Tool, ToolCall, Usage
from herobench.data.rows import dump_row
from herobench.models.model_error import ErrorKind, ModelError
from herobench.runs.asking import count_characters
from herobench.runs.folder import Key
from herobench.runs.journal import Journal
from herobench.suite.contract import Attempt
from tests.runs.trial import (
    DOLLAR_A_TOKEN,
    LOOK,
    Acting,
    Json,
    Numbers,
    Player,
    Said,
    Talker,
    Trial,
    failure,
    looking,
    right,
    row_key,
)
from tests.sizes import for_each, some_slow

TURNS = 3
TASKS = 4
WAYS = ["turns", "asks"]
"""An attempt has many calls if it has many turns, or if its agent asks many times a turn."""


def said(key: Key, turn: int) -> Reply:
    """The same reply in every turn and session."""
    return Reply(f"{key[0]} said", usage=Usage(1, 1))


class Killed(BaseException):
    """Ends a session at once: nothing in flight is waited for."""


def talk(path: Path, player: Player, way: str = "asks", **more: Any) -> Trial:
    suite, agent = parts(way)
    return Trial(path, suite, player, agent, **more)


def parts(way: str) -> tuple[Numbers, Agent]:
    return (Numbers(TASKS, TURNS), OneShot()) if way == "turns" else (Numbers(TASKS), Talker(TURNS))


def sent_messages(trial: Trial, key: Key) -> list[list[str]]:
    return [[message["content"] for message in call["messages"]] for call in trial.whole_calls if row_key(call) == key]


def asked(player: Player) -> list[tuple[Key, int]]:
    """What was asked: the attempt, and the number of the call."""
    return [(key, len(messages) // 2 - 1) for key, messages in player.asked]


def texts(row: Json) -> list[str]:
    return [reply["text"] for reply in row["replies"]]


def kept(trial: Trial) -> set[tuple[Key, int]]:
    return {(row_key(call), call["call"]) for call in trial.calls if call["reply"]}


# -- many calls -------------------------------------------------------------------------------------------------------


@for_each("way", WAYS)
def test_the_calls_of_an_attempt_are_kept_in_order_with_all_that_was_said(tmp_path: Path, way: str) -> None:
    player = Player(lambda key, turn: Reply(f"{key[0]} {turn}", usage=Usage(10 * turn, turn, 1, 0)))
    trial = talk(tmp_path, player, way, price=DOLLAR_A_TOKEN)
    trial.work()
    trial.assert_whole()
    assert sent_messages(trial, ("t2", 0)) == [
        ["Play.", "t2"],
        ["Play.", "t2", "t2 1", "Go on, 1."],
        ["Play.", "t2", "t2 1", "Go on, 1.", "t2 2", "Go on, 2."],
    ]
    assert "".join(map(dump_row, trial.calls)).count('"content": "Play."') == TASKS, "each message is written once"
    roles = [[message["role"] for message in call["messages"]] for call in trial.calls if call["call"] == 1]
    assert roles == [["system", "user", "assistant", "user"]] * TASKS
    for row in trial.samples:
        assert (row["calls"], texts(row)) == (
            TURNS,
            [f"{row['task_id']} {n}" for n in ((1, 2, 3) if way == "turns" else (3,))],
        )
        assert (row["input_tokens"], row["output_tokens"], row["reasoning_tokens"]) == (60, 6, 3)
        assert (row["cached_tokens"], row["cost"]) == (0, 66.0)


def test_a_message_of_the_suite_is_no_tool(tmp_path: Path) -> None:
    async def confused(attempt: Attempt, ask: Ask) -> None:
        await ask(attempt.messages, attempt.messages)  # type: ignore[arg-type]

    trial = Trial(tmp_path, Numbers(3), Player(right), Acting(confused))
    trial.work()
    told = "The agent raised TypeError: a tool is a Message, not a Tool"
    assert ([row["error"]["message"] for row in trial.samples], trial.calls) == ([told] * 3, [])


def test_an_agent_may_take_a_failure_for_an_answer(tmp_path: Path) -> None:
    async def patient(attempt: Attempt, ask: Ask) -> None:
        try:
            reply = await ask(attempt.messages)
        except ModelError:
            reply = await ask([Message("user", "shorter")])
        attempt.step(reply)

    player = Player(lambda key, turn: failure(ErrorKind.CONTEXT) if turn == 1 else right(key, turn))
    trial = Trial(tmp_path, Numbers(3), player, Acting(patient))
    trial.work()
    trial.assert_whole()
    assert trial.statuses() == {"ok": 3}
    assert [call["error"] is None for call in trial.calls if call["task_id"] == "t1"] == [False, True]


async def ask_at_once(attempt: Attempt, ask: Ask) -> None:
    (prompt,) = attempt.messages
    replies = await asyncio.gather(*(ask([Message("user", f"{prompt.text} {way}")]) for way in range(3)))
    attempt.step(replies[1])


def test_an_agent_may_ask_several_things_at_once(tmp_path: Path) -> None:
    player = Player(lambda key, turn: failure(ErrorKind.SERVER) if turn == 2 else right(key, turn))
    trial = Trial(tmp_path, Numbers(2), player, Acting(ask_at_once), connections=6)
    trial.work()
    trial.assert_whole()
    for key in (("t0", 0), ("t1", 0)):
        calls = {call["call"]: call for call in trial.calls if row_key(call) == key}
        assert [calls[number]["messages"][0]["content"] for number in range(3)] == [f"{key[0]} {n}" for n in range(3)]
        assert [len(calls[number]["retries"]) for number in range(3)] == [0, 1, 0]


def test_who_waits_for_his_turn_when_the_run_stops_asks_nothing(tmp_path: Path) -> None:
    def say(key: Key, turn: int) -> Said:
        trial.stop.now("interrupted", "")
        return right(key, turn)

    player = Player(say)
    trial = Trial(tmp_path, Numbers(1), player, Acting(ask_at_once), connections=1)
    assert (trial.work().standing.owed, len(player.asked)) == (1, 1)


def test_an_agent_may_give_up_waiting_and_ask_on(tmp_path: Path) -> None:
    async def hasty(attempt: Attempt, ask: Ask) -> None:
        try:
            await asyncio.wait_for(ask([Message("user", "hang")]), 0.001)
        except TimeoutError:
            attempt.step(await ask(attempt.messages))

    class Hanging(Player):
        async def reply(self, request: Request) -> Reply:
            if request.messages[0].text == "hang":
                await asyncio.sleep(3600)
            return await super().reply(request)

    trial = Trial(tmp_path, Numbers(5), Hanging(), Acting(hasty), connections=2, price=DOLLAR_A_TOKEN, limit=5.0)
    done = trial.work()
    trial.assert_whole()
    assert (trial.statuses(), done.standing.in_flight) == ({"ok": 5}, 0)


def test_a_reply_from_a_cache_costs_nothing(tmp_path: Path) -> None:
    player = Player(lambda key, turn: Reply("t0", usage=Usage(10, 5), from_cache=turn > 1 or key[1] > 0))
    trial = Trial(tmp_path, Numbers(1), player, Talker(2), price=DOLLAR_A_TOKEN, epochs=2)
    assert trial.work().standing.cost == 15.0
    assert [call["cost"] for call in trial.calls if call["epoch"]] == [0.0, 0.0]


# -- resuming ---------------------------------------------------------------------------------------------------------


WRITES = TASKS * (TURNS + 1)
"""One for each call and one for each sample, where one attempt is made at a time."""


class Crash:
    """Ends everything at the write of one row, of which only a part of the bytes reaches the file."""

    def __init__(self, at: int, part: float, write: Callable[[Journal, bytes], None]) -> None:
        self._left = at
        self._part = part
        self._write = write
        self._door = Lock()
        self.whole = 0
        """The rows that reached a file whole. Rows that wait for a slow disk are written together."""

    def __call__(self, journal: Journal, data: bytes) -> None:
        with self._door:  # calls and samples are written in different threads
            if self._left <= 0:  # nobody writes any more
                raise Killed
            self._left -= data.count(b"\n")
            written = data if self._left > 0 else data[: int(len(data) * self._part)]
            self._write(journal, written)
            self.whole += written.count(b"\n")
            if self._left <= 0:
                raise Killed


@pytest.mark.parametrize("part", some_slow([0.5, 1.0], [1.0]))
@for_each("way", WAYS)
@for_each("at", range(1, WRITES + 1))
def test_who_is_killed_at_any_write_loses_no_more_than_that(
    at: int, way: str, part: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kills at random moments, of the real program, are in tests/cli/test_run_resume.py; these miss no moment."""
    trial = talk(tmp_path, Player(said), way, connections=1)
    with monkeypatch.context() as patch:
        crash = Crash(at, part, Journal._write)
        patch.setattr(Journal, "_write", lambda journal, data: crash(journal, data))
        with pytest.raises(Killed):
            trial.work()
    before, scored = kept(trial), Counter(map(row_key, trial.samples))
    assert len(before) + scored.total() == crash.whole
    trial.model = again = Player(said)
    done = trial.work()
    trial.assert_whole()
    every = {((f"t{number}", 0), turn) for number in range(TASKS) for turn in range(TURNS)}
    assert Counter(asked(again)) == Counter(every - before), "what was kept is not asked again"
    assert len(trial.calls) == len(every), "nor kept twice"
    assert trial.statuses() == {"ok": TASKS}
    for row in trial.samples:
        assert (row["calls"], row["input_tokens"], row["output_tokens"]) == (TURNS, TURNS, TURNS)
    assert done.standing.usage.output == len(asked(again)) or not asked(again), "the rest is not of this session"


@for_each("way", WAYS)
@for_each("last", [1, 5, TURNS * TASKS - 1])
def test_who_is_stopped_after_any_call_asks_each_once(tmp_path: Path, last: int, way: str) -> None:
    def say(key: Key, turn: int) -> Said:
        if player.ended == last:
            trial.stop.now("interrupted", "")
        return right(key, turn)

    player = Player(say)
    trial = talk(tmp_path, player, way, connections=2)
    assert trial.work().stop.reason == "interrupted"
    assert len(trial.calls) == len(player.asked) >= last
    trial.work()
    trial.assert_whole()
    assert len(player.asked) == len(set(asked(player))) == len(trial.calls) == TURNS * TASKS
    assert {row["won"] for row in trial.samples} == {True}


class Other(OneShot):
    """An agent that says something else than what was asked before: other messages, or other tools."""

    def __init__(self, word: str = "", tools: Sequence[Tool] = ()) -> None:
        self.word = word
        self.tools = tools

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        async def otherwise(messages: Sequence[Message], tools: Sequence[Tool] = (), **said: Any) -> Reply:
            changed = replace(messages[-1], text=f"{messages[-1].text}{self.word}")
            return await ask([*messages[:-1], changed], [*tools, *self.tools], **said)

        await super().play(attempt, otherwise)


DETAILED = replace(LOOK, description="Look well.")
NARROW = replace(LOOK, parameters={"type": "object", "properties": {"where": {"const": "here"}}})


@for_each(
    ("before", "after"),
    [
        (Other(), Other("!")),
        (Other(), Other(tools=[LOOK])),
        (Other(tools=[LOOK]), Other()),
        (Other(tools=[LOOK]), Other(tools=[LOOK, LOOK])),
        (Other(tools=[LOOK]), Other(tools=[DETAILED])),
        (Other(tools=[LOOK]), Other(tools=[NARROW])),
    ],
)
def test_a_reply_that_was_kept_is_not_for_another_request(tmp_path: Path, before: Other, after: Other) -> None:
    def say(key: Key, turn: int) -> Said:
        if turn == 2:
            raise Killed
        return right(key, turn)

    trial = talk(tmp_path, Player(say), "turns", connections=1)
    trial.agent = before
    with pytest.raises(Killed):
        trial.work()
    assert kept(trial) == {(("t0", 0), 0)}
    player = trial.model = Player()
    trial.agent = after
    trial.work()
    trial.assert_whole()
    assert len(player.asked) == TURNS * TASKS
    assert len(trial.calls) == TURNS * TASKS + 1, "what was paid for stays, also where it is of no use"
    assert {row["calls"] for row in trial.samples} == {TURNS}


@for_each("way", WAYS)
def test_a_call_that_failed_is_asked_again_in_the_next_session_after_the_ones_that_did_not(
    tmp_path: Path, way: str
) -> None:
    player = Player(lambda key, turn: right(key, turn) if turn < 3 else failure(ErrorKind.SERVER))
    trial = talk(tmp_path, player, way, retries=0)
    trial.work()
    assert trial.statuses() == {"server": TASKS}
    player = trial.model = Player()
    trial.work()
    trial.assert_whole()
    assert sorted(asked(player)) == [((f"t{number}", 0), 2) for number in range(TASKS)]
    assert trial.statuses() == {"ok": TASKS}
    assert {row["output_tokens"] for row in trial.samples} == {3}


# -- tools ------------------------------------------------------------------------------------------------------------


def test_tools_are_offered_in_every_call_and_their_results_come_back(tmp_path: Path) -> None:
    player = Player(looking)
    trial = Trial(tmp_path, Numbers(2, TURNS, [LOOK]), player)
    trial.work()
    trial.assert_whole()
    assert player.offered == [(LOOK,)] * 2 * TURNS
    assert {dump_row({"tools": call["tools"]}) for call in trial.whole_calls} == {dump_row({"tools": [LOOK.as_row()]})}
    last = next(call for call in trial.whole_calls if (call["task_id"], call["call"]) == ("t1", TURNS - 1))
    expected = [Message("system", "Play."), Message("user", "t1")]
    for reply in (looking(("t1", 0), turn) for turn in (1, 2)):
        results = (Message("tool", f"look: {call.arguments}", (), call.id) for call in reply.tool_calls)
        expected += [reply.as_message(), *results]
    assert last["messages"] == [message.as_row() for message in expected]
    for row in trial.samples:
        assert (row["won"], row["details"], len(row["replies"])) == (True, {"schema": 1, "turns": TURNS}, TURNS)
        assert [len(reply["tool_calls"]) for reply in row["replies"]] == [2] * TURNS


def test_a_limit_reckons_with_tools_and_their_calls() -> None:
    called = Message("assistant", "", (ToolCall("1", "look", "x" * 100),))
    plain = Request("t", 0, [Message("user", "x" * 8)])
    assert count_characters(plain) == 8
    assert count_characters(replace(plain, messages=[*plain.messages, called])) == 108
    seen = Message("user", "", pictures=("data:image/png;base64,",))
    assert count_characters(replace(plain, messages=[*plain.messages, seen])) == 8 + 3_000
    assert count_characters(replace(plain, tools=[LOOK])) == 8 + len(dump_row(LOOK.as_row()))
