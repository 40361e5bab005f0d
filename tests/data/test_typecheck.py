"""Values from plugins, held against the types that their dataclasses declare."""

from __future__ import annotations

from typing import Any

import pytest

from herobench.conversation import Message, Reply, Tool, ToolCall, Usage
from herobench.data.typecheck import declared
from herobench.suite.contract import SuiteSetting, TaskInfo
from tests.sizes import for_each


@for_each(
    "value",
    [
        Reply("x"),
        Reply("x", (ToolCall("a", "b", "{}"),), "answer", "hm", "stop", Usage(1, 2, 3, 4), "m", "id", True),
        Reply("x", [ToolCall("a", "b", "{}")]),  # type: ignore[arg-type]
        Message("tool", "x", (), "id"),
        Tool("t", "", {"type": "object"}),
        TaskInfo("t", None, {}),
    ],
)
def test_a_value_of_the_declared_types_is_returned_as_it_is(value: Any) -> None:
    assert declared(value, type(value), "it") is value


WRONG: dict[str, tuple[Any, type]] = {
    "it is of type str, not Reply": ("x", Reply),
    "the text of it is 5, not str": (Reply(5), Reply),  # type: ignore[arg-type]
    "the text of it is \"b'x'\", not str": (Reply(b"x"), Reply),  # type: ignore[arg-type]
    "the answer of it is 3, not str | None": (Reply("x", answer=3), Reply),  # type: ignore[arg-type]
    "the from_cache of it is null, not bool": (Reply("x", from_cache=None), Reply),  # type: ignore[arg-type]
    "the usage of it is of type dict, not Usage": (Reply("x", usage={}), Reply),  # type: ignore[arg-type]
    "the input of the usage of it is 1.5, not int | None": (Reply("x", usage=Usage(1.5)), Reply),  # type: ignore[arg-type]
    "the input of the usage of it is true, not int | None": (Reply("x", usage=Usage(True)), Reply),
    'the tool_calls of it is "ab", not tuple[ToolCall, ...]': (Reply("x", "ab"), Reply),  # type: ignore[arg-type]
    "entry 1 of the tool_calls of it is of type str, not ToolCall": (
        Reply("x", (ToolCall("a", "b", ""), "c")),  # type: ignore[arg-type]
        Reply,
    ),
    "the arguments of entry 0 of the tool_calls of it is {}, not str": (
        Reply("x", (ToolCall("a", "b", {}),)),  # type: ignore[arg-type]
        Reply,
    ),
    "the role of it is \"poet\", not Literal['system', 'user', 'assistant', 'tool']": (
        Message("poet", "x"),  # type: ignore[arg-type]
        Message,
    ),
    "the parameters of it is [], not Mapping[str, Any]": (Tool("t", "", []), Tool),  # type: ignore[arg-type]
    "the id of it is 4, not str": (TaskInfo(4, None, {}), TaskInfo),  # type: ignore[arg-type]
    "a name in the row of it is 4, not str": (TaskInfo("t", None, {4: 1}), TaskInfo),  # type: ignore[dict-item]
    "'a' in the options of it is 5, not str": (SuiteSetting(options={"a": 5}), SuiteSetting),  # type: ignore[dict-item]
}


@for_each("told", WRONG)
def test_a_value_of_another_type_is_refused_with_the_name_of_its_field(told: str) -> None:
    value, kind = WRONG[told]
    with pytest.raises(TypeError) as caught:
        declared(value, kind, "it")
    assert str(caught.value) == told
