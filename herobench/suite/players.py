"""Players of suites, which answer behind the protocol of a model and need no key; and what help a model had.

A model that saw results of its plan, called tools or let a program compute is not measured on the same ability as one
that planned everything at once. The help follows from the suite, the model and the details of a sample, so that older
samples have one too. A name that says `solver` stands for no model: a player of the suite, such as its oracle.
"""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar, get_args

from herobench.conversation import NOTES_ROLE, Reply, Request
from herobench.data.errors import SuiteError, UsageError, abbreviate
from herobench.suite.checked import suite_class, suite_errors
from herobench.suite.contract import Help, Suite
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
        """Return the player's answer, under its name. Players read the whole conversation and write no notes."""
        reply = Reply("", stop="stop") if request.role == NOTES_ROLE else await self._answer(request)
        return reply.named(self._name)

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


HELP: tuple[Help, ...] = get_args(Help)
SOLVER: Help = "solver"
ORACLE = "oracle"
"""The model that every suite's oracle is called."""


def attempt_help(suite: str, model: str | None, details: Mapping[str, Any]) -> Help:
    """Return what help a model had in an attempt, by the suite and the model of its sample and by its details."""
    help_in, players = _help_and_players(suite)
    if (model or "").partition(":")[0] in players:
        return SOLVER
    with suite_errors(suite, "help"):
        value = help_in(details)
    if value not in HELP:
        raise SuiteError(
            f"The suite {suite} names the help {abbreviate(value)}, which is not one of {', '.join(HELP)}."
        )
    return value


def is_of_people(config: Mapping[str, Any]) -> bool:
    """Return whether people answered in a run, by its `config`: it has no server, and neither a player nor a model of a
    package. A config that does not say who answered is not theirs."""
    model, suite = config.get("model"), config.get("suite")
    if not isinstance(model, str) or not isinstance(suite, str) or config.get("base_url") is not None:
        return False
    return ":" not in model and model not in _help_and_players(suite)[1]


def help_words(values: Collection[str]) -> str:
    """Return kinds of help as text, in their order, such as `bare and solver`; empty for none."""
    return " and ".join(value for value in HELP if value in values)


@cache  # asked for every sample, and looking packages up is slow
def _help_and_players(suite: str) -> tuple[Callable[[Mapping[str, Any]], Help], frozenset[str]]:
    """Return what tells the help in a suite, and its players. A suite that is not installed has the usual modes."""
    try:
        kind = suite_class(suite)
    except UsageError:
        return Suite.help, frozenset((ORACLE,))
    players = kind.players if isinstance(kind.players, (tuple, list)) else ()
    return kind.help, frozenset((ORACLE, *players, *kind.former_players))
