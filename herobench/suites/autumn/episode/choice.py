"""Chooses challenges and the way in which they are played, by the options of a run."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import cast

from herobench.data.documents import shipped
from herobench.data.errors import UsageError
from herobench.suite.contract import Option
from herobench.suite.given_options import GivenOptions, options_of
from herobench.suites.autumn.episode.challenge import CATEGORIES, FAMILIES, Challenge, built
from herobench.suites.autumn.episode.style import MODES, PAGE, ChallengeStyle, Mode

DATASET = "autumn-v2"
FILE = f"{DATASET}.jsonl.xz"


@cache
def shipped_challenges() -> Mapping[str, Challenge]:
    """Return the challenges by id, in the order of the file."""
    text = lzma.decompress(shipped().joinpath("autumn", FILE).read_bytes()).decode("utf-8")
    challenges = (built(json.loads(line)) for line in text.splitlines())
    return MappingProxyType({challenge.id: challenge for challenge in challenges})


ALL = "all"
_FILTERS: Mapping[str, tuple[str, ...]] = {"family": FAMILIES, "category": CATEGORIES, "environment": ()}
"""The options that choose challenges, with the values that they can have; any where it is empty."""
_MODE = "mode"
RUN_OPTIONS = (
    Option(
        "family", f"Which kinds of tests are played, of {', '.join(FAMILIES)}, with commas between them.", ALL, "NAMES"
    ),
    Option("category", "Which categories of worlds are played, with commas between them.", ALL, "NAMES"),
    Option("environment", "Which worlds are played, with commas between them.", ALL, "NAMES"),
    Option(_MODE, "Actions as text in tags, as calls of tools, or at the page for people.", MODES[0], "|".join(MODES)),
    *options_of(ChallengeStyle),
)
"""The settings of a run of the suite, as `herobench run` has them."""


@dataclass(frozen=True, slots=True)
class AutumnOptions:
    """The options of the suite."""

    filters: Mapping[str, str]
    """For each filter its values, such as `planning,detection`, or all."""
    mode: Mode
    style: ChallengeStyle

    @classmethod
    def of(cls, options: Mapping[str, str]) -> AutumnOptions:
        """Read options. Raise UsageError for a value that does not exist."""
        filters = {name: options.get(name, ALL) for name in _FILTERS}
        for name, allowed in _FILTERS.items():
            wrong = [value for value in _values(filters[name]) if allowed and value not in (ALL, *allowed)]
            if wrong:
                raise UsageError(
                    f"The option {name} of the suite autumn is {ALL}, or some of {', '.join(allowed)} with commas "
                    f"between them, and not {wrong[0]!r}."
                )
        mode = cast("Mode", GivenOptions("autumn", options).one_of(_MODE, MODES[0], MODES))
        style = ChallengeStyle.of(options)
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
