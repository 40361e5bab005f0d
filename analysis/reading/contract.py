"""The contract between a suite and the analysis: a Reading knows a suite's own columns, causes of loss and panels.

The statistics, the tidy table and the report know the common columns of samples only. For the rest they ask the reading
of the suite, an entry point in the group `herobench.readings` under the suite's name, whose value is called without
arguments. A suite without a reading is analyzed by its common columns: `Reading` itself says nothing more. Readings are
found by `checked_reading`, which checks that they keep to this contract.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from herobench.data.columns import Column

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.interval import Estimate
    from herobench.analysis.samples.samples import Sample
    from herobench.analysis.samples.table_text import TextTable
    from herobench.work.engine import Work

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True, slots=True)
class Found:
    """The first cause of a loss, the line of the plan or the step it is at, and the thing that it is about."""

    cause: str
    line: int | None = None
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class GroupNames:
    """The names by which tables and charts show the groups of tasks that stand in them."""

    title: str
    """The word above or beside the names, such as `bracket`."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The short names by the stored ones; a group without one is shown as it is stored."""

    def short(self, group: str) -> str:
        """Return the name of a group."""
        return self.names.get(group, group)

    def as_row(self) -> dict[str, Any]:
        """Return the names as plain data."""
        return {"title": self.title, "names": dict(self.names)}


class Panel:
    """The part of a sample's page that only the suite can draw, for one run. This one draws nothing."""

    given: Mapping[str, str] = _NOTHING
    """The values of the settings under which the run was made, such as `{"rules": "standard"}`."""
    shows_prompts: bool = True
    """False if `task` lacks what the model was told. The page then shows each call, also the only one of an attempt."""

    def label(self, setting: str, value: str) -> str:
        """Return a short name for the value of a setting."""
        return value

    def setting(self) -> Mapping[str, Any]:
        """Return what the panels of all samples of the run share, such as a map. The page keeps it once."""
        return _NOTHING

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return what the panels of all attempts at a task share; a text `prompt` is shown. None if unknown."""
        return None

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return what the panel of one sample needs beside the sample itself."""
        return _NOTHING


