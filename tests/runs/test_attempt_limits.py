"""Attempts that end early: at a limit, or where their agent sees no way on. And requests that are asked again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from herobench.agents.agent import Agent, Ask, OneShot, Unfinished
from herobench.conversation import Form, Message, Reply, ToolCall
from herobench.data.rows import dump_row
from herobench.models.model import Price
from herobench.models.model_error import ErrorKind
from herobench.runs import asking
from herobench.runs.folder import Key
from herobench.runs.journal import stored_replies
from herobench.runs.options import AttemptLimits
from herobench.suite.contract import Attempt
from herobench.suite.recorded import replay
from tests.runs.trial import DOLLAR_A_TOKEN, Acting, Numbers, Player, Talker, Trial, failure, right
from tests.sizes import for_each

FORM = Form("answer", {"type": "object", "properties": {"a": {}}, "required": ["a"]})


def trial(path: Path, agent: Agent, say: Any = right, turns: int = 1, **more: Any) -> Trial:
    return Trial(path, Numbers(2, turns), Player(say), agent, **more)


def ends(made: Trial) -> list[tuple[Any, ...]]:
    """What each sample says: how often the model was asked, the replies, the score and why it is unfinished."""
    made.assert_whole()
    return [
        (row["calls"], [reply["text"] for reply in row["replies"]], row["score"], row["unfinished"])
        for row in made.samples
    ]


@for_each(
    ("limits", "told"),
    [
        ({"calls": 5}, "the limit of 5 calls an attempt is reached"),
        ({"tokens": 5}, "the limit of 5 tokens an attempt is reached"),
        ({"cost": 4.5}, "the limit of a cost of 4.5 an attempt is reached"),
        ({"calls": 5, "tokens": 9, "cost": 9.0}, "the limit of 5 calls an attempt is reached"),
    ],
)
def test_an_attempt_ends_at_its_limit_and_is_judged_by_what_it_has(
    limits: dict[str, Any], told: str, tmp_path: Path
) -> None:
    made = trial(tmp_path, Talker(2), turns=3, limits=AttemptLimits(**limits), price=DOLLAR_A_TOKEN)
    made.work()
    for (calls, replies, score, unfinished), task_id in zip(ends(made), made.task_ids, strict=True):
        assert (calls, replies, score) == (5, [f"{task_id} 2", f"{task_id} 4"], 0.0)
        assert unfinished == told
    assert {row["progress"] for row in made.samples} == {100 * 2 / 3}


def test_the_time_of_all_calls_counts() -> None:
    limits = AttemptLimits(seconds=5.0)
    assert [limits.seconds_left(spent) for spent in (0.0, 2.0, 9.0)] == [5.0, 3.0, 0.0]
    assert limits.reached(9, 9, 9.0, 4.9) is None
    assert limits.reached(0, 0, 0.0, 5.0) == "the limit of 5 seconds an attempt is reached"
    assert AttemptLimits().seconds_left(9.0) is None


def test_an_attempt_whose_reply_does_not_come_ends_at_its_limit_of_time(tmp_path: Path) -> None:
    def say(key: Key, turn: int) -> Any:
        return right(key, turn) if key[0] == "t1" else asyncio.sleep(3600)

    made = trial(tmp_path, OneShot(), say, limits=AttemptLimits(seconds=0.5))
    made.work()
    told = "the limit of 0.5 seconds an attempt is reached"
    samples = {row["task_id"]: (row["calls"], row["retries"], row["won"], row["unfinished"]) for row in made.samples}
    assert samples == {"t0": (1, 0, False, told), "t1": (1, 0, True, None)}
    (cut,) = [call for call in made.calls if call["reply"] is None]
    assert (cut["task_id"], cut["error"]) == ("t0", {"kind": "timeout", "message": told, "status": None})


def test_an_attempt_within_its_limits_is_finished(tmp_path: Path) -> None:
    made = trial(tmp_path, Talker(2), turns=3, limits=AttemptLimits(6, 6, 6.0), price=DOLLAR_A_TOKEN)
    made.work()
    assert [end[2:] for end in ends(made)] == [(100.0, None), (100.0, None)]


def test_tokens_and_costs_are_guessed_where_the_server_counts_none(tmp_path: Path) -> None:
    """A quarter of the characters sent, and the limit of tokens for the reply. Without such a limit it is a quarter of
    what was said, thoughts and calls too."""

    def uncounted(key: Key, turn: int) -> Reply:
        return Reply(f"{key[0]} " + "x" * 197, (ToolCall("1", "look", "x" * 100),), reasoning="x" * 100)

    def calls(name: str, price: Price | None, most: int | None, **limits: Any) -> tuple[int, float | None]:
        path, made_limits = tmp_path / name, AttemptLimits(**limits)
        made = trial(path, Talker(9), uncounted, limits=made_limits, price=price, most_tokens=most)
        cost = made.work().standing.cost
        (count,) = {end[0] for end in ends(made)}
        return count, cost

    assert calls("tokens", None, None, tokens=90) == (1, None)
    assert calls("two", None, None, tokens=250) == (2, None)
    of_replies = Price(0.0, 1e6, 0.0)
    assert calls("said", of_replies, None, cost=150.0) == (2, 2 * 2 * 100)
    assert calls("most", of_replies, 60, cost=110.0) == (2, 2 * 2 * 60)
    assert calls("no price", None, 60, cost=110.0) == (9, None)


def test_an_attempt_whose_replies_fill_a_line_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_MOST_BYTES", 10_000)
    made = trial(tmp_path, Talker(9), lambda key, turn: Reply("x" * 4000))
    made.work()
    assert [end[0::3] for end in ends(made)] == [(3, "the replies of the attempt have more than 0 MiB")] * 2


@for_each("before", [0, 1, 3])
def test_a_conversation_that_outgrows_the_context_is_judged_by_what_it_has(before: int, tmp_path: Path) -> None:
    """It grew by what the model said. A prompt that is too long by itself says nothing of the model."""

    def say(key: Key, turn: int) -> Any:
        return right(key, turn) if turn <= before else failure(ErrorKind.CONTEXT)

    made = trial(tmp_path, OneShot(), say, turns=5)
    made.work()
    if before == 0:
        assert set(made.statuses()) == {"context"}
        return
    told = "the conversation has outgrown the context of the model: It failed by context."
    assert [end[0::3] for end in ends(made)] == [(before + 1, told)] * 2
    assert {row["progress"] for row in made.samples} == {100 * before / 5}
    asked = len(made.model.requests)  # type: ignore[attr-defined]
    made.work()
    assert len(made.model.requests) == asked, "it is done"  # type: ignore[attr-defined]


def test_several_requests_at_a_time_do_not_pass_the_limit_of_calls(tmp_path: Path) -> None:
    async def ask_all(attempt: Attempt, ask: Ask) -> None:
        replies = await asyncio.gather(*(ask(attempt.messages) for _ in range(9)), return_exceptions=True)
        attempt.step(next(reply for reply in replies if isinstance(reply, Reply)))
        raise next(reply for reply in replies if isinstance(reply, Exception))

    made = trial(tmp_path, Acting(ask_all), limits=AttemptLimits(calls=4))
    made.work()
    assert [end[0] for end in ends(made)] == [4, 4]
    assert [end[2] for end in ends(made)] == [100.0, 100.0]


@for_each(
    ("reason", "kept"),
    [
        ("no plan was accepted", "no plan was accepted"),
        ("", "the agent gives no reason"),
        ("\ud800 no", "\ud800 no"),
        ("x" * 100_000, "x" * 1000),
    ],
)
def test_an_attempt_without_a_reply_is_closed_with_one_that_says_why(reason: str, kept: str, tmp_path: Path) -> None:
    async def despair(attempt: Attempt, ask: Ask) -> None:
        await ask(attempt.messages)
        raise Unfinished(reason)

    made = trial(tmp_path, Acting(despair))
    made.work()
    assert ends(made) == [(1, [f"No answer: {kept}."], 0.0, kept)] * 2
    assert {row["model"] for row in made.samples} == {"m"}, "as the server named it"
    for row in made.samples:
        again = replay(made.suite, row["task_id"], 0, stored_replies(row)).grade()
        assert (again.won, again.score) == (row["won"], row["score"])


def test_a_failure_of_the_model_is_not_measured_whatever_the_limits(tmp_path: Path) -> None:
    made = trial(tmp_path, Talker(3), lambda key, turn: failure(ErrorKind.AUTH), limits=AttemptLimits(calls=2))
    made.work()
    assert made.statuses() == {"auth": 2}
    assert [row["unfinished"] for row in made.samples] == [None, None]


# -- equal requests ----------------------------------------------------------------------------------------------------


async def ask_the_same(attempt: Attempt, ask: Ask) -> None:
    replies = [await ask(attempt.messages, role="planner") for _ in range(3)]
    other = await ask([Message("user", "other")], role="critic", form=FORM, branch=["Choice", "Try 1"])
    last = await ask(attempt.messages, form=FORM)
    attempt.step(Reply(f"{replies[0].text}|" + "|".join(reply.text for reply in [*replies[1:], other, last])))


def test_equal_requests_are_numbered_and_each_gets_its_own_reply(tmp_path: Path) -> None:
    made = trial(tmp_path, Acting(ask_the_same))
    made.work()
    asked = [request for request in made.model.requests if request.task_id == "t0"]  # type: ignore[attr-defined]
    assert [request.repeat for request in asked] == [0, 1, 2, 0, 0], "another form makes another request"
    assert [(request.role, request.form) for request in asked[2:]] == [
        ("planner", None),
        ("critic", FORM),
        (None, FORM),
    ]
    rows = [row for row in made.calls if row["task_id"] == "t0"]
    assert [(row["role"], row["form"], row["branch"]) for row in rows[2:]] == [
        ("planner", None, []),
        ("critic", "answer", ["Choice", "Try 1"]),
        (None, "answer", []),
    ]
    said = {row["task_id"]: row["replies"][0]["text"] for row in made.samples}
    assert said["t0"] == "t0 1|t0 2|t0 3|t0 4|t0 5"


@for_each("kept", range(6))
def test_a_resumed_attempt_gets_equal_requests_replied_in_their_order(kept: int, tmp_path: Path) -> None:
    whole = trial(tmp_path / "whole", Acting(ask_the_same))
    whole.work()
    own = [row for row in whole.calls if row["task_id"] == "t0"][:kept]
    cut = trial(tmp_path / "cut", Acting(ask_the_same), lambda key, turn: Reply(f"{key[0]} new {turn}", model="m"))
    cut.path.mkdir(exist_ok=True)
    (cut.path / "calls.jsonl").write_text("".join(map(dump_row, own)))
    cut.work()
    cut.assert_whole()
    (row,) = (row for row in cut.samples if row["task_id"] == "t0")
    said = [*(f"t0 {turn}" for turn in range(1, kept + 1)), *(f"t0 new {turn}" for turn in range(1, 6 - kept))]
    assert row["replies"][0]["text"] == "|".join(said)
    repeats = [request.repeat for request in cut.model.requests if request.task_id == "t0"]  # type: ignore[attr-defined]
    assert repeats == [0, 1, 2, 0, 0][kept:]
