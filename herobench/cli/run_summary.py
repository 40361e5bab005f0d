"""Prints the result of a run, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.reading.checked import first_cause, load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.reading.interval import Unmeasured, measure_success
from herobench.analysis.report.figures import Figures
from herobench.analysis.samples.samples import cut_off
from herobench.analysis.statistics.tally import SampleTally, SeparatingValues, length_text
from herobench.analysis.statistics.words import count_text, horizon_facts
from herobench.cli.say import say
from herobench.cli.table import plain_console, print_facts, print_tally, share
from herobench.runs.folder import RunFolder
from herobench.runs.session import RunResult

_TOKENS = ("input_tokens", "output_tokens")


def print_ending(ending: RunResult) -> None:
    """Print the scores by group, the unmeasured attempts with their causes, the effort, and the run's folder."""
    config, standing, folder = ending.config, ending.standing, RunFolder(ending.path)
    reading = load_reading(config.suite)
    tally, terms, figures = SampleTally(), SeparatingValues(), Figures((), reading.length)
    causes: Counter[str] = Counter()
    measured_facts: list[Mapping[str, Any]] = []
    early, cut = 0, 0
    for row in folder.read_samples():
        counts, is_measured = reading.counts(row), row["status"] == "ok"
        early += row.get("unfinished") is not None
        cut += cut_off(row) is True
        if not is_measured:
            causes[row["error"]["kind"]] += 1
        if counts:
            facts_of_row = add_attempt(figures, row, reading)
            if is_measured and reading.ranked_by:
                measured_facts.append({"task_id": row["task_id"], **facts_of_row})
        if counts and is_measured:
            tally.add(row, first_cause(row))
            terms.add(row, reading)
    done = tally.overall.count
    if done:
        title = f"{config.model} on {config.asked}"
        print_tally(tally, title, config.identity.get("rules"), terms, reading)
    horizon = _horizon(terms, figures, reading)
    ranked = {} if terms.mixed or not reading.ranked_by else {reading.word(reading.ranked_by): measured_facts}
    facts = {
        **{label: reading.ranked_words(rows) for label, rows in ranked.items()},
        "success": _success(figures, "left_out"),
        **(horizon if ending.until is None else _choice_facts(ending.until, horizon.get("horizon"))),
        "limit": figures.limit_words if ending.until is not None else "",
        "not counted": f"{standing.done - done} {reading.uncounted}: see herobench analyze"
        if standing.done > done
        else "",
        "ended early": f"{early}: the column unfinished of samples.jsonl says why" if early else "",
        "cut off": share(cut, standing.done),
        "unmeasured": _unmeasured_words(causes, _success(figures, "lost")),
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


def add_attempt(figures: Figures, row: Mapping[str, Any], reading: Reading) -> Mapping[str, Any]:
    """Add a sample that counts to the figures of a run, and return its facts."""
    # The length belongs to the task. Without the events, no reading spends time on what the plan did.
    facts = reading.facts({**row, "events": None}) if reading.length else {}
    figures.add(row, None, facts)
    return facts


def _success(figures: Figures, unmeasured: Unmeasured) -> str:
    """Return the success over attempts with its interval; an empty text for no attempts."""
    tasks, _, wins = figures.attempts_by_length
    rate = measure_success(tasks, wins, unmeasured)
    if rate.estimate is None:
        return ""
    interval = "" if rate.low is None or rate.high is None else f" ({100 * rate.low:.0f} to {100 * rate.high:.0f})"
    return f"{100 * rate.estimate:.1f} % won{interval}"


def _horizon(terms: SeparatingValues, figures: Figures, reading: Reading) -> dict[str, str]:
    """Return the facts about the horizon; none with too few tasks, or if the samples are never ranked together."""
    return {} if terms.mixed else horizon_facts(figures.horizon, reading.unit, reading.easier)


def _choice_facts(until: Mapping[str, Any], horizon: str | None) -> dict[str, str]:
    """Return the facts about a choice of tasks: the figure, why it stopped, and what the whole set would take.

    `horizon` is what the analysis says; None with too few tasks, and for a suite whose reading knows no lengths.
    """
    figures, span = _between_facts(until) if "between" in until else _horizon_facts(until, horizon)
    stop_words = {
        "factor": span,
        "tasks": f"this many tasks are measured; {span}",
        "cost": f"more tasks could exceed the cost; {span}",
        "all tasks": f"all tasks are asked; {span}",
    }
    reason = until["reason"]
    return {
        **figures,
        "stopped": stop_words.get(reason, reason or ""),
        "asked": f"{until['tasks']} of {until['of']} tasks{_totals(until)}",
    }


def _between_facts(until: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    """Return the decisions between mistakes, and how wide their interval is."""
    between, low, high = (until[name] and length_text(until[name]) for name in ("between", "low", "high"))
    counts = f"{until['mistakes']} in {until['decisions']:,} decisions"
    span = f"the interval spans a factor of {until['high'] / until['low']:.2f}" if high else "no upper end is known"
    figure = f"{between} ({low} {f'to {high}' if high else 'or more'}; {counts})"
    if low is None:
        figure = f"not determined ({counts})"
    elif between is None:
        figure = f"{low} or more ({counts})"
    return {"decisions between mistakes": figure}, span


def _horizon_facts(until: Mapping[str, Any], horizon: str | None) -> tuple[dict[str, str], str]:
    """Return the horizon and its curve, and how wide its interval is."""
    median, low, high = (length_text(until[name]) for name in ("horizon", "low", "high"))
    figure = horizon or until["outside"] or f"{median} ({low} to {high})"
    if until["tasks"] < LEAST_TASKS:
        verb = "is" if until["tasks"] == 1 else "are"
        tasks_text = f"{count_text(str(until['tasks']), 'tasks')} {verb} measured"
        figure = f"not determined: {tasks_text}, and {LEAST_TASKS} are needed"
    elif horizon is None and not until["fits"]:
        figure = "not determined: success does not fall with length as the curves do"
    curve = f"slope {until['slope']:.2f}, lapses {100 * until['lapse']:.0f} %"
    return {"horizon": figure, "curve": curve}, f"the interval spans a factor of {until['high'] / until['low']:.2f}"


def _totals(until: Mapping[str, Any]) -> str:
    """Return the usage of the tasks so far, and of all tasks at this rate; empty if nothing was counted."""
    so_far, whole = (
        [
            *([f"{sum(tokens):,.0f} tokens"] if (tokens := [part[name] for name in _TOKENS if name in part]) else []),
            *([f"cost {part['cost']:.4f}"] if "cost" in part else []),
        ]
        for part in (until["spent"], until["whole"])
    )
    return f", {', '.join(so_far)}; all would take about {', '.join(whole)}" if so_far else ""


def is_below(run: Path, percent: float) -> bool:
    """Return whether less than `percent` percent of the samples of a whole run were won."""
    won = [row["won"] is True for row in RunFolder(run).read_samples() if load_reading(row["suite"]).counts(row)]
    return 100 * sum(won) < percent * len(won)


def _unmeasured_words(causes: Mapping[str, int], as_lost: str) -> str:
    if not causes:
        return ""
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(causes.items()))
    return f"{sum(causes.values())} ({kinds}); counted as lost, {as_lost}"
