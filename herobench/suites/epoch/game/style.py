"""How a level is told to a model: the settings in which runs can differ on the same levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast, get_args

from herobench.suite.given_options import GivenOptions

Mode = Literal["tools", "plan"]
TOOLS: Mode = "tools"
PLAN: Mode = "plan"
MODES: tuple[Mode, ...] = get_args(Mode)


Preconditions = Literal["found", "told"]
Hints = Literal["on", "off"]
StateTold = Literal["full", "changes"]
MOST_WINDOW = 10_000


@dataclass(frozen=True, slots=True)
class LevelStyle:
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
    def of(cls, options: Mapping[str, str]) -> LevelStyle:
        """Read the settings of a run. Raise UsageError for a value that does not exist."""
        default, given = cls(), GivenOptions("epoch", options)
        return cls(
            given.number("window", default.window, MOST_WINDOW),
            cast("Preconditions", given.one_of("preconditions", default.preconditions, get_args(Preconditions))),
            cast("Hints", given.one_of("hints", default.hints, get_args(Hints))),
            cast("StateTold", given.one_of("state", default.state, get_args(StateTold))),
        )

    def as_row(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)

    def as_options(self) -> dict[str, str]:
        """Return the settings as texts."""
        return {name: str(value) for name, value in self.as_row().items()}
