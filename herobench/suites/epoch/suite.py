"""The epochs behind the contract of a suite: a game for each level, with tools and feedback, or by one plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from herobench.data.errors import UsageError
from herobench.prompts.epoch.telling import WORDS
from herobench.suite.contract import Attempt, Suite, SuiteSetting, TaskInfo, Verdict
from herobench.suite.generating import TaskGenerator
from herobench.suite.validating import Certificates
from herobench.suites.epoch.attempt import LevelPlanAttempt, LevelToolAttempt, facts_of
from herobench.suites.epoch.game.choice import RUN_OPTIONS, EpochOptions
from herobench.suites.epoch.game.level import LEVELS, SHIPPED, Level, load_level, read_levels
from herobench.suites.epoch.game.style import MODES, PLAN
from herobench.suites.epoch.game.world import DATASET, digest
from herobench.suites.epoch.players import PLAYERS, EpochPlayer
from herobench.task_gen.epoch.proof import problems_of


class Epoch(Suite):
    """The chosen levels and the way in which they are played."""

    name = "epoch"
    modes = MODES
    one_turn_mode = PLAN
    run_options = RUN_OPTIONS
    players = PLAYERS
    datasets = (DATASET,)

    @staticmethod
    def explain_loss(verdict: Verdict) -> tuple[str, int | None]:
        """Return the first call that was not carried out, with its number from 1 on."""
        for number, played in enumerate((verdict.events or {})["turns"], 1):
            if (kind := played["feedback"]["kind"]) not in ("done", "control"):
                name = played["turn"].get("call", {}).get("name")
                return (f"{name}: {kind}", number) if name else (kind, None)
        return "all calls were carried out, and the goal was not reached", None

    @staticmethod
    def generator() -> TaskGenerator:
        """Return what makes new levels."""
        from herobench.task_gen.epoch.generator import EpochGenerator  # a run does not need it

        return EpochGenerator()

    @staticmethod
    def certificates() -> Certificates:
        """Return what proves the certificates of levels again."""
        return Certificates(LEVELS, problems_of)

    def __init__(self, setting: SuiteSetting) -> None:
        if setting.dataset not in (None, DATASET):
            raise UsageError(f"The suite epoch has the dataset {DATASET}, and no dataset {setting.dataset!r}.")
        shipped = setting.tasks is None
        levels = {id: load_level(id) for id in SHIPPED} if setting.tasks is None else read_levels(setting.tasks)
        self.dataset = DATASET if shipped or setting.tasks is None else _name_of(setting.tasks.stem)
        self._choice = EpochOptions.of(setting.options)
        self.options = self._choice.as_options()
        self._levels = {level.id: level for level in self._choice.of_levels(levels.values())}
        if not self._levels:
            raise UsageError(f"There are {len(levels)} levels, and none with a number of {self._choice.levels}.")

    def tasks(self) -> Iterator[TaskInfo]:
        """Yield the chosen levels."""
        for level in self._levels.values():
            yield TaskInfo(level.id, group_of(level), level.as_row())

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the digests of the world and of the words, and the way in which levels are played."""
        mode = {"mode": self._choice.mode, **self._choice.style.as_options()}
        return {"world": digest(), "prompts": WORDS.digest(), **mode}

    def open(self, task_id: str, epoch: int) -> Attempt:
        """Start a game. It does not depend on the epoch."""
        kind = LevelPlanAttempt if self._choice.mode == PLAN else LevelToolAttempt
        return kind(self._levels[task_id], self._choice.style)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the details of a game without a reply."""
        return facts_of(self._levels[task_id], self._choice.mode, self._choice.style)

    def player(self, name: str) -> EpochPlayer:
        """Return a player that needs no model."""
        return EpochPlayer(name, self._levels, self._choice.mode)


def group_of(level: Level) -> str:
    """Return the level's id for a shipped level, and for others their lengths, from one power of two to the next."""
    if level.id in SHIPPED and level == load_level(level.id):
        return level.id
    least = 1 << level.optimal.bit_length() - 1
    return f"{least}-{2 * least - 1}"


def _name_of(stem: str) -> str:
    """Return the name of a levels file as text that UTF-8 can hold."""
    return stem.encode("utf-8", "backslashreplace").decode("utf-8")
