"""The options of a run: which challenges are played, how they are told and played, and the limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args

from herobench.agents.agent import MOST_TURNS
from herobench.data.errors import UsageError
from herobench.data.options import Option, option_texts, read_options
from herobench.data.rows import shipped_rows
from herobench.suites.autumn.episode.challenge import CATEGORIES, FAMILIES, Challenge, build_challenge
from herobench.suites.autumn.episode.episode import STEPS, TOTAL
from herobench.suites.autumn.episode.phase import Stack
from herobench.suites.autumn.refusals import AutumnFault

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


def _prompt(text: str) -> str:
    """Return the parts of a prompt in their order, with a way to think in front."""
    parts = text.split("+")
    thoughts = [part for part in parts if part in THOUGHTS]
    if not set(parts) <= set(_PARTS) or len(set(parts)) < len(parts) or len(thoughts) > 1:
        raise ValueError("give react or reflection, with +hints and +scratchpad if wanted, such as react+hints")
    way_to_think = thoughts or THOUGHTS[:1]
    return "+".join([*way_to_think, *(part for part in _PARTS if part in parts and part not in THOUGHTS)])


UNLIMITED = "unlimited"


def _resets(text: str) -> str:
    if text != UNLIMITED and not (text.isascii() and text.isdecimal() and len(text) < _DIGITS):
        raise ValueError(f"give a number or {UNLIMITED}")
    return text if text == UNLIMITED else str(int(text))


_DIGITS = 7
_count = partial(Option, least=1, most=100_000, metavar="N")


@dataclass(frozen=True, slots=True)
class ChallengeStyle:
    """The way in which a challenge is told, and the limits."""

    observation: Annotated[Observation, Option("The form of grids; the published one is text.")] = "compact"
    prompt: Annotated[
        str,
        Option(
            "How thoughts are asked for: react or reflection, with +hints and +scratchpad.",
            metavar="PARTS",
            read=_prompt,
        ),
    ] = "react"
    disclosure: Annotated[Disclosure, Option("Whether the prompt tells the kind of test before the interaction.")] = (
        "told"
    )
    window: Annotated[int, _count("How many of the latest turns the model is sent.")] = 10
    steps: Annotated[int, _count("The most actions of the interaction.")] = STEPS
    total: Annotated[int, _count("The most actions of an episode.")] = TOTAL
    stack: Annotated[Stack, Option("Whether idle steps follow each action of the interaction.")] = "off"
    span: Annotated[int, _count("The actions over which the perplexity is computed.", least=2)] = 10
    resets: Annotated[
        str, Option("The most resets of the interaction: a number, 0 for none.", metavar="N", read=_resets)
    ] = UNLIMITED
    pace: Annotated[Pace, Option("Whether the world goes on by itself, for people at a page.")] = "step"

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
    return {name: text for name, text in option_texts(style).items() if (name, text) != ("resets", UNLIMITED)}


DATASET = "autumn-v5"
FILE = f"{DATASET}.jsonl.xz"


@cache
def shipped_challenges() -> Mapping[str, Challenge]:
    """Return the challenges by id, in the order of the file."""
    return MappingProxyType(
        {challenge.id: challenge for challenge in map(build_challenge, shipped_rows("herobench.suites.autumn", FILE))}
    )


ALL = "all"


def _some_of(names: Sequence[str]) -> Callable[[str], str]:
    """Return what reads names with commas between them; any names if none are listed."""

    def read_names(text: str) -> str:
        if names and not {*_values(text)} <= {ALL, *names}:
            raise ValueError(f"give {ALL}, or some of {', '.join(names)} with commas between them")
        return text

    return read_names


def _filter(about: str, names: Sequence[str] = ()) -> Option:
    return Option(f"{about}, with commas between them.", metavar="NAMES", read=_some_of(names))


@dataclass(frozen=True, slots=True)
class ChallengeChoice:
    """Which challenges are played, and how."""

    family: Annotated[str, _filter(f"Which kinds of tests are played, of {', '.join(FAMILIES)}", FAMILIES)] = ALL
    category: Annotated[str, _filter("Which categories of worlds are played", CATEGORIES)] = ALL
    environment: Annotated[str, _filter("Which worlds are played")] = ALL
    mode: Annotated[Mode, Option("Actions as text in tags, as calls of tools, or at the page for people.")] = MODES[0]

    def of_challenges(self, challenges: Iterable[Challenge]) -> Iterator[Challenge]:
        """Yield the chosen challenges in their order."""
        for challenge in challenges:
            filters = ((text, getattr(challenge, name)) for name, text in self.filters.items())
            if all(text == ALL or str(value) in _values(text) for text, value in filters):
                yield challenge

    @property
    def filters(self) -> dict[str, str]:
        """For each filter its values, such as `planning,detection`, or all."""
        return {"family": self.family, "category": self.category, "environment": self.environment}


def read_choice(texts: Mapping[str, str]) -> tuple[ChallengeChoice, ChallengeStyle]:
    """Read the settings of a run. Raise UsageError for a value that does not exist."""
    choice = read_options(ChallengeChoice, texts, "the suite autumn")
    style = read_options(ChallengeStyle, texts, "the suite autumn")
    if style.pace == "real" and choice.mode != PAGE:
        raise UsageError(AutumnFault.PACE_OF_PEOPLE, mode=PAGE)
    if choice.mode == PAGE and style.total > MOST_TURNS:
        raise UsageError(AutumnFault.TOO_LONG, most=MOST_TURNS)
    return choice, style


def _values(text: str) -> list[str]:
    return [value.strip() for value in text.split(",")]
