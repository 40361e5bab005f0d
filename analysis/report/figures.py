"""The figures of a run for the report's headline, charts and heat map.

If some attempts got no reply, success is given twice: over the measured attempts, which the charts show, and over all
of them as if each of the others had been lost. The intervals are the same as in `analyze`: Wilson's if each task was
tried once, clustered by task otherwise.

Notes above all figures say that there are none, or that some of them do not compare. Samples tell under which settings
they were made, such as rules. These are compared with the settings that the run's panel was given, and with the other
runs. A sample that does not tell them, such as a published one, is passed over.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from herobench.analysis.reading.contract import Found, Panel, Reading, group_key
from herobench.analysis.reading.interval import Estimate, Unmeasured, bounded_mean, measure_success
from herobench.analysis.samples.samples import Sample, cut_off, group_name, is_measured, limit_words
from herobench.analysis.samples.sources import AskedDataset, ask_alike, chosen_notes, fresh_notes, lacking_notes
from herobench.analysis.statistics.comparison import compare, horizon_ratio
from herobench.analysis.statistics.findings import Spending, mean_known, per_success
from herobench.analysis.statistics.horizon import count_trials, drawn_horizon
from herobench.analysis.statistics.lane_costs import LaneRun, costs_among, split_settings
from herobench.analysis.statistics.words import help_note, nothing_won_words, p_text, ratio_words
from herobench.suite.contract import Help
from herobench.suite.players import SOLVER, attempt_help, help_words
from herobench.suite.task_rows import MADE

_PERCENT = 100.0
MOST_BINS = 6
LEAST_IN_A_BIN = 10


class Figures:
    """The figures of a run, added up one sample at a time."""

    def __init__(self, settings: Iterable[str] = (), length: str | None = None) -> None:
        self.settings: dict[str, Counter[str | None]] = {setting: Counter() for setting in settings}
        """For each setting, counts of its values; None counts measured samples that do not tell it."""
        self.length = length
        """The fact with the length of a task; None for a suite without."""
        self._told: defaultdict[str, list[Any]] = defaultdict(list)
        """For each fact, its value in each sample. It is None where a sample lacks the fact or was not measured."""

    def add(self, sample: Sample, cause: Found | None, facts: Mapping[str, Any]) -> None:
        """Add one sample, with the cause of its loss and the facts that the suite's reading tells."""
        verdict = sample if is_measured(sample) else dict.fromkeys(("won", "score", "progress", "failure"))
        values = {
            "task": sample["task_id"],
            "group": group_name(sample),
            "length": facts.get(self.length) if self.length else None,
            "win": None if verdict["won"] is None else float(verdict["won"]),
            **{name: verdict[name] for name in ("score", "progress", "failure")},
            "cause": str(cause.cause) if cause else None,
            "cost": sample["cost"],
            "tokens": sample["output_tokens"],
            "cut_off": cut_off(sample),
            "help": attempt_help(sample["suite"], sample["model"], sample["details"]),
            "model": sample["model"] or None,
        }
        for name, value in values.items():
            self._told[name].append(value)
        for setting, counts in self.settings.items():
            if verdict is sample or facts.get(setting) is not None:
                counts[facts.get(setting)] += 1

    def _known_values(self, name: str) -> list[Any]:
        return [value for value in self._told[name] if value is not None]

    @property
    def causes(self) -> set[str]:
        """The causes of the lost attempts."""
        return set(self._known_values("cause"))

    @property
    def attempts(self) -> int:
        """The number of all samples."""
        return len(self._told["task"])

    @property
    def unmeasured(self) -> int:
        """The number of samples without a reply."""
        return self._told["win"].count(None)

    @property
    def help(self) -> set[Help]:
        """Names the help that models had in its attempts."""
        return set(self._told["help"])

    @property
    def models(self) -> Sequence[str]:
        """The models of the samples."""
        return sorted(set(self._known_values("model")))

    @property
    def limit_words(self) -> str:
        """Says that most losses were cut off by the limit of the output; empty if they were not."""
        attempts = zip(self._told["cut_off"], self._told["win"], strict=True)
        return limit_words(is_cut_off for is_cut_off, win in attempts if win == 0)

    def nothing_won_words(self, reading: Reading, lanes: Iterable[str]) -> str:
        """Say what a model that won nothing fails by; empty for one that won, and for a player."""
        if any(self._told["win"]) or self.help == {SOLVER}:
            return ""
        losses = zip(self._told["cut_off"], self._told["win"], strict=True)
        cut_offs = sum(is_cut_off is True and win == 0 for is_cut_off, win in losses)
        shortest = min(self._known_values("length"), default=None)
        return nothing_won_words(Counter(self._known_values("failure")), cut_offs, shortest, lanes, reading)

    @property
    def attempts_by_length(self) -> tuple[Sequence[str], Sequence[float | None], Sequence[float | None]]:
        """The task of each sample, the length of the task, and 1 for a win, 0 for a loss, None without a reply."""
        return self._told["task"], self._told["length"], self._told["win"]

    @property
    def spending(self) -> Spending:
        """The success, and what an attempt costs."""
        success = measure_success(self._told["task"], self._told["win"]).estimate
        return Spending(success, mean_known(self._told["cost"]), mean_known(self._told["tokens"]))

    def as_row(self) -> dict[str, Any]:
        """Return all figures as plain data for the page."""
        tasks, wins, token_counts, costs = (self._told[name] for name in ("task", "win", "tokens", "cost"))
        by_tokens = [row for row in zip(token_counts, wins, tasks, strict=True) if None not in row]
        cut_offs, groups = self._known_values("cut_off"), defaultdict[str, list[int]](list)
        for place, group in enumerate(self._told["group"]):
            groups[group].append(place)
        return {
            **self._counts(range(self.attempts)),
            "attempts": self.attempts,
            "repeats": len(set(tasks)) < len(tasks),
            "of_all": rate(tasks, wins, "lost"),
            "score": mean(tasks, self._told["score"]),
            "score_of_all": mean(tasks, self._told["score"], "lost"),
            "progress": mean(tasks, self._told["progress"]),
            "tokens": mean_known(tokens for tokens, _, _ in by_tokens),
            "cut_off": {"attempts": sum(cut_offs), "of": len(cut_offs)},
            "cost": sum(self._known_values("cost")) if self._known_values("cost") else None,
            "with_cost": len(self._known_values("cost")),
            "tokens_per_win": per_success(wins, token_counts),
            "cost_per_win": per_success(wins, costs),
            "models": list(self.models),
            "groups": [[name, self._counts(groups[name])] for name in sorted(groups, key=group_key)],
            "token_bins": token_bins(by_tokens),
            "horizon": drawn_horizon(count_trials(*self.attempts_by_length)) if self.length else None,
        }

    def _counts(self, places: Sequence[int]) -> dict[str, Any]:
        """Return counts over the samples at some places, and the success of the measured ones."""
        tasks, wins, *loss_columns = (
            [self._told[name][at] for at in places] for name in ("task", "win", "failure", "cause")
        )
        failures, causes = (Counter(name for name in names if name is not None) for names in loss_columns)
        return {
            "unmeasured": wins.count(None),
            "failures": dict(sorted(failures.items())),
            "causes": dict(sorted(causes.items())),
            **rate(tasks, wins),
        }


