"""Players without a model.

`oracle` knows the certified plan and explores nothing. `experimenter` designs the day that halves the possible worlds
best. `sight` tries what is likeliest to win. `rote` tries pair after pair, in the order in which things are told, and
`rote:shuffled` in a random one. `standard` explores nothing, and takes the first things that are told. `noop` answers
without a plan.

Each decides its whole game at the first turn, by the answers of the exploration alone.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from herobench.conversation import Reply, Request, ToolCall
from herobench.data.errors import UsageError
from herobench.suite.players import SuitePlayer, parse_player
from herobench.suites.discover.game.columns import PLAYERS, DiscoverStyle
from herobench.suites.discover.game.day import Call
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.discover.game.plan import as_code
from herobench.suites.discover.making.explorers import SHUFFLED, explore_as, first_plan
from herobench.suites.discover.prompts.telling import DONE
from herobench.suites.discover.refusals import DiscoverFault

_MOST_GAMES = 500
"""The most games that are kept. One that was dropped is decided again."""
_A_REPLY = 100
"""The most calls of a reply."""


class PlannedGame(NamedTuple):
    """All that a player does in one attempt."""

    calls: Sequence[Call]
    code: str


class DiscoverPlayer(SuitePlayer):
    """Plays mysteries: its calls, as many as fit into each reply, then its plan."""

    def __init__(self, name: str, mysteries: Mapping[str, Mystery], style: DiscoverStyle) -> None:
        first, self._order = parse_player("discover", name, PLAYERS, ("rote",))
        if self._order not in ("", SHUFFLED):
            raise UsageError(DiscoverFault.NO_ORDER, name=self._order)
        super().__init__(name)
        self._kind, self._mysteries, self._style = first, mysteries, style
        self._game = lru_cache(_MOST_GAMES)(self._make_game)

    async def _answer(self, request: Request) -> Reply:
        game = await asyncio.to_thread(self._game, request.task_id, request.epoch)
        roles = Counter(message.role for message in request.messages)
        if self._style.lane == "found" and roles["user"] == 1:
            return _reply([*game.calls, Call(DONE)][roles["assistant"] * _A_REPLY :][:_A_REPLY])
        return Reply(f"```python\n{game.code}\n```" if game.code else "", stop="stop")

    def _make_game(self, task_id: str, epoch: int) -> PlannedGame:
        """Return the game of a task and epoch, which is the same each time."""
        mystery = self._mysteries[task_id]
        if self._kind == "noop":
            return PlannedGame((), "")
        if self._kind == "oracle" or self._style.lane == "told":
            return PlannedGame((), mystery.certificate.plan)
        if self._kind == "standard":
            return PlannedGame((), as_code(first_plan(mystery)))
        tour = explore_as(self._kind, self._order, mystery, epoch)
        return PlannedGame(tour.calls, as_code(tour.plan))


def _reply(calls: Iterable[Call]) -> Reply:
    calls_made = tuple(
        ToolCall(f"call_{number}", call.name, json.dumps(call.arguments)) for number, call in enumerate(calls)
    )
    return Reply("", calls_made, stop="tool_calls")
