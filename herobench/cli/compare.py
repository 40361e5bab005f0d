"""Compare two runs task by task: the difference with its interval, and the probability that it is chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any, Literal

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.samples.frame import common_suite, frame, select_counted
from herobench.analysis.samples.sources import (
    Source,
    ask_alike,
    chosen_notes,
    read_sources,
    refuse_inputs,
    runs_at,
)
from herobench.analysis.samples.table_text import TextTable
from herobench.analysis.samples.variants import (
    KeptTasks,
    datasets_by_row,
    note_of_datasets,
    read_tasks,
    told_apart,
    told_by_row,
    under_opaque_names,
)
from herobench.analysis.statistics.comparison import (
    Comparison,
    HorizonRatio,
    Verdict,
    horizon_ratio,
    paired_names,
    twin_side,
    verdict_on,
)
from herobench.analysis.statistics.comparison import (
    compare as compare_tasks,
)
from herobench.analysis.statistics.findings import help_in, mixtures, numbers, scale, trials_in
from herobench.analysis.statistics.mistakes import figure_ratio
from herobench.analysis.statistics.noise import Noise, noise_floor
from herobench.analysis.statistics.words import (
    figure_ratio_words,
    help_note,
    horizon_facts,
    p_text,
    ranked_figure,
    ratio_words,
)
from herobench.cli.formats import Chapter, Form, chapters_text
from herobench.cli.options import LabelOption, SampleSuiteOption
from herobench.cli.say import say, say_json, write_output
from herobench.cli.table import plain_console, print_facts, print_table
from herobench.data.errors import UsageError
from herobench.data.options import Option

if TYPE_CHECKING:
    import pandas as pd

_Names = tuple[list[str], list[str]]
"""The task ids under which the samples of two runs are compared."""
_MEASURES = {"win": ("success", 1.0), "score": ("score", 100.0)}
"""Columns, with their names and their largest values, which are shown as 100 %."""
_MEANINGS: Mapping[Verdict, str] = {
    "originals_won_more": "the original tasks are won more often than their twins: the model may have seen them, or "
    "the twins are harder for it; compare a player, such as greedy, on both",
    "twins_won_more": "the twins are won more often than the original tasks: they are easier for this model",
    "no_difference_shown": "no difference is shown between the original tasks and their twins, so nothing says that "
    "the model has seen them before",
    "not_comparable": "this does not show whether the model saw the tasks: that takes a model and two tasks with twins",
}
"""Sentences that tell a reader what a difference between tasks and their twins may mean."""


def compare(
    first: Annotated[Path, Option("A run, a scored or a published file.", metavar="A", is_argument=True)],
    second: Annotated[Path, Option("Another one, on the same tasks.", metavar="B", is_argument=True)],
    as_json: Annotated[bool, Option("Print JSON.", "json")] = False,
    form: Annotated[
        Literal["table", "md", "latex", "html"], Option("How to show it, without --json.", "format")
    ] = "table",
    output: Annotated[
        Path | None,
        Option("The file to write, for any format but table; needed for html.", "output", short="-o"),
    ] = None,
    suite: SampleSuiteOption = None,
    label: LabelOption = "run",
) -> None:
    """Compare two runs."""
    _refuse_misplaced(form, output, as_json=as_json)
    for path in (first, second):
        _refuse_several(path)
    sources = read_sources([first, second], twice=True, suite=suite, label=label)
    if output is not None:
        refuse_inputs(sources, output)
    one, other = (frame([source]) for source in sources)
    for source, samples in zip(sources, (one, other), strict=True):
        if samples.empty:
            raise UsageError(f"There are no samples in {source.path} to compare yet.")
    read_by = load_reading(common_suite([one, other]))
    differing_help = help_note({own.name: help_in(table) for own, table in zip(sources, (one, other), strict=True)})
    renamed = _naming(one, read_by) != _naming(other, read_by)
    has_help = differing_help is not None
    remarks = [_remarks(samples, read_by, has_help=has_help, renamed=renamed) for samples in (one, other)]
    task_rows = [read_tasks(source, samples.task_id) for source, samples in zip(sources, (one, other), strict=True)]
    if renamed:
        task_rows = list(map(under_opaque_names, task_rows, sources))
    one, other = select_counted(one), told_by_row(task_rows, select_counted(other))
    names = paired_names(one, other), paired_names(other, one)
    comparisons = {what: _compare_column(names, one, other, column, most) for column, (what, most) in _MEASURES.items()}
    success, apart = comparisons["success"], _notes_of_tasks(task_rows, read_by)
    noise = noise_floor(names[0], numbers(one, "win"), names[1], numbers(other, "win"))
    alike = ask_alike(source.asked for source in sources)
    horizons = _compare_horizons(names, one, other, read_by.length, alike=alike, only_shared=bool(apart))
    ranked = _compare_ranked(names, one, other, read_by)
    side = twin_side(one, other)
    verdict = verdict_on(side, success, _models(one) == _models(other)) if side else None
    titles, agents = [source.name for source in sources], [source.agent for source in sources]
    usage = _usage(one), _usage(other)
    if as_json:
        twins = {"side": side, "verdict": verdict} if side else None
        parts = {"noise": asdict(noise), "horizon": horizons and asdict(horizons), "twins": twins}
        say_json(_row(titles, agents, comparisons, usage, remarks, **parts, **ranked))
    else:
        facts = _facts(success, verdict) | _noise_facts(noise) | _remark_facts(remarks)
        facts = _ranked_facts(ranked, read_by) | _horizon_facts(horizons, read_by.unit) | facts | _usage_facts(*usage)
        _show(list(map(_run_title, titles, agents)), comparisons, facts, form, output)
    if not success.shared:
        say("There is nothing to compare: no task is measured in both.", err=True)
    # the worlds of rows that are known were compared with the rows, under opaque names
    other_worlds = alike or side is not None or (renamed and all(tasks.digests for tasks in task_rows))
    cautions = _cautions(one, other, read_by, are_twins=side is not None, renamed=renamed, other_worlds=other_worlds)
    for note in filter(None, [*_mixture_notes(sources, (one, other), read_by), *apart, differing_help, *cautions]):
        say(note, err=True)


def _notes_of_tasks(task_rows: Sequence[KeptTasks], read_by: Reading) -> list[str]:
    """Return why tasks with equal ids are not paired."""
    datasets = datasets_by_row(task_rows, read_by)
    return [*note_of_datasets(datasets), *(rows.note for rows in told_apart(task_rows).values())]


def _mixture_notes(sources: Sequence[Source], tables: Sequence[pd.DataFrame], read_by: Reading) -> Iterator[str]:
    """Yield what a reader has to know of each run."""
    for source, samples in zip(sources, tables, strict=True):
        yield from (f"{source.name}: {note}" for note in mixtures([samples], read_by.settings))
    yield from chosen_notes((source.name, source.asked) for source in sources)


def _refuse_several(path: Path) -> None:
    """Raise UsageError for a folder with several runs, such as a checkup."""
    runs = runs_at(path)
    if len(runs) > 1:
        raise UsageError(f"{path} has several runs, and a comparison takes one: {', '.join(map(str, runs))}.")


def _refuse_misplaced(form: str, output: Path | None, *, as_json: bool) -> None:
    """Raise UsageError if a page has no file to go to, or if a file is named for what is for the screen."""
    if as_json and form != "table":
        raise UsageError("--json is a format of its own: leave --format out.")
    if form == "html" and output is None:
        raise UsageError("Say where the page goes: -o comparison.html.")
    if form == "table" and output is not None:
        raise UsageError("A table is for the screen: choose another --format for a file.")


def _row(
    names: Sequence[str],
    agents: Sequence[str | None],
    comparisons: Mapping[str, Comparison],
    usage: Sequence[Mapping[str, float | None]],
    remarks: Sequence[Mapping[str, str]],
    **others: Any,
) -> dict[str, Any]:
    """Return the comparison of two runs as plain data, with others of its parts."""
    sides = ("first", "second")
    return {
        "schema": 1,
        **dict(zip(sides, names, strict=True)),
        "agents": dict(zip(sides, agents, strict=True)),
        **{what: asdict(comparison) for what, comparison in comparisons.items()},
        "usage": dict(zip(sides, usage, strict=True)),
        **others,
        **({"remarks": dict(zip(sides, remarks, strict=True))} if any(remarks) else {}),
    }


def _naming(samples: pd.DataFrame, read_by: Reading) -> str:
    """Return how things are called in the tasks of some samples, in words; empty for a suite with one naming."""
    return " and ".join(sorted(samples[read_by.naming].dropna().unique())) if read_by.naming else ""


def _remarks(samples: pd.DataFrame, read_by: Reading, *, has_help: bool, renamed: bool) -> dict[str, str]:
    """Return what is said of all samples of a run in words: the suite's own figures; help and names if they differ."""
    help_had = {"help": help_in(samples)} if has_help else {}
    naming = {"names": _naming(samples, read_by)} if renamed else {}
    return {**help_had, **naming, **read_by.remarks(samples)}


