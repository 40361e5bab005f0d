"""Natives on free cells, bounds and overlaps. Occupied is what the last frame shows, not where objects are now."""

from __future__ import annotations

from typing import Any

from herobench.suites.autumn.language.autumn_error import Fault
from herobench.suites.autumn.language.drawing import Drawing
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.values import MISSING, Position, RenderedElem, Thing, kind_of

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
        known = None
        for cell in self.cells(thing):
            if cell[0] in frame:
                if known is None:
                    known = self.cells(old)
                    if len(known) > 8:
                        known = frozenset(known)  # type: ignore[assignment]
                if cell not in known:
                    return False
        return True

    def is_free_pos_except_obj(self, place: Any, thing: Any) -> Any:
        """Return whether a position is free, or under a cell of an object."""
        where = self.place(place)
        return where not in self.run.frame or where in self.drawing.positions(thing)

    def is_free_range_except_obj(self, first: Any, end: Any, thing: Any) -> Any:
        """Return whether columns of the uppermost row are free, or under cells of an object."""
        if type(first) is not int or type(end) is not int:
            raise Fault(f"expected two Numbers, found {kind_of(first)} and {kind_of(end)}")
        self.run.tick(max(0, end - first))
        own = self.drawing.positions(thing)
        frame = self.run.frame
        return all((x, 0) not in frame or (x, 0) in own for x in range(first, end))

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
                raise Fault(f"expected Numbers, found a {kind_of(number)}")
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

    def intersects_pos_elems(self, place: Any, elems: Any) -> Any:
        """Return whether a position is among those of drawn cells."""
        return self.place(place) in self.elems(elems)

    def intersects_pos_poss(self, place: Any, places: Any) -> Any:
        """Return whether a position is among others."""
        if type(places) is not list:
            raise Fault(f"expected a List, found a {kind_of(places)}")
        self.run.tick(len(places))
        return self.place(place) in {self.place(other) for other in places}

    def render_value(self, value: Any) -> Any:
        """Return the cells of an object or a list as objects."""
        return self.drawing.elems(value)

    def elems(self, elems: Any) -> set[Place]:
        """Return the positions of a list of drawn cells."""
        if type(elems) is not list:
            raise Fault(f"expected a List, found a {kind_of(elems)}")
        self.run.tick(len(elems))
        for elem in elems:
            if type(elem) is not RenderedElem:
                raise Fault(f"expected a List of RenderedElem, found a {kind_of(elem)} in it")
        return {self.place(elem.f_position) for elem in elems}

    @staticmethod
    def place(value: Any) -> Place:
        """Return the coordinates of a Position, or refuse the value."""
        if type(value) is not Position:
            raise Fault(f"expected a Position, found a {kind_of(value)}")
        return value.f_x, value.f_y

    @staticmethod
    def origin(thing: Any) -> Place:
        """Return the coordinates of an object's origin, or refuse the value."""
        if not isinstance(thing, Thing):
            raise Fault(f"expected an object, found a {kind_of(thing)}")
        return Space.place(thing.f_origin)
