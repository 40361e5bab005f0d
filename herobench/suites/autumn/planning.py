"""The test of planning: the player makes the grid look like the goal where the mask is 1. There is no way back.

The frame is compared with the goal after each step of the world, and not before the first.
"""

from __future__ import annotations

from herobench.suites.autumn.challenge import Planning
from herobench.suites.autumn.language.world import World
from herobench.suites.autumn.phase import QUIT, RESET, GoalSeen, Refusal, Result, moved, moves


class PlanningTest:
    """A world in which a goal is to be reached."""

    def __init__(self, asked: Planning, world: World) -> None:
        self.asked = asked
        self.result: Result | None = None
        self.world = world
        self.seen = GoalSeen(world.grid, asked.goal, asked.mask)

    @property
    def offered(self) -> tuple[str, ...]:
        """The moves, and `quit`."""
        return (*moves(self.world.size), QUIT)

    def act(self, action: str) -> Refusal | None:
        """Do one action."""
        if action == QUIT:
            self.result = Result("quit", 0.0, 0.0)
            return None
        if action == RESET:
            return "no-reset"
        if not moved(self.world, action):
            return "unknown"
        grid = self.world.grid
        self.seen = GoalSeen(grid, self.asked.goal, self.asked.mask)
        # a program may change the size of its grid
        if len(grid) == len(self.asked.goal) and self.asked.reached(grid):
            self.result = Result("solved", 1.0, 1.0)
        return None
