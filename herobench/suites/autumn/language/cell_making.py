"""Makes cells while a program runs, after the plans in `cells.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from herobench.suites.autumn.language.autumn_error import Fault
from herobench.suites.autumn.language.cells import Argument, CellPlan
from herobench.suites.autumn.language.run import Run, Variables
from herobench.suites.autumn.language.values import MISSING, Cell, Later, Thing, Value, fixed_cell, has_field, kind_of

LaterFunction = Callable[[Any, Variables], Any]


@dataclass(slots=True)
class CellCode:
    """A plan with the functions that evaluate its arguments."""

    number: int
    plan: CellPlan
    later: tuple[LaterFunction | None, ...]
    cell: Cell | None = None
    """The cell itself, where all of it is literal."""
    shared: bool = True
    """Whether all objects may have this one cell."""

    @property
    def at(self) -> int:
        """The offset of the cell in the source."""
        return self.plan.at


class _Nothing(Value):
    """The object of a cell that is only tried: it has no fields."""

    __slots__ = ()


_NOTHING = _Nothing()
_EMPTY: Variables = {}
_FAILED = (Fault, AttributeError, KeyError, TypeError, UnboundLocalError)


class CellMaking:
    """Makes the cells of one run."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def new_cell(self, code: CellCode, *passed: Any) -> Cell:
        """Return a new cell. `passed` are the values of the plan's local variables."""
        run, plan = self.run, code.plan
        run.left -= 1 + len(plan.looked_up) + len(plan.passed)
        if run.left < 0:
            run.tick(0)
        if code.cell is not None:
            return code.cell if code.shared else code.cell.copied()
        captured = self._captured(plan, passed)
        made = object.__new__(Cell)
        values: list[Any] = []
        pure = True
        for number, arg in enumerate(plan.args):
            if not isinstance(arg, Argument):
                values.append(arg)
                continue
            value = self._tried(code, number, arg, captured)
            if value is MISSING:
                value = Later(arg.text, number)
                pure = pure and arg.pure and all(name in captured or name in plan.fields for name in arg.free)
            values.append(value)
        made.f_x, made.f_y, made.f_color = values
        made.captured, made.code = captured, code
        made.fixed = not any(type(value) is Later for value in values)
        made.pure = pure and not any(callable(value) for value in captured.values())
        return made

    def _captured(self, plan: CellPlan, passed: tuple[Any, ...]) -> Variables:
        """Return the variables that a cell names and that exist now, those of its own object left out."""
        captured: Variables = {}
        for name in plan.looked_up:
            value = self._outside(name) if name in plan.fields else self.run.L.get(name, MISSING)
            if value is MISSING:
                value = self.run.G.get(name, MISSING)
            if value is not MISSING:
                captured[name] = value
        for binder, value in zip(plan.passed, passed, strict=True):
            captured[binder.name] = value
        return captured or _EMPTY

    def _outside(self, name: str) -> Any:
        """Return a local variable of the callers of a constructor, whose own frame is the innermost with the name."""
        self.run.tick(len(self.run.frames))
        for frame in reversed(self.run.frames):
            if name in frame:
                return frame[name]
        return self.run.L.get(name, MISSING)

    def _tried(self, code: CellCode, number: int, arg: Argument, captured: Variables) -> Any:
        """Return the Number that an argument is already; MISSING if it is left for drawing."""
        if arg.bare:
            value = captured.get(arg.bare, MISSING)
            return value if type(value) is int else MISSING
        if arg.free and arg.free.isdisjoint(captured):
            return MISSING
        function = code.later[number]
        assert function is not None
        run = self.run
        run.tick(len(run.L) + len(captured) + (0 if arg.pure else len(run.updated) + len(run.order)))
        variables, local, frames, depth = run.G, dict(run.L), run.frames, run.depth
        updated, order = run.updated, run.order
        if not arg.pure:
            run.updated, run.order = set(updated), dict(order)
        run.turn_to(dict(captured))  # what it assigns is lost, as its frame is in the reference
        run.L.clear()
        run.frames = []
        try:
            value = function(_NOTHING, captured)
        except _FAILED:
            value = MISSING
        finally:
            run.frames, run.depth = frames, depth
            run.updated, run.order = updated, order
            run.L.clear()
            run.L.update(local)
            run.turn_to(variables)
        return value if type(value) is int else MISSING

    def later_name(self, name: str, captured: Variables, thing: Value) -> Any:
        """Return a variable of an argument that is evaluated at drawing."""
        if name in captured:
            return captured[name]
        if isinstance(thing, Thing) and has_field(thing, name):
            return getattr(thing, f"f_{name}")
        run = self.run
        if thing is not _NOTHING:
            for variables in (run.L, run.G):
                if name in variables:
                    return variables[name]
        raise Fault(f"there is no variable '{name}'")

    def cells(self, made: Any) -> list[Cell]:
        """Return the cells of an object as a list, or refuse what is none."""
        cells = [made] if type(made) is Cell else made
        if type(cells) is not list or not all(type(cell) is Cell for cell in cells):
            raise Fault(f"expected a Cell or a List of Cells in an object, found a {kind_of(made)}")
        self.run.room(len(cells))
        return cells


def constant_cell(plan: CellPlan) -> Cell | None:
    """Return the cell of a plan of which all is literal."""
    if not plan.fixed:
        return None
    x, y, color = plan.args
    return fixed_cell(x, y, color)  # type: ignore[arg-type]
