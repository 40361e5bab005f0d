"""The forms in which figures are printed: facts about a run in words; tables as Markdown, LaTeX or a page.

`chapters_text` writes the tables of every command that compares runs: `analyze`, `compare`, `leaderboard`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from herobench.analysis.reading.contract import Reading, group_key
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.report.page_text import page_file, page_on
from herobench.analysis.samples.calls import HEADERS
from herobench.analysis.samples.frame import frame_of, lacking
from herobench.analysis.samples.samples import limit_words
from herobench.analysis.samples.sources import Source, dataset_name
from herobench.analysis.samples.table_text import Cells, TextTable, in_markdown, latex, markdown
from herobench.analysis.statistics.findings import (
    Economy,
    SampleFigures,
    cut_off_in,
    cut_off_losses,
    economize,
    find,
    groups,
    help_in,
    horizon,
    numbers,
    unfinished_in,
)
from herobench.analysis.statistics.ranking import RankedGroup, Section, sections
from herobench.analysis.statistics.tally import WonMinutes, minutes_facts, minutes_of_wins
from herobench.analysis.statistics.words import (
    horizon_cell,
    horizon_facts,
    nothing_won_in,
    ranked_cell,
    ranked_figure,
)
from herobench.cli.say import say
from herobench.cli.table import share
from herobench.data.errors import UsageError
from herobench.work.engine import Local

if TYPE_CHECKING:
    import pandas as pd


_MOST_CLASSES = 12
"""The most failures or causes that are listed."""


def run_facts(
    overall: SampleFigures, own: pd.DataFrame, whole: pd.DataFrame, source: Source, read_by: Reading
) -> dict[str, str]:
    """Return the facts about a run: `own` are the samples that count in the main figures, `whole` are all."""
    economy = economize(own)
    uncounted, remarks = len(whole) - len(own), read_by.remarks(whole)
    ranked = read_by.word(read_by.ranked_by or "")
    return {
        "help": help_in(whole),
        "agent": source.agent or "",
        "dataset": dataset_name(source.asked) or "",
        "not counted": f"{uncounted} {read_by.uncounted}" if uncounted else "",
        "ended early": str(unfinished_in(whole) or ""),
        "cut off": share(**cut_off_in(whole)),
        **({ranked: remarks[ranked]} if ranked in remarks else {}),
        **horizon_facts(horizon(own, read_by.length), read_by.unit),
        "nothing won": nothing_won_in(overall, own, read_by),
        "limit": limit_words(cut_off_losses(own)) if read_by.length else "",
        **minutes_facts(won_minutes(own, source, read_by), read_by.unit),
        **remarks,
        "failures": _count_list(overall.failures),
        "first causes": _count_list(overall.causes),
        "unmeasured": _count_list(overall.errors),
        "counted as lost": overall.success_of_all.text(digits=1, unit=" %") if overall.unmeasured else "",
        "output tokens": "" if economy.tokens is None else f"{economy.tokens:,.0f}",
        "cost": "" if economy.cost is None else f"{economy.cost:.4f}",
        "output tokens a win": f"{economy.tokens_per_success:,.0f}" if economy.tokens_per_success else "",
        "cost a win": f"{economy.cost_per_success:.4f}" if economy.cost_per_success is not None else "",
        "actions by oracle's": _ratio(economy.actions_per_oracle_action),
        "actions by optimum": _by_optimum(economy),
        "actions wasted": "" if economy.wasted_actions is None else f"{economy.wasted_actions:.1f} %",
    }


def won_minutes(own: pd.DataFrame, source: Source, read_by: Reading) -> list[WonMinutes]:
    """Return how long people took for what they won; nothing for a run of a model."""
    if not source.is_of_people or read_by.length is None:
        return []
    columns = (numbers(own, column) for column in (read_by.length, "win", "seconds"))
    return minutes_of_wins(zip(*columns, strict=True))


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _by_optimum(economy: Economy) -> str:
    if economy.actions_per_optimal_action is None and economy.actions_per_oracle_action is not None:
        return "no figure: no certificate bounds all ways to win"
    return _ratio(economy.actions_per_optimal_action)


def _count_list(counts: dict[str, int] | object) -> str:
    pairs = list(counts.items())[:_MOST_CLASSES] if isinstance(counts, dict) else []
    return ", ".join(f"{name} {count}" for name, count in pairs)


_MUCH = 50_000_000
"""Bytes of samples that one process takes some seconds to read."""


def read_sections(sources: Sequence[Source], jobs: int | None) -> list[Section]:
    """Return the samples of each suite. Without `jobs`, all cores read large files, and one process small ones."""
    size = sum(source.file.stat().st_size for source in sources if source.file.exists())
    usual = (os.cpu_count() or 1) if size > _MUCH else 1
    return sections(sources, Local(jobs or usual))


Form = Literal["md", "latex", "html"]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some tables under a title, with notes for whoever compares their figures."""

    title: str
    tables: Sequence[TextTable]
    notes: Sequence[str] = ()
    page: str = ""
    """The name of a page beside this one that shows more; empty if there is none."""


