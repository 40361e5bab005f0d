"""The options of a run, each declared once: its type, its name on the command line, its help, and its default.

The class that a field stands in says where its value is kept. `RunRequest` is what a user asks for: what he did not say
is absent or None. A new run takes the defaults then, and a resumed run what it began with. `Sampling` (of the model),
`AttemptLimits` and `ExecutionOptions` are kept in run.json as they are here, and `RunRequest` has what a user says of
them in `sampling`, `limits` and `conduct`. `herobench run`, `herobench.run` and the JSON Schema of run.json follow from
these tables: after a change of one, `python -m herobench.runs.options` writes the schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, cast

from herobench.adaptive.goal import ALL, Goal
from herobench.conversation import Model
from herobench.data.options import Option, options_in, table_schema
from herobench.models.model import MOST_EPOCHS, Sampling
from herobench.suite.choice import (
    DatasetName,
    Groups,
    Limit,
    ShuffleSeed,
    StrPath,
    SuiteName,
    TaskIds,
    TasksFile,
    what,
)

RANDOM = "random"
"""The text of --fresh for a seed that nobody knows before."""
how = partial(Option, panel="How it is asked")
pace = partial(Option, panel="How fast, and for how much")


def _absolute(path: str) -> str:
    # the run keeps the path, and may be resumed from another folder
    return str(Path(path).absolute())


def _seed(text: str) -> Literal[True] | int:
    """Return the seed that --fresh names, or True for a random one."""
    if text == RANDOM:
        return True
    if not re.fullmatch(r"[0-9]{1,16}", text):
        raise ValueError("give the seed of an earlier run, such as --fresh 7")
    return int(text)


def _goal(texts: Sequence[str]) -> str:
    """Return one goal of all that were given, or `all`."""
    text = ",".join(texts)
    return text if text == ALL else str(Goal.of(text))


def _api(text: str) -> str:
    if text not in ("chat", "responses"):
        raise ValueError("give chat or responses")
    return text


# -- what a user asks for ---------------------------------------------------------------------------------------------


class TaskChoice(TypedDict, total=False):
    """The tasks to ask. If a new run says nothing of them, it asks the suite's default dataset."""

    suite: SuiteName
    tasks: TasksFile
    dataset: DatasetName
    groups: Groups
    task_ids: TaskIds
    shuffle: ShuffleSeed
    limit: Limit
    fresh: Annotated[
        bool | int | None,
        what(
            "Ask private twins of them, which nobody has seen; random ones without SEED.",
            "fresh",
            metavar="[SEED]",
            read=_seed,
            bare=RANDOM,
        ),
    ]
    """The seed that the private twins are made from; True for a random one."""
    context: Annotated[
        int | None,
        what(
            "Leave out tasks whose prompt and reply do not fit this context; a local: model tells its own.",
            "context",
            metavar="TOKENS",
            least=256,
        ),
    ]
    shard: Annotated[
        str | None,
        what(
            "Only part I of N, for one of N machines; herobench merge puts the parts together.",
            "shard",
            metavar="I/N",
        ),
    ]


class RunRequest(TaskChoice, total=False):
    """What a user asks for."""

    model: Annotated[
        str | None,
        Option(
            "A served model, local:FILE.gguf or local:smollm2 on this machine, a player such as oracle or greedy "
            "(`herobench models` lists what needs no key), or replay:ANSWERS.jsonl.",
            "model",
            short="-m",
        ),
    ]
    epochs: Annotated[int | None, what("How often each task is asked.", "epochs", shown="1", least=1, most=MOST_EPOCHS)]
    options: Mapping[str, str]
    """The suite's own settings, such as `{"rules": "paper"}`. On the command line they have options of their own."""
    agent: Annotated[
        str | None, how("one-shot, tools, notes:N, best-of:N, a1, a2, or a plugin.", "agent", shown="one-shot")
    ]
    base_url: Annotated[str | None, how("The server.", "base-url", shown="OPENAI_BASE_URL, or OpenAI")]
    api: Annotated[str | None, how("chat or responses.", "api", shown="chat", read=_api)]
    prices: Annotated[
        StrPath | None, pace("Prices per million tokens, by model, as JSON.", "prices", metavar="FILE", kind=Path)
    ]
    sampling: Mapping[str, Any]
    """Fields of `Sampling`."""
    conduct: Mapping[str, Any]
    """Fields of `ExecutionOptions`."""
    limits: Mapping[str, Any]
    """Fields of `AttemptLimits`."""
    person: Model | None
    """A person who answers in place of a model, behind the protocol of one; `model` is the name of the person."""


