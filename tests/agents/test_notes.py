"""Long attempts with a window and notes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from herobench.agents.agent import OneShot
from herobench.agents.notes import Notes
from herobench.conversation import Message, Reply, Request, Tool, Usage
from herobench.models.endpoint import Endpoint
from herobench.models.model import ModelSpec, Sampling
from herobench.models.openai_api import build
from herobench.suite.contract import Attempt
from herobench.suite.players import SuitePlayer
from herobench.suite.turns import TurnWindow
from tests.loopback import Behaviour, Loopback
from tests.runs.trial import LOOK, Counted, Json, Numbers, Trial, looking
from tests.sizes import for_each

KEY = ("t0", 0)
TURNS = 9
WRITE = "Write the notes anew"


class Writer:
    """A model that plays turns by number, and writes these notes one after the other."""

    def __init__(self, *notes: str) -> None:
        self.notes = list(notes)
        self.asked: list[tuple[str | None, list[Message], Sequence[Tool], Sequence[str]]] = []

    async def __call__(
        self, messages: Sequence[Message], tools: Sequence[Tool] = (), *, branch: Sequence[str], role: str | None = None
    ) -> Reply:
        self.asked.append((role, list(messages), tools, branch))
        if role is not None:
            return Reply(self.notes.pop(0))
        return looking(KEY, sum(role is None for role, *_ in self.asked))

    def sent(self, branch: str, role: str | None = None) -> list[Message]:
        (messages,) = (messages for kind, messages, _, (first, *_) in self.asked if (kind, first) == (role, branch))
        return messages


def play(writer: Writer, window: str, turns: int = TURNS, attempt: Attempt | None = None) -> Attempt:
    attempt = attempt or Numbers(1, turns, [LOOK]).open(*KEY)
    asyncio.run(Notes(window).play(attempt, writer))
    return attempt


def turns_in(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages if message.role == "assistant"]


def test_the_model_is_sent_the_opening_its_notes_and_the_latest_turns() -> None:
    writer = Writer("I looked.", "I looked on.")
    assert play(writer, "4").grade().won
    assert [role for role, *_ in writer.asked] == [*[None] * 5, "notes", *[None] * 3, "notes", None]
    assert turns_in(writer.sent("Turn 5")) == ["t0 1", "t0 2", "t0 3", "t0 4"]
    (system, user, *turns) = writer.sent("Turn 6")
    assert (system.text, user.text.startswith("t0\n\n"), "I looked." in user.text) == ("Play.", True, True)
    assert [message.role for message in turns] == ["assistant", "tool", "tool"] * 2, "every result has its call"
    assert turns_in(turns) == ["t0 4", "t0 5"]
    assert turns_in(writer.sent("Turn 8")) == ["t0 4", "t0 5", "t0 6", "t0 7"], "the notes stay for some turns"
    last = writer.sent("Turn 9")
    assert "I looked on." in last[1].text
    assert "I looked." not in last[1].text
    assert turns_in(last) == ["t0 7", "t0 8"]


def test_the_newest_turn_is_sent_in_the_narrowest_window() -> None:
    writer = Writer("I looked.")
    play(writer, "1", turns=3)
    assert turns_in(writer.sent("Turn 3")) == ["t0 2"]


def test_notes_are_written_of_the_opening_the_notes_before_and_the_turns_that_go() -> None:
    writer = Writer("I looked.", "I looked on.")
    play(writer, "4")
    (system, first), (_, second) = writer.sent("Turn 5", "notes"), writer.sent("Turn 8", "notes")
    assert [tools for role, _, tools, _ in writer.asked if role] == [(), ()]
    assert (system.text, first.role, WRITE in first.text) == ("Play.", "user", True)
    for part in ("t0 1", 'look({"where": "t0"})', 'look: {"where": "t0"}', "t0 3"):
        assert part in first.text
    assert "t0 4" not in first.text
    assert "## Turn 3" in first.text
    assert "I looked." in second.text
    assert "## Turn 4" in second.text
    assert "## Turn 3" not in second.text


def test_notes_are_cut_and_have_no_thoughts() -> None:
    writer = Writer(f"<think>What?</think>{'n' * 5_000}")
    play(writer, "4", turns=6)
    assert writer.sent("Turn 6")[1].text.count("n" * 4_000) == 1
    assert "n" * 4_001 not in writer.sent("Turn 6")[1].text
    assert "What?" not in writer.sent("Turn 6")[1].text


def test_no_turn_is_lost_where_the_model_writes_nothing() -> None:
    writer = Writer("", "<think>Hm", "All of it.")
    play(writer, "2", turns=6)
    assert turns_in(writer.sent("Turn 5")) == ["t0 1", "t0 2", "t0 3", "t0 4"]
    assert turns_in(writer.sent("Turn 6")) == ["t0 5"]


class Windowed(Counted):
    """An attempt that sends its two latest turns, with a state in the opening."""

    def __init__(self) -> None:
        super().__init__(Numbers(1, 7), KEY)
        self._window = TurnWindow(2)
        self._last: list[Message] = []

    @property
    def conversation(self) -> Sequence[Message]:
        return [Message("user", f"State {len(self._replies)}"), *self._window.before_last(), *self._last]

    def step(self, reply: Reply) -> Sequence[Message] | None:
        messages = super().step(reply)
        self._window.add(reply, messages or ())
        self._last = [*(messages or ())][-1:]
        return messages


def test_a_suite_with_a_window_sends_it_and_the_notes_tell_what_left_it() -> None:
    writer = Writer("1 and 2", "3", "4", "5")
    play(writer, "10", attempt=Windowed())
    assert writer.sent("Turn 3")[0].text == "State 2"
    opening, *turns = writer.sent("Turn 4")
    assert opening.text.startswith("State 3\n\n")
    assert "1 and 2" in opening.text
    assert turns_in(turns) == ["t0 2", "t0 3"]
    assert turns_in(writer.sent("Turn 7")) == ["t0 5", "t0 6"]
    narrow = Writer(*map(str, range(9)))
    play(narrow, "1", attempt=Windowed())
    assert turns_in(narrow.sent("Turn 7")) == ["t0 6"], "a window of the agent's own is as narrow as it says"


def test_a_player_of_a_suite_writes_no_notes() -> None:
    class Fixed(SuitePlayer):
        async def _answer(self, request: Request) -> Reply:
            return Reply("a move")

    replies = [asyncio.run(Fixed("p").reply(Request("t0", 0, (), role=role))) for role in (None, "notes")]
    assert [reply.text for reply in replies] == ["a move", ""]


# -- runs -------------------------------------------------------------------------------------------------------------


class Killed(BaseException): ...


class Reader:
    """A model for runs, whose reply depends on all that is sent. At the call of a number it is killed."""

    def __init__(self, killed_at: int | None = None) -> None:
        self.killed_at = killed_at
        self.calls = 0

    async def reply(self, request: Request) -> Reply:
        self.calls += 1
        if self.calls == self.killed_at:
            raise Killed
        written = "\n".join(message.text for message in request.messages)
        digest = sum(place * ord(letter) for place, letter in enumerate(written, 1))
        text = f"{'notes' if WRITE in written else request.task_id} {digest}"
        return Reply(text, usage=Usage(len(written), 10), stop="stop", model="m")

    async def close(self) -> None: ...


def run(path: Path, model: Any) -> Trial:
    return Trial(path, Numbers(1, TURNS), model, Notes("4"), connections=1)


def told(row: Json) -> Any:
    return row["role"], row["messages"], row["reply"]["text"]


@for_each("at", range(1, TURNS + 3))
def test_a_run_that_was_killed_goes_on_with_the_notes_that_it_kept(at: int, tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", Reader())
    torn = run(tmp_path / "torn", Reader(at))
    for trial in (whole, torn):
        trial.path.mkdir()
    whole.work()
    with pytest.raises(Killed):
        torn.work()
    torn.model = again = Reader()
    torn.work()
    torn.assert_whole()
    assert again.calls == TURNS + 2 - (at - 1), "no notes are written, and no turn is played, for a second time"
    assert list(map(told, torn.whole_calls)) == list(map(told, whole.whole_calls))
    (one,), (other,) = whole.samples, torn.samples
    assert one["replies"] == other["replies"]
    assert len(one["replies"]) == TURNS, "notes are no reply to the attempt"
    for column in ("calls", "input_tokens", "output_tokens", "score"):
        assert one[column] == other[column]
    assert (one["calls"], one["output_tokens"]) == (TURNS + 2, 10 * (TURNS + 2)), "notes are counted"


def test_a_server_is_sent_less_than_by_the_plain_agent(tmp_path: Path) -> None:
    def script(key: str, attempt: int) -> Behaviour:
        return Behaviour(text="All went well." if WRITE in key else f"t0 {'word ' * 300}")

    sent: dict[str, int] = {}
    for agent in (OneShot(), Notes("4")):
        with Loopback(script, key="(?s)(.*)") as server:
            spec = ModelSpec("m", "m", Sampling(), Endpoint(server.url, connections=1))
            trial = Trial(tmp_path / type(agent).__name__, Numbers(1, 30, [LOOK]), build(spec), agent)
            trial.path.mkdir()
            trial.work()
            assert all(("tools" in record.body) is (WRITE not in record.key) for record in server.records())
        trial.assert_whole()
        (sample,) = trial.samples
        assert sample["won"]
        sent[type(agent).__name__] = sample["input_tokens"]
    assert sent["Notes"] < sent["OneShot"] / 2
