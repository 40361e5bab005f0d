"""Answers in a form: read leniently, asked for again where they do not fit."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.agents.agent import Unfinished
from herobench.agents.dialog import Dialog, read_answer
from herobench.conversation import Form, Message, Reply, Tool
from tests.sizes import for_each, many


def strict(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


NOTE = {"type": ["string", "null"]}
STEP = strict({"action": {"type": "string"}, "note": NOTE})
FORM = Form("verdict", strict({"accepted": {"type": "boolean"}, "reason": NOTE}))
PLAN = Form("plan", strict({"steps": {"type": "array", "items": STEP}, "share": {"type": ["number", "null"]}}))
YES = {"accepted": True, "reason": None}


def found(text: str, form: Form = FORM) -> Any:
    answer, fault = read_answer(text, form)
    assert fault == ""
    return answer


def fault(text: str, form: Form = FORM) -> str:
    answer, told = read_answer(text, form)
    assert answer is None
    return told


@for_each(
    "text",
    [
        '{"accepted": true, "reason": null}',
        '  \n{"accepted": true}\n',
        '```json\n{"accepted": true}\n```',
        'First.\n```\n{"accepted": true}\n```\nThat is all.',
        'I think {"accepted": true} is right.',
        'Of {all} things: {"accepted": true, "because": {"of": [1]}} {and so on',
        '{"accepted": false, "reason": "hm"} No, wait: {"accepted": true}',
        '```json\n{"accepted": false}\n```\nNo, wait.\n```json\n{"accepted": true}\n```',
        '<think>{"accepted": 1}</think>{"accepted": true}',
        '{"accepted": true, "grade": NaN} or else {"accepted": true}',
    ],
)
def test_an_object_is_found_in_whatever_stands_around_it(text: str) -> None:
    assert found(text) == YES


def test_parts_that_are_left_out_are_null_and_unknown_ones_are_dropped_at_every_depth() -> None:
    text = '{"steps": [{"action": "move", "x": 1}, {"note": "n", "action": "fight"}], "mood": "good"}'
    steps = [{"action": "move", "note": None}, {"action": "fight", "note": "n"}]
    assert found(text, PLAN) == {"steps": steps, "share": None}


@for_each(
    ("text", "told"),
    [
        ("", "there is no JSON object in it"),
        ("[1, 2]", "there is no JSON object in it"),
        ("null", "there is no JSON object in it"),
        ("{'accepted': True}", "there is no JSON object in it"),
        ('{"accepted": NaN}', "there is no JSON object in it"),
        ('{"accepted": true', "there is no JSON object in it"),
        ("{" * 300_000, "there is no JSON object in it"),
        ('{"a":' * 70_000, "there is no JSON object in it"),
        ("```json\n" * 50_000, "there is no JSON object in it"),
        ("x" * 400_001, "it has more than 400,000 characters"),
        ("{}", "at $.accepted: None is not of type 'boolean'"),
        ('{"accepted": "yes"}', "at $.accepted: 'yes' is not of type 'boolean'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text: str, told: str) -> None:
    assert fault(text) == told


def test_a_fault_is_short_however_long_the_value_is() -> None:
    assert len(fault(json.dumps({"accepted": "x\n" * 10_000}))) <= 300


def test_nesting_at_any_depth_is_a_fault_and_no_exception() -> None:
    for depth in range(800, 1001):
        assert fault(f'{{"accepted": {"[" * depth}1{"]" * depth}}}') != ""


def test_a_number_beyond_all_floats_is_no_number() -> None:
    assert fault('{"steps": [], "share": 1e999}', PLAN) == "there is no JSON object in it"
    assert found('{"steps": [], "share": 1e99}', PLAN)["share"] == 1e99


def test_half_a_surrogate_pair_can_be_sent_on() -> None:
    reason = found(r'{"accepted": true, "reason": "\ud83d!"}')["reason"]
    assert reason == "?!"
    assert fault(r'{"accepted": "\ud83d"}').encode()


@settings(max_examples=many(100, 10))
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["accepted", "reason"]), inner),
    ),
    st.text(),
)
def test_any_text_gives_an_object_of_the_form_or_a_fault(value: Any, around: str) -> None:
    answer, told = read_answer(f"{around}{json.dumps(value)}{around}", FORM)
    assert (answer is None) == bool(told)
    if answer is not None:
        assert answer.keys() == {"accepted", "reason"}
        assert isinstance(answer["accepted"], bool)


# -- asking again ------------------------------------------------------------------------------------------------------


class Model:
    """Says one text after the other, and keeps what it was asked."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.asked: list[list[Message]] = []
        self.roles: list[tuple[str | None, Form | None]] = []
        self.branches: list[Sequence[str]] = []

    async def __call__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: Sequence[str] = (),
    ) -> Reply:
        self.asked.append(list(messages))
        self.roles.append((role, form))
        self.branches.append(branch)
        return Reply(self.texts.pop(0))


def answer(model: Model) -> Any:
    return asyncio.run(Dialog(model).answer("critic", [Message("user", "Well?")], FORM))


def test_an_answer_that_fits_is_asked_for_once_in_its_role_and_form() -> None:
    model = Model('{"accepted": true}')
    assert answer(model) == YES
    assert model.asked == [[Message("user", "Well?")]]
    assert model.roles == [("critic", FORM)]


def test_thoughts_are_no_answer_however_long_they_are() -> None:
    model = Model("<think>" + '{"accepted": true} ' * 30_000 + '</think>{"accepted": 1}', '{"accepted": true}<think>{')
    assert answer(model) == YES
    assert model.asked[1][1].text == '{"accepted": 1}'


def test_a_wrong_answer_is_shown_with_its_fault_and_the_form() -> None:
    model = Model("Yes!" + "!" * 10_000, '{"accepted": 1}', '{"accepted": true}')
    assert answer(model) == YES
    opening, wrong, repair = model.asked[1]
    assert opening == Message("user", "Well?")
    assert (wrong.role, wrong.text) == ("assistant", "Yes!" + "!" * 3_996)
    assert repair.role == "user"
    assert "there is no JSON object in it" in repair.text
    assert json.dumps(dict(FORM.schema)) in repair.text
    assert [message.text for message in model.asked[2][:2]] == ["Well?", '{"accepted": 1}'], "only the last one"
    assert "at $.accepted: 1 is not of type 'boolean'" in model.asked[2][2].text


def test_after_three_wrong_answers_the_attempt_ends_with_the_reason() -> None:
    model = Model("a", "b", "c", '{"accepted": true}')
    told = "^the critic gave no answer of the form verdict in 3 tries: there is no JSON object in it$"
    with pytest.raises(Unfinished, match=told):
        answer(model)
    assert len(model.asked) == 3


def test_a_text_is_given_as_it_is() -> None:
    model = Model("{words}")
    assert asyncio.run(Dialog(model).text("map expert", [Message("user", "Where?")])) == "{words}"
    assert model.roles == [("map expert", None)]


def test_questions_say_the_branch_that_they_are_in() -> None:
    model = Model("", '{"accepted": true}', "There.")
    dialog = Dialog(model, ["Plan"]).within("Subtask 1", "Try 2")
    asyncio.run(dialog.answer("critic", [Message("user", "Well?")], FORM))
    asyncio.run(dialog.within().text("map expert", [Message("user", "Where?")]))
    assert model.branches == [("Plan", "Subtask 1", "Try 2")] * 3
