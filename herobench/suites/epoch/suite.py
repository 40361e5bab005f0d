"""The epochs behind the contract of a suite: a game for each level, turn by turn with tools, or by one plan.

With tools, the model is sent the two opening messages and the latest turns, as many as the window has. Only the newest
result tells the whole state; older ones tell what changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from herobench.conversation import Message, Reply, Tool, json_blocks
from herobench.data.columns import blank
from herobench.data.documents import finite, no_constant
from herobench.data.errors import UsageError
from herobench.data.options import option_texts, read_options
from herobench.pddl import GroundAction
from herobench.suite.contract import Attempt, Distance, Suite, SuiteSetting, TaskInfo, TurnLimit, Verdict
from herobench.suite.generating import TaskGenerator
from herobench.suite.turns import TurnWindow, tool_results
from herobench.suite.validating import Certificates, TaskFigures, Watch
from herobench.suites.epoch.game.columns import (
    ALL,
    DETAILS,
    LANES,
    MODES,
    PLAN,
    ROAD_FIGURES,
    TOOLS,
    LevelChoice,
    LevelStyle,
    Mode,
)
from herobench.suites.epoch.game.game import Feedback, SentCall, first_call
from herobench.suites.epoch.game.level import (
    DATASET,
    DATASETS,
    LEVELS,
    PUBLISHED,
    Level,
    load_level,
    load_levels,
    with_numbers,
)
from herobench.suites.epoch.game.world import level_digest
from herobench.suites.epoch.making.distance import measure_distance
from herobench.suites.epoch.making.players import PLAYERS, EpochPlayer, wins_table
from herobench.suites.epoch.making.road import level_values
from herobench.suites.epoch.making.traps import find_regrets
from herobench.suites.epoch.prompts.telling import WORDS, LevelTelling, lane_digest, words_digest
from herobench.suites.epoch.refusals import EpochFault


class Epoch(Suite):
    """The chosen levels and the way in which they are played."""

    name = "epoch"
    modes = MODES
    one_turn_mode = PLAN
    run_options = (LevelChoice, LevelStyle)
    players = PLAYERS
    lanes = LANES
    length_column = "optimal"
    datasets, task_fields = DATASETS, ("stagnation_window",)

    @staticmethod
    def explain_loss(verdict: Verdict) -> tuple[str, int | None]:
        """Return the first call that was not carried out, with its number from 1 on."""
        for number, turn in enumerate((verdict.events or {})["turns"], 1):
            if (kind := turn["feedback"]["kind"]) not in ("done", "control"):
                name = turn["turn"].get("call", {}).get("name")
                return (f"{name}: {kind}", number) if name else (kind, None)
        return "all calls were carried out, and the goal was not reached", None

    @staticmethod
    def generator() -> TaskGenerator:
        """Return what makes new levels."""
        from herobench.suites.epoch.making.generator import EpochGenerator  # a run does not need it

        return EpochGenerator()

    @staticmethod
    def audit(setting: SuiteSetting, watch: Watch) -> TaskFigures:
        """Return what players without a model solve."""
        tasks = setting.tasks or Path(DATASET)
        levels = load_levels(str(tasks)) if str(tasks) in DATASETS else LEVELS.in_file(tasks)
        groups: dict[str, list[Level]] = {}
        for level in levels.values():
            groups.setdefault(level_group(level), []).append(level)
        return TaskFigures([wins_table(groups)])

    @staticmethod
    def certificates() -> Certificates:
        """Return what proves the certificates of levels again."""
        from herobench.suites.epoch.making.proof import find_problems  # scoring does not wait for numpy

        return Certificates(LEVELS, find_problems)

    def __init__(self, setting: SuiteSetting) -> None:
        self.dataset = self.choose_dataset(setting)
        levels = load_levels(self.dataset) if setting.tasks is None else LEVELS.in_file(setting.tasks)
        choice = read_options(LevelChoice, setting.options, "the suite epoch")
        self._style = read_options(LevelStyle, setting.options, "the suite epoch")
        self._mode, numbers = choice.mode, choice.levels
        self.options = {**option_texts(choice), **self._style.as_options()}
        selection = levels.values() if numbers == ALL else with_numbers(levels.values(), numbers)
        self._levels = {level.id: level for level in selection}
        if not self._levels:
            raise UsageError(EpochFault.NONE_CHOSEN, count=len(levels), numbers=numbers)

    def tasks(self) -> Iterator[TaskInfo]:
        """Yield the chosen levels."""
        for level in self._levels.values():
            yield TaskInfo(level.id, level_group(level), level.as_row())

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the digests of the world and of the words, and the way in which levels are played."""
        style = self._style
        mode = {"mode": self._mode, **{name: str(value) for name, value in style.as_row().items()}}
        problems = [level.problem for level in self._levels.values()]
        words = {"prompts": words_digest(problems)} | (
            {"told_prompts": lane_digest(style.lane)} if "told" in mode else {}
        )
        return {"world": level_digest(problems), **words, **mode}

    def open(self, task_id: str, epoch: int) -> Attempt:
        """Start a game. It does not depend on the epoch."""
        kind = LevelPlanAttempt if self._mode == PLAN else LevelToolAttempt
        return kind(self._levels[task_id], self._style)

    def turns(self, task_id: str) -> TurnLimit | None:
        """Return how long a game can become; None for a plan."""
        if self._mode == PLAN:
            return None
        return TurnLimit(self._levels[task_id].max_steps, self._style.window)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the details of a game without a reply."""
        return known_details(self._levels[task_id], self._mode, self._style)

    def player(self, name: str) -> EpochPlayer:
        """Return a player that needs no model."""
        return EpochPlayer(name, self._levels, self._mode)


def level_group(level: Level) -> str:
    """Return the level's id for a published level, and for others their lengths, from one power of two to the next."""
    if level.id in PUBLISHED and level == load_level(level.id):
        return level.id
    least = 1 << level.optimal.bit_length() - 1
    return f"{least}-{2 * least - 1}"


