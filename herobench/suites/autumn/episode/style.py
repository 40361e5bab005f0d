"""How a challenge is told to a model, and the limits: the settings in which runs can differ on the same challenges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast, get_args

from herobench.data.errors import UsageError
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


@dataclass(frozen=True, slots=True)
class ChallengeStyle:
    """The way in which a challenge is told."""

    observation: Observation = "text"
    """The form of grids."""
    prompt: str = "react"
    """`react` or `reflection`, with `hints` and `scratchpad` behind plus signs, such as `react+hints`."""
    disclosure: Disclosure = "told"
    """Whether the prompt tells the kind of test before the interaction."""
    window: int = 10
    """How many of the latest turns a model is sent."""
    steps: int = STEPS
    """The most actions of the interaction."""
    total: int = TOTAL
    """The most actions of an episode."""
    stack: Stack = "off"
    """Whether idle steps follow each action of the interaction."""
    span: int = 10
    """The actions over which the perplexity is computed."""
    pace: Pace = "step"
    """`step`: the world stands still until the next action. `real`: it goes on by itself, for people at a page."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> ChallengeStyle:
        """Read the settings of a run. Raise UsageError for a value that does not exist."""
        default, given = cls(), GivenOptions("autumn", options)
        return cls(
            cast("Observation", given.one_of("observation", default.observation, get_args(Observation))),
            _prompt(options.get("prompt", default.prompt)),
            cast("Disclosure", given.one_of("disclosure", default.disclosure, get_args(Disclosure))),
            given.number("window", default.window, _MOST),
            given.number("steps", default.steps, _MOST),
            given.number("total", default.total, _MOST),
            cast("Stack", given.one_of("stack", default.stack, get_args(Stack))),
            given.number("span", default.span, _MOST, least=2),
            cast("Pace", given.one_of("pace", default.pace, get_args(Pace))),
        )

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
