"""The test of masked frame prediction: a recorded trajectory with a hidden part, and six choices for it.

The frames are played from the actions as far as the player steps. Choosing ends the test.
"""

from __future__ import annotations

from herobench.suites.autumn.challenge import Mask, Prediction
from herobench.suites.autumn.language.world import World
from herobench.suites.autumn.phase import HIDDEN, FilmSeen, Grid, Refusal, Result

STEP, REWIND = "step", "rewind"
CHOOSE_OPTION = "choose_option_"


class PredictionTest:
    """A trajectory that is stepped through."""

    def __init__(self, asked: Prediction, world: World) -> None:
        self.asked = asked
        self.result: Result | None = None
        self.chosen: int | None = None
        self._world = world
        self._frames = [self._shown(0)]
        """The frames that were shown so far."""
        self._position = 0
        self._options = tuple(f"{CHOOSE_OPTION}{number}" for number in range(len(asked.choices)))

    @property
    def _finished(self) -> bool:
        return len(self._frames) > len(self.asked.actions)

    @property
    def offered(self) -> tuple[str, ...]:
        """`step`; from the end of the trajectory on also `rewind` and the choices."""
        return (STEP, REWIND, *self._options) if self._finished else (STEP,)

    @property
    def seen(self) -> FilmSeen:
        """The frame at which the player is."""
        at, actions = self._position, self.asked.actions
        choices = self.asked.choices if self._finished else None
        return FilmSeen(self._frames[at], at, len(actions), actions[at - 1] if at else "start", choices)

    def act(self, action: str) -> Refusal | None:
        """Do one action."""
        if action == STEP:
            self._step()
        elif action not in self.offered:
            return "unknown"
        elif action == REWIND:
            self._position = max(0, self._position - 1)
        else:
            self.chosen = self._options.index(action)
            right = self.chosen == self.asked.choice
            self.result = Result("answered", float(right), 1.0 if right else -1.0)
        return None

    def _step(self) -> None:
        last = len(self.asked.actions)
        if self._position == last:
            return
        self._position += 1
        if self._position == len(self._frames):
            self._world.act(self.asked.actions[self._position - 1])
            self._frames.append(self._shown(self._position))

    def _shown(self, number: int) -> Grid:
        """Return the frame in which the world is, which has this number, as it is shown."""
        return masked(self._world.grid, self.asked.mask) if number >= self.asked.mask.since else self._world.grid


def masked(grid: list[list[str]], mask: Mask) -> list[list[str]]:
    """Hide a part of a frame."""
    for row in grid[mask.row : mask.row + mask.height]:
        row[mask.column : mask.column + mask.width] = [HIDDEN] * mask.width
    return grid
