"""The options that a user gave to a suite: each is declared once, and its text is read and refused here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Self, get_args, get_type_hints

from herobench.data.errors import UsageError, quoted
from herobench.suite.contract import Option

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


def setting(
    default: Any,
    about: str,
    *,
    least: int = 1,
    most: int = 100_000,
    read: Callable[[str], str] | None = None,
    metavar: str = "N",
) -> Any:
    """Declare a field of `OptionStyle`: its default, its help and its allowed values.

    A field whose type is a Literal has one of its texts, and one of type int a number in bounds. `read` turns the text
    of any other into its value, and raises UsageError for a wrong one.
    """
    return field(default=default, metadata={"about": about, "bounds": (most, least), "read": read, "metavar": metavar})


@dataclass(frozen=True, slots=True)
class OptionStyle:
    """The settings in which runs of a suite can differ on the same tasks. A suite derives a dataclass from it."""

    suite: ClassVar[str]

    @classmethod
    def run_options(cls) -> tuple[Option, ...]:
        """Return the settings as options of commands."""
        kinds = get_type_hints(cls)
        return tuple(
            Option(
                each.name,
                each.metadata["about"],
                str(each.default),
                "|".join(get_args(kinds[each.name])) or each.metadata["metavar"],
            )
            for each in fields(cls)
        )

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Self:
        """Read the settings of a run. Raise UsageError for a value that does not exist."""
        given, kinds = GivenOptions(cls.suite, texts), get_type_hints(cls)
        values: dict[str, Any] = {}
        for each in fields(cls):
            name, read = each.name, each.metadata["read"]
            default: Any = each.default
            if read is not None:
                values[name] = read(texts.get(name, default))
            elif kinds[name] is int:
                values[name] = given.number(name, default, *each.metadata["bounds"])
            else:
                values[name] = given.one_of(name, default, get_args(kinds[name]))
        return cls(**values)

    def as_row(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)

    def as_options(self) -> dict[str, str]:
        """Return the settings as texts."""
        return {name: str(value) for name, value in asdict(self).items()}
