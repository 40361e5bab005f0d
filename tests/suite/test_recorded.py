"""An attempt whose replies are recorded: faults of the agent cost one attempt, faults of the suite stop the run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from herobench.agents.agent import Agent, Ask
from herobench.conversation import Message, Reply, Tool, ToolCall
from herobench.data.errors import SuiteError
from herobench.models.model_error import ErrorKind, ModelError
from herobench.runs.folder import Key
from herobench.suite.contract import Attempt, Distance, Verdict
from herobench.suite.recorded import RecordedAttempt, replay
from tests.runs.trial import LOOK, Counted, Json, Numbers, Player, Talker, Trial, failure, looking, right, row_key
from tests.sizes import for_each

Play = Callable[[Attempt, Ask], Awaitable[None]]


class Plays(Agent):
    """An agent that is one function."""

    def __init__(self, play: Play) -> None:
        self._play = play

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        await self._play(attempt, ask)


# -- what is recorded -------------------------------------------------------------------------------------------------


def test_replies_are_recorded_in_order_up_to_the_end() -> None:
    attempt = RecordedAttempt(Numbers(2, 3, [LOOK]), "t1", 4)
    assert attempt.messages == (Message("system", "Play."), Message("user", "t1"))
    assert attempt.tools == (LOOK,)
    replies = [Reply("t1 a", (ToolCall("c", "look", "{}"),)), Reply("t1 b"), Reply("t1 c")]
    told = []
    for number, reply in enumerate(replies, 1):
        assert not attempt.over
        told.append(attempt.step(reply))
        assert attempt.replies == replies[:number]
    assert attempt.over
    assert told == [(Message("tool", "look: {}", (), "c"),), (Message("user", "Go on, 2."),), None]
    assert attempt.grade().won


def test_a_sample_has_the_replies_that_the_attempt_was_given_and_no_others(tmp_path: Path) -> None:
    trial = Trial(tmp_path, Numbers(2, 2, [LOOK]), Player(looking), Talker(3))
    trial.work()
    trial.assert_whole()
    for row in trial.samples:
        assert [reply["text"][3:] for reply in row["replies"]] == ["3", "6"]
        assert [len(reply["tool_calls"]) for reply in row["replies"]] == [2, 2]
        assert row["calls"] == 6


def test_a_replay_reaches_the_same_state() -> None:
    suite = Numbers(1, 3)
    replies = [Reply("t0 a"), Reply("no"), Reply("t0 c")]
    for count in range(1, 4):
        attempt = RecordedAttempt(suite, "t0", 0)
        for reply in replies[:count]:
            attempt.step(reply)
        again = replay(suite, "t0", 0, replies[:count])
        assert (again.replies, again.over, again.grade()) == (attempt.replies, attempt.over, attempt.grade())


def test_an_attempt_without_a_reply_is_not_graded() -> None:
    attempt = RecordedAttempt(Numbers(1), "t0", 0)
    with pytest.raises(SuiteError, match=r"^The attempt at t0 was graded before it had a reply\.$"):
        attempt.grade()
    assert attempt.failure is not None


def test_a_replay_ends_where_the_suite_ends_the_attempt_now() -> None:
    attempt = replay(Numbers(1, 2), "t0", 0, [Reply("t0 a"), Reply("t0 b"), Reply("t0 c")])
    assert (len(attempt.replies), attempt.over, attempt.grade().won) == (2, True, True)


def test_a_suite_that_needs_more_replies_now_grades_those_there_are() -> None:
    attempt = replay(Numbers(1, 3), "t0", 0, [Reply("t0 a")])
    assert (attempt.over, attempt.grade().won, attempt.grade().progress) == (False, False, 100 / 3)


# -- faults of the agent ----------------------------------------------------------------------------------------------


async def says_nothing(attempt: Attempt, ask: Ask) -> None:
    await ask(attempt.messages)


async def gives_none(attempt: Attempt, ask: Ask) -> None:
    attempt.step(None)  # type: ignore[arg-type]


async def gives_a_text(attempt: Attempt, ask: Ask) -> None:
    attempt.step((await ask(attempt.messages)).text)  # type: ignore[arg-type]


async def never_stops(attempt: Attempt, ask: Ask) -> None:
    while True:
        attempt.step(await ask(attempt.messages))


FAULTS: dict[str, tuple[Play, str]] = {
    "no reply": (says_nothing, "it gave no reply to the attempt"),
    "none": (gives_none, "it gave a NoneType to the attempt, not a Reply"),
    "a text": (gives_a_text, "it gave a str to the attempt, not a Reply"),
    "after the end": (never_stops, "it gave a reply to an attempt that is over"),
}


@for_each("fault", FAULTS)
def test_an_agent_that_breaks_its_contract_loses_the_attempt_and_not_the_run(tmp_path: Path, fault: str) -> None:
    play, told = FAULTS[fault]

    async def breaks_at_t1(attempt: Attempt, ask: Ask) -> None:
        if attempt.messages[-1].text == "t1":
            await play(attempt, ask)
        else:
            attempt.step(await ask(attempt.messages))

    suite = Numbers(3)
    trial = Trial(tmp_path, suite, Player(), Plays(breaks_at_t1))
    assert trial.work().stop.reason is None
    trial.assert_whole()
    assert trial.statuses() == {"ok": 2, "player": 1}
    (row,) = [row for row in trial.samples if row["error"]]
    assert row["error"] == {"kind": "player", "message": f"The agent raised TypeError: {told}", "status": None}
    assert (row["task_id"], row["won"], row["replies"]) == ("t1", None, None)
    assert sorted(suite.graded) == [("t0", 0), ("t2", 0)]


def test_an_agent_may_leave_an_attempt_early_and_is_graded_by_what_it_gave(tmp_path: Path) -> None:
    async def leaves(attempt: Attempt, ask: Ask) -> None:
        attempt.step(await ask(attempt.messages))

    trial = Trial(tmp_path, Numbers(1, 4), Player(), Plays(leaves))
    trial.work()
    (row,) = trial.samples
    assert (row["won"], row["progress"], len(row["replies"])) == (False, 25.0, 1)


# -- faults of the suite ----------------------------------------------------------------------------------------------


class Faulty(Numbers):
    """A suite that fails in one place at the attempt of t1; what it raises is a function's."""

    def __init__(self, place: str, error: Callable[[], Exception]) -> None:
        super().__init__(3, 2)
        self.place = place
        self.error = error

    def check(self, place: str, task_id: str) -> None:
        if (place, task_id) == (self.place, "t1"):
            raise self.error()

    def open(self, task_id: str, epoch: int) -> Attempt:
        self.check("open", task_id)
        return FaultyAttempt(self, (task_id, epoch))

    def grade(self, task_id: str, epoch: int, replies: Sequence[Reply]) -> Verdict:
        self.check("grade", task_id)
        return super().grade(task_id, epoch, replies)

    def blank(self, task_id: str) -> Json:
        self.check("blank", task_id)
        return super().blank(task_id)


