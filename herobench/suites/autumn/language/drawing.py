"""Draws objects: evaluates what their cells leave for later, and lays all cells of a world into one frame."""

from __future__ import annotations

from typing import Any

from herobench.suites.autumn.language.autumn_error import Fault
from herobench.suites.autumn.language.limits import DEEPEST_VALUE
from herobench.suites.autumn.language.run import Frame, Run
from herobench.suites.autumn.language.values import Cell, Drawn, Later, Position, RenderedElem, Thing, Value, kind_of


class Drawing:
    """Draws for one run. `published` has, by class, the fields that functions in cells see by dynamic scope."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.caching = True
        """Whether an object may keep how it is drawn: not where objects change in place."""
        self.published: dict[str, list[str]] = {}

    def thing(self, thing: Thing) -> Drawn:
        """Return the cells of an object. They count as work each time, because the caller looks at all of them."""
        known: Drawn | None = thing.drawn
        if known is not None:
            self.run.tick(len(known))
            return known
        origin = thing.f_origin
        if type(origin) is not Position or type(thing.f_elems) is not list:
            raise self._misshapen(thing)
        left, top = origin.f_x, origin.f_y
        cells = []
        keeps = self.caching
        self.run.tick(len(thing.f_elems))
        for cell in thing.f_elems:
            if type(cell) is not Cell:
                raise self._misshapen(thing)
            x, y, color = (cell.f_x, cell.f_y, cell.f_color) if cell.fixed else self._evaluated(thing, cell)
            if type(x) is not int or type(y) is not int or type(color) is not str:
                found = f"{kind_of(x)}, {kind_of(y)} and {kind_of(color)}"
                at = None if cell.code is None else cell.code.at
                raise Fault(f"expected two Numbers and a String in a Cell of {thing.kind}, found {found}", at)
            keeps = keeps and cell.pure
            cells.append(((left + x, top + y), color))
        found_cells = tuple(cells)
        if keeps:
            thing.drawn = found_cells
        return found_cells

    @staticmethod
    def _misshapen(thing: Thing) -> Fault:
        """Return the error of an object whose own fields a program has overwritten with something else."""
        return Fault(f"expected a Position as origin and a list of cells in a {thing.kind}")

    def _evaluated(self, thing: Thing, cell: Cell) -> tuple[Any, Any, Any]:
        """Evaluate a cell with the fields that its object has now."""
        published = self.published.get(thing.kind)
        if published is not None:
            self.run.tick(len(published))
            pairs = [part for name in published for part in (name, getattr(thing, f"f_{name}"))]
            self.run.enter(*pairs)
        values = tuple(
            cell.code.later[value.argument](thing, cell.captured) if type(value) is Later else value
            for value in (cell.f_x, cell.f_y, cell.f_color)
        )
        if published is not None:
            self.run.leave()
        return values[0], values[1], values[2]

    def things(self, value: Any, depth: int = 0) -> list[Thing]:
        """Return the objects in a value: those of a list, and of the lists in it."""
        if isinstance(value, Thing):
            return [value]
        if type(value) is not list:
            return []
        if depth > DEEPEST_VALUE:
            raise Fault(f"expected lists nested at most {DEEPEST_VALUE} deep")
        self.run.tick(len(value))
        found: list[Thing] = []
        for item in value:
            if isinstance(item, Thing):
                found.append(item)
            elif type(item) is list:
                found += self.things(item, depth + 1)
        return found

    def cells(self, value: Any) -> Drawn:
        """Return the cells of an object, or of all objects in a list; none for anything else. They count as work."""
        if isinstance(value, Thing):
            return self.thing(value)
        if type(value) is not list:
            return ()
        return tuple(cell for thing in self.things(value) for cell in self.thing(thing))

    def elems(self, *values: Any) -> list[RenderedElem]:
        """Return the cells of values as objects."""
        cells = [cell for value in values for cell in self.cells(value)]
        self.run.room(len(cells))
        return [RenderedElem(Position(*place), color) for place, color in cells]

    def positions(self, value: Any) -> set[tuple[int, int]]:
        """Return the positions of the cells of a value."""
        return {place for place, _ in self.cells(value)}

    def frame(self) -> Frame:
        """Draw all global variables."""
        frame: Frame = {}
        variables = self.run.G
        left = self.run.limits.cells
        for name in self.run.drawn_names():
            value = variables.get(name)
            if type(value) is list or isinstance(value, Value):
                try:
                    left = self._draw(value, frame, left)
                except Fault as fault:
                    fault.near = self.run.places.get(name)
                    raise
        return frame

    def _draw(self, value: Any, frame: Frame, left: int) -> int:
        """Draw a value over a frame that may get so many cells, and return how many are left."""
        for thing in self.things(value):
            cells = self.thing(thing)
            left -= len(cells)
            if left < 0:
                raise Fault(f"more than {self.run.limits.cells} cells are drawn in one frame")
            frame.update(cells)
        return left
