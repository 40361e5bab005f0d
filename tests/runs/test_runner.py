"""Attempts worked off: each ends measured or unmeasured with its reason, once, whatever model, agent and judge do."""

from __future__ import annotations

import asyncio
import errno
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from herobench.agents.agent import Ask, OneShot
from herobench.conversation import Message, Reply
from herobench.models.model_error import ErrorKind, ModelError
from herobench.runs import runner
from herobench.runs.folder import Key
from herobench.suite.contract import Attempt, Verdict
from tests.models.test_model_error import PASSING
from tests.runs.trial import DOLLAR_A_TOKEN, Acting, Counted, Numbers, Player, Said, Trial, failure, right, row_key
from tests.sizes import for_each

HOPELESS = [ErrorKind.AUTH, ErrorKind.NO_MODEL, ErrorKind.CONNECTION, ErrorKind.QUOTA]
EXCEPTIONS = [
    ValueError("no"),
    KeyError("k"),
    OSError(errno.EIO, "theirs"),
    TimeoutError(),
    RecursionError(),
    EOFError(),
]
PLAYER = {"kind": "player", "status": None}


# -- each attempt ends ------------------------------------------------------------------------------------------------


def test_every_attempt_is_asked_and_scored_once(tmp_path: Path) -> None:
    suite, player = Numbers(20), Player(lambda key, turn: Reply(key[0] if key[1] else "wrong", model="m"))
    trial = Trial(tmp_path, suite, player, epochs=2)
    done = trial.work()
    trial.assert_whole()
    assert len(player.asked) == len(trial.calls) == 40
    assert sorted(suite.graded) == sorted(map(row_key, trial.samples))
    assert {(row["epoch"], row["won"]) for row in trial.samples} == {(0, False), (1, True)}
    assert (done.standing.measured, done.standing.wins, done.standing.owed) == (40, 20, 0)
    assert (done.standing.in_flight, done.standing.grading, done.stop.reason) == (0, 0, None)
    assert done.standing.served == {"m"}
    told = [news for news in done.news if news["event"] == "sample"]
    assert [news["measured"] for news in told] == list(range(1, 41))
    assert [row_key(dict(news)) for news in told] == list(map(row_key, trial.samples))


def test_each_failure_is_unmeasured_and_says_why(tmp_path: Path) -> None:
    kinds = {f"t{number}": kind for number, kind in enumerate(ErrorKind)}
    player = Player(lambda key, turn: failure(kinds[key[0]], status=418))
    trial = Trial(tmp_path, Numbers(len(kinds)), player, retries=2)
    done = trial.work()
    trial.assert_whole()
    for row in trial.samples:
        kind = kinds[row["task_id"]]
        assert row["error"] == {"kind": str(kind), "message": f"It failed by {kind}.", "status": 418}
        assert (row["status"], row["won"], row["cost"], row["output_tokens"]) == ("unmeasured", None, None, None)
        assert (row["replies"], row["events"], row["details"]) == (None, None, {"schema": 1, "turns": None})
        tries = 3 if kind in PASSING else 1
        assert (row["calls"], row["retries"], player.times[row_key(row)]) == (1, tries - 1, tries)
    assert (done.standing.measured, done.standing.unmeasured, done.standing.owed) == (0, len(kinds), len(kinds))
    assert done.standing.retries == 2 * len(PASSING)
    assert sum(news["event"] == "retry" for news in done.news) == 2 * len(PASSING)


def test_what_passes_is_asked_again_until_it_has_passed(tmp_path: Path) -> None:
    def say(key: Key, turn: int) -> Said:
        return failure(ErrorKind.SERVER, status=500 + turn) if turn < 3 else right(key, turn)

    trial = Trial(tmp_path, Numbers(5), Player(say), retries=2)
    trial.work()
    trial.assert_whole()
    for call in trial.calls:
        assert [(retry["kind"], retry["status"]) for retry in call["retries"]] == [("server", 501), ("server", 502)]
    assert {(row["status"], row["retries"], row["replies"][0]["text"][3:]) for row in trial.samples} == {("ok", 2, "3")}


