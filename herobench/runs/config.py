"""Which settings identify a run (they cannot change on resume), and which may differ in each session.

All samples of a run must be comparable. `RunConfig` holds everything that a reply or its score depends on; a run with
another configuration is another run. `ExecutionOptions` in options.py holds the rest, such as the number of requests at
once.

`choose_agent` chooses the agent of a run, and the mode in which the suite is opened for it. A suite may have modes:
forms in which the same tasks are played, such as `plan` (one reply with the whole plan) and `feedback` (the plan in
parts, each followed by its results). Its first mode is the usual one. An agent may be made for some modes only.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from itertools import islice, zip_longest
from pathlib import Path
from time import time_ns
from typing import Any, TypeVar

from herobench.agents.agent import Agent, AgentFacts, agent_facts, build_agent
from herobench.data.documents import json_object
from herobench.data.errors import UsageError
from herobench.data.options import options_in
from herobench.data.rows import dump_row
from herobench.models.endpoint import key_in
from herobench.models.model import Sampling
from herobench.models.secrets import HIDDEN, Secrets, hidden, public_url
from herobench.runs.options import KEPT, AttemptLimits, RunRequest, TaskChoice
from herobench.runs.refusals import RunFault
from herobench.suite.checked import declared_options, suite_class, suite_errors
from herobench.suite.contract import TaskInfo
from herobench.suite.task_rows import MADE

_WRITTEN = re.compile(r"([0-9]{1,6})/([0-9]{1,6})", re.ASCII)
_Thing = TypeVar("_Thing")


@dataclass(frozen=True, slots=True)
class RunShare:
    """The share that a run has, and the tasks that it is a share of."""

    part: int
    parts: int
    tasks: str = ""
    """SHA-256 of the tasks of all shards together."""
    identity: Mapping[str, str] = field(default_factory=dict)
    """`Suite.identity()` for the tasks of all shards together."""

    @classmethod
    def of(cls, text: str) -> RunShare:
        """Read a share, such as 2/3 for every third task from the second on. Raise UsageError for anything else."""
        found = _WRITTEN.fullmatch(text.strip())
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise UsageError(f"A shard is a part of several, such as 2/3 for the second of three, and not {text!r}.")
        return cls(int(found[1]), int(found[2]))

    def among(self, tasks: Mapping[str, TaskInfo]) -> dict[str, TaskInfo]:
        """Return the tasks of this share. Raise UsageError when there are none."""
        if self.parts > len(tasks):
            raise UsageError(RunFault.TOO_MANY_SHARDS, tasks=len(tasks), parts=self.parts)
        return dict(islice(tasks.items(), self.part - 1, None, self.parts))


def whole(shares: Sequence[Sequence[_Thing]]) -> list[_Thing]:
    """Return what was shared, in its order, from all shares in theirs."""
    missing = object()
    rounds = zip_longest(*shares, fillvalue=missing)
    return [thing for each in rounds for thing in each if thing is not missing]  # type: ignore[misc]


def digest_of_tasks(suite: str, tasks: Iterable[TaskInfo]) -> str:
    """Return the digest of the rows of a suite's tasks, by which a run knows its own.

    Raise SuiteError for a row that JSON cannot say: the run could not keep it."""
    digest = hashlib.sha256()
    with suite_errors(suite, "tasks"):
        for task in tasks:
            digest.update(dump_row(task.row).encode())
    return digest.hexdigest()


def makes_tasks(seed: int | None, task_ids: Iterable[str]) -> bool:
    """Return whether a run with this seed of private twins makes tasks as they are needed, and has made these.

    A run of a file with such tasks has no seed.
    """
    return seed is not None and any(task_id.startswith(MADE) for task_id in task_ids)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that replies and scores depend on."""

    suite: str
    """The name of the suite, such as `rpg`."""
    dataset: str
    """The name of the dataset with its version, or of the tasks file."""
    tasks: str
    """SHA-256 of the chosen tasks as rows of the run's tasks.jsonl."""
    task_count: int
    epochs: int
    model: str
    base_url: str | None
    """Without credentials; None for a model that is not served."""
    api: str
    sampling: Sampling
    agent: str
    identity: Mapping[str, str]
    """The `identity` of the suite and of the agent: digests and editions whose meaning only these know."""
    fresh: int | None = None
    """The seed of the private twins that are asked in place of the dataset's tasks; None for the tasks themselves."""
    limits: AttemptLimits = field(default_factory=AttemptLimits)
    shard: RunShare | None = None
    """The share of the tasks that is asked; None for all of them."""

    @property
    def asked(self) -> str:
        """The name of the tasks: the dataset, or fresh twins of it and their seed."""
        return self.dataset if self.fresh is None else f"fresh twins of {self.dataset}, seed {self.fresh}"

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> RunConfig:
        """Build from the `config` of a run.json."""
        # runs from before attempts had limits do not name them
        limits = AttemptLimits(**row.get("limits", {}))
        shard = RunShare(**row["shard"]) if row.get("shard") else None
        return cls(**{**row, "sampling": Sampling(**row["sampling"]), "limits": limits, "shard": shard})

    def as_row(self) -> dict[str, Any]:
        """Return the `config` of a run.json, with secrets hidden."""
        row = {**asdict(self), "identity": dict(self.identity)}
        row["sampling"]["extra_body"] = hidden(row["sampling"]["extra_body"])
        return row

    def differences(self, other: RunConfig) -> list[str]:
        """Return a line for each option that differs, such as `--temperature: 0.0, now 1.0`, without digests."""
        before, after = _flat(self.as_row()), _flat(other.as_row())
        differing = [
            path
            for path in dict.fromkeys([*before, *after])
            if _other(before.get(path, _ABSENT), after.get(path, _ABSENT))
        ]
        lines = [
            f"{_option_words(self.suite, path)}: {_difference_words(before.get(path), after.get(path))}"
            for path in differing
            if path[0] not in _OF_TASKS
        ]
        if len(lines) < len(differing):
            count = f"{self.task_count:,} of {self.dataset}, now {other.task_count:,} of {other.dataset}"
            lines.append(f"{_TASK_OPTIONS}: {count}{', other ones' if self._asks_as_many(other) else ''}")
        return lines

    def _asks_as_many(self, other: RunConfig) -> bool:
        return (self.task_count, self.dataset) == (other.task_count, other.dataset)


