"""Pieces of syntax trees: make those that `transformer` inserts into a plan, and examine those of the plan.

The last part puts guards around values that a target such as `a, (b, *c)` unpacks. They bound what a star or a slice
takes, and charge for every dict or set that is walked.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from herobench.suites.rpg.sandbox.values import STAR, Shape

FILENAME = "<plan>"
"""The file name under which plans are compiled. Frames of a plan are known by it."""
_SMALL = 2**48


def parts(trees: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield all nodes of some trees."""
    return (part for tree in trees for part in ast.walk(tree))


def tick(steps: int, guard: str = "<tick>") -> ast.Call:
    """Return a call that counts steps."""
    return call(guard, ast.Constant(steps))


def call(guard: str, *arguments: ast.expr) -> ast.Call:
    """Return a call of a guard."""
    return apply(ast.Name(guard, ast.Load()), *arguments)


def apply(function: ast.expr, *arguments: ast.expr) -> ast.Call:
    """Return a call of an expression, at the line of the first argument that has one.

    Raises SyntaxError for a starred argument. Python refuses it where the plan wrote it, but as an argument here it
    would pass several values."""
    alone = next((argument for argument in arguments if isinstance(argument, ast.Starred)), None)
    if alone is not None:
        raise SyntaxError("can't use starred expression here", (None, alone.lineno, None, None))
    new_call = ast.Call(function, list(arguments), [])
    anchor = next((argument for argument in arguments if hasattr(argument, "lineno")), None)
    return ast.copy_location(new_call, anchor) if anchor is not None else new_call


def assertion_as_if(node: ast.Assert) -> ast.If:
    """Return an assertion as an `if`, since some versions give the error of an assertion another line."""
    error = ast.Call(ast.Name("<AssertionError>", ast.Load()), [node.msg] if node.msg else [], [])
    failure = ast.copy_location(ast.Raise(ast.copy_location(error, node), None), node)
    no_op = ast.copy_location(ast.Pass(), node)
    return ast.copy_location(ast.If(node.test, [no_op], [failure]), node)


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


def weigh(operand: ast.expr) -> ast.expr:
    """Return an operand of a comparison, charged for by a guard unless it is a constant."""
    return operand if isinstance(operand, ast.Constant) else call("<deep>", operand)


def pairs(display: ast.Dict) -> ast.expr:
    """Return the list of the pairs of a written dict, without the dicts that it includes with stars."""
    tuples = [
        ast.Tuple([key, value], ast.Load()) for key, value in zip(display.keys, display.values, strict=True) if key
    ]
    at_values = [ast.copy_location(pair, pair.elts[1]) for pair in tuples]
    return ast.copy_location(ast.List(list[ast.expr](at_values), ast.Load()), display)


def taken_apart(targets: Sequence[ast.expr], value: ast.expr, is_row: bool) -> ast.expr:
    """Return the guarded value of an assignment. With `is_row` it is surely a tuple or list, and a walk is free."""
    shapes = [shape for shape in map(_shape, targets) if shape is not None]
    depth = max(map(_nesting, targets))
    for shape in shapes:
        value = call("<unpacked>", value, _constant(shape))
    if depth > 1 or (depth and not shapes and not is_row):
        value = call("<walk>", value, ast.Constant(depth))
    return value


def each_taken_apart(target: ast.expr, values: ast.expr, is_row: bool) -> ast.expr:
    """Return the guarded values of a loop, whose target takes each of them apart."""
    shape, depth = _shape(target), _nesting(target)
    if shape is not None:
        values = call("<each_of>", values, _constant(shape))
    elif not is_row:
        values = call("<walk>", values)
    return call("<each_walked>", values, ast.Constant(depth)) if depth > 1 or (depth and shape is None) else values


def _constant(shape: Shape) -> ast.Constant:
    return ast.Constant(cast(Any, shape))  # the compiler accepts nested tuples, but the types of ast do not know it


def _shape(target: ast.expr) -> Shape | None:
    """Return the shape of a target that has a star or a slice in it; None for any other target."""
    if isinstance(target, ast.Tuple | ast.List):
        shapes = tuple(STAR if isinstance(part, ast.Starred) else _shape(part) for part in target.elts)
        return shapes if any(part is not None for part in shapes) else None
    return () if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice) else None


def _nesting(target: ast.expr) -> int:
    """Return how many levels deep a target is unpacked: 0 for a name, an item or a slice."""
    if isinstance(target, ast.Tuple | ast.List):
        return 1 + max(map(_nesting, target.elts), default=0)
    return _nesting(target.value) if isinstance(target, ast.Starred) else 0
