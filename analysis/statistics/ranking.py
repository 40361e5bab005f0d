"""Splits samples into sections by suite and parts that may be ranked together, and ranks the runs of a part.

Figures of different suites do not compare, so whoever shows samples of several shows a section for each. A run whose
tasks are not those of the dataset that it names has a part of its own.

The best figure of the reading's `ranked_by` comes first, or the farthest horizon; without either, success decides.
Reference programs have no rank. Shipped runs stand beneath the runs that they compare with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.samples.facts import facts
from herobench.analysis.samples.frame import frames_from, mixed_suites, select_counted
from herobench.analysis.samples.sources import (
    AskedDataset,
    Source,
    chosen_notes,
    dataset_name,
    fresh_notes,
    read_sources,
    task_notes,
)
from herobench.analysis.samples.table_text import TextTable
from herobench.analysis.samples.variants import datasets_by_row, note_of_datasets, read_tasks, shipped_files, told_apart
from herobench.analysis.statistics.findings import Economy, SampleFigures, economize, find, help_in, horizon, mixtures
from herobench.analysis.statistics.lane_costs import LaneCosts, lane_costs
from herobench.analysis.statistics.tally import UNKNOWN
from herobench.analysis.statistics.words import (
    horizon_cell,
    lane_cost_facts,
    nothing_won_in,
    ranked_cell,
    ranked_figure,
)
from herobench.suite.players import HELP, SOLVER
from herobench.suite.task_rows import MADE
from herobench.work.engine import Engine, Local

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.statistics.horizon import Horizon


_NOTHING: Mapping[str, str] = MappingProxyType({})
_NO_RUNS: Mapping[str, pd.DataFrame] = MappingProxyType({})
_TASKS = "tasks"
"""The column that separates runs whose tasks differ from the dataset that they name."""
_AS_NAMED = "as named"
"""Its value for all other runs, which comes first in the order of values."""


class RankedGroup(NamedTuple):
    """The samples of some runs that may be ranked together."""

    values: Mapping[str, str]
    """The value of each separating column, without usual ones; none for a suite that has no such columns."""
    runs: Mapping[str, pd.DataFrame]
    """The samples that count in the main figures, by run."""
    whole: Mapping[str, pd.DataFrame]
    """All samples, by run."""

    @property
    def title(self) -> str:
        """The values in words, such as `track: straight`; an empty text if there are none."""
        return ", ".join(f"{column.replace('_', ' ')}: {value}" for column, value in self.values.items())


def split_runs(
    runs: Mapping[str, pd.DataFrame], columns: Sequence[str], usual: Mapping[str, str] = _NOTHING
) -> list[RankedGroup]:
    """Return the parts of some runs, in the order of their values. `usual` has the values that need no words.

    A run with samples of several parts is in each of them with those. A run without samples is in the last part.
    """
    by_values: dict[tuple[str, ...], dict[str, pd.DataFrame]] = {}
    for name, samples in runs.items():
        if len(samples):
            for values, own in _split_by(samples, columns):
                by_values.setdefault(values, {})[name] = own
    parts = [_part(_unusual_values(columns, values, usual), by_values[values]) for values in sorted(by_values)]
    empty = {name: samples for name, samples in runs.items() if not len(samples)}
    last = parts.pop() if parts else RankedGroup({}, {}, {})
    return [*parts, _part(last.values, {**last.whole, **empty})]


def _unusual_values(columns: Sequence[str], values: Sequence[str], usual: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in zip(columns, values, strict=True) if usual.get(name) != value}


def _part(values: Mapping[str, str], runs: Mapping[str, pd.DataFrame]) -> RankedGroup:
    return RankedGroup(values, {name: select_counted(samples) for name, samples in runs.items()}, runs)


def _split_by(samples: pd.DataFrame, columns: Sequence[str]) -> list[tuple[tuple[str, ...], pd.DataFrame]]:
    """Return the samples of each combination of values."""
    if not columns:
        return [((), samples)]
    values_given = samples[list(columns)].astype("object")
    texts = values_given.where(values_given.notna(), UNKNOWN).astype(str)
    parts = [(values, rows.index) for values, rows in texts.groupby(list(columns))]
    return [(values, samples if len(parts) == 1 else samples.loc[index]) for values, index in parts]


class RankedRun(NamedTuple):
    """The figures of a run in a ranking."""

    help: str
    """Names the help that the model had, in words."""
    rank: int
    """Its place among the runs with its help."""
    found: SampleFigures
    horizon: Horizon | None
    """None for a suite whose tasks have no length."""
    economy: Economy
    ranked: Estimate | None
    """The figure that ranks; None if the horizon does."""


def rank_runs(part: RankedGroup, reading: Reading) -> list[RankedRun]:
    """Return the runs of a part by the help that models had, the best first; reference programs, with none, last."""
    rows = [_run(name, samples, part.whole[name], reading) for name, samples in part.runs.items()]
    rows.sort(key=lambda row: (_order(row.help), _distance(row.ranked), _reach(row.horizon), _standing(row.found)))
    places: Counter[str] = Counter()
    for number, row in enumerate(rows):
        places[row.help] += 1
        rows[number] = row._replace(rank=places[row.help])
    return rows


def _run(name: str, samples: pd.DataFrame, whole: pd.DataFrame, reading: Reading) -> RankedRun:
    """Return the figures of a run without its rank."""
    ranked = ranked_figure(whole, reading)
    reach = horizon(samples, reading.length)
    return RankedRun(help_in(whole), 0, find(name, samples), reach, economize(samples), ranked)


def _distance(ranked: Estimate | None) -> tuple[bool, float, float]:
    """Return the key that sorts the largest figure first: those without an upper end, and unknown ones last."""
    if ranked is None or (ranked.estimate is None and ranked.low is None):
        return True, 0.0, 0.0
    return False, -inf if ranked.estimate is None else -ranked.estimate, -(ranked.low or 0.0)


def _order(words: str) -> tuple[int, str]:
    """Return the key that sorts models by their help in its order, then the solvers, then runs without samples."""
    return next((number for number, one in enumerate(HELP) if words.startswith(one)), len(HELP)), words


def _reach(horizon: Horizon | None) -> tuple[bool, float]:
    """Return the key that sorts the farthest horizon first, and runs without one last, where success decides.

    Outside the range of lengths only the end of the range is known. So a horizon below the range does not count: a
    model that wins nothing has it, and must not rank above one whose wins are too few or too even to tell a horizon.
    """
    if horizon is None or horizon.verdict in ("not determined", "below the range"):
        return True, 0.0
    reach = horizon.longest if horizon.verdict == "beyond the range" else horizon.h50.estimate
    return False, -(reach or 0.0)


def _standing(findings: SampleFigures) -> tuple[bool, float, float, str]:
    """Return the key that sorts the best first, and runs without a measured sample last."""
    success, score = findings.success.estimate, findings.score.estimate
    return success is None, -(success or 0.0), -(score or 0.0), findings.name


@dataclass(frozen=True, slots=True)
class Section:
    """The samples of one suite."""

    suite: str
    samples: pd.DataFrame
    reading: Reading
    sources: Mapping[str, Source]
    """The sources that have samples of the suite, by name."""
    others: Sequence[str] = ()
    """Says which runs have other tasks than the dataset that they name, or other datasets than the rest. The column
    `tasks` keeps them apart."""

    @property
    def runs(self) -> dict[str, pd.DataFrame]:
        """The samples of each run, in the order in which the runs were named."""
        places = {name: (self.samples.run == name).to_numpy().nonzero()[0] for name in dict.fromkeys(self.samples.run)}
        # the samples of a run are adjacent, so slicing them makes no copy
        return {name: self.samples.iloc[rows[0] : rows[-1] + 1] for name, rows in places.items()}

    def notes(self) -> list[str]:
        """Return what a reader has to know before he compares the samples."""
        datasets = [(source.name, source.asked) for source in self.sources.values()]
        mix_notes = mixtures([self.samples], self.reading.settings)
        return [*self.others, *chosen_notes(datasets), *mix_notes, *fresh_notes(each for _, each in datasets)]

    def parts(self, beside: Mapping[str, pd.DataFrame] = _NO_RUNS) -> list[RankedGroup]:
        """Return the samples in parts that may stand side by side, with the runs `beside` them."""
        columns = [*([_TASKS] if self.others else []), *self.reading.separates]
        return split_runs({**self.runs, **beside}, columns, self.reading.usual)

    def lane_costs(self) -> list[LaneCosts]:
        """Return what planning costs each model that was asked in several lanes."""
        return lane_costs(self.runs, self.reading, {name: source.manifest for name, source in self.sources.items()})


def sections(sources: Sequence[Source], engine: Engine | None = None) -> list[Section]:
    """Return the samples of some sources by suite, in the order of the first samples; none for a suite without any."""
    all_sections = []
    for suite, samples in frames_from(facts(sources, engine or Local(1))).items():
        run_names = set(samples.run)
        own = {source.name: source for source in sources if source.name in run_names}
        all_sections.append(Section(suite, samples, load_reading(suite), own))
    return all_sections


def only(all_sections: Sequence[Section]) -> Section:
    """Return the only section. Raise UsageError if there are several."""
    if len(all_sections) > 1:
        raise mixed_suites([section.suite for section in all_sections])
    return all_sections[0]


# -- rankings of a section --------------------------------------------------------------------------------------------


def keep_apart(section: Section) -> Section:
    """Return a section in which each run with other tasks than its dataset has a dataset of its own.

    If ids say nothing in another dataset, those of each dataset are kept apart, too.
    """
    runs = section.runs
    kept_tasks = [read_tasks(source, runs[name].task_id.unique()) for name, source in section.sources.items()]
    apart, datasets = told_apart(kept_tasks), datasets_by_row(kept_tasks, section.reading)
    if not apart and not datasets:
        return section
    tasks = {name: f"of {dataset}" for dataset, names in datasets.items() for name in names}
    tasks |= {name: f"of {other.asked.name}" for name, other in apart.items()}
    samples = section.samples.assign(**{_TASKS: section.samples.run.map(tasks).fillna(_AS_NAMED)})
    new_sources = {name: section.sources[name].on_dataset(other.asked.dataset) for name, other in apart.items()}
    others = [*note_of_datasets(datasets), *(other.note for other in apart.values())]
    return replace(section, samples=samples, sources={**section.sources, **new_sources}, others=others)


def reference_runs(section: Section) -> dict[str, pd.DataFrame]:
    """Return the shipped runs of programs and models that compare with some run of a section, by name.

    A program compares with a run that has all of its tasks in the same mode and track, a model with one that has just
    its tasks. None that was run itself is shown twice.
    """
    references: dict[str, pd.DataFrame] = {}
    datasets = ((name, source.asked) for name, source in section.sources.items())
    public = {name: of.dataset for name, of in datasets if of and of.fresh is None}
    # a run.json may name any dataset, so its name is compared with those of the folders and never made a path
    for dataset, files in shipped_files().items():
        hosts = [samples for name, samples in section.runs.items() if public.get(name) == dataset]
        programs = sections(read_sources(files, suite=section.suite)) if hosts else []
        models = {model for samples in hosts for model in samples.model}
        conditions = [_conditions(samples, section.reading) for samples in hosts]
        tasks = next((samples[_TASKS].iloc[0] for samples in hosts if _TASKS in samples), _AS_NAMED)
        for name, samples in (pair for program in programs for pair in program.runs.items()):
            own = _conditions(samples, section.reading)
            compare = frozenset.issubset if help_in(samples) == SOLVER else frozenset.__eq__
            if samples.model.iloc[0] not in models and any(compare(own, others) for others in conditions):
                references[f"{name} (shipped)"] = samples.assign(**{_TASKS: tasks})
    return references


def _conditions(samples: pd.DataFrame, reading: Reading) -> frozenset[tuple[str, ...]]:
    """Return the tasks of some samples, each under what is never ranked together."""
    return frozenset(samples[["task_id", *reading.separates]].itertuples(index=False, name=None))


@dataclass(frozen=True, slots=True)
class Ranking:
    """A part of a section with its runs in their order."""

    section: Section
    part: RankedGroup
    runs: Sequence[RankedRun]

    def source(self, run: RankedRun) -> Source | None:
        """Return the source of a run; None for a shipped one."""
        return self.section.sources.get(run.found.name)

    def notes(self) -> list[str]:
        """Return a sentence if the runs have different tasks, and one for each model that won nothing."""
        datasets = {name: source.asked for name, source in self.section.sources.items()}
        different = task_notes({name: _asked_tasks(own, datasets.get(name)) for name, own in self.part.runs.items()})
        runs = ((run.found, self.part.runs[run.found.name]) for run in self.runs)
        lost = ((found.name, nothing_won_in(found, own, self.section.reading)) for found, own in runs)
        return [*different, *(f"{name} won nothing: {words}." for name, words in lost if words)]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the figures of each run as plain data."""
        for run in self.runs:
            source = self.source(run)
            yield {
                "rank": None if run.help == SOLVER else run.rank,
                "suite": self.section.suite,
                "dataset": dataset_name(source.asked) if source else None,
                "agent": source.agent if source else None,
                "apart": {"help": run.help, **self.part.values},
                "horizon": asdict(run.horizon) if run.horizon else None,
                "economy": asdict(run.economy),
                **({"ranked_by": {"name": self.section.reading.ranked_by, **asdict(run.ranked)}} if run.ranked else {}),
                **run.found.as_row(),
            }

    def table(self) -> TextTable:
        """Return the figures with their intervals; tokens and costs only where some are known."""
        is_paid = any(run.economy.tokens is not None or run.economy.cost is not None for run in self.runs)
        reach = self._reach_columns()
        reach_cells = zip(*reach.values(), strict=True) if reach else [()] * len(self.runs)
        cells = [self._cells(run, own, is_paid=is_paid) for run, own in zip(self.runs, reach_cells, strict=True)]
        headers = [*_NAMES, *reach, *_FIGURES, *(_SPENT if is_paid else ())]
        return TextTable(self.part.title, headers, cells, len(_NAMES))

    def slim_table(self) -> TextTable:
        """Return the main figures alone, for a column of a paper. The caption tells the agent and help of all runs."""
        sources = list(map(self.source, self.runs))
        names = {
            "rank": ["" if run.help == SOLVER else str(run.rank) for run in self.runs],
            "run": [run.found.name for run in self.runs],
            "agent": [source.agent or "" if source else "" for source in sources],
            "help": [run.help for run in self.runs],
        }
        shared = {name: names.pop(name)[0] for name in ("agent", "help") if len({*names[name]}) == 1}
        figures = {
            **self._reach_columns(),
            "success %": [run.found.success.text(digits=1) for run in self.runs],
            "score": [run.found.score.figure() for run in self.runs],
        }
        title = ", ".join([*(f"{name}: {value}" for name, value in shared.items() if value), self.part.title])
        rows = [*zip(*names.values(), *figures.values(), strict=True)]
        return TextTable(title, [*names, *figures], rows, len(names))

    def _reach_columns(self) -> dict[str, list[str]]:
        """Return the cells of the figure that ranks and of the horizon, where the suite has them."""
        reading = self.section.reading
        columns = {}
        if reading.ranked_by is not None:
            columns[reading.word(reading.ranked_by)] = [ranked_cell(run.ranked) for run in self.runs]
        if reading.unit is not None:
            columns[f"horizon, {reading.unit}"] = [horizon_cell(run.horizon) for run in self.runs]
        return columns

    def _cells(self, run: RankedRun, reach: Sequence[str], *, is_paid: bool) -> list[str]:
        source, findings = self.source(run), run.found
        return [
            "" if run.help == SOLVER else str(run.rank),
            findings.name,
            source.agent or "" if source else "",
            run.help,
            *reach,
            *(findings.success.figure(), findings.success.span(), findings.score.figure()),
            *map(str, (findings.tasks, findings.samples, findings.unmeasured)),
            *(_spending_texts(run.economy) if is_paid else ()),
        ]


