"""Writes the report: one pass over the samples, one page, which appears only when it is complete.

The page is the index, then a compressed block for each sample and each task, which the browser opens on demand. Many
blocks stand in files beside the page. The index stands before the blocks, so that the page is shown while they load;
they wait in a temporary file until then. The same runs give the same bytes: there is no date in the page.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Panel, Reading
from herobench.analysis.report.figures import (
    DescribedRun,
    Figures,
    comparison_words,
    cost_notes,
    notes_on,
    nothing_won_notes,
    value_labels,
)
from herobench.analysis.report.page_text import (
    END,
    MOST_IN_A_PAGE,
    Blocks,
    block_folder,
    dumped,
    page_before_blocks,
    refuse_foreign,
    remove,
)
from herobench.analysis.report.talk import talk_tree
from herobench.analysis.samples.calls import Calls
from herobench.analysis.samples.frame import mixed_suites
from herobench.analysis.samples.refusals import SampleFault
from herobench.analysis.samples.samples import Sample, group_name, is_measured, tidy_columns
from herobench.analysis.samples.sources import AskedDataset, Source, dataset_name, printable
from herobench.analysis.statistics.findings import compare_spending
from herobench.analysis.statistics.lane_costs import asked_alike
from herobench.analysis.statistics.tally import Timed, minutes_facts, minutes_of_wins
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import replacing
from herobench.data.rows import seldom_collected
from herobench.suite.checked import plugin_errors

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.interval import Estimate


@dataclass(frozen=True, slots=True)
class ReportRun:
    """One run. Its name must differ from the others in the report: links to its samples contain it."""

    name: str
    samples: Iterable[Sample]
    """Read once, and never held all at the same time."""
    panel_by: Callable[[Reading], Panel] = lambda reading: reading.panel(None, None)
    """Makes the panel when the first sample has told the suite, and with it the reading."""
    asked: AskedDataset | None = None
    """The tasks that it asked; None for a file."""
    calls: Calls | None = None
    """The calls of its attempts; None for a file."""
    alike: Callable[[Reading], str | None] = lambda reading: None
    """Runs with equal texts were asked in the same way but for their lane, and are compared. None for a file."""
    is_of_people: bool = False
    """True if people played it: then the report says how long they took."""


def report_runs(sources: Sequence[Source]) -> list[ReportRun]:
    """Return the runs of a report on some sources."""
    return [
        ReportRun(
            source.name,
            source.checked_samples(),
            partial(_open_panel, source),
            source.asked,
            Calls(source.calls_file) if source.calls_file else None,
            partial(asked_alike, source.manifest),
            source.is_of_people,
        )
        for source in sources
    ]


def _open_panel(source: Source, reading: Reading) -> Panel:
    return reading.panel(source.folder, source.manifest)


SCHEMA = 4
_SELDOM = 1_000_000
"""Events have no cycles: they are looked for when this many objects are new."""
_Profiles = Mapping[str, Mapping[str, "Estimate"]]
_COLUMNS = (
    "run", "task", "epoch", "status", "group", "outcome", "score", "progress", "failure", "cause", "error", "tokens",
    "cost", "given",
)  # fmt: skip
"""The columns of the index; `given` is the number of the sample's task, or null."""
_OUTCOMES = {True: "win", False: "lose", None: "unmeasured"}
_GROUP = _COLUMNS.index("group")


def write_report(path: str | os.PathLike[str], runs: Sequence[ReportRun], most_in_page: int = MOST_IN_A_PAGE) -> int:
    """Write the report on some runs, and return the number of samples in it.

    If the blocks have more bytes than `most_in_page`, they stand in files beside the page. Raise UsageError if two runs
    have one name or samples are of several suites, InputError if the page cannot be written.
    """
    for name, times in Counter(run.name for run in runs).items():
        if times > 1:
            raise UsageError(SampleFault.ONE_NAME, times=times, name=name)
    target = Path(path)
    folder = block_folder(target)
    refuse_foreign(folder)
    new = target.with_name(f"{target.name}.files{os.getpid()}")
    try:
        with seldom_collected(_SELDOM), Blocks(target.parent) as blocks, replacing(target) as file:
            collector = _Collected(blocks)
            index = collector.index(runs)
            if is_large := blocks.size > most_in_page:
                index["files"] = folder.name
                blocks.write_files(new)
            file.write(page_before_blocks(index, collector.reading))
            if not is_large:
                file.writelines(blocks.elements())
            file.write(END)
            remove(folder)
            if is_large:
                new.replace(folder)
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a file that can be written ({error.strerror})")]) from error
    finally:
        remove(new)
    return len(index["samples"])


