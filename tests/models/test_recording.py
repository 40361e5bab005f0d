import asyncio
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Message, Reply, Request, ToolCall, Usage
from herobench.data.errors import InputError
from herobench.models.model import ModelSpec, Sampling
from herobench.models.model_error import ErrorKind, ModelError, ModelFault
from herobench.models.recording import RecordedModel, build
from tests.program import write_jsonl
from tests.refusals import raises
from tests.sizes import for_each


def recorded(folder: Path, *rows: Any) -> RecordedModel:
    return RecordedModel(write_jsonl(folder / "answers.jsonl", rows))


def asked(recording: RecordedModel, task_id: str = "t", epoch: int = 0, turns: int = 0) -> Reply:
    """Ask as an agent does when the model has replied this often before."""
    talk = [Message("user", "Go."), *[Message("assistant", "Yes."), Message("tool", "Done.")] * turns]
    return asyncio.run(recording.reply(Request(task_id, epoch, talk)))


def test_an_answer_is_given_back_word_for_word(tmp_path: Path) -> None:
    text = "Ü\n```python\nx\n```\r\n"
    row = {"task_id": "t", "answer": text, "model": "m", "tokens": 7}
    expected = Reply(text, stop="stop", usage=Usage(output=7), model="m")
    assert asked(recorded(tmp_path, row)) == expected


@for_each(
    ("row", "text", "plan"),
    [
        ({"answer": "a"}, "a", None),
        ({"answer": None}, "", None),
        ({"answer": ""}, "", None),
        ({"code": "x()"}, "", "x()"),
        ({"code": ""}, "", ""),
        ({"code": None}, "", None),
        ({"answer": "a", "plan": "x()"}, "a", "x()"),
        ({"answer": None, "plan": "x()"}, "", "x()"),
        ({"code": "x()", "plan": "y()"}, "", "x()"),
    ],
)
def test_a_plan_is_given_back_where_one_was_kept(tmp_path: Path, row: Any, text: str, plan: str | None) -> None:
    reply = asked(recorded(tmp_path, {"task_id": "t", **row}))
    assert (reply.text, reply.answer, reply.usage) == (text, plan, Usage())


def test_each_epoch_has_its_own_answer_and_none_is_the_first(tmp_path: Path) -> None:
    first = {"task_id": "t", "answer": "first"}
    recording = recorded(tmp_path, {"task_id": "t", "epoch": 1, "answer": "second"}, first)
    assert [asked(recording, epoch=epoch).text for epoch in (0, 1)] == ["first", "second"]


GO = [{"id": "a", "name": "move", "arguments": "{"}]
REPLIES = [
    {"text": "Go!", "tool_calls": GO, "reasoning": "hm", "stop": "tool_calls"},
    {"text": "", "tool_calls": [{"id": None, "name": "look", "arguments": ""}], "answer": None},
    {"text": "Done.", "tool_calls": [], "answer": "x()", "reasoning": None, "stop": "stop"},
]


def test_each_reply_of_a_sample_follows_those_before_it(tmp_path: Path) -> None:
    row = {"task_id": "t", "epoch": 1, "status": "ok", "replies": REPLIES, "output_tokens": 70, "model": "m"}
    recording = recorded(tmp_path, row, {**row, "epoch": 2, "output_tokens": None})
    assert [asked(recording, epoch=1, turns=turns) for turns in (0, 1, 2, 0)] == [
        Reply("Go!", (ToolCall("a", "move", "{"),), None, "hm", "tool_calls", model="m"),
        Reply("", (ToolCall("call_0", "look", ""),), model="m"),
        Reply("Done.", (), "x()", None, "stop", Usage(output=70), model="m"),
        Reply("Go!", (ToolCall("a", "move", "{"),), None, "hm", "tool_calls", model="m"),
    ]
    assert asked(recording, epoch=2, turns=2).usage == Usage()


def test_a_sample_has_no_more_replies_than_were_given(tmp_path: Path) -> None:
    recording = recorded(tmp_path, {"task_id": "t", "replies": REPLIES}, {"task_id": "u", "replies": []})
    for task_id, turns, told in (("t", 3, "only 3 replies to t"), ("u", 0, "only 0 replies to u")):
        with pytest.raises(ModelError, match=f"answers.jsonl has {told} in epoch 0") as raised:
            asked(recording, task_id, turns=turns)
        assert (raised.value.kind, raised.value.passing) == (ErrorKind.NO_ANSWER, False)


@for_each(
    ("wrong", "told"),
    [
        ({"replies": "none"}, r"\$\.replies: expected array"),
        ({"replies": [{}]}, r"\$\.replies\[0\]: expected the property 'text'"),
        (
            {"replies": [{"text": "", "tool_calls": [{"name": "look"}]}]},
            r"calls\[0\]: expected the property 'arguments'",
        ),
        ({"replies": [], "answer": "a"}, "exactly one of these forms: answer; code; replies"),
        ({"replies": [], "output_tokens": -1}, r"\$\.output_tokens: expected 0 or more"),
    ],
)
def test_a_sample_that_is_wrong_is_told_where(tmp_path: Path, wrong: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        recorded(tmp_path, {"task_id": "t", **wrong})


def test_what_was_not_answered_is_unmeasured_and_not_asked_again(tmp_path: Path) -> None:
    recording = recorded(tmp_path, {"task_id": "t", "answer": "a"})
    for task_id, epoch in (("t", 1), ("u", 0)):
        with pytest.raises(ModelError, match=f"answers.jsonl has no answer to {task_id} in epoch {epoch}") as raised:
            asked(recording, task_id, epoch)
        assert (raised.value.kind, raised.value.passing) == (ErrorKind.NO_ANSWER, False)


def test_what_another_run_could_not_measure_is_no_answer(tmp_path: Path) -> None:
    failed = {"task_id": "t", "answer": None, "status": "error"}
    with pytest.raises(ModelError):
        asked(recorded(tmp_path, failed))
    assert asked(recorded(tmp_path, failed, {"task_id": "t", "answer": "a", "status": "ok"})).text == "a"


def test_all_that_is_wrong_with_a_recording_is_told_with_its_lines(tmp_path: Path) -> None:
    twice = {"task_id": "t", "answer": "a"}
    with pytest.raises(InputError) as raised:
        recorded(tmp_path, twice, "{", {"task_id": "u"}, "", twice, {"task_id": "v", "answer": 1})
    lines = [problem.file.rpartition(":")[2] for problem in raised.value.problems]
    assert lines == ["2", "3", "5", "6"]
    assert "one answer to a task and epoch" in str(raised.value)


def test_a_recording_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.jsonl"):
        RecordedModel(tmp_path / "nothing.jsonl")


def test_a_recording_is_named_by_its_file_and_takes_no_options(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "answers.jsonl", [{"task_id": "t", "answer": "a"}])
    assert asked(build(ModelSpec(f"replay:{path}", str(path)))).text == "a"
    with raises(ModelFault.NO_RECORDING):
        build(ModelSpec("replay", ""))
    with raises(ModelFault.UNUSED_OPTIONS, "temperature"):
        build(ModelSpec("replay", str(path), Sampling(temperature=0.0)))