class FaultyAttempt(Counted):
    def __init__(self, suite: Faulty, key: Key) -> None:
        super().__init__(suite, key)
        self._faulty = suite

    def _check(self, place: str) -> None:
        self._faulty.check(place, self._key[0])

    @property
    def messages(self) -> Sequence[Message]:
        self._check("messages")
        return super().messages

    @property
    def tools(self) -> Sequence[Tool]:
        self._check("tools")
        return super().tools

    def step(self, reply: Reply) -> Sequence[Message] | None:
        told = super().step(reply)
        self._check("step")
        return told


PLACES = ["open", "messages", "tools", "step", "grade"]
ERRORS: Mapping[str, Callable[[], Exception]] = {
    "LookupError: gone": lambda: LookupError("gone"),
    "OSError: theirs": lambda: OSError("theirs"),
    "StopIteration: ": StopIteration,
    "ModelError: a judge is out of order": lambda: ModelError(ErrorKind.SERVER, "a judge is out of order"),
}


@for_each("place", PLACES)
@for_each("told", ERRORS)
def test_an_exception_of_the_suite_stops_the_run_and_leaves_the_attempt_owed(
    tmp_path: Path, place: str, told: str
) -> None:
    trial = Trial(tmp_path, Faulty(place, ERRORS[told]), Player(), connections=1)
    with pytest.raises(SuiteError) as caught:
        trial.work()
    assert str(caught.value) == f"The suite numbers failed at t1, epoch 0: {told}"
    assert ("t1", 0) not in map(row_key, trial.samples), "it is not counted as an unmeasured attempt"
    kept = len(trial.calls)
    player = trial.model = Player()
    trial.suite = Numbers(3, 2)
    trial.work()
    trial.assert_whole()
    assert len(player.asked) == 6 - kept, "what was written before stays"
    assert trial.statuses() == {"ok": 3}


