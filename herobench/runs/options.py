"""The options of a run, each declared once: its type, its name on the command line, its help, and its default.

The class that a field stands in says where its value is kept. `RunRequest` is what a user asks for: what he did not say
is absent or None. A new run takes the defaults then, and a resumed run what it began with. `Sampling` (of the model),
`AttemptLimits` and `ExecutionOptions` are kept in run.json as they are here, and `RunRequest` has what a user says of
them in `sampling`, `limits` and `conduct`. `herobench run`, `herobench.run` and the JSON Schema of run.json follow from
these tables: after a change of one, `python -m herobench.runs.options` writes the schema.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

from herobench.adaptive.goal import ALL, Goal
from herobench.conversation import Model
from herobench.data.errors import UsageError
from herobench.data.options import CommandOption, parse_brackets, parse_span, table_schema
from herobench.models.sampling import MOST_EPOCHS, Sampling

RANDOM = "random"
"""The text of --fresh for a seed that nobody knows before."""
StrPath = str | os.PathLike[str]
what = partial(CommandOption, panel="What is asked")
how = partial(CommandOption, panel="How it is asked")
pace = partial(CommandOption, panel="How fast, and for how much")


def _groups(text: str) -> tuple[str, ...]:
    return tuple(map(str, parse_brackets(text)))


def _absolute(path: str) -> str:
    # the run keeps the path, and may be resumed from another folder
    return str(Path(path).absolute())


def _seed(text: str) -> Literal[True] | int:
    """Return the seed that --fresh names, or True for a random one."""
    if text == RANDOM:
        return True
    if not re.fullmatch(r"[0-9]{1,16}", text):
        raise UsageError(f"--fresh takes the seed of an earlier run, such as --fresh 7, not {text!r}.")
    return int(text)


def _is_on(text: str) -> bool:
    if text not in ("on", "off"):
        raise UsageError(f"--feedback is on or off, and not {text!r}.")
    return text == "on"


def _goal(texts: Sequence[str]) -> str:
    """Return one goal of all that were given, or `all`."""
    text = ",".join(texts)
    return text if text == ALL else str(Goal.of(text))


def _api(text: str) -> str:
    if text not in ("chat", "responses"):
        raise UsageError(f"--api is chat or responses, and not {text!r}.")
    return text


# -- what a user asks for ---------------------------------------------------------------------------------------------


class TaskChoice(TypedDict, total=False):
    """The tasks to ask. If a new run says nothing of them, it asks the suite's default dataset."""

    suite: Annotated[str | None, what("suite", "The benchmark suite; `herobench suites` lists them.", default="rpg")]
    tasks: Annotated[StrPath | None, what("tasks", "A tasks file, in place of a shipped set.", kind=Path)]
    dataset: Annotated[
        str | None,
        what(
            "dataset",
            "A shipped set of the suite. Of rpg: horizon (the default), base, leveling, noise, decoys, or a version "
            "such as base-v2.",
        ),
    ]
    groups: Annotated[
        Sequence[str] | None,
        what(
            "difficulty",
            "Only these brackets, such as 9, 1-9 or 3,5-7. Of rpg, the default dataset is then base: horizon has no "
            "brackets.",
            read=_groups,
        ),
    ]
    task_ids: Annotated[
        Sequence[str] | None,
        what("task-id", "Only tasks whose id matches, such as '9/*'.", metavar="GLOB", kind=list[str]),
    ]
    shuffle: Annotated[int | None, what("shuffle", "Shuffle the tasks by this seed.", metavar="SEED")]
    limit: Annotated[
        int | slice | None,
        what("limit", "Only the first N of them, or a part such as 5-15.", metavar="N", read=parse_span),
    ]
    fresh: Annotated[
        bool | int | None,
        what(
            "fresh",
            "Ask private twins of them, which nobody has seen; random ones without SEED.",
            metavar="[SEED]",
            read=_seed,
        ),
    ]
    """The seed that the private twins are made from; True for a random one."""
    shard: Annotated[
        str | None,
        what(
            "shard",
            "Only part I of N, for one of N machines; herobench merge puts the parts together.",
            metavar="I/N",
        ),
    ]


