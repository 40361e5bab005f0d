"""The result of one attempt, in the words that other tools share: a reward, figures, and a cause of failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from herobench.suite import Verdict


@dataclass(frozen=True, slots=True)
class Result:
    """The verdict on an attempt at a task."""

    task_id: str
    epoch: int
    verdict: Verdict

    @property
    def reward(self) -> float:
        """The score as a fraction: 1.0 for what an ideal attempt gets. It is what `herobench score` says, over 100."""
        return self.verdict.score / 100

    @property
    def won(self) -> bool:
        """True for a win."""
        return self.verdict.won

    @property
    def failure(self) -> str | None:
        """The suite's failure class; None for a win."""
        return self.verdict.failure

    def figures(self) -> dict[str, float]:
        """Return what can be averaged over attempts: `win`, `score` and `progress`, each from 0 to 1."""
        verdict = self.verdict
        progress = verdict.score if verdict.progress is None else verdict.progress
        return {"win": float(verdict.won), "score": self.reward, "progress": progress / 100}

    def as_row(self, *, details: bool = True) -> dict[str, Any]:
        """Return the result as plain data, without the events.

        Leave out the details for whoever may try again: they name what a solution needs, such as missed milestones.
        """
        verdict = self.verdict
        row = {
            "task_id": self.task_id,
            "epoch": self.epoch,
            "reward": self.reward,
            "won": verdict.won,
            "score": verdict.score,
            "progress": verdict.progress,
            "failure": verdict.failure,
            "unfinished": verdict.unfinished,
        }
        return {**row, "details": dict(verdict.details)} if details else row
