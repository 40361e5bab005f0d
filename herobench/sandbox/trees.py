"""Pieces of syntax trees: make those that `transformer` and `unpacking` insert, and examine those of a plan."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_SMALL = 2**48
_PARTS_A_STEP = 4
"""2 ** _PARTS_A_STEP nodes of straight-line code cost one step."""


def parts(trees: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield all nodes of some trees."""
    return (part for tree in trees for part in ast.walk(tree))


def straight(trees: Iterable[ast.AST]) -> int:
    """Return how many steps it costs to run some trees once. `language` has stored the `size` of each."""
    return 1 + (sum(tree.size for tree in trees) >> _PARTS_A_STEP)  # type: ignore[attr-defined]


def tick(steps: int, guard: str = "<tick>") -> ast.Call:
    """Return a call that counts steps."""
    return call(guard, ast.Constant(steps))


def call(guard: str, *arguments: ast.expr) -> ast.Call:
    """Return a call of a guard."""
    return applied(ast.Name(guard, ast.Load()), *arguments)


def applied(function: ast.expr, *arguments: ast.expr) -> ast.Call:
    """Return a call of an expression, at the line of the first argument that has one.

    Raises SyntaxError for a starred argument. Python refuses it where the plan wrote it, but as an argument here it
    would pass several values."""
    alone = next((argument for argument in arguments if isinstance(argument, ast.Starred)), None)
    if alone is not None:
        raise SyntaxError("can't use starred expression here", (None, alone.lineno, None, None))
    made = ast.Call(function, list(arguments), [])
    placed = next((argument for argument in arguments if hasattr(argument, "lineno")), None)
    return ast.copy_location(made, placed) if placed is not None else made


def asserted(node: ast.Assert) -> ast.If:
    """Return an assertion as an `if`, since some versions give the error of an assertion another line."""
    error = ast.Call(ast.Name("<AssertionError>", ast.Load()), [node.msg] if node.msg else [], [])
    raised = ast.copy_location(ast.Raise(ast.copy_location(error, node), None), node)
    passed = ast.copy_location(ast.Pass(), node)
    return ast.copy_location(ast.If(node.test, [passed], [raised]), node)


def is_plain(key: ast.expr) -> bool:
    """Say whether a key is a constant that needs no check: a text, a small number, or a tuple of such."""
    if isinstance(key, ast.Tuple):
        return all(map(is_plain, key.elts))
    # The syntax tree has no negative numbers: -1 is a minus before 1.
    value = key.operand if isinstance(key, ast.UnaryOp) and isinstance(key.op, ast.USub) else key
    if not isinstance(value, ast.Constant):
        return False
    return type(value.value) in (str, bool) or (type(value.value) is int and value.value < _SMALL)


def identifies(comparison: ast.Compare) -> bool:
    """Say whether a comparison is `a is b` or `a is not b`, and needs a guard."""
    # None, True and False are one object each in every version, so they need no guard.
    operands = (comparison.left, *comparison.comparators)
    single = any(isinstance(part, ast.Constant) and type(part.value) in (bool, type(None)) for part in operands)
    return not single and len(operands) == 2 and isinstance(comparison.ops[0], ast.Is | ast.IsNot)


def weighed(operand: ast.expr) -> ast.expr:
    """Return an operand of a comparison, charged for by a guard unless it is a constant."""
    return operand if isinstance(operand, ast.Constant) else call("<deep>", operand)


def pairs(display: ast.Dict) -> ast.expr:
    """Return the list of the pairs of a written dict, without the dicts that it includes with stars."""
    found = [
        ast.Tuple([key, value], ast.Load()) for key, value in zip(display.keys, display.values, strict=True) if key
    ]
    located = [ast.copy_location(pair, pair.elts[1]) for pair in found]
    return ast.copy_location(ast.List(list[ast.expr](located), ast.Load()), display)
