"""The protocol of a model, and the setting that one is built from.

An agent asks a model through the run, which counts, retries and records; the model itself must do none of that. It
returns one reply or raises one `ModelError`. Packages add models by an entry point in the group `herobench.models`
whose value takes a `ModelSpec` and returns a `Model`. A model may be foreign code: only `ask_model` and `close` here
call it, so that its faults are told as its own.

Here stand too the sampling options of a request, as the table that `herobench run` makes its options of, and the prices
of tokens, per million and by model, from a file of the user: the ledger of a run uses them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from herobench.conversation import Model, Reply, Request, ToolCall, Usage
from herobench.data.call_rows import refuse_improper
from herobench.data.documents import read_document, schema_problems
from herobench.data.errors import InputError, UsageError
from herobench.data.options import Option
from herobench.models.messages import CHARACTERS_OF_A_CALL
from herobench.models.model_error import ErrorKind, ModelError, ModelFault
from herobench.models.negotiation import USUAL, Dialect

MOST_EPOCHS = 10_000
"""The most epochs of a run."""
option = partial(Option, panel="How it is asked")


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"give JSON ({error})") from error
    if not isinstance(value, dict):
        raise ValueError("give a JSON object, such as '{\"top_k\": 20}'")
    return value


@dataclass(frozen=True, slots=True)
class Sampling:
    """The sampling options of a request. An option that is None is left to the server."""

    max_tokens: Annotated[
        int | None, option("The most tokens of a reply, thoughts included.", "max-tokens", least=1)
    ] = None
    temperature: Annotated[
        float | None, option("The temperature of sampling; 0 for the likeliest token.", "temperature", least=0)
    ] = None
    top_p: Annotated[
        float | None, option("Sample from the likeliest tokens of this total probability.", "top-p", least=0, most=1)
    ] = None
    seed: Annotated[
        int | None,
        option("Sent to the model's server for sampling; each epoch adds 1. Tasks stay the same: see --fresh.", "seed"),
    ] = None
    """The seed of the first epoch. `seed_for` gives the seeds of the others."""
    reasoning_effort: Annotated[
        str | None, option("How much the model thinks, such as low, medium or high.", "reasoning-effort")
    ] = None
    extra_body: Annotated[
        dict[str, Any],
        option(
            "More fields of each request, such as '{\"top_k\": 20}'.", "extra-body", metavar="JSON", read=_json_object
        ),
    ] = field(default_factory=dict)
    """Further fields of the request's body, in the server's own terms."""

    def seed_for(self, request: Request) -> int | None:
        """Return the seed of a request: each epoch and each repetition has its own, or all replies would be equal."""
        return None if self.seed is None else self.seed + request.epoch + MOST_EPOCHS * request.repeat

    def chosen(self) -> list[str]:
        """Return the names of the options that are set."""
        return [name for name, value in asdict(self).items() if value not in (None, {})]


MOST_CHARACTERS = 2 << 20
"""The longest reply that is read, in characters: more than any model writes. A longer one is cut, since the lines of a
run's files are read up to a limit."""
_MOST_KEPT = MOST_CHARACTERS - (64 << 10)
"""The longest reply that is kept: the end of one that was cut may hold a part of a secret, which nobody finds."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a served model. A value that is None comes from the environment."""

    base_url: str | None = None
    key_name: str | None = None
    """The environment variable that holds the key, never the key."""
    api: Literal["chat", "responses"] = "chat"
    stream: bool = True
    timeout: float = 600.0
    """The seconds that may pass without a byte from the server."""
    connections: int = 10


def _ignore(dialect: Dialect, news: str) -> None:
    """Keep nothing of what is learned."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """The parts that a model is built from."""

    name: str
    """The model as the user named it: `gpt-x`, `replay:answers.jsonl`."""
    argument: str
    """The part after the colon, or the whole name of a served model."""
    sampling: Sampling = field(default_factory=Sampling)
    endpoint: Endpoint = Endpoint()
    dialect: Dialect = USUAL
    """The dialect that an earlier session learned from the server's refusals."""
    learned: Callable[[Dialect, str], None] = _ignore
    """Gets the dialect when more is learned, and a sentence that says what."""

    def without_sampling(self) -> None:
        """Refuse options that this model would ignore."""
        if chosen := self.sampling.chosen():
            raise UsageError(ModelFault.UNUSED_OPTIONS, name=self.name, options=", ".join(chosen))


