"""How a level is told to a model: the settings in which runs can differ on the same levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, get_args

from herobench.data.options import CommandOption
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

    window: Annotated[
        int, CommandOption("window", "How many of the latest turns the model is sent.", most=MOST_WINDOW)
    ] = 10
    preconditions: Annotated[
        Preconditions,
        CommandOption("preconditions", "Whether refusals alone say what actions need, or the prompt does."),
    ] = "found"
    hints: Annotated[Hints, CommandOption("hints", "Whether a refusal says what can make a missing fact true.")] = "on"
    state: Annotated[
        StateTold, CommandOption("state", "Whether each turn tells the whole state, or only what changed.")
    ] = "full"

    @classmethod
    def of(cls, options: Mapping[str, str]) -> LevelStyle:
        """Read the settings of a run. Raise UsageError for a value that does not exist."""
        return cls(**GivenOptions("epoch", options).values_of(cls))

    def as_row(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)

    def as_options(self) -> dict[str, str]:
        """Return the settings as texts."""
        return {name: str(value) for name, value in self.as_row().items()}
