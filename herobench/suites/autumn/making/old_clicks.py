"""Whether a program can see where the last click was in a step without a click.

The variable `click` keeps its value. In most programs every use of it stands behind a look at the click of the same
step, as in `(on (& clicked (isFreePos click)) ...)`. Then worlds that differ in an old click only have one future.
"""

from __future__ import annotations

from functools import lru_cache

from herobench.suites.autumn.language import tree
from herobench.suites.autumn.language.names import children
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, Program, restored


@lru_cache(maxsize=64)
def sees_old_clicks(program: str) -> bool:
    """Return whether an old click may have an effect. Where this is not certain it is true."""
    found = restored(program, "", DEFAULT_LIMITS)
    return any(_statement_sees(found, statement) for statement in found.tree.statements)


def _statement_sees(
    program: Program, statement: tree.Expr | tree.ObjectType | tree.StateVariable | tree.Handler
) -> bool:
    if "clicked" in program.compiled.names.taken:
        return True
    match statement:
        case tree.Handler():
            return _sees(statement.condition, False) or _sees(statement.body, _looks(statement.condition))
        case tree.StateVariable():
            return statement.name == "click" or _sees(statement.init, False) or _sees(statement.next, False)
        case tree.ObjectType():
            return _sees(statement.cells, False)
        case _:
            return _sees(statement, False)


def _sees(expr: tree.Expr, looked: bool) -> bool:
    """Return whether an expression reads an old click. `looked` says that it runs after a look at a click."""
    match expr:
        case tree.Name(name="click"):
            return not looked
        case tree.Literal(value="click") | tree.Assign(name="click"):
            return True
        case tree.Call(head=tree.Name(name="prev"), args=[tree.Name(name="click"), *_]):
            return True
        case tree.Logic(op="&" | "and"):
            return _sees(expr.left, looked) or _sees(expr.right, looked or _looks(expr.left))
        case tree.If():
            then = looked or _looks(expr.condition)
            return _sees(expr.condition, looked) or _sees(expr.then, then) or _sees(expr.otherwise, looked)
        case tree.Lambda():
            return "click" in expr.params or _sees(expr.body, looked and expr.given is not None)
        case _:
            return any(_sees(part, looked) for part in children(expr))


def _looks(expr: tree.Expr) -> bool:
    """Return whether a condition that is true has looked at a click of this step."""
    match expr:
        case tree.Name(name="clicked") | tree.Call(head=tree.Name(name="clicked")):
            return True
        case tree.Logic(op="&" | "and"):
            return _looks(expr.left) or _looks(expr.right)
        case _:
            return False