async def ask_model(model: Model, request: Request) -> Reply:
    """Ask a model once. Raise ModelError for any fault of it: a wrong reply costs one attempt, and not the run."""
    try:
        reply = await model.reply(request)
    except ModelError as error:
        error.reply = error.reply and _keepable(error.reply)
        raise
    except (Exception, SystemExit) as error:
        raise ModelError(ErrorKind.PLAYER, f"The model raised {type(error).__name__}: {error}") from error
    return _keepable(reply)


def _keepable(reply: Reply) -> Reply:
    """Return a reply cut to what is kept. Raise ModelError if it is no proper reply."""
    try:
        refuse_improper(reply, Reply, "the reply")
        return _cut_to_keep(reply)
    except (TypeError, ValueError) as error:
        raise ModelError(ErrorKind.PLAYER, f"The model gave no proper reply: {error}.") from error


def _cut_to_keep(reply: Reply) -> Reply:
    """Return a reply cut to what is kept. Raise TypeError or ValueError if no row could have its numbers or fields."""
    kept = cut(reply, _MOST_KEPT)
    if kept.server_fields:
        json.dumps(kept.server_fields, allow_nan=False)
    for name, count in kept.usage.as_row().items():
        if count is not None and not (type(count) is int and 0 <= count < _MOST_TOKENS):
            raise ValueError(f"the {name} of its usage is {count!r}, not a whole number from 0 to {_MOST_TOKENS:.0e}")
    return kept


def cut(reply: Reply, most: int = MOST_CHARACTERS) -> Reply:
    """Cut a reply to a number of characters, as if it had reached a limit of tokens."""
    left = most

    def kept(text: str) -> str:
        nonlocal left
        begin = text[: max(left, 0)]
        left -= len(text)
        return begin

    text, answer, calls = kept(reply.text), reply.answer and kept(reply.answer), []
    for call in reply.tool_calls:
        left -= CHARACTERS_OF_A_CALL
        if left > 0:
            calls.append(ToolCall(kept(call.id), kept(call.name), kept(call.arguments)))
    reasoning = reply.reasoning and kept(reply.reasoning)
    own = reply.server_fields if not reply.server_fields or left >= len(str(reply.server_fields)) else {}
    if left >= 0 and own is reply.server_fields:
        return reply
    return replace(
        reply, text=text, tool_calls=tuple(calls), answer=answer, reasoning=reasoning, stop="length", server_fields=own
    )


_MOST_TOKENS = 1e15
"""Beyond it the analysis refuses counts."""


async def close(model: Model, name: str) -> None:
    """Close a model. Raise ModelError when it fails, unless another error is on its way, which must not be hidden."""
    earlier = sys.exception()
    try:
        await model.close()
    except (Exception, SystemExit) as error:
        if earlier is None:
            told = f"The model {name} failed in close: {type(error).__name__}: {error}"
            raise ModelError(ErrorKind.PLAYER, told) from error


_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """The prices of one model per million tokens, in dollars or in whatever currency the file means. An unknown cost is
    None and never 0."""

    input: float
    output: float
    cache_read: float
    """The price of cached input. Without one in the file, the price of other input."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Price:
        """Build from one entry of a price file."""
        return cls(float(row["input"]), float(row["output"]), float(row.get("cache_read", row["input"])))

    def as_row(self) -> dict[str, float]:
        """Return the price as an entry of a price file."""
        return {"input": self.input, "output": self.output, "cache_read": self.cache_read}

    def of(self, usage: Usage) -> float | None:
        """Return the cost of a call, or None where the server did not count its tokens."""
        if usage.input is None or usage.output is None:
            return None
        cached = min(usage.cached or 0, usage.input)  # the input includes it, but some servers count it beside
        spent = (usage.input - cached) * self.input + cached * self.cache_read + usage.output * self.output
        return spent / _MILLION


FREE = Price(0.0, 0.0, 0.0)
"""The price of a model that runs on the user's own machine."""


def load_prices(path: Path) -> dict[str, Price]:
    """Read the prices of a file, by model. Raises InputError with all problems of the file."""
    document, problems = read_document(path, str(path))
    problems = problems or schema_problems(document, "prices", str(path))
    if problems:
        raise InputError(problems)
    return {name: Price.from_row(row) for name, row in document.items()}
