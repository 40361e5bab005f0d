"""Chooses challenges and the way in which they are played, by the options of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from herobench.errors import UsageError
from herobench.suites.autumn.challenge import CATEGORIES, FAMILIES, Challenge
from herobench.suites.autumn.modes import MODES, PAGE, Mode
from herobench.suites.autumn.style import Style, one_of

ALL = "all"
_FILTERS: Mapping[str, tuple[str, ...]] = {"family": FAMILIES, "category": CATEGORIES, "environment": ()}
"""The options that choose challenges, with the values that they can have; any where it is empty."""
_MODE = "mode"
OPTIONS = (*_FILTERS, _MODE, *Style().as_options())


@dataclass(frozen=True, slots=True)
class Choice:
    """The options of the suite."""

    filters: Mapping[str, str]
    """For each filter its values, such as `planning,detection`, or all."""
    mode: Mode
    style: Style

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Choice:
        """Read options. Raise UsageError for one that does not exist."""
        if foreign := sorted(options.keys() - set(OPTIONS)):
            raise UsageError(f"The suite autumn has no option {foreign[0]!r}: its options are {', '.join(OPTIONS)}.")
        filters = {name: options.get(name, ALL) for name in _FILTERS}
        for name, allowed in _FILTERS.items():
            wrong = [value for value in _values(filters[name]) if allowed and value not in (ALL, *allowed)]
            if wrong:
                raise UsageError(
                    f"The option {name} of the suite autumn is {ALL}, or some of {', '.join(allowed)} with commas "
                    f"between them, and not {wrong[0]!r}."
                )
        mode = cast("Mode", one_of(_MODE, options, MODES[0], MODES))
        style = Style.of(options)
        if style.pace == "real" and mode != PAGE:
            raise UsageError(f"The option pace=real of the suite autumn is for people, in the mode {PAGE}.")
        return cls(filters, mode, style)

    def as_options(self) -> dict[str, str]:
        """Return the options as texts."""
        return {**self.filters, _MODE: self.mode, **self.style.as_options()}

    def of_challenges(self, challenges: Iterable[Challenge]) -> Iterator[Challenge]:
        """Yield the chosen challenges in their order."""
        for challenge in challenges:
            if all(
                text == ALL or str(getattr(challenge, name)) in _values(text) for name, text in self.filters.items()
            ):
                yield challenge


def _values(text: str) -> list[str]:
    return [value.strip() for value in text.split(",")]
