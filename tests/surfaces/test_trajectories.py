"""Exports of attempts: ATIF as its specification has it, and conversations to train on, whose answers win."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from herobench.surfaces.exports.trajectories import conversations, trajectory
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each
from tests.toys import toy

_TEXT, _COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}


def closed(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    properties = {**required, **optional}
    return {"type": "object", "required": [*required], "properties": properties, "additionalProperties": False}


STEP = closed(
    {"step_id": {"type": "integer", "minimum": 1}, "source": {"enum": ["system", "user", "agent"]}, "message": _TEXT},
    timestamp=_TEXT,
    reasoning_content=_TEXT,
    tool_calls={
        "type": "array",
        "items": closed({"tool_call_id": _TEXT, "function_name": _TEXT, "arguments": {"type": "object"}}),
    },
    observation=closed({"results": {"type": "array", "items": closed({"source_call_id": _TEXT, "content": _TEXT})}}),
    metrics=closed(
        {},
        prompt_tokens=_COUNT,
        completion_tokens=_COUNT,
        cached_tokens=_COUNT,
        cost_usd={"type": "number"},
        extra={"type": "object"},
    ),
    extra={"type": "object"},
)
ATIF = closed(
    {
        "schema_version": {"const": "ATIF-v1.5"},
        "session_id": _TEXT,
        "agent": closed({"name": _TEXT, "version": _TEXT}, model_name=_TEXT, tool_definitions={"type": "array"}),
        "steps": {"type": "array", "minItems": 1, "items": STEP},
    },
    final_metrics={"type": "object"},
    extra={"type": "object"},
)
"""The format by its specification, as far as it is written here."""


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the oracle in two rooms, of two turns each."""
    run = tmp_path_factory.mktemp("runs") / "rooms"
    assert toy("run", "--suite", "treasure", "--rooms", "2", "--model", "oracle", "-o", run).returncode == 0
    return run


def test_an_attempt_of_many_turns_is_a_trajectory(rooms: Path, tmp_path: Path) -> None:
    done = toy("export", "atif", rooms, "-o", tmp_path / "atif")
    assert done.stdout == f"2 trajectories written to {tmp_path / 'atif'}\n"
    calls = Counter(row["task_id"] for row in read_jsonl(rooms / "calls.jsonl"))
    for file in (tmp_path / "atif").iterdir():
        told = json.loads(file.read_text("utf-8"))
        jsonschema.validate(told, ATIF)
        steps = told["steps"]
        assert [step["step_id"] for step in steps] == list(range(1, len(steps) + 1))
        assert [step["source"] for step in steps[:3]] == ["system", "user", "agent"]
        agent = [step for step in steps if step["source"] == "agent"]
        assert len(agent) == calls[told["extra"]["task_id"]]
        answered = [step["observation"]["results"] for step in agent[:-1]]
        assert all(len(results) == 1 for results in answered)
        assert (told["extra"]["won"], told["extra"]["score"]) == (True, 100.0)


@for_each(("kind", "sums"), [("potential", 1.0), ("progress", 1.0), ("end", 1.0)])
def test_each_turn_of_a_trajectory_has_its_reward_if_asked_for(
    rooms: Path, kind: str, sums: float, tmp_path: Path
) -> None:
    assert toy("export", "atif", rooms, "-o", tmp_path / "atif", "--reward", kind).returncode == 0
    for file in (tmp_path / "atif").iterdir():
        told = json.loads(file.read_text("utf-8"))
        jsonschema.validate(told, ATIF)
        rewards = [step["metrics"]["extra"]["reward"] for step in told["steps"] if step["source"] == "agent"]
        assert sum(rewards) == pytest.approx(told["final_metrics"]["extra"]["reward"]) == pytest.approx(sums)
        expected = {"end": [0.0] * (len(rewards) - 1) + [1.0], "potential": [1 / len(rewards)] * len(rewards)}
        assert rewards == pytest.approx(expected.get(kind, rewards))


def test_a_lost_attempt_pays_back_and_wrong_settings_are_refused(rooms: Path, tmp_path: Path, golden: Golden) -> None:
    run = tmp_path / "lost"
    words = ("--suite", "treasure", "--rooms", "1")
    assert toy("run", *words, "--model", "silent", "-o", run).returncode == 0
    assert toy("export", "atif", run, "-o", tmp_path / "atif", "--reward", "potential").returncode == 0
    (file,) = (tmp_path / "atif").iterdir()
    assert json.loads(file.read_text("utf-8"))["final_metrics"]["extra"]["reward"] == pytest.approx(0)
    wrong = toy("export", "atif", rooms, "-o", tmp_path / "x", "--reward", "dense")
    golden(wrong, toy("export", "atif", rooms, "-o", tmp_path / "x", "--reward", "end", "--gamma", "2"))


def reply(text: str, *calls: dict[str, str], **others: Any) -> dict[str, Any]:
    return {"text": text, "tool_calls": list(calls), "reasoning": None, "usage": {}, **others}


def call(messages: list[dict[str, Any]], said: dict[str, Any] | None, **others: Any) -> dict[str, Any]:
    return {"messages": messages, "reply": said, "role": None, "cost": None, "tools": [], **others}


ASK = {"role": "user", "content": "Go."}
SAMPLE = dict.fromkeys(("task_id", "epoch", "won", "score", "progress", "failure", "model", "suite"))


