import asyncio
from pathlib import Path

import pytest

from herobench.conversation import Message, Request
from herobench.data.errors import UsageError
from herobench.models.model import Endpoint, ModelSpec
from herobench.models.openai_api import ServedModel
from herobench.models.recording import RecordedModel
from herobench.models.registry import build_model, maker_of
from tests.loopback import Loopback
from tests.program import write_jsonl
from tests.sizes import for_each

PLAYERS = ["greedy", "noop", "oracle", "shortcut"]
LOCAL = Endpoint("http://127.0.0.1:9/v1")


@for_each(
    ("name", "maker", "argument"),
    [
        ("replay", "replay", ""),
        ("replay:", "replay", ""),
        ("replay:a.jsonl", "replay", "a.jsonl"),
        ("replay:C:/a b.jsonl", "replay", "C:/a b.jsonl"),
        ("gpt-x", "openai", "gpt-x"),
        ("openai", "openai", "openai"),
        ("openai:replay", "openai", "replay"),
        ("openai:oracle", "openai", "oracle"),
        ("openai:openai:x", "openai", "openai:x"),
        ("openai/gpt-x", "openai", "openai/gpt-x"),
        ("qwen3:8b", "openai", "qwen3:8b"),
        ("oracle", "openai", "oracle"),
        ("Replay", "openai", "Replay"),
        ("replay-2", "openai", "replay-2"),
    ],
)
def test_a_name_says_who_makes_the_model_and_of_what(name: str, maker: str, argument: str) -> None:
    assert maker_of(name) == (maker, argument)


def test_each_name_makes_its_model(tmp_path: Path) -> None:
    answers = write_jsonl(tmp_path / "answers.jsonl", [{"task_id": "t", "answer": "a"}])
    assert isinstance(build_model(ModelSpec(f"replay:{answers}", "?")), RecordedModel)
    served = build_model(ModelSpec("replay-2", "?", endpoint=LOCAL), PLAYERS)
    assert isinstance(served, ServedModel)
    asyncio.run(served.close())


def test_a_served_model_that_is_called_like_one_of_ours_is_asked_for_by_its_own_name() -> None:
    async def asked(url: str) -> None:
        model = build_model(ModelSpec("openai:noop", "?", endpoint=Endpoint(url)), PLAYERS)
        await model.reply(Request("t", 0, [Message("user", "p")]))
        await model.close()

    with Loopback() as server:
        asyncio.run(asked(server.url))
        assert [record.body["model"] for record in server.records()] == ["noop"]


@pytest.mark.parametrize(
    ("name", "meant"), [("orcale", "oracle"), ("Oracle", "oracle"), ("shortcuts:a", "shortcut"), ("repaly:a", "replay")]
)
def test_openai_is_not_asked_for_what_is_nearly_one_of_ours(name: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"no model '{name}': is {meant} meant.*write openai:{name}"):
        build_model(ModelSpec(name, "?"), PLAYERS)
    asyncio.run(build_model(ModelSpec(name, "?", endpoint=LOCAL), PLAYERS).close())
    asyncio.run(build_model(ModelSpec(f"openai:{name}", "?"), PLAYERS).close())


def test_without_players_only_entry_points_are_suggested() -> None:
    asyncio.run(build_model(ModelSpec("orcale", "?")).close())
