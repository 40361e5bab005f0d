"""The test of change detection: the changed world runs, the player says that it changed, and then in which frame.

T is the step at which the condition is true for the first time, before or after the step's event is there; it stays
once the change was announced. A condition about the state that is true in frame f is seen at step f + 1, so the first
changed frame is T - 1. The score is that of the chosen frame. The published code scores the time of submission instead,
so that looking at frames costs; its other differences are a reset that fails, and a choice that may be left out.
"""

from __future__ import annotations

from math import exp

from herobench.suites.autumn.language.world import World
from herobench.suites.autumn.phase import (
    QUIT,
    RESET,
    Grid,
    Refusal,
    Result,
    Seen,
    StoredSeen,
    WorldSeen,
    moved,
    moves,
)

FOUND, SUBMIT = "I found the change!", "Submit choice"
CHOOSE_FRAME = "choose_frame_"
_FEWEST = 3
"""The actions after which a change can be announced."""


def score_of(frame: int, trigger: int | None) -> float | None:
    """Return the score of a chosen frame, from 0 to 1; None if it is too early, or the change never came."""
    if trigger is None or frame < trigger - 1:
        return None
    if frame <= trigger:
        return 1.0
    late = frame / trigger
    return min(1.0, max(0.0, 1.377 / (1 - late * exp(-late)) - 1.178))


class DetectionTest:
    """A world whose rules change at some moment."""

    def __init__(self, world: World) -> None:
        self.result: Result | None = None
        self.trigger: int | None = None
        """T; None as long as the condition was never true."""
        self.chosen: int | None = None
        self._world = world
        self._frames: list[Grid] = [world.grid]
        self._shown = 0
        self._actions = 0
        self.announced = False

    @property
    def world(self) -> World:
        """The changed world."""
        return self._world

    @property
    def offered(self) -> tuple[str, ...]:
        """The moves, and the announcement after some actions; then the stored frames."""
        if self.announced:
            return (*(f"{CHOOSE_FRAME}{number}" for number in range(len(self._frames))), SUBMIT, QUIT)
        found = (FOUND,) if self._actions >= _FEWEST else ()
        return (*moves(self._world.size), QUIT, *found)

    @property
    def seen(self) -> Seen:
        """The frame of the world, or the stored frame that is looked at."""
        grid = self._frames[self._shown]
        return StoredSeen(grid, self._shown, self.chosen is not None) if self.announced else WorldSeen(grid)

    @property
    def last(self) -> int:
        """The number of the last stored frame."""
        return len(self._frames) - 1

    def act(self, action: str) -> Refusal | None:
        """Do one action."""
        before, self._actions = self._actions, self._actions + 1
        if action == QUIT:
            self.result = Result("quit", 0.0, 0.0)
        elif self.announced:
            return self._choose(action)
        elif action == FOUND and before >= _FEWEST:
            self._look()
            self.announced, self._shown = True, 0
        elif action == RESET:
            return "no-reset"
        else:
            return self._step(action)
        return None

    def _step(self, action: str) -> Refusal | None:
        self._look()
        if not moved(self._world, action):
            return "unknown"
        if self.trigger is None and self._world.triggered:
            self.trigger = self._world.steps
        self._frames.append(self._world.grid)
        self._shown = self.last
        return None

    def _look(self) -> None:
        """Note if the condition is true in the state as it is."""
        if self.trigger is None and self._world.holds():
            self.trigger = self._world.steps + 1

    def _choose(self, action: str) -> Refusal | None:
        if action == SUBMIT:
            return self._submit()
        number = action.removeprefix(CHOOSE_FRAME)
        # the length first: a number of many digits takes long to read
        if number == action or not (len(number) < 10 and number.isascii() and number.isdecimal()):
            return "unknown"
        if int(number) > self.last:
            return "unknown"
        self.chosen = self._shown = int(number)
        return None

    def _submit(self) -> Refusal | None:
        if self.chosen is None:
            return "nothing-chosen"
        score = score_of(self.chosen, self.trigger)
        self.result = Result("answered", score or 0.0, -1.0 if score is None else score)
        return None
