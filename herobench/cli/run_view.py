"""Shows a run to people: its news while it works, and its result at the end. Programs get its news as JSON lines.

On a terminal the news are a bar on standard error, and elsewhere a line now and then. The JSON of a run is the result
that was asked for, and goes to standard output.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.reading.checked import first_cause, load_reading
from herobench.analysis.reading.interval import Unmeasured, length_text, measure_success
from herobench.analysis.samples.samples import cut_off, limit_words
from herobench.analysis.statistics.tally import (
    CountedAttempts,
    SampleTally,
    SeparatingValues,
)
from herobench.analysis.statistics.words import count_text, horizon_facts
from herobench.cli.say import is_line_due, say, say_json
from herobench.cli.table import Screen, plain_console, print_facts, print_tally, share
from herobench.runs.folder import RunFolder
from herobench.runs.session import RunResult

if TYPE_CHECKING:
    from rich.live import Live

    from herobench.runs.standing import News, Standing

_MOST_NAMED = 10
"""The number of unmeasured attempts that are named one by one."""
_HOUR, _MINUTE = 3600, 60


class View:
    """Shows a run to its user, or several one after the other. This one shows nothing."""

    def begin(self, run: str, number: int, of: int) -> None:
        """Begin to show one of several runs."""

    def watch(self, standing: Standing) -> None:
        """Begin to show a run."""

    def tell(self, news: News) -> None:
        """Show something that happened."""

    def close(self) -> None:
        """Show no more."""


def view(*, as_json: bool) -> View:
    """Return the view that suits where the output goes."""
    if as_json:
        return Events()
    return Bars() if sys.stderr.isatty() else Lines()


class Events(View):
    """Prints news as JSON lines on standard output. They have the figures of the standing."""

    def begin(self, run: str, number: int, of: int) -> None:
        """Print which run comes now."""
        say_json({"event": "part", "part": run, "number": number, "of": of}, indent=None)

    def tell(self, news: News) -> None:
        """Print a line."""
        say_json(news, indent=None)


class Lines(View):
    """Prints a line now and then."""

    def __init__(self) -> None:
        self._standing: Standing | None = None
        self._last_time = time.monotonic()
        self._named_attempts = 0
        self._title = ""

    def begin(self, run: str, number: int, of: int) -> None:
        """Print which run comes now, and name it in front of its standing."""
        self._title = f"{number} of {of}, {run}: "
        say(f"{number} of {of}: {run}", err=True)

    def watch(self, standing: Standing) -> None:
        """Begin."""
        self._standing = standing

    def tell(self, news: News) -> None:
        """Print a line if something is wrong, or if the last one was a while ago."""
        for notice in self._notices(news):
            say(notice, err=True)
        if self._standing is not None and is_line_due(self._last_time):
            self._last_time = time.monotonic()
            say(self._title + summary(self._standing), err=True)

    def _notices(self, news: News) -> Iterator[str]:
        """Yield the news that deserve a line of their own."""
        if news["event"] == "stopping":
            yield f"{news['message']}; once more to leave at once"
        if news["event"] == "note":
            yield news["message"]
        if news["event"] != "sample" or news["status"] == "ok":
            return
        self._named_attempts += 1
        if self._named_attempts <= _MOST_NAMED:
            yield f"unmeasured: {news['task_id']}, epoch {news['epoch']}: {news['error']['message']}"
        if self._named_attempts == _MOST_NAMED:
            yield "more that are not measured are only counted"


class Bars(Lines):
    """Draws a bar with the figures below it, four times a second."""

    def __init__(self) -> None:
        super().__init__()
        self._live: Live | None = None

    def watch(self, standing: Standing) -> None:
        """Begin to draw."""
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        self.close()

        def draw() -> Table:
            grid = Table.grid(expand=True)
            grid.add_row(ProgressBar(standing.total, standing.done + standing.unmeasured))
            grid.add_row(self._title + summary(standing))
            return grid

        self._live = Live(get_renderable=draw, console=Screen(stderr=True), transient=True, refresh_per_second=4)
        self._live.start()

    def tell(self, news: News) -> None:
        """Print above the bar what deserves a line."""
        if self._live is None:
            return
        for notice in self._notices(news):
            self._live.console.print(notice, soft_wrap=True)
        if news["event"] == "leaving":
            self.close()

    def close(self) -> None:
        """Give the terminal back."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def summary(standing: Standing) -> str:
    """Return the standing of a run on one line."""
    return f"{standing.done} of {standing.total} measured, {figures(standing)}"