_LONGEST = 400_000
"""The longest reply in which a plan is looked for, in characters."""


def known_details(level: Level, mode: Mode, style: LevelStyle) -> dict[str, Any]:
    """Return the details that are known without a reply; null in the others."""
    details = {"level": level.id, "optimal": level.optimal, "mode": mode, **style.as_row()}
    figures = ROAD_FIGURES if level.least is not None else ()
    return {**blank([*(column for column in DETAILS if not column.later), *figures]), **details}


class EpochAttempt(Attempt):
    """What both kinds of attempts share: a game, its opening, and the verdict."""

    mode: Mode
    waits = False

    def __init__(self, level: Level, style: LevelStyle) -> None:
        self._level, self._style = level, style
        self._game = level.start()
        self._telling = LevelTelling(level, style)
        self._opening = (
            Message("system", self._telling.system(self.mode)),
            Message("user", self._telling.opening(self._game)),
        )
        self._turns: list[dict[str, Any]] = []

    @property
    def messages(self) -> Sequence[Message]:
        """The opening."""
        return self._opening

    def grade(self) -> Verdict:
        """Judge the game."""
        row, solved, won = self._game.row(), self._game.stop == "SOLVED", self._game.won
        details = {**known_details(self._level, self.mode, self._style), **row, "final_state": self._game.digest()}
        events: dict[str, Any] = {"schema": 1, "turns": self._turns}
        if self._level.least is not None:
            over = self._game.hours - self._level.least if solved else None
            details |= {"hours": self._game.hours, "hours_over": over}
            if (regrets := self._find_regrets(over)) is not None:
                events["regrets"] = regrets
                details |= _mistakes(regrets)
        return Verdict(
            won,
            100.0 if won else 0.0,
            progress=100.0 * (row["milestone_progress"] or 0.0),
            failure=self._game.failure,
            details=details,
            events=events,
        )

    def distance(self) -> Distance:
        """Return how many valid actions the game is from its goal."""
        return measure_distance(self._game)

    def fork(self) -> Self:
        """Return a copy that goes on by itself."""
        twin = copy(self)
        twin._game, twin._turns = self._game.fork(), [*self._turns]
        return twin

    def _find_regrets(self, over: int | None) -> list[int] | None:
        """Return the regret of each turn on a road, by its values only where they are needed; None without values."""
        actions = list(map(self._action, self._turns))
        if over == 0 or not any(actions):
            return [int(over is None)] * len(actions)
        values = level_values(self._level)
        return find_regrets(values, actions) if values else None

    def _action(self, row: Mapping[str, Any]) -> GroundAction | None:
        """Return the action that a turn carried out; None if it carried out none."""
        call = first_call(row["turn"])
        if row["feedback"]["kind"] != "done" or call is None:
            return None
        action = self._game.world.find_action(call["name"], SentCall(call["name"], call["arguments"]).read() or {})
        return action and self._game.world.grounded.find(*action)

    def _play(self, turn: dict[str, Any]) -> Feedback:
        feedback = self._game.turn(turn)
        self._turns.append({"turn": turn, "feedback": feedback})
        return feedback


