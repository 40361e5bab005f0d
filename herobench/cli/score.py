"""Run the plans of an answers file on their tasks, and write a scored row for each; or score a run again.

A run is scored without a model. Its own folder is updated under its own rules; use --output for other rules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.statistics.tally import SampleFacts
from herobench.cli.commands import with_suite_options
from herobench.cli.options import JobsOption, OnOption, ShardRowsOption, SuiteOption, report
from herobench.cli.say import progress, say, watch_each
from herobench.cli.table import print_tally
from herobench.data.errors import UsageError
from herobench.data.files import is_standard_input
from herobench.data.options import Option
from herobench.data.rows import count_lines, unread_lines, write_lines
from herobench.scorer.answers import scoring_work
from herobench.suite.checked import run_tables
from herobench.work.engine import Local
from herobench.work.rows import FileOfRows, LineWork, RowWork

if TYPE_CHECKING:
    from herobench.cli.on_cluster import OnCluster


@with_suite_options(run_tables)
def score(
    tasks: Annotated[
        str,
        Option(
            "A tasks file, the name of a shipped set, or the folder of a run.",
            metavar="TASKS.jsonl|RUN",
            is_argument=True,
        ),
    ],
    answers: Annotated[
        str | None, Option("An answers file; none with a run.", metavar="ANSWERS.jsonl", is_argument=True)
    ] = None,
    output: Annotated[
        str | None, Option("The file to write.", "output", short="-o", shown="a run's own folder")
    ] = None,
    fresh_tasks: Annotated[
        Path | None,
        Option("Score a run's replies on the tasks of this file, such as corrected ones.", metavar="FILE"),
    ] = None,
    settings: Mapping[str, str] = MappingProxyType({}),
    jobs: JobsOption = None,
    suite: SuiteOption = "",
    on: OnOption = None,
    shard_rows: ShardRowsOption = None,
) -> None:
    """Score a file, or a run."""
    workers = jobs or os.cpu_count() or 1
    cluster = None
    if on is not None or shard_rows is not None:
        from herobench.cli.on_cluster import choose_cluster

        cluster = choose_cluster(on, output, shard_rows, jobs)
    if Path(tasks).is_dir():
        if answers is not None:
            raise UsageError("A run has its own answers: leave the answers file out.")
        from herobench.runs.folder import open_run

        if suite != open_run(Path(tasks)).read_manifest()["config"]["suite"]:
            raise UsageError("A run names its suite: leave --suite out.")
        if cluster is not None:
            raise UsageError("A run is scored again on this machine: leave --on out.")
        _score_run(Path(tasks), None if output is None else Path(output), settings, fresh_tasks, workers)
    elif fresh_tasks is not None:
        raise UsageError("--fresh-tasks goes with a run: an answers file is scored on the tasks it comes with.")
    elif answers is None or output is None:
        raise UsageError("Say which answers to score and where to: TASKS.jsonl ANSWERS.jsonl -o SCORED.jsonl.")
    elif is_standard_input(tasks) and is_standard_input(answers):
        raise UsageError("Tasks and answers cannot both come from standard input: name a file for one of them.")
    elif cluster is not None:
        _score_on(cluster, suite, tasks, answers, settings)
    else:
        work = scoring_work(suite, tasks, settings)
        _score_file(suite, work, Path(answers), Path(output), workers)


# -- a file -----------------------------------------------------------------------------------------------------------


def _score_file(suite: str, work: RowWork, answers: Path, output: Path, workers: int) -> None:
    file = FileOfRows(work, partial(SampleFacts, suite), Local(workers))
    with (
        closing(file.make_lines(unread_lines(answers))) as rows,
        progress("scored", count_lines(answers)) as step,
    ):
        write_lines(output, watch_each(rows, step))
    wrong = report(file.problems)
    _tell_scored(suite, file.facts, answers.name, work)
    if wrong:
        raise typer.Exit(1)


# -- on a cluster -----------------------------------------------------------------------------------------------------


def _score_on(cluster: OnCluster, suite: str, tasks: str, answers: str, options: Mapping[str, str]) -> None:
    from herobench.cluster.job import Inputs, read_lines

    if is_standard_input(answers):
        raise UsageError("A job on a cluster reads the answers more than once: write them to a file first.")
    work, facts_of = scoring_work(suite, tasks, options), partial(SampleFacts, suite)
    inputs = Inputs(partial(read_lines, answers), work.row_check)
    job = {"command": "score", **work.options()}
    facts, done = cluster.work(job, inputs, LineWork(work, facts_of), facts_of)
    wrong = report(inputs.problems)
    _tell_scored(suite, facts, Path(answers).name, work)
    if wrong or not done:
        raise typer.Exit(1)


def _tell_scored(suite: str, facts: SampleFacts, title: str, work: RowWork) -> None:
    """Print the sums over all rows."""
    print_tally(facts.tally, title, work.options().get("rules"), facts.terms, load_reading(suite))


# -- a run ------------------------------------------------------------------------------------------------------------


def _score_run(
    path: Path, output: Path | None, options: Mapping[str, str], fresh_tasks: Path | None, workers: int
) -> None:
    from herobench.runs.folder import open_run
    from herobench.runs.rescore import rescore

    run = open_run(path)
    suite = str(run.read_manifest()["config"]["suite"])
    facts = SampleFacts(suite)
    with progress("scored", count_lines(run.samples)) as step:

        def watch(sample_facts: Mapping[str, Any]) -> None:
            step()
            facts.merge(sample_facts)

        rescoring = rescore(path, output, options, fresh_tasks, workers, partial(SampleFacts, suite), watch, sys.argv)
    print_tally(facts.tally, str(path), rescoring.identity.get("rules"), facts.terms, load_reading(suite))
    say(f"{rescoring.changed} of {rescoring.measured} have another outcome or score than before", err=True)
    if rescoring.note:
        say(rescoring.note, err=True)
