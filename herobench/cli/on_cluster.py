"""A command's job on a cluster: starts it, and says how it went. It is imported with --on only, as it takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from herobench.cli.say import progress, say
from herobench.cluster.job import Inputs, Line, Writing, made_of_number, run_job
from herobench.cluster.on_ray import ray_engine
from herobench.data.errors import UsageError
from herobench.suite.generating import Numbered
from herobench.work.engine import Each, Work
from herobench.work.rows import Facts


@dataclass(frozen=True, slots=True)
class OnCluster:
    """Works on a cluster, and writes shards to a folder."""

    on: str
    folder: Path
    rows: int
    """The rows of a shard."""
    jobs: int | None

    def work(
        self, job: Mapping[str, Any], inputs: Inputs, work: Work[Line, Any], facts: Callable[[], Facts]
    ) -> tuple[Facts, bool]:
        """Work on lines. Return the facts of the rows that are written, and whether these are all."""
        writing = Writing(self.folder, work, facts)
        return self._run(writing, {**job, "input": inputs.digest}, inputs.lines(), inputs.rows)

    def make(self, tasks: Numbered) -> bool:
        """Make tasks by their numbers. Return whether all are written."""
        writing = Writing(self.folder, Each(partial(made_of_number, tasks.make)))
        job = {"command": "generate", **tasks.identity, "numbers": sha256(repr([*tasks.numbers]).encode()).hexdigest()}
        lines = ((str(number), str(number).encode()) for number in tasks.numbers)
        return self._run(writing, job, lines, len(tasks.numbers))[1]

    def _run(self, work: Writing, job: Mapping[str, Any], lines: Iterable[Line], count: int) -> tuple[Any, bool]:
        """Write shards and say how many, and why some are not written."""
        shards, failures, total = -(-count // self.rows), 0, work.facts()
        with ray_engine(self.on, self.jobs) as engine, progress("finished shards", shards) as step:
            for file, facts, reason in run_job(engine, work, job, lines, self.rows):
                step()
                if reason:
                    failures += 1
                    say(f"{file} is not written: {reason}", err=True)
                else:
                    total.merge(facts)
        say(f"{count:,} rows: {shards - failures:,} of {shards:,} shards are in {self.folder}", err=True)
        if failures:
            say("The same command makes the missing shards.", err=True)
        return total, not failures


def choose_cluster(on: str | None, output: str | None, shard_rows: int | None, jobs: int | None) -> OnCluster:
    """Return where a command works by its options. Raise UsageError for what does not fit."""
    if on is None:
        raise UsageError("--shard-rows goes with --on, which writes shards: leave it out, or add --on ray.")
    if output is None or output == "-":
        raise UsageError("--on writes shards to a folder: name it with --output.")
    return OnCluster(on, Path(output).absolute(), shard_rows or 1000, jobs)