def test_malformed_calls_thoughts_tokens_and_costs_are_kept() -> None:
    wrong = {"id": "1", "name": "move", "arguments": "{wro"}
    said = reply("hm", wrong, reasoning="I think.", usage={"input": 5, "output": 3, "cached": 2})
    sample = {**SAMPLE, "suite": "rpg", "task_id": "t", "epoch": 0}
    told = trajectory(sample, [call([ASK], said, cost=0.5), call([ASK], None)], "tools", "1")
    jsonschema.validate(told, ATIF)
    step = told["steps"][1]
    assert step["tool_calls"][0]["arguments"] == {"malformed": "{wro"}
    assert step["reasoning_content"] == "I think."
    assert told["final_metrics"] == {
        "total_prompt_tokens": 5,
        "total_completion_tokens": 3,
        "total_cached_tokens": 2,
        "total_cost_usd": 0.5,
        "total_steps": 2,
    }
    both = [call([ASK], said), call([ASK], reply("x"))]
    paid = trajectory(sample, both, "tools", "1", [0.25, 0.75])
    jsonschema.validate(paid, ATIF)
    assert [step.get("metrics", {}).get("extra") for step in paid["steps"]] == [
        None,
        {"reward": 0.25},
        {"reward": 0.75},
    ]
    assert "extra" not in trajectory(sample, both, "planner", "1", [1.0])["final_metrics"], "it asked twice for a turn"
    uncounted = trajectory(sample, [call([ASK], said), call([ASK], reply("x"))], "tools", "1")
    assert uncounted["final_metrics"] == {"total_steps": 3}, "what was not counted of one reply has no sum"


def test_an_agent_in_several_roles_has_a_conversation_for_each_call() -> None:
    calls = [call([ASK], reply("plan"), role="planner"), call([ASK], reply("done"), role="actor")]
    assert [[message["content"] for message in messages] for messages, _ in conversations(calls)] == [
        ["Go.", "plan"],
        ["Go.", "done"],
    ]


def test_a_message_that_repeats_an_earlier_one_is_kept_and_one_that_is_sent_again_is_not() -> None:
    again = {"role": "user", "content": "Nothing came of it."}
    said = {"role": "assistant", "content": "wait"}
    begin = [{"role": "system", "content": "Play."}, {"role": "user", "content": "Begin."}]
    # the window keeps one turn, so the third call sends what the second sent
    turn = [*begin, said, again]
    calls = [call(begin, None), *(call(messages, reply("wait")) for messages in (begin, turn, turn)), call(turn, None)]
    told = trajectory(SAMPLE, [*calls, call(turn, reply("wait"))], "one-shot", "1.0")
    assert [step["message"] for step in told["steps"]] == [
        *("Play.", "Begin.", "wait"),
        *("Nothing came of it.", "wait"),
        *("Nothing came of it.", "wait"),
        *("Nothing came of it.", "wait"),
    ]


def test_a_conversation_that_is_asked_again_is_told_once() -> None:
    turn = [ASK, {"role": "assistant", "content": "a"}, {"role": "user", "content": "On."}]
    again = [call(turn, reply(text)) for text in "xyz"]
    told = trajectory(SAMPLE, [call([ASK], reply("a")), *again], "best-of", "1.0")
    assert [step["message"] for step in told["steps"]] == ["Go.", "a", "On.", "x", "y", "z"]


def test_a_conversation_to_train_on_has_each_turn_once(rooms: Path, tmp_path: Path) -> None:
    done = toy("export", "sft", rooms, "-o", tmp_path / "sft.jsonl")
    assert done.stderr.startswith("These are tasks of doors-v1, which models are measured by")
    for row in read_jsonl(tmp_path / "sft.jsonl"):
        roles = [message["role"] for message in row["messages"]]
        assert roles[:2] == ["system", "user"]
        assert roles[2:] == ["assistant", "tool"] * (len(roles) // 2 - 1) + ["assistant"]
        assert row["messages"][2]["tool_calls"][0]["function"]["name"] in {
            tool["function"]["name"] for tool in row["tools"]
        }
        assert row["dataset"] == "doors-v1"


@pytest.mark.slow
def test_repaired_plans_win(tmp_path: Path) -> None:
    """Plans of a player that does nothing, and of one that leaves gear out."""
    runs = [tmp_path / "noop", tmp_path / "greedy"]
    for run, some in zip(runs, (("--difficulty", "2", "--limit", "6"), ("--difficulty", "9")), strict=True):
        words = ("--dataset", "base", "--model", run.name, *some, "-o", run)
        assert herobench("run", *words).returncode == 0
    assert herobench("repair", *runs).returncode == 0
    toy("export", "sft", *runs, "-o", tmp_path / "sft.jsonl", "--repaired")
    rows = read_jsonl(tmp_path / "sft.jsonl")
    kept = Counter(row["source"] for row in rows)
    assert kept["repaired"] >= 8
    assert kept["won"] >= 10
    answers = ({"task_id": row["task_id"], "answer": row["messages"][-1]["content"]} for row in rows)
    mended = [answer for answer, row in zip(answers, rows, strict=True) if row["source"] == "repaired"]
    scored = tmp_path / "scored.jsonl"
    write_jsonl(tmp_path / "answers.jsonl", ({**answer, "epoch": number} for number, answer in enumerate(mended)))
    every = write_jsonl(tmp_path / "tasks.jsonl", (row for run in runs for row in read_jsonl(run / "tasks.jsonl")))
    done = herobench("score", every, tmp_path / "answers.jsonl", "-o", scored)
    assert done.returncode == 0, done.stderr
    assert [row["outcome"] for row in read_jsonl(scored)] == ["win"] * len(mended)


def test_a_file_of_rows_has_no_calls(rooms: Path, tmp_path: Path, golden: Golden) -> None:
    rows = write_jsonl(tmp_path / "rows.jsonl", read_jsonl(rooms / "samples.jsonl"))
    golden(toy("export", "atif", rows, "-o", tmp_path / "x"))
