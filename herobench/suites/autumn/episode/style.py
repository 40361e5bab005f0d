"""How a challenge is told to a model, and the limits: the settings in which runs can differ on the same challenges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, get_args

from herobench.data.errors import UsageError
from herobench.data.options import CommandOption
from herobench.suite.given_options import GivenOptions
from herobench.suites.autumn.episode.episode import STEPS, TOTAL
from herobench.suites.autumn.episode.interaction import Stack

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
_MOST = 100_000


def read_prompt(value: str) -> str:
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


@dataclass(frozen=True, slots=True)
class ChallengeStyle:
    """The way in which a challenge is told."""

    observation: Annotated[Observation, CommandOption("observation", "The form of grids.")] = "text"
    prompt: Annotated[
        str,
        CommandOption(
            "prompt",
            "How thoughts are asked for: react or reflection, with +hints and +scratchpad.",
            metavar="PARTS",
            read=read_prompt,
        ),
    ] = "react"
    """`react` or `reflection`, with `hints` and `scratchpad` behind plus signs, such as `react+hints`."""
    disclosure: Annotated[
        Disclosure, CommandOption("disclosure", "Whether the prompt tells the kind of test before the interaction.")
    ] = "told"
    window: Annotated[int, CommandOption("window", "How many of the latest turns the model is sent.", most=_MOST)] = 10
    steps: Annotated[int, CommandOption("steps", "The most actions of the interaction.", most=_MOST)] = STEPS
    total: Annotated[int, CommandOption("total", "The most actions of an episode.", most=_MOST)] = TOTAL
    stack: Annotated[Stack, CommandOption("stack", "Whether idle steps follow each action of the interaction.")] = "off"
    span: Annotated[
        int, CommandOption("span", "The actions over which the perplexity is computed.", least=2, most=_MOST)
    ] = 10
    pace: Annotated[Pace, CommandOption("pace", "Whether the world goes on by itself, for people at a page.")] = "step"
    """`step`: the world stands still until the next action. `real`: it goes on by itself, for people at a page."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> ChallengeStyle:
        """Read the settings of a run. Raise UsageError for a value that does not exist."""
        return cls(**GivenOptions("autumn", options).values_of(cls))

    @property
    def thought(self) -> str:
        """The way in which thoughts are asked for."""
        return self.prompt.split("+")[0]

    def has(self, part: str) -> bool:
        """Return whether the prompt has a part."""
        return part in self.prompt.split("+")

    def as_row(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)

    def as_options(self) -> dict[str, str]:
        """Return the settings as texts."""
        return {name: str(value) for name, value in self.as_row().items()}
