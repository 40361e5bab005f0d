"""The lines of calls.jsonl: each message is in them once, and all are found again."""

from __future__ import annotations

import hashlib
import json
from random import Random
from typing import Any

import pytest

from herobench.conversation import Form, Message, Reply, Tool, ToolCall
from herobench.data.call_rows import SentPart, SentParts, request_digest, whole
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError
from herobench.data.rows import dump_row
from tests.analysis.calls import call
from tests.sizes import for_each

Json = dict[str, Any]
LOOK = Tool("look", "Look around.", {"type": "object", "properties": {}})
SYSTEM, FIRST = Message("system", "Play."), Message("user", "Where to?")


class Attempt:
    """The lines that a session writes for one attempt."""

    def __init__(self, task_id: str = "a") -> None:
        self.task_id = task_id
        self.told = SentParts()
        self.messages: dict[int, list[Message]] = {}
        self.sent: dict[int, list[Json]] = {}
        """What each call sent, as it should be read."""

    def line(
        self, number: int, messages: list[Message], tools: list[Tool] | None = None, text: str | None = "Up"
    ) -> Json:
        self.messages[number] = messages
        self.sent[number] = [message.as_row() for message in messages]
        row = call(self.task_id, number, text=text)
        columns = self.told.columns(
            number, list(map(SentPart.of, messages)), list(map(SentPart.of, tools or [])), row["reply"]
        )
        return json.loads(dump_row(row | columns))


def read(lines: list[Json]) -> dict[tuple[str, int], list[Json]]:
    """What the last line of each call says that it sent."""
    attempts: dict[str, list[Json]] = {}
    for line in lines:
        attempts.setdefault(line["task_id"], []).append(line)
    return {
        (task_id, row["call"]): row["messages"] for task_id, rows in attempts.items() for row in whole(rows, "calls")
    }


def test_a_message_a_tool_and_a_reply_stand_in_one_line_and_others_refer_to_it() -> None:
    attempt = Attempt()
    said = Message("assistant", "Up")
    lines = [
        attempt.line(0, [SYSTEM, FIRST], [LOOK]),
        attempt.line(1, [SYSTEM, FIRST, said, Message("user", "And now?")], [LOOK]),
    ]
    assert lines[1]["messages"] == [
        {"role": "system", "ref": "0/0"},
        {"role": "user", "ref": "0/1"},
        {"role": "assistant", "ref": "0/reply"},
        {"role": "user", "content": "And now?"},
    ]
    assert lines[1]["tools"] == [{"name": "look", "ref": "0/0"}]
    assert [problem for line in lines for problem in schema_problems(line, "call", "call")] == []
    assert [row["tools"] for row in whole(lines, "calls")] == [[LOOK.as_row()]] * 2
    assert read(lines) == {("a", number): sent for number, sent in attempt.sent.items()}


def test_a_message_that_is_sent_again_without_its_end_refers_to_its_beginning() -> None:
    attempt = Attempt()
    pictures = ("data:image/png;base64,AA==",)
    shown, offered = Message("user", "Turn 1."), "\n\nAvailable actions: up, down"
    drawn = Message("user", "Turn 2.", pictures=pictures)
    lines = [
        attempt.line(0, [SYSTEM, Message("user", shown.text + offered)]),
        attempt.line(1, [SYSTEM, shown, Message("user", drawn.text + offered, pictures=pictures)]),
        attempt.line(2, [SYSTEM, shown, drawn, Message("user", "\ud83d\ude00 and more")]),
        attempt.line(3, [SYSTEM, shown, drawn, Message("user", "\ud83d\ude00 and")]),
    ]
    assert lines[1]["messages"][1] == {"role": "user", "ref": "0/1", "until": 7}
    assert lines[2]["messages"][1:3] == [{"role": "user", "ref": "1/1"}, {"role": "user", "ref": "1/2", "until": 7}]
    # JSON reads two halves of a surrogate pair as one character, so the length of such a text is not sure
    assert lines[3]["messages"] == [{"refs": "2/0-2"}, {"role": "user", "content": "\U0001f600 and"}]
    assert [problem for line in lines for problem in schema_problems(line, "call", "call")] == []
    assert [found for (_, number), found in read(lines).items() if number < 2] == [attempt.sent[0], attempt.sent[1]]
    assert read(lines)["a", 2][:3] == attempt.sent[2][:3]


def test_messages_that_stood_together_in_the_line_before_have_one_reference() -> None:
    attempt = Attempt()
    turns = [Message(role, f"{role} {turn}") for turn in range(9) for role in ("user", "assistant")]
    lines = [
        attempt.line(0, [SYSTEM, FIRST, *turns[:12]]),
        # a window that moves on: the opening stays, the oldest turn goes, a new one comes
        attempt.line(1, [SYSTEM, FIRST, *turns[2:14]]),
        attempt.line(2, [SYSTEM, FIRST, *turns[4:16]]),
        attempt.line(3, [FIRST, *turns[3:5], *turns[8:16], *turns[4:7]]),
    ]
    begins = [{"role": "system", "ref": "0/0"}, {"role": "user", "ref": "0/1"}]
    for number, line in enumerate(lines[1:3]):
        told = (number + 6) * 2
        assert line["messages"] == [
            *begins,
            {"refs": f"{number}/4-13"},
            *(turn.as_row() for turn in turns[told : told + 2]),
        ]
    assert lines[3]["messages"] == [
        begins[1],
        {"role": "assistant", "ref": "0/5"},
        {"role": "user", "ref": "0/6"},
        {"refs": "2/6-13"},
        {"refs": "2/2-4"},
    ]
    assert [problem for line in lines for problem in schema_problems(line, "call", "call")] == []
    assert read(lines) == {("a", number): sent for number, sent in attempt.sent.items()}