class _Collected:
    """The index, collected while the blocks are written one after the other."""

    def __init__(self, blocks: Blocks) -> None:
        self.reading = Reading()
        self._suite: str | None = None
        self._blocks = blocks
        self._settings: list[dict[str, Any]] = []
        self._given: dict[int, int] = {}
        """The numbers of the tasks, by the hashes of what is told of them."""
        self._samples: list[list[Any]] = []

    def index(self, runs: Sequence[ReportRun]) -> dict[str, Any]:
        """Read all samples and return the index."""
        descriptions = [self._read(number, run) for number, run in enumerate(runs)]
        reading = self.reading
        self._blocks.end()
        occurring = set().union(*(run.figures.causes for run in descriptions))
        return {
            "schema": SCHEMA,
            "suite": self._suite,
            "group": reading.group,
            "groups": reading.group_names(dict.fromkeys(line[_GROUP] for line in self._samples)).as_row(),
            "length": reading.length,
            "ranked_by": reading.word(reading.ranked_by) if reading.ranked_by else None,
            "failures": list(reading.failures),
            "words": dict(reading.words),
            "listed": dict(reading.listed),
            "profiled": reading.profiled,
            "runs": [self._about(run, descriptions) for run in descriptions],
            "notes": [
                *notes_on(descriptions, reading.settings),
                *nothing_won_notes(descriptions, reading),
                *cost_notes(descriptions, reading),
            ],
            "comparison": comparison_words(descriptions, reading),
            "tradeoff": _tradeoff(descriptions),
            "causes": {name: cause_text for name, cause_text in reading.causes.items() if name in occurring},
            "settings": self._settings,
            "files": None,
            "blocks": self._blocks.places,
            "columns": [*_COLUMNS, *reading.listed],
            "samples": self._samples,
        }

    def _read(self, number: int, run: ReportRun) -> DescribedRun:
        """Read the samples of a run and write their blocks."""
        figures, panel, panel_numbers = Figures(), Panel(), dict[str, int | None]()
        rows: list[dict[str, Any]] = []
        win_times: list[Timed] = []
        for position, sample in enumerate(run.samples):
            self._learn_suite(sample["suite"])
            reading = self.reading
            if not position:
                # the panel needs the reading, which the first sample of the report has told
                figures, panel = Figures(reading.settings, reading.length), run.panel_by(reading)
            found_cause, facts = reading.cause(sample), reading.facts(sample)
            counts = reading.counts(sample)
            if counts:
                figures.add(sample, found_cause, facts)
            if run.is_of_people and reading.length:
                win_times.append((facts[reading.length], sample["won"], sample["seconds"]))
            rows.append(
                {
                    "task_id": sample["task_id"],
                    "measured": is_measured(sample),
                    "win": sample["won"],
                    "counted": counts,
                    **facts,
                }
            )
            row = {
                "row": sample,
                "found": asdict(found_cause) if found_cause else None,
                "panel": dict(panel.sample(sample)),
                "talk": _talk(run, panel, sample),
            }
            call = f"sample at {sample['task_id']}, epoch {sample['epoch']}"
            self._blocks.add("sample", self._as_json(row, call))
            given = self._given_to(sample["task_id"], panel, panel_numbers)
            cause = str(found_cause.cause) if found_cause else None
            self._samples.append([*_line(sample, number, cause, given), *(facts[name] for name in reading.listed)])
        uncounted, (remarks, profiles) = len(rows) - figures.attempts, self._remarks(rows)
        remarks = {**minutes_facts(minutes_of_wins(win_times), self.reading.unit), **remarks} if win_times else remarks
        return DescribedRun(run.name, panel, figures, run.asked, uncounted, remarks, profiles, run.alike)

    def _remarks(self, rows: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, str], _Profiles]:
        """Return the remarks and profiles of a run. A run without them does not load pandas, which takes a second."""
        facts = self.reading.remarked
        if not rows or (facts and not any(row[fact] for row in rows for fact in facts)):
            return {}, {}
        table = _table(rows)
        return self.reading.remarks(table), self.reading.profiles(table)

    def _as_json(self, row: Mapping[str, Any], call: str) -> str:
        """Return a row as JSON. Raise SuiteError if JSON cannot say what a call of the panel returned."""
        with plugin_errors(f"The panel of the suite {self._suite} failed in {call}"):
            return dumped(dict(row))

    def _learn_suite(self, suite: str) -> None:
        if self._suite is None:
            tidy_columns(suite)  # refuses a reading whose names do not fit its facts
            self._suite, self.reading = suite, load_reading(suite)
        elif suite != self._suite:
            raise mixed_suites([suite, self._suite])

    def _about(self, run: DescribedRun, runs: Sequence[DescribedRun]) -> dict[str, Any]:
        """Return a run's part of the index."""
        about = {
            setting: [value_labels(runs, setting)[value] for value in run.values(setting)]
            for setting in run.figures.settings
        }
        return {
            "name": run.name,
            "dataset": dataset_name(run.asked),
            "help": run.help,
            "told": about,
            "setting": self._setting_number(dict(run.panel.setting())),
            "uncounted": run.uncounted,
            "remarks": {label: words for label, words in run.remarks.items() if words},
            "profiles": {title: rate_rows(rates) for title, rates in run.profiles.items()},
            "figures": run.figures.as_row(),
        }

    def _given_to(self, task_id: str, panel: Panel, numbers_by_task: dict[str, int | None]) -> int | None:
        """Return the number of a task, which is kept when it is first met; runs with equal tasks share it."""
        if task_id not in numbers_by_task:
            task_row = panel.task(task_id)
            numbers_by_task[task_id] = None if task_row is None else self._keep(task_id, task_row)
        return numbers_by_task[task_id]

    def _keep(self, task_id: str, task_row: Mapping[str, Any]) -> int:
        # equal tasks are stored once, because runs on one dataset are told the same
        text = self._as_json(task_row, f"task({task_id!r})")
        if hash(text) not in self._given:
            self._blocks.add("given", text)
        return self._given.setdefault(hash(text), len(self._given))

    def _setting_number(self, setting: dict[str, Any]) -> int:
        if setting not in self._settings:
            self._settings.append(setting)
        return self._settings.index(setting)