class Reading:
    """The reading of a suite. Subclass it for a suite, and override the parts that the suite has."""

    columns: Sequence[Column] = ()
    """The columns of `details`; their values are checked when samples are read."""
    fact_columns: Sequence[Column] = ()
    """Declares the facts that are not columns of `columns`, or have another type there. Files with types, such as
    Parquet, need it; a fact that is declared nowhere has the type of its values."""
    group: str = "group"
    """The suite's word for a group of tasks, such as a bracket; the tidy table has a column of this name."""
    length: str | None = None
    """The fact that says how long a task is, such as `decisions`. Horizons are measured in it; None for no horizon."""
    actions: str | None = None
    """The fact with the number of actions that a plan for the task takes, such as `oracle_actions`; None if unknown."""
    ranked_by: str | None = None
    """The table of `tables` that ranks runs, an estimate of which more is better, such as `between_mistakes`; None if
    the horizon does. One that is None above a lower end ranks first."""
    easier: str = ""
    """Names the tasks to ask a model that won nothing, such as `--difficulty 1`."""
    task_key: Sequence[str] = ()
    """The columns of a task's row that make its id, with slashes between them. Without it, runs that name one dataset
    are not asked whether they have the same rows."""
    pairs_by_row: bool = False
    """True if each dataset has tasks of its own, so that an id says nothing in another one. Their tasks are paired only
    where their rows are equal, and runs of different datasets are ranked apart."""
    groupings: Sequence[str] = ()
    """Facts that samples can be grouped by, beside the group and the model."""
    naming: str | None = None
    """The fact that says how things are called, such as `names`. Runs that differ in it can have the same tasks: then
    their `opaque_rows` are equal. None if things have one name only."""
    settings: Mapping[str, str] = _NOTHING
    """Facts in which samples must agree to be compared, with their plural: `{"world": "worlds"}`."""
    separates: Sequence[str] = ()
    """The settings whose values are never ranked together: each value has its own rankings and figures."""
    lane: str | None = None
    """The setting, one of `separates`, that says how much of a plan was told; None if nothing ever is. What
    the horizons differ by over its values is what planning costs."""
    lanes: Sequence[str] = ()
    """The values of `lane`, from the least to the most. Titles do not name the first, which nearly all samples have."""
    idle: Mapping[str, Sequence[str]] = _NOTHING
    """The settings that have no effect in a lane, by lane: a run in it is compared whatever they are."""
    lane_work: str = "planning"
    """The work that the last lane spares the model: tables are headed "What planning costs"."""
    failures: Sequence[str] = ()
    """The failure classes in the order in which charts show them."""
    causes: Mapping[str, str] = _NOTHING
    """The causes that `cause` can find, with their definitions."""
    words: Mapping[str, str] = _NOTHING
    """Words for classes, causes and the like whose names are not clear with spaces in place of underscores."""
    uncounted: str = "that do not count"
    """Words that describe the samples that do not count in the main figures. They stand behind the number of these."""
    remarked: Sequence[str] = ()
    """The facts that `remarks` and `profiles` are about, such as `closed`: they are not asked about a run in which all
    of them are 0, false or null for every sample. Empty if they are about all samples."""
    listed: Mapping[str, str] = _NOTHING
    """Facts that the report's table of samples shows, with their titles."""
    profiled: str = "Accuracy by kind"
    """The title of the radars of `profiles`."""
    exports: Mapping[str, str] = _NOTHING
    """Further formats of `analyze --format` that `export` writes: their names, each with what it holds."""
    takes_rescored: bool = False
    """True if `typeset` takes failures from another scoring."""
    script: str = ""
    """JavaScript that draws the panel. It sets `PANELS[suite]`; see report/page/panels.js."""
    style: str = ""
    """CSS of the panel."""

    def adopted(self, row: Mapping[str, Any], name: str, place: str) -> dict[str, Any] | None:
        """Return a row of another format of the suite, in the file of this name, as a sample; None for any other row.

        Raise InputError with the place if it is one with wrong values.
        """
        return None

    def check(self, sample: Sample) -> str | None:
        """Return what was expected of the events, if they cannot be followed; None if they are sound."""
        return None

    def counts(self, sample: Sample) -> bool:
        """Return whether a sample counts in the main figures: success, score, horizon, ranks. The others have only the
        figures that `remarks` and `tables` give them."""
        return True

    def group_names(self, groups: Collection[str]) -> GroupNames:
        """Return the names under which these groups are shown together. Files keep the stored names."""
        return GroupNames(self.word(self.group))

    @property
    def unit(self) -> str | None:
        """The words for what lengths are counted in; None if tasks have no length."""
        return None if self.length is None else self.word(self.length)

    @property
    def usual(self) -> Mapping[str, str]:
        """The values of `separates` that need no words, by column."""
        return {self.lane: self.lanes[0]} if self.lane and self.lanes else {}

    def word(self, name: str) -> str:
        """Return the words for a stored name."""
        return self.words.get(name) or name.replace("_", " ")

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return the suite's own figures for all samples of one run, in words, by their labels.

        The table may lack common columns other than `task_id`, `measured`, `win` and `counted`.
        """
        return _NOTHING

    def ranked_words(self, facts: Iterable[Mapping[str, Any]]) -> str:
        """Return the figure of `ranked_by` in words as `remarks` has it, under its word; empty without one.

        It is made of the facts of the measured samples of one run, with their `task_id` and without their events."""
        return ""

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return further columns of the tidy table: the same names for every sample, None for unknown values."""
        return _NOTHING

    def cause(self, sample: Sample) -> Found | None:
        """Return the first cause of a loss; None for a win, or if too little is known."""
        return None

    def typeset(self, runs: Mapping[str, pd.DataFrame], rescored: pd.DataFrame | None = None) -> Sequence[TextTable]:
        """Return tables of the published benchmark that some runs have rows for, for `analyze --format md` and `latex`.

        Failures are those of another scoring of the runs where one is given. Captions begin with `Table 1. ` and so on.
        """
        return ()

    def tables(self, samples: pd.DataFrame) -> Mapping[str, Any]:
        """Return the suite's own tables for all samples of one run, as `analyze --format json` has them."""
        return _NOTHING

    def profiles(self, samples: pd.DataFrame) -> Mapping[str, Mapping[str, Estimate]]:
        """Return the accuracy of one run, a share from 0 to 1, at each kind of task in a fixed order, for each way to
        grade: `{"sound grading": {"app": ...}}`. Radars show it."""
        return _NOTHING

    def opaque_rows(self, folder: Path, manifest: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """Return the rows of a run's tasks by id, under names that tell nothing. They have all that an attempt depends
        on, such as the digest of the world in the folder. A reading with `naming` has it. Raise InputError if the files
        of the run cannot be read."""
        raise NotImplementedError

    def repair_work(
        self, folder: Path, manifest: Mapping[str, Any], most: int | None = None
    ) -> Work[Sample, dict[str, Any]] | None:
        """Return the work that makes a row of `repairs.jsonl` of a lost sample of a run; None if the suite has none.

        `most` bounds the calls that it may play for a sample; None for the suite's own bound."""
        return None

    def mended_answers(self, folder: Path, manifest: Mapping[str, Any]) -> Callable[[Sample], str | None]:
        """Return what makes the answer that wins of a lost sample with its repair; None for one that has no such."""
        return lambda sample: None

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> Panel:
        """Return the panel for a run, by its folder and its run.json, or for a file of rows, which has neither."""
        return Panel()

    def export(self, name: str, samples: pd.DataFrame) -> str:
        """Return samples of one or several runs in a format of `exports`, as text. A reading with `exports` has it."""
        raise NotImplementedError


@cache
def page_files(package: str, *names: str) -> str:
    """Return files of the folder `page` of a package as one text."""
    page = files(package).joinpath("page")
    return "\n".join(page.joinpath(name).read_text("utf-8") for name in names)


def possible_groupings(reading: Reading) -> list[str]:
    """Return the columns of the tidy table that samples can be grouped by."""
    return list(dict.fromkeys([reading.group, *reading.groupings, "group", "model", "help"]))


def group_key(group: object) -> tuple[int, float, list[str | int]]:
    """Return the key that sorts groups: numbers first, then texts, in which numbers are compared as numbers.

    For example, 9 stands before 10, and `8-15 steps` before `16-31 steps`.
    """
    text = str(group)
    if _NUMBER.fullmatch(text):
        return 0, float(text), []
    return 1, 0.0, [int(part) if number % 2 else part for number, part in enumerate(_DIGITS.split(text))]
