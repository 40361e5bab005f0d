"""The protocol of a model, and the setting that one is built from.

An agent asks a model through the run, which counts, retries and records; the model itself must do none of that. It
returns one reply or raises one `ModelError`. Packages add models by an entry point in the group `herobench.models`
whose value takes a `ModelSpec` and returns a `Model`. A model may be foreign code: only `ask_model` and `close` here
call it, so that its faults are told as its own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from herobench.conversation import Model, Reply, Request, ToolCall
from herobench.data.errors import UsageError
from herobench.data.plugin_values import refuse_improper
from herobench.models.messages import CHARACTERS_OF_A_CALL
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.negotiation import USUAL, Dialect
from herobench.models.refusals import ModelFault
from herobench.models.sampling import Sampling

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
    except ModelError:
        raise
    except (Exception, SystemExit) as error:
        raise ModelError(ErrorKind.PLAYER, f"The model raised {type(error).__name__}: {error}") from error
    try:
        refuse_improper(reply, Reply, "the reply")
        return _keepable(reply)
    except (TypeError, ValueError) as error:
        raise ModelError(ErrorKind.PLAYER, f"The model gave no proper reply: {error}.") from error


def _keepable(reply: Reply) -> Reply:
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