def _tradeoff(runs: Sequence[DescribedRun]) -> dict[str, Any] | None:
    """Return success against spending as the page draws it, with the numbers of the runs."""
    tradeoff = compare_spending({run.name: run.figures.spending for run in runs})
    if tradeoff is None:
        return None
    return tradeoff.as_row({run.name: number for number, run in enumerate(runs)})


def _table(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the facts of a run as a table, in which texts hold no half surrogate pair."""
    import pandas as pd

    return pd.DataFrame([{name: printable(v) if isinstance(v, str) else v for name, v in row.items()} for row in rows])


def rate_rows(rates: Mapping[str, Estimate]) -> list[list[Any]]:
    """Return rates by name as the page has them: a list, because the order of names counts."""
    return [
        [name, {"rate": rate.estimate, "low": rate.low, "high": rate.high, "count": rate.samples}]
        for name, rate in rates.items()
    ]


def _talk(run: ReportRun, panel: Panel, sample: Sample) -> dict[str, Any] | None:
    """Return the conversation of a sample; None if it is only the prompt and the answer."""
    if run.calls is None or (run.calls.is_plain and panel.shows_prompts):
        return None
    return talk_tree(run.calls.of(sample["task_id"], sample["epoch"], sample["calls"]))


def _line(sample: Sample, run: int, cause: str | None, given: int | None) -> list[Any]:
    """Return the values of the columns."""
    error = sample["error"]
    return [
        run,
        sample["task_id"],
        sample["epoch"],
        sample["status"],
        group_name(sample),
        _OUTCOMES[sample["won"]],
        sample["score"],
        sample["progress"],
        sample["failure"],
        cause,
        error["kind"] if error else None,
        sample["output_tokens"],
        sample["cost"],
        given,
    ]
