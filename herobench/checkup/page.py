"""Writes checkups: their page with the reports that its cards link to, and their figures as plain data and as Markdown.

A card shows replays that are worth seeing: the longest win, the shortest loss and such, part by part. Plain data and
Markdown are for papers and READMEs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from herobench.analysis.reading.contract import page_files
from herobench.analysis.reading.interval import Estimate, length_text
from herobench.analysis.report import write_report
from herobench.analysis.report.page_text import page_on
from herobench.analysis.report.write import rate_rows, report_runs
from herobench.analysis.samples.frame import select_counted
from herobench.analysis.samples.table_text import markdown
from herobench.analysis.statistics.findings import numbers
from herobench.checkup.figures import (
    CheckedModel,
    CheckedPart,
    rates_by_kind,
    ratios_among,
    sample_horizon,
)
from herobench.data.errors import InputError, Problem
from herobench.data.files import write_text

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.contract import Reading

MOST = 10
_AS_IS = "!'()*"
"""The characters that an address of the report has unescaped, beside letters, digits and `_.-~`."""


def choose_replays(subject: CheckedModel, beside: Path) -> list[dict[str, str]]:
    """Return the replays worth seeing, with links from the folder `beside`.

    At most ten: the first choice of each part, then the second, and so on.
    """
    choices = [list(_replays(part, beside)) for part in subject.parts]
    in_turn = (replay for place in zip_longest(*choices) for replay in place if replay is not None)
    replays: dict[str, dict[str, str]] = {}
    for replay in in_turn:
        replays.setdefault(replay["link"], replay)
    return list(replays.values())[:MOST]


def _replays(part: CheckedPart, beside: Path) -> Iterator[dict[str, str]]:
    report = quote(os.path.relpath(report_path(part), beside))
    for run, table in part.samples.items():
        samples = select_counted(table)
        lane = f" in the lane {run}" if len(part.samples) > 1 else ""
        choices = (
            _extreme(samples, part.reading, won=True, longest=True),
            _extreme(samples, part.reading, won=False, longest=False),
            _nearest_loss(samples),
        )
        for row, words in filter(None, choices):
            place = "/".join(quote(text, safe=_AS_IS) for text in (run, str(row.task_id)))
            why = f"{part.declaration.title}: {words}{lane}"
            yield {"why": why, "task": str(row.task_id), "link": f"{report}#sample/{place}/{int(row.epoch)}"}


def _extreme(samples: pd.DataFrame, reading: Reading, *, won: bool, longest: bool) -> tuple[Any, str] | None:
    """Return the longest win or the shortest loss, in words; by tokens of replies where tasks have no length."""
    own = samples[samples.measured & (samples.win == float(won))]
    lengths = numbers(own, reading.length or "output_tokens")
    sizes = [(size, place) for place, size in enumerate(lengths) if size is not None]
    if not sizes:
        return None
    size, place = max(sizes, key=lambda pair: (pair[0], -pair[1])) if longest else min(sizes)
    what = f"the {'longest' if longest else 'shortest'} {'win' if won else 'loss'}"
    return own.iloc[place], f"{what}, {size:,.0f} {reading.unit or 'tokens'}"


def _nearest_loss(samples: pd.DataFrame) -> tuple[Any, str] | None:
    """Return the loss with the most progress, in words; None without one that got anywhere."""
    own = samples[samples.measured & (samples.win == 0.0)]
    progresses = [(value, -place) for place, value in enumerate(numbers(own, "progress")) if value]
    return (own.iloc[-max(progresses)[1]], "the loss that came nearest") if progresses else None


SCHEMA = 1
REPORTS = "reports"
_CHARTS = ("chart_horizon.js", "chart_radar.js")
"""The charts of the report that the page draws."""


def write_checkup_page(subjects: Sequence[CheckedModel], path: Path, *, with_reports: bool = False) -> Path:
    """Write the page on some checkups, and with `with_reports` the report of each part. Return the page's path.

    Raise InputError if a file cannot be written.
    """
    if with_reports:
        for subject in subjects:
            for part in subject.parts:
                _write_report(part)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, page_text(page_data(subjects, path.parent)))
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a file that can be written ({error.strerror})")]) from error
    return path


def page_text(index: Mapping[str, Any]) -> str:
    """Return the page that draws an index."""
    script, style = (page_files("herobench.checkup", name) for name in ("checkup.js", "style.css"))
    return page_on(index, script, style, _CHARTS, "checkup")


def _write_report(part: CheckedPart) -> None:
    target = report_path(part)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_report(target, report_runs([source for source in part.sources if source.name in part.samples]))


def report_path(part: CheckedPart) -> Path:
    """Return where the report of a part is."""
    return part.folder / REPORTS / f"{part.declaration.name}.html"


def page_data(subjects: Sequence[CheckedModel], beside: Path) -> dict[str, Any]:
    """Return the data of the page, which lies in the folder `beside`."""
    names = checkup_names(subjects)
    models = [{**_model(subject, beside), "name": name} for subject, name in zip(subjects, names, strict=True)]
    parts = [part for subject in subjects for part in subject.parts]
    horizon = next((part for part in parts if part.declaration.card == "horizon"), None)
    words = {word: text for part in parts for word, text in part.reading.words.items()}
    return {
        "schema": SCHEMA,
        "words": words,
        "length": horizon.reading.length if horizon else None,
        "unit": horizon.reading.unit if horizon else None,
        "profiled": next((part.declaration.heading for part in parts if part.declaration.card == "atoms"), ""),
        "models": models,
        "runs": _chart_runs(subjects, names),
        "ratios": ratios_among(subjects, names),
    }


def checkup_names(subjects: Sequence[CheckedModel]) -> list[str]:
    """Return a name for each checkup: its model, with the folder where several are of one model."""
    models = [subject.model for subject in subjects]
    folders = {subject.checkup.folder for subject in subjects}

    def place(folder: Path) -> str:
        return folder.name if sum(other.name == folder.name for other in folders) == 1 else str(folder)

    return [
        subject.model if models.count(subject.model) == 1 else f"{subject.model} ({place(subject.checkup.folder)})"
        for subject in subjects
    ]


def _model(subject: CheckedModel, beside: Path) -> dict[str, Any]:
    """Return what the cards tell of one model."""
    horizon = subject.horizon
    costs = horizon.costs if horizon else None
    return {
        "model": subject.model,
        "seed": subject.checkup.seed,
        "horizon": sample_horizon(horizon.first, horizon.reading) if horizon else None,
        "loss": horizon.causes if horizon else None,
        "figures": _remarks(horizon) if horizon else {},
        "lanes": {
            "horizons": {lane: asdict(interval) for lane, interval in costs.horizons.items()},
            "costs": [{"more": cost.more, "less": cost.less, "words": cost.words} for cost in costs.costs],
        }
        if costs
        else None,
        "parts": [_card(part, beside) for part in subject.parts],
        "totals": [run for part in subject.parts for run in part.run_totals],
        "replays": choose_replays(subject, beside),
        "runs": subject.provenance,
    }


def _card(part: CheckedPart, beside: Path) -> dict[str, Any]:
    card, report = part.declaration.card, report_path(part)
    return {
        **{name: getattr(part.declaration, name) for name in ("name", "title", "measures", "card")},
        "report": os.path.relpath(report, beside) if report.is_file() else None,
        "success": part.success,
        "groups": part.group_scores if card == "groups" else [],
        "remarks": {} if card == "horizon" else _remarks(part),
        "exploration": part.listed_figures,
    }


def _remarks(part: CheckedPart) -> dict[str, str]:
    """Return the suite's own figures of a part, in words."""
    return {name: text for name, text in part.reading.remarks(part.first).items() if text}