_OF_TASKS = ("tasks", "task_count", "dataset")
"""The settings that the choice of tasks makes."""
_OWN_LINES = ("suite", "fresh", "shard")
"""The options of the choice of tasks that the configuration keeps apart."""
_TASK_OPTIONS = ", ".join(f"--{option.name}" for option in options_in(TaskChoice) if option.field not in _OWN_LINES)
_DIGEST = re.compile(r"[0-9a-f]{64}")


def _option_words(suite: str, path: Sequence[str]) -> str:
    """Return the option that a setting is given by, or the name of a setting that follows from other things."""
    first, *inner = path
    if first == "identity":
        (name,) = inner
        return f"--{name}" if name in (declared_options(suite) or {}) else name
    table = KEPT.get(first, RunRequest)
    field, *rest = inner if first in KEPT else path
    names = {option.field: f"--{option.name}" for option in options_in(table) if option.option}
    return " ".join(filter(None, [names.get(field, field), ".".join(rest)]))


def _difference_words(before: object, after: object) -> str:
    if any(isinstance(value, str) and _DIGEST.fullmatch(value) for value in (before, after)):
        return "another one now"
    return f"{before!r}, now {after!r}"


def hidden_argument(argument: str, keys: Sequence[str]) -> str:
    """Return a command-line argument without keys, credentials in addresses, and secrets in JSON."""
    argument = Secrets(keys).covered(argument, HIDDEN)
    for key in keys:  # also a key that is too short to be searched for in replies
        argument = argument.replace(key, HIDDEN)
    option, equals, value = argument.partition("=") if argument.startswith("-") else ("", "", argument)
    return f"{option}{equals}{_hidden_value(value)}"


def _hidden_value(value: str) -> str:
    if (body := json_object(value)) is not None:
        return json.dumps(hidden(body), ensure_ascii=False)
    return public_url(value) if "://" in value else value


