"""Values of plugins, held against the types that are declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pytest

from herobench.conversation import Message, Reply, Tool, ToolCall, Usage
from herobench.data.call_rows import refuse_improper
from herobench.suite.contract import SuiteSetting, TaskInfo
from herobench.suite.plugins import type_fault
from tests.sizes import for_each

REPLY = Reply("x", (ToolCall("a", "b", "{}"),), "answer", "hm", "stop", Usage(1, 2, 3, 4), "m", "id", True)
PROPER = [
    REPLY,
    Reply("x", [ToolCall("a", "b", "")]),
    Message("tool", "x", (), "id"),
    Tool("t", "", {"type": "object"}),
]  # type: ignore[arg-type]


@for_each("value", PROPER)
def test_a_proper_part_of_a_conversation_passes_both_checks(value: Any) -> None:
    refuse_improper(value, type(value), "it")
    assert type_fault(value, type(value), "it") is None


IMPROPER: dict[str, tuple[Any, type]] = {
    "it is a str, not a Reply": ("x", Reply),
    "the text of it is 5, not str": (Reply(5), Reply),  # type: ignore[arg-type]
    "the answer of it is 3, not str or None": (Reply("x", answer=3), Reply),  # type: ignore[arg-type]
    "the from_cache of it is null, not bool": (Reply("x", from_cache=None), Reply),  # type: ignore[arg-type]
    "the usage of it is {}, not Usage": (Reply("x", usage={}), Reply),  # type: ignore[arg-type]
    'the tool_calls of it is "ab", not tuple or list': (Reply("x", "ab"), Reply),  # type: ignore[arg-type]
    "a tool call of it is a str, not a ToolCall": (Reply("x", (ToolCall("a", "b", ""), "c")), Reply),  # type: ignore[arg-type]
    "the arguments of a tool call of it is {}, not str": (Reply("x", (ToolCall("a", "b", {}),)), Reply),  # type: ignore[arg-type]
    'the role of it is "poet", not one of assistant, system, tool, user': (Message("poet", "x"), Message),  # type: ignore[arg-type]
    "the pictures of it are not all texts": (Message("user", "x", pictures=(5,)), Message),  # type: ignore[arg-type]
    "the parameters of it is [], not Mapping": (Tool("t", "", []), Tool),  # type: ignore[arg-type]
}


@for_each("told", IMPROPER)
def test_an_improper_part_of_a_conversation_is_refused_with_the_name_of_its_field(told: str) -> None:
    value, kind = IMPROPER[told]
    with pytest.raises(TypeError) as caught:
        refuse_improper(value, kind, "it")
    assert str(caught.value) == told
    assert type_fault(value, kind, "it") is not None


OTHERS: dict[str | None, tuple[Any, Any]] = {
    None: (SuiteSetting(options={"a": "b"}), SuiteSetting | None),
    "it is null, not str": (None, str),
    "it is true, not float": (True, float),
    "it is 1.5, not int | None": (1.5, int | None),
    "it is \"b'x'\", not str": (b"x", str),
    "it is \"poet\", not Literal['user', 'tool']": ("poet", Literal["user", "tool"]),
    "entry 1 of it is 2, not str": (["a", 2], Sequence[str] | None),
    'it is "ab", not Sequence[str]': ("ab", Sequence[str]),
    "a name in it is 4, not str": ({4: 1}, Mapping[str, Any]),
    "'b' in 'a' in it is 5, not str": ({"a": {"b": 5}}, Mapping[str, Mapping[str, str]]),
    "a name in the row of it is 4, not str": (TaskInfo("t", None, {4: 1}), TaskInfo),  # type: ignore[dict-item]
    "the input of the usage of it is true, not int | None": (Reply("x", usage=Usage(True)), Reply),
}


@for_each("told", OTHERS)
def test_a_value_of_another_type_is_named_by_its_place(told: str | None) -> None:
    value, hint = OTHERS[told]
    assert type_fault(value, hint, "it") == told


@for_each(
    ("value", "hint"), [(3, float), (True, bool), ((), tuple[str, ...]), ({}, Mapping[str, int]), (None, int | None)]
)
def test_a_value_that_fits_has_no_fault(value: Any, hint: Any) -> None:
    assert type_fault(value, hint, "it") is None