def _models(samples: pd.DataFrame) -> set[str]:
    return set(samples.model.dropna())


def _cautions(
    one: pd.DataFrame, other: pd.DataFrame, read_by: Reading, *, are_twins: bool, renamed: bool, other_worlds: bool
) -> Iterator[str]:
    """Yield what a reader has to know before he takes a difference for one of the models.

    With `other_worlds`, the worlds differ on purpose: those of twins, or one world under different names.
    """
    if are_twins:
        yield "Twins are paired: each task is compared with another one of its kind."
    if renamed:
        yield "The two call things by different names: what differs may be that."
    for column, plural in read_by.settings.items():
        if other_worlds and column == "world":
            continue
        if set(one[column].dropna()) == set(other[column].dropna()):
            continue
        if column in read_by.separates:
            yield f"The two are of different {plural}, so their figures do not compare."
        else:
            yield f"The two are of different {plural}: what differs may be that."


def _compare_column(names: _Names, one: pd.DataFrame, other: pd.DataFrame, column: str, most: float) -> Comparison:
    comparison = compare_tasks(names[0], numbers(one, column), names[1], numbers(other, column), most=most)
    return replace(comparison, difference=scale(comparison.difference, 100 / most))


def _noise_facts(noise: Noise) -> dict[str, str]:
    """Return in words on how many tasks two runs of one model differ, and the least difference that is no noise."""
    if noise.differ is None:
        return {}
    flips = {"first": noise.first, "second": noise.second}
    floors = [f"{each.expected:.0f} by the {name}'s epochs" for name, each in flips.items() if each]
    flip_shares = [f"{each.share:.1f} % of the {name}'s" for name, each in flips.items() if each]
    unknown = "unknown: run one of the two with --epochs 2 to know how many verdicts flip by chance"
    floor = f"two runs of one model differ on {' or '.join(floors)}; these two on {noise.differ:.0f}"
    least = noise.least_difference
    return {
        "flips": f"{', '.join(flip_shares)} verdicts, from one epoch to another" if flip_shares else "",
        "noise floor": floor if floors else unknown,
        "least difference": "none: too few tasks"
        if least is None
        else f"{least:.1f} points of success, which these tasks show in 80 of 100 cases, at 5 %",
    }


