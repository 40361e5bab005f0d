"""The facts of a sample, as they stand in the tidy table: most of its row, and what its events come to.

Of many samples that is work for several processes: they are given lines, and give facts.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Any

from herobench.ahead import in_order
from herobench.analysis.account import account_of
from herobench.analysis.sources import Attempts, Line, Source, printable
from herobench.analysis.summary import bracket_of

Facts = tuple[Any, ...]

_KEPT = (
    "model", "task_id", "epoch", "kind", "target", "difficulty", "knowledge", "leveling", "stochastic", "twin_of",
    "rules", "world", "outcome", "score", "reward", "ideal_reward", "failure", "high_level_errors",
    "execution_errors", "ended", "end_kind", "actions", "oracle_actions", "tokens", "input_tokens", "output_tokens",
    "reasoning_tokens", "cost", "seconds", "retries",
)  # fmt: skip
"""Columns that are taken as they are."""


PLAIN = "none"
"""The mechanics of a task that has none beyond the plain game."""
_AT_ONCE = 200
"""How many lines a process is given at a time."""


def facts(sources: Iterable[Source], jobs: int = 1) -> Iterator[Facts]:
    """The facts of all samples of some sources, in their order.

    With several jobs the caller has to be importable, as for all of multiprocessing.
    """
    if jobs == 1:
        yield from (_facts_of(source, *numbered) for source in sources for numbered in source.numbered())
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        for source in sources:
            attempts = Attempts(source)
            for some in in_order(pool, jobs, partial(_read, source), _batches(source.lines())):
                for number, task_id, epoch, found in some:
                    attempts.add(number, task_id, epoch)
                    yield found
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    while batch := list(islice(lines, _AT_ONCE)):
        yield batch


def _read(source: Source, lines: list[Line]) -> list[tuple[int, str, int, Facts]]:
    """The facts of some lines, each with the line's number and the attempt that it is of."""
    return [
        (number, row["task_id"], row["epoch"], _facts_of(source, number, row))
        for number, text in lines
        for row in source.read(number, text)
    ]


def _facts_of(source: Source, number: int, row: Mapping[str, Any]) -> Facts:
    """One row of the table."""
    measured = row.get("status", "ok") == "ok"
    found, wasted = account_of(row, source.place(number))
    error = row.get("error")
    own = (
        source.name,
        bracket_of(row["task_id"]),
        measured,
        row["outcome"] == "win" if measured else None,
        row.get("progress_before_end"),
        row.get("target") if row.get("kind") == "kill" else None,
        bool(row.get("noise")),
        mechanics_of(row),
        str(found.cause) if found else None,
        found.line if found else None,
        found.subject if found else None,
        wasted,
        error["kind"] if error else None,
    )
    told = (*own, *(row.get(name) for name in _KEPT))
    return tuple(printable(fact) if type(fact) is str else fact for fact in told)


def mechanics_of(row: Mapping[str, Any]) -> str | None:
    """What a task asks for beyond the plain game; None where that was not published."""
    asked = {"leveling": row.get("leveling"), "noise": row.get("noise"), "drops by chance": row.get("stochastic")}
    if None in asked.values():
        return None
    return " and ".join(name for name, holds in asked.items() if holds) or PLAIN


COLUMNS = (
    "run", "bracket", "measured", "win", "progress", "monster", "noise", "mechanics", "cause", "cause_line",
    "cause_subject", "wasted", "error_kind", *_KEPT,
)  # fmt: skip
"""All columns, in their order."""