def chapters_text(title: str, chapters: Sequence[Chapter], form: Form) -> str:
    """Return chapters in a form; only a page shows notes, which a program that reads tables has no use for."""
    if form == "html":
        index = {"words": {}, "title": title, "chapters": [asdict(chapter) for chapter in chapters]}
        return page_on(index, page_file("chapters.js"), "", kind="tables")
    typeset = markdown if form == "md" else latex
    texts = []
    for chapter in chapters:
        if len(chapters) > 1:
            one_line = " ".join(chapter.title.splitlines())
            texts.append(f"# {in_markdown(one_line)}\n" if form == "md" else f"% {one_line}\n")
        texts += [typeset(table.headers, table.rows, table.caption, table.names) for table in chapter.tables]
    return "\n".join(texts)


def typeset_tables(
    parts: Sequence[RankedGroup],
    roles: Sequence[Mapping[str, Sequence[Cells]]],
    read_by: Reading,
    samples: pd.DataFrame,
    failures: Path | None,
    *,
    numbered: bool,
) -> list[TextTable]:
    """Return the tables of all parts, and one of roles for each part that has some."""
    other_scoring = _read_rescored(read_by, samples, failures)
    tables: list[TextTable] = []
    for part in parts:
        paper = list(read_by.typeset(part.runs, other_scoring))
        if not numbered:
            paper = [replace(table, caption=table.caption.partition(". ")[2]) for table in paper]
        tables += [*_with_title(part, paper), *figure_tables(part, read_by)]
    for part, totals in zip(parts, roles, strict=True):
        if rows := [(name, *cells) for name, own in totals.items() for cells in own]:
            tables += _with_title(part, [TextTable("Calls, tokens and cost by role", ("Model", *HEADERS), rows)])
    return tables


def _with_title(part: RankedGroup, tables: Iterable[TextTable]) -> list[TextTable]:
    """Return tables with the title of their part in their captions."""
    title = f" ({part.title})" if part.title else ""
    return [replace(table, caption=f"{table.caption}{title}") for table in tables]


# -- of the published benchmark ---------------------------------------------------------------------------------------


def _read_rescored(read_by: Reading, samples: pd.DataFrame, failures: Path | None) -> pd.DataFrame | None:
    """Return another scoring of the answers, which tables of the published benchmark take failures from."""
    if failures is None:
        return None
    if not read_by.takes_rescored:
        raise UsageError("No table of these samples takes its failures from another scoring: leave --failures out.")
    other_scoring = frame_of([failures])
    missing, lost = lacking(samples, other_scoring)
    if missing:
        say(f"{failures} lacks {missing} of {lost} lost samples.", err=True)
    return other_scoring


# -- of any suite -----------------------------------------------------------------------------------------------------


def figure_tables(part: RankedGroup, read_by: Reading) -> list[TextTable]:
    """Return the figures of the runs of a part, and their success by group."""
    return _with_title(part, _figures(part.runs, read_by))


def _figures(runs: Mapping[str, pd.DataFrame], read_by: Reading) -> Iterator[TextTable]:
    """Yield the figures of some runs, and their success by group."""
    figures = {name: find(name, own) for name, own in runs.items()}
    heads = ["Model", "Samples", "Success %", "Score"]
    rows = [[name, str(f.samples), f.success.text(digits=1), f.score.text(digits=1)] for name, f in figures.items()]
    if any(f.progress.estimate is not None for f in figures.values()):
        heads.append("Progress")
        rows = [[*row, f.progress.text(digits=1)] for row, f in zip(rows, figures.values(), strict=True)]
    if read_by.ranked_by is not None:
        heads.append(read_by.word(read_by.ranked_by).capitalize())
        cells = (ranked_cell(ranked_figure(own, read_by)) for own in runs.values())
        rows = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
    if read_by.length is not None:
        heads.append(f"Horizon, {read_by.unit}")
        cells = (horizon_cell(horizon(own, read_by.length)) for own in runs.values())
        rows = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
    yield TextTable("Success and score, with 95 % intervals", heads, rows)
    by_run = [{group.name: group.success for group in groups(own, "group")} for own in runs.values()]
    present = sorted({name for by_group in by_run for name in by_group}, key=group_key)
    if present:
        names = read_by.group_names(present)
        by_name = {name: [by_group.get(name, Estimate()) for by_group in by_run] for name in present}
        table = [[names.short(name), *(each.text(digits=1) for each in own)] for name, own in by_name.items()]
        caption = f"Success in percent by {names.title}, with 95 % intervals"
        yield TextTable(caption, [names.title.capitalize(), *runs], table)
