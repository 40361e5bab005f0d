"""A model that answers each role like the oracle, and spoils some of its answers in all the ways that models do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random

from herobench.conversation import Model, Reply, Request, ToolCall


class Sloppy:
    """Spoils a share of the replies of another model. The same request meets with the same reply."""

    def __init__(self, model: Model, share: float, seed: int) -> None:
        self._model = model
        self._share = share
        self._seed = seed
        self.asked = 0

    async def reply(self, request: Request) -> Reply:
        self.asked += 1
        said = [message.as_row() for message in request.messages]
        asked = json.dumps([self._seed, request.task_id, request.epoch, request.repeat, request.role, said])
        chance = Random(hashlib.sha256(asked.encode()).digest())
        reply = await self._model.reply(request)
        return chance.choice(SPOILS)(reply, chance) if chance.random() < self._share else reply

    async def close(self) -> None:
        await self._model.close()


def _broken(reply: Reply, chance: Random) -> Reply:
    return replace(reply, text=reply.text[: chance.randrange(len(reply.text) + 1)])


def _wrapped(reply: Reply, chance: Random) -> Reply:
    return replace(reply, text=f"Sure!\n```json\n{reply.text}\n```\nI hope that {{helps}}.")


def _other(reply: Reply, chance: Random) -> Reply:
    others = ("", "null", "[]", "{}", '{"subtasks": []}', '{"accepted": "yes"}', "NaN", "[" * 100_000, '{"a":' * 10_000,
              "I cannot help with that.", '{"actions": [{"action": "fly"}]}', "\ud800", "x" * 500_000)  # fmt: skip
    return replace(reply, text=chance.choice(others))


def _endless(reply: Reply, chance: Random) -> Reply:
    """A critic that never accepts."""
    return replace(reply, text='{"accepted": false, "comments": "It is not good enough."}')


def _contradictory(reply: Reply, chance: Random) -> Reply:
    """Says yes and no, or plans and gives up."""
    said = ('{"accepted": true, "comments": "Do not do this!"}', '{"subtasks": [], "give_up": "I do not want to."}',
            '{"questions": [{"expert": "map", "question": "?"}], "steps": ["Go."]}')  # fmt: skip
    return replace(reply, text=chance.choice(said))


def _wrong_amounts(reply: Reply, chance: Random) -> Reply:
    """Other numbers than the right ones."""
    digits = (str(chance.choice((0, 1, 7, 10**6, 10**15))) if sign.isdigit() else sign for sign in reply.text)
    return replace(reply, text="".join(digits))


def _many(reply: Reply, chance: Random) -> Reply:
    """Far more subtasks than anybody needs."""
    rows = [{"do": "gather", "code": "ore", "quantity": 1, "note": None}] * 900
    return replace(reply, text=json.dumps({"subtasks": rows, "give_up": None}))


def _code(reply: Reply, chance: Random) -> Reply:
    """Code that does not work, or does not end."""
    bodies = ("while True:\n    pass", "import os", "fight('Hero')\n1 / 0", "def f():", "move('Hero')",
              "x = " + "9" * 9_000, "for i in range(10**9):\n    fight('Hero')", "'" * 7, "give_up('no')")  # fmt: skip
    return replace(reply, text=f"```python\n{chance.choice(bodies)}\n```")


def _tool_calls(reply: Reply, chance: Random) -> Reply:
    """Calls of tools that do not exist, or with arguments that do not fit."""
    names = ("move", "fight", "gather", "craft", "equip", "unequip", "buy", "look", "give_up", "rm", "")
    arguments = ("", "{", "null", "[1]", '{"x": 1}', '{"x": "1", "y": {}}', '{"times": -1}', '{"times": 999}',
                 '{"quantity": 1e400}', '{"name": "Villain"}', '{"code": "' + "a" * 999 + '", "quantity": 0}',
                 '{"slot": null, "code": true}')  # fmt: skip
    calls = tuple(
        ToolCall(f"s{number}", chance.choice(names), chance.choice(arguments)) for number in range(chance.randrange(4))
    )
    return replace(reply, tool_calls=calls)


Spoil = Callable[[Reply, Random], Reply]
SPOILS: tuple[Spoil, ...] = (
    _broken,
    _wrapped,
    _other,
    _endless,
    _contradictory,
    _wrong_amounts,
    _many,
    _code,
    _tool_calls,
)
