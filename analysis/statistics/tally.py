"""Adds up samples or scored rows without the tidy table: sums by group, terms, and the minutes that people took for
what they won.

`run` adds samples while they come in, `score` rows in pieces that are merged; both show the figures at their end.
Nothing here imports numpy or pandas. Means and standard deviations of Table 1 are over the averages of the groups, the
deviations those of a population.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from math import isfinite, log2
from statistics import fmean, median, pstdev
from typing import TYPE_CHECKING, Any, NamedTuple

from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.reading.checked import first_cause, load_reading
from herobench.analysis.reading.contract import Reading, group_key
from herobench.analysis.samples.samples import Sample, cut_off, group_name
from herobench.suite.players import attempt_help
from herobench.work.rows import Row, RowFacts

if TYPE_CHECKING:
    from herobench.analysis.statistics.horizon import Horizon


@dataclass(slots=True)
class GroupSum:
    """Sums over the measured samples of a group."""

    count: int = 0
    wins: int = 0
    score: float = 0.0
    progress: float = 0.0
    with_progress: int = 0
    tokens: int = 0
    with_tokens: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)

    def add(self, sample: Sample, cause: str | None = None) -> None:
        """Add one sample, with the first cause of its loss if it is known."""
        self.count += 1
        self.wins += sample["won"]
        self.score += sample["score"]
        if sample["progress"] is not None:
            self.progress += sample["progress"]
            self.with_progress += 1
        if sample["output_tokens"] is not None:
            self.tokens += sample["output_tokens"]
            self.with_tokens += 1
        if sample["failure"] is not None:
            self.failures[sample["failure"]] += 1
        if cause is not None:
            self.causes[cause] += 1

    def as_row(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        sums = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in sums.items()}

    def merge(self, row: Mapping[str, Any]) -> None:
        """Add the sums of another group, as `as_row` gives them."""
        for name, value in row.items():
            if isinstance(value, Mapping):
                getattr(self, name).update(value)
            else:
                setattr(self, name, getattr(self, name) + value)


class SampleTally:
    """Measured samples, added up one at a time. Callers leave out those that do not count in the main figures."""

    def __init__(self, samples: Iterable[Sample] = ()) -> None:
        self.overall = GroupSum()
        self._groups: dict[str, GroupSum] = {}
        for sample in samples:
            self.add(sample)

    def add(self, sample: Sample, cause: str | None = None) -> None:
        """Add one sample, with the first cause of its loss if it is known."""
        self.overall.add(sample, cause)
        self._groups.setdefault(group_name(sample), GroupSum()).add(sample, cause)

    def as_row(self) -> dict[str, Any]:
        """Return the sums of each group as plain data."""
        return {name: group.as_row() for name, group in self.groups()}

    def merge(self, row: Mapping[str, Any]) -> None:
        """Add the sums of another tally, as `as_row` gives them."""
        for name, group in row.items():
            self.overall.merge(group)
            self._groups.setdefault(name, GroupSum()).merge(group)

    def groups(self) -> list[tuple[str, GroupSum]]:
        """Return the groups that have samples, in order."""
        return sorted(self._groups.items(), key=lambda pair: group_key(pair[0]))

    def table1(self) -> dict[str, float | None]:
        """Return the row of Table 1: None if there is nothing to average, and no deviation over one group."""
        groups = [group for _, group in self.groups()]
        scores = [group.score / group.count for group in groups]
        tokens = [group.tokens / group.with_tokens for group in groups if group.with_tokens]
        return {
            "success": fmean(100 * group.wins / group.count for group in groups) if groups else None,
            "score": fmean(scores) if scores else None,
            "score_sd": pstdev(scores) if len(scores) > 1 else None,
            "tokens": fmean(tokens) if tokens else None,
            "tokens_sd": pstdev(tokens) if len(tokens) > 1 else None,
        }


UNKNOWN = "unknown"
"""The value of a column that a sample does not tell."""


class SeparatingValues:
    """The help that models had and the values of the separating columns, added up one sample at a time."""

    def __init__(self) -> None:
        self._values: dict[str, set[str]] = {}
        self._plurals: dict[str, str] = {"help": "help"}
        self._usual: Mapping[str, str] = {}

    def add(self, sample: Sample, reading: Reading) -> None:
        """Add the values of one sample."""
        # rows of scored answers may name no model
        help_had = attempt_help(sample["suite"], sample.get("model"), sample.get("details", {}))
        self._values.setdefault("help", set()).add(help_had)
        if not reading.separates:
            return
        self._learn(reading)
        # Terms belong to the task. Without the events, no reading spends time on what the plan did.
        facts = reading.facts({**sample, "events": None})
        for column in reading.separates:
            value = facts.get(column)
            self._values.setdefault(column, set()).add(UNKNOWN if value is None else str(value))

    @property
    def mixed(self) -> bool:
        """True if samples differ in a column that separates them."""
        return any(len(values) > 1 for values in self._values.values())

    def as_row(self) -> dict[str, list[str]]:
        """Return the values of each column as plain data."""
        return {column: sorted(values) for column, values in self._values.items()}

    def merge(self, row: Mapping[str, Iterable[str]], reading: Reading) -> None:
        """Add the values of other terms, as `as_row` gives them."""
        self._learn(reading)
        for column, values in row.items():
            self._values.setdefault(column, set()).update(values)

    def _learn(self, reading: Reading) -> None:
        self._plurals.update(reading.settings)
        self._usual = reading.usual

    @property
    def words(self) -> str:
        """The terms in words, such as `help: bare, track: straight`; an empty text without samples."""
        columns = ((column, sorted(values)) for column, values in self._values.items())
        return ", ".join(
            self._values_text(column, values) for column, values in columns if values != [self._usual.get(column)]
        )

    def _values_text(self, column: str, values: list[str]) -> str:
        if len(values) == 1:
            return f"{column.replace('_', ' ')}: {values[0]}"
        both = " and ".join(values)
        return f"{self._plurals.get(column, column)}: {both}, added up here; herobench analyze shows them apart"


class CountedAttempts:
    """The attempts that count in the main figures of a run: the task of each, its length, and its outcome."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.tasks: list[str] = []
        self.lengths: list[float | None] = []
        self.wins: list[float | None] = []
        """1 for a win, 0 for a loss, None without a reply."""
        self.cut_off_losses: list[bool | None] = []
        """For each lost attempt, whether a reply was cut off; None where that is not known."""

    def add(self, sample: Sample) -> Mapping[str, Any]:
        """Add a sample, and return its facts."""
        reading = self._reading
        # The length belongs to the task. Without the events, no reading spends time on what the plan did.
        facts = reading.facts({**sample, "events": None}) if reading.length else {}
        self.tasks.append(sample["task_id"])
        self.lengths.append(facts.get(reading.length or ""))
        self.wins.append(float(sample["won"]) if sample["status"] == "ok" else None)
        if self.wins[-1] == 0:
            self.cut_off_losses.append(cut_off(sample))
        return facts

    @property
    def horizon(self) -> Horizon | None:
        """The horizon; None if too few measured tasks have a length."""
        attempts = zip(self.tasks, self.lengths, self.wins, strict=True)
        if len({task for task, length, win in attempts if (length or 0) > 0 and win is not None}) < LEAST_TASKS:
            return None
        from herobench.analysis.statistics.horizon import count_trials, horizon_in  # loads numpy

        return horizon_in(count_trials(self.tasks, self.lengths, self.wins))


