import asyncio
import threading
from collections.abc import Sequence

import pytest

from herobench.agents import agent
from herobench.agents.agent import OneShot, Unfinished, build_agent
from herobench.conversation import Message, Reply, Tool
from herobench.models.model_error import ErrorKind, ModelError
from herobench.suite.refusals import SuiteFault
from tests.refusals import raises
from tests.runs.trial import LOOK, Numbers, looking

Asked = list[tuple[list[Message], Sequence[Tool], Sequence[str]]]


def test_one_prompt_is_asked_and_its_reply_is_given_to_the_attempt() -> None:
    asked: Asked = []
    reply = Reply("t0, a plan", reasoning="hm", stop="stop")

    async def ask(messages: Sequence[Message], tools: Sequence[Tool] = (), *, branch: Sequence[str]) -> Reply:
        asked.append((list(messages), tools, branch))
        return reply

    attempt = Numbers(1).open("t0", 2)
    asyncio.run(OneShot().play(attempt, ask))
    assert asked == [([Message("user", "t0")], (), ("Turn 1",))]
    assert attempt.grade().events == {"schema": 1, "said": ["t0, a plan"]}


def test_of_several_turns_each_is_one_call_with_all_that_was_said_before() -> None:
    asked: Asked = []

    async def ask(messages: Sequence[Message], tools: Sequence[Tool] = (), *, branch: Sequence[str]) -> Reply:
        asked.append((list(messages), tools, branch))
        return looking(("t0", 0), 0) if len(asked) == 1 else Reply("t0 as well")

    attempt = Numbers(1, 3, [LOOK]).open("t0", 0)
    asyncio.run(OneShot().play(attempt, ask))
    assert attempt.grade().won
    opening = [Message("system", "Play."), Message("user", "t0")]
    first = looking(("t0", 0), 0)
    results = [Message("tool", f"look: {call.arguments}", (), call.id) for call in first.tool_calls]
    second = [*opening, Message("assistant", "t0 0", first.tool_calls), *results]
    third = [*second, Message("assistant", "t0 as well"), Message("user", "Go on, 2.")]
    assert asked == [(opening, [LOOK], ("Turn 1",)), (second, [LOOK], ("Turn 2",)), (third, [LOOK], ("Turn 3",))]


def test_a_failure_of_the_model_ends_the_attempt() -> None:
    async def ask(messages: Sequence[Message], tools: Sequence[Tool] = (), *, branch: Sequence[str]) -> Reply:
        raise ModelError(ErrorKind.AUTH, "No.")

    with pytest.raises(ModelError, match=r"^No\.$"):
        asyncio.run(OneShot().play(Numbers(1).open("t0", 0), ask))


def test_an_attempt_that_does_not_end_is_left_and_can_be_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent, "MOST_TURNS", 5)
    asked: list[int] = []

    async def ask(messages: Sequence[Message], tools: Sequence[Tool] = (), *, branch: Sequence[str]) -> Reply:
        asked.append(len(messages))
        return Reply("t0")

    attempt = Numbers(1, turns=10**9).open("t0", 0)
    with pytest.raises(Unfinished, match=r"^the attempt did not end in 5 turns$"):
        asyncio.run(OneShot().play(attempt, ask))
    assert asked == [2, 4, 6, 8, 10]
    verdict = attempt.grade()
    assert (verdict.won, verdict.details["turns"]) == (False, 5)


def test_an_agent_is_had_by_its_name() -> None:
    assert isinstance(build_agent("one-shot"), OneShot)
    with raises(SuiteFault.NO_PLUGIN, "is one-shot meant"):
        build_agent("one-shott")
    with raises(SuiteFault.NO_PLUGIN, "one-shot"):
        build_agent("zzz")


@pytest.mark.parametrize(("waits", "clock"), [(True, "perf_counter"), (False, "thread_time")])
def test_a_turn_is_handed_to_a_thread_unless_the_one_before_was_quick(
    waits: bool, clock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([0.0, 0.02, 1.0, 1.001, 2.0, 2.5, 3.0, 3.5])
    monkeypatch.setattr(agent, clock, lambda: next(times))
    attempt = Numbers(1, 4).open("t0", 0)
    attempt.waits = waits
    here: list[bool] = []
    step = attempt.step

    def noted(reply: Reply) -> Sequence[Message] | None:
        here.append(threading.current_thread() is threading.main_thread())
        return step(reply)

    async def ask(messages: Sequence[Message], tools: Sequence[Tool] = (), *, branch: Sequence[str]) -> Reply:
        return Reply("t0")

    monkeypatch.setattr(attempt, "step", noted)
    asyncio.run(OneShot().play(attempt, ask))
    assert here == [False, False, True, False]