def rate(tasks: Sequence[str], wins: Sequence[float | None], unmeasured: Unmeasured = "left_out") -> dict[str, Any]:
    """Return a rate of success with its interval; None if nothing was counted, or if there is no interval."""
    success = measure_success(tasks, wins, unmeasured)
    return {
        "wins": sum(win == 1 for win in wins),
        "count": success.samples,
        "rate": success.estimate,
        "low": success.low,
        "high": success.high,
    }


def mean(tasks: Sequence[str], values: Sequence[float | None], unmeasured: Unmeasured = "left_out") -> dict[str, Any]:
    """Return the mean of values in percent with its interval, None likewise."""
    estimate = bounded_mean(tasks, values, unmeasured, most=_PERCENT)
    return {"mean": estimate.estimate, "low": estimate.low, "high": estimate.high}


def token_bins(rows: Sequence[tuple[int, float, str]]) -> list[dict[str, Any]]:
    """Return attempts (tokens, win, task) in bins of about the same size, from the fewest tokens to the most."""
    ordered = sorted(rows)
    if not ordered:
        return []
    bins = max(1, min(MOST_BINS, len(ordered) // LEAST_IN_A_BIN))
    edges = [len(ordered) * number // bins for number in range(bins + 1)]
    return [_token_bin(ordered[start:end]) for start, end in pairwise(edges)]


def _token_bin(rows: Sequence[tuple[int, float, str]]) -> dict[str, Any]:
    tokens, wins, tasks = zip(*rows, strict=True)
    return {"least": tokens[0], "median": tokens[len(tokens) // 2], "most": tokens[-1], **rate(tasks, wins)}


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
    alike: Callable[[Reading], str | None] = lambda reading: None
    """Runs with equal texts were asked in the same way but for their lane, and are compared. None for a file."""

    @property
    def help(self) -> str:
        """Names the help that models had in its attempts, in words."""
        return help_words(self.figures.help)

    def values(self, setting: str) -> list[str]:
        """Return the values of a setting as the samples tell them; without samples, what the panel was given."""
        if not self.figures.attempts:
            return [self.panel.given[setting]] if setting in self.panel.given else []
        return _known_names(self.figures.settings[setting])


def notes_on(runs: Sequence[DescribedRun], settings: Mapping[str, str]) -> list[str]:
    """Return the notes; settings come with their plural."""
    attempts, unmeasured = sum(run.figures.attempts for run in runs), sum(run.figures.unmeasured for run in runs)
    if not attempts:
        uncounted = any(run.uncounted for run in runs)
        return [f"There are no samples in this report{' that count in its main figures' if uncounted else ''}."]
    if attempts == unmeasured:
        return ["No sample in this report got a reply, so there is nothing to count."]
    labels = {setting: value_labels(runs, setting) for setting in settings}
    differing_help = help_note({run.name: run.help for run in runs}) if len(runs) > 1 else None
    return [
        *lacking_notes((run.name, run.asked, run.figures.attempts + run.uncounted) for run in runs),
        *(note for run in runs for note in _of_one(run, settings, labels)),
        *(f"{run.name}: {run.figures.limit_words}." for run in runs if run.figures.length and run.figures.limit_words),
        *(note for setting, plural in settings.items() for note in _of_several(runs, setting, plural, labels[setting])),
        *([differing_help] if differing_help else []),
        *chosen_notes((run.name, run.asked) for run in runs),
        *fresh_notes(run.asked for run in runs),
    ]


def nothing_won_notes(runs: Sequence[DescribedRun], reading: Reading) -> list[str]:
    """Return what each run that won nothing fails by."""
    lanes = {run.name: run.values(reading.lane) if reading.lane else () for run in runs}
    words = {run.name: run.figures.nothing_won_words(reading, lanes[run.name]) for run in runs}
    return [f"{name} won nothing: {words_of_run}." for name, words_of_run in words.items() if words_of_run]


def cost_notes(runs: Sequence[DescribedRun], reading: Reading) -> list[str]:
    """Return what planning costs each model that was asked in several lanes, each of them a run."""
    if len(runs) < 2:
        return []
    return [costs.note for costs in costs_among((lane for run in runs for lane in _lane_runs(run, reading)), reading)]


def comparison_words(runs: Sequence[DescribedRun], reading: Reading) -> list[str]:
    """Return how two runs differ in words: the ratio of their horizons, and of success on the tasks that both have."""
    if len(runs) != 2:
        return []
    (tasks, lengths, wins), (others, other_lengths, other_wins) = (run.figures.attempts_by_length for run in runs)
    sentences, datasets = [], [run.asked for run in runs]
    if len({one.fresh if one else None for one in datasets}) > 1:
        # two seeds make other tasks under the same ids
        others = [f"{task} (another seed)" if task.startswith(MADE) else task for task in others]
    if reading.pairs_by_row and len({one.dataset if one else None for one in datasets}) > 1:
        others = [f"{task} (another dataset)" for task in others]
    if reading.length:
        trials = count_trials(tasks, lengths, wins), count_trials(others, other_lengths, other_wins)
        ratio = horizon_ratio(*trials, independent=ask_alike(datasets))
        sentences.append(f"Horizons: {ratio_words(ratio)}.")
    comparison = compare(tasks, wins, others, other_wins, most=1.0)
    if comparison.difference.estimate is not None:
        p = comparison.p if comparison.exact_p is None else comparison.exact_p
        chance = f"; p-value {p_text(p)}" if p is not None else ""
        difference = comparison.difference.text(100, 1, sign="+", unit=" points")
        sentences.append(
            f"Success of the first less the second, on {comparison.shared} shared tasks: {difference}{chance}."
        )
    return sentences


def _lane_runs(run: DescribedRun, reading: Reading) -> Iterator[LaneRun]:
    """Yield a run as one of a lane, if all its samples are of one model, one lane and the same other settings."""
    values, models = {setting: run.values(setting) for setting in reading.settings}, run.figures.models
    if reading.lane and len(models) == 1 and all(len(lane_values) == 1 for lane_values in values.values()):
        (lane,), (model,) = values.pop(reading.lane), models
        shared, effective = split_settings({name: value for name, (value,) in values.items()}, lane, reading)
        yield LaneRun(run.name, model, lane, (shared, run.alike(reading)), effective, *run.figures.attempts_by_length)


def value_labels(runs: Sequence[DescribedRun], setting: str) -> dict[str, str]:
    """Return a label for each value of a setting, from the run that was given the value if there is one."""
    labels = {value: run.panel.label(setting, value) for run in runs for value in run.values(setting)}
    panels = {run.panel.given[setting]: run.panel for run in runs if setting in run.panel.given}
    return labels | {value: panel.label(setting, value) for value, panel in panels.items()}


def _known_names(counts: Counter[str | None]) -> list[str]:
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
                labels_text = ", ".join(labels[setting][value] for value in values)
                yield f"The samples of {run.name} are of different {plural} ({labels_text}), and its figures mix them."


def _foreign(run: DescribedRun, setting: str, plural: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield a note on samples under another setting than the one that the panel was given."""
    usual, counts, attempts = run.panel.given[setting], run.figures.settings[setting], run.figures.attempts
    others = [value for value in _known_names(counts) if value != usual]
    if others:
        count = sum(counts[value] for value in others)
        names = ", ".join(sorted(labels[value] for value in others))
        mix_note = "" if count == attempts else " The figures of this run mix them."
        yield (
            f"{count} of {attempts} sample{'' if attempts == 1 else 's'} of {run.name} are of other {plural} ({names}) "
            f"than this report was given for them ({labels[usual]}): they are counted, but not replayed.{mix_note}"
        )


def _of_several(runs: Sequence[DescribedRun], setting: str, plural: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield a note if runs differ in a setting."""
    by_values: dict[str, list[str]] = {}
    for run in runs:
        if values := run.values(setting):
            by_values.setdefault(" and ".join(labels[value] for value in values), []).append(run.name)
    if len(by_values) > 1:
        groups_text = "; ".join(f"{values}: {', '.join(run_names)}" for values, run_names in by_values.items())
        yield f"The runs are of different {plural}, so their figures do not compare ({groups_text})."