def _compare_horizons(
    names: _Names, one: pd.DataFrame, other: pd.DataFrame, length: str | None, *, alike: bool, only_shared: bool
) -> HorizonRatio | None:
    """Compare the horizons of two runs, which need not share a task if they ask tasks that are `alike`.

    With `only_shared`, the tasks that one of them has alone do not count.
    """
    if length is None:
        return None
    trials = trials_in(one, length, names[0]), trials_in(other, length, names[1])
    if only_shared:
        common = {*names[0]} & {*names[1]}
        trials = trials[0].only(common), trials[1].only(common)
    return horizon_ratio(*trials, independent=alike)


def _compare_ranked(
    names: _Names, one: pd.DataFrame, other: pd.DataFrame, read_by: Reading
) -> dict[str, dict[str, Any]]:
    """Return the figure that ranks of both runs on the tasks that both have, and their ratio; nothing without one."""
    measured_names = (
        {name for name, is_measured in zip(own, samples.measured, strict=True) if is_measured}
        for own, samples in zip(names, (one, other), strict=True)
    )
    common = set.intersection(*measured_names)
    if not common or read_by.ranked_by is None:
        return {}
    shared = (samples[[name in common for name in own]] for own, samples in zip(names, (one, other), strict=True))
    first, second = (ranked_figure(samples, read_by) or Estimate() for samples in shared)
    ratio = figure_ratio(first, second)
    figures = {"first": asdict(first), "second": asdict(second), "ratio": asdict(ratio)}
    return {"ranked_by": {"name": read_by.ranked_by, **figures}}