def swallowing(error: type[Exception] | None) -> Agent:
    """An agent that catches what is raised at it, and raises something else or nothing."""

    async def play(attempt: Attempt, ask: Ask) -> None:
        try:
            attempt.step(await ask(attempt.messages))
            attempt.step(await ask(attempt.messages))
        except Exception:
            if error is not None:
                raise error("mine") from None

    return Plays(play)


@for_each("error", [None, ValueError, lambda told: ModelError(ErrorKind.CONTEXT, told)])
@for_each("place", ["messages", "step"])
def test_no_agent_hides_a_failure_of_the_suite(tmp_path: Path, place: str, error: Any) -> None:
    trial = Trial(tmp_path, Faulty(place, LookupError), Player(), swallowing(error), connections=1)
    with pytest.raises(SuiteError, match="failed at t1, epoch 0: LookupError"):
        trial.work()
    assert ("t1", 0) not in map(row_key, trial.samples)


def test_a_suite_that_cannot_describe_an_unmeasured_attempt_stops_the_run(tmp_path: Path) -> None:
    model = Player(lambda key, turn: failure(ErrorKind.CONTEXT) if key[0] == "t1" else right(key, turn))
    trial = Trial(tmp_path, Faulty("blank", LookupError), model, connections=1)
    with pytest.raises(SuiteError, match=r"numbers failed in blank\('t1'\): LookupError"):
        trial.work()


class Odd(Numbers):
    """A suite whose attempts return other things than the contract says."""

    def __init__(self, told: Any = None, verdict: Any = None) -> None:
        super().__init__(1, 2)
        self._told, self._verdict = told, verdict

    def told(self, key: Key, replies: Sequence[Reply]) -> Sequence[Message] | None:
        return self._told  # type: ignore[no-any-return]

    def grade(self, task_id: str, epoch: int, replies: Sequence[Reply]) -> Verdict:
        return self._verdict  # type: ignore[no-any-return]


@for_each(
    ("suite", "told"),
    [
        (Odd(told="go on"), "a message is a str, not a Message"),
        (Odd(told=[{"role": "user"}]), "a message is a dict, not a Message"),
        (Odd(told=[Message("poet", "x")]), 'the role of a message is "poet", not one of assistant, system, tool, user'),  # type: ignore[arg-type]
        (Odd(told=7), "'int' object is not iterable"),
        (Odd(verdict={"won": True}), "its verdict is a dict, not a Verdict"),
        (Odd(), "its verdict is a NoneType, not a Verdict"),
    ],
)
def test_what_is_not_of_the_contract_is_a_failure_of_the_suite(tmp_path: Path, suite: Odd, told: str) -> None:
    trial = Trial(tmp_path, suite, Player())
    with pytest.raises(SuiteError) as caught:
        trial.work()
    assert str(caught.value) == f"The suite numbers failed at t0, epoch 0: TypeError: {told}"
    assert trial.samples == []


