"""The suite's part of a sample's page: what differs, what each call of the exploration told, and the plan on the map.

The replies are played again, which is quick. The plan is replayed as one of the role-playing game, in the true world:
every mystery has a map of its own, so it comes with the task and not with the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.analysis.reading.contract import Panel
from herobench.analysis.samples.samples import Sample
from herobench.analysis.suites.rpg.panel import drawn, goals_at, replay, start_state, stored_reply
from herobench.prompts.discover.telling import WORDS, opening, sentences, told_plan
from herobench.suites.discover.attempt import FoundAttempt, ToldAttempt
from herobench.suites.discover.game.mystery import Mystery, read_mysteries
from herobench.suites.discover.game.options import DiscoverStyle

_SETTINGS = tuple(DiscoverStyle().as_options())


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
        return cls(read_mysteries(tasks) if tasks.exists() else {}, manifest["config"]["identity"])

    @property
    def _style(self) -> DiscoverStyle:
        return DiscoverStyle.of({name: self.identity[name] for name in _SETTINGS if name in self.identity})

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the opening of a mystery, its true world, what differs in it, and the plans of the certificate."""
        mystery = self.mysteries.get(task_id)
        if mystery is None:
            return None
        world, task = mystery.true.world, mystery.task
        return {
            "prompt": self._prompt(mystery),
            "world": drawn(world),
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
        attempt = self._played(mystery, sample)
        true, trace = mystery.true, events["plan"]
        played = replay(true.world, mystery.task, true.rules, trace)
        return {
            "plan": attempt.plan,
            "changes": played.changes,
            "differs_at": played.differs_at,
            "goals_at": goals_at(mystery.task, trace),
            "found": [] if isinstance(attempt, ToldAttempt) else [found._asdict() for found in attempt.found()],
        }

    def _played(self, mystery: Mystery, sample: Sample) -> ToldAttempt | FoundAttempt:
        """Return the attempt of a sample as its replies left it."""
        kind = ToldAttempt if self._style.lane == "told" else FoundAttempt
        attempt = kind(mystery, self._style)
        for row in sample["replies"] or ():
            attempt.step(stored_reply(row))
        return attempt
