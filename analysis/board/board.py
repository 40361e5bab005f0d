"""Ranks the entries of a leaderboard and writes its page: one HTML file, which appears only when it is complete.

Each part that may be ranked together has a table. In it, a run on private twins stands beside the run of the same model
and agent on the public tasks. The oracle has no rank: it shows what can be reached. Neither have other reference
programs, which show what needs no model. Rows come from others: what they say is drawn as text only, and the policy of
the page lets nothing else run.

A table of models by suites has a column for each suite and no total, because figures of suites do not add up. A cell
has the figure that the suite ranks by: the horizon where it is determined, else success. A model with several runs of a
suite, such as in several modes, has the figure of each: the best one alone would be chosen by chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.analysis.board.entry import Entry, Replay, entry_costs, separates
from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading, page_files
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.report.blocks import element, packed
from herobench.analysis.report.page_text import (
    END,
    Chapter,
    TextTable,
    board_before_blocks,
    chapters_text,
    pages_by_suite,
)
from herobench.analysis.report.talk import COLUMNS, attempt_line
from herobench.analysis.samples.sources import chosen_notes, dataset_name, fresh_notes, task_notes
from herobench.analysis.statistics.comparison import compare, paired_names
from herobench.analysis.statistics.findings import Findings, find, lanes_in, mixtures, numbers, scaled
from herobench.analysis.statistics.ranking import RankedGroup, RankedRun, Spending, compare_spending, ranked, split_runs
from herobench.analysis.statistics.words import horizon_cell
from herobench.data.errors import InputError, Problem
from herobench.data.files import write_text
from herobench.suite.lanes import ORACLE, SOLVER

if TYPE_CHECKING:
    import pandas as pd

_Key = tuple[str, str]
_NONE = "-"


def models_by_suites(entries: Mapping[str, Sequence[Entry]]) -> TextTable:
    """Return the table of the models that were asked; shipped runs of reference programs are not in it."""
    cells: dict[_Key, dict[str, list[str]]] = {}
    heads = []
    for suite, shown in entries.items():
        reading, own = load_reading(suite), {entry.name: entry for entry in shown if not entry.is_shipped}
        heads.append(f"{suite}: {f'horizon in {reading.unit}, or ' if reading.unit else ''}success %")
        tables = {name: entry.table for name, entry in own.items()}
        for part in split_runs(tables, separates(own.values(), reading), reading.usual):
            for row in ranked(part, reading.length):
                entry = own[row.found.name]
                told = cells.setdefault((entry.model or entry.name, entry.agent or _NONE), {})
                told.setdefault(suite, []).append(_figure(row, part.title))
    rows = [
        (*key, *("; ".join(told[suite]) if suite in told else _NONE for suite in entries))
        for key, told in sorted(cells.items())
    ]
    return TextTable("Models by suites", ("model", "agent", *heads), rows)


def _figure(row: RankedRun, title: str) -> str:
    """Return the figure of a run with its interval, and the terms that it was made under if they are not the usual."""
    determined = row.horizon is not None and row.horizon.verdict != "not determined"
    success = row.found.success
    figure = horizon_cell(row.horizon) if determined else success.text(digits=1, unit=" %")
    return f"{figure} [{title}]" if title else figure


SCHEMA = 1
_PERCENT = 100.0


class Board:
    """The data of the page, collected table by table."""

    def __init__(self, entries: Sequence[Entry], suite: str, reading: Reading) -> None:
        self._entries = {entry.name: entry for entry in entries}
        self._suite = suite
        self._reading = reading
        self._runs: list[dict[str, Any]] = []
        self._settings: list[Mapping[str, Any]] = []
        self._samples: list[list[Any]] = []
        self._blocks: list[str] = []
        self._replayed: set[str] = set()
        self._ranked: dict[str, Entry] = {}
        self._task_notes: list[str] = []

    @property
    def blocks(self) -> str:
        """The elements with the replays, after the index was made."""
        return "".join(self._blocks)

    def index(self) -> dict[str, Any]:
        """Return the index of the page."""
        tables = {entry.name: entry.table for entry in self._entries.values()}
        reading = self._reading
        apart = separates(self._entries.values(), reading)
        parts = [self._part(part) for part in split_runs(tables, apart, reading.usual)]
        return {
            "schema": SCHEMA,
            "suite": self._suite,
            "group": reading.group,
            "groups": reading.group_names({line[COLUMNS.index("group")] for line in self._samples}).as_row(),
            "length": reading.length,
            "words": dict(reading.words),
            "listed": {},
            "causes": dict(reading.causes),
            "notes": self._notes(),
            "parts": parts,
            "runs": self._runs,
            "settings": self._settings,
            "files": None,
            "columns": list(COLUMNS),
            "samples": self._samples,
        }

    def _notes(self) -> list[str]:
        """Return what a reader must know of the ranked runs; twins beside public tasks differ from them on purpose."""
        settings = {name: told for name, told in self._reading.settings.items() if name not in self._reading.separates}
        ranked = self._ranked.values()
        mixed = mixtures([entry.table for entry in ranked], settings)
        others = [entry.note for entry in self._entries.values() if entry.note]
        chosen = chosen_notes((entry.name, entry.asked) for entry in ranked)
        costs = (found.note for found in entry_costs(ranked, self._reading))
        return [*others, *mixed, *chosen, *fresh_notes(entry.asked for entry in ranked), *self._task_notes, *costs]

    def _part(self, part: RankedGroup) -> dict[str, Any]:
        own, oracle, references, twins = _sides([self._entries[name] for name in part.runs])
        self._ranked.update((entry.name, entry) for entry in own)
        chosen = {entry.name: part.runs[entry.name] for entry in own}
        tasks = {entry.name: entry.tasks(chosen[entry.name]) for entry in own}
        self._task_notes += [f"{part.title}: {note}" if part.title else note for note in task_notes(tasks)]
        standings = ranked(part._replace(runs=chosen), self._reading.length)
        first = len(self._runs)
        for standing in standings:
            entry = self._entries[standing.found.name]
            fresh = [part.runs[twin.name] for twin in twins.get(entry.name, ())]
            self._runs.append(self._run(entry, standing, _fresh(part.runs[entry.name], fresh)))
        self._label(self._runs[first:])
        numbers = {standing.found.name: first + number for number, standing in enumerate(standings)}
        told = oracle and self._reference(oracle, part)
        return {
            "title": part.title,
            "runs": list(numbers.values()),
            "oracle": told,
            "references": [self._reference(entry, part) for entry in references],
            "tradeoff": _tradeoff(standings, numbers, told["rate"] if told else None),
        }

    def _reference(self, entry: Entry, part: RankedGroup) -> dict[str, Any]:
        table = part.runs[entry.name]
        (standing,) = ranked(part._replace(runs={entry.name: table}), self._reading.length)
        found, horizon = standing.found, standing.horizon
        shown = {"score": _ends(found.score), "horizon": asdict(horizon) if horizon else None}
        return {"name": entry.name, "model": entry.model, **shown, **_rate(found, table)}

    def _run(self, entry: Entry, standing: RankedRun, fresh: Mapping[str, Any] | None) -> dict[str, Any]:
        replay, found = self._replay(entry), standing.found
        return {
            "name": entry.name,
            "model": entry.model,
            "agent": entry.agent,
            "dataset": dataset_name(entry.asked),
            "rank": standing.rank,
            "lane": standing.lane,
            "figures": {**_rate(found, entry.table), "repeats": found.epochs > 1},
            "samples": found.samples,
            "unmeasured": found.unmeasured,
            "score": _ends(found.score),
            "horizon": asdict(standing.horizon) if standing.horizon else None,
            "economy": asdict(standing.economy),
            "fresh": fresh,
            "setting": replay and self._setting_number(replay["setting"]),
            "replay": replay and self._shown(replay, len(self._runs)),
        }

    @staticmethod
    def _label(runs: Sequence[dict[str, Any]]) -> None:
        """Name the runs of a table by their models, as the table does; several of one model by the run as well."""
        models = Counter(run["model"] for run in runs)
        for run in runs:
            model, name = run["model"], run["name"]
            run["label"] = name if not model else model if models[model] == 1 else f"{model} ({name})"

    def _replay(self, entry: Entry) -> Replay | None:
        """Return the replay of an entry the first time: a run of several parts is shown once."""
        if entry.name in self._replayed:
            return None
        self._replayed.add(entry.name)
        return entry.replay()

    def _shown(self, replay: Replay, run: int) -> int:
        """Keep a replay, and return the number of its sample."""
        number, given, told = len(self._samples), replay["given"], replay["told"]
        cause = told["found"]["cause"] if told["found"] else None
        self._blocks.append(element(f"sample{number}", packed(told)))
        if given is not None:
            self._blocks.append(element(f"given{number}", packed(given)))
        self._samples.append(attempt_line(told["row"], run, cause, None if given is None else number))
        return number

    def _setting_number(self, setting: Mapping[str, Any]) -> int:
        if setting not in self._settings:
            self._settings.append(setting)
        return self._settings.index(setting)


def _sides(entries: Sequence[Entry]) -> tuple[list[Entry], Entry | None, list[Entry], Mapping[str, Sequence[Entry]]]:
    """Return the entries by what they are for: those that are ranked, the oracle, the other reference programs, and the
    runs on private twins by the name of the run on the public tasks. Twins without that one are ranked themselves."""
    programs = [entry for entry in entries if lanes_in(entry.table) == SOLVER]
    known = {entry.name for entry in programs}
    others = [entry for entry in entries if entry.name not in known]
    public = [entry for entry in others if not _seed(entry)]
    twins = {entry.name: [twin for twin in others if _are_one_model(entry, twin)] for entry in public}
    beside = {twin.name for found in twins.values() for twin in found}
    shown = [entry for entry in programs if not _seed(entry)]
    oracle = next((entry for entry in shown if entry.model == ORACLE), None)
    references = [entry for entry in shown if entry.model != ORACLE]
    return [entry for entry in others if entry.name not in beside], oracle, references, twins


def _seed(entry: Entry) -> bool:
    """Return whether an entry asked private twins."""
    return entry.asked is not None and entry.asked.fresh is not None


def _are_one_model(public: Entry, twin: Entry) -> bool:
    if public.asked is None or twin.asked is None or not _seed(twin):
        return False
    return (public.model, public.agent, public.asked.dataset) == (twin.model, twin.agent, twin.asked.dataset)


def _fresh(samples: pd.DataFrame, twins: Sequence[pd.DataFrame]) -> dict[str, Any] | None:
    """Return the success on private twins, and how far it is from that on the public tasks, paired by task."""
    import pandas as pd

    if not twins:
        return None
    fresh = pd.concat(twins, ignore_index=True)
    names = paired_names(fresh, samples), paired_names(samples, fresh)
    told = compare(names[0], numbers(fresh, "win"), names[1], numbers(samples, "win"), most=1.0)
    difference = scaled(told.difference, _PERCENT)
    return {"success": _ends(find("", fresh).success), "difference": _ends(difference), "shared": told.shared}


def _rate(found: Findings, samples: pd.DataFrame) -> dict[str, Any]:
    """Return the success as the report's figures have it."""
    rate = scaled(found.success, 1 / _PERCENT)
    wins = sum(win == 1 for win in numbers(samples[samples.counted], "win"))
    return {"rate": rate.estimate, "low": rate.low, "high": rate.high, "wins": wins, "count": found.measured}


