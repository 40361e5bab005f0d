"""Draws objects: evaluates what their cells leave for later, and lays all cells of a world into one frame."""

from __future__ import annotations

from typing import Any

from herobench.suites.autumn.language.errors import DEEPEST_VALUE, Fault
from herobench.suites.autumn.language.run import Frame, Run
from herobench.suites.autumn.language.values import Cell, Drawn, Later, Position, RenderedElem, Thing, Value, type_name

_CSS = """
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4
black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0
chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff
darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9
darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000
darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969
dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc
ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080
honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa
lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff
lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1
lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899
lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970
mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1
saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0
skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4
tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff
whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
"""
_WORDS = _CSS.split()
HEX: dict[str, str] = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True))
"""The red, green and blue of a colour as six hexadecimal digits, by its name in lower case."""


class Drawing:
    """Draws for one run. `published` has, by class, the fields that functions in cells see by dynamic scope."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.published: dict[str, list[str]] = {}

    def thing(self, thing: Thing) -> Drawn:
        """Return the cells of an object. They count as work each time, because the caller looks at all of them."""
        cached: Drawn | None = thing.drawn
        if cached is not None:
            self.run.tick(len(cached))
            return cached
        origin = thing.f_origin
        if type(origin) is not Position or type(thing.f_elems) is not list:
            raise self._misshapen(thing)
        left, top = origin.f_x, origin.f_y
        cells = []
        keeps = True
        self.run.tick(len(thing.f_elems))
        for cell in thing.f_elems:
            if type(cell) is not Cell:
                raise self._misshapen(thing)
            x, y, color = (cell.f_x, cell.f_y, cell.f_color) if cell.fixed else self._evaluate(thing, cell)
            if type(x) is not int or type(y) is not int or type(color) is not str:
                types = f"{type_name(x)}, {type_name(y)} and {type_name(color)}"
                at = None if cell.code is None else cell.code.at
                raise Fault(f"expected two Numbers and a String in a Cell of {thing.kind}, found {types}", at)
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

    def _evaluate(self, thing: Thing, cell: Cell) -> tuple[Any, Any, Any]:
        """Evaluate a cell with the fields that its object has now."""
        published = self.published.get(thing.kind)
        if published is not None:
            self.run.tick(len(published))
            pairs = [part for name in published for part in (name, getattr(thing, f"f_{name}"))]
            self.run.enter(*pairs)
        x, y, color = [
            cell.code.later[value.argument](thing, cell.captured) if type(value) is Later else value
            for value in (cell.f_x, cell.f_y, cell.f_color)
        ]
        if published is not None:
            self.run.leave()
        return x, y, color

    def things(self, value: Any, depth: int = 0) -> list[Thing]:
        """Return the objects in a value: those of a list, and of the lists in it."""
        if isinstance(value, Thing):
            return [value]
        if type(value) is not list:
            return []
        if depth > DEEPEST_VALUE:
            raise Fault(f"expected lists nested at most {DEEPEST_VALUE} deep")
        self.run.tick(len(value))
        things_in: list[Thing] = []
        for item in value:
            if isinstance(item, Thing):
                things_in.append(item)
            elif type(item) is list:
                things_in += self.things(item, depth + 1)
        return things_in

    def cells(self, value: Any) -> Drawn:
        """Return the cells of an object, or of all objects in a list; none for anything else. They count as work."""
        if isinstance(value, Thing):
            return self.thing(value)
        if type(value) is not list:
            return ()
        pixels: list[tuple[tuple[int, int], str]] = []
        for thing in self.things(value):
            pixels += self.thing(thing)
        return tuple(pixels)

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
        cells_free = self.run.limits.cells
        for name in self.run.drawn_names():
            value = variables.get(name)
            if type(value) is list or isinstance(value, Value):
                try:
                    cells_free = self._draw(value, frame, cells_free)
                except Fault as fault:
                    fault.near = self.run.places.get(name)
                    raise
        return frame

    def _draw(self, value: Any, frame: Frame, cells_free: int) -> int:
        """Draw a value over a frame that may get a number of cells, and return how many are left."""
        pixels = 0
        for thing in self.things(value):
            cells = thing.drawn
            if cells is None:
                cells = self.thing(thing)
            else:  # as `thing` does it, without its call: most objects look as in the frame before
                pixels += len(cells)
            cells_free -= len(cells)
            if cells_free < 0:
                raise Fault(f"more than {self.run.limits.cells} cells are drawn in one frame")
            frame.update(cells)
        self.run.tick(pixels)
        return cells_free
