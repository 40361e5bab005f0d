"""What levels are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from herobench.errors import UsageError

LEAST, LEAST_DECAY, MOST = 2, 6, 60
"""The lengths for which levels are drawn. Three levers that fade need more actions than other goals."""
FEWEST, MOST_PEOPLE = 2, 6


@dataclass(frozen=True, slots=True)
class Wanted:
    """What levels are asked for. Level number n depends on this and on n only."""

    lengths: tuple[int, int] = (12, 40)
    """The least and the greatest length of a shortest solution. All between are as likely."""
    people: int = 3
    decay: bool = False
    """Whether three levers, which spring back, have to be down at once."""
    riddles: bool = False
    """Whether it is not told which key fits which lock, where a level has locks enough. Clues tell it then."""
    seed: int = 0

    def __post_init__(self) -> None:
        least, most = self.lengths
        lowest = LEAST_DECAY if self.decay else LEAST
        if not lowest <= least <= most <= MOST:
            raise UsageError(f"Lengths are from {lowest} to {MOST}, and not {least}-{most}.")
        if not FEWEST <= self.people <= MOST_PEOPLE:
            raise UsageError(f"Levels have from {FEWEST} to {MOST_PEOPLE} people, and not {self.people}.")
