"""The options of a run: which levels are played, and how they are told and played."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from herobench.data.errors import UsageError
from herobench.suite.contract import Option
from herobench.suite.given_options import GivenOptions, OptionStyle, setting

if TYPE_CHECKING:
    from herobench.suites.epoch.game.level import Level

Mode = Literal["tools", "plan"]
TOOLS: Mode = "tools"
PLAN: Mode = "plan"
MODES: tuple[Mode, ...] = get_args(Mode)


Preconditions = Literal["found", "told"]
Hints = Literal["on", "off"]
StateTold = Literal["full", "changes"]
Told = Literal["plan", "rules", "steps"]
LANES: tuple[Told, ...] = get_args(Told)
"""The lanes. `plan` tells nothing beyond the level, `rules` tells all rules as facts, `steps` the steps of a plan."""


@dataclass(frozen=True, slots=True)
class LevelStyle(OptionStyle):
    """The way in which a level is told."""

    suite = "epoch"
    window: int = setting(10, "How many of the latest turns the model is sent.", most=10_000)
    preconditions: Preconditions = setting("found", "Whether refusals alone say what actions need, or the prompt does.")
    hints: Hints = setting("on", "Whether a refusal says what can make a missing fact true.")
    state: StateTold = setting("full", "Whether each turn tells the whole state, or only what changed.")
    lane: Told = setting(
        "plan", "What is told beyond the level: nothing, rules as facts, or steps; `run` asks all in turn."
    )

    def as_row(self) -> dict[str, Any]:
        """Return the settings as plain data. The usual lane is left out, as in samples from before there were lanes."""
        row = {name: value for name, value in asdict(self).items() if name != "lane"}
        return row if self.lane == LANES[0] else {**row, "told": self.lane}

    def as_options(self) -> dict[str, str]:
        """Return the settings as texts."""
        return {("lane" if name == "told" else name): str(value) for name, value in self.as_row().items()}


ALL = "all"
_LEVELS, _MODE = "levels", "mode"
RUN_OPTIONS = (
    Option(_LEVELS, "Which levels are played, by their numbers, such as 1-3 or 1,4-6.", ALL, "N-M"),
    Option(_MODE, "One call a turn with feedback, or one plan without any.", MODES[0], "|".join(MODES)),
    *LevelStyle.run_options(),
)
"""The settings of a run of the suite, as `herobench run` has them."""
_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)
_LAST_NUMBER = re.compile(r"\d{1,9}$", re.ASCII)


@dataclass(frozen=True, slots=True)
class EpochOptions:
    """The options of the suite."""

    levels: str
    """The numbers of the levels, such as `1-3` or `1,4-6`, or all."""
    mode: Mode
    style: LevelStyle

    @classmethod
    def of(cls, options: Mapping[str, str]) -> EpochOptions:
        """Read options. Raise UsageError for a value that does not exist."""
        mode = cast("Mode", GivenOptions("epoch", options).one_of(_MODE, MODES[0], MODES))
        return cls(options.get(_LEVELS, ALL), mode, LevelStyle.of(options))

    def as_options(self) -> dict[str, str]:
        """Return the options as texts."""
        return {_LEVELS: self.levels, _MODE: self.mode, **self.style.as_options()}

    def of_levels(self, levels: Iterable[Level]) -> Iterator[Level]:
        """Yield the chosen levels in their order. The number of a level is the one at the end of its id."""
        wanted = None if self.levels == ALL else set(_numbers(self.levels))
        for level in levels:
            number = _LAST_NUMBER.search(level.id)
            if wanted is None or (number and int(number[0]) in wanted):
                yield level


def _numbers(text: str) -> Iterator[int]:
    for part in text.split(","):
        found = _RANGE.fullmatch(part)
        if not found or int(found[1]) < 1 or int(found[2] or found[1]) < int(found[1]):
            raise UsageError(
                f"The option levels of the suite epoch has numbers such as 1-3 or 1,4-6, and not {text!r}."
            )
        yield from range(int(found[1]), int(found[2] or found[1]) + 1)
