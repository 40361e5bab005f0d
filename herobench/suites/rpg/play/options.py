"""The options of the suite rpg: the settings of a run, and what chooses tasks from a list and families of the audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from herobench.data.errors import UsageError
from herobench.data.options import Option, parse_numbers, read_options
from herobench.suites.rpg.game.task import TOLD, Kind, Told
from herobench.suites.rpg.game.world import PLAIN, Names
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.content import DEFAULT_EDITION

Mode = Literal["plan", "feedback", "tools"]
"""The modes. The model gives a plan in one reply, in parts with the result after each, or as calls of tools."""
MODES: tuple[Mode, ...] = ("plan", "feedback", "tools")


@dataclass(frozen=True, slots=True)
class RpgOptions:
    """The settings of a run."""

    world: Annotated[str | None, Option("A shipped world or a folder.")] = None
    names: Annotated[Names, Option("How things are called: as in the world, or by opaque codes.")] = PLAIN
    rules: Annotated[str, Option("The edition of the rules.")] = DEFAULT_EDITION
    mode: Annotated[Mode, Option("How tasks are played: one plan, a plan in parts, or calls of tools.")] = MODES[0]
    lane: Annotated[
        Told, Option("What the prompt tells of a winning plan: nothing, its gear or its steps; `run` asks all in turn.")
    ] = TOLD[0]

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> RpgOptions:
        """Read settings. Raise UsageError for a text that does not exist, and for a lane in another mode."""
        options = read_options(cls, texts, "the suite rpg")
        if options.lane != TOLD[0] and options.mode != MODES[0]:
            raise UsageError(RpgFault.LANE_IN_OTHER_MODE, lane=options.lane, mode=MODES[0])
        return options


@dataclass(frozen=True, slots=True)
class ListOptions:
    """The options that choose from a list of tasks."""

    difficulty: Annotated[
        tuple[int, ...] | None, Option("Only these brackets, such as 9, 1-9 or 3,5-7.", metavar="N", read=parse_numbers)
    ] = None
    kind: Annotated[Kind | None, Option("Only tasks of this kind.")] = None


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """The options of the audit."""

    families: Annotated[str | None, Option("The families of players; all when left out.", metavar="A,B")] = None
    world: Annotated[
        str | None,
        Option("A shipped world or a folder.", shown="that of the set, or classic"),
    ] = None
