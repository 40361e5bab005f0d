"""Prove the certificates of a tasks file again, and name each fault."""

# The docstring above is the help text of the command.

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer

from herobench.cli.commands import with_suite_options
from herobench.cli.on_cluster import OnCluster, OnOption, ShardRowsOption, choose_cluster
from herobench.cli.options import JobsOption, SuiteOption, report
from herobench.cli.say import progress, say, say_json, watch_each
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.options import Option
from herobench.data.rows import count_lines, unread_lines
from herobench.suite.checked import run_tables, telling_foreign
from herobench.suite.contract import SuiteSetting
from herobench.suite.validating import ProofFacts, ProofWork, proof_work
from herobench.work.engine import Local
from herobench.work.rows import FileOfRows, LineWork


@with_suite_options(run_tables)
def validate(
    tasks: Annotated[
        str, Option("A tasks file, or the name of a shipped set.", metavar="TASKS.jsonl", is_argument=True)
    ],
    as_json: Annotated[bool, Option("Print JSON: what is wrong, by task.", "json")] = False,
    settings: Mapping[str, str] = MappingProxyType({}),
    jobs: JobsOption = None,
    suite: SuiteOption = "",
    on: OnOption = None,
    shard_rows: ShardRowsOption = None,
    output: Annotated[str | None, Option("With --on, the folder of shards.", "output", short="-o")] = None,
) -> None:
    """Prove certificates."""
    workers = jobs or os.cpu_count() or 1
    cluster = choose_cluster(on, output, shard_rows, jobs)
    if output is not None and cluster is None:
        raise UsageError("--output goes with --on: without it, the faults are printed.")
    work = proof_work(suite, SuiteSetting(tasks=Path(tasks), options=settings))
    proofs = _proven_here(work, tasks, workers) if cluster is None else _proven_on(cluster, work, tasks)
    _tell(suite, work, proofs, as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Proofs:
    """The proofs of the tasks of a file."""

    file: str
    known: int
    """The number of tasks that could be read."""
    unread: int
    """The number of other lines."""
    problems: Sequence[Problem]
    """The problems of lines that are no task."""
    wrong: Mapping[str, Sequence[str]]
    """The faults of the tasks that have some, by id and in order."""
    failed: bool = False
    """True if some tasks were not proven, for a reason that was told."""


def _proven_here(work: ProofWork, tasks: str, workers: int) -> _Proofs:
    """Prove the certificates of a file on this machine."""
    with work.file(Path(tasks)) as path:
        file = FileOfRows(work, ProofFacts, Local(workers))
        with closing(file.make_lines(unread_lines(path))) as proofs, progress("looked at", count_lines(path)) as step:
            deque(watch_each(proofs, step), maxlen=0)
        return _Proofs(str(path), file.good, file.bad, file.problems, file.facts.faults)


def _proven_on(cluster: OnCluster, work: ProofWork, tasks: str) -> _Proofs:
    """Prove the certificates of files on a cluster."""
    from herobench.cluster.job import Inputs, read_lines

    with work.file(Path(tasks)) as path:
        inputs = Inputs(partial(read_lines, str(path) if path.is_file() else tasks), work.row_check)
        job = {"command": "validate", **work.options()}
        facts, done = cluster.work(job, inputs, LineWork(work, ProofFacts), ProofFacts)
    return _Proofs(tasks, inputs.rows, inputs.wrong, inputs.problems, facts.faults, not done)


def _tell(suite: str, work: ProofWork, proofs: _Proofs, *, as_json: bool) -> None:
    """Print what is wrong with tasks. A line that is no task, or a certificate that does not hold, is bad input."""
    if proofs.unread and not proofs.known:  # nothing is known of the certificates
        with telling_foreign(suite, Path(proofs.file)):
            raise InputError(work.gather(list(proofs.problems), proofs.file))
    report(proofs.problems)
    if as_json:
        say_json({"tasks": proofs.known, "unread": proofs.unread, "faults": proofs.wrong})
    else:
        for task_id, faults in proofs.wrong.items():
            say(*(f"{task_id}: {fault}" for fault in faults))
        say(f"{proofs.known - len(proofs.wrong)} of {proofs.known + proofs.unread} tasks hold")
    if proofs.wrong or proofs.unread:
        raise typer.Exit(2)
    if proofs.failed:
        raise typer.Exit(1)