@for_each("error", EXCEPTIONS)
@for_each("asks", [None, 0, 1])
def test_whatever_a_model_or_an_agent_raises_is_its_own_failure_and_what_was_asked_is_counted(
    tmp_path: Path, error: Exception, asks: int | None
) -> None:
    """The model raises, or the agent after so many calls."""

    async def broken(attempt: Attempt, ask: Ask) -> None:
        (prompt,) = attempt.messages
        reply = Reply(prompt.text)
        for _ in range(asks or 0):
            reply = await ask([prompt])
        if prompt.text == "t1":
            raise error
        attempt.step(reply)

    player = Player(lambda key, turn: error if asks is None and key[0] == "t1" else right(key, turn))
    agent = OneShot() if asks is None else Acting(broken)
    trial = Trial(tmp_path, Numbers(3), player, agent, price=DOLLAR_A_TOKEN)
    trial.work()
    trial.assert_whole()
    (row,) = [row for row in trial.samples if row["error"]]
    who = "model" if asks is None else "agent"
    assert row["error"] == {**PLAYER, "message": f"The {who} raised {type(error).__name__}: {error}"}
    assert row["calls"] == (1 if asks is None else asks)
    assert (row["output_tokens"], row["cost"]) == ((asks, float(asks)) if asks else (None, None))
    assert trial.statuses() == {"ok": 2, "player": 1}


# -- at once ----------------------------------------------------------------------------------------------------------


@for_each("connections", [1, 3, 16, 100])
def test_as_many_are_in_flight_as_allowed_and_no_more(tmp_path: Path, connections: int) -> None:
    async def say(key: Key, turn: int) -> Said:
        while key[0] != "t0" and player.most_in_flight < min(connections, 60):  # the first one is asked alone
            await asyncio.sleep(0)
        return failure(ErrorKind.SERVER) if turn == 1 else right(key, turn)

    player = Player(say)
    trial = Trial(tmp_path, Numbers(61), player, connections=connections)
    done = trial.work()
    trial.assert_whole()
    assert player.most_in_flight == min(connections, 60)
    assert (done.standing.in_flight, player.in_flight) == (0, 0)


@pytest.mark.slow
def test_a_first_reply_that_takes_long_keeps_the_others_waiting_for_a_moment_only(tmp_path: Path) -> None:
    async def say(key: Key, turn: int) -> Said:
        while key[0] == "t0" and player.ended < 4:
            await asyncio.sleep(0.01)
        return right(key, turn)

    player = Player(say)
    assert Trial(tmp_path, Numbers(4), player, connections=2).work().standing.measured == 4


def test_scoring_does_not_hold_up_asking(tmp_path: Path) -> None:
    count = 200
    all_asked = threading.Event()

    class Slow(Numbers):
        def grade(self, task_id: str, epoch: int, replies: Sequence[Reply]) -> Verdict:
            assert all_asked.wait(10), "nobody asks on while this one is judged"
            return super().grade(task_id, epoch, replies)

    def say(key: Key, turn: int) -> Said:
        if player.ended == count:
            all_asked.set()
        return right(key, turn)

    player = Player(say)
    trial = Trial(tmp_path, Slow(count), player, connections=2, jobs=1)
    assert trial.work().standing.measured == count
    trial.assert_whole()


def test_asking_waits_when_too_many_replies_wait_to_be_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_MOST_UNGRADED", 5)
    enough = threading.Event()

    class Waiting(Numbers):
        def grade(self, task_id: str, epoch: int, replies: Sequence[Reply]) -> Verdict:
            if not self.graded:
                assert enough.wait(10)
                time.sleep(0.05)  # for others that would come, and do not
                assert len(player.asked) == 5 + 3
            return super().grade(task_id, epoch, replies)

    def say(key: Key, turn: int) -> Said:
        if player.ended == 5 + 3:
            enough.set()
        return right(key, turn)

    player = Player(say)
    trial = Trial(tmp_path, Waiting(100), player, connections=3, jobs=1)
    trial.work()
    trial.assert_whole()


