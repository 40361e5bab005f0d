"""Pieces of syntax trees that the transformer puts in, and what it asks of those that it finds."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_SMALL = 2**48
_PARTS_A_STEP = 4
"""Two to the power of this many parts of straight-line code cost one step."""


def parts(trees: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of some trees."""
    return (part for tree in trees for part in ast.walk(tree))


def straight(trees: Iterable[ast.AST]) -> int:
    """The steps of a turn through some trees, of which the parts have been counted: one, and more where there is much
    to do in a straight line."""
    return 1 + (sum(tree.size for tree in trees) >> _PARTS_A_STEP)  # type: ignore[attr-defined]


def tick(steps: int, guard: str = "<tick>") -> ast.Call:
    """A call that counts steps."""
    return call(guard, ast.Constant(steps))


def call(guard: str, *arguments: ast.expr) -> ast.Call:
    """A call of a guard."""
    return applied(ast.Name(guard, ast.Load()), *arguments)


def applied(function: ast.expr, *arguments: ast.expr) -> ast.Call:
    """A call of what an expression gives, at the place of its first argument that has one. Raises SyntaxError for a
    starred expression that stands alone: in Python it is one too, but as an argument here it would be several."""
    alone = next((argument for argument in arguments if isinstance(argument, ast.Starred)), None)
    if alone is not None:
        raise SyntaxError("can't use starred expression here", (None, alone.lineno, None, None))
    made = ast.Call(function, list(arguments), [])
    placed = next((argument for argument in arguments if hasattr(argument, "lineno")), None)
    return ast.copy_location(made, placed) if placed is not None else made


def asserted(node: ast.Assert) -> ast.If:
    """Return an assertion as a condition: the error of Python's own has another line in some versions."""
    error = ast.Call(ast.Name("<AssertionError>", ast.Load()), [node.msg] if node.msg else [], [])
    raised = ast.copy_location(ast.Raise(ast.copy_location(error, node), None), node)
    passed = ast.copy_location(ast.Pass(), node)
    return ast.copy_location(ast.If(node.test, [passed], [raised]), node)


def is_plain(key: ast.expr) -> bool:
    """Whether a key is a constant that needs no check: a text, a small number with or without sign, a tuple of such."""
    if isinstance(key, ast.Tuple):
        return all(map(is_plain, key.elts))
    value = key.operand if isinstance(key, ast.UnaryOp) and isinstance(key.op, ast.USub) else key
    if not isinstance(value, ast.Constant):
        return False
    return type(value.value) in (str, bool) or (type(value.value) is int and value.value < _SMALL)


def identifies(comparison: ast.Compare) -> bool:
    """Whether a comparison is `a is b` or `a is not b`, and neither is None, True or False, of which there is one."""
    operands = (comparison.left, *comparison.comparators)
    single = any(isinstance(part, ast.Constant) and type(part.value) in (bool, type(None)) for part in operands)
    return not single and len(operands) == 2 and isinstance(comparison.ops[0], ast.Is | ast.IsNot)


def weighed(operand: ast.expr) -> ast.expr:
    """An operand of a comparison: constants as they stand, others by way of the scales."""
    return operand if isinstance(operand, ast.Constant) else call("<deep>", operand)


def pairs(display: ast.Dict) -> ast.expr:
    """The list of the pairs that a written dict holds, without what it takes in by stars."""
    found = [
        ast.Tuple([key, value], ast.Load()) for key, value in zip(display.keys, display.values, strict=True) if key
    ]
    located = [ast.copy_location(pair, pair.elts[1]) for pair in found]
    return ast.copy_location(ast.List(list[ast.expr](located), ast.Load()), display)
