"""Asks tasks in rounds, each chosen by the verdicts of those before, until the run's goal is reached (`--until`).

run.json keeps each round before it is asked, so a resumed run asks the same tasks, whatever was measured meanwhile.
Attempts that are not measured tell nothing: the choice leaves them out, and a resumed run asks them again. All epochs
of a task count as one task.

It may make its tasks as they are needed: `herobench run --until factor=2 --fresh SEED`. A run that chooses its tasks
knows the lengths of many that can be made, and makes those that it chooses. Each is made from the seed and its number
alone, which its id has, so the same verdicts lead to the same tasks. The run's folder has the tasks that are made so
far, with the suite's files, as a run of all tasks has them from the start.

A new round changes several files of the folder. run.json comes first, with the rounds: a kill in between leaves files
that are not those of run.json, and then the tasks of its rounds are made again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from math import log
from statistics import fmean
from typing import TYPE_CHECKING, Any

from herobench.adaptive.goal import Goal, Reason
from herobench.data.errors import InputError, UsageError
from herobench.runs.config import RunConfig, digest_of_tasks, makes_tasks
from herobench.runs.folder import Key, RunFolder
from herobench.runs.refusals import RunFault
from herobench.suite.checked import (
    close_suite,
    open_suite,
    read_files,
    read_identity,
    read_tasks,
    refuse_untold,
    suite_class,
    suite_errors,
    task_lengths,
)
from herobench.suite.contract import Suite, SuiteSetting, TaskInfo
from herobench.suite.task_rows import MADE

if TYPE_CHECKING:
    from herobench.adaptive.mistakes import Tally

ReadSamples = Callable[[], Iterable[Mapping[str, Any]]]
_TOTALS = ("input_tokens", "output_tokens", "cost")


@dataclass(frozen=True, slots=True)
class Shared:
    """The tasks that runs of earlier lanes asked, and the horizon of the last one. A later lane uses them."""

    tasks: Sequence[str] = ()
    horizon: float | None = None
    """None where no lane has one yet."""

    @classmethod
    def by(cls, manifests: Iterable[Mapping[str, Any]]) -> Shared:
        """Return what runs have told by their run.json, from the first to the last."""
        tasks, horizon = dict[str, None](), None
        for manifest in manifests:
            tasks |= dict.fromkeys(task_id for each in manifest.get("rounds", []) for task_id in each)
            ends = [session["until"].get("horizon") for session in manifest["sessions"] if session.get("until")]
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
        tasks: Container[str] = (),
    ) -> None:
        """`tasks` are those of the run: one that was made may be longer than the goal allows, and have no length here.

        `of` is the number of tasks of the whole set, which are the first ones; without it they are all.

        `shared` is what other lanes have told. The first round begins near their horizon, and of tasks that are about
        as long, those that they were asked come first: so lanes are compared task by task.
        """
        self.chosen = [list(each) for each in chosen]
        if unknown := [
            task_id for each in self.chosen for task_id in each if not (task_id in lengths or task_id in tasks)
        ]:
            raise UsageError(RunFault.ROUND_WITHOUT_TASK, task_id=unknown[0][:80])
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
        won = self._shares(done)
        self.reason, size = self._reason_and_size(won, spent)
        if self.reason is None and not size:
            self.reason = "cost"
        if self.reason is not None:
            return []
        first = {task_id: self.lengths[task_id] for task_id in self._shared.tasks if task_id in self.lengths}
        chosen = self._choose({**first, **self.lengths}, won, self.asked(done), size)
        if chosen:
            self.chosen.append(chosen)
        else:
            self.reason = "all tasks"
        return chosen

    def _reason_and_size(self, won: Mapping[str, float], spent: float | None) -> tuple[Reason | None, int]:
        """Return why the run needs no more tasks, and the most that another round has."""
        from herobench.adaptive.choice import reason_to_stop, round_size

        return reason_to_stop(self._goal, self.lengths, won), round_size(self._goal, self.lengths, won, spent)

    def _choose(
        self, lengths: Mapping[str, float], won: Mapping[str, float], asked: Sequence[str], size: int
    ) -> list[str]:
        from herobench.adaptive.choice import next_round

        return next_round(lengths, won, asked, size, self._shared.horizon)

    def _figures(self, won: Mapping[str, float]) -> dict[str, Any]:
        """Return the figure that the tasks are chosen for, with its interval."""
        from herobench.adaptive.choice import fit_posterior, outside

        known = fit_posterior(self.lengths, won)
        horizon, low, high = known.interval()
        side = outside(horizon, [self.lengths[task_id] for task_id in won])
        return {
            "horizon": horizon,
            "low": low,
            "high": high,
            "outside": "beyond the range" if known.levels_off else side,
            "slope": known.slope(),
            "lapse": known.lapse(),
            "fits": known.fits,
        }

    def _shares(self, done: Mapping[Key, bool]) -> dict[str, float]:
        """Return the share of attempts that won each task, of the tasks whose attempts are all measured."""
        wins: defaultdict[str, list[bool]] = defaultdict(list)
        for (task_id, _), won in done.items():
            wins[task_id].append(won)
        # in the order of the lengths, so that the order of the replies changes no digit
        return {task_id: fmean(wins[task_id]) for task_id in self.lengths if len(wins[task_id]) == self._epochs}

    def as_row(self, done: Mapping[Key, bool], samples: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the state of the choice, for run.json: the reason to stop, the figure, the cost of the whole set."""
        won = self._shares(done)
        spent, whole = self._totals(samples)
        return {
            "goal": str(self._goal),
            "reason": self.reason,
            "tasks": len(won),
            "of": self._of,
            **self._figures(won),
            "spent": spent,
            "whole": whole,
        }

    def _totals(self, samples: Iterable[Mapping[str, Any]]) -> tuple[dict[str, float], dict[str, float]]:
        """Return the tokens and the cost of the tasks that were asked, and about those of all tasks.

        A task that was not asked is taken to need what the one of the nearest length did.
        """
        spent: dict[str, dict[str, float]] = {name: {} for name in _TOTALS}
        for row in samples:
            for name in _TOTALS:
                if row[name] is not None:
                    spent[name][row["task_id"]] = spent[name].get(row["task_id"], 0.0) + row[name]
        known = {name: totals for name, totals in spent.items() if totals}
        return (
            {name: sum(totals.values()) for name, totals in known.items()},
            {name: sum(self._nearest(totals)) for name, totals in known.items()},
        )

    def _nearest(self, totals: Mapping[str, float]) -> Iterator[float]:
        x = {task_id: log(length) for task_id, length in self.lengths.items()}
        for task_id in islice(self.lengths, self._of):
            nearest = task_id if task_id in totals else min(totals, key=lambda asked: abs(x[asked] - x[task_id]))
            yield totals[nearest]


