"""Makes one run of the shards of a run, for `herobench merge`, and the fingerprint of a run.

The shards must be of one run: the same configuration, all parts once, and tasks that make the digest which each of them
keeps. The merged run is like one that was never shared: it can be resumed, scored again and analyzed.

A fingerprint is one short text that two parties compare to see if they have the same result. It covers everything that
scores depend on: the tasks, the settings that identify the run, and the verdict on each attempt. It does not depend on
the order of tasks and samples, nor on times, tokens, costs, machines, paths and servers. Attempts that were not
measured have no verdict. `herobench fingerprint` prints it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from herobench.data.errors import InputError, Problem, StoreError, UsageError
from herobench.data.files import real_path
from herobench.data.rows import dump_row
from herobench.runs.config import RunConfig, RunShare, whole
from herobench.runs.folder import RunFolder, is_known, open_run, remember
from herobench.runs.journal import read_journal
from herobench.suite.players import HELP
from herobench.suite.task_rows import digest_of_task, digests_of_files, is_twin, note_of_others

_SUMS = ("total", "measured", "wins", "unmeasured", "owed")


@dataclass(frozen=True, slots=True)
class Merged:
    """A run that was made of shards."""

    path: Path
    shards: int
    measured: int
    owed: int
    """Attempts without a measured sample."""
    note: str | None = None
    """Says that the tasks differ from the dataset that the run names; None if nothing says so."""


@dataclass(frozen=True, slots=True)
class _Part:
    folder: RunFolder
    manifest: dict[str, Any]
    config: RunConfig
    shard: RunShare


def merge(paths: Sequence[Path], output: Path) -> Merged:
    """Merge shards into a new run. Raise UsageError, with the reason, when they do not belong together."""
    times = Counter(real_path(path) for path in paths)
    for path in paths:
        if times[real_path(path)] > 1:
            raise UsageError(f"{path} is there twice: name each shard once.")
    with ExitStack() as locks:
        parts = [_part(locks.enter_context(open_run(path))) for path in paths]
        parts.sort(key=lambda part: part.shard.part)
        _refuse_others(parts)
        files = parts[0].folder.read_files(parts[0].manifest)
        for part in parts[1:]:
            if part.folder.read_files(part.manifest) != files:
                raise UsageError(f"{part.folder.path} has other files of the suite than {parts[0].folder.path}.")
        tasks = _tasks(parts)
        folder = RunFolder(output)
        if folder.begun:
            raise UsageError(f"{output} is a run already: name a new folder.")
        folder.refuse_strangers(files)
        locks.enter_context(folder)
        try:
            manifest = _manifest(parts, len(tasks))
            samples = (row for part in parts for row in part.folder.read_samples())
            calls = (row for part in parts for row in part.folder.read_calls())
            if all(is_known(part.manifest) for part in parts):
                remember(manifest)
            folder.create(manifest, tasks, files, samples, calls)
            if not manifest["totals"]["owed"]:
                folder.pack()
        except OSError as error:
            raise StoreError(output, error) from error
    totals = manifest["totals"]
    return Merged(output, len(parts), totals["measured"], totals["owed"], _note(output, manifest, tasks, files))


def _note(output: Path, manifest: Mapping[str, Any], tasks: Sequence[Any], files: Mapping[str, str]) -> str | None:
    """Return a sentence if the tasks differ from the shipped dataset that the run names."""
    rows, of_files = {str(row.get("id", number)): row for number, row in enumerate(tasks)}, digests_of_files(files)
    digests = {id: digest_of_task(row, of_files) for id, row in rows.items()}
    return note_of_others(str(output), manifest, digests, {id for id, row in rows.items() if is_twin(row)})


def _part(folder: RunFolder) -> _Part:
    manifest = folder.read_manifest()
    config = RunConfig.from_row(manifest["config"])
    if config.shard is None:
        raise UsageError(f"{folder.path} is a whole run, and no shard of one: --shard makes shards.")
    if manifest["totals"] is None:
        raise UsageError(f"{folder.path} has no session that ended: herobench run --resume {folder.path}")
    return _Part(folder, manifest, config, config.shard)


def _refuse_others(parts: Sequence[_Part]) -> None:
    """Raise UsageError unless the parts are all shards of one run, each once."""
    first = parts[0]
    for before, part in pairwise(parts):
        if differences := _shared(first.config).differences(_shared(part.config)):
            told = [f"  {difference}" for difference in differences]
            raise UsageError(f"{part.folder.path} is no shard of the same run as {first.folder.path}:", told)
        if part.manifest["price"] != first.manifest["price"]:
            raise UsageError(f"{part.folder.path} was asked at other prices than {first.folder.path}.")
        if before.shard.part == part.shard.part:
            told_twice = f"{before.folder.path} and {part.folder.path}"
            raise UsageError(f"Shard {part.shard.part}/{part.shard.parts} is there twice, in {told_twice}.")
    if missing := sorted(set(range(1, first.shard.parts + 1)) - {part.shard.part for part in parts}):
        names = ", ".join(f"{part}/{first.shard.parts}" for part in missing[:5])
        raise UsageError(f"{len(missing)} of {first.shard.parts} shards are missing: {names}.")


def _shared(config: RunConfig) -> RunConfig:
    """Return what all shards of a run have in common."""
    assert config.shard is not None
    # a shard whose tasks need fewer words than the whole has an identity of its own
    identity = {**config.identity, **config.shard.identity}
    shard = replace(config.shard, part=0)
    return replace(config, tasks=config.shard.tasks, task_count=0, identity=identity, shard=shard)


def _tasks(parts: Sequence[_Part]) -> list[Any]:
    """Return the tasks of all parts in the order of the run. Raise InputError when they are not what was shared."""
    tasks = whole([list(part.folder.read_tasks()) for part in parts])
    digest = hashlib.sha256("".join(map(dump_row, tasks)).encode()).hexdigest()
    if digest != parts[0].shard.tasks:
        expected = f"the tasks that were shared (SHA-256 {parts[0].shard.tasks[:12]}...), but a file was changed"
        raise InputError([Problem(str(part.folder.tasks), "", expected) for part in parts])
    return tasks


def _manifest(parts: Sequence[_Part], tasks: int) -> dict[str, Any]:
    first = parts[0]
    config = replace(_shared(first.config), task_count=tasks, shard=None)
    ids = "".join(part.manifest["id"] for part in parts)
    sessions = [session for part in parts for session in part.manifest["sessions"]]
    totals = [part.manifest["totals"] for part in parts]
    costs = [total["cost"] for total in totals if total["cost"] is not None]
    return {
        **first.manifest,
        "id": hashlib.sha256(ids.encode()).hexdigest()[:8],
        "config": config.as_row(),
        "help": [value for value in HELP if any(value in part.manifest.get("help", ()) for part in parts)],
        "served": sorted({name for part in parts for name in part.manifest["served"]}),
        "totals": {
            **{name: sum(total[name] for total in totals) for name in _SUMS},
            "cost": sum(costs) if costs else None,
        },
        "sessions": sorted(sessions, key=lambda session: str(session["started"])),
    }


# -- the fingerprint --------------------------------------------------------------------------------------------------


_FORMAT = 1
"""The number of the format. It goes up with any change after which the same run would have another fingerprint."""
_SETTINGS = ("suite", "model", "agent", "epochs", "sampling", "limits", "identity")
"""The parts of a configuration that count. The tasks count by their rows, whatever their file is called."""


class AttemptOutcome(NamedTuple):
    """The verdict on one attempt."""

    task_id: str
    epoch: int
    won: bool
    score: float


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A fingerprint with the parts that it is made of."""

    settings: Mapping[str, Any]
    """Values by names such as `sampling.temperature`. A setting that was left out is not among them."""
    tasks: str
    """A digest of the rows of the tasks."""
    outcomes: tuple[AttemptOutcome, ...]
    """The verdicts, by task and epoch."""

    @property
    def verdicts(self) -> str:
        """A digest of the verdicts."""
        return _digest(self.outcomes)

    def __str__(self) -> str:
        parts = {"settings": dict(self.settings), "tasks": self.tasks, "verdicts": self.verdicts}
        return f"{_FORMAT}-{_digest([parts])}"


def read_fingerprint(folder: RunFolder) -> Fingerprint:
    """Return the fingerprint of a run. Raise InputError when a file of the run cannot be read."""
    config = folder.read_manifest()["config"]
    settings = dict(_flat({name: config[name] for name in _SETTINGS if name in config}))
    rows = sorted(map(_canonical, read_journal(folder.tasks)))
    measured = (row for row in folder.read_samples() if row["status"] == "ok")
    # a whole number and the same number with a point are one score
    outcomes = (AttemptOutcome(row["task_id"], row["epoch"], row["won"], float(row["score"])) for row in measured)
    return Fingerprint(settings, _digest(rows), tuple(sorted(outcomes)))


def _flat(row: Mapping[str, Any], path: str = "") -> Iterable[tuple[str, Any]]:
    """Yield the settings that were made, each with its whole name."""
    for name, value in sorted(row.items()):
        if isinstance(value, dict):
            yield from _flat(value, f"{path}{name}.")
        elif value is not None:
            yield f"{path}{name}", value


def _digest(values: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for value in values:
        digest.update(f"{_canonical(value)}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