# -- what a run keeps -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AttemptLimits:
    """The most that one attempt may use. An attempt that reaches a limit is judged by what it has."""

    calls: Annotated[int | None, pace("The most calls of the model in an attempt.", "attempt-calls", least=1)] = None
    tokens: Annotated[int | None, pace("The most tokens in an attempt, in and out.", "attempt-tokens", least=1)] = None
    """Tokens of prompts and replies together, as the server counts them; guessed where it does not."""
    cost: Annotated[float | None, pace("The most that an attempt may cost.", "attempt-cost", least=0)] = None
    seconds: Annotated[
        float | None,
        pace(
            "The most time that an attempt may wait for replies.",
            "attempt-timeout",
            metavar="SECONDS",
            least=0.1,
            later=True,
        ),
    ] = None
    """Seconds of waiting for replies, without the waits for a turn and those before retries."""

    def reached(self, calls: int, tokens: int, cost: float, seconds: float) -> str | None:
        """Return which limit an attempt has reached, in words; None if it may continue."""
        if self.calls is not None and calls >= self.calls:
            return f"the limit of {self.calls:,} calls an attempt is reached"
        if self.tokens is not None and tokens >= self.tokens:
            return f"the limit of {self.tokens:,} tokens an attempt is reached"
        if self.cost is not None and cost >= self.cost:
            return f"the limit of a cost of {self.cost:g} an attempt is reached"
        return self.out_of_time if self.seconds is not None and seconds >= self.seconds else None

    def seconds_left(self, spent: float) -> float | None:
        """Return the seconds that the next call may wait for its reply; None for any."""
        return None if self.seconds is None else max(0.0, self.seconds - spent)

    @property
    def out_of_time(self) -> str:
        """The limit of time in words."""
        return f"the limit of {self.seconds:g} seconds an attempt is reached"


@dataclass(frozen=True, slots=True)
class ExecutionOptions:
    """How a session works: its speed, its retries, its processes. Each session of a run may have others."""

    connections: Annotated[int, pace("Requests in flight at once.", "max-connections", least=1, most=10_000)] = 10
    rpm: Annotated[int | None, pace("Requests in any minute.", "rpm", least=1)] = None
    tpm: Annotated[int | None, pace("Tokens in any minute.", "tpm", least=1)] = None
    retries: Annotated[int, pace("Retries after a failure that may pass.", "max-retries", least=0, most=100)] = 5
    timeout: Annotated[float, how("Seconds without a byte from the server.", "timeout", least=0.1)] = 600.0
    stream: Annotated[bool, how("Let replies come bit by bit.", "stream")] = True
    cost_limit: Annotated[float | None, pace("Stop before the run costs more than this.", "cost-limit", least=0)] = None
    jobs: Annotated[int | None, pace("Sandbox workers; all cores when left out.", "jobs", least=1, most=10_000)] = None
    key_name: Annotated[
        str | None,
        how("The variable that holds the key.", "api-key-env", shown="OPENAI_API_KEY", metavar="NAME"),
    ] = None
    cache: Annotated[
        str | None,
        pace(
            "Reuse the replies that this file keeps, and add new ones.",
            "cache",
            metavar="FILE",
            read=_absolute,
        ),
    ] = None
    options: Mapping[str, str] = field(default_factory=dict)
    """The suite's own settings, with which a resumed run is opened. They must lead to the same `identity`."""
    adaptive: Annotated[
        bool,
        pace(
            "Begin with 2 requests at once, and send more while the server keeps up.",
            "adaptive",
            later=True,
        ),
    ] = False
    until: Annotated[
        str | None,
        what(
            "Choose tasks by the verdicts so far, and stop when the interval of the suite's figure spans factor=F, or "
            "at tasks=N or cost=N; several with commas. With longest=N no longer task is asked. A resumed run asks all "
            "tasks with all.",
            "until",
            metavar="LIMIT",
            kind=list[str],
            read=_goal,
            later=True,
        ),
    ] = None

    @property
    def goal(self) -> Goal | None:
        """The goal of a run that chooses its tasks; None for a run of all tasks."""
        return None if self.until in (None, ALL) else Goal.of(self.until)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> ExecutionOptions:
        """Build from the `conduct` of a run.json."""
        return cls(**row)

    def as_row(self) -> dict[str, Any]:
        """Return the `conduct` of a run.json."""
        return {**asdict(self), "options": dict(self.options)}


KEPT: Mapping[str, type] = {"sampling": Sampling, "conduct": ExecutionOptions, "limits": AttemptLimits}
"""The tables that a run keeps, by the names that they have in `RunRequest` and in run.json."""


def request_of(given: Mapping[str, Any], options: Mapping[str, str]) -> RunRequest:
    """Return the request of some fields of all tables, and of the suite's settings."""

    def values_in(table: type) -> dict[str, Any]:
        return {field.field: given[field.field] for field in options_in(table) if field.option and field.field in given}

    kept = {name: values_in(table) for name, table in KEPT.items()}
    return cast("RunRequest", {**values_in(RunRequest), **kept, "options": options})


def run_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Put the options that a run keeps into the JSON Schema of run.json, and return it."""
    config = schema["properties"]["config"]["properties"]
    for name, table in KEPT.items():
        (config if name in config else schema["properties"])[name] |= table_schema(table)
    return schema


if __name__ == "__main__":
    file = Path(__file__).parents[2] / "world_data" / "schemas" / "run.schema.json"
    file.write_text(
        json.dumps(run_schema(json.loads(file.read_text("utf-8"))), indent=2, ensure_ascii=False) + "\n", "utf-8"
    )
