"""The reading of the suite discover: its columns, groups and failures, and its part of a sample's page.

The analysis calls it by its entry point. Runs in the lanes `found` and `told` are never ranked together; what their
horizons differ by is what it costs that the differences had to be found.

The page has what differs, what each call of the exploration told, and the plan on the map. The replies are played
again, which is quick. The plan is replayed as one of the role-playing game, in the true world: every mystery has a map
of its own, so it comes with the task and not with the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.contract import Panel, Reading, page_files
from herobench.analysis.samples.samples import Sample
from herobench.analysis.suites.rpg.panel import replay, start_state, stored_reply, world_record
from herobench.analysis.suites.rpg.reading import SCRIPTS, events_in
from herobench.data.columns import COUNT, TEXT, Column, names, optional
from herobench.data.options import options_in, read_options
from herobench.suites.discover.attempt import FoundAttempt, ToldAttempt
from herobench.suites.discover.game.columns import DETAILS, FAILURES, FIGURES, LANES, DiscoverStyle
from herobench.suites.discover.game.mystery import MYSTERIES, Mystery
from herobench.suites.discover.prompts.telling import WORDS, opening, sentences, told_plan
from herobench.suites.rpg.game.task import Task, reaches

if TYPE_CHECKING:
    import pandas as pd

_FACTS = (
    "mode", "disclosure", "goal", "changes", "facts", "decisions", "oracle_actions", "goals", "twin_of",
)  # fmt: skip
_PLANS, _PACKAGE = "herobench.analysis.suites.rpg", "herobench.suites.discover.reading"
"""The packages with the page's files: plans are shown as in the role-playing game."""
_MEANS = MappingProxyType(
    {
        "decisive": "actions to the first decisive one",
        "told_nothing": "actions that told nothing",
        "resets": "resets",
    }
)


class DiscoverReading(Reading):
    """The reading of the suite discover."""

    columns = DETAILS
    fact_columns = (
        Column("lane", TEXT, "What the prompt told: found (nothing), or told (all that differs)."),
        Column("families", TEXT, "The families of what differs, with commas between them."),
        Column("changed", COUNT, "How many things differ."),
        Column(
            "stated_share", optional({"type": "number"}), "The share of the differences that the form states rightly."
        ),
    )
    task_key = ("id",)
    group = "changed"
    length = "decisions"
    actions = "oracle_actions"
    groupings = ("families", "facts", "disclosure", "goal")
    settings = MappingProxyType(
        {"lane": "lanes", "disclosure": "ways to tell what may differ", "goal": "times to tell the goal"}
    )
    separates = ("lane",)
    lane = "lane"
    lanes = LANES
    idle = MappingProxyType({"told": ("disclosure", "goal")})
    lane_work = "finding"
    failures = FAILURES
    words = MappingProxyType(
        {
            "no_plan": "no plan",
            "believed": "right if all were as told",
            "plan": "a plan that wins in neither world",
            "changed": "things that differ",
        }
    )
    listed = MappingProxyType(
        {"changes": "Differ", "explored": "Actions", "resets": "Resets", "stated_right": "Stated"}
    )

    def __init__(self) -> None:
        self.script = page_files(_PLANS, *SCRIPTS) + page_files(_PACKAGE, "panel.js")
        self.style = page_files(_PLANS, "style.css") + page_files(_PACKAGE, "style.css")

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> MysteryPanel:
        """Return the panel that shows explorations and replays plans; a file of rows has no mysteries."""
        return MysteryPanel.of_run(folder, manifest) if folder and manifest else MysteryPanel({}, {})

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the suite's columns of the tidy table."""
        details = sample["details"]
        right_count, changes = details.get("stated_right"), details.get("changes")
        return {
            **{name: details.get(name) for name in (*_FACTS, *names(FIGURES))},
            "lane": details.get("told"),
            "changed": changes,
            "families": ", ".join(details.get("families") or ()),
            "stated_share": None if right_count is None or not changes else right_count / changes,
        }

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return what the exploration cost on average, and how many differences the forms state rightly."""
        values_by_label: dict[str, str] = {}
        for name, label in _MEANS.items():
            values = samples[name].dropna()
            if len(values):
                values_by_label[label] = f"{float(values.mean()):.1f} (mean of {len(values)})"
        if len(shares := samples["stated_share"].dropna()):
            values_by_label["differences stated rightly"] = f"{100 * float(shares.mean()):.1f} %"
        return values_by_label


def goals_at(task: Task, trace: Mapping[str, Any]) -> list[int]:
    """Return the steps of the replay, from 1, at which the goals of a task are reached."""
    numbers: list[int] = []
    for number, (event, times) in enumerate(events_in(trace), 1):
        # an entry stands for equal actions in a row; each reaches at most one goal
        for goal in task.goals[len(numbers) :][:times]:
            if not reaches(goal, event):
                break
            numbers.append(number)
    return numbers


_SETTINGS = tuple(field.name for field in options_in(DiscoverStyle))


@dataclass(frozen=True)
class MysteryPanel(Panel):
    """The panels of one run, with its mysteries and the way in which they were asked."""

    mysteries: Mapping[str, Mystery]
    identity: Mapping[str, str]
    """The settings that run.json keeps because results depend on them, such as the digest of the world."""

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> MysteryPanel:
        """Read the mysteries that a run's folder keeps. Raise InputError if they cannot be read."""
        tasks = folder / "tasks.jsonl"
        return cls(MYSTERIES.in_file(tasks) if tasks.exists() else {}, manifest["config"]["identity"])

    @property
    def _style(self) -> DiscoverStyle:
        return read_options(DiscoverStyle, {name: self.identity[name] for name in _SETTINGS if name in self.identity})

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the opening of a mystery, its true world, what differs in it, and the plans of the certificate."""
        mystery = self.mysteries.get(task_id)
        if mystery is None:
            return None
        world, task = mystery.true.world, mystery.task
        return {
            "prompt": self._prompt(mystery),
            "world": world_record(world),
            "start": start_state(world, task),
            "missing": {},
            "target": task.target,
            "goals": [[goal.kind, goal.target] for goal in task.goals],
            "differ": sentences(mystery.changes),
            "certificate": mystery.certificate.plan,
            "usual": mystery.usual_plan,
        }

    def _prompt(self, mystery: Mystery) -> str | None:
        """Return the opening; None if the run had other words than this version."""
        if self.identity.get("prompts") not in (None, WORDS.digest()):
            return None
        style = self._style
        return told_plan(mystery) if style.lane == "told" else opening(mystery, style)

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return what each call told, the plan and its replay, or the reason why there is none."""
        mystery, events = self.mysteries.get(sample["task_id"]), sample["events"]
        if events is None:
            return {"no_replay": "This sample has no events."}
        if mystery is None:
            return {"no_replay": "The task of this sample is not among those that the report was given."}
        attempt = self._play(mystery, sample)
        true, trace = mystery.true, events["plan"]
        plan_replay = replay(true.world, mystery.task, true.rules, trace)
        return {
            "plan": attempt.plan,
            "changes": plan_replay.changes,
            "differs_at": plan_replay.differs_at,
            "goals_at": goals_at(mystery.task, trace),
            "found": [] if isinstance(attempt, ToldAttempt) else [finding._asdict() for finding in attempt.findings()],
        }

    def _play(self, mystery: Mystery, sample: Sample) -> ToldAttempt | FoundAttempt:
        """Return the attempt of a sample as its replies left it."""
        kind = ToldAttempt if self._style.lane == "told" else FoundAttempt
        attempt = kind(mystery, self._style)
        for row in sample["replies"] or ():
            attempt.step(stored_reply(row))
        return attempt
