"""What a model is to a run: something that replies to messages.

A model is asked by an agent, through the run, which counts, retries and records; the model itself does none of that. It
returns one reply or raises one `ModelError`. Packages add models by an entry point in the group `herobench.models`
whose value takes a `Setting` and returns a `Model`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from herobench.errors import UsageError


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

    def without_sampling(self) -> None:
        """Refuse options that this model would ignore."""
        if chosen := self.sampling.chosen():
            raise UsageError(f"The model {self.name} takes no {', '.join(chosen)}.")
