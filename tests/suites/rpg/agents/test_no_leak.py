"""Agents are told what the task tells, and nothing else: the same conversation in worlds with and without secrets.

The secrets are a tile with a monster, a recipe, an item for sale, and in plans without feedback a further drop of every
node. The model looks for them. Where it is the game itself that answers, it would find them, so there it looks just
beside them. If any message differed between the two worlds, it would tell of a secret.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Model, Reply, Request, ToolCall
from herobench.runs.options import AttemptLimits
from herobench.suites.rpg.worlds.content import load_world
from tests.builders import documents, write_world
from tests.program import herobench, write_jsonl
from tests.sizes import some_slow
from tests.suites.rpg.agents.games import game

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
    """The oracle, which now and then also looks for what it is not told, or in the game itself just beside that."""

    ACTIONS = (
        {"action": "move", "x": PLACE[0], "y": PLACE[1]},
        {"action": "fight"},
        {"action": "gather", "quantity": 1},
        {"action": "craft", "code": "zz_blade", "quantity": 1},
        {"action": "buy", "code": "zz_ring", "quantity": 1},
        {"action": "equip", "slot": "weapon", "code": "zz_blade"},
    )
    CODE = 'move("Hero", 77, 77)\nfight("Hero")\ncraft("Hero", "zz_blade", 1)\nbuy("Hero", "zz_ring")\n'
    CODE_BESIDE = 'move("Hero", 76, 77)\ncraft("Hero", "zz_blad", 1)\nbuy("Hero", "zz_rin")\n'
    CALLS_BESIDE = (
        ("look", {}),
        ("move", {"x": PLACE[0] - 1, "y": PLACE[1]}),
        ("craft", {"code": "zz_blad", "quantity": 1}),
        ("buy", {"code": "zz_rin", "quantity": 1}),
        ("equip", {"slot": "weapon", "code": "zz_blde"}),
        ("zz", {}),
    )

    def __init__(self, model: Model, beside: bool) -> None:
        self._model = model
        self._asked = 0
        self._code = self.CODE_BESIDE if beside else self.CODE

    async def reply(self, request: Request) -> Reply:
        self._asked += 1
        reply = await self._model.reply(request)
        if self._asked % 3 and not request.tools:
            return reply
        if request.form is not None and request.form.name == "actions":
            listed = json.loads(reply.text)["actions"]
            blank = dict.fromkeys(listed[0])
            return replace(reply, text=json.dumps({"actions": [*listed, *({**blank, **row} for row in self.ACTIONS)]}))
        if request.tools:
            more = (
                ToolCall(f"{self._asked}-{number}", name, json.dumps(arguments))
                for number, (name, arguments) in enumerate(self.CALLS_BESIDE)
            )
            return replace(reply, tool_calls=(*more, *reply.tool_calls))
        if request.form is None:
            return replace(reply, text=reply.text.replace("```python\n", f"```python\n{self._code}"))
        return reply

    async def close(self) -> None:
        await self._model.close()


IN_THE_GAME = (("one-shot", "feedback"), ("tools", "tools"))
"""Where whatever the model does is done in the game. Teams try their parts out first."""


def conversations(folder: Path, tasks: Path, world: Path, way: tuple[str, str]) -> Iterator[list[Json]]:
    """All messages of each attempt, in order."""
    there = load_world(world).digest
    own = write_jsonl(
        folder.with_suffix(".jsonl"), [{**json.loads(line), "world": there} for line in tasks.read_text().splitlines()]
    )
    with game(
        folder, own, way, lambda oracle: Prying(oracle, way in IN_THE_GAME), AttemptLimits(calls=40), world
    ) as trial:
        trial.connections = 1
        trial.work()
        for task_id in trial.task_ids:
            yield [call["messages"] for call in trial.whole_calls if call["task_id"] == task_id]


def check(folder: Path, count: int, way: tuple[str, str]) -> int:
    """Hold the conversations in both worlds side by side, and return how many there are."""
    in_parts = way[1] != "plan"
    tasks = folder / "tasks.jsonl"
    made = herobench("generate", "--suite", "rpg", "--count", str(count), "--seed", "5", "-o", str(tasks))
    assert made.returncode == 0, made.stderr
    plain, secret = write_world(folder / "plain", documents()), secret_world(folder / "secret", drops=not in_parts)
    pairs = zip(
        conversations(folder / "run_plain", tasks, plain, way),
        conversations(folder / "run_secret", tasks, secret, way),
        strict=True,
    )
    held, pried = 0, False
    for without, within in pairs:
        assert within == without
        said = json.dumps(within)
        # a model that looks for secrets names them itself
        assert within
        assert way not in IN_THE_GAME or not any(word in said for word in HIDDEN)
        pried = pried or "zz_" in said
        held += 1
    assert pried
    return held


@pytest.mark.parametrize(
    "way",
    some_slow([("a1", "plan"), ("a2", "plan"), ("a1", "feedback"), ("tools", "tools")], {("a1", "feedback")}),
    ids="-".join,
)
def test_no_message_tells_of_a_secret(way: tuple[str, str], tmp_path: Path) -> None:
    assert check(tmp_path, 2, way) == 2