@for_each(
    "verdict",
    [
        Verdict(won=1, score=1.0),  # type: ignore[arg-type]
        Verdict(won=True, score=1e15),
        Verdict(won=True, score=-5.0),
        Verdict(won=True, score=float("nan")),
        Verdict(won=True, score=True),
        Verdict(won=True, score="1"),  # type: ignore[arg-type]
        Verdict(won=True, score=1.0, progress=1e300),
        Verdict(won=True, score=1.0, failure=3),  # type: ignore[arg-type]
        Verdict(won=True, score=1.0, unfinished=3),  # type: ignore[arg-type]
        Verdict(won=True, score=1.0, details=[]),  # type: ignore[arg-type]
        Verdict(won=True, score=1.0, events=[1]),  # type: ignore[arg-type]
    ],
)
def test_a_verdict_that_no_sample_can_keep_is_a_failure_of_the_suite(verdict: Verdict) -> None:
    class OddAttempt(Attempt):
        messages = (Message("user", "?"),)

        def step(self, reply: Reply) -> None: ...

        def grade(self) -> Verdict:
            return verdict

    suite = Numbers(1)
    suite.open = lambda task_id, epoch: OddAttempt()  # type: ignore[method-assign,assignment,return-value]
    attempt = RecordedAttempt(suite, "t0", 0)
    attempt.step(Reply("x"))
    with pytest.raises(SuiteError, match=r"The suite .* failed at t0, epoch 0: (TypeError|ValueError)"):
        attempt.grade()


def test_an_exit_of_a_suite_is_its_failure_and_its_hands_do_not_reach_the_reply() -> None:
    class Leaving(Attempt):
        messages = (Message("user", "?"),)

        def step(self, reply: Reply) -> None:
            object.__setattr__(reply, "text", "never said")

        def grade(self) -> Verdict:
            raise SystemExit(0)

    suite = Numbers(1)
    suite.open = lambda task_id, epoch: Leaving()  # type: ignore[method-assign,assignment,return-value]
    attempt = RecordedAttempt(suite, "t0", 0)
    attempt.step(Reply("said"))
    assert [reply.text for reply in attempt.replies] == ["said"]
    with pytest.raises(SuiteError, match="SystemExit: 0"):
        attempt.grade()


# -- distances and forks ----------------------------------------------------------------------------------------------


class Near(Counted):
    """An attempt that says how far it is, and how it is copied."""

    said: Any = None
    twin: Any = None

    def distance(self) -> Any:
        return self.said

    def fork(self) -> Any:
        return self if self.twin == "itself" else self.twin


def test_a_suite_that_says_nothing_of_distances_and_forks_has_none_and_is_played_again() -> None:
    attempt = RecordedAttempt(Numbers(1, 3), "t0", 0)
    assert attempt.distance() is None
    attempt.step(Reply("t0 a"))
    twin = attempt.fork()
    assert (twin.replies, twin.over) == ([Reply("t0 a")], False)
    twin.step(Reply("t0 b"))
    assert twin.step(Reply("t0 c")) is None
    assert (len(attempt.replies), attempt.over) == (1, False)


@for_each("said", [3, Distance(3, 2), Distance(-1, 2), Distance(float("nan"), 2)])
def test_a_distance_that_is_none_is_told_as_a_fault_of_the_suite(said: Any) -> None:
    attempt = RecordedAttempt(Numbers(1, 3), "t0", 0)
    attempt._attempt = near = Near.__new__(Near)
    near.said = said
    with pytest.raises(SuiteError, match=r"The suite numbers failed at t0, epoch 0: .*distance is"):
        attempt.distance()
    assert attempt.failure


@for_each("twin", ["itself", 3])
def test_a_fork_that_is_no_other_attempt_is_told_as_a_fault_of_the_suite(twin: Any) -> None:
    attempt = RecordedAttempt(Numbers(1, 3), "t0", 0)
    attempt._attempt = near = Near.__new__(Near)
    near.twin = twin
    with pytest.raises(SuiteError, match=r"its fork is .*, and not another Attempt"):
        attempt.fork()
