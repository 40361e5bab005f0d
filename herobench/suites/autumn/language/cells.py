"""Plans how a `(Cell x y color)` of the program is made, and makes it while a program runs.

A cell is partly lazy. A literal is stored. Any other argument is tried when the cell is made, with nothing but the
variables that it names, looked up as if the fields of its own object were absent; if that gives a Number, the Number
stays. Otherwise the argument is evaluated each time the cell is drawn: with the captured variables, then the fields of
the object, then all other variables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from herobench.suites.autumn.language import tree
from herobench.suites.autumn.language.errors import Fault
from herobench.suites.autumn.language.library import SIGNATURES
from herobench.suites.autumn.language.names import Names, within
from herobench.suites.autumn.language.run import Run, Variables
from herobench.suites.autumn.language.values import MISSING, Cell, Later, Thing, Value, fixed_cell, has_field, type_name

Constant = int | str


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a cell that is not a literal."""

    expr: tree.Expr
    free: frozenset[str]
    """The variables that it names."""
    bare: str
    """Its one variable, if it is nothing but that."""
    pure: bool
    """Whether its value depends on nothing but these variables."""
    later: Later
    """Stands in a cell for the argument. Its text is the digest of what tells the expression from others: programs may
    compare cells often, and it may be long."""


@dataclass(frozen=True, slots=True)
class CellPlan:
    """A cell of the program."""

    at: int
    args: tuple[Constant | Argument, ...]
    passed: tuple[tree.Binder, ...]
    """Local variables that it names, of which the generated code passes the values."""
    looked_up: tuple[str, ...]
    """Other variables that it names."""
    fields: frozenset[str]
    """Which of these are fields of the object that the cell stands in."""

    @staticmethod
    def of(call: tree.CallExpression, names: Names) -> CellPlan:
        """Return the plan of a cell with three arguments."""
        free: dict[str, tree.Name] = {}
        args: list[Constant | Argument] = []
        for expr in call.args[:3]:
            if isinstance(expr, tree.Literal) and not isinstance(expr.value, bool):
                args.append(expr.value)
            else:
                names_in_expr = free_names(expr, names)
                free |= names_in_expr
                args.append(_argument(expr, len(args), frozenset(names_in_expr), names))
        bound = [name.binder for name in free.values() if name.binder is not None]
        passed = [binder for binder in bound if not binder.is_field and binder.name not in names.dynamic]
        others = set(free) - {binder.name for binder in passed}
        fields = frozenset(binder.name for binder in bound if binder.is_field)
        return CellPlan(call.at, tuple(args), tuple(passed), tuple(sorted(others)), fields)

    @property
    def fixed(self) -> bool:
        """Whether all arguments are literals."""
        return not any(isinstance(arg, Argument) for arg in self.args)


def free_names(expr: tree.Expr, names: Names) -> dict[str, tree.Name]:
    """Return the variables that an expression takes from outside, by name."""
    own = set()
    for inner in within([expr]):
        if isinstance(inner, tree.Lambda):
            own |= set(map(id, inner.binders))
        elif isinstance(inner, tree.Assign) and inner.defines:
            own.add(id(inner.binder))
    return {
        inner.name: inner
        for inner in within([expr])
        if isinstance(inner, tree.Name)
        and id(inner.binder) not in own
        and inner.name not in names.objects
        and not names.native(inner.name)
    }


def _argument(expr: tree.Expr, number: int, free: frozenset[str], names: Names) -> Argument:
    bare = expr.name if isinstance(expr, tree.Name) and expr.name in free else ""
    pure = all(_is_pure(inner, names) for inner in within([expr]))
    text = "".join(map(_node_text, within([expr])))
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return Argument(expr, free, bare, pure, Later(digest, number))


def _is_pure(expr: tree.Expr, names: Names) -> bool:
    """Say whether an expression, apart from what is in it, depends on its variables only."""
    if isinstance(expr, tree.Name) and names.native(expr.name):
        return SIGNATURES[expr.name].pure
    if isinstance(expr, tree.CallExpression):
        return names.native(expr.head.name) and SIGNATURES[expr.head.name].pure
    if isinstance(expr, tree.Lambda):
        return expr.given is not None
    return not isinstance(expr, tree.Assign)


def _node_text(expr: tree.Expr) -> str:
    """Return what tells a node from others of its kind."""
    facts = [getattr(expr, name) for name in ("op", "name", "value", "field", "params") if hasattr(expr, name)]
    plain = [fact for fact in facts if not isinstance(fact, tree.Expr)]
    return f"{type(expr).__name__}{plain!r}"


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
            return code.cell if code.shared else code.cell.copy()
        captured = self._capture(plan, passed)
        cell = object.__new__(Cell)
        values: list[Any] = []
        fixed = pure = True
        for arg in plan.args:
            value: Any = arg
            if type(arg) is Argument:
                value = self._try_number(code, arg, captured)
                if value is MISSING:
                    value, fixed = arg.later, False
                    pure = pure and arg.pure and arg.free <= captured.keys() | plan.fields
            values.append(value)
        cell.f_x, cell.f_y, cell.f_color = values
        cell.captured, cell.code, cell.fixed = captured, code, fixed
        cell.pure = pure and not any(map(callable, captured.values()))
        return cell

    def _capture(self, plan: CellPlan, passed: tuple[Any, ...]) -> Variables:
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

    def _try_number(self, code: CellCode, arg: Argument, captured: Variables) -> Any:
        """Return the Number that an argument is already; MISSING if it is left for drawing."""
        if arg.bare:
            value = captured.get(arg.bare, MISSING)
            return value if type(value) is int else MISSING
        if arg.free and arg.free.isdisjoint(captured):
            return MISSING
        function = code.later[arg.later.argument]
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

    def cells(self, value: Any) -> list[Cell]:
        """Return the cells of an object as a list. Refuse values that are not cells."""
        cells = [value] if type(value) is Cell else value
        if type(cells) is not list or not all(type(cell) is Cell for cell in cells):
            raise Fault(f"expected a Cell or a List of Cells in an object, found a {type_name(value)}")
        self.run.room(len(cells))
        return cells


def constant_cell(plan: CellPlan) -> Cell | None:
    """Return the cell of a plan that is all literal."""
    if not plan.fixed:
        return None
    x, y, color = plan.args
    return fixed_cell(x, y, color)  # type: ignore[arg-type]
