"""Prove the certificates of a tasks file again, and name each fault."""

# The docstring above is the help text of the command.

from __future__ import annotations

import json
import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from herobench.cli.on_cluster import FormatOption, OnOption, ShardRowsOption, cluster_of
from herobench.cli.options import JobsOption, SuiteOption, TaskWorldOption, is_rpg, report
from herobench.cli.say import say, say_json
from herobench.data.errors import InputError, Problem, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from herobench.cli.on_cluster import OnCluster
    from herobench.cluster.inputs import Inputs
    from herobench.cluster.job import Ended
    from herobench.work.rows import RowWork


def validate(
    context: typer.Context,
    tasks: Annotated[str, typer.Argument(metavar="TASKS.jsonl", help="A tasks file, or the name of a shipped set.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: what is wrong, by task.")] = False,
    world_name: TaskWorldOption = None,
    jobs: JobsOption = None,
    suite: SuiteOption = "rpg",
    on: OnOption = None,
    shard_rows: ShardRowsOption = None,
    format: FormatOption = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="With --on, the folder of shards.")] = None,
) -> None:
    """Prove certificates."""
    rpg = is_rpg(context, ("tasks", "as_json", "jobs", "on", "shard_rows", "format", "output"))
    workers = jobs or os.cpu_count() or 1
    if cluster := cluster_of(on, output, shard_rows, format, jobs):
        if rpg:
            _validate_on(cluster, tasks, world_name, as_json=as_json)
        else:
            _validate_suite_on(cluster, suite, tasks, as_json=as_json)
    elif output is not None:
        raise UsageError("--output goes with --on: without it, the faults are printed.")
    elif rpg:
        _validate_file(Path(tasks), world_name, workers, as_json=as_json)
    else:
        _validate_suite(suite, Path(tasks), workers, as_json=as_json)


def _validate_file(tasks: Path, world_name: str | None, workers: int, *, as_json: bool) -> None:
    from herobench.cli.progress import progress, watched
    from herobench.data.rows import count_lines, unread_lines
    from herobench.suite.validating import ProofFacts
    from herobench.suites.rpg.worlds.content import load_rules
    from herobench.suites.rpg.worlds.task_file import gathered
    from herobench.task_gen.rpg.datasets import tasks_at, world_of
    from herobench.task_gen.rpg.validation import TaskProofs
    from herobench.work.engine import Local
    from herobench.work.rows import FileOfRows

    world = world_of(world_name, tasks)
    wrong: dict[str, list[str]] = {}
    with tasks_at(tasks) as path:
        file = FileOfRows(TaskProofs(world, load_rules()), ProofFacts, Local(workers))
        with closing(file.made(unread_lines(path))) as proofs, progress("looked at", count_lines(path)) as step:
            for proof in map(json.loads, watched(proofs, step)):
                if proof["faults"]:
                    wrong[proof["task_id"]] = proof["faults"]
    problems = file.problems if file.good else gathered(file.problems, str(path), world)
    _tell(problems, file.good, file.bad, wrong, as_json=as_json)


def _validate_on(cluster: OnCluster, tasks: str, world_name: str | None, *, as_json: bool) -> None:
    """Prove the certificates of files on a cluster, and tell the same of them."""
    from herobench.suites.rpg.worlds.content import load_rules
    from herobench.suites.rpg.worlds.task_file import gathered
    from herobench.task_gen.rpg.datasets import tasks_at, world_of
    from herobench.task_gen.rpg.validation import TaskProofs

    world = world_of(world_name, tasks)
    with tasks_at(Path(tasks)) as path:
        name = str(path) if path.is_file() else tasks
        inputs, ended = _proven_on(cluster, name, TaskProofs(world, load_rules()), with_problems=True)
    problems = list(inputs.problems) if inputs.rows else gathered(list(inputs.problems), tasks, world)
    # a line can have many problems, and is one task
    unread = len({problem.file for problem in inputs.problems})
    _tell(problems, inputs.rows, unread, _faults_in(ended), as_json=as_json)
    if ended.failed:
        raise typer.Exit(1)


def _proven_on(cluster: OnCluster, name: str, work: RowWork, *, with_problems: bool) -> tuple[Inputs, Ended]:
    """Prove the certificates of files on a cluster. Raise InputError if some rows are no tasks, unless they may be."""
    from herobench.cluster.inputs import looked_through
    from herobench.cluster.job import EachRow
    from herobench.suite.validating import ProofFacts

    with cluster.engine() as engine:
        inputs = looked_through(engine, name, work.given, cluster.rows)
        if inputs.problems and not with_problems:
            raise InputError(inputs.problems)
        shards = EachRow(work, ProofFacts)
        return inputs, cluster.run(engine, "validate", shards, work.options(), inputs.shards, inputs)


def _faults_in(ended: Ended) -> dict[str, list[str]]:
    """Return the faults of the tasks that have some, by id and in order."""
    rows = ended.manifest.rows(lambda written: written.facts["wrong"] > 0)
    return {row["task_id"]: row["faults"] for row in rows if row["faults"]}


def _tell(
    problems: Sequence[Problem], known: int, unread: int, wrong: Mapping[str, Sequence[str]], *, as_json: bool
) -> None:
    """Print what is wrong with tasks: `known` counts those that could be read, `unread` the others."""
    if unread and not known and all(problem.path == "" for problem in problems):
        raise InputError(problems)  # the tasks are of another world, so nothing is known of their certificates
    report(problems)
    if unread and not known:
        say("No line is a task of the suite rpg. If they are of another suite, name it with --suite.", err=True)
    if as_json:
        say_json({"tasks": known, "unread": unread, "faults": wrong})
    else:
        for task_id, faults in wrong.items():
            say(*(f"{task_id}: {fault}" for fault in faults))
        say(f"{known - len(wrong)} of {known + unread} tasks hold")
    if wrong or unread:
        raise typer.Exit(1)


def _validate_suite(suite: str, tasks: Path, jobs: int, *, as_json: bool) -> None:
    """Prove the certificates of another suite's tasks. A certificate that does not hold is bad input."""
    from herobench.suite.validating import problems_in

    found = dict(problems_in(suite, tasks, jobs))
    wrong = {task_id: faults for task_id, faults in found.items() if faults}
    _tell_of_suite(str(tasks), len(found), wrong, as_json=as_json)


def _validate_suite_on(cluster: OnCluster, suite: str, tasks: str, *, as_json: bool) -> None:
    """Prove the certificates of another suite's files on a cluster, and tell the same of them."""
    from herobench.suite.validating import SuiteProofs, certificates_of

    each = SuiteProofs(suite, certificates_of(suite))
    inputs, ended = _proven_on(cluster, tasks, each, with_problems=False)
    _tell_of_suite(tasks, inputs.rows, _faults_in(ended), as_json=as_json)
    if ended.failed:
        raise typer.Exit(1)


def _tell_of_suite(tasks: str, known: int, wrong: Mapping[str, Sequence[str]], *, as_json: bool) -> None:
    """Print what is wrong with tasks of another suite. Raise InputError with the faults."""
    if as_json:
        say_json({"tasks": known, "unread": 0, "faults": wrong})
    else:
        say(f"{known - len(wrong)} of {known} tasks hold")
    if wrong:
        claim = "a certificate that holds"
        raise InputError([Problem(tasks, id, claim, fault) for id, faults in wrong.items() for fault in faults])
