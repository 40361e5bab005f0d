"""Players without a model.

`oracle` plays a shortest solution. `greedy` walks the shortest way to the first milestone that it lacks, and does not
know that facts fade. `random` draws from the actions that would be carried out. Both draw the same for the same level
and epoch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from herobench.conversation import Reply, ToolCall
from herobench.pddl import GroundAction, SearchLimits
from herobench.suite.players import GamePlayer, parse_player
from herobench.suites.epoch.game.game import Game
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.options import PLAN, Mode
from herobench.task_gen.epoch.prover import call_of, played, shortest_plan, shortest_way

_GREEDY = SearchLimits(5_000)


class EpochPlayer(GamePlayer[dict[str, Any]]):
    """Plays levels, by one call of a tool in each turn, or by one plan."""

    turn = re.compile(r"\ATurn (\d+) of ")

    def __init__(self, name: str, levels: Mapping[str, Level], mode: Mode) -> None:
        super().__init__(parse_player("epoch", name, PLAYERS)[0])
        self._levels, self._mode = levels, mode

    def _move(self, moves: Sequence[dict[str, Any]], number: int) -> Reply:
        if self._mode == PLAN:
            return Reply(json.dumps(moves), stop="stop")
        call = moves[number]
        made = ToolCall("call_0", call["name"], json.dumps(call["arguments"]))
        return Reply("", (made,), stop="tool_calls")

    def _decide(self, task_id: str, epoch: int) -> list[dict[str, Any]]:
        game = self._levels[task_id].start()
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
