"""Players without a model.

`oracle` knows the certified plan and explores nothing. `standard` explores nothing either, and plans for the told
world. `experimenter` finds out by experiments what differs, and plans by that. `random` explores at random, within the
same budget, draws the same conclusions from what it happens to see, and plans by them. `noop` answers without a plan.

Behind the agent `a2`, `oracle` and the two explorers answer in every role.

Each decides its whole game at the first turn. The explorers do so by the answers of the exploration alone, as a model
would see them: nothing else of the true world reaches them.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from herobench.conversation import Reply, Request, ToolCall
from herobench.suite.players import SuitePlayer, parse_player
from herobench.suites.discover.attempt import DONE
from herobench.suites.discover.game.columns import PLAYERS, DiscoverStyle
from herobench.suites.discover.game.families import Change
from herobench.suites.discover.game.mystery import RESET, Answer, Call, Exploration, Mystery
from herobench.suites.discover.making.explorers import ChanceExplorer, Experimenter
from herobench.suites.discover.making.planner import plan
from herobench.suites.rpg.agents.explorers import FINDINGS
from herobench.suites.rpg.game.events import named_values
from herobench.suites.rpg.play.execution import as_answer
from herobench.task_gen.rpg.oracle.steps import Do, as_code
from herobench.task_gen.rpg.oracle_player import CODER, OraclePlan, role_answer, subtask_asked


class PlannedGame(NamedTuple):
    """All that a player does in one attempt."""

    calls: Sequence[Call]
    code: str
    believed: Iterable[Change]


class _Believed(OraclePlan):
    """The plan of a player by what it believes, for the roles of a team."""

    def __init__(self, mystery: Mystery, game: PlannedGame) -> None:
        self._truth = mystery.with_changes(game.believed)
        super().__init__(*self._truth, mystery.task)

    @cached_property
    def is_impossible(self) -> bool:
        """False: a mystery can be solved."""
        return False

    @cached_property
    def steps(self) -> Sequence[Do]:
        """The best plan; the empty one if nothing wins in the believed world."""
        return plan(self._truth, self.task) or []


class DiscoverPlayer(SuitePlayer):
    """Plays mysteries: all its calls in one reply, then its plan, then the form."""

    def __init__(self, name: str, mysteries: Mapping[str, Mystery], style: DiscoverStyle) -> None:
        super().__init__(parse_player("discover", name, PLAYERS)[0])
        self._mysteries, self._style = mysteries, style
        self._game = lru_cache(_MOST_GAMES)(self._make_game)
        self._team = lru_cache(_MOST_GAMES)(self._belief)

    async def _answer(self, request: Request) -> Reply:
        game = await asyncio.to_thread(self._game, request.task_id, request.epoch)
        if request.role is not None:
            return await asyncio.to_thread(self._as_role, request, game)
        roles = Counter(message.role for message in request.messages)
        # the opening, the question for the plan and the form: the exploration may end before all calls are made.
        # Who gives no plan is asked for it twice.
        form_number = 3 if game.code else 4
        if self._style.lane == "told" or 2 <= roles["user"] < form_number:
            return Reply(as_answer(game.code) if game.code else "", stop="stop")
        if roles["user"] == 1:
            return _reply([*game.calls, (DONE, ())][roles["assistant"] * _A_REPLY :][:_A_REPLY])
        changes = [change._asdict() for change in game.believed]
        return Reply(f"```json\n{json.dumps(changes)}\n```", stop="stop")

    def _as_role(self, request: Request, game: PlannedGame) -> Reply:
        """Answer as a sub-agent of a team."""
        question = request.messages[0].text
        call_count = len(_LOGGED.findall(question)) + sum(message.role == "tool" for message in request.messages)
        if request.tools:
            return _reply(game.calls[call_count:][:_A_REPLY])
        if request.form and request.form.name == FINDINGS.name:
            differences = [change._asdict() for change in game.believed]
            answer = {"differences": differences, "enough": call_count >= len(game.calls), "experiment": None}
            return Reply(json.dumps(answer), stop="stop")
        team = self._team(request.task_id, request.epoch)
        if request.role == CODER:
            return Reply(as_answer(as_code(subtask_asked(team, request).steps)), stop="stop")
        return Reply(role_answer(team, request), stop="stop")

    def _belief(self, task_id: str, epoch: int) -> _Believed:
        return _Believed(self._mysteries[task_id], self._game(task_id, epoch))

    def _make_game(self, task_id: str, epoch: int) -> PlannedGame:
        """Return the game of a task and epoch, which is the same each time."""
        mystery, style = self._mysteries[task_id], self._style
        match self._name:
            case "oracle":
                return PlannedGame((), mystery.certificate.plan, mystery.changes)
            case "noop":
                return PlannedGame((), "", ())
            case "standard":
                return _plan_game(mystery, (), frozenset())
            case "experimenter" if style.lane == "told":
                return _plan_game(mystery, (), frozenset(mystery.changes))
        lab = _BudgetedLab(mystery)
        chance = Random(f"{mystery.id} {epoch}")  # noqa: S311 - the same game for the same task and epoch
        explores = Experimenter(mystery, lab) if self._name == "experimenter" else ChanceExplorer(mystery, lab, chance)
        count = len(mystery.changes) if style.disclosure == "told" else None
        return _plan_game(mystery, lab.calls, explores.run().belief(count))


_LOGGED = re.compile(r"^\w+ \{.*\} -> \{", re.MULTILINE)
"""A call in the log of a team."""
_MOST_GAMES = 500
"""The most games that are kept. One that was dropped is decided again."""
_A_REPLY = 100
"""The most calls of a reply."""


def _reply(calls: Iterable[Call]) -> Reply:
    calls_made = tuple(
        ToolCall(f"call_{number}", name, json.dumps(_arguments(name, values)))
        for number, (name, values) in enumerate(calls)
    )
    return Reply("", calls_made, stop="tool_calls")


def _arguments(name: str, values: Sequence[object]) -> dict[str, object]:
    return dict(zip(named_values(name), values, strict=False)) if values else {}


def _plan_game(mystery: Mystery, calls: Sequence[Call], believed: frozenset[Change]) -> PlannedGame:
    """Return the game of a player that plans for the believed world, or for the told world if no plan wins there."""
    steps = plan(mystery.with_changes(believed), mystery.task)
    return PlannedGame(calls, as_code(steps) if steps else mystery.usual_plan, sorted(believed, key=str))


class _BudgetedLab:
    """The exploration of a player, which ends with its budget."""

    def __init__(self, mystery: Mystery) -> None:
        self._budget = mystery.budget
        self._exploration = Exploration(mystery.true, mystery.task)
        self.calls: list[Call] = []

    def __call__(self, call: Call, /) -> Answer:
        exploration = self._exploration
        if len(exploration.events) >= self._budget.actions:
            return {"error": "the exploration is over"}
        if call[0] == RESET and exploration.resets >= self._budget.resets:
            return {"error": "all resets are used up"}
        self.calls.append(call)
        return exploration.play([call])[0]
