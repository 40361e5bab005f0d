"""Plans how a `(Cell x y color)` of the program is made: what is constant, what it captures, what is left for drawing.

A cell is partly lazy. A literal is stored. Any other argument is tried when the cell is made, with nothing but the
variables that it names, looked up as if the fields of its own object were absent; if that gives a Number, the Number
stays. Otherwise the argument is evaluated each time the cell is drawn: with the captured variables, then the fields of
the object, then all other variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from herobench.suites.autumn.language import tree
from herobench.suites.autumn.language.names import Names, within
from herobench.suites.autumn.language.signatures import SIGNATURES

Constant = int | str


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a cell that is no literal."""

    expr: tree.Expr
    free: frozenset[str]
    """The variables that it names."""
    bare: str
    """Its one variable, if it is nothing but that."""
    pure: bool
    """Whether its value depends on nothing but these variables."""
    text: str
    """The digest of what tells it from other expressions: programs may compare cells often, and it may be long."""


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
                found = free_names(expr, names)
                free |= found
                args.append(_argument(expr, frozenset(found), names))
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


def _argument(expr: tree.Expr, free: frozenset[str], names: Names) -> Argument:
    bare = expr.name if isinstance(expr, tree.Name) and expr.name in free else ""
    pure = all(_is_pure(inner, names) for inner in within([expr]))
    text = "".join(map(_told, within([expr])))
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return Argument(expr, free, bare, pure, digest)


def _is_pure(expr: tree.Expr, names: Names) -> bool:
    """Say whether an expression, apart from what is in it, depends on its variables only."""
    if isinstance(expr, tree.Name) and names.native(expr.name):
        return SIGNATURES[expr.name].pure
    if isinstance(expr, tree.CallExpression):
        head = expr.head
        return isinstance(head, tree.Name) and names.native(head.name) and SIGNATURES[head.name].pure
    if isinstance(expr, tree.Lambda):
        return expr.given is not None
    return not isinstance(expr, tree.Assign | tree.SetField)


def _told(expr: tree.Expr) -> str:
    """Return what tells a node from others of its kind."""
    facts = [getattr(expr, name) for name in ("op", "name", "value", "field", "params") if hasattr(expr, name)]
    plain = [fact for fact in facts if not isinstance(fact, tree.Expr)]
    return f"{type(expr).__name__}{plain!r}"