def _ends(estimate: Estimate) -> dict[str, Any]:
    return {name: asdict(estimate)[name] for name in ("estimate", "low", "high")}


def _tradeoff(
    standings: Sequence[RankedRun], numbers: Mapping[str, int], oracle: float | None
) -> dict[str, Any] | None:
    spent = {
        found.name: Spending(found.success.estimate, economy.cost_per_attempt, economy.tokens_per_attempt)
        for _, _, found, _, economy in standings
    }
    compared = compare_spending(spent)
    return {**compared.as_row(numbers), "oracle": oracle} if compared else None


def write_boards(path: Path, entries: Mapping[str, Sequence[Entry]]) -> None:
    """Write the page of each suite. Those of several stand beside one that shows models by suites, and leads to them.

    Raise InputError if a file cannot be written.
    """
    if len(entries) == 1:
        ((suite, own),) = entries.items()
        _write(path, _page(suite, own))
        return
    pages = pages_by_suite(path, entries)
    for suite, own in entries.items():
        _write(pages[suite], _page(suite, own))
    across = Chapter("All suites", [models_by_suites(entries)])
    others = [Chapter(f"Suite {suite}", [], (), page.name) for suite, page in pages.items()]
    _write(path, chapters_text("Leaderboard", [across, *others], "html"))


def _page(suite: str, entries: Sequence[Entry]) -> str:
    reading = load_reading(suite)
    board = Board(entries, suite, reading)
    before = board_before_blocks(
        board.index(), reading, *(page_files("herobench.analysis.board", name) for name in ("board.js", "style.css"))
    )
    return before + board.blocks + END


def _write(path: Path, page: str) -> None:
    try:
        write_text(path, page)
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a file that can be written ({error.strerror})")]) from error