_NAMES = ("rank", "run", "agent", "help")
_FIGURES = ("success %", "95 % interval", "score", "tasks", "samples", "unmeasured")
_SPENT = ("output tokens", "cost", "output tokens a win", "cost a win")
_UNKNOWN = "-"


def rankings(section: Section, beside: Mapping[str, pd.DataFrame] = _NO_RUNS) -> list[Ranking]:
    """Return the parts of a section, ranked, with the runs `beside` its own."""
    return [Ranking(section, part, rank_runs(part, section.reading)) for part in section.parts(beside)]


def models_by_suites(suite_rankings: Sequence[Ranking]) -> TextTable:
    """Return a column for each suite, and no total, because figures of suites do not add up.

    A cell has the horizon if it is determined, else success. A model with several runs of a suite, such as in several
    modes, has the figure of each: the best one alone would be chosen by chance.
    """
    suites = {ranking.section.suite: ranking.section.reading.unit for ranking in suite_rankings}
    cells: dict[tuple[str, str], dict[str, list[str]]] = {}
    for ranking in suite_rankings:
        for run in ranking.runs:
            if source := ranking.source(run):
                models = sorted(set(ranking.part.whole[source.name].model.dropna()) - {""})
                own = cells.setdefault((", ".join(models) or source.name, source.agent or _UNKNOWN), {})
                own.setdefault(ranking.section.suite, []).append(_main_figure(run, ranking.part.title))
    rows = [(*key, *("; ".join(own.get(suite, [_UNKNOWN])) for suite in suites)) for key, own in sorted(cells.items())]
    heads = [f"{suite}: {f'horizon in {unit}, or ' if unit else ''}success %" for suite, unit in suites.items()]
    return TextTable("Models by suites", ("model", "agent", *heads), rows, 2)


