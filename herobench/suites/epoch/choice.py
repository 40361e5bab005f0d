"""Chooses levels and the way in which they are played, by the options of a run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from herobench.errors import UsageError
from herobench.suites.epoch.level import Level
from herobench.suites.epoch.modes import MODES, Mode
from herobench.suites.epoch.style import Style, one_of

ALL = "all"
_LEVELS, _MODE = "levels", "mode"
OPTIONS = (_LEVELS, _MODE, *Style().as_options())
_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)
_LAST_NUMBER = re.compile(r"\d{1,9}$", re.ASCII)


@dataclass(frozen=True, slots=True)
class Choice:
    """The options of the suite."""

    levels: str
    """The numbers of the levels, such as `1-3` or `1,4-6`, or all."""
    mode: Mode
    style: Style

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Choice:
        """Read options. Raise UsageError for one that does not exist."""
        if foreign := sorted(options.keys() - set(OPTIONS)):
            raise UsageError(f"The suite epoch has no option {foreign[0]!r}: its options are {', '.join(OPTIONS)}.")
        mode = cast("Mode", one_of(_MODE, options, MODES[0], MODES))
        return cls(options.get(_LEVELS, ALL), mode, Style.of(options))

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