def figures(standing: Standing) -> str:
    """Return the figures of a run that are not 0, without how much is done.

    The success has no interval, because the tasks so far are no random part of all tasks.
    """
    parts = [
        f"{standing.in_flight} in flight" if standing.in_flight else "",
        f"{standing.grading} being scored" if standing.grading else "",
        f"{100 * standing.wins / standing.done:.1f} % won" if standing.done else "",
        f"{standing.unmeasured} unmeasured" if standing.unmeasured else "",
        f"{standing.retries} retries" if standing.retries else "",
        f"{standing.usage.output:,} tokens" if standing.usage.output else "",
        f"cost {standing.cost:.2f}" if standing.cost is not None else "",
        rate_text(standing.rate) if standing.rate else "",
        f"{duration(standing.left)} left" if standing.left else "",
    ]
    return ", ".join(part for part in parts if part)


def rate_text(rate: float) -> str:
    """Return a number a second in the unit in which it is 1 or more, or an hour: 2.5 a second, 12 a minute."""
    if rate >= 1:
        return f"{rate:.1f} a second"
    if rate * _MINUTE >= 1:
        return f"{rate * _MINUTE:.1f} a minute"
    return f"{rate * _HOUR:.1f} an hour"


def duration(seconds: float) -> str:
    """Return a time that people can read: 45 s, 12 min, 3 h 20 min."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:.0f} min"


# -- the result -------------------------------------------------------------------------------------------------------

_TOKENS = ("input_tokens", "output_tokens")


def print_ending(ending: RunResult) -> None:
    """Print the scores by group, the unmeasured attempts with their causes, the effort, and the run's folder."""
    config, standing, folder = ending.config, ending.standing, RunFolder(ending.path)
    reading = load_reading(config.suite)
    tally, terms, attempts = SampleTally(), SeparatingValues(), CountedAttempts(reading)
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
            facts_of_row = attempts.add(row)
            if is_measured and reading.ranked_by:
                measured_facts.append({"task_id": row["task_id"], **facts_of_row})
        if counts and is_measured:
            tally.add(row, first_cause(row))
            terms.add(row, reading)
    done = tally.overall.count
    if done:
        title = f"{config.model} on {config.asked}"
        print_tally(tally, title, config.identity.get("rules"), terms, reading)
    is_ranked = bool(done) and not terms.mixed
    horizon = attempts.horizon if is_ranked else None
    lengths = horizon_facts(horizon, reading.unit) if horizon else {}
    ranked = {reading.word(reading.ranked_by): measured_facts} if is_ranked and reading.ranked_by else {}
    facts = {
        **{label: reading.ranked_words(rows) for label, rows in ranked.items()},
        "success": _success(attempts, "left_out"),
        **(lengths if ending.until is None else _choice_facts(ending.until, lengths.get("horizon"))),
        "limit": limit_words(attempts.cut_off_losses) if ending.until is not None else "",
        "not counted": f"{standing.done - done} {reading.uncounted}: see herobench analyze"
        if standing.done > done
        else "",
        "ended early": f"{early}: the column unfinished of samples.jsonl says why" if early else "",
        "cut off": share(cut, standing.done),
        "unmeasured": _unmeasured_words(causes, _success(attempts, "lost")),
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


def _success(attempts: CountedAttempts, unmeasured: Unmeasured) -> str:
    """Return the success over attempts with its interval; an empty text for no attempts."""
    rate = measure_success(attempts.tasks, attempts.wins, unmeasured)
    if rate.estimate is None:
        return ""
    interval = "" if rate.low is None or rate.high is None else f" ({100 * rate.low:.0f} to {100 * rate.high:.0f})"
    return f"{100 * rate.estimate:.1f} % won{interval}"


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
