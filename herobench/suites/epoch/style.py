"""How a level is told to a model: the settings in which runs can differ on the same levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast, get_args

from herobench.errors import UsageError

Preconditions = Literal["found", "told"]
Hints = Literal["on", "off"]
StateTold = Literal["full", "changes"]
MOST_WINDOW = 10_000


@dataclass(frozen=True, slots=True)
class Style:
    """The way in which a level is told."""

    window: int = 10
    """How many of the latest turns a model is sent."""
    preconditions: Preconditions = "found"
    """Whether the prompt tells what actions need, or refusals only."""
    hints: Hints = "on"
    """Whether refusals tell what can make a missing fact true."""
    state: StateTold = "full"
    """Whether the whole state is told after each turn, or only what changed."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Style:
        """Read the settings of a run. Raise UsageError for a value that does not exist."""
        default = cls()
        return cls(
            _window(options.get("window", str(default.window))),
            cast("Preconditions", one_of("preconditions", options, default.preconditions, get_args(Preconditions))),
            cast("Hints", one_of("hints", options, default.hints, get_args(Hints))),
            cast("StateTold", one_of("state", options, default.state, get_args(StateTold))),
        )

    def as_row(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)

    def as_options(self) -> dict[str, str]:
        """Return the settings as texts."""
        return {name: str(value) for name, value in self.as_row().items()}


def one_of(option: str, options: Mapping[str, str], default: str, allowed: Iterable[str]) -> str:
    """Return the value of an option. Raise UsageError for one that is not allowed."""
    value = options.get(option, default)
    if value not in allowed:
        raise UsageError(f"The option {option} of the suite epoch is one of {', '.join(allowed)}, and not {value!r}.")
    return value


def _window(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and 1 <= int(value[:9]) <= MOST_WINDOW):
        raise UsageError(
            f"The option window of the suite epoch is a number of turns from 1 to {MOST_WINDOW:,}, and not {value!r}."
        )
    return int(value)
