"""The sampling options of a request: the table that `herobench run` makes its options of."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from herobench.data.options import Option

if TYPE_CHECKING:
    from herobench.conversation import Request

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
