"""The first phase: a player acts in the world to learn its rules. There is no reward.

Every action counts as a step, also `reset` and one that is not understood. `quit` begins the test as `go-to-test` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from herobench.suites.autumn.episode.phase import QUIT, RESET, Refusal, Still, WorldSeen, moved, moves
from herobench.suites.autumn.language.world import World

GO_TO_TEST = "go-to-test"
Stack = Literal["off", "all", "last"]
"""Whether each action is followed by steps without an action, as many as a second has: `off`, or shown `all`, or only
the `last`."""
_MOST_STILLS = 60
"""The most frames of one action, whatever rate a program sets."""


class Interaction:
    """The interaction with one world."""

    def __init__(self, start: Callable[[], World], most: int, stack: Stack = "off") -> None:
        self._start, self._most, self._stack = start, most, stack
        self._world = start()
        self.seen = WorldSeen(self._world.grid)
        self.steps = 0
        self.over = False

    @property
    def world(self) -> World:
        """The world that the player acts in."""
        return self._world

    @property
    def offered(self) -> tuple[str, ...]:
        """The actions, in the order of the published code."""
        return (*moves(self._world.size), QUIT, GO_TO_TEST, RESET)

    def act(self, action: str) -> Refusal | None:
        """Do one action."""
        self.steps += 1
        if action in (GO_TO_TEST, QUIT):
            self.over = True
            return None
        self.over = self.steps >= self._most
        if action == RESET:
            self._world = self._start()
        elif not moved(self._world, action):
            return "unknown"
        elif self._stack != "off":
            self.seen = self._stacked(action)
            return None
        self.seen = WorldSeen(self._world.grid)
        return None

    def _stacked(self, action: str) -> WorldSeen:
        """Return the frame after the action, with those of the idle steps of a second behind it."""
        world = self._world
        stills = [Still(world.steps + 1, action, world.grid)]
        for _ in range(min(world.frame_rate, _MOST_STILLS) - 1):
            world.act("noop")
            if self._stack == "all":
                stills.append(Still(world.steps + 1, "noop", world.grid))
        return WorldSeen(world.grid, tuple(stills) if self._stack == "all" else ())
