"""Natives on free cells, bounds, overlaps, distances and directions, and those that move objects.

Occupied is what the last frame shows, not where objects are now.
"""

from __future__ import annotations

from typing import Any

from herobench.suites.autumn.language.drawing import Drawing
from herobench.suites.autumn.language.errors import Fault
from herobench.suites.autumn.language.lists import wrapped
from herobench.suites.autumn.language.objects import Objects
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.values import MISSING, Position, RenderedElem, Thing, type_name

Place = tuple[int, int]


class Space:
    """Looks at cells."""

    def __init__(self, run: Run, drawing: Drawing) -> None:
        self.run = run
        self.drawing = drawing
        self.cells = drawing.cells

    def is_free_pos(self, place: Any) -> Any:
        """Return whether a position is free."""
        return self.place(place) not in self.run.frame

    def is_free(self, thing: Any) -> Any:
        """Return whether all cells of an object are on free positions; its own old cells are not."""
        frame = self.run.frame
        return all(place not in frame for place, _ in self.cells(thing))

    def is_free_except(self, thing: Any, old: Any) -> Any:
        """Return whether all cells are free, or equal cells of another value in position and colour."""
        frame = self.run.frame
        occupied = None
        for cell in self.cells(thing):
            if cell[0] in frame:
                if occupied is None:
                    occupied = self.cells(old)
                    if len(occupied) > 8:
                        occupied = frozenset(occupied)  # type: ignore[assignment]
                if cell not in occupied:
                    return False
        return True

    def is_free_pos_except_obj(self, place: Any, thing: Any) -> Any:
        """Return whether a position is free, or under a cell of an object."""
        where = self.place(place)
        return where not in self.run.frame or where in self.drawing.positions(thing)

    def is_within_bounds(self, thing: Any) -> Any:
        """Return whether all cells are on the grid."""
        size = self.run.size
        return all(0 <= x < size and 0 <= y < size for (x, y), _ in self.cells(thing))

    def adj_positions(self, place: Any) -> Any:
        """Return the neighbours of a position that are on the grid: left, right, up, down."""
        x, y = self.place(place)
        self.run.tick(4)
        size = self.run.size
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [Position(*near) for near in around if 0 <= near[0] < size and 0 <= near[1] < size]

    def all_positions(self, columns: Any, rows: Any = MISSING) -> Any:
        """Return all positions of a grid, column by column."""
        rows = columns if rows is MISSING else rows
        return self._block(0, columns, 0, rows, by_row=False)

    def rect(self, first: Any, end: Any) -> Any:
        """Return the positions from one corner to the one before the other, row by row."""
        (left, top), (right, bottom) = self.place(first), self.place(end)
        return self._block(left, right, top, bottom, by_row=True)

    def _block(self, left: Any, right: Any, top: Any, bottom: Any, *, by_row: bool) -> list[Position]:
        for number in (left, right, top, bottom):
            if type(number) is not int:
                raise Fault(f"expected Numbers, found a {type_name(number)}")
        if right <= left or bottom <= top:  # however long the other side is
            return []
        self.run.room((right - left) * (bottom - top))
        if by_row:
            return [Position(x, y) for y in range(top, bottom) for x in range(left, right)]
        return [Position(x, y) for x in range(left, right) for y in range(top, bottom)]

    def intersects(self, one: Any, other: Any) -> Any:
        """Return whether cells of two values are on one position."""
        mine, others = self.cells(one), self.cells(other)
        if len(mine) == 1:
            place = mine[0][0]
            return any(cell[0] == place for cell in others)
        if not mine or not others:
            return False
        places = {place for place, _ in mine}
        return any(place in places for place, _ in others)

    def intersects_elems(self, one: Any, other: Any) -> Any:
        """Return whether two lists of drawn cells share a position."""
        return not self.elems(one).isdisjoint(self.elems(other))

    def render_value(self, value: Any) -> Any:
        """Return the cells of an object or a list as objects."""
        return self.drawing.elems(value)

    def elems(self, elems: Any) -> set[Place]:
        """Return the positions of a list of drawn cells."""
        for elem in self.listed(elems):
            if type(elem) is not RenderedElem:
                raise Fault(f"expected a List of RenderedElem, found a {type_name(elem)} in it")
        return {self.place(elem.f_position) for elem in elems}

    def listed(self, value: Any) -> list[Any]:
        """Return a list whose elements are looked at, or refuse the value."""
        if type(value) is not list:
            raise Fault(f"expected a List, found a {type_name(value)}")
        self.run.tick(len(value))
        return value

    @staticmethod
    def place(value: Any) -> Place:
        """Return the coordinates of a Position, or refuse the value."""
        if type(value) is not Position:
            raise Fault(f"expected a Position, found a {type_name(value)}")
        return value.f_x, value.f_y

    @staticmethod
    def origin(thing: Any) -> Place:
        """Return the coordinates of an object's origin, or refuse the value."""
        if not isinstance(thing, Thing):
            raise Fault(f"expected an object, found a {type_name(thing)}")
        origin = thing.f_origin
        return (origin.f_x, origin.f_y) if type(origin) is Position else Space.place(origin)


