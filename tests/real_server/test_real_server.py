"""The program against a server that nobody here wrote, with a model of random weights."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import pytest

from herobench.conversation import Message, Reply, Request, Tool, ToolCall
from herobench.models.model import Endpoint, ModelSpec, Sampling
from herobench.models.openai_api import build
from tests.program import herobench, read_jsonl
from tests.real_server.llama_server import RealServer, real_server

pytest.importorskip("xllamacpp", reason="the server comes as a wheel for some machines only")

TOKENS = 24
SEEDED = ("--dataset", "base", "--seed", "5", "--limit", "1", "--epochs", "3")
ONE = ["--max-connections", "1"]
"""Replies that are computed together differ in the last bits from those computed alone."""


@pytest.fixture(scope="module")
def server() -> Iterator[RealServer]:
    with real_server(Path(sys.executable)) as running:
        yield running


@pytest.mark.parametrize(
    "how", [[], ["--no-stream"], ["--api", "responses"], ["--api", "responses", "--no-stream"]], ids=" ".join
)
def test_a_run_completes_and_every_reply_is_kept_with_its_tokens(
    server: RealServer, tmp_path: Path, how: list[str]
) -> None:
    asked = ["--model", server.model, "--base-url", server.base_url, "--max-tokens", str(TOKENS), "--temperature", "0"]
    done = herobench("run", *asked, *how, "--dataset", "base", "--limit", "1", "--epochs", "2", "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    samples = read_jsonl(tmp_path / "run" / "samples.jsonl")
    assert len({(row["task_id"], row["epoch"]) for row in samples}) == len(samples) == 2
    for row in samples:
        assert (row["status"], row["won"], row["model"]) == ("ok", False, server.model)
        assert [bool(reply["text"]) for reply in row["replies"]] == [True]
        assert row["output_tokens"] == TOKENS
        assert row["input_tokens"] > 1000


def test_the_same_seed_gives_the_same_replies_and_each_epoch_has_its_own(server: RealServer, tmp_path: Path) -> None:
    answers = []
    for name in ("one", "two"):
        asked = ["--model", server.model, "--base-url", server.base_url, "--max-tokens", "8", "--temperature", "1"]
        done = herobench("run", *asked, *SEEDED, *ONE, "-o", tmp_path / name)
        assert done.returncode == 0, done.stderr
        rows = read_jsonl(tmp_path / name / "samples.jsonl")
        answers.append({row["epoch"]: row["replies"][0]["text"] for row in rows})
    assert answers[0] == answers[1]
    assert len(set(answers[0].values())) == 3


def test_a_prompt_that_is_too_long_is_unmeasured_and_tried_once(server: RealServer, tmp_path: Path) -> None:
    tasks = tmp_path / "told-everything.jsonl"
    made = herobench("generate", "--difficulty", "9", "--knowledge", "world", "--count", "1", "-o", tasks)
    assert made.returncode == 0, made.stderr
    asked = ["--model", server.model, "--base-url", server.base_url, "--max-tokens", "8"]
    done = herobench("run", *asked, "--tasks", tasks, "-o", tmp_path / "run")
    assert done.returncode == 1
    (sample,) = read_jsonl(tmp_path / "run" / "samples.jsonl")
    assert (sample["status"], sample["error"]["kind"], sample["retries"]) == ("unmeasured", "context", 0)


# -- tools ------------------------------------------------------------------------------------------------------------

LOOK = Tool("look", "Look around.", {"type": "object", "properties": {"far": {"type": "boolean"}}})
TALK = [
    Message("user", "Go."),
    Message("assistant", "", (ToolCall("call_a", "look", '{"far": true}'), ToolCall("call_b", "look", "{}"))),
    Message("tool", "A drake.", call_id="call_a"),
    Message("tool", "Nothing.", call_id="call_b"),
]


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("stream", [False, True])
def test_tools_calls_and_their_results_are_accepted(
    server: RealServer, api: Literal["chat", "responses"], stream: bool
) -> None:
    """The model's words are noise, so no call can be expected of it: only that the server takes the request."""
    endpoint = Endpoint(server.base_url, api=api, stream=stream)
    setting = ModelSpec(server.model, server.model, Sampling(max_tokens=8, temperature=0.0), endpoint)

    async def asked(messages: Sequence[Message]) -> Reply:
        model = build(setting)
        try:
            return await model.reply(Request("t", 0, messages, [LOOK]))
        finally:
            await model.close()

    for messages in (TALK[:1], TALK):
        assert asyncio.run(asked(messages)).usage.output