def _ranked_facts(ranked: Mapping[str, Mapping[str, Any]], read_by: Reading) -> dict[str, str]:
    return {
        f"{read_by.word(figures['name'])}, ratio": figure_ratio_words(Estimate(**figures["ratio"]))
        for figures in ranked.values()
    }


def _horizon_facts(ratio: HorizonRatio | None, unit: str | None) -> dict[str, str]:
    if ratio is None:
        return {}
    return {
        "horizon": ratio_words(ratio),
        "of the first": horizon_facts(ratio.first, unit)["horizon"],
        "of the second": horizon_facts(ratio.second, unit)["horizon"],
    }


def _remark_facts(remarks: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the suite's own figures of both runs, for what they do not count in common."""
    labels = dict.fromkeys(label for remark in remarks for label in remark if remark[label])
    return {label: " against ".join(remark.get(label) or "none" for remark in remarks) for label in labels}


_USAGE = {"calls": ",.1f", "input_tokens": ",.0f", "output_tokens": ",.0f", "cost": ".4f"}
"""The columns of samples that count what an attempt uses, each with the format in which its mean is printed."""


def _usage(samples: pd.DataFrame) -> dict[str, float | None]:
    """Return what the mean attempt used; None where no attempt knows it."""
    known = {column: [each for each in numbers(samples, column) if each is not None] for column in _USAGE}
    return {column: fmean(values) if values else None for column, values in known.items()}


def _usage_facts(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> dict[str, str]:
    """Return what an attempt of each run used, in words; nothing where both made the same number of calls for free."""
    return {
        f"{column.replace('_', ' ')} an attempt": f"{one:{form}} against {other:{form}}"
        for column, form in _USAGE.items()
        if (one := first[column]) is not None and (other := second[column]) is not None
        if column != "calls" or one != other
    }


def _run_title(name: str, agent: str | None) -> str:
    """Return the name of a run with its agent, if it is known."""
    return f"{name} ({agent})" if agent else name


def _facts(success: Comparison, verdict: Verdict | None) -> dict[str, str]:
    """Return the number of compared tasks, and the meaning of a difference between twins."""
    return {
        "tasks": f"{success.shared} shared, {success.only_first} and {success.only_second} in one only",
        "won by one": f"{success.better} by the first, {success.worse} by the second" if success.shared else "",
        "twins": _MEANINGS[verdict] if verdict else "",
    }


_HEADS = ("difference", "95 % interval", "p", "exact p")


def _show(
    names: Sequence[str],
    comparisons: Mapping[str, Comparison],
    facts: Mapping[str, str],
    form: Form | Literal["table"],
    output: Path | None,
) -> None:
    """Show the table of the differences, and facts in one column below it."""
    facts = {label: words for label, words in facts.items() if words}
    title = f"{names[0]} less {names[1]}"
    rows = [(what, *_cells(comparison)) for what, comparison in comparisons.items()]
    if form == "table":
        console = plain_console()
        console.print(title, soft_wrap=True)
        print_table(console, [""], _HEADS, rows)
        print_facts(console, facts)
        return
    tables = [TextTable(title, ("", *_HEADS), rows), TextTable("", ("fact", "what is known"), [*facts.items()])]
    write_output(chapters_text(f"{names[0]} against {names[1]}", [Chapter(title, tables)], form), output)


def _cells(comparison: Comparison) -> tuple[str, ...]:
    difference = comparison.difference
    chances = p_text(comparison.p), p_text(comparison.exact_p)
    return difference.figure(sign="+"), difference.span(sign="+"), *chances
