"""Refuses to resume a run whose samples were scored in another way than this version scores.

A run that is resumed would have some verdicts of the one kind and some of the other, and figures that are of neither.
The suite tells its way to score by a number: the column `scorer` of its details. A suite without this column is not
looked at: its identity alone says what its scores depend on.
"""

from __future__ import annotations

import shlex
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from herobench.errors import UsageError
from herobench.suite import Suite

_SCORER = "scorer"


class SameScorer:
    """Raises UsageError at a measured sample with a verdict of another scorer."""

    def __init__(self, run: Path, suite: Suite, tasks: Container[str]) -> None:
        self._run = run
        self._suite = suite
        self._tasks = tasks
        self._own: object = None

    def __call__(self, sample: Mapping[str, Any]) -> None:
        """Look at the next measured sample."""
        its = sample["details"].get(_SCORER)
        # a sample of a foreign task is refused for that reason
        if its is None or its == self._own or sample["task_id"] not in self._tasks:
            return
        # the facts of a task are the same for each attempt, so one that was not measured tells the number of now
        self._own = self._suite.blank(sample["task_id"]).get(_SCORER)
        if its != self._own:
            raise UsageError(
                f"{self._run} has samples of scorer {its}, such as {sample['task_id']}, epoch {sample['epoch']}, and "
                f"this version has scorer {self._own}: the figures of a resumed run would mix both.",
                [f"  Score it again first, which asks no model: herobench score {shlex.quote(str(self._run))}"],
            )
