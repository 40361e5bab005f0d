"""Players without a model.

`oracle` plays a shortest solution, on a road a quickest one. `greedy` walks the shortest way to the next milestone, and
does not look beyond: it spends what is needed later, and does not know that facts fade. `sight:k` tries all that can be
done within k actions, goes where the goal seems nearest, and looks again. The goal seems as far as if actions took
nothing away; on a road, as if `greedy` went on behind the next gate. `random` draws from the actions that would be
carried out. All play the same game of the same level and epoch.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from math import inf
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any

from herobench.conversation import Reply, ToolCall
from herobench.data.errors import UsageError
from herobench.pddl import GroundAction, SearchLimits
from herobench.pddl.limits import SearchBudget
from herobench.pddl.relaxation import FastForward
from herobench.suite.players import GamePlayer, parse_player
from herobench.suite.validating import WinsTable
from herobench.suites.epoch.game.columns import PLAN, Mode
from herobench.suites.epoch.game.game import EpochGame
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import EpochWorld
from herobench.suites.epoch.making.prover import play_plan, shortest_plan, shortest_way, write_call
from herobench.suites.epoch.making.road import level_values
from herobench.suites.epoch.making.traps import greedy_walk, near_choice
from herobench.suites.epoch.refusals import EpochFault

if TYPE_CHECKING:
    from herobench.suites.epoch.making.values import RoadValues

_GREEDY = SearchLimits(5_000)
_RELAXED = SearchLimits(tests=100_000_000)
TRIES: Mapping[str, int] = {"greedy": 1, "sight:1": 1, "sight:2": 1, "sight:4": 1, "random": 5}
"""The players of the audit, with the games of each level that they play."""
MOST_SIGHT = 8
"""The most actions that a player looks ahead: what there is to see grows with each as with the moves of a game."""


class EpochPlayer(GamePlayer[dict[str, Any]]):
    """Plays levels, by one call of a tool in each turn, or by one plan."""

    turn = re.compile(r"\ATurn (\d+) of ")

    def __init__(self, name: str, levels: Mapping[str, Level], mode: Mode) -> None:
        super().__init__(name)
        self._play = find_player(name)
        self._levels, self._mode = levels, mode

    def _move(self, moves: Sequence[dict[str, Any]], number: int) -> Reply:
        if self._mode == PLAN:
            return Reply(json.dumps(moves), stop="stop")
        call = moves[number]
        call_made = ToolCall("call_0", call["name"], json.dumps(call["arguments"]))
        return Reply("", (call_made,), stop="tool_calls")

    def _decide(self, task_id: str, epoch: int) -> list[dict[str, Any]]:
        return [call for call, _ in play(self._levels[task_id].start(), self._play, epoch)]


def play(game: EpochGame, player: Player, epoch: int) -> Iterator[tuple[dict[str, Any], EpochGame]]:
    """Play a game to its end. Yield the calls of the player, each with the game behind it."""
    for action in player(game, epoch):
        call = write_call(game.level, action)
        game.turn({"call": call})
        yield call, game
        if game.stop:
            return


def find_player(name: str) -> Player:
    """Return the player of a name such as `greedy` or `sight:2`. Raise UsageError."""
    kind, argument = parse_player("epoch", name, PLAYERS, ("sight",))
    if kind != "sight":
        return _PLAYERS[kind]
    if not (argument.isascii() and argument.isdecimal() and 0 < int(argument) <= MOST_SIGHT):
        raise UsageError(EpochFault.BAD_SIGHT, most=MOST_SIGHT, argument=argument)
    return partial(_sight, sight=int(argument))


def wins_table(groups: Mapping[str, Sequence[Level]]) -> WinsTable:
    """Return the table of the levels that players without a model solve, in percent, by group."""
    rows = []
    for name, tries in TRIES.items():
        wins = [
            [solves(level, name, epoch) for level in levels for epoch in range(tries)] for levels in groups.values()
        ]
        rows.append([name, *(f"{100 * fmean(each):.0f}" for each in (*wins, [*chain(*wins)]))])
    return WinsTable(["player"], [*groups, "all"], rows)


def solves(level: Level, name: str, epoch: int = 0) -> bool:
    """Return whether a player solves a level. A game on a road ends when nobody could win it any more."""
    for _, game in play(level.start(), find_player(name), epoch):
        if game.stop:
            return game.won
        values = level_values(level)
        if values and game.hours + values.value(game.state) > level.hours_to_win:
            break
    return False


def _oracle(game: EpochGame, epoch: int) -> Iterator[str]:
    if values := level_values(game.level):
        yield from map(str, values.best_plan())
        return
    plan = list(map(str, shortest_plan(game.level).plan or ()))
    # a shortest plan may take too long where facts fade
    yield from plan if play_plan(game.level, plan).stop == "SOLVED" else game.level.reference_plan


def _greedy(game: EpochGame, epoch: int) -> Iterator[str]:
    values, chance = level_values(game.level), _chance(game, epoch)
    while True:
        if values:
            yield str(near_choice(values, game.state)[0])
            continue
        goal = game.world.mask(game.missing[0]) if game.missing else game.world.grounded.goal
        way = shortest_way(game.world, game.state, goal, _GREEDY).plan
        for action in way or [_draw_action(game, chance)]:
            yield str(action)


def _sight(game: EpochGame, epoch: int, sight: int) -> Iterator[str]:
    chance, visited = _chance(game, epoch), {game.state}
    values = level_values(game.level)
    distance = _distance_by_gates(values) if values else cache(partial(_relaxed_distance, game.world))
    while True:
        ways = _ways_within(game.world, game.state, sight)
        fresh = [state for state in ways if state not in visited]
        if fresh:
            nearest = min(
                fresh, key=lambda state: (distance(state) + _spent(game.world, ways[state]), len(ways[state]))
            )
            visited.add(nearest)
            yield from map(str, ways[nearest])
        else:
            yield str(_draw_action(game, chance))


def _spent(world: EpochWorld, way: Sequence[GroundAction]) -> int:
    """Return the hours of a way; 0 where actions do not take any."""
    return sum(map(world.hours, way)) if world.edition.has_hours else 0


def _distance_by_gates(values: RoadValues) -> Callable[[int], float]:
    """Return the hours from a state to the goal: the least ones to the next gate, then those of greedy."""
    reference = greedy_walk(values)
    rest = [reference.hours[-1] - reference.hours[turn] for turn in reference.raised]

    def distance(state: int) -> float:
        gate = values.road.gate(state)
        return values.near(state) + rest[gate] if gate < len(rest) else 0

    return distance


def _relaxed_distance(world: EpochWorld, state: int) -> float:
    """Return the length of a plan to the goal if actions take nothing away; infinity if there is none."""
    estimate = FastForward(world.deeds, world.grounded.goal, SearchBudget(_RELAXED))(state)
    return inf if estimate is None else estimate[0]


def _ways_within(world: EpochWorld, state: int, most: int) -> Mapping[int, list[GroundAction]]:
    """Return each state that is within so many actions, with a shortest way to it. A way that wins ends the search."""
    ways: dict[int, list[GroundAction]] = {state: []}
    line = deque([state])
    while line:
        before = line.popleft()
        if len(ways[before]) == most:
            continue
        for action, after in world.choices(before):
            if after not in ways:
                ways[after] = [*ways[before], action]
                line.append(after)
    return ways


def _random(game: EpochGame, epoch: int) -> Iterator[str]:
    chance = _chance(game, epoch)
    while True:
        yield str(_draw_action(game, chance))


def _chance(game: EpochGame, epoch: int) -> Random:
    return Random(f"{game.level.id} {epoch}")  # noqa: S311 - the same game for the same level and epoch


def _draw_action(game: EpochGame, chance: Random) -> GroundAction:
    absent = ~game.state
    return chance.choice([action for action in game.world.tool_actions if not action.pre & absent])


Player = Callable[[EpochGame, int], Iterator[str]]
"""Yields the actions of a game in an epoch."""
_PLAYERS: Mapping[str, Player] = {"oracle": _oracle, "greedy": _greedy, "random": _random}
PLAYERS = (*_PLAYERS, "sight")
