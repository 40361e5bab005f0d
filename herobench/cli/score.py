"""Run the plans of an answers file on their tasks, and write a scored row for each; or score a run again.

A run is scored without a model. Its own folder is updated under its own rules; use --output for other rules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.cli.on_cluster import FormatOption, OnOption, ShardRowsOption, cluster_of
from herobench.cli.options import JobsOption, report, settings_of
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.data.files import is_standard_input, real_path

if TYPE_CHECKING:
    from herobench.cli.on_cluster import OnCluster
    from herobench.cluster.job import Ended
    from herobench.cluster.sample_facts import SampleFacts
    from herobench.data.errors import Problem
    from herobench.suites.rpg.game.rules import Rules
    from herobench.suites.rpg.game.task import Task
    from herobench.suites.rpg.play.bulk import ScoredLine
    from herobench.suites.rpg.play.plan import FileAnswer


def score(
    tasks: Annotated[
        str,
        typer.Argument(
            metavar="TASKS.jsonl|RUN", help="A tasks file, the name of a shipped set, or the folder of a run."
        ),
    ],
    answers: Annotated[
        str | None, typer.Argument(metavar="ANSWERS.jsonl", help="An answers file; none with a run.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="The file to write. \\[default: a run's own folder]")
    ] = None,
    rules: Annotated[
        str | None, typer.Option(help="The edition of the rules. \\[default: standard, or the run's]")
    ] = None,
    world: Annotated[
        str | None, typer.Option(help="A shipped world, or the folder of one. \\[default: that of the set or the run]")
    ] = None,
    fresh_tasks: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Score a run's replies on the tasks of this file, such as corrected ones."),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="With a run: a setting of its suite.")
    ] = None,
    jobs: JobsOption = None,
    on: OnOption = None,
    shard_rows: ShardRowsOption = None,
    format: FormatOption = None,
) -> None:
    """Score a file, or a run."""
    workers = jobs or os.cpu_count() or 1
    cluster = cluster_of(on, output, shard_rows, format, jobs)
    if Path(tasks).is_dir():
        if answers is not None:
            raise UsageError("A run has its own answers: leave the answers file out.")
        options = settings_of(settings or (), {"rules": rules, "world": world})
        if cluster is not None:
            _score_run_on(cluster, Path(tasks), options, fresh_tasks)
        else:
            _score_run(Path(tasks), None if output is None else Path(output), options, fresh_tasks, workers)
    elif settings:
        raise UsageError("--set goes with a run: give --rules and --world for an answers file.")
    elif fresh_tasks is not None:
        raise UsageError("--fresh-tasks goes with a run: an answers file is scored on the tasks it comes with.")
    elif answers is None or output is None:
        raise UsageError("Say which answers to score and where to: TASKS.jsonl ANSWERS.jsonl -o SCORED.jsonl.")
    elif is_standard_input(tasks) and is_standard_input(answers):
        raise UsageError("Tasks and answers cannot both come from standard input: name a file for one of them.")
    elif cluster is not None:
        _score_on(cluster, tasks, answers, rules or "standard", world)
    else:
        _score_file(Path(tasks), Path(answers), Path(output), rules or "standard", world, workers)


# -- a file -----------------------------------------------------------------------------------------------------------


def _score_file(tasks: Path, answers: Path, output: Path, rules: str, world: str | None, workers: int) -> None:
    from herobench.analysis.reading.checked import reading_of
    from herobench.analysis.statistics.tally import SampleTally, Terms
    from herobench.analysis.suites.rpg.flat_rows import SUITE, first_cause_in, sample_of_scored
    from herobench.cli.progress import progress
    from herobench.cli.table import print_tally
    from herobench.data.rows import count_lines, write_lines
    from herobench.suites.rpg.play.bulk import scored_lines
    from herobench.suites.rpg.worlds.content import load_rules
    from herobench.task_gen.rpg.datasets import read_tasks_at, world_of

    edition, place = load_rules(rules), world_of(world, tasks)
    tally, terms = SampleTally(), Terms()
    reading = reading_of(SUITE)

    def watch(row: Mapping[str, Any], cause: str | None) -> None:
        if reading.counts(sample := sample_of_scored(row)):
            tally.add(sample, cause)
            terms.add(sample, reading)

    known, problems = read_tasks_at(tasks, place)
    good = _good_answers(answers, known, edition, problems)
    with (
        closing(scored_lines(place, edition, known, good, workers, first_cause_in)) as scored,
        progress("scored", count_lines(answers)) as step,
    ):
        write_lines(output, _watched(scored, watch, step))
    wrong = report(problems)
    print_tally(tally, answers.name, edition.name, terms, reading)
    if wrong:
        raise typer.Exit(1)


def _watched(
    scored: Iterable[ScoredLine], add: Callable[[Mapping[str, Any], str | None], None], step: Callable[[], None]
) -> Iterator[str]:
    """Yield the lines, and add each up and show progress on the way."""
    for line, columns, cause in scored:
        add(columns, cause)
        step()
        yield line


def _good_answers(path: Path, tasks: Mapping[str, Task], rules: Rules, problems: list[Problem]) -> Iterator[FileAnswer]:
    """Yield the answers that can be scored, and add the problems of the others to `problems`."""
    from herobench.suites.rpg.play.plan import FileAnswer, read_answers

    for found in read_answers(path, tasks, rules):
        if isinstance(found, FileAnswer):
            yield found
        else:
            problems.append(found)


# -- on a cluster -----------------------------------------------------------------------------------------------------


def _score_on(cluster: OnCluster, tasks: str, answers: str, rules: str, world: str | None) -> None:
    from herobench.cluster.inputs import looked_through
    from herobench.cluster.scoring import AnswerScoring
    from herobench.cluster.store import local_copy
    from herobench.suite.contract import DEFAULT_SUITE
    from herobench.suites.rpg.play.answer_work import AnswerWork
    from herobench.suites.rpg.worlds.content import load_rules
    from herobench.suites.rpg.worlds.task_file import read_tasks
    from herobench.task_gen.rpg.datasets import tasks_at, world_of

    if is_standard_input(answers):
        raise UsageError("A job on a cluster reads the answers more than once: write them to a file first.")
    edition, place = load_rules(rules), world_of(world, tasks)
    with local_copy(tasks) as local, tasks_at(local) as path:
        known, problems = read_tasks(path, place)
    each = AnswerWork.of(place, edition, known)
    with cluster.engine() as engine:
        inputs = looked_through(engine, answers, each.given, cluster.rows)
        work = AnswerScoring(DEFAULT_SUITE, each)
        ended = cluster.run(engine, "score", work, each.options(), inputs.shards, inputs)
    wrong = report([*problems, *inputs.problems])
    _tell_scored(DEFAULT_SUITE, ended, answers.rstrip("/").rpartition("/")[2], edition.name)
    if wrong or ended.failed:
        raise typer.Exit(1)


def _score_run_on(cluster: OnCluster, path: Path, options: Mapping[str, str], fresh_tasks: Path | None) -> None:
    """Score the samples of a run on a cluster, and tell the same of them."""
    from herobench.cluster.inputs import looked_through
    from herobench.cluster.scoring import RunSamples, ShardRescoring, options_of
    from herobench.data.errors import InputError
    from herobench.runs.rescore import note_of_run, opened_again

    if real_path(path) in (folder := real_path(cluster.folder), *folder.parents):
        raise UsageError(f"{cluster.folder} is in the run's own folder: name a folder elsewhere.")
    if fresh_tasks is not None and is_standard_input(fresh_tasks):
        raise UsageError("A job on a cluster reads the tasks more than once: write them to a file first.")
    with opened_again(path, options, fresh_tasks, 1, in_place=False) as (run, setting, suite):
        work = ShardRescoring.of(suite.name, setting)
        identity, note = options_of(suite), note_of_run(run, suite)
        check = RunSamples.of(suite)
        with cluster.engine() as engine:
            inputs = looked_through(engine, str(run.samples.absolute()), check, cluster.rows, journal=True)
            if inputs.problems:
                raise InputError(inputs.problems)
            ended = cluster.run(engine, "score", work, identity, inputs.shards, inputs)
    facts = _tell_scored(work.suite, ended, str(path), identity.get("rules"))
    say(f"{facts.changed} of {facts.measured} have another outcome or score than before", err=True)
    if note:
        say(note, err=True)
    if ended.failed:
        raise typer.Exit(1)


def _tell_scored(suite: str, ended: Ended, title: str, rules: str | None) -> SampleFacts:
    """Print the sums over all shards, and return their facts."""
    from herobench.analysis.reading.checked import reading_of
    from herobench.cli.table import print_tally
    from herobench.cluster.sample_facts import SampleFacts

    facts = SampleFacts.of(suite, ended.manifest.written)
    print_tally(facts.tally, title, rules, facts.terms, reading_of(suite))
    return facts


# -- a run ------------------------------------------------------------------------------------------------------------


def _score_run(
    path: Path, output: Path | None, options: Mapping[str, str], fresh_tasks: Path | None, workers: int
) -> None:
    from herobench.analysis.reading.checked import first_cause, reading_of
    from herobench.analysis.statistics.tally import SampleTally, Terms
    from herobench.cli.progress import progress
    from herobench.cli.table import print_tally
    from herobench.data.rows import count_lines
    from herobench.runs.folder import open_run
    from herobench.runs.rescore import rescore

    tally, terms, run = SampleTally(), Terms(), open_run(path)
    reading = reading_of(run.read_manifest()["config"]["suite"])
    with progress("scored", count_lines(run.samples)) as step:

        def watch(row: Mapping[str, Any]) -> None:
            step()
            if row["status"] == "ok" and reading.counts(row):
                tally.add(row)
                terms.add(row, reading)

        scored = rescore(path, output, options, fresh_tasks, workers, watch, sys.argv, first_cause)
    tally.overall.causes.update(scored.remarks)
    print_tally(tally, str(path), scored.identity.get("rules"), terms, reading)
    say(f"{scored.changed} of {scored.measured} have another outcome or score than before", err=True)
    if scored.note:
        say(scored.note, err=True)