class Nearness:
    """Measures distances."""

    def __init__(self, run: Run, space: Space, objects: Objects) -> None:
        self.run = run
        self.place = space.place
        self.listed = space.listed
        self.origin = space.origin
        self.objects = objects

    # -- positions ----------------------------------------------------------------------------------------------------

    def move_pos(self, place: Any, by: Any) -> Any:
        """Return the sum of two positions."""
        (x, y), (across, down) = self.place(place), self.place(by)
        return Position(wrapped(x + across), wrapped(y + down))

    def delta_pos(self, first: Any, second: Any) -> Any:
        """Return the way from one position to another."""
        return self._delta(self.place(first), self.place(second))

    def delta_obj(self, first: Any, second: Any) -> Any:
        """Return the way from one object to another."""
        return self._delta(self.origin(first), self.origin(second))

    def delta_elem(self, first: Any, second: Any) -> Any:
        """Return the way from one drawn cell to another."""
        return self._delta(self.elem(first), self.elem(second))

    @staticmethod
    def _delta(first: Place, second: Place) -> Position:
        return Position(wrapped(second[0] - first[0]), wrapped(second[1] - first[1]))

    def unit_vector(self, thing: Any, target: Any) -> Any:
        """Return the step from an object towards another; horizontal if both directions are possible."""
        return Position(*self.step(self.origin(thing), self.origin(target)))

    def unit_vector_obj_pos(self, thing: Any, place: Any) -> Any:
        """Return the step from an object towards a position."""
        return Position(*self.step(self.origin(thing), self.place(place)))

    @staticmethod
    def step(here: Place, there: Place) -> Place:
        """Return the step from a place towards another."""
        across, down = sign(there[0] - here[0]), sign(there[1] - here[1])
        return (across, 0) if across and down else (across, down)

    # -- neighbours ---------------------------------------------------------------------------------------------------

    def adjacent_poss(self, first: Any, second: Any, most: Any) -> Any:
        """Return whether two positions are at most `most` steps apart."""
        return steps(self.place(first), self.place(second)) <= self.number(most)

    def adjacent_two_objs(self, first: Any, second: Any, most: Any) -> Any:
        """Return whether two objects are at most `most` steps apart."""
        return steps(self.origin(first), self.origin(second)) <= self.number(most)

    def adjacent_elem(self, first: Any, second: Any) -> Any:
        """Return whether two drawn cells are neighbours."""
        return steps(self.elem(first), self.elem(second)) == 1

    def adj(self, thing: Any, others: Any, most: Any) -> Any:
        """Return whether an object is at most `most` steps from one of the others."""
        here, most = self.origin(thing), self.number(most)
        return any(steps(here, there) <= most for there in self._origins(others))

    def adjacent_objs(self, thing: Any, most: Any) -> Any:
        """Return all objects at most `most` steps from an object, or from one in a list; itself included."""
        most = self.number(most)
        here = self._origins(thing)
        return self._near(here, lambda place: any(steps(place, other) <= most for other in here))

    def adjacent_objs_diag(self, thing: Any) -> Any:
        """Return all objects that are at the place of an object or neighbours of it, also by a corner."""
        here = self._origins(thing)
        return self._near(here, lambda place: any(corner_steps(place, other) <= 1 for other in here))

    def _near(self, here: list[Place], near: Any) -> list[Thing]:
        things = self.objects.all_objs()
        self.run.tick(len(things) * len(here))
        return [thing for thing in things if near(self.place(thing.f_origin))]

    def _origins(self, value: Any) -> list[Place]:
        """Return the origins of an object, or of those in a list."""
        return [self.origin(thing) for thing in self.listed(value)] if type(value) is list else [self.origin(value)]

    def closest(self, thing: Any, others: Any) -> Any:
        """Return the object with the nearest origin, of several the last one; the object itself if there is none."""
        here = self.origin(thing)
        best, least = thing, -1
        for other, place in zip(self.listed(others), self._origins(others), strict=True):
            if least < 0 or squared(here, place) <= least:
                best, least = other, squared(here, place)
        return best

    def closest_pos(self, thing: Any, places: Any) -> Any:
        """Return the nearest position, of several the last one; the object's own if there is none."""
        here = self.origin(thing)
        best, least = thing.f_origin, -1
        for place in self.listed(places):
            distance = squared(here, self.place(place))
            if least < 0 or distance <= least:
                best, least = place, distance
        return best

    # -- checks -------------------------------------------------------------------------------------------------------

    @staticmethod
    def number(value: Any) -> int:
        """Return a Number, or refuse the value."""
        if type(value) is not int:
            raise Fault(f"expected a Number, found a {type_name(value)}")
        return value

    def elem(self, value: Any) -> Place:
        """Return the position of a drawn cell, or refuse the value."""
        if type(value) is not RenderedElem:
            raise Fault(f"expected a RenderedElem, found a {type_name(value)}")
        return self.place(value.f_position)


def sign(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def squared(first: Place, second: Place) -> int:
    """Return the squared distance of two places."""
    return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2


def steps(first: Place, second: Place) -> int:
    """Return how many steps two places are apart."""
    return abs(first[0] - second[0]) + abs(first[1] - second[1])


def corner_steps(first: Place, second: Place) -> int:
    """Return how many steps two places are apart, if a step may also go by a corner."""
    return max(abs(first[0] - second[0]), abs(first[1] - second[1]))


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