# -- ends before its time ---------------------------------------------------------------------------------------------


@for_each("kind", [*HOPELESS, ErrorKind.REFUSED])
def test_ten_that_fail_in_a_row_as_all_would_stop_the_run(tmp_path: Path, kind: ErrorKind) -> None:
    """So do ten that are refused in the same words, whatever number each request has."""

    def say(key: Key, turn: int) -> Said:
        return ModelError(kind, f"I take no tools (request id: 2026{key[0]})", status=400)

    trial = Trial(tmp_path, Numbers(30), Player(say), connections=1, retries=0)
    done = trial.work()
    assert trial.statuses() == {str(kind): 10}
    assert (done.stop.reason, done.standing.owed) == ("hopeless", 30)
    assert done.stop.message == "10 attempts in a row failed, the last one so: I take no tools (request id: 2026t9)."
    trial.model = Player()
    assert trial.work().stop.reason is None
    trial.assert_whole()
    assert trial.statuses() == {"ok": 30}, "what failed is asked again"


@for_each("connections", [4, 50])
def test_what_is_in_flight_when_it_is_hopeless_is_ended_and_the_rest_left(tmp_path: Path, connections: int) -> None:
    player = Player(lambda key, turn: failure(ErrorKind.AUTH))
    trial = Trial(tmp_path, Numbers(200), player, connections=connections)
    done = trial.work()
    assert done.stop.reason == "hopeless"
    assert 10 <= len(trial.samples) == len(player.asked) < 10 + connections
    assert len(set(map(row_key, trial.samples))) == len(trial.samples)


def in_turn(*ends: Said) -> Callable[[Key, int], Said]:
    """Let attempts end one after the other in these ways, over and over."""
    return lambda key, turn: ends[int(key[0][1:]) % len(ends)]


def refused(words: str) -> ModelError:
    return ModelError(ErrorKind.REFUSED, words, status=400)


MAYBE = [kind for kind in ErrorKind if kind not in (*HOPELESS, ErrorKind.REFUSED)]
"""What may be the fault of the task."""


@for_each(
    "ends",
    [
        [*map(failure, [*HOPELESS, *HOPELESS, HOPELESS[0]]), Reply("a reply between")],
        [*[failure(ErrorKind.AUTH)] * 9, failure(ErrorKind.FILTERED)],
        [refused("I take no a."), refused("I take no b.")],
        [*[refused("No.")] * 9, Reply("a reply between")],
        *([failure(kind)] for kind in (ErrorKind.NO_ANSWER, ErrorKind.PLAYER)),
        [failure(ErrorKind.SERVER), failure(ErrorKind.RATE_LIMIT)],
    ],
)
def test_fewer_than_ten_in_a_row_or_failures_of_other_sorts_stop_nothing(tmp_path: Path, ends: list[Said]) -> None:
    trial = Trial(tmp_path, Numbers(40), Player(in_turn(*ends)), connections=1, retries=0)
    assert trial.work().stop.reason is None
    trial.assert_whole()


OF_SERVERS = [kind for kind in MAYBE if kind not in (ErrorKind.NO_ANSWER, ErrorKind.PLAYER, ErrorKind.CONTEXT)]


@for_each("kind", OF_SERVERS)
def test_before_the_first_reply_of_a_session_ten_in_a_row_of_any_kind_stop_it(tmp_path: Path, kind: ErrorKind) -> None:
    trial = Trial(tmp_path, Numbers(40), Player(lambda key, turn: failure(kind)), connections=1, retries=1)
    done = trial.work()
    reason = "unanswered" if kind is ErrorKind.FILTERED else "hopeless"
    assert (done.stop.reason, len(trial.samples)) == (reason, 10)
    assert done.stop.message == f"10 attempts in a row failed, the last one so: It failed by {kind}."
    trial.model = Player(lambda key, turn: right(key, turn) if key[0] == "t0" else failure(kind))
    assert trial.work().stop.reason is None, "a reply has come"
    trial.model = Player()
    trial.work()
    assert trial.statuses() == {"ok": 40}


