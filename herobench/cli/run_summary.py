"""Prints the result of a run, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.reading.checked import first_cause, load_reading
from herobench.analysis.reading.interval import measure_success
from herobench.analysis.samples.samples import cut_off
from herobench.analysis.statistics.tally import Lengths, SampleTally, Terms, length_text
from herobench.analysis.statistics.words import horizon_facts, limit_words
from herobench.cli.say import say
from herobench.cli.table import plain_console, print_facts, print_tally, share
from herobench.runs.folder import RunFolder

if TYPE_CHECKING:
    from herobench.analysis.reading.interval import Unmeasured
    from herobench.analysis.statistics.tally import Lengths, Terms
    from herobench.runs.session import RunResult

_TOKENS = ("input_tokens", "output_tokens")


def print_ending(ending: RunResult) -> None:
    """Print the scores by group, the unmeasured attempts with their causes, the effort, and the run's folder."""
    config, standing, folder = ending.config, ending.standing, RunFolder(ending.path)
    reading = load_reading(config.suite)
    tally, terms, lengths = SampleTally(), Terms(), Lengths()
    causes: Counter[str] = Counter()
    won: list[tuple[str, float | None]] = []
    losses: list[bool | None] = []
    early, cut = 0, 0
    for row in folder.read_samples():
        counts, is_measured = reading.counts(row), row["status"] == "ok"
        early += row.get("unfinished") is not None
        cut += cut_off(row) is True
        if not is_measured:
            causes[row["error"]["kind"]] += 1
        if counts:
            lengths.add(row, reading)
            won.append((row["task_id"], float(row["won"]) if is_measured else None))
        if counts and is_measured and not row["won"]:
            losses.append(cut_off(row))
        if counts and is_measured:
            tally.add(row, first_cause(row))
            terms.add(row, reading)
    done = tally.overall.count
    if done:
        title = f"{config.model} on {config.asked}"
        print_tally(tally, title, config.identity.get("rules"), terms, reading)
    facts = {
        "success": _success(won, "left_out"),
        **(_horizon(terms, lengths) if ending.until is None else _chosen(ending.until, lengths.unit)),
        "limit": limit_words(losses) if ending.until is not None else "",
        "not counted": f"{standing.done - done} {reading.uncounted}: see herobench analyze"
        if standing.done > done
        else "",
        "ended early": f"{early}: the column unfinished of samples.jsonl says why" if early else "",
        "cut off": share(cut, standing.done),
        "unmeasured": _unmeasured(causes, _success(won, "lost")),
        "not asked": str(standing.owed - standing.unmeasured) if standing.owed > standing.unmeasured else "",
        "model": ", ".join(sorted(standing.served)),
        "tokens": f"{standing.usage.output:,} in this session" if standing.usage.output else "",
        "retries": str(standing.retries or ""),
        "cost": f"{standing.cost:.4f}" if standing.cost is not None else "",
        "run": str(folder.path),
    }
    print_facts(plain_console(), facts, whole=["model", "run"])
    if standing.before == standing.total:
        say(f"Nothing was left to do: all {standing.total} attempts were measured in earlier sessions.", err=True)


def _success(won: Sequence[tuple[str, float | None]], unmeasured: Unmeasured) -> str:
    """Return the success over attempts, given by their tasks, with its interval; an empty text for no attempts."""
    found = measure_success((task for task, _ in won), (win for _, win in won), unmeasured)
    if found.estimate is None:
        return ""
    interval = "" if found.low is None or found.high is None else f" ({100 * found.low:.0f} to {100 * found.high:.0f})"
    return f"{100 * found.estimate:.1f} % won{interval}"


def _horizon(terms: Terms, lengths: Lengths) -> dict[str, str]:
    """Return the facts about the horizon; none with too few tasks, or if the samples are never ranked together."""
    return {} if terms.mixed else horizon_facts(lengths.horizon(), lengths.unit)


def _chosen(until: Mapping[str, Any], unit: str | None) -> dict[str, str]:
    """Return the facts about a choice of tasks: the horizon, why it stopped, and what the whole set would take."""
    horizon, low, high = (length_text(until[name]) for name in ("horizon", "low", "high"))
    lacks = "" if until["fits"] else "success does not fall with length as the curves do"
    if until["tasks"] < LEAST_TASKS:
        lacks = f"{until['tasks']} tasks are measured, and {LEAST_TASKS} are needed"
    figure = f"{horizon}{f' {unit}' if unit else ''} ({low} to {high})"
    spanned = f"the interval spans a factor of {until['high'] / until['low']:.2f}"
    stopped = {
        "factor": spanned,
        "tasks": f"so many tasks are measured; {spanned}",
        "cost": f"more tasks could exceed the cost; {spanned}",
        "all tasks": f"all tasks are asked; {spanned}",
    }
    reason = until["reason"]
    outside = until["outside"]
    return {
        "horizon": f"not determined: {lacks}" if lacks else f"{outside}; extrapolated {figure}" if outside else figure,
        "curve": f"slope {until['slope']:.2f}, lapses {100 * until['lapse']:.0f} %",
        "stopped": stopped.get(reason, reason or ""),
        "asked": f"{until['tasks']} of {until['of']} tasks{_tolls(until)}",
    }


def _tolls(until: Mapping[str, Any]) -> str:
    """Say what the tasks took, and what all of them would take; nothing if nobody counted."""
    spent, whole = (
        [
            *([f"{sum(tokens):,.0f} tokens"] if (tokens := [part[name] for name in _TOKENS if name in part]) else []),
            *([f"cost {part['cost']:.4f}"] if "cost" in part else []),
        ]
        for part in (until["spent"], until["whole"])
    )
    return f", {', '.join(spent)}; all would take about {', '.join(whole)}" if spent else ""


def is_below(run: Path, percent: float) -> bool:
    """Return whether less than `percent` percent of the samples of a whole run were won."""
    won = [row["won"] is True for row in RunFolder(run).read_samples() if load_reading(row["suite"]).counts(row)]
    return 100 * sum(won) < percent * len(won)


def _unmeasured(causes: Mapping[str, int], as_lost: str) -> str:
    if not causes:
        return ""
    named = ", ".join(f"{kind} {count}" for kind, count in sorted(causes.items()))
    return f"{sum(causes.values())} ({named}); counted as lost, {as_lost}"
