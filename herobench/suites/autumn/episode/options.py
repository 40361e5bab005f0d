"""The options of a run: which challenges are played, how they are told and played, and the limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

from herobench.data.compressed import shipped_rows
from herobench.data.errors import UsageError, quoted
from herobench.suite.contract import Option
from herobench.suite.given_options import GivenOptions, OptionStyle, setting
from herobench.suites.autumn.episode.challenge import CATEGORIES, FAMILIES, Challenge, built
from herobench.suites.autumn.episode.episode import STEPS, TOTAL
from herobench.suites.autumn.episode.phase import Stack

Mode = Literal["actions", "tools", "page"]
ACTIONS: Mode = "actions"
TOOLS: Mode = "tools"
PAGE: Mode = "page"
MODES: tuple[Mode, ...] = get_args(Mode)


Observation = Literal["text", "compact", "picture"]
Disclosure = Literal["told", "later"]
Pace = Literal["step", "real"]
THOUGHTS = ("react", "reflection")
"""The ways to ask for thoughts. A prompt has one of them."""
_PARTS = (*THOUGHTS, "hints", "scratchpad")


def _prompt(value: str) -> str:
    """Return the parts of a prompt in their order, with a way to think in front."""
    given = value.split("+")
    thoughts = [part for part in given if part in THOUGHTS]
    if not set(given) <= set(_PARTS) or len(set(given)) < len(given) or len(thoughts) > 1:
        raise UsageError(
            "The option prompt of the suite autumn is react or reflection, with +hints and +scratchpad if wanted, "
            f"such as react+hints, and not {value!r}."
        )
    thought = thoughts or THOUGHTS[:1]
    return "+".join([*thought, *(part for part in _PARTS if part in given and part not in THOUGHTS)])


UNLIMITED = "unlimited"


def _resets(value: str) -> str:
    if value != UNLIMITED and not (value.isascii() and value.isdecimal() and len(value) < _DIGITS):
        raise UsageError(f"The option resets of the suite autumn is a number or {UNLIMITED}, and not {quoted(value)}.")
    return value if value == UNLIMITED else str(int(value))


_DIGITS = 7


@dataclass(frozen=True, slots=True)
class ChallengeStyle(OptionStyle):
    """The way in which a challenge is told, and the limits."""

    suite = "autumn"
    observation: Observation = setting("compact", "The form of grids; the published one is text.")
    prompt: str = setting(
        "react",
        "How thoughts are asked for: react or reflection, with +hints and +scratchpad.",
        read=_prompt,
        metavar="PARTS",
    )
    disclosure: Disclosure = setting("told", "Whether the prompt tells the kind of test before the interaction.")
    window: int = setting(10, "How many of the latest turns the model is sent.")
    steps: int = setting(STEPS, "The most actions of the interaction.")
    total: int = setting(TOTAL, "The most actions of an episode.")
    stack: Stack = setting("off", "Whether idle steps follow each action of the interaction.")
    span: int = setting(10, "The actions over which the perplexity is computed.", least=2)
    resets: str = setting(UNLIMITED, "The most resets of the interaction: a number, 0 for none.", read=_resets)
    pace: Pace = setting("step", "Whether the world goes on by itself, for people at a page.")

    @property
    def most_resets(self) -> int | None:
        """The most resets of the interaction; None without a limit."""
        return None if self.resets == UNLIMITED else int(self.resets)

    def as_row(self) -> dict[str, Any]:
        """Return the settings as columns of a sample, whose `resets` counts those that were done."""
        row = asdict(self)
        del row["resets"]
        return {**row, "most_resets": self.most_resets}

    @property
    def thought(self) -> str:
        """The way in which thoughts are asked for."""
        return self.prompt.split("+")[0]

    def has(self, part: str) -> bool:
        """Return whether the prompt has a part."""
        return part in self.prompt.split("+")


def identifying(style: ChallengeStyle) -> dict[str, str]:
    """Return the settings that identify a run. Runs from before resets had a limit have none."""
    return {name: text for name, text in style.as_options().items() if (name, text) != ("resets", UNLIMITED)}


DATASET = "autumn-v3"
FILE = f"{DATASET}.jsonl.xz"


@cache
def shipped_challenges() -> Mapping[str, Challenge]:
    """Return the challenges by id, in the order of the file."""
    return MappingProxyType({challenge.id: challenge for challenge in map(built, shipped_rows("autumn", FILE))})


ALL = "all"
_FILTERS: Mapping[str, tuple[str, ...]] = {"family": FAMILIES, "category": CATEGORIES, "environment": ()}
"""The options that choose challenges, with the values that they can have; any where it is empty."""
_MODE = "mode"
_ABOUT_FAMILY = f"Which kinds of tests are played, of {', '.join(FAMILIES)}, with commas between them."
RUN_OPTIONS = (
    Option("family", _ABOUT_FAMILY, ALL, "NAMES"),
    Option("category", "Which categories of worlds are played, with commas between them.", ALL, "NAMES"),
    Option("environment", "Which worlds are played, with commas between them.", ALL, "NAMES"),
    Option(_MODE, "Actions as text in tags, as calls of tools, or at the page for people.", MODES[0], "|".join(MODES)),
    *ChallengeStyle.run_options(),
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
