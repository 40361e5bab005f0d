"""The options of commands that can work on a cluster, and what they say at the end of a job there."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from herobench.cli.progress import progress
from herobench.cli.say import say
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from herobench.cluster.inputs import Inputs
    from herobench.cluster.job import Ended, ShardWork
    from herobench.cluster.manifest import Shard
    from herobench.cluster.on_ray import RayEngine
    from herobench.cluster.row_files import Format
    from herobench.suite.generating import Numbered

FormatChoice = Literal["jsonl", "parquet"]
OnOption = Annotated[
    str | None,
    typer.Option(
        "--on", metavar="ray[://HOST:PORT]", help="Work on a Ray cluster. --output is then a folder of shards."
    ),
]
ShardRowsOption = Annotated[
    int | None, typer.Option("--shard-rows", min=1, help="With --on, the rows of a shard. \\[default: 1000]")
]
FormatOption = Annotated[
    FormatChoice | None, typer.Option("--format", help="With --on, the format of the shards. \\[default: jsonl]")
]


@dataclass(frozen=True, slots=True)
class OnCluster:
    """Says which cluster a command works on, and which folder takes its shards."""

    on: str
    folder: str
    rows: int
    format: Format
    jobs: int | None

    def engine(self) -> AbstractContextManager[RayEngine]:
        """Connect to the cluster."""
        from herobench.cluster.on_ray import ray_engine

        return ray_engine(self.on, self.jobs)

    def run(
        self,
        engine: RayEngine,
        command: str,
        work: ShardWork,
        options: Mapping[str, Any],
        shards: Sequence[Shard],
        inputs: Inputs | None = None,
    ) -> Ended:
        """Make the shards that are missing, and say how it ended."""
        from herobench.cluster.job import run_job
        from herobench.cluster.manifest import Identity

        known = {**options, "shard_rows": self.rows}
        identity = Identity(command, known, self.format, inputs.identities() if inputs else ())
        with progress("finished shards", len(shards)) as step:
            ended = run_job(engine, work, self.folder, identity, shards, step)
        _close(ended, self.folder)
        return ended

    def make(self, tasks: Numbered) -> None:
        """Make tasks by their numbers. Exit with 1 if some shards are not made."""
        from herobench.cluster.job import EachNumber

        work = EachNumber(tasks)
        with self.engine() as engine:
            ended = self.run(engine, "generate", work, work.options(), work.shards(self.rows))
        if ended.failed:
            raise typer.Exit(1)


def choose_cluster(
    on: str | None, output: str | None, shard_rows: int | None, format: FormatChoice | None, jobs: int | None
) -> OnCluster | None:
    """Return where a command works by its options; None for this machine. Raise UsageError for what does not fit."""
    # Nothing of the cluster is imported on one machine: it would slow down every command.
    if on is None:
        for name, value in (("shard-rows", shard_rows), ("format", format)):
            if value is not None:
                raise UsageError(f"--{name} goes with --on, which writes shards: leave it out, or add --on ray.")
        if output is not None and "://" in output:
            raise UsageError("--output is a URL, and only jobs on a cluster write there: add --on ray.")
        return None
    if output is None or output == "-":
        raise UsageError("--on writes shards to a folder: name it with --output.")
    from herobench.cluster.job import SHARD_ROWS
    from herobench.cluster.row_files import refuse_without_parquet

    if format == "parquet":
        refuse_without_parquet()
    return OnCluster(on, output, shard_rows or SHARD_ROWS, format or "jsonl", jobs)


def _close(ended: Ended, folder: str) -> None:
    """Print the rows that a job wrote, the retries, and the missing rows."""
    shards = "1 shard" if ended.manifest.shards == 1 else f"{ended.manifest.shards:,} shards"
    rows = "1 row" if ended.rows == 1 else f"{ended.rows:,} rows"
    again = f"; {ended.retried:,} tried more than once" if ended.retried else ""
    say(f"{rows} in {shards} in {folder}{again}", err=True)
    for file, reason in ended.failed.items():
        say(f"{file} is not written {reason}", err=True)
    if ended.failed:
        say("The same command makes the missing shards.", err=True)
