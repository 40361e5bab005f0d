"""Finds the readings of suites, and checks every call into them: a reading is code of others, as a suite is.

A call that raises, or returns what the contract does not allow, raises SuiteError with the names of the suite, the call
and the attempt, so that no analysis ends in a traceback or in figures that mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import NoneType, TracebackType
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.contract import Found, GroupNames, Panel, Reading
from herobench.analysis.reading.interval import Estimate
from herobench.data.columns import SAMPLE, blank
from herobench.data.errors import HeroBenchError, abbreviated
from herobench.data.rows import dump_row
from herobench.data.typecheck import declared, mapping
from herobench.suite import plugins
from herobench.suite.checked import suite_errors
from herobench.work.engine import Work

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.samples.samples import Sample


_PLAIN = frozenset({str, int, float, bool, NoneType})
"""The types of most facts. They are looked up first, because a large analysis has a hundred million facts."""


@cache
def load_reading(suite: str) -> CheckedReading:
    """Return the reading of a suite; a plain one if none is installed. Raise UsageError if it cannot be made."""
    installed = suite in plugins.names(plugins.READINGS)
    return CheckedReading(suite, plugins.build(plugins.READINGS, suite) if installed else Reading())


def first_cause(sample: Sample) -> str | None:
    """Return the name of the first cause of a loss, if the sample counts; None for a win, or if too little is known."""
    reading = load_reading(sample["suite"])
    lost = sample["won"] is False and reading.counts(sample)
    found = reading.cause(sample) if lost else None
    return str(found.cause) if found else None


@cache  # asked for every row that is not a sample, and looking packages up is slow
def installed_readings() -> Mapping[str, Reading]:
    """Return the readings that are installed and can be made, by the name of their suite."""
    found: dict[str, Reading] = {}
    for suite in plugins.names(plugins.READINGS):
        try:
            found[suite] = load_reading(suite)
        except HeroBenchError:  # whoever reads samples of this suite is told by `load_reading`
            continue
    return found


class CheckedReading(Reading):
    """A reading whose calls are checked."""

    def __init__(self, suite: str, reading: Reading) -> None:
        self._suite = suite
        self._reading = reading
        with suite_errors(f"The reading of the suite {suite} is wrong"):
            declared(reading, Reading, "the reading")
            for name in Reading.__annotations__:
                setattr(self, name, getattr(reading, name))

    @cached_property
    def fact_names(self) -> tuple[str, ...]:
        """The names of the facts. A sample without values tells them, because all samples have the same."""
        details = blank(self.columns)
        nothing = {**blank(SAMPLE), "suite": self._suite, "status": "unmeasured", "details": details}
        with self._call("facts of an attempt without values"):
            return tuple(self._reading.facts(nothing))

    def adopted(self, row: Mapping[str, Any], name: str, place: str) -> dict[str, Any] | None:
        """Return a row of another format of the suite as a sample; None for any other row."""
        with self._call(f"adopted of {place}"):
            sample = self._reading.adopted(row, name, place)
            return None if sample is None else dict(mapping(sample))

    def check(self, sample: Sample) -> str | None:
        """Return what was expected of the events, if they cannot be followed."""
        with self._call("check", sample):
            return _text_or_none(self._reading.check(sample))

    def counts(self, sample: Sample) -> bool:
        """Return whether a sample counts in the main figures."""
        with self._call("counts", sample):
            return declared(self._reading.counts(sample), bool, "it")

    def group_names(self, groups: Collection[str]) -> GroupNames:
        """Return the names under which groups are shown together."""
        with self._call("group_names"):
            found = declared(self._reading.group_names(groups), GroupNames, "it")
            if len(set(map(found.short, groups))) < len(set(groups)):
                raise ValueError("it gives two groups one name")
            return found

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return the suite's own figures for the samples of one run, in words."""
        with self._call("remarks"):
            return {
                label: declared(words, str, "it") for label, words in mapping(self._reading.remarks(samples)).items()
            }

    def losses(self, samples: pd.DataFrame) -> Mapping[str, Sequence[float | None]]:
        """Return for each kind of fault whether each sample was lost with it."""
        with self._call("losses"):
            found = mapping(self._reading.losses(samples))
            for kind, values in found.items():
                if len(values) != len(samples) or any(value not in (0, 1, None) for value in values):
                    raise ValueError(f"it gives {kind} no 0, 1 or None for each of the {len(samples)} samples")
            return found

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return further columns of the tidy table."""
        names = self.fact_names
        with self._call("facts", sample):
            facts = mapping(self._reading.facts(sample))
            if tuple(facts) != names:
                raise ValueError(f"its names are {', '.join(facts)}, and not {', '.join(names)} as for other attempts")
            for name, value in facts.items():
                if type(value) not in _PLAIN and not isinstance(value, str | int | float):
                    raise TypeError(f"the fact {name} is {abbreviated(value)}, not a text, a number, a flag or None")
            return facts

    def cause(self, sample: Sample) -> Found | None:
        """Return the first cause of a loss."""
        with self._call("cause", sample):
            found = self._reading.cause(sample)
            return found if found is None or _is_plain(found) else declared(found, Found, "it")

    def tables(self, samples: pd.DataFrame) -> Mapping[str, Any]:
        """Return the suite's own tables for the samples of one run."""
        with self._call("tables"):
            return _json(self._reading.tables(samples))

    def profiles(self, samples: pd.DataFrame) -> Mapping[str, Mapping[str, Estimate]]:
        """Return the accuracy at each kind of task, for each way to grade."""
        with self._call("profiles"):
            found = mapping(self._reading.profiles(samples))
            return {title: _estimates(rates) for title, rates in found.items()}

    def opaque_rows(self, folder: Path, manifest: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """Return the rows of a run's tasks by id, under names that tell nothing."""
        with self._call("opaque_rows"):
            rows = mapping(self._reading.opaque_rows(folder, manifest))
            return {task_id: _json(row) for task_id, row in rows.items()}

    def mended_answers(self, folder: Path, manifest: Mapping[str, Any]) -> Callable[[Sample], str | None]:
        """Return what makes the answer that wins of a lost sample with its repair."""
        with self._call("mended_answers"):
            found = self._reading.mended_answers(folder, manifest)

        def answer(sample: Sample) -> str | None:
            with self._call("mended_answers", sample):
                told = found(sample)
                return None if told is None else declared(told, str, "it")

        return answer

    def repair_work(
        self, folder: Path, manifest: Mapping[str, Any], most: int | None = None
    ) -> Work[Sample, dict[str, Any]] | None:
        """Return the work that makes repairs of lost samples."""
        with self._call("repair_work"):
            found = self._reading.repair_work(folder, manifest, most)
            return None if found is None else declared(found, Work, "it")  # type: ignore[type-abstract]

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> Panel:
        """Return the panel for a run or a file."""
        with self._call("panel"):
            return CheckedPanel(self._suite, self._reading.panel(folder, manifest))

    def export(self, name: str, samples: pd.DataFrame) -> str:
        """Return samples in one of the suite's own formats."""
        with self._call(f"export({name!r})"):
            return declared(self._reading.export(name, samples), str, "it")

    def _call(self, call: str, sample: Sample | None = None) -> _Call:
        return _Call("reading", self._suite, call, sample)


class CheckedPanel(Panel):
    """A panel whose calls are checked."""

    def __init__(self, suite: str, panel: Panel) -> None:
        self._suite = suite
        self._panel = declared(panel, Panel, "it")
        self.given = dict(panel.given)
        self.shows_prompts = declared(panel.shows_prompts, bool, "it")

    def label(self, setting: str, value: str) -> str:
        """Return a short name for the value of a setting."""
        with self._call("label"):
            return _text_or_none(self._panel.label(setting, value)) or value

    def setting(self) -> Mapping[str, Any]:
        """Return what the panels of all samples of the run share."""
        with self._call("setting"):
            return _json(self._panel.setting())

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return what the panels of all attempts at a task share. Whoever writes it tells if JSON cannot say it."""
        with self._call(f"task({task_id!r})"):
            told = self._panel.task(task_id)
            return None if told is None else mapping(told)

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return what the panel of one sample needs. Whoever writes it tells if JSON cannot say it."""
        with self._call("sample", sample):
            return mapping(self._panel.sample(sample))

    def _call(self, call: str, sample: Sample | None = None) -> _Call:
        return _Call("panel", self._suite, call, sample)


class _Call:
    """A call into the code of a suite; its errors become SuiteError, in words that are made only then."""

    # a class, because there are six calls a sample, and a generator takes as long as a call itself
    __slots__ = ("_call", "_sample", "_suite", "_what")

    def __init__(self, what: str, suite: str, call: str, sample: Sample | None) -> None:
        self._what = what
        self._suite = suite
        self._call = call
        self._sample = sample

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            return
        at = f" at {self._sample['task_id']}, epoch {self._sample['epoch']}" if self._sample else ""
        with suite_errors(f"The {self._what} of the suite {self._suite} failed in {self._call}{at}"):
            raise error


def _is_plain(found: Any) -> bool:
    """Return whether this is a cause as declared. `declared` is ten times slower, and names the fault."""
    return (
        type(found) is Found
        and isinstance(found.cause, str)
        and type(found.line) in (int, NoneType)
        and isinstance(found.subject, str | None)
    )


def _estimates(value: Any) -> Mapping[str, Estimate]:
    return {name: declared(rate, Estimate, "a rate") for name, rate in mapping(value).items()}


def _json(value: Any) -> Mapping[str, Any]:
    """Return a mapping that JSON can say."""
    dump_row(dict(mapping(value)))
    return dict(value)


def _text_or_none(value: Any) -> str | None:
    if not isinstance(value, str | None):
        raise TypeError(f"it is {abbreviated(value)}, not a text")
    return value