def _chart_runs(subjects: Sequence[CheckedModel], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return what the charts draw as runs: the models or, of a single one, its lanes; then chance and the oracle."""
    models = [_profile(name, subject) for subject, name in zip(subjects, names, strict=True)]
    if len(subjects) == 1 and (part := subjects[0].horizon):
        lanes = [
            {"name": lane, "figures": {"horizon": sample_horizon(samples, part.reading)}, "profiles": {}}
            for lane, samples in part.samples.items()
        ]
        runs = [*lanes, *({**model, "figures": {"horizon": None}} for model in models)]
    else:
        runs = models
    return [*runs, *_marks(subjects)]


def _profile(name: str, subject: CheckedModel) -> dict[str, Any]:
    horizon = subject.horizon
    return {
        "name": name,
        "figures": {"horizon": sample_horizon(horizon.first, horizon.reading) if horizon else None},
        "profiles": {
            part.declaration.title: rate_rows(rates_by_kind(part.first, part.reading))
            for part in subject.of_card("atoms")
        },
    }


def _marks(subjects: Sequence[CheckedModel]) -> Iterator[dict[str, Any]]:
    """Yield chance and the oracle as runs: the player `random` at the same tasks, and all answers proven."""
    chance: dict[str, list[list[Any]]] = {}
    oracle: dict[str, list[list[Any]]] = {}
    for part in (part for subject in subjects for part in subject.of_card("atoms")):
        title = part.declaration.title
        if part.chance is not None:
            chance.setdefault(title, rate_rows(rates_by_kind(part.chance, part.reading)))
        kinds = rates_by_kind(part.first, part.reading)
        sure = {kind: Estimate(1.0, samples=rate.samples) for kind, rate in kinds.items()}
        oracle.setdefault(title, rate_rows(sure))
    for name, profiles in (("chance", chance), ("oracle", oracle)):
        if profiles:
            yield {"name": name, "figures": {"horizon": None}, "profiles": profiles}


_UNDRAWN = ("curve", "points")
"""The keys of a figure that only a chart draws, so texts and JSON leave them out."""
_UNKNOWN = "-"


def as_rows(subjects: Sequence[CheckedModel]) -> dict[str, Any]:
    """Return all figures as plain data."""
    index = page_data(subjects, Path())
    for model in index["models"]:
        horizon = model["horizon"]
        model["horizon"] = horizon and {name: value for name, value in horizon.items() if name not in _UNDRAWN}
    profiles = {run["name"]: run["profiles"] for run in index["runs"] if run["profiles"]}
    return {"schema": index["schema"], "models": index["models"], "ratios": index["ratios"], "atoms": profiles}


def as_markdown(subjects: Sequence[CheckedModel]) -> str:
    """Return a table with a column for each checkup, and the ratios of their horizons below."""
    names = checkup_names(subjects)
    index = page_data(subjects, Path())
    facts = [dict(_facts(model, index["unit"])) for model in index["models"]]
    labels = dict.fromkeys(label for fact in facts for label in fact)
    rows = [(label, *(fact.get(label, _UNKNOWN) for fact in facts)) for label in labels]
    table = markdown(("", *names), rows, "HeroBench checkup, with 95 % intervals")
    ratios = [f"- {fact['words']}" for fact in index["ratios"]]
    return "\n".join([table, *ratios, ""] if ratios else [table])


def summary(subject: CheckedModel) -> dict[str, str]:
    """Return the main figures of a checkup by their labels, for the end of the command."""
    data = page_data([subject], Path())
    return dict(_facts(data["models"][0], data["unit"]))


def _facts(model: Mapping[str, Any], unit: str | None) -> Iterator[tuple[str, str]]:
    if horizon := model["horizon"]:
        yield f"HeroBench h50, {unit}", horizon_words(horizon)
    yield from model["figures"].items()
    for cost in (model["lanes"] or {"costs": ()})["costs"]:
        yield f"h50, {cost['more']} over {cost['less']}", cost["words"]
    for card in model["parts"]:
        if card["card"] != "horizon":
            yield f"{card['title'].lower()}, won", percent_words(card["success"])
        for group in card["groups"]:
            yield f"{card['title'].lower()}, {group['name']}", percent_words(group)
    yield "tasks", "public ones" if model["seed"] is None else f"fresh ones of the seed {model['seed']}"
    yield from _totals(model["totals"])


def _totals(totals: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the attempts, tokens and cost of all runs together, with the unmeasured attempts and cut-off replies."""
    counts = {name: sum(run[name] for run in totals) for name in ("attempts", "unmeasured")}
    cut_off = sum(run["cut_off"]["attempts"] for run in totals)
    yield "attempts", f"{counts['attempts']:,}; {counts['unmeasured']:,} unmeasured, {cut_off:,} cut off"
    for name, label in (("input_tokens", "tokens of prompts"), ("output_tokens", "tokens of replies")):
        if tokens := [run[name] for run in totals if run[name] is not None]:
            yield label, f"{sum(tokens):,.0f}"
    if costs := [run["cost"] for run in totals if run["cost"] is not None]:
        yield "cost", f"{sum(costs):.2f}"


def horizon_words(horizon: Mapping[str, Any]) -> str:
    """Return a horizon with its interval in words, as `leaderboard` has it."""
    verdict, h50 = horizon["verdict"], horizon["h50"]
    shape = f": {horizon['reason']}" if horizon["reason"] else ""
    if verdict == "beyond the range":
        return f"over {length_text(horizon['longest'])}{shape}"
    if verdict == "below the range":
        return f"under {length_text(horizon['shortest'])}{shape}"
    if verdict == "not determined":
        return f"{verdict}{shape}"
    low, high = (length_text(h50[end]) if h50[end] is not None else "open" for end in ("low", "high"))
    return f"{length_text(h50['estimate'])} ({low} to {high})"


def percent_words(rate: Mapping[str, float | None]) -> str:
    """Return a share in percent with its interval."""
    middle, low, high = (rate[end] for end in ("rate", "low", "high"))
    if middle is None:
        return _UNKNOWN
    ends = "" if low is None or high is None else f" ({100 * low:.0f} to {100 * high:.0f})"
    return f"{100 * middle:.1f} %{ends}"
