"""Unpacking: the guards that the transformer puts around what targets such as `a, (b, *c)` take apart.

What is taken by a star or put into a slice is of bounded size, and every table that is walked is paid for.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, cast

from herobench.sandbox.trees import call
from herobench.sandbox.values import STAR, Shape

EACH_WALKED = "<each_walked>"


def taken_apart(targets: Sequence[ast.expr], value: ast.expr, is_row: bool) -> ast.expr:
    """The value of an assignment; `is_row` says that it is surely a tuple or list, and walking it needs no guard."""
    shapes = [found for found in map(_shape, targets) if found is not None]
    depth = max(map(_nesting, targets))
    for found in shapes:
        value = call("<unpacked>", value, _constant(found))
    if depth > 1 or (depth and not shapes and not is_row):
        value = call("<walk>", value, ast.Constant(depth))
    return value


def each_taken_apart(target: ast.expr, values: ast.expr, is_row: bool) -> ast.expr:
    """The values of a loop, each of which its target takes apart."""
    found, depth = _shape(target), _nesting(target)
    if found is not None:
        values = call("<each_of>", values, _constant(found))
    elif not is_row:
        values = call("<walk>", values)
    return call(EACH_WALKED, values, ast.Constant(depth)) if depth > 1 or (depth and found is None) else values


def _constant(found: Shape) -> ast.Constant:
    return ast.Constant(cast(Any, found))


def _shape(target: ast.expr) -> Shape | None:
    """Return the shape of a target that takes as much as it is given, by a star or into a slice; None where it does
    not."""
    if isinstance(target, ast.Tuple | ast.List):
        found = tuple(STAR if isinstance(part, ast.Starred) else _shape(part) for part in target.elts)
        return found if any(part is not None for part in found) else None
    return () if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice) else None


def _nesting(target: ast.expr) -> int:
    """How many levels deep a target is unpacked; 0 for a name, an item or a slice."""
    if isinstance(target, ast.Tuple | ast.List):
        return 1 + max(map(_nesting, target.elts), default=0)
    return _nesting(target.value) if isinstance(target, ast.Starred) else 0
