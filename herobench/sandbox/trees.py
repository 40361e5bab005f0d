"""Pieces of syntax trees that the transformer puts in, and what it asks of those that it finds."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from herobench.sandbox.values import STAR, Shape

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
    """A call of a guard, at the place of its first argument that has one."""
    made = ast.Call(ast.Name(guard, ast.Load()), list(arguments), [])
    placed = next((argument for argument in arguments if hasattr(argument, "lineno")), None)
    return ast.copy_location(made, placed) if placed is not None else made


def asserted(node: ast.Assert) -> ast.If:
    """Return an assertion as a condition: the error of Python's own has another line in some versions."""
    error = ast.Call(ast.Name("<AssertionError>", ast.Load()), [node.msg] if node.msg else [], [])
    raised = ast.copy_location(ast.Raise(ast.copy_location(error, node), None), node)
    passed = ast.copy_location(ast.Pass(), node)
    return ast.copy_location(ast.If(node.test, [passed], [raised]), node)


def shape(target: ast.expr) -> Shape | None:
    """Return the shape of a target that takes as much as it is given, by a star or into a slice; None where it does
    not."""
    if isinstance(target, ast.Tuple | ast.List):
        found = tuple(STAR if isinstance(part, ast.Starred) else shape(part) for part in target.elts)
        return found if any(part is not None for part in found) else None
    return () if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice) else None


def is_plain(key: ast.expr) -> bool:
    """Whether a key is a constant that needs no check: a text, a small number with or without sign, a tuple of such."""
    if isinstance(key, ast.Tuple):
        return all(map(is_plain, key.elts))
    value = key.operand if isinstance(key, ast.UnaryOp) and isinstance(key.op, ast.USub) else key
    if not isinstance(value, ast.Constant):
        return False
    return type(value.value) in (str, bool) or (type(value.value) is int and value.value < _SMALL)


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
