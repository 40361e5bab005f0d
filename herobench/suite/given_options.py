"""The options of a suite: those that a table declares, and the values that a user gave.

A suite may declare its options once, as the fields of a dataclass that are annotated with `CommandOption`:

    @dataclass(frozen=True)
    class Style:
        window: Annotated[int, CommandOption("window", "How many of the latest turns are sent.", most=100)] = 10

`options_of` makes its `run_options` of the table, and `GivenOptions.values_of` reads what a user gave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from herobench.data.errors import UsageError, quoted
from herobench.data.options import DeclaredOption, options_in
from herobench.suite.contract import Option

_DIGITS = 10
"""Python reads only some thousand digits."""


@cache
def _declared(table: type) -> tuple[DeclaredOption, ...]:
    return tuple(options_in(table))


def options_of(table: type) -> tuple[Option, ...]:
    """Return the options that a table declares, as commands show them."""
    return tuple(
        Option(each.option.name, each.option.about, str(each.default), _metavar(each))
        for each in _declared(table)
        if each.option
    )


def _metavar(field: DeclaredOption) -> str:
    """Return what stands for a value in the help: the texts that are allowed, or the sign of a number."""
    own = field.option and field.option.metavar
    return own or ("N" if field.kind is int else "|".join(get_args(field.kind)))


@dataclass(frozen=True, slots=True)
class GivenOptions:
    """The options of a suite, as texts by name."""

    suite: str
    texts: Mapping[str, str]

    def values_of(self, table: type) -> dict[str, Any]:
        """Return the value of each field of a table. Raise UsageError for a value that is not allowed."""
        return {each.field: self._value(each) for each in _declared(table)}

    def _value(self, field: DeclaredOption) -> Any:
        option = field.option
        assert option is not None
        if field.kind is int:
            assert isinstance(field.default, int)
            assert option.most is not None
            return self.number(option.name, field.default, int(option.most), int(option.least or 1))
        if option.read:
            return option.read(self.texts.get(option.name, str(field.default)))
        return self.one_of(option.name, str(field.default), get_args(field.kind))

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
