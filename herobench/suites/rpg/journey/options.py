"""The options of the suite journey: how journeys are asked and judged, its players, and what the audit tries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from herobench.data.options import Option, option_texts

Lane = Literal["plan", "fights", "steps"]
Mode = Literal["plan", "feedback"]
Judged = Literal["on", "off"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""The modes. The model answers with one plan, or with parts of a plan. After each part it is told how the hero is."""
PLAN, FEEDBACK = MODES
LANES = get_args(Lane)
"""The lanes. The prompt tells the numbers of monsters and gear, the costs of all fights, or a best plan."""
PLAYERS = ("oracle", "sight", "greedy", "nearest", "careless", "noop")


@dataclass(frozen=True)
class JourneyStyle:
    """Holds the settings by which a run asks and judges journeys."""

    lane: Annotated[Lane, Option("What the prompt tells: numbers, the costs of all fights, or a best plan.")] = "plan"
    regrets: Annotated[Judged, Option("Whether each decision is judged: off for training, where time counts.")] = "on"
    mode: Annotated[Mode, Option("How journeys are answered: one plan, or a plan in parts.")] = PLAN

    def identity(self) -> dict[str, str]:
        """Return the settings that replies and scores depend on. The usual mode was there before it had a name."""
        return {name: text for name, text in option_texts(self).items() if (name, text) != ("mode", PLAN)}


LONGEST_AUDITED = 16
"""The most regions of a road that is audited."""


@dataclass(frozen=True)
class JourneyAuditOptions:
    """The options of the audit."""

    each: Annotated[
        int,
        Option(f"The tasks tried of each length up to {LONGEST_AUDITED} regions: the first ones of the file.", least=1),
    ] = 8
