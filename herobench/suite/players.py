"""Players of suites: they answer behind the protocol of a model, and need no model and no key."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import ClassVar, Generic, TypeVar

from herobench.conversation import Reply, Request
from herobench.data.errors import UsageError
from herobench.suite.refusals import SuiteFault

Move = TypeVar("Move")


def parse_player(suite: str, name: str, players: Sequence[str], free: Collection[str] = ()) -> tuple[str, str]:
    """Split `name:argument`. Raise UsageError for an unknown name, and for an argument that the player does not take.

    `free` names the players that take an argument.
    """
    first, _, argument = name.partition(":")
    if first not in players:
        raise UsageError(SuiteFault.NO_PLAYER, suite=suite, name=name, players=", ".join(players))
    if argument and first not in free:
        raise UsageError(SuiteFault.NO_ARGUMENT, model=first, argument=argument)
    return first, argument


class SuitePlayer(ABC):
    """The base of players: a model with a name that holds nothing."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def reply(self, request: Request) -> Reply:
        """Return the player's answer, under its name."""
        return (await self._answer(request)).named(self._name)

    async def close(self) -> None:
        """Hold nothing."""
        return

    @abstractmethod
    async def _answer(self, request: Request) -> Reply: ...


class GamePlayer(SuitePlayer, Generic[Move]):
    """Decides all moves of a game at its first turn: a game depends on its moves only."""

    most_games: ClassVar[int] = 2_000
    """The most games whose moves are kept: a run may have millions. A game that was dropped is decided again."""
    turn: ClassVar[re.Pattern[str]]
    """Finds the number of turns so far in the newest message."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._games: dict[tuple[str, int], Sequence[Move]] = {}

    async def _answer(self, request: Request) -> Reply:
        key = request.task_id, request.epoch
        moves = self._games.pop(key, None)
        if moves is None:
            moves = await asyncio.to_thread(self._decide, *key)
        number = self._turns_in(request)
        if number < len(moves) - 1:
            if len(self._games) >= self.most_games:
                del self._games[next(iter(self._games))]
            self._games[key] = moves
        return self._move(moves, number)

    def _turns_in(self, request: Request) -> int:
        """Return the number of turns that the newest messages tell."""
        for message in request.messages[:-3:-1]:
            if match := self.turn.search(message.text):
                return int(match[1])
        return 0

    @abstractmethod
    def _decide(self, task_id: str, epoch: int) -> Sequence[Move]:
        """Return the moves of a game from its start."""

    @abstractmethod
    def _move(self, moves: Sequence[Move], number: int) -> Reply:
        """Return the reply of a turn, from the moves of its game."""
