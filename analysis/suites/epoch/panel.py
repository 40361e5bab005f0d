"""The suite's part of a sample's page: the causal timeline of the game, and its replay turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.analysis.reading.contract import Panel
from herobench.analysis.samples.samples import Sample
from herobench.prompts.epoch.telling import WORDS
from herobench.suites.epoch.game.chronicle import EPOCHS, Lanes, chronicle_of
from herobench.suites.epoch.game.level import Level, read_levels
from herobench.suites.epoch.game.options import PLAN, TOOLS, LevelStyle
from herobench.suites.epoch.game.world import digest, world_of
from herobench.suites.epoch.suite import LevelPlanAttempt, LevelToolAttempt

_SETTINGS = ("mode", *LevelStyle().as_options())


@dataclass(frozen=True)
class GamePanel(Panel):
    """The panels of one run, with its levels and the way in which they were told."""

    levels: Mapping[str, Level]
    identity: Mapping[str, str]
    """What the run was made with, as run.json has it."""

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> GamePanel:
        """Read the levels that a run's folder keeps. Raise InputError if they cannot be read."""
        identity, levels = manifest["config"]["identity"], folder / "tasks.jsonl"
        # levels of another world would come out otherwise
        is_readable = levels.exists() and identity.get("world") in (None, digest())
        return cls(read_levels(levels) if is_readable else {}, identity)

    @property
    def given(self) -> Mapping[str, str]:  # type: ignore[override]
        """The settings of the run."""
        return {name: self.identity[name] for name in _SETTINGS if name in self.identity}

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the opening of a level, its first state, and the epoch of each fact."""
        level = self.levels.get(task_id)
        if level is None:
            return None
        world = world_of(level)
        return {
            "prompt": self._prompt(level),
            "epochs": list(EPOCHS),
            "lanes": Lanes(level).table(),
            "start": world.facts(world.initial),
            "static": list(map(str, world.static)),
            "goal": world.facts(world.grounded.goal),
            "milestones": list(level.milestones),
            "reference": "\n".join(level.reference_plan),
            "problem": level.problem,
        }

    def _prompt(self, level: Level) -> str | None:
        """Return the opening; None if the run had other words than this version."""
        if self.identity.get("prompts") not in (None, WORDS.digest()):
            return None
        kind = LevelPlanAttempt if self.identity.get("mode", TOOLS) == PLAN else LevelToolAttempt
        opening = kind(level, LevelStyle.of({name: self.identity[name] for name in self.given})).messages
        return "\n\n".join(f"[{message.role}]\n{message.text}" for message in opening)

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return the chronicle of a game, or the reason why there is none."""
        level, events = self.levels.get(sample["task_id"]), sample["events"]
        if events is None:
            return {"no_replay": "This sample has no events."}
        if level is None:
            return {"no_replay": "The level of this sample is not among those that the report was given."}
        turns = events.get("turns")
        told = chronicle_of(level, turns if isinstance(turns, list) else [])
        return {"turns": told.turns, "differs_at": told.differs_at}
