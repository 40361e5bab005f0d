"""Players without a model.

`oracle` plays a shortest solution. `greedy` walks the shortest way to the first milestone that it lacks, and does not
know that facts fade. `random` draws from the actions that would be carried out. Both draw the same for the same level
and epoch.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from herobench.conversation import Reply, Request, ToolCall
from herobench.data.errors import UsageError
from herobench.pddl import GroundAction, SearchLimits
from herobench.suites.epoch.game.game import Game
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.options import PLAN, Mode
from herobench.task_gen.epoch.prover import call_of, played, shortest_plan, shortest_way

_GREEDY = SearchLimits(5_000)
_TURN = re.compile(r"Turn (\d+) of ")
"""How a result begins: the number of turns so far."""


class EpochPlayer:
    """A player behind the protocol of a model."""

    def __init__(self, name: str, levels: Mapping[str, Level], mode: Mode) -> None:
        if name not in _PLAYERS:
            raise UsageError(f"The suite epoch has no player {name!r}: give one of {', '.join(PLAYERS)}.")
        self._name, self._levels, self._mode = name, levels, mode
        self._games: dict[tuple[str, int], list[dict[str, Any]]] = {}
        """The calls of each game from its start. A player decides them all alone: a game depends on its turns only."""

    async def reply(self, request: Request) -> Reply:
        """Return the player's next call, or its plan."""
        key = request.task_id, request.epoch
        if key not in self._games:
            self._games[key] = await asyncio.to_thread(self._decided, *key)
        calls = self._games[key]
        if self._mode == PLAN:
            return Reply(json.dumps(calls), stop="stop", model=self._name)
        begun = _TURN.match(request.messages[-1].text)
        call = calls[int(begun[1]) if begun else 0]
        made = ToolCall("call_0", call["name"], json.dumps(call["arguments"]))
        return Reply("", (made,), stop="tool_calls", model=self._name)

    async def close(self) -> None:
        """Hold nothing."""

    def _decided(self, id: str, epoch: int) -> list[dict[str, Any]]:
        game = self._levels[id].start()
        calls = []
        for action in _PLAYERS[self._name](game, epoch):
            calls.append(call_of(game.level, action))
            game.turn({"call": calls[-1]})
            if game.stop:
                break
        return calls


def _oracle(game: Game, epoch: int) -> Iterator[str]:
    plan = list(map(str, shortest_plan(game.level).plan or ()))
    # a shortest plan may take too long where facts fade
    yield from plan if played(game.level, plan).stop == "SOLVED" else game.level.reference_plan


def _greedy(game: Game, epoch: int) -> Iterator[str]:
    chance = Random(f"{game.level.id} {epoch}")  # noqa: S311 - the same game for the same level and epoch
    while True:
        wanted = game.world.mask(game.missing[0]) if game.missing else game.world.grounded.goal
        way = shortest_way(game.world, game.state, wanted, _GREEDY).plan
        for action in way or [_drawn(game, chance)]:
            yield str(action)


def _random(game: Game, epoch: int) -> Iterator[str]:
    chance = Random(f"{game.level.id} {epoch}")  # noqa: S311 - the same game for the same level and epoch
    while True:
        yield str(_drawn(game, chance))


def _drawn(game: Game, chance: Random) -> GroundAction:
    absent = ~game.state
    return chance.choice([action for action in game.world.tool_actions if not action.pre & absent])


_PLAYERS: Mapping[str, Callable[[Game, int], Iterator[str]]] = MappingProxyType(
    {"oracle": _oracle, "greedy": _greedy, "random": _random}
)
PLAYERS = tuple(_PLAYERS)
