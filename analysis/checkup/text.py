"""The figures of checkups as plain data and as Markdown, for papers and READMEs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from herobench.analysis.checkup.figures import HORIZON, CheckedModel, horizon_figure
from herobench.analysis.checkup.page import index_of, names_of
from herobench.analysis.samples.table_text import markdown
from herobench.analysis.statistics.tally import length_text

_UNDRAWN = ("curve", "points")
"""The keys of a figure that only a chart draws, so texts and JSON leave them out."""
_UNKNOWN = "-"


def as_rows(subjects: Sequence[CheckedModel]) -> dict[str, Any]:
    """Return all figures as plain data."""
    index = index_of(subjects, Path())
    for model in index["models"]:
        horizon = model["horizon"]
        model["horizon"] = horizon and {name: value for name, value in horizon.items() if name not in _UNDRAWN}
    profiles = {run["name"]: run["profiles"] for run in index["runs"] if run["profiles"]}
    return {"schema": index["schema"], "models": index["models"], "ratios": index["ratios"], "atoms": profiles}


def as_markdown(subjects: Sequence[CheckedModel]) -> str:
    """Return a table with a column for each checkup, and the ratios of their horizons below."""
    names = names_of(subjects)
    index = index_of(subjects, Path())
    facts = [dict(_facts(subject, model)) for subject, model in zip(subjects, index["models"], strict=True)]
    labels = dict.fromkeys(label for told in facts for label in told)
    rows = [(label, *(told.get(label, _UNKNOWN) for told in facts)) for label in labels]
    table = markdown(("", *names), rows, "HeroBench checkup, with 95 % intervals")
    ratios = [f"- {told['words']}" for told in index["ratios"]]
    return "\n".join([table, *ratios, ""] if ratios else [table])


def summary(subject: CheckedModel) -> dict[str, str]:
    """Return the main figures of a checkup by their labels, for the end of the command."""
    return dict(_facts(subject, index_of([subject], Path())["models"][0]))


def _facts(subject: CheckedModel, model: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if horizon := horizon_figure(subject):
        yield "HeroBench h50, decisions", horizon_words(horizon.as_row())
    for cost in (model["lanes"] or {"costs": ()})["costs"]:
        yield f"h50, {cost['more']} over {cost['less']}", cost["words"]
    for card in model["parts"]:
        if card["card"] != HORIZON:
            yield f"{card['title'].lower()}, won", percent_words(card["success"])
        for group in card["groups"]:
            yield f"{card['title'].lower()}, {group['name']}", percent_words(group)
    if diagnosis := subject.diagnosis:
        yield "lost plans", diagnosis.finding
    yield "tasks", "public ones" if model["seed"] is None else f"fresh ones of the seed {model['seed']}"
    yield from _tolls(model["tolls"])


def _tolls(tolls: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield what all runs took together, and what of it is no verdict on the model."""
    counts = {name: sum(toll[name] for toll in tolls) for name in ("attempts", "unmeasured")}
    cut_off = sum(toll["cut_off"]["attempts"] for toll in tolls)
    yield "attempts", f"{counts['attempts']:,}; {counts['unmeasured']:,} unmeasured, {cut_off:,} cut off"
    for name, label in (("input_tokens", "tokens of prompts"), ("output_tokens", "tokens of replies")):
        if known := [toll[name] for toll in tolls if toll[name] is not None]:
            yield label, f"{sum(known):,.0f}"
    if costs := [toll["cost"] for toll in tolls if toll["cost"] is not None]:
        yield "cost", f"{sum(costs):.2f}"


def horizon_words(horizon: Mapping[str, Any]) -> str:
    """Return a horizon with its interval in words, as `leaderboard` has it."""
    verdict, h50 = horizon["verdict"], horizon["h50"]
    if verdict == "beyond the range":
        return f"over {length_text(horizon['longest'])}"
    if verdict == "below the range":
        return f"under {length_text(horizon['shortest'])}"
    if verdict == "not determined":
        return f"not determined: {horizon['reason']}"
    low, high = (length_text(h50[end]) if h50[end] is not None else "open" for end in ("low", "high"))
    return f"{length_text(h50['estimate'])} ({low} to {high})"


def percent_words(rate: Mapping[str, float | None]) -> str:
    """Return a share in percent with its interval."""
    middle, low, high = (rate[end] for end in ("rate", "low", "high"))
    if middle is None:
        return _UNKNOWN
    ends = "" if low is None or high is None else f" ({100 * low:.0f} to {100 * high:.0f})"
    return f"{100 * middle:.1f} %{ends}"
