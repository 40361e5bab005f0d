"""The episode: what became of one plan on one task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from herobench.rpg.events import Event

Ended = Literal["finished", "no_code", "rejected", "error", "limit"]

EndKind = Literal[
    "empty", "syntax", "forbidden", "size", "runtime", "steps", "actions", "memory", "output", "depth", "wall_clock",
    "killed", "protocol",
]  # fmt: skip
"""What a plan ended of: an empty text; rejected for its syntax, a forbidden construct or its size; an error at run
time; a limit on steps, actions, memory-sized work, output, nested calls or time; its process killed; or a message that
cannot be."""
END_KINDS: tuple[EndKind, ...] = get_args(EndKind)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a plan ended, why in a sentence, at which of its lines, and of what kind."""

    how: Ended
    reason: str | None = None
    line: int | None = None
    kind: EndKind | None = None


FINISHED = Ending("finished")


@dataclass(frozen=True, slots=True)
class Episode:
    """The events up to the plan's end, however it ended, and the end."""

    events: tuple[Event, ...]
    ending: Ending
    output: str = ""
    """What the plan printed: to be shown to people, never a ground for a score."""

    @property
    def finished(self) -> bool:
        """Whether the plan ran to its end; any other episode counts as lost, whatever it had reached."""
        return self.ending.how == "finished"