class MistakeRounds(Rounds):
    """The rounds of a run that is to know how many decisions the model takes between mistakes."""

    def __init__(self, columns: tuple[str, str], read_samples: ReadSamples, *choice: Any) -> None:
        """`columns` of `details` count decisions and mistakes. `choice` is what other rounds are made of."""
        super().__init__(*choice)
        self._columns, self._read_samples = columns, read_samples
        self._known: dict[str, Tally] = {}

    def _reason_and_size(self, won: Mapping[str, float], spent: float | None) -> tuple[Reason | None, int]:
        from herobench.adaptive.mistakes import ROUND, reason_to_stop

        reason = reason_to_stop(self._goal, self._tallies(won).values())
        return reason, self._goal.room(ROUND, len(won), spent)

    def _choose(
        self, lengths: Mapping[str, float], won: Mapping[str, float], asked: Sequence[str], size: int
    ) -> list[str]:
        from herobench.adaptive.mistakes import next_round

        return next_round(self._goal, lengths, self._tallies(won), asked, size)

    def _figures(self, won: Mapping[str, float]) -> dict[str, Any]:
        from herobench.adaptive.mistakes import measure_between

        tallies = self._tallies(won).values()
        between, low, high = measure_between(tallies)
        decisions, mistakes = (sum(tally[place] for tally in tallies) for place in (0, 1))
        return {"between": between, "low": low, "high": high, "decisions": decisions, "mistakes": mistakes}

    def _tallies(self, won: Mapping[str, float]) -> dict[str, Tally]:
        """Return the counts of each measured task, in the order of the lengths."""
        from herobench.adaptive.mistakes import Tally, with_end

        rows: dict[str, list[Mapping[str, Any]]] = {task_id: [] for task_id in won if task_id not in self._known}
        for row in self._read_samples() if rows else ():
            rows.get(row["task_id"], []).append(row)
        for task_id, own in rows.items():
            arrivals = [row["progress"] == 100 for row in own]
            counts = [[row["details"][column] for column in self._columns] for row in own]
            ends = [with_end(*each, arrived=arrived) for each, arrived in zip(counts, arrivals, strict=True)]
            decisions, mistakes = map(sum, zip(*ends, strict=True))
            self._known[task_id] = Tally(decisions, mistakes, fmean(arrivals))
        return {task_id: self._known[task_id] for task_id in won}


