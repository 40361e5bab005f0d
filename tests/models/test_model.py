import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.conversation import Message, Reply, Request, ToolCall, Usage
from herobench.models.messages import count, entries, mapping, text
from herobench.models.model import MOST_CHARACTERS, ModelSpec, Sampling, ask_model, cut
from herobench.models.model_error import ModelError, ModelFault
from tests.models.asked import JSON
from tests.refusals import raises
from tests.sizes import for_each

COUNTS = st.none() | st.integers(0, 10**9)
USAGES = st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS)
TEXTS = st.none() | st.text()
CALLS = st.lists(st.builds(ToolCall, st.text(), st.text(), st.text()), max_size=2).map(tuple)
REPLIES = st.builds(Reply, st.text(), CALLS, TEXTS, TEXTS, TEXTS, USAGES, TEXTS, TEXTS)


def test_usages_add_up_and_what_neither_said_stays_unsaid() -> None:
    assert Usage(1, 2, 3, None) + Usage(10, None, 30, None) == Usage(11, 2, 33, None)
    assert Usage(0) + Usage() == Usage(0)


@given(USAGES, USAGES, USAGES)
def test_usages_add_up_in_any_order_and_nothing_adds_nothing(one: Usage, two: Usage, three: Usage) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert one + Usage() == one


@given(REPLIES)
def test_a_reply_comes_back_from_its_row(reply: Reply) -> None:
    assert Reply.from_row(json.loads(json.dumps(reply.as_row()))) == reply


def test_a_message_is_kept_without_the_fields_that_it_does_not_use() -> None:
    assert Message("user", "Beat the drake.").as_row() == {"role": "user", "content": "Beat the drake."}
    assert Message("tool", "", call_id="a").as_row() == {"role": "tool", "content": "", "call_id": "a"}
    call = {"id": "a", "name": "look", "arguments": "{"}
    said = Reply("Go!", (ToolCall(**call),), reasoning="hm").as_message()
    assert said.as_row() == {"role": "assistant", "content": "Go!", "tool_calls": [call]}


def test_only_what_is_left_to_the_server_was_not_chosen() -> None:
    assert Sampling().chosen() == []
    assert Sampling(temperature=0.0, seed=0).chosen() == ["temperature", "seed"]
    assert Sampling(1, 1.0, 1.0, 1, "low", {"a": None}).chosen() == list(Sampling.__slots__)


def test_a_model_that_takes_no_options_refuses_them_by_name() -> None:
    ModelSpec("oracle", "").without_sampling()
    with raises(ModelFault.UNUSED_OPTIONS, "oracle", "max_tokens, extra_body"):
        ModelSpec("oracle", "", Sampling(max_tokens=5, extra_body={"a": 1})).without_sampling()


@given(JSON)
def test_a_value_of_a_server_is_what_it_should_be_or_absent(value: object) -> None:
    assert mapping(value) == (value if isinstance(value, dict) else {})
    assert entries(value) == (value if isinstance(value, list) else [])
    assert text(value) == (value if isinstance(value, str) and value else None)
    counted = count(value)
    assert counted is None or (type(counted) is int and counted == value and type(value) is not bool)


def test_a_count_beyond_all_that_can_be_counted_is_none() -> None:
    assert count(10**12) == 10**12
    assert count(10**400) is None


class Says:
    """A model that says one thing."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    async def reply(self, request: Request) -> Reply:
        return self._reply

    async def close(self) -> None: ...


def said(reply: Reply) -> Reply:
    return asyncio.run(ask_model(Says(reply), Request("t", 0, [])))


MOST = 10_000
LONG = "\0" * (MOST + MOST // 2)


@for_each(
    "reply",
    [
        Reply(LONG, (ToolCall("a", "look", "{}"),), LONG, LONG, "stop"),
        Reply("a", (ToolCall("a", LONG, LONG),), stop="stop"),
        Reply("a", (ToolCall("", "", ""),) * 200, stop="stop"),
        Reply("a", reasoning=LONG, stop="stop"),
        Reply("a", stop="stop", server_fields={"extra_content": [LONG]}),
    ],
)
def test_a_reply_that_is_too_long_for_a_line_ends_early_as_at_a_limit_of_tokens(reply: Reply) -> None:
    begin = cut(reply, MOST)
    assert (begin.stop, begin.text[:1]) == ("length", reply.text[:1])
    assert len(json.dumps(begin.as_row()).encode()) < 7 * MOST
    assert cut(begin, MOST) is begin, "it is then as any other"


def test_the_end_of_a_reply_that_was_cut_is_not_kept() -> None:
    """A secret may have been cut in two there, and half of one is not found."""
    assert len(said(cut(Reply("x" * (MOST_CHARACTERS + 1)))).text) == MOST_CHARACTERS - 65_536


def test_other_replies_are_kept_as_they_are() -> None:
    long = "x" * (MOST_CHARACTERS // 2)
    reply = Reply(long, (ToolCall("a", "look", "{"),), None, "so", "stop", server_fields={"a": [1]})
    assert said(reply) is reply


@for_each("odd", [float("nan"), {1, 2}, object()])
def test_a_field_that_no_file_can_keep_is_a_fault_of_the_model(odd: object) -> None:
    with pytest.raises(ModelError, match="The model gave no proper reply"):
        said(Reply("a", server_fields={"a": odd}))


def test_each_epoch_and_each_repetition_has_a_seed_of_its_own() -> None:
    seeds = [Sampling(seed=7).seed_for(Request("t", epoch, [], repeat=repeat)) for epoch in (0, 1) for repeat in (0, 1)]
    assert seeds == [7, 10_007, 8, 10_008]
    assert Sampling().seed_for(Request("t", 1, [], repeat=1)) is None