class RunRequest(TaskChoice, total=False):
    """What a user asks for."""

    model: Annotated[
        str | None,
        CommandOption(
            "model",
            "A served model, a player such as oracle or greedy (`herobench suites` lists those of each suite), or "
            "replay:ANSWERS.jsonl.",
            short="-m",
        ),
    ]
    epochs: Annotated[
        int | None, what("epochs", "How often each task is asked.", default="1", least=1, most=MOST_EPOCHS)
    ]
    options: Mapping[str, str]
    """The suite's own settings, such as `{"rules": "paper"}`. On the command line they have options of their own."""
    agent: Annotated[str | None, how("agent", "one-shot, tools, best-of:N, a1, a2, or a plugin.", default="one-shot")]
    feedback: Annotated[
        bool | None,
        how(
            "feedback",
            "Run the plan in parts, and report the result of each part.",
            default="off",
            metavar="on|off",
            read=_is_on,
        ),
    ]
    base_url: Annotated[str | None, how("base-url", "The server.", default="OPENAI_BASE_URL, or OpenAI")]
    api: Annotated[str | None, how("api", "chat or responses.", default="chat", read=_api)]
    prices: Annotated[
        StrPath | None, pace("prices", "Prices per million tokens, by model, as JSON.", metavar="FILE", kind=Path)
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

    calls: Annotated[int | None, pace("attempt-calls", "The most calls of the model in an attempt.", least=1)] = None
    tokens: Annotated[int | None, pace("attempt-tokens", "The most tokens in an attempt, in and out.", least=1)] = None
    """Tokens of prompts and replies together, as the server counts them; guessed where it does not."""
    cost: Annotated[float | None, pace("attempt-cost", "The most that an attempt may cost.", least=0)] = None
    seconds: Annotated[
        float | None,
        pace(
            "attempt-timeout",
            "The most time that an attempt may wait for replies.",
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

    connections: Annotated[int, pace("max-connections", "Requests in flight at once.", least=1, most=10_000)] = 10
    rpm: Annotated[int | None, pace("rpm", "Requests in any minute.", least=1)] = None
    tpm: Annotated[int | None, pace("tpm", "Tokens in any minute.", least=1)] = None
    retries: Annotated[int, pace("max-retries", "Retries after a failure that may pass.", least=0, most=100)] = 5
    timeout: Annotated[float, how("timeout", "Seconds without a byte from the server.", least=0.1)] = 600.0
    stream: Annotated[bool, how("stream", "Let replies come bit by bit.")] = True
    cost_limit: Annotated[float | None, pace("cost-limit", "Stop before the run costs more than this.", least=0)] = None
    jobs: Annotated[int | None, pace("jobs", "Sandbox workers; all cores when left out.", least=1, most=10_000)] = None
    key_name: Annotated[
        str | None,
        how("api-key-env", "The variable that holds the key.", default="OPENAI_API_KEY", metavar="NAME"),
    ] = None
    cache: Annotated[
        str | None,
        pace(
            "cache",
            "Reuse the replies that this file keeps, and add new ones.",
            metavar="FILE",
            read=_absolute,
        ),
    ] = None
    options: Mapping[str, str] = field(default_factory=dict)
    """The suite's own settings, with which a resumed run is opened. They must lead to the same `identity`."""
    adaptive: Annotated[
        bool,
        pace(
            "adaptive",
            "Begin with 2 requests at once, and send more while the server keeps up.",
            later=True,
        ),
    ] = False
    until: Annotated[
        str | None,
        what(
            "until",
            "Choose tasks by the verdicts so far, and stop when the interval of the horizon spans factor=F, or at "
            "tasks=N or cost=N; several with commas. With longest=N no longer task is asked. A resumed run asks all "
            "tasks with all.",
            metavar="LIMIT",
            kind=list[str],
            read=_goal,
            later=True,
        ),
    ] = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> ExecutionOptions:
        """Build from the `conduct` of a run.json."""
        return cls(**row)

    def as_row(self) -> dict[str, Any]:
        """Return the `conduct` of a run.json."""
        return {**asdict(self), "options": dict(self.options)}


KEPT: Mapping[str, type] = {"sampling": Sampling, "conduct": ExecutionOptions, "limits": AttemptLimits}
"""The tables that a run keeps, by the names that they have in `RunRequest` and in run.json."""


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
