import asyncio
from collections.abc import Sequence

import pytest

from herobench.agents.agent import build_agent
from herobench.agents.one_shot import OneShot
from herobench.conversation import Message, Reply
from herobench.errors import UsageError
from herobench.models.failure import Kind, ModelError

QUESTION = Question("t", 2, "Beat the drake.\n")


def test_one_prompt_is_asked_and_its_reply_is_the_answer() -> None:
    asked: list[Sequence[Message]] = []
    reply = Reply("a plan", reasoning="hm", stop="stop")

    async def ask(messages: Sequence[Message]) -> Reply:
        asked.append(messages)
        return reply

    assert asyncio.run(OneShot().attempt(QUESTION, ask)) is reply
    assert asked == [[Message("user", "Beat the drake.\n")]]


def test_a_failure_of_the_model_ends_the_attempt() -> None:
    async def ask(messages: Sequence[Message]) -> Reply:
        raise ModelError(Kind.AUTH, "No.")

    with pytest.raises(ModelError, match=r"^No\.$"):
        asyncio.run(OneShot().attempt(QUESTION, ask))


def test_an_agent_is_had_by_its_name() -> None:
    assert isinstance(build_agent("one-shot"), OneShot)
    with pytest.raises(UsageError, match="is one-shot meant"):
        build_agent("one-shott")
    with pytest.raises(UsageError, match=r"there are .*one-shot"):
        build_agent("zzz")