def lane_cost_table(costs: LaneCosts) -> TextTable:
    """Return what planning costs a model that was asked in several lanes."""
    return TextTable(costs.title, [*(cells := lane_cost_facts(costs))], [[*cells.values()]], 0)


def _main_figure(run: RankedRun, title: str) -> str:
    """Return the figure of a run with its interval, and the terms that it was made under if they are not the usual."""
    has_horizon = run.horizon is not None and run.horizon.verdict != "not determined"
    figure = horizon_cell(run.horizon) if has_horizon else run.found.success.text(digits=1, unit=" %")
    return f"{figure} [{title}]" if title else figure


def _spending_texts(economy: Economy) -> Iterator[str]:
    """Yield the tokens and the cost of all samples, and those of a win."""
    amounts = (economy.tokens, economy.cost), (economy.tokens_per_success, economy.cost_per_success)
    for tokens, cost in amounts:
        yield _UNKNOWN if tokens is None else f"{tokens:,.0f}"
        yield _UNKNOWN if cost is None else f"{cost:.4f}"


def _asked_tasks(samples: pd.DataFrame, dataset: AskedDataset | None) -> set[str]:
    """Return the tasks of some samples of a run.

    Private twins go by their originals: `fresh_notes` tells of them. Those that a run made go by their seed too.
    """
    ids = samples.task_id
    if dataset is None or dataset.fresh is None:
        return set(ids)
    if "twin_of" in samples:
        ids = samples.twin_of.fillna(ids)
    return {f"{task_id} of seed {dataset.fresh}" if task_id.startswith(MADE) else task_id for task_id in ids}
