"""What a model is to a run: something that replies to messages.

A model is asked by an agent, through the run, which counts, retries and records; the model itself does none of that. It
returns one reply or raises one `ModelError`. Packages add models by an entry point in the group `herobench.models`
whose value takes a `Setting` and returns a `Model`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from herobench.errors import UsageError

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str

    def as_row(self) -> dict[str, str]:
        """The message as chat APIs write it."""
        return {"role": self.role, "content": self.text}


@dataclass(frozen=True, slots=True)
class Question:
    """One attempt at one task: what is asked, and which time it is asked. `task` is the suite's own, for players that
    look at it instead of at the prompt."""

    task_id: str
    epoch: int
    prompt: str
    task: object = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them; None where it did not say."""

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    """Those of the output that were thought."""
    cached: int | None = None
    """Those of the input that the server had read before."""

    def as_row(self) -> dict[str, int | None]:
        """The usage as a row says it."""
        return asdict(self)

    def __add__(self, other: Usage) -> Usage:
        """What two calls took together: what neither said stays unsaid."""
        mine, theirs = self.as_row(), other.as_row()
        return Usage(**{name: _sum(mine[name], theirs[name]) for name in mine})


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and what the server said of it."""

    text: str
    plan: str | None = None
    """The plan in it, where that is known apart from the text; else it is looked for there."""
    reasoning: str | None = None
    stop: str | None = None
    """Why it stopped, in the server's word: `stop`, `length`, `refusal`."""
    usage: Usage = Usage()
    model: str | None = None
    """The model as the server named it."""
    id: str | None = None
    """The reply, as the server named it."""
    from_cache: bool = False
    """Whether it was had before, and cost nothing now."""

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Reply:
        """Build from a row that `as_row` made."""
        return cls(**{**row, "usage": Usage(**row["usage"])})

    def as_row(self) -> dict[str, Any]:
        """The reply as a row says it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is to answer; what is None is left to the server."""

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    """Of the first epoch; each further epoch has the next one, or all of them would be the same."""
    reasoning_effort: str | None = None
    extra_body: dict[str, Any] = field(default_factory=dict)
    """More fields of the request, as the server wants them."""

    def chosen(self) -> list[str]:
        """The names of what has been asked for."""
        return [name for name, value in asdict(self).items() if value not in (None, {})]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is served; what is None is looked for in the environment."""

    base_url: str | None = None
    key_name: str | None = None
    """The environment variable that holds the key, never the key."""
    api: Literal["chat", "responses"] = "chat"
    stream: bool = True
    timeout: float = 600.0
    """How many seconds may pass without a byte from the server."""
    connections: int = 10


@dataclass(frozen=True, slots=True)
class Setting:
    """What a model is made from."""

    name: str
    """The model as it was asked for: `gpt-x`, `oracle`, `replay:answers.jsonl`."""
    argument: str
    """What stands after the colon; the name itself for a model that is served."""
    sampling: Sampling = Sampling()
    endpoint: Endpoint = Endpoint()
    world: object = None
    rules: object = None

    def without_sampling(self) -> None:
        """Refuse options that this model would ignore."""
        if chosen := self.sampling.chosen():
            raise UsageError(f"The model {self.name} takes no {', '.join(chosen)}.")


class Model(Protocol):
    """Replies to messages."""

    async def reply(self, question: Question, messages: Sequence[Message]) -> Reply:
        """One reply. Raises ModelError where there is none."""
        ...

    async def close(self) -> None:
        """Give back what is held open."""
        ...
