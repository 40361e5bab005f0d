"""The grammar of straight plans: calls of actions with plain values, and counted loops around them. Used by `language`.

It is the paper's rule: "the exact sequence of actions, using only for loops for continuous acquisition". A straight
plan computes nothing, looks at nothing and decides nothing, so the planning has to happen before it is written. The
check only refuses: what it lets through is read and limited like any other plan.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from herobench.sandbox.rejected import Rejected

RULE = "a straight plan holds only calls of actions with texts and whole numbers, and `for NAME in range(NUMBER)` loops"
_RANGE = "range"
_MOST_ENDS = 2
"""The arguments that `range` may have: where to stop, or where to begin and where to stop."""

_WORDS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("Assign", "AugAssign", "AnnAssign", "NamedExpr"), "an assignment"),
        **dict.fromkeys(("If", "IfExp", "Match"), "a condition"),
        **dict.fromkeys(("FunctionDef", "AsyncFunctionDef", "Lambda", "Return"), "a function"),
        **dict.fromkeys(("Import", "ImportFrom"), "an import"),
        **dict.fromkeys(("Try", "TryStar", "Raise", "Assert"), "the handling of errors"),
        **dict.fromkeys(("BinOp", "UnaryOp", "BoolOp", "Compare"), "a calculation"),
        **dict.fromkeys(("List", "Tuple", "Dict", "Set"), "a collection"),
        **dict.fromkeys(("ListComp", "SetComp", "DictComp", "GeneratorExp"), "a comprehension"),
        **dict.fromkeys(("Break", "Continue"), "a way out of a loop"),
        "Call": "the result of a call",
        "ClassDef": "a class",
        "Constant": "a value that is no text and no whole number",
        "JoinedStr": "an f-string",
        "Starred": "a star",
        "While": "a while loop",
    }
)
"""What a construct is called in a reason, by the name of its node."""


def check_straight(tree: ast.Module, actions: Collection[str]) -> None:
    """Raise Rejected, with its line, for the first thing in a plan that has no place in a straight one."""
    _check_block(tree.body, actions)


def _check_block(statements: Sequence[ast.stmt], actions: Collection[str]) -> None:
    for statement in statements:
        if isinstance(statement, ast.For):
            _check_loop(statement, actions)
        elif isinstance(statement, ast.Expr):
            _check_call(statement.value, actions)
        elif not isinstance(statement, ast.Pass):
            raise _refusal(statement)


def _check_loop(loop: ast.For, actions: Collection[str]) -> None:
    """Check a loop. Its name is never read, but it must not take the name of an action or of `range`."""
    if not isinstance(loop.target, ast.Name):
        raise _refusal(loop.target, "a loop over anything but one name")
    if loop.target.id == _RANGE or loop.target.id in actions:
        raise _refusal(loop.target, f"the name {loop.target.id} for the turns of a loop")
    turns = loop.iter
    if not isinstance(turns, ast.Call) or not isinstance(turns.func, ast.Name) or turns.func.id != _RANGE:
        raise _refusal(turns, "a loop over anything but range(NUMBER)")
    if turns.keywords or not 1 <= len(turns.args) <= _MOST_ENDS:
        raise _refusal(turns, "a range of other than one or two numbers")
    for end in turns.args:
        if type(literal(end)) is not int:
            raise _refusal(end, "a range of anything but numbers")
    _check_block(loop.body, actions)
    if loop.orelse:
        raise _refusal(loop.orelse[0], "the else of a loop")


def _check_call(value: ast.expr, actions: Collection[str]) -> None:
    """Check an expression that stands alone: a call of an action, or a text, which does nothing."""
    if isinstance(value, ast.Constant) and type(value.value) is str:
        return
    if not isinstance(value, ast.Call):
        raise _refusal(value)
    if not isinstance(value.func, ast.Name):
        raise _refusal(value.func, "a call of anything but an action")
    if value.func.id not in actions:
        raise _refusal(value.func, f"{value.func.id}, which is no action,")
    for argument in value.args:
        _check_literal(argument)
    for keyword in value.keywords:
        if keyword.arg is None:
            raise _refusal(keyword.value, "a star")
        _check_literal(keyword.value)


def _check_literal(value: ast.expr) -> None:
    if literal(value) is None:
        raise _refusal(value)


def literal(value: ast.expr) -> str | int | None:
    """Return the text or whole number that is written, a number perhaps with a sign; None for anything else."""
    # The syntax tree has no negative numbers: -1 is a minus before 1.
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub | ast.UAdd):
        number = literal(value.operand) if isinstance(value.operand, ast.Constant) else None
        return number if type(number) is int else None
    written = value.value if isinstance(value, ast.Constant) else None
    # True is an int, and no number that a straight plan may write.
    return written if isinstance(written, str | int) and not isinstance(written, bool) else None


def _refusal(node: ast.stmt | ast.expr, what: str | None = None) -> Rejected:
    """Return the refusal of a construct. Unless it is said what it is, that comes from its node."""
    if what is None:
        what = f"the name {node.id}" if isinstance(node, ast.Name) else _WORDS.get(type(node).__name__, "this")
    return Rejected("not_straight", f"{what} has no place here: {RULE}", node.lineno)
