"""The reading of the suite epoch: its columns and tables, its exports, and its part of a sample's page.

That part is the causal timeline of the game, and its replay turn by turn. The analysis and the report call the reading
by its entry point. It reads stored samples only: it judges nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

from herobench.analysis.reading.contract import Panel, Reading, page_files
from herobench.analysis.samples.samples import Sample, group_name
from herobench.data.columns import TEXT, Column, names, optional
from herobench.data.options import read_options
from herobench.suites.epoch.game.chronicle import EPOCHS, Lanes, replay_turns
from herobench.suites.epoch.game.columns import DETAILS, FIGURES, LANES, PLAN, ROAD_FIGURES, TOOLS, LevelStyle
from herobench.suites.epoch.game.game import Failure
from herobench.suites.epoch.game.level import LEVELS, Level
from herobench.suites.epoch.game.world import level_digest, level_world
from herobench.suites.epoch.prompts.telling import words_digest
from herobench.suites.epoch.reading.figures import (
    METRICS,
    SETTINGS,
    build_tables,
    epoch_csv,
    epoch_tables,
    means,
    road_words,
)
from herobench.suites.epoch.suite import LevelPlanAttempt, LevelToolAttempt

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.interval import Estimate

_SCRIPTS = ("fingerprint.js", "timeline.js", "state.js", "game.js", "panel.js")
"""The files of the panel, in the order in which they build on one another."""


class EpochReading(Reading):
    """The reading of the suite epoch."""

    columns = DETAILS
    fact_columns = (
        Column("level", TEXT, "The level; for generated levels, the levels of about one length."),
        Column("lane", TEXT, "What the prompt told beyond the level: plan (nothing), rules or steps."),
        Column("window", optional(TEXT), "How many of the latest turns the model was sent, as text."),
        Column("started", optional(TEXT), "When the first call began; null if there was no call."),
    )
    task_key = ("id",)
    group = "level"
    length = "optimal"
    groupings = (*SETTINGS, "stop_reason")
    settings = MappingProxyType(
        {
            "mode": "modes",
            "window": "windows",
            "preconditions": "ways to tell preconditions",
            "hints": "ways to hint",
            "state": "ways to tell the state",
            "lane": "lanes",
        }
    )
    separates = ("mode", "lane")
    lane = "lane"
    lanes = LANES
    failures = get_args(Failure)
    words = MappingProxyType(
        {
            "format": "not understood",
            "lost": "refused too often, or out of turns",
            "late": "solved too late",
            "decay": "a fact faded",
            "premature": "ended by the model before the goal",
            "optimal": "optimal actions",
            "SOLVED": "solved",
            "MAX_STEPS": "out of turns",
            "MAX_INVALID_STREAK": "errors in a row",
            "LOOP_DETECTED": "loop",
            "STAGNATION": "stagnation",
            "LLM_STUCK": "said it was stuck",
            "LLM_DONE_EARLY": "said done too early",
            "API_FAILURE": "failure of the endpoint",
            "TEMPORAL_DECAY": "decay",
        }
    )
    listed = MappingProxyType(
        {
            "stop_reason": "Stop",
            "total_steps": "Turns",
            "hours_over": "Over the least",
            "milestones_reached": "Milestones",
        }
    )
    profiled = "Means of the metrics"
    exports = MappingProxyType(
        {
            "epoch-csv": "the 37 columns of the published benchmark, a row for each game",
            "epoch-md": "success by level, outcomes, metrics and ablations as Markdown",
        }
    )

    def __init__(self) -> None:
        self.script = page_files("herobench.suites.epoch.reading", *_SCRIPTS)
        self.style = page_files("herobench.suites.epoch.reading", "style.css")

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the suite's columns of the tidy table."""
        details = sample["details"]
        window = details.get("window")
        return {
            # one level, or all generated levels of about one length
            "level": group_name(sample),
            "optimal": details.get("optimal"),
            **{name: details.get(name) for name in SETTINGS},
            "lane": details.get("told") or LANES[0],
            # settings are compared as texts
            "window": None if window is None else str(window),
            "started": sample["started"],
            **{name: details.get(name) for name in names((*FIGURES, *ROAD_FIGURES))},
        }

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return the figures of roads and the means of the metrics of a run."""
        metrics = means(samples)
        texts = {name.replace("_", " "): metrics[name].text() for name in METRICS if metrics[name].samples}
        return road_words(samples) | texts

    def tables(self, samples: pd.DataFrame) -> Mapping[str, Any]:
        """Return success by level, the outcomes of each model, and the means of metrics, time and tokens."""
        return build_tables(samples)

    def profiles(self, samples: pd.DataFrame) -> Mapping[str, Mapping[str, Estimate]]:
        """Return the success and the means of the metrics."""
        return {"metrics": means(samples)}

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> GamePanel:
        """Return the panel that replays games, with the levels of the run; a file of rows has none."""
        return GamePanel.of_run(folder, manifest) if folder and manifest else GamePanel({}, {})

    def export(self, name: str, samples: pd.DataFrame) -> str:
        """Return samples in one of the suite's own formats."""
        return {"epoch-csv": epoch_csv, "epoch-md": epoch_tables}[name](samples)


_SETTINGS = ("mode", *LevelStyle().as_options())


@dataclass(frozen=True)
class GamePanel(Panel):
    """The panels of one run, with its levels and the way in which they were told."""

    levels: Mapping[str, Level]
    identity: Mapping[str, str]
    """The settings that run.json keeps because results depend on them, such as the digest of the world."""

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> GamePanel:
        """Read the levels that a run's folder keeps. Raise InputError if they cannot be read."""
        identity, levels = manifest["config"]["identity"], folder / "tasks.jsonl"
        own = LEVELS.in_file(levels) if levels.exists() else {}
        # levels of another world would come out otherwise
        is_same = identity.get("world") in (None, level_digest(level.problem for level in own.values()))
        return cls(own if is_same else {}, identity)

    @property
    def given(self) -> Mapping[str, str]:  # type: ignore[override]
        """The settings of the run."""
        return {name: self.identity[name] for name in _SETTINGS if name in self.identity}

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the opening of a level, its first state, and the epoch of each fact."""
        level = self.levels.get(task_id)
        if level is None:
            return None
        world = level_world(level)
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
        if self.identity.get("prompts") not in (None, words_digest([level.problem])):
            return None
        kind = LevelPlanAttempt if self.identity.get("mode", TOOLS) == PLAN else LevelToolAttempt
        opening = kind(level, read_options(LevelStyle, {name: self.identity[name] for name in self.given})).messages
        return "\n\n".join(f"[{message.role}]\n{message.text}" for message in opening)

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return the chronicle of a game, or the reason why there is none."""
        level, events = self.levels.get(sample["task_id"]), sample["events"]
        if events is None:
            return {"no_replay": "This sample has no events."}
        if level is None:
            return {"no_replay": "The level of this sample is not among those that the report was given."}
        turns = events.get("turns")
        replay = replay_turns(level, turns if isinstance(turns, list) else [])
        return {"turns": replay.turns, "differs_at": replay.differs_at, "regrets": events.get("regrets", [])}
