"""Notes above all figures of a report: that there are no figures, or that some of them do not compare.

Samples tell under which settings they were made, such as rules. These are compared with the settings that the run's
panel was given, and with the other runs. A sample that does not tell them, such as a published one, is passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from herobench.analysis.reading.contract import Panel, Reading
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.report.figures import Figures
from herobench.analysis.samples.sources import AskedDataset, ask_alike, chosen_notes, fresh_notes, lacking_notes
from herobench.analysis.statistics.comparison import compare, horizon_ratio
from herobench.analysis.statistics.horizon import count_trials
from herobench.analysis.statistics.lane_costs import LaneRun, costs_among
from herobench.analysis.statistics.ranking import help_note
from herobench.analysis.statistics.words import p_text, ratio_words
from herobench.suite.lanes import lane_words
from herobench.suite.task_rows import MADE


@dataclass(frozen=True, slots=True)
class DescribedRun:
    """A run after all its samples were read."""

    name: str
    panel: Panel
    figures: Figures
    asked: AskedDataset | None = None
    uncounted: int = 0
    """The number of samples that are in none of the figures."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """The suite's own figures over all samples, in words."""
    profiles: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    """The accuracy at each kind of task, by way of grading."""
    alike: str | None = None
    """How it was asked, but for its lane: runs of other lanes with an equal text are compared. None for a file."""

    @property
    def lane(self) -> str:
        """The lanes of help of its attempts, in words."""
        return lane_words(self.figures.lanes)

    def values(self, setting: str) -> list[str]:
        """Return the values of a setting as the samples tell them; without samples, what the panel was given."""
        if not self.figures.attempts:
            return [self.panel.given[setting]] if setting in self.panel.given else []
        return _known(self.figures.settings[setting])


def notes_on(runs: Sequence[DescribedRun], settings: Mapping[str, str]) -> list[str]:
    """Return the notes; settings come with their plural."""
    attempts, unmeasured = sum(run.figures.attempts for run in runs), sum(run.figures.unmeasured for run in runs)
    if not attempts:
        uncounted = any(run.uncounted for run in runs)
        return [f"There are no samples in this report{' that count in its main figures' if uncounted else ''}."]
    if attempts == unmeasured:
        return ["No sample in this report got a reply, so there is nothing to count."]
    labels = {setting: value_labels(runs, setting) for setting in settings}
    helped = help_note({run.name: run.lane for run in runs})
    return [
        *lacking_notes((run.name, run.asked, run.figures.attempts + run.uncounted) for run in runs),
        *(note for run in runs for note in _of_one(run, settings, labels)),
        *(f"{run.name}: {run.figures.limit_words}." for run in runs if run.figures.limit_words),
        *(note for setting, plural in settings.items() for note in _of_several(runs, setting, plural, labels[setting])),
        *([helped] if helped else []),
        *chosen_notes((run.name, run.asked) for run in runs),
        *fresh_notes(run.asked for run in runs),
    ]


def cost_notes(runs: Sequence[DescribedRun], reading: Reading) -> Iterator[str]:
    """Yield what planning costs each model that was asked in several lanes."""
    found = costs_among((lane for run in runs for lane in _lane_of(run, reading)), reading)
    yield from (costs.note for costs in found)


def comparison_words(runs: Sequence[DescribedRun], reading: Reading) -> list[str]:
    """Return how two runs differ in words: the ratio of their horizons, and of success on the tasks that both have."""
    if len(runs) != 2:
        return []
    (tasks, lengths, wins), (others, other_lengths, other_wins) = (run.figures.attempts_by_length for run in runs)
    told, asked = [], [run.asked for run in runs]
    if len({one.fresh if one else None for one in asked}) > 1:
        # two seeds make other tasks under the same ids
        others = [f"{task} (another seed)" if task.startswith(MADE) else task for task in others]
    if reading.length:
        trials = count_trials(tasks, lengths, wins), count_trials(others, other_lengths, other_wins)
        ratio = horizon_ratio(*trials, independent=ask_alike(asked))
        told.append(f"Horizons: {ratio_words(ratio)}.")
    found = compare(tasks, wins, others, other_wins, most=1.0)
    if found.difference.estimate is not None:
        p = found.p if found.exact_p is None else found.exact_p
        chance = f"; p-value {p_text(p)}" if p is not None else ""
        difference = found.difference.text(100, 1, sign="+", unit=" points")
        told.append(f"Success of the first less the second, on {found.shared} shared tasks: {difference}{chance}.")
    return told


def _lane_of(run: DescribedRun, reading: Reading) -> Iterator[LaneRun]:
    """Yield a run as one of a lane, if all its samples are of one model, one lane and the same other settings."""
    values, models = {setting: run.values(setting) for setting in reading.settings}, run.figures.models
    if reading.told and len(models) == 1 and all(len(told) == 1 for told in values.values()):
        ((lane,), *_), (model,) = (values.pop(reading.told),), models
        yield LaneRun(run.name, model, lane, (str(values), run.alike), *run.figures.attempts_by_length)


def value_labels(runs: Sequence[DescribedRun], setting: str) -> dict[str, str]:
    """Return a label for each value of a setting, from the run that was given the value if there is one."""
    told = {value: run.panel.label(setting, value) for run in runs for value in run.values(setting)}
    given = {run.panel.given[setting]: run.panel for run in runs if setting in run.panel.given}
    return told | {value: panel.label(setting, value) for value, panel in given.items()}


def _known(counts: Counter[str | None]) -> list[str]:
    return sorted(value for value in counts if value is not None)


def _of_one(run: DescribedRun, settings: Mapping[str, str], labels: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    if not run.figures.attempts:
        yield f"There are no samples in {run.name}{' that count' if run.uncounted else ''}."
    elif run.figures.attempts == run.figures.unmeasured:
        yield f"No sample of {run.name} got a reply, so nothing is known of its success."
    else:
        for setting, plural in settings.items():
            values = run.values(setting)
            if setting in run.panel.given:
                yield from _foreign(run, setting, plural, labels[setting])
            elif len(values) > 1:
                told = ", ".join(labels[setting][value] for value in values)
                yield f"The samples of {run.name} are of different {plural} ({told}), and its figures mix them."


def _foreign(run: DescribedRun, setting: str, plural: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield a note on samples under another setting than the one that the panel was given."""
    given, counts, attempts = run.panel.given[setting], run.figures.settings[setting], run.figures.attempts
    others = [value for value in _known(counts) if value != given]
    if others:
        count = sum(counts[value] for value in others)
        names = ", ".join(sorted(labels[value] for value in others))
        mixed = "" if count == attempts else " The figures of this run mix them."
        yield (
            f"{count} of {attempts} sample{'' if attempts == 1 else 's'} of {run.name} are of other {plural} ({names}) "
            f"than this report was given for them ({labels[given]}): they are counted, but not replayed.{mixed}"
        )


def _of_several(runs: Sequence[DescribedRun], setting: str, plural: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield a note if runs differ in a setting."""
    by_values: dict[str, list[str]] = {}
    for run in runs:
        if values := run.values(setting):
            by_values.setdefault(" and ".join(labels[value] for value in values), []).append(run.name)
    if len(by_values) > 1:
        told = "; ".join(f"{values}: {', '.join(named)}" for values, named in by_values.items())
        yield f"The runs are of different {plural}, so their figures do not compare ({told})."