def rounds_of(suite: Suite, read_samples: ReadSamples = tuple) -> Callable[..., Rounds]:
    """Return what makes the rounds of a run of a suite, whose samples can be read at any time."""
    columns = suite.mistake_columns
    return Rounds if columns is None else partial(MistakeRounds, columns, read_samples)


# -- tasks that are made ----------------------------------------------------------------------------------------------


_SETS = 10
"""The number of tasks that can be made, in multiples of the set's size, not counting longer ones than the set has."""


def tasks_of_set(suite: Suite) -> int:
    """Return the number of tasks of a suite's set, by the number of tasks that can be made."""
    return (len(_ladder(suite)) - suite_class(suite.name).longer) // _SETS


def lengths_to_choose(suite: Suite, tasks: Mapping[str, TaskInfo], goal: Goal, *, makes: bool) -> dict[str, float]:
    """Return the lengths that a run chooses from: those of its tasks and, if it makes tasks, of all it can make.

    Of them it has those that the goal allows."""
    known = task_lengths(suite, tasks)
    return goal.among({**_wanted(suite), **known} if makes else known)


def first_made(suite: Suite, seed: int, goal: Goal) -> Suite | None:
    """Return a suite with the first round of tasks that are made from a seed; None for a suite that makes none."""
    lengths = goal.among(_wanted(suite))
    return more_made(suite, seed, rounds_of(suite)(goal, lengths, 1, ()).next({}, None)) if lengths else None


def more_made(suite: Suite, seed: int, task_ids: Sequence[str]) -> Suite:
    """Return a suite with these tasks; those that the suite has already stay."""
    numbers = {task_id: number for number, task_id in enumerate(_wanted(suite))}
    if unknown := [task_id for task_id in task_ids if task_id not in numbers]:
        raise UsageError(RunFault.ROUND_NOT_MADE, task_id=unknown[0][:80])
    with suite_errors(suite.name, "make"):
        made = refuse_untold(suite.make(seed, {task_id: numbers[task_id] for task_id in task_ids}).suite)
        if [task.id for task in read_tasks(made)] != [*task_ids]:
            close_suite(made)
            raise ValueError("it made tasks of other ids than were asked for")
        return made


def with_tasks(config: RunConfig, suite: Suite, tasks: Mapping[str, TaskInfo]) -> RunConfig:
    """Return the configuration of a run with the tasks that it has now."""
    identity = {**config.identity, **read_identity(suite, tasks)}
    digest = digest_of_tasks(suite.name, tasks.values())
    return replace(config, tasks=digest, task_count=len(tasks), identity=identity)


def open_kept(manifest: Mapping[str, Any], setting: SuiteSetting) -> Suite:
    """Open the suite of a resumed run, as the run keeps it.

    The tasks of a run that makes them are those of its rounds. They are made again if a kill left other ones there.
    """
    config = manifest["config"]
    if not makes_tasks(config.get("fresh"), chain(*manifest.get("rounds", ()))):
        return open_suite(config["suite"], setting)
    try:
        suite = open_suite(config["suite"], setting)
    except InputError:
        return _made_again(manifest, setting)
    if digest_of_tasks(suite.name, read_tasks(suite)) == config["tasks"]:
        return suite
    close_suite(suite)
    return _made_again(manifest, setting)


def _made_again(manifest: Mapping[str, Any], setting: SuiteSetting) -> Suite:
    config, asked = manifest["config"], list[str]()
    suite = open_suite(config["suite"], replace(setting, tasks=None, dataset=config["dataset"], files={}))
    for chosen in manifest["rounds"]:
        asked += chosen
        before, suite = suite, more_made(suite, config["fresh"], asked)
        close_suite(before)
    return suite


def keep_made(folder: RunFolder, manifest: Mapping[str, Any], suite: Suite, tasks: Mapping[str, TaskInfo]) -> None:
    """Write the tasks that are made so far to the folder of a run, after run.json."""
    folder.write_manifest(manifest)
    folder.replace_tasks((task.row for task in tasks.values()), read_files(suite))


def _wanted(suite: Suite) -> dict[str, float]:
    """Return the lengths of the tasks that a suite can make, by their ids."""
    return {f"{MADE}{number}": length for number, length in enumerate(_ladder(suite), 1)}


def _ladder(suite: Suite) -> list[float]:
    with suite_errors(suite.name, "ladder"):
        return [float(length) for length in suite.ladder()]
