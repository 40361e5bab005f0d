"""Agents are told what the task tells, and nothing else: the same conversation in worlds with and without secrets.

The secrets are a tile with a monster, a recipe, an item for sale, and in plans without feedback a further drop of every
node. The model looks for them. If any message differed between the two worlds, it would tell of a secret.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Model, Reply, Request
from herobench.rpg.content import load_world
from herobench.runs.config import AttemptLimits
from tests.builders import documents, write_world
from tests.program import herobench, write_jsonl
from tests.rpg.agents.games import game

Json = dict[str, Any]

PLACE = (77, 77)
HIDDEN = ("zz_glade", "zz_wyrm", "zz_fang", "zz_dust", "zz_blade", "zz_ring")


def secret_world(folder: Path, *, drops: bool) -> Path:
    """The classic world with secrets in it."""
    world = documents()
    recipe = {"skill": "weaponcrafting", "level": 1, "ingredients": {"ash_wood": 1}}
    world["items"]["items"] += [
        _item("zz_fang", "resource"),
        _item("zz_dust", "resource"),
        _item("zz_ring", "ring", effects={"hp": 5000}),
        _item("zz_blade", "weapon", effects={"attack_fire": 5000}, recipe=recipe),
    ]
    wyrm = {**world["monsters"]["monsters"][0], "code": "zz_wyrm", "name": "zz_wyrm"}
    world["monsters"]["monsters"].append(wyrm | {"drops": [{"item": "zz_fang", "one_in": 1, "min": 1, "max": 1}]})
    content = {"type": "monster", "code": "zz_wyrm"}
    tile = {**world["map"]["tiles"][0], "x": PLACE[0], "y": PLACE[1], "name": "zz_glade", "content": content}
    world["map"]["tiles"].append(tile)
    for node in world["resources"]["resources"] if drops else ():
        node["drops"].append({"item": "zz_dust", "one_in": 1, "min": 3, "max": 3})
    return write_world(folder, world)


def _item(code: str, kind: str, **more: Any) -> Json:
    return {
        "code": code,
        "name": code,
        "level": 1,
        "type": kind,
        "subtype": "",
        "description": "",
        "effects": {},
    } | more


class Prying:
    """The oracle, which now and then also looks for what it is not told."""

    ACTIONS = (
        {"action": "move", "x": PLACE[0], "y": PLACE[1]},
        {"action": "fight"},
        {"action": "gather", "quantity": 1},
        {"action": "craft", "code": "zz_blade", "quantity": 1},
        {"action": "buy", "code": "zz_ring", "quantity": 1},
        {"action": "equip", "slot": "weapon", "code": "zz_blade"},
    )
    CODE = 'move("Hero", 77, 77)\nfight("Hero")\ncraft("Hero", "zz_blade", 1)\nbuy("Hero", "zz_ring")\n'

    def __init__(self, model: Model) -> None:
        self._model = model
        self._asked = 0

    async def reply(self, request: Request) -> Reply:
        self._asked += 1
        reply = await self._model.reply(request)
        if self._asked % 3:
            return reply
        if request.form is not None and request.form.name == "actions":
            listed = json.loads(reply.text)["actions"]
            blank = dict.fromkeys(listed[0])
            return replace(reply, text=json.dumps({"actions": [*listed, *({**blank, **row} for row in self.ACTIONS)]}))
        if request.form is None:
            return replace(reply, text=reply.text.replace("```python\n", f"```python\n{self.CODE}"))
        return reply

    async def close(self) -> None:
        await self._model.close()


def conversations(
    folder: Path, tasks: Path, world: Path, way: tuple[str, str], *, prying: bool
) -> Iterator[list[Json]]:
    """All messages of each attempt, in order."""
    there = load_world(world).digest
    own = write_jsonl(
        folder.with_suffix(".jsonl"), [{**json.loads(line), "world": there} for line in tasks.read_text().splitlines()]
    )
    made = Prying if prying else (lambda model: model)
    with game(folder, own, way, made, AttemptLimits(calls=40), world) as trial:
        trial.connections = 1
        trial.work()
        for task_id in trial.task_ids:
            yield [call["messages"] for call in trial.calls if call["task_id"] == task_id]


def check(folder: Path, count: int, way: tuple[str, str]) -> int:
    """Hold the conversations in both worlds side by side, and return how many there are."""
    in_parts = way[1] != "plan"
    tasks = folder / "tasks.jsonl"
    made = herobench("generate", "--count", str(count), "--seed", "5", "-o", str(tasks))
    assert made.returncode == 0, made.stderr
    plain, secret = write_world(folder / "plain", documents()), secret_world(folder / "secret", drops=not in_parts)
    pairs = zip(
        conversations(folder / "run_plain", tasks, plain, way, prying=not in_parts),
        conversations(folder / "run_secret", tasks, secret, way, prying=not in_parts),
        strict=True,
    )
    held = 0
    for without, within in pairs:
        assert within == without
        said = json.dumps(within)
        # a model that looks for secrets names them itself
        assert within
        assert not in_parts or not any(word in said for word in HIDDEN)
        held += 1
    return held


@pytest.mark.parametrize("way", [("a1", "plan"), ("a2", "plan"), ("a1", "feedback"), ("tools", "tools")], ids="-".join)
def test_no_message_tells_of_a_secret(way: tuple[str, str], tmp_path: Path) -> None:
    assert check(tmp_path, 2, way) == 2


@pytest.mark.slow
def test_two_hundred_conversations_tell_of_no_secret(tmp_path: Path) -> None:
    ways = [("a1", "plan"), ("a2", "plan"), ("best-of:2", "plan"), ("a1", "feedback"), ("a2", "feedback"),
            ("one-shot", "feedback"), ("tools", "tools")]  # fmt: skip
    held = 0
    for way in ways:
        (tmp_path / "-".join(way)).mkdir()
        held += check(tmp_path / "-".join(way), 30, way)
    assert held >= 200
