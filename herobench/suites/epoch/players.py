"""Players without a model.

`oracle` plays a shortest solution. `greedy` walks the shortest way to the first milestone that it lacks, and does not
know that facts fade. `random` draws from the actions that would be carried out. Both draw the same for the same level
and epoch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from statistics import fmean
from typing import Any

from herobench.conversation import Reply, ToolCall
from herobench.pddl import GroundAction, SearchLimits
from herobench.suite.players import GamePlayer, parse_player
from herobench.suite.validating import WinsTable
from herobench.suites.epoch.game.columns import PLAN, Mode
from herobench.suites.epoch.game.game import EpochGame
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.making.prover import play_plan, shortest_plan, shortest_way, write_call

_GREEDY = SearchLimits(5_000)
_TRIES = 5
"""Games of each level that are drawn for a table."""


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
        call_made = ToolCall("call_0", call["name"], json.dumps(call["arguments"]))
        return Reply("", (call_made,), stop="tool_calls")

    def _decide(self, task_id: str, epoch: int) -> list[dict[str, Any]]:
        return [call for call, _ in _play(self._levels[task_id], self._name, epoch)]


def _play(level: Level, name: str, epoch: int) -> Iterator[tuple[dict[str, Any], str | None]]:
    """Yield the calls of a player, each with how the game stopped behind it; None if it goes on."""
    game = level.start()
    for action in _PLAYERS[name](game, epoch):
        call = write_call(level, action)
        game.turn({"call": call})
        yield call, game.stop
        if game.stop:
            return


def wins_table(groups: Mapping[str, Sequence[Level]]) -> WinsTable:
    """Return the table of the levels that players without a model solve, in percent, by group."""
    rows = []
    for name, tries in (("greedy", 1), ("random", _TRIES)):
        wins = [
            [_solves(level, name, epoch) for level in levels for epoch in range(tries)] for levels in groups.values()
        ]
        rows.append([name, *(f"{100 * fmean(each):.0f}" for each in (*wins, [*chain(*wins)]))])
    return WinsTable(["player"], [*groups, "all"], rows)


def _solves(level: Level, name: str, epoch: int) -> bool:
    *_, (_, stop) = _play(level, name, epoch)
    return stop == "SOLVED"


def _oracle(game: EpochGame, epoch: int) -> Iterator[str]:
    plan = list(map(str, shortest_plan(game.level).plan or ()))
    # a shortest plan may take too long where facts fade
    yield from plan if play_plan(game.level, plan).stop == "SOLVED" else game.level.reference_plan


def _greedy(game: EpochGame, epoch: int) -> Iterator[str]:
    chance = Random(f"{game.level.id} {epoch}")  # noqa: S311 - the same game for the same level and epoch
    while True:
        goal = game.world.mask(game.missing[0]) if game.missing else game.world.grounded.goal
        way = shortest_way(game.world, game.state, goal, _GREEDY).plan
        for action in way or [_draw_action(game, chance)]:
            yield str(action)


def _random(game: EpochGame, epoch: int) -> Iterator[str]:
    chance = Random(f"{game.level.id} {epoch}")  # noqa: S311 - the same game for the same level and epoch
    while True:
        yield str(_draw_action(game, chance))


def _draw_action(game: EpochGame, chance: Random) -> GroundAction:
    absent = ~game.state
    return chance.choice([action for action in game.world.tool_actions if not action.pre & absent])


_Player = Callable[[EpochGame, int], Iterator[str]]
_PLAYERS: Mapping[str, _Player] = {"oracle": _oracle, "greedy": _greedy, "random": _random}
PLAYERS = tuple(_PLAYERS)