def _mistakes(regrets: Sequence[int]) -> dict[str, int | None]:
    mistakes = [turn for turn, regret in enumerate(regrets, 1) if regret]
    return {"mistakes": len(mistakes), "first_mistake": next(iter(mistakes), None)}


class LevelToolAttempt(EpochAttempt):
    """A game that is played turn by turn, with one call of a tool in each."""

    mode = TOOLS

    def __init__(self, level: Level, style: LevelStyle) -> None:
        super().__init__(level, style)
        self._window = TurnWindow(style.window)
        """The latest turns, without the state."""
        self._newest: tuple[Message, ...] = ()
        """The last message with the state as it is now; none before the first turn."""
        self._farewell: Sequence[Message] = ()

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools of the level."""
        return self._telling.tools

    @property
    def conversation(self) -> Sequence[Message]:
        """What the model is sent next: the opening and the latest turns."""
        return [*self._opening, *self._window.before_last(), *self._newest]

    def fork(self) -> Self:
        """Return a copy that goes on by itself."""
        twin = super().fork()
        twin._window = self._window.fork()
        return twin

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Play the turn of a reply. Return its results, or None when the game is over."""
        turn = _turn_row(reply)
        reply_text = self._telling.result(self._game, turn, self._play(turn))
        results = tool_results(reply, reply_text, WORDS.fill("not_carried_out")) or [Message("user", reply_text)]
        self._window.add(reply, results)
        self._newest = (self._with_state(results[-1]),)
        answers = [*results[:-1], *self._newest]
        if not self._game.stop:
            return answers
        self._farewell = answers
        return None

    @property
    def farewell(self) -> Sequence[Message]:
        """The answer to the last turn, with the game's end."""
        return self._farewell

    def _with_state(self, message: Message) -> Message:
        if self._style.state == "changes":
            return message
        return replace(message, text=f"{message.text}\n\n{self._telling.state(self._game)}")


class LevelPlanAttempt(EpochAttempt):
    """A game that is played by one plan."""

    mode = PLAN

    def step(self, reply: Reply) -> None:
        """Play the plan of the reply, up to the end of the game. The attempt is over then."""
        calls = plan_in(reply.final_text)
        for turn in [{"call": call} for call in calls] or [{"text": ""}]:
            if self._game.stop:
                return
            self._play(turn)

    @property
    def farewell(self) -> Sequence[Message]:
        """The answer to the last action, with the game's end."""
        has_plan = bool(self._turns) and first_call(self._turns[-1]["turn"]) is not None
        lines = [self._telling.result(self._game, **self._turns[-1])] if has_plan else []
        if not self._game.stop or not has_plan:
            lines.append(self._telling.ending(self._game))
        return [Message("user", "\n".join(lines))]


def _turn_row(reply: Reply) -> dict[str, Any]:
    if reply.tool_calls:
        return {"calls": [{"name": call.name, "arguments": call.arguments} for call in reply.tool_calls]}
    return {"text": reply.text}


def plan_in(text: str) -> list[Any]:
    """Return the last list in a text, which is the whole text or a fenced block; empty if there is no list."""
    for candidate in _candidates(text[:_LONGEST]):
        with suppress(ValueError, RecursionError):
            plan = json.loads(candidate, parse_constant=no_constant, parse_float=finite)
            if isinstance(plan, Mapping) and isinstance(plan.get("plan"), list):
                plan = plan["plan"]
            if isinstance(plan, list):
                return plan
    return []


def _candidates(text: str) -> Iterator[str]:
    yield text
    yield from json_blocks(text)
    start, end = text.find("["), text.rfind("]")
    if 0 <= start < end:
        yield text[start : end + 1]