def _flat(row: Mapping[str, Any], path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    flat: dict[tuple[str, ...], Any] = {}
    for name, value in row.items():
        inner = (*path, name)
        flat |= _flat(value, inner) if isinstance(value, dict) and value else {inner: value}
    return flat


def _other(before: object, after: object) -> bool:
    """Return whether two values differ as JSON: true is not 1, and null is not a missing field."""
    absent = before is _ABSENT or after is _ABSENT
    return absent or json.dumps(before, sort_keys=True) != json.dumps(after, sort_keys=True)


_ABSENT = object()


_PACKAGES = ("RestrictedPython", "httpx", "httpx2", "jsonschema", "numpy", "openai")
_SECONDS = 10


def now() -> str:
    """Return the time in UTC, to the millisecond."""
    seconds, milliseconds = divmod(time_ns() // 1_000_000, 1_000)
    return f"{_to_the_second(seconds)}.{milliseconds:03}Z"


@lru_cache(maxsize=1)  # each call of a model has two times, and thousands of calls are made in one second
def _to_the_second(seconds: int) -> str:
    """Return seconds since 1970 as a date and a time in UTC."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None).isoformat()


def session_row(argv: Sequence[str], key_name: str | None) -> dict[str, Any]:
    """Return the row of a session that begins. The key is taken out of the command line."""
    key = key_in(key_name)
    return {
        "argv": [hidden_argument(argument, [key] if key else []) for argument in argv],
        "herobench": version("herobench"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "git": _own_git_state(),
        "started": now(),
        "finished": None,
        "ended": None,
    }


@cache
def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@cache
def _own_git_state() -> dict[str, Any] | None:
    """Return the state of this code. It is asked for once: a process goes on with the code that it has loaded."""
    return _git_state(Path(__file__).resolve().parent)


def _git_state(folder: Path) -> dict[str, Any] | None:
    """Return the commit of the code in a folder, and whether it was changed since; None where git does not track it."""
    git = shutil.which("git")
    # an installed package may lie inside a foreign repository, whose commit says nothing of this code
    if git is None or _said(git, folder, "ls-files", "--error-unmatch", Path(__file__).name) is None:
        return None
    commit = _said(git, folder, "rev-parse", "HEAD")
    changed = _said(git, folder, "status", "--porcelain", "--untracked-files=no")
    return None if commit is None else {"commit": commit, "dirty": changed != ""}


def _said(git: str, folder: Path, *args: str) -> str | None:
    # without optional locks `git status` writes nothing, so it disturbs no other git in the same tree
    surroundings = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(
            [git, "-C", str(folder), *args], capture_output=True, text=True, timeout=_SECONDS, env=surroundings
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


# -- the agent --------------------------------------------------------------------------------------------------------


DEFAULT_AGENT = "one-shot"
MODE = "mode"
"""The suite's setting that names its mode."""


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """The agent of a run."""

    name: str
    agent: Agent
    facts: AgentFacts
    options: Mapping[str, str]
    """The suite's settings, with the mode that the agent plays."""


def choose_agent(
    name: str | None, suite: str, options: Mapping[str, str], before: Mapping[str, Any] | None
) -> AgentChoice:
    """Make the agent of a run; `before` is the run.json of a resumed one. Raise UsageError where nothing fits."""
    chosen = name or (before["config"]["agent"] if before else DEFAULT_AGENT)
    agent = build_agent(chosen)
    facts = agent_facts(agent, chosen)
    if facts.suites and suite not in facts.suites:
        raise UsageError(RunFault.AGENT_OF_OTHER_SUITES, agent=chosen, suites=" and ".join(facts.suites), suite=suite)
    settings = {**(before["conduct"]["options"] if before else {}), **options}
    modes = suite_class(suite).modes
    # a suite without modes may have a setting of this name for something else
    mode = _mode(settings.pop(MODE, None) if modes else None, chosen, facts.modes, suite, modes)
    return AgentChoice(chosen, agent, facts, {**settings, **({} if mode is None else {MODE: mode})})


def _mode(wanted: str | None, agent: str, played: Sequence[str], suite: str, modes: Sequence[str]) -> str | None:
    """Return the mode to open a suite in; None for a suite without modes."""
    if wanted is None:
        mode = next((mode for mode in played or modes if mode in modes), None)
        if mode is None and played and modes:
            raise UsageError(
                RunFault.NO_COMMON_MODE, agent=agent, played=_list(played), suite=suite, modes=_list(modes)
            )
    elif wanted not in modes:
        raise UsageError(RunFault.NO_MODE, suite=suite, mode=wanted, modes=_list(modes))
    elif played and wanted not in played:
        raise UsageError(RunFault.AGENT_WITHOUT_MODE, agent=agent, mode=wanted, played=_list(played))
    else:
        mode = wanted
    # said for the usual one too: a resumed run must not fall back to the mode that it keeps
    return mode


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