class Shortening(Counted):
    """An attempt whose prompt is shorter, the higher the number of its task is."""

    @property
    def messages(self) -> Sequence[Message]:
        (prompt,) = super().messages
        return [Message("user", "x" * 30 * (50 - int(prompt.text[1:])))]


class Shorter(Numbers):
    def open(self, task_id: str, epoch: int) -> Attempt:
        return Shortening(self, (task_id, epoch))


def test_a_run_whose_shortest_prompt_does_not_fit_the_context_ends_with_both_numbers(tmp_path: Path) -> None:
    too_long = ModelError(ErrorKind.CONTEXT, "The context has 80 tokens.")
    trial = Trial(tmp_path, Shorter(40), Player(lambda key, turn: too_long), connections=1, retries=0)
    done = trial.work()
    assert (done.stop.reason, [row["task_id"] for row in trial.samples]) == ("unanswered", ["t0", "t39"])
    assert "about 82 tokens" in done.stop.message
    assert "The context has 80 tokens." in done.stop.message
    trial.model = Player(lambda key, turn: right(key, turn) if key[0] == "t39" else too_long)
    assert trial.work().stop.reason is None, "the shortest one fits"
    trial.assert_whole()


def test_a_reply_from_a_cache_shows_nothing_of_the_server(tmp_path: Path) -> None:
    def say(key: Key, turn: int) -> Said:
        return Reply("t0", from_cache=True) if key[0] == "t0" else failure(ErrorKind.SERVER)

    assert Trial(tmp_path, Numbers(40), Player(say), connections=1, retries=0).work().stop.reason == "hopeless"


def test_a_server_that_asks_for_a_wait_beyond_all_patience_stops_the_run(tmp_path: Path) -> None:
    trial = Trial(tmp_path, Numbers(30), Player(lambda key, turn: failure(ErrorKind.RATE_LIMIT, retry_after=86_400.0)))
    assert trial.work().stop.reason == "hopeless"
    assert len(trial.samples) < 15


@for_each("connections", [1, 8])
def test_a_cost_limit_is_held_and_the_rest_left_also_by_the_next_session(tmp_path: Path, connections: int) -> None:
    player = Player()
    trial = Trial(
        tmp_path, Numbers(20), player, connections=connections, price=DOLLAR_A_TOKEN, limit=7.5, most_tokens=1
    )
    done = trial.work()
    assert (done.stop.reason, len(player.asked), len(trial.samples), done.standing.cost) == ("cost", 7, 7, 7.0)
    assert sum(call["cost"] for call in trial.calls) == 7.0
    assert trial.work().stop.reason == "cost"
    assert len(player.asked) == 7
    trial.limit = 20.0
    assert trial.work().standing.cost == 20.0
    trial.assert_whole()
    assert len(player.asked) == 20


def test_a_limit_is_held_also_where_nobody_knows_beforehand_how_long_replies_get(tmp_path: Path) -> None:
    """The first call shows what a call costs: until then no others may go out beside it."""
    player = Player()
    trial = Trial(tmp_path, Numbers(20), player, connections=8, price=DOLLAR_A_TOKEN, limit=2.5)
    assert trial.work().stop.reason == "cost"
    assert len(player.asked) <= 3


def test_who_waits_to_ask_again_is_woken_by_a_stop_and_stays_owed(tmp_path: Path) -> None:
    def say(key: Key, turn: int) -> Said:
        if player.ended == 5:
            trial.stop.now("interrupted", "")
        return failure(ErrorKind.RATE_LIMIT, retry_after=1800.0)

    player = Player(say)
    trial = Trial(tmp_path, Numbers(5), player, connections=5)
    assert trial.work().standing.owed == 5
    assert (trial.samples, trial.calls) == ([], [])
    trial.model = Player()
    trial.work()
    trial.assert_whole()
