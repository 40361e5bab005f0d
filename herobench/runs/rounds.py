"""Asks tasks in rounds, each chosen by the verdicts of those before, until the run's goal is reached (`--until`).

run.json keeps each round before it is asked, so a resumed run asks the same tasks, whatever was measured meanwhile.
Attempts that are not measured tell nothing: the choice leaves them out, and a resumed run asks them again. All epochs
of a task count as one task.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log
from statistics import fmean
from typing import Any

from herobench.adaptive.goal import ALL, Goal, Reason
from herobench.data.errors import UsageError
from herobench.runs.folder import Key

_TOLLS = ("input_tokens", "output_tokens", "cost")


def goal_of(until: str | None, *, is_shard: bool) -> Goal | None:
    """Return the goal of a run; None for a run of all tasks. Raise UsageError for a shard, which cannot have one."""
    if until is None or until == ALL:
        return None
    if is_shard:
        raise UsageError("--until chooses tasks by all verdicts so far, and a shard has only its own: leave one out.")
    return Goal.of(until)


@dataclass(frozen=True, slots=True)
class Shared:
    """What runs of earlier lanes tell a later one: the tasks that they asked, and the horizon of the last one."""

    tasks: Sequence[str] = ()
    horizon: float | None = None
    """None where no lane has one yet."""

    @classmethod
    def by(cls, manifests: Iterable[Mapping[str, Any]]) -> Shared:
        """Return what runs have told by their run.json, from the first to the last."""
        tasks, horizon = dict[str, None](), None
        for manifest in manifests:
            tasks |= dict.fromkeys(task_id for each in manifest.get("rounds", []) for task_id in each)
            ends = [session["until"]["horizon"] for session in manifest["sessions"] if session.get("until")]
            horizon = ends[-1] if ends else horizon
        return cls(tuple(tasks), horizon)


class Rounds:
    """The rounds of a run: those that were chosen, and the next one."""

    def __init__(
        self,
        goal: Goal,
        lengths: Mapping[str, float],
        epochs: int,
        chosen: Sequence[Sequence[str]],
        of: int | None = None,
        shared: Shared | None = None,
    ) -> None:
        """`of` is the number of tasks of the whole set, which are the first ones; without it they are all.

        `shared` is what other lanes have told. The first round begins near their horizon, and of tasks that are about
        as long, those that they were asked come first: so lanes are compared task by task.
        """
        self.chosen = [list(each) for each in chosen]
        if unknown := [task_id for each in self.chosen for task_id in each if task_id not in lengths]:
            raise UsageError(f"run.json has {unknown[0][:80]!r} in $.rounds, and the run has no such task.")
        self.reason: Reason | None = None
        """Why the run needs no more tasks; None while it needs some."""
        self._goal = goal
        self.lengths = lengths
        """The lengths of the tasks to choose from. Of those that are not made yet they are about right."""
        self._of = len(lengths) if of is None else of
        self._epochs = epochs
        self._shared = shared or Shared()

    def asked(self, done: Iterable[Key]) -> list[str]:
        """Return the tasks that are asked so far, also those that were measured before the run chose tasks."""
        return list(dict.fromkeys([*(task_id for each in self.chosen for task_id in each), *(key[0] for key in done)]))

    def next(self, done: Mapping[Key, bool], spent: float | None) -> list[str]:
        """Choose the next round by the verdicts so far, and return it; no tasks when the goal is reached."""
        from herobench.adaptive.choice import next_round, reason_to_stop, round_size

        won = self._shares(done)
        self.reason = reason_to_stop(self._goal, self.lengths, won)
        size = round_size(self._goal, self.lengths, won, spent)
        if self.reason is None and not size:
            self.reason = "cost"
        if self.reason is not None:
            return []
        first = {task_id: self.lengths[task_id] for task_id in self._shared.tasks if task_id in self.lengths}
        chosen = next_round({**first, **self.lengths}, won, self.asked(done), size, self._shared.horizon)
        if chosen:
            self.chosen.append(chosen)
        else:
            self.reason = "all tasks"
        return chosen

    def _shares(self, done: Mapping[Key, bool]) -> dict[str, float]:
        """Return the share of attempts that won each task, of the tasks whose attempts are all measured."""
        wins: defaultdict[str, list[bool]] = defaultdict(list)
        for (task_id, _), won in done.items():
            wins[task_id].append(won)
        # in the order of the lengths, so that the order of the replies changes no digit
        return {task_id: fmean(wins[task_id]) for task_id in self.lengths if len(wins[task_id]) == self._epochs}

    def as_row(self, done: Mapping[Key, bool], samples: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """Return how the choice stands, for run.json: the reason to stop, the horizon, and what the whole set takes."""
        from herobench.adaptive.choice import outside, posterior_of

        won = self._shares(done)
        known = posterior_of(self.lengths, won)
        horizon, low, high = known.interval()
        spent, whole = self._tolls(samples)
        return {
            "goal": str(self._goal),
            "reason": self.reason,
            "tasks": len(won),
            "of": self._of,
            "horizon": horizon,
            "low": low,
            "high": high,
            "outside": outside(horizon, [self.lengths[task_id] for task_id in won]),
            "slope": known.slope(),
            "lapse": known.lapse(),
            "fits": known.fits,
            "spent": spent,
            "whole": whole,
        }

    def _tolls(self, samples: Iterable[Mapping[str, Any]]) -> tuple[dict[str, float], dict[str, float]]:
        """Return the tokens and the cost of the tasks that were asked, and about those of all tasks.

        A task that was not asked is taken to need what the one of the nearest length did.
        """
        spent: dict[str, dict[str, float]] = {name: {} for name in _TOLLS}
        for row in samples:
            for name in _TOLLS:
                if row[name] is not None:
                    spent[name][row["task_id"]] = spent[name].get(row["task_id"], 0.0) + row[name]
        known = {name: tolls for name, tolls in spent.items() if tolls}
        return (
            {name: sum(tolls.values()) for name, tolls in known.items()},
            {name: sum(self._nearest(tolls)) for name, tolls in known.items()},
        )

    def _nearest(self, tolls: Mapping[str, float]) -> Iterator[float]:
        x = {task_id: log(length) for task_id, length in self.lengths.items()}
        for task_id in islice(self.lengths, self._of):
            nearest = task_id if task_id in tolls else min(tolls, key=lambda asked: abs(x[asked] - x[task_id]))
            yield tolls[nearest]
