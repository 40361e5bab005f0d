"""The protocol of a model, and the setting that one is built from.

An agent asks a model through the run, which counts, retries and records; the model itself must do none of that. It
returns one reply or raises one `ModelError`. Packages add models by an entry point in the group `herobench.models`
whose value takes a `Setting` and returns a `Model`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from herobench.errors import UsageError


@dataclass(frozen=True, slots=True)
class Sampling:
    """The sampling options of a request. An option that is None is left to the server."""

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    """The seed of the first epoch. Each further epoch adds 1, since all epochs would be equal otherwise."""
    reasoning_effort: str | None = None
    extra_body: dict[str, Any] = field(default_factory=dict)
    """Further fields of the request's body, in the server's own terms."""

    def chosen(self) -> list[str]:
        """Return the names of the options that are set."""
        return [name for name, value in asdict(self).items() if value not in (None, {})]


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


@dataclass(frozen=True, slots=True)
class Setting:
    """All that a model is built from."""

    name: str
    """The model as the user named it: `gpt-x`, `replay:answers.jsonl`."""
    argument: str
    """The part after the colon, or the whole name of a served model."""
    sampling: Sampling = Sampling()
    endpoint: Endpoint = Endpoint()

    def without_sampling(self) -> None:
        """Refuse options that this model would ignore."""
        if chosen := self.sampling.chosen():
            raise UsageError(f"The model {self.name} takes no {', '.join(chosen)}: leave the option out.")
