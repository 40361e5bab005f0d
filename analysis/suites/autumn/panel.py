"""The suite's part of a sample's page: the replay of the grid, with the goal or the choices beside it.

The sample keeps the frames, so no program runs here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.analysis.reading.contract import Panel
from herobench.analysis.samples.samples import Sample
from herobench.data.documents import schema_problems
from herobench.prompts.autumn.telling import digest_of, wanted
from herobench.suites.autumn.episode.challenge import Challenge, Detection, Planning, Prediction, read_challenges
from herobench.suites.autumn.episode.options import MODES, PAGE, AutumnOptions, ChallengeStyle
from herobench.suites.autumn.episode.phase import HIDDEN, Grid
from herobench.suites.autumn.episode.picture import paint
from herobench.suites.autumn.suite import AutumnAttempt

_SETTINGS = ("mode", *ChallengeStyle().as_options())


@dataclass(frozen=True)
class WorldPanel(Panel):
    """The panels of one run, with its challenges and the way in which they were told."""

    challenges: Mapping[str, Challenge]
    identity: Mapping[str, str]
    """What the run was made with, as run.json has it."""

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> WorldPanel:
        """Read the challenges that a run's folder keeps. Raise InputError if they cannot be read."""
        tasks = folder / "tasks.jsonl"
        return cls(read_challenges(tasks) if tasks.exists() else {}, manifest["config"]["identity"])

    @property
    def given(self) -> Mapping[str, str]:  # type: ignore[override]
        """The settings of the run."""
        return {name: self.identity[name] for name in _SETTINGS if name in self.identity}

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the opening of an episode, the grids of its test, and the programs."""
        challenge = self.challenges.get(task_id)
        if challenge is None:
            return None
        test = challenge.test
        return {
            "prompt": self._prompt(challenge),
            "title": challenge.title,
            "program": challenge.program,
            "changed": test.changed if isinstance(test, Detection) else None,
            "goal": _painted(wanted(test.goal, test.mask)) if isinstance(test, Planning) else None,
            "choices": [_painted(choice) for choice in test.choices] if isinstance(test, Prediction) else None,
        }

    def _prompt(self, challenge: Challenge) -> str | None:
        """Return the opening; None for a page, or if the run had other words than this version."""
        choice = AutumnOptions.of({"mode": MODES[0], **self.given})
        if choice.mode == PAGE or self.identity.get("prompts") not in (None, digest_of(choice.style)):
            return None
        opening = AutumnAttempt(challenge, choice.mode, choice.style).messages
        return "\n\n".join(f"[{message.role}]\n{message.text}" for message in opening)

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return the colours of the frames, in the order in which the events name them; None without sound frames."""
        events = sample["events"]
        return {"paint": list(map(_color, events["colors"])) if events and _is_sound(events) else None}


def _is_sound(events: Mapping[str, Any]) -> bool:
    """Return whether each frame has as many cells as its size says."""
    if schema_problems(events, "autumn-events", "events"):
        return False
    sizes = [(phase["size"], phase["first"]) for phase in events["phases"]]
    turns = (turn for phase in events["phases"] for turn in phase["turns"] if "size" in turn)
    sizes += [(turn["size"], turn.get("changes", [0, ""])[-1]) for turn in turns]
    return all(size * size == len(str(frame)) for size, frame in sizes)


def _painted(grid: Grid) -> list[list[str]]:
    return [list(map(_color, row)) for row in grid]


def _color(name: object) -> str:
    """Return a colour for the page; empty for a hidden cell."""
    return "" if name == HIDDEN else f"#{paint(str(name))}"
