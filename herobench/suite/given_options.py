"""The options that a user gave to a suite. Values are read one at a time, and refused if they cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from herobench.data.errors import UsageError, quoted

_DIGITS = 10
"""Python reads only some thousand digits."""


@dataclass(frozen=True, slots=True)
class GivenOptions:
    """The options of a suite, as texts by name."""

    suite: str
    texts: Mapping[str, str]

    def one_of(self, option: str, default: str, allowed: Iterable[str]) -> str:
        """Return the value of an option. Raise UsageError for one that is not allowed."""
        value = self.texts.get(option, default)
        if value not in allowed:
            raise self._refusal(option, f"one of {', '.join(allowed)}", value)
        return value

    def number(self, option: str, default: int, most: int, least: int = 1) -> int:
        """Return a whole number. Raise UsageError for one that is out of range, and for any other text."""
        value = self.texts.get(option, str(default))
        if not (value.isascii() and value.isdecimal() and len(value) < _DIGITS and least <= int(value) <= most):
            raise self._refusal(option, f"a number from {least} to {most:,}", value)
        return int(value)

    def _refusal(self, option: str, expected: str, value: str) -> UsageError:
        return UsageError(f"The option {option} of the suite {self.suite} is {expected}, and not {quoted(value)}.")
