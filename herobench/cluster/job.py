"""A job: the shards of one command, made by an engine, each written once, and noted in the manifest.

A job that is begun again in the same folder makes the shards that are missing. Its rows are in the order of its input,
and of its shards: the files one after the other are what the command writes on one machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from herobench.cluster.engine import Done, Engine, results
from herobench.cluster.manifest import Identity, Manifest
from herobench.cluster.shard import Shard
from herobench.cluster.store import StoreFolder
from herobench.cluster.tables import Format
from herobench.cluster.work import ShardWork, Writing
from herobench.data.errors import UsageError

SHARD_ROWS = 1000
"""The rows of a shard if no number is given."""
_BETWEEN = 5.0
"""The least seconds between two times that the manifest is written."""
_SHARE = 20
"""The manifest takes at most one part in so many of the time."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Tells how a session of a job ended: what it wrote, what it tried again, what it could not write."""

    manifest: Manifest
    retried: int
    """The number of shards that were tried more than once."""
    failed: dict[str, str]
    """Why shards are not written, by the names of their files."""

    @property
    def rows(self) -> int:
        """The number of rows in all shards that are written."""
        return sum(written.rows for written in self.manifest.written)


@dataclass(frozen=True, slots=True)
class Output:
    """Names the folder that takes the shards, and their format."""

    folder: str
    format: Format = "jsonl"


def run_job(
    engine: Engine,
    work: ShardWork,
    output: Output,
    identity: Identity,
    shards: Sequence[Shard],
    step: Callable[[], None],
) -> Ended:
    """Make the shards that are missing. `step` is called for each shard that is there.

    Raise UsageError if the folder holds another job.
    """
    folder = StoreFolder(output.folder)
    manifest = Manifest(folder, identity, shards)
    manifest.resume()
    for _ in manifest.written:
        step()
    saving = _Saving(manifest)
    writing = Writing(work, output.folder, output.format)
    retried, failed = 0, dict[str, str]()
    try:
        with closing(results(engine, writing, manifest.waiting)) as ended:
            for one in ended:
                if isinstance(one, Done):
                    if not manifest.written:
                        _refuse_if_elsewhere(folder, manifest.file_of(one.given))
                    manifest.finished(one.given, one.made)
                    retried += one.tries > 1
                    step()
                else:
                    failed[manifest.file_of(one.given)] = one.reason
                saving.now_and_then()
    finally:
        manifest.save()
        writing.close()
    failed |= dict.fromkeys(manifest.forget_missing(), "in the folder as it is here")
    if not failed:
        folder.tidy()
    return Ended(manifest, retried, failed)


def _refuse_if_elsewhere(folder: StoreFolder, file: str) -> None:
    """Raise UsageError if a worker wrote a shard to a folder of its own, which nobody else sees."""
    if file not in folder.sizes():
        raise UsageError(
            f"A worker wrote {file}, and it is not in {folder.name} here: name a folder that all machines share, or "
            "a URL."
        )


class _Saving:
    """Writes the manifest now and then: with many shards it is large, and to write it for each would take for ever."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._next = 0.0
        self.now_and_then()

    def now_and_then(self) -> None:
        """Write the manifest, unless it was written a short time ago."""
        began = time.monotonic()
        if began >= self._next:
            self._manifest.save()
            took = time.monotonic() - began
            self._next = began + max(_BETWEEN, took * _SHARE)
