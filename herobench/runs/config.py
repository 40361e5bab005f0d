"""What makes a run the run that it is, and what may be another each time it is gone on with.

A run's samples have to be comparable among each other: whatever an answer or its score depends on is in `RunConfig`,
and a run whose configuration changed is another run. How fast and how patiently it asks is in `Conduct`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from herobench.models.model import Sampling
from herobench.models.secrets import HIDDEN, Secrets, hidden, public_url
from herobench.rpg.content import DEFAULT_WORLD


@dataclass(frozen=True, slots=True)
class RunConfig:
    """What answers and scores depend on."""

    suite: str
    """The dataset's name, or that of the tasks file."""
    tasks: str
    """SHA-256 of the tasks that were chosen, as they stand in the run's own file."""
    task_count: int
    epochs: int
    model: str
    base_url: str | None
    """Without credentials; None where the model is not served."""
    api: str
    sampling: Sampling
    agent: str
    world: str
    world_digest: str
    rules: str
    prompts: str
    """SHA-256 of the words of the prompts."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> RunConfig:
        """Build from the `config` of a run.json."""
        return cls(**{**row, "sampling": Sampling(**row["sampling"])})

    def as_row(self) -> dict[str, Any]:
        """The `config` of a run.json, with what is secret hidden."""
        row = asdict(self)
        row["sampling"]["extra_body"] = hidden(row["sampling"]["extra_body"])
        return row

    def differences(self, other: RunConfig) -> list[str]:
        """What another configuration has otherwise, a line each: `sampling.temperature: 0.0, now 1.0`."""
        before, after = _flat(self.as_row()), _flat(other.as_row())
        return [
            f"{'.'.join(path)}: {before.get(path)!r}, now {after.get(path)!r}"
            for path in dict.fromkeys([*before, *after])
            if _other(before.get(path, _ABSENT), after.get(path, _ABSENT))
        ]


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a run goes about it."""

    connections: int = 10
    rpm: int | None = None
    tpm: int | None = None
    retries: int = 5
    timeout: float = 600.0
    stream: bool = True
    cost_limit: float | None = None
    jobs: int | None = None
    """Sandbox workers; None for all cores."""
    key_name: str | None = None
    """The environment variable that holds the key."""
    cache: str | None = None
    """A file of replies that were had before."""
    world: str = DEFAULT_WORLD
    """Where the world lies; which one it has to be, the configuration says."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Conduct:
        """Build from the `conduct` of a run.json."""
        return cls(**row)

    def as_row(self) -> dict[str, Any]:
        """The `conduct` of a run.json."""
        return asdict(self)


def hidden_argument(argument: str, keys: Sequence[str]) -> str:
    """What was typed, without keys, credentials in addresses, and secrets in JSON."""
    argument = Secrets(keys).covered(argument, HIDDEN)
    for key in keys:  # one that is too short to be looked for in replies was typed all the same
        argument = argument.replace(key, HIDDEN)
    option, equals, value = argument.partition("=") if argument.startswith("-") else ("", "", argument)
    return f"{option}{equals}{_hidden_value(value)}"


def _hidden_value(value: str) -> str:
    with suppress(ValueError, RecursionError):
        body = json.loads(value)
        if isinstance(body, dict):
            return json.dumps(hidden(body), ensure_ascii=False)
    return public_url(value) if "://" in value else value


def _flat(row: Mapping[str, Any], path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    flat: dict[tuple[str, ...], Any] = {}
    for name, value in row.items():
        inner = (*path, name)
        flat |= _flat(value, inner) if isinstance(value, dict) and value else {inner: value}
    return flat


def _other(before: object, after: object) -> bool:
    """Whether two values are sent as different ones: true is not 1, and null is not nothing."""
    absent = before is _ABSENT or after is _ABSENT
    return absent or json.dumps(before, sort_keys=True) != json.dumps(after, sort_keys=True)


_ABSENT = object()
