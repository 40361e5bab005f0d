import asyncio
from pathlib import Path

import pytest

from herobench.conversation import Message, Reply, Request
from herobench.errors import UsageError
from herobench.models.model import Endpoint, Sampling, Setting
from herobench.models.noop import Noop
from herobench.models.openai_api import ServedModel
from herobench.models.recording import Recording
from herobench.models.registry import build_model, maker_of
from herobench.rpg.content import load_rules
from herobench.rpg.world import World
from tests.loopback import Loopback
from tests.program import write_jsonl


@pytest.mark.parametrize(
    ("name", "maker", "argument"),
    [
        ("noop", "noop", ""),
        ("oracle", "oracle", ""),
        ("oracle:", "oracle", ""),
        ("replay:a.jsonl", "replay", "a.jsonl"),
        ("replay:C:/a b.jsonl", "replay", "C:/a b.jsonl"),
        ("gpt-x", "openai", "gpt-x"),
        ("openai", "openai", "openai"),
        ("openai:noop", "openai", "noop"),
        ("openai:openai:x", "openai", "openai:x"),
        ("openai/gpt-x", "openai", "openai/gpt-x"),
        ("qwen3:8b", "openai", "qwen3:8b"),
        ("Oracle", "openai", "Oracle"),
        ("noop-2", "openai", "noop-2"),
    ],
)
def test_a_name_says_who_makes_the_model_and_of_what(name: str, maker: str, argument: str) -> None:
    assert maker_of(name) == (maker, argument)


def test_each_name_makes_its_model(tiny: World, tmp_path: Path) -> None:
    answers = write_jsonl(tmp_path / "answers.jsonl", [{"task_id": "t", "answer": "a"}])
    assert isinstance(build_model(Setting("noop", "?")), Noop)
    assert isinstance(build_model(Setting(f"replay:{answers}", "?")), Recording)
    for name in ("oracle", "greedy", "shortcut"):
        assert build_model(Setting(name, "?", world=tiny, rules=load_rules()))
    served = build_model(Setting("noop-2", "?", endpoint=Endpoint("http://127.0.0.1:9/v1")))
    assert isinstance(served, ServedModel)
    asyncio.run(served.close())


def test_a_served_model_that_is_called_like_one_of_ours_is_asked_for_by_its_own_name() -> None:
    async def asked(url: str) -> None:
        model = build_model(Setting("openai:noop", "?", endpoint=Endpoint(url)))
        await model.reply(Request("t", 0, [Message("user", "p")]))
        await model.close()

    with Loopback() as server:
        asyncio.run(asked(server.url))
        assert [record.body["model"] for record in server.records()] == ["noop"]


@pytest.mark.parametrize("name", ["noop", "oracle", "greedy", "shortcut"])
def test_players_of_ours_refuse_what_they_would_ignore(tiny: World, name: str) -> None:
    with pytest.raises(UsageError, match=f"The model {name} takes no temperature"):
        build_model(Setting(name, "", Sampling(temperature=0.0), world=tiny, rules=load_rules()))
    with pytest.raises(UsageError, match="baseline" if name == "shortcut" else "no argument"):
        build_model(Setting(f"{name}:more", "", world=tiny, rules=load_rules()))


def test_who_does_nothing_says_so_in_a_plan() -> None:
    model = build_model(Setting("noop", ""))
    replies = [asyncio.run(model.reply(Request("t", epoch, []))) for epoch in range(2)]
    assert replies == [Reply("```python\npass\n```", stop="stop", model="noop")] * 2
    asyncio.run(model.close())
