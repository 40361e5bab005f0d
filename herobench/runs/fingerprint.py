"""The fingerprint of a run: one short text that two parties compare to see if they have the same result.

It covers everything that scores depend on: the tasks, the settings that identify the run, and the verdict on each
attempt. It does not depend on the order of tasks and samples, nor on times, tokens, costs, machines, paths and servers.
Attempts that were not measured have no verdict. `herobench fingerprint` prints it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from herobench.runs.folder import RunFolder
from herobench.runs.journal import read_journal

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
