"""Unpacking: put guards around values that a target such as `a, (b, *c)` takes apart. Used by `transformer`.

The guards bound what a star or a slice takes, and charge for every dict or set that is walked.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, cast

from herobench.sandbox.trees import call
from herobench.sandbox.values import STAR, Shape

EACH_WALKED = "<each_walked>"


def taken_apart(targets: Sequence[ast.expr], value: ast.expr, is_row: bool) -> ast.expr:
    """Return the guarded value of an assignment. With `is_row` it is surely a tuple or list, and a walk is free."""
    shapes = [found for found in map(_shape, targets) if found is not None]
    depth = max(map(_nesting, targets))
    for found in shapes:
        value = call("<unpacked>", value, _constant(found))
    if depth > 1 or (depth and not shapes and not is_row):
        value = call("<walk>", value, ast.Constant(depth))
    return value


def each_taken_apart(target: ast.expr, values: ast.expr, is_row: bool) -> ast.expr:
    """Return the guarded values of a loop, whose target takes each of them apart."""
    found, depth = _shape(target), _nesting(target)
    if found is not None:
        values = call("<each_of>", values, _constant(found))
    elif not is_row:
        values = call("<walk>", values)
    return call(EACH_WALKED, values, ast.Constant(depth)) if depth > 1 or (depth and found is None) else values


def _constant(found: Shape) -> ast.Constant:
    return ast.Constant(cast(Any, found))  # the compiler accepts nested tuples, but the types of ast do not know it


def _shape(target: ast.expr) -> Shape | None:
    """Return the shape of a target that has a star or a slice in it; None for any other target."""
    if isinstance(target, ast.Tuple | ast.List):
        found = tuple(STAR if isinstance(part, ast.Starred) else _shape(part) for part in target.elts)
        return found if any(part is not None for part in found) else None
    return () if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice) else None


def _nesting(target: ast.expr) -> int:
    """Return how many levels deep a target is unpacked: 0 for a name, an item or a slice."""
    if isinstance(target, ast.Tuple | ast.List):
        return 1 + max(map(_nesting, target.elts), default=0)
    return _nesting(target.value) if isinstance(target, ast.Starred) else 0
