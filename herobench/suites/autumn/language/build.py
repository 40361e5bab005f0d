"""Builds Python expressions node by node. Every node gets the line number that stands for a place in the program.

The line is the offset in the source plus one. So the traceback of an error says where in the program it happened, at no
cost while all goes well.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

FILE = "<autumn>"
"""The file name of generated code, by which tracebacks are searched for it."""


class Build:
    """Makes nodes. `at` is the offset of the expression that is compiled now."""

    def __init__(self) -> None:
        self.at = 0
        self._count = 0

    def place(self, node: ast.expr) -> ast.expr:
        """Give a node its place."""
        node.lineno = node.end_lineno = self.at + 1
        node.col_offset = node.end_col_offset = 0
        return node

    def fresh(self) -> str:
        """Return the name of a new temporary variable."""
        self._count += 1
        return f"t{self._count}"

    def name(self, name: str) -> ast.expr:
        """A variable."""
        return self.place(ast.Name(name, ast.Load()))

    def const(self, value: object) -> ast.expr:
        """A constant."""
        return self.place(ast.Constant(value))  # type: ignore[arg-type]

    def call(self, function: str | ast.expr, *args: ast.expr) -> ast.expr:
        """A call of a function by its name or by its expression."""
        head = self.name(function) if isinstance(function, str) else function
        return self.place(ast.Call(head, list(args), []))

    def tuple(self, items: Sequence[ast.expr]) -> ast.expr:
        """A tuple."""
        return self.place(ast.Tuple(list(items), ast.Load()))

    def list(self, items: Sequence[ast.expr]) -> ast.expr:
        """A list."""
        return self.place(ast.List(list(items), ast.Load()))

    def item(self, value: ast.expr, index: ast.expr) -> ast.expr:
        """A subscript."""
        return self.place(ast.Subscript(value, index, ast.Load()))

    def key(self, variables: str, name: str) -> ast.expr:
        """The value under a name in one of the dicts of variables."""
        return self.item(self.name(variables), self.const(name))

    def field(self, thing: ast.expr, name: str) -> ast.expr:
        """A field of an object. The prefix keeps programs away from the attributes of Python."""
        return self.place(ast.Attribute(thing, f"f_{name}", ast.Load()))

    def choice(self, test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
        """A conditional expression."""
        return self.place(ast.IfExp(test, then, otherwise))

    def all(self, *tests: ast.expr) -> ast.expr:
        """A conjunction."""
        return tests[0] if len(tests) == 1 else self.place(ast.BoolOp(ast.And(), list(tests)))

    def either(self, *tests: ast.expr) -> ast.expr:
        """A disjunction."""
        return self.place(ast.BoolOp(ast.Or(), list(tests)))

    def inverse(self, test: ast.expr) -> ast.expr:
        """A negation."""
        return self.place(ast.UnaryOp(ast.Not(), test))

    def compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
        """A comparison."""
        return self.place(ast.Compare(left, [op], [right]))

    def between(self, low: int, middle: ast.expr, high: int) -> ast.expr:
        """Two comparisons in one."""
        return self.place(ast.Compare(self.const(low), [ast.LtE(), ast.LtE()], [middle, self.const(high)]))

    def binary(self, left: ast.expr, op: ast.operator, right: ast.expr) -> ast.expr:
        """Arithmetic."""
        return self.place(ast.BinOp(left, op, right))

    def bind(self, name: str, value: ast.expr) -> ast.expr:
        """An assignment as an expression."""
        target = self.place(ast.Name(name, ast.Store()))
        assert isinstance(target, ast.Name)
        return self.place(ast.NamedExpr(target, value))

    def is_int(self, value: ast.expr) -> ast.expr:
        """A test that a value is a Number, and no Bool."""
        return self.compare(self.call("type", value), ast.Is(), self.name("int"))

    def sequence(self, items: Sequence[ast.expr], index: int) -> ast.expr:
        """All items in order; the value is that of one of them."""
        return items[0] if len(items) == 1 else self.item(self.tuple(items), self.const(index))

    def function(
        self, params: Sequence[str], body: ast.expr, *, required: int | None = None, rest: bool = False
    ) -> ast.expr:
        """A function. Parameters after the required ones are MISSING when left out; further arguments are dropped."""
        required = len(params) if required is None else required
        arguments = ast.arguments(
            posonlyargs=[],
            args=[self._parameter(name) for name in params],
            vararg=self._parameter("_") if rest else None,
            kwonlyargs=[],
            kw_defaults=[],
            kwarg=None,
            defaults=[self.name("MISSING") for _ in params[required:]],
        )
        return self.place(ast.Lambda(arguments, body))

    def _parameter(self, name: str) -> ast.arg:
        parameter = ast.arg(name)
        parameter.lineno = parameter.end_lineno = self.at + 1
        parameter.col_offset = parameter.end_col_offset = 0
        return parameter