@for_each("refs", ["0/1-3", "0/3-4", "0/2-1", "5/0-2", "1/0-0"])
def test_a_reference_to_several_messages_needs_all_of_them(refs: str) -> None:
    attempt = Attempt()
    line = attempt.line(0, [SYSTEM, FIRST, Message("assistant", "Up")])
    with pytest.raises(InputError, match=r"calls.jsonl: \$.refs: expected a place in an earlier line of the attempt"):
        list(whole([line, call("a", 1, messages=[{"refs": refs}])], "calls.jsonl"))


def test_lines_that_double_what_they_send_are_refused_before_they_fill_the_memory() -> None:
    opening = {"role": "user", "content": "x"}
    doubled = [call("a", n, messages=[{"refs": f"{n - 1}/0-{2 ** (n - 1) - 1}"}] * 2) for n in range(1, 40)]
    with pytest.raises(InputError, match="at most 10,000,000 messages and tools in the calls of an attempt"):
        list(whole([call("a", 0, messages=[opening]), *doubled], "calls.jsonl"))


def test_only_a_message_that_is_the_same_but_for_its_end_refers_to_a_beginning() -> None:
    attempt = Attempt()
    attempt.line(0, [Message("user", "Turn 1. Up or down?")])
    others = [Message("assistant", "Turn 1."), Message("user", "Turn 1.", pictures=("data:image/png;base64,AA==",))]
    assert attempt.line(1, others)["messages"] == [other.as_row() for other in others]


def test_a_reply_with_calls_of_tools_is_the_message_that_has_them() -> None:
    called = (ToolCall("1", "look", '{"at": "'),)
    row = call("a", 0) | {"reply": {**Reply("", called).as_row()}}
    told = SentParts()
    first = row | told.columns(0, [SentPart.of(FIRST)], [], row["reply"])
    again = told.columns(1, [SentPart.of(FIRST), SentPart.of(Message("assistant", "", called))], [], None)
    assert again["messages"][1] == {"role": "assistant", "ref": "0/reply"}
    lines = [json.loads(dump_row(line)) for line in (first, call("a", 1) | again)]
    assert list(whole(lines, "calls"))[1]["messages"][1] == Message("assistant", "", called).as_row()


@for_each("seed", range(20))
def test_what_was_sent_is_read_whatever_was_interleaved_retried_resumed_or_torn(seed: int) -> None:
    chance = Random(seed)
    texts = ("Up", "Up or down?", "Down", "half \ud800", "ü" * 9)
    words = [Message(role, text) for role in ("user", "assistant") for text in texts]
    written: list[tuple[Json, list[Json]]] = []
    for _ in range(3):  # sessions: the second and the third resume the run
        attempts = {name: Attempt(name) for name in "abc"}
        for _ in range(30):
            attempt = attempts[chance.choice("abc")]
            # calls end in any order, some have several lines, and those of an earlier session are asked again
            number = chance.randrange(20)
            messages = attempt.messages.get(number, chance.choices(words, k=chance.randrange(12)))
            line = attempt.line(number, messages, text=chance.choice(["Up", None]))
            written.append((line, attempt.sent[number]))
        del written[len(written) - chance.randrange(3) :]  # a kill takes the end of the file
    expected = {(line["task_id"], line["call"]): sent for line, sent in written}
    lines = [line for line, _ in written]
    assert read(lines) == expected
    # the lines of two shards follow one another, and have other attempts
    assert read([*({**line, "task_id": f"{line['task_id']}2"} for line in lines), *lines]).items() >= expected.items()


def test_a_reference_to_what_no_line_holds_is_named() -> None:
    attempt = Attempt()
    lines = [attempt.line(0, [SYSTEM]), attempt.line(1, [SYSTEM])]
    with pytest.raises(InputError, match=r"calls.jsonl: \$.ref: expected a place in an earlier line .* found \"0/0\""):
        list(whole(lines[1:], "calls.jsonl"))


@for_each(
    ("message", "told"),
    [
        ({"role": "user"}, "exactly one of these forms: role with content; role with ref; refs"),
        (
            {"role": "user", "content": "x", "ref": "0/0"},
            "exactly one of these forms: role with content; role with ref; refs",
        ),
        ({"role": "user", "ref": "0"}, "ref"),
        ({"role": "user", "refs": "0/1-2"}, "exactly one of these forms: role with content; role with ref; refs"),
        ({"refs": "0/1"}, "refs"),
        (
            {"role": "user", "content": "x", "until": 1},
            "exactly one of these forms: role with content; role with ref; refs",
        ),
    ],
)
def test_a_wrong_reference_is_no_line(message: Json, told: str) -> None:
    (problem,) = schema_problems(call("a", 0, messages=[message]), "call", "call")
    assert told in str(problem)


FORM = Form("plan", {"type": "object"})


@for_each("form", [None, FORM])
@for_each("messages", [[], [SYSTEM], [SYSTEM, FIRST]])
@for_each("tools", [[], [LOOK]])
def test_the_digest_of_a_request_is_that_of_earlier_runs(
    form: Form | None, messages: list[Message], tools: list[Tool]
) -> None:
    parts = [[SentPart.of(each) for each in some] for some in (messages, tools)]
    told = [*([part.digest for part in some] for some in parts), *([form.as_row()] if form else [])]
    row = form and form.as_row()
    assert request_digest(parts[0], parts[1], row) == hashlib.sha256(json.dumps(told).encode()).hexdigest()
