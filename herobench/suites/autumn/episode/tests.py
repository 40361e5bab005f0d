"""The three tests that score an episode: prediction, planning, and detection of a change.

Prediction shows a recorded trajectory with a hidden part, and six choices for it: its frames are played from the
actions as far as the player steps, and choosing ends the test. Planning asks for a goal state. Detection asks for the
moment at which the rules of the world change.
"""

from __future__ import annotations

from math import exp

from herobench.suites.autumn.episode.challenge import Mask, Planning, Prediction
from herobench.suites.autumn.episode.phase import (
    HIDDEN,
    QUIT,
    RESET,
    FilmSeen,
    GoalSeen,
    Grid,
    Refusal,
    Seen,
    StoredSeen,
    TestResult,
    WorldSeen,
    hide_free_cells,
    move,
    moves,
)
from herobench.suites.autumn.language.world import AutumnWorld

STEP, REWIND = "step", "rewind"
CHOOSE_OPTION = "choose_option_"


class PredictionTest:
    """A trajectory that is stepped through."""

    def __init__(self, prediction: Prediction, world: AutumnWorld) -> None:
        self.asked = prediction
        self.result: TestResult | None = None
        self.chosen: int | None = None
        self._world = world
        self._frames = [self._frame(0)]
        """The frames that were shown so far."""
        self._position = 0
        self._options = tuple(f"{CHOOSE_OPTION}{number}" for number in range(len(prediction.choices)))

    @property
    def _is_finished(self) -> bool:
        return len(self._frames) > len(self.asked.actions)

    @property
    def offered(self) -> tuple[str, ...]:
        """`step`; from the end of the trajectory on also `rewind` and the choices."""
        return (STEP, REWIND, *self._options) if self._is_finished else (STEP,)

    @property
    def seen(self) -> FilmSeen:
        """The frame at which the player is."""
        at, actions = self._position, self.asked.actions
        choices = self.asked.choices if self._is_finished else None
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
            self.result = TestResult("answered", float(right), 1.0 if right else -1.0)
        return None

    def _step(self) -> None:
        last = len(self.asked.actions)
        if self._position == last:
            return
        self._position += 1
        if self._position == len(self._frames):
            self._world.act(self.asked.actions[self._position - 1])
            self._frames.append(self._frame(self._position))

    def _frame(self, number: int) -> Grid:
        """Return the frame in which the world is, which has this number, as it is shown."""
        return hide(self._world.grid, self.asked.mask) if number >= self.asked.mask.since else self._world.grid


def hide(grid: list[list[str]], mask: Mask) -> list[list[str]]:
    """Hide a part of a frame."""
    for row in grid[mask.row : mask.row + mask.height]:
        row[mask.column : mask.column + mask.width] = [HIDDEN] * mask.width
    return grid


class PlanningTest:
    """A world in which a goal is to be reached."""

    def __init__(self, planning: Planning, world: AutumnWorld) -> None:
        self.asked = planning
        self.result: TestResult | None = None
        self.world = world
        self.shown = hide_free_cells(planning.goal, planning.mask)
        """The goal with the cells hidden that do not count."""
        self.seen = self._view()

    @property
    def offered(self) -> tuple[str, ...]:
        """The moves, and `quit`."""
        return (*moves(self.world.size), QUIT)

    def act(self, action: str) -> Refusal | None:
        """Do one action."""
        if action == QUIT:
            self.result = TestResult("quit", 0.0, 0.0)
            return None
        if action == RESET:
            return "no-reset"
        if not move(self.world, action):
            return "unknown"
        self.seen = self._view()
        if self.asked.fits(self.seen.grid):
            self.result = TestResult("solved", 1.0, 1.0)
        return None

    def _view(self) -> GoalSeen:
        return GoalSeen(self.world.grid, self.asked.goal, self.asked.mask, self.shown)


FOUND, SUBMIT = "I found the change!", "Submit choice"
CHOOSE_FRAME = "choose_frame_"
_FEWEST = 3
"""The actions after which a change can be announced."""


def score_frame(frame: int, trigger: int | None) -> float | None:
    """Return the score of a chosen frame, from 0 to 1; None if it is too early, or the change never came."""
    if trigger is None or frame < trigger - 1:
        return None
    if frame <= trigger:
        return 1.0
    late = frame / trigger
    return min(1.0, max(0.0, 1.377 / (1 - late * exp(-late)) - 1.178))


class DetectionTest:
    """A world whose rules change at some moment."""

    def __init__(self, world: AutumnWorld) -> None:
        self.result: TestResult | None = None
        self.trigger: int | None = None
        """T; None as long as the condition was never true."""
        self.chosen: int | None = None
        self._world = world
        self._before = world.steps
        """Actions that were done before the test."""
        self._frames: list[Grid] = [world.grid]
        self._frame_number = 0
        self._actions = 0
        self.announced = False

    @property
    def world(self) -> AutumnWorld:
        """The changed world."""
        return self._world

    @property
    def offered(self) -> tuple[str, ...]:
        """The moves, and the announcement after some actions; then the stored frames."""
        if self.announced:
            return (*(f"{CHOOSE_FRAME}{number}" for number in range(len(self._frames))), SUBMIT, QUIT)
        found_action = (FOUND,) if self._actions >= _FEWEST else ()
        return (*moves(self._world.size), QUIT, *found_action)

    @property
    def seen(self) -> Seen:
        """The frame of the world, or the stored frame that is looked at."""
        grid = self._frames[self._frame_number]
        return StoredSeen(grid, self._frame_number, self.chosen is not None) if self.announced else WorldSeen(grid)

    @property
    def last(self) -> int:
        """The number of the last stored frame."""
        return len(self._frames) - 1

    def act(self, action: str) -> Refusal | None:
        """Do one action."""
        before, self._actions = self._actions, self._actions + 1
        if action == QUIT:
            self.result = TestResult("quit", 0.0, 0.0)
        elif self.announced:
            return self._choose(action)
        elif action == FOUND and before >= _FEWEST:
            self._look()
            self.announced, self._frame_number = True, 0
        elif action == RESET:
            return "no-reset"
        else:
            return self._step(action)
        return None

    def _step(self, action: str) -> Refusal | None:
        self._look()
        if not move(self._world, action):
            return "unknown"
        if self.trigger is None and self._world.triggered:
            self.trigger = self._world.steps - self._before
        self._frames.append(self._world.grid)
        self._frame_number = self.last
        return None

    def _look(self) -> None:
        """Note if the condition is true in the state as it is."""
        if self.trigger is None and self._world.holds():
            self.trigger = self._world.steps - self._before + 1

    def _choose(self, action: str) -> Refusal | None:
        if action == SUBMIT:
            return self._submit()
        number = action.removeprefix(CHOOSE_FRAME)
        # the length first: a number of many digits takes long to read
        if number == action or not (len(number) < 10 and number.isascii() and number.isdecimal()):
            return "unknown"
        if int(number) > self.last:
            return "unknown"
        self.chosen = self._frame_number = int(number)
        return None

    def _submit(self) -> Refusal | None:
        if self.chosen is None:
            return "nothing-chosen"
        score = score_frame(self.chosen, self.trigger)
        self.result = TestResult("answered", score or 0.0, -1.0 if score is None else score)
        return None
