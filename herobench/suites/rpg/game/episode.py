"""The episode: the events of one plan on one task, and how the plan ended."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from herobench.suites.rpg.game.events import Event

_MOST_CHARACTERS = 10_000
"""The longest text that is looked at."""
# Possessive quantifiers (`*+`) never give back what they took, so no text can make the match slow.
_GAP = r"(?:[^\S\n]*+(?:#[^\n]*+)?+(?:\n|\Z))*+[^\S\n]*+"
_TEXT = r"""(?:"(?!"")(?:[^"\\\n]|\\[^\n])*+"|'(?!'')(?:[^'\\\n]|\\[^\n])*+')"""
_NUMBER = r"[+-]?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+"
_REFUSAL = re.compile(
    rf"{_GAP}give_up\(\s*+(?:reason\s*+=\s*+)?+(?P<reason>{_TEXT})\s*+"
    rf"(?:,\s*+p\s*+=\s*+(?P<p>{_NUMBER})\s*+)?+,?+\s*+\)[^\S\n]*+;?+{_GAP}\Z"
)


class GivingUp(NamedTuple):
    """A refusal: its reason, and the stated probability that the task is impossible; None without one from 0 to 1."""

    reason: str
    stated: float | None


def giving_up(plan: str) -> GivingUp | None:
    """Return the refusal that a plan is; None if it is anything else."""
    found = _REFUSAL.match(plan) if len(plan) <= _MOST_CHARACTERS else None
    if found is None:
        return None
    stated = float(found["p"]) if found["p"] else None
    # The verdict does not depend on the number, so a number that is no probability is no error.
    return GivingUp(found["reason"][1:-1], stated if stated is not None and 0 <= stated <= 1 else None)


Ended = Literal["finished", "defeated", "over_budget", "no_code", "rejected", "error", "limit", "gave_up"]

EndKind = Literal[
    "empty", "syntax", "forbidden", "not_straight", "size", "runtime", "steps", "actions", "memory", "output", "depth",
    "wall_clock", "killed", "protocol", "fight", "budget",
]  # fmt: skip
"""Why a plan ended: an empty text; its syntax, a forbidden construct, one that no straight plan holds, or its size
(rejected); an error at run time; a limit on steps, actions, memory, output, depth of calls or time; a killed process;
an impossible message from it; a lost fight, where a defeat is final (defeated); or an action beyond the budget of the
task (over_budget)."""
END_KINDS: tuple[EndKind, ...] = get_args(EndKind)
GAME_ENDS: Mapping[EndKind, Ended] = MappingProxyType({"fight": "defeated", "budget": "over_budget"})
"""The ends that the game itself makes, by their kind. What such a plan reached counts."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a plan: how, the reason in a sentence for people, the line of the plan, and the kind."""

    how: Ended
    reason: str | None = None
    line: int | None = None
    kind: EndKind | None = None
    error: str | None = None
    """The class of the error that the plan did not catch, such as NameError; None for any other end."""
    stated: float | None = None
    """The probability that the task is impossible, as a refusal states it; None for any other end."""


FINISHED = Ending("finished")


def gave_up(reason: str, stated: float | None) -> Ending:
    """Return the ending of a plan that refuses its task."""
    return Ending("gave_up", reason or "it gives no reason", stated=stated)


def defeat(monster: str, line: int | None) -> Ending:
    """Return the ending of a plan that loses a fight against a monster of this name, where a defeat is final."""
    return Ending("defeated", f"the hero lost his fight against {monster}, and a defeat is final here", line, "fight")


def over_budget(budget: int, line: int | None) -> Ending:
    """Return the ending of a plan that attempts more actions than the budget of its task."""
    return Ending("over_budget", f"the plan attempts more than the {budget:,} actions of its budget", line, "budget")


@dataclass(frozen=True, slots=True)
class Episode:
    """The events up to the end of the plan, and how it ended."""

    events: tuple[Event, ...]
    ending: Ending
    output: str = ""
    """The text that the plan printed, for people to read. It never counts in a score."""

    @property
    def finished(self) -> bool:
        """True if the plan ran to its end."""
        return self.ending.how == "finished"

    @property
    def counts(self) -> bool:
        """True if what the episode reached counts. Otherwise it is lost, whatever that is.

        The game may end a plan at a lost fight or over its budget. Such a plan did nothing that is not allowed, so it
        keeps what it reached, like a plan that stops there by itself."""
        return self.finished or self.ending.how in GAME_ENDS.values()
