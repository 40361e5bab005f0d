"""Facts: the row of the tidy table that each sample becomes, with the facts that the suite's reading adds.

`frame` makes the table of them. Large files are parsed by several processes: each gets lines and returns facts.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import islice
from multiprocessing import get_context
from typing import Any

from herobench.ahead import in_order
from herobench.analysis.checked_reading import reading_of
from herobench.analysis.samples import Sample, cut_off, group_of, is_measured
from herobench.analysis.sources import NumberedLine, Source, printable
from herobench.errors import InputError, Problem, SuiteError
from herobench.rows import Attempts

Facts = tuple[Any, ...]
"""The suite, then the values of its columns."""

_KEPT = (
    "model", "task_id", "epoch", "score", "failure", "input_tokens", "output_tokens", "reasoning_tokens", "calls",
    "retries", "cost", "seconds", "unfinished",
)  # fmt: skip
"""Columns of samples that are facts as they are."""
COMMON = (
    "run", "suite", "group", "measured", "counted", "win", "outcome", "progress", "cause", "cause_line",
    "cause_subject", "error_kind", "tokens", "cut_off", *_KEPT,
)  # fmt: skip
"""The facts that samples of every suite have."""
_OUTCOMES = {True: "win", False: "lose", None: None}
_AT_ONCE = 200
"""Lines that a process gets at a time."""


@cache
def columns_of(suite: str) -> tuple[str, ...]:
    """Return the columns of the tidy table for the samples of a suite."""
    reading = reading_of(suite)
    own = reading.fact_names
    if twice := sorted({*own} & {*COMMON}):
        raise SuiteError(f"The reading of the suite {suite} has a fact {twice[0]!r}, which is a common column.")
    named = {reading.group, *reading.groupings, *reading.settings, *reading.listed}
    if unknown := sorted(named - {*COMMON, *own}):
        raise SuiteError(f"The reading of the suite {suite} names {unknown[0]!r}, which is none of its facts.")
    return (*COMMON, *own)


def facts(sources: Iterable[Source], jobs: int = 1) -> Iterator[Facts]:
    """Yield the facts of all samples of some sources, in their order.

    With several jobs the main module must be importable, as for all of multiprocessing.
    """
    if jobs == 1:
        yield from (_facts_of(source, *numbered) for source in sources for numbered in source.numbered())
        return
    # workers ignore Ctrl-C: the main process ends them, and only it prints
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        for source in sources:
            # attempts are counted here, because a worker sees a part of the file only
            attempts = Attempts()
            for batch in in_order(pool, jobs, partial(_read, source), _batches(source.lines())):
                for number, attempt, found in batch:
                    attempts.add(attempt, source.place(number))
                    yield found
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def checked(source: Source) -> Iterator[Sample]:
    """Yield the samples of a source, and raise InputError at one whose events cannot be followed."""
    for number, sample in source.numbered():
        _check(source, number, sample)
        yield sample


def _batches(lines: Iterator[NumberedLine]) -> Iterator[list[NumberedLine]]:
    while batch := list(islice(lines, _AT_ONCE)):
        yield batch


def _read(source: Source, lines: list[NumberedLine]) -> list[tuple[int, Sample, Facts]]:
    """Return the facts of some lines, each with the line's number and the attempt that it belongs to."""
    return [
        (number, {name: sample[name] for name in ("suite", "task_id", "epoch")}, _facts_of(source, number, sample))
        for number, text in lines
        for sample in source.read(number, text)
    ]


def _check(source: Source, number: int, sample: Sample) -> None:
    expected = reading_of(sample["suite"]).check(sample)
    if expected is not None:
        raise InputError([Problem(source.place(number), "$.events", expected)])


def _facts_of(source: Source, number: int, sample: Sample) -> Facts:
    """Return the values of a sample's columns."""
    _check(source, number, sample)
    reading = reading_of(sample["suite"])
    found, error = reading.cause(sample), sample["error"]
    common = (
        source.name,
        sample["suite"],
        group_of(sample),
        is_measured(sample),
        reading.counts(sample),
        sample["won"],
        _OUTCOMES[sample["won"]],
        sample["progress"],
        str(found.cause) if found else None,
        found.line if found else None,
        found.subject if found else None,
        error["kind"] if error else None,
        sample["output_tokens"],
        cut_off(sample),
        *(sample[name] for name in _KEPT),
    )
    told = (sample["suite"], *common, *reading.facts(sample).values())
    return tuple(printable(fact) if type(fact) is str else fact for fact in told)