class SampleFacts(RowFacts):
    """Adds up samples, or scored rows of a suite, by group, and notes the terms of their tasks."""

    def __init__(self, suite: str) -> None:
        self.tally, self.terms = SampleTally(), SeparatingValues()
        self._reading = load_reading(suite)

    def add(self, row: Row) -> None:
        """Take in a row."""
        sample = row if "details" in row else self._reading.adopted(row, "", "")
        if sample is not None and sample["status"] == "ok" and self._reading.counts(sample):
            self.tally.add(sample, first_cause(sample))
            self.terms.add(sample, self._reading)

    def as_row(self) -> Mapping[str, Any]:
        """Return the facts as plain data."""
        return {"tally": self.tally.as_row(), "terms": self.terms.as_row()}

    def merge(self, facts: Mapping[str, Any]) -> None:
        """Add the facts of other rows."""
        self.tally.merge(facts["tally"])
        self.terms.merge(facts["terms"], self._reading)


# -- lengths in human time ---------------------------------------------------------------------------------------------

Timed = tuple[float | None, float | None, float | None]
"""The length of a task, whether an attempt at it was won, and the seconds that it took."""


class WonMinutes(NamedTuple):
    """The time that attempts took which were won, at tasks of some lengths."""

    shortest: int
    longest: int
    won: int
    minutes: float
    """The median."""


def minutes_of_wins(attempts: Iterable[Timed]) -> list[WonMinutes]:
    """Return the minutes of won attempts for each doubling of the lengths."""
    brackets: dict[int, list[float]] = {}
    for length, is_win, seconds in attempts:
        if is_win and length and seconds is not None and isfinite(length) and isfinite(seconds):
            brackets.setdefault(int(log2(length)), []).append(seconds / 60)
    return [
        WonMinutes(1 << bracket, (2 << bracket) - 1, len(win_minutes), median(win_minutes))
        for bracket, win_minutes in sorted(brackets.items())
    ]


def minutes_facts(brackets: Iterable[WonMinutes], unit: str | None) -> Mapping[str, str]:
    """Return minutes in words."""
    return {
        f"minutes, {of.shortest} to {of.longest} {unit}": f"{of.minutes:.1f} (median of {of.won} won)"
        for of in brackets
    }
