"""Natives that move and turn objects."""

from __future__ import annotations

from typing import Any

from herobench.suites.autumn.language.errors import Fault
from herobench.suites.autumn.language.lists import wrapped
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.space import Nearness, Space
from herobench.suites.autumn.language.values import Position, Thing, type_name

_SMALL = 2**30


class Motion:
    """Moves objects. A moved object is a new one; the old stays where it is."""

    def __init__(self, run: Run, space: Space, nearness: Nearness) -> None:
        self.run = run
        self.space = space
        self.nearness = nearness

    def shifted(self, thing: Any, x: Any, y: Any) -> Any:
        """Return an object moved by a number of columns and rows."""
        if not isinstance(thing, Thing):
            raise Fault(f"expected an object to move, found a {type_name(thing)}")
        origin = thing.f_origin
        if type(origin) is not Position or type(x) is not int or type(y) is not int:
            raise Fault(f"expected two Numbers to move by, found {type_name(x)} and {type_name(y)}")
        x += origin.f_x
        y += origin.f_y
        if not (-_SMALL < x < _SMALL and -_SMALL < y < _SMALL):
            x, y = wrapped(x), wrapped(y)
        self.run.tick(1 + len(thing.fields))
        twin: Any = thing.copy()
        twin.f_origin = Position(x, y)
        return twin

    def move(self, thing: Any, by: Any) -> Any:
        """Return an object moved by a position."""
        if type(by) is not Position:
            raise Fault(f"expected a Position to move by, found a {type_name(by)}")
        return self.shifted(thing, by.f_x, by.f_y)

    def move_no_collision(self, thing: Any, x: Any, y: Any) -> Any:
        """Return an object moved if its new cells are free; the grid has no bounds for it."""
        twin = self.shifted(thing, x, y)
        return twin if self.space.is_free_except(twin, thing) else thing

    def if_fits(self, thing: Any, x: int, y: int) -> Any:
        """Return an object moved if its new cells are free and on the grid."""
        twin = self.shifted(thing, x, y)
        fits = self.space.is_within_bounds(twin) and self.space.is_free_except(twin, thing)
        return twin if fits else thing

    def next_liquid(self, thing: Any) -> Any:
        """Return an object that flows: down, or towards the nearest hole in the row below."""
        origin = self.space.origin(thing)
        size = self.run.size
        if origin[1] != size - 1 and self.space.is_free(twin := self.shifted(thing, 0, 1)):
            return twin
        row = origin[1] + 1
        if row >= size:
            return thing
        frame = self.run.frame
        self.run.tick(2 * size)
        holes = [(x, row) for x in range(size) if (x, row) not in frame and (x, row - 1) not in frame]
        return self._to_hole(thing, self._nearest(origin, holes)) if holes else thing

    def _to_hole(self, thing: Any, hole: tuple[int, int]) -> Any:
        x, y = self.space.origin(thing)
        above = (hole[0], hole[1] - 1)
        by = self.nearness.step((x, y), above)
        frame = self.run.frame
        if above in frame or (x + by[0], y + by[1]) in frame:
            return thing
        twin = self.shifted(thing, *by)
        return twin if self.space.is_within_bounds(twin) else thing

    @staticmethod
    def _nearest(origin: tuple[int, int], places: list[tuple[int, int]]) -> tuple[int, int]:
        """Return the nearest of places, of several the last one."""
        x, y = origin
        return min(reversed(places), key=lambda place: (place[0] - x) ** 2 + (place[1] - y) ** 2)


class Direction:
    """Moves objects and positions by one cell in a direction."""

    def __init__(self, motion: Motion, across: int, down: int) -> None:
        self._motion, self._across, self._down = motion, across, down

    def move(self, thing: Any) -> Any:
        """Return an object moved by one cell."""
        return self._motion.shifted(thing, self._across, self._down)

    def move_no_collision(self, thing: Any) -> Any:
        """Return an object moved by one cell if its new cells are free and on the grid."""
        return self._motion.if_fits(thing, self._across, self._down)

    def move_pos(self, place: Any) -> Any:
        """Return the position one cell on."""
        x, y = self._motion.space.place(place)
        return Position(wrapped(x + self._across), wrapped(y + self._down))
