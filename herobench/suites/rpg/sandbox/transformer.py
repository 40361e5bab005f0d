"""Refuse each construct of a plan that is not allowed, and make the others safe. Used by `language`.

The transformer puts ticks and calls of guards into the syntax tree; `guards` says what these do. It must refuse every
construct that it does not name. The names of guards are not identifiers, so no plan can spell, call or replace them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from typing import Any, cast

from RestrictedPython.transformer import IOPERATOR_TO_STR, RestrictingNodeTransformer

from herobench.suites.rpg.sandbox import trees
from herobench.suites.rpg.sandbox.bounds import Rejected, code_steps, is_newer
from herobench.suites.rpg.sandbox.guards import ERRORS
from herobench.suites.rpg.sandbox.trees import call, tick

QUIET = "<quiet>"
"""Put before the name of an action whose value is not used, so that no response is built for it."""

_DOES_NOT_BELONG = {
    ast.Import: "imports",
    ast.ImportFrom: "imports",
    ast.ClassDef: "classes",
    ast.With: "with statements",
    ast.Match: "match statements",
    ast.Yield: "generators",
    ast.YieldFrom: "generators",
    ast.AsyncFunctionDef: "async functions",
    ast.AsyncFor: "async loops",
    ast.AsyncWith: "async with statements",
    ast.Await: "await",
    ast.TryStar: "except* clauses",
    ast.MatMult: "matrix multiplication",
}
_HARMLESS_OPERATORS = (ast.Div, ast.FloorDiv, ast.RShift)
"""Operators that only numbers have, and whose results are not larger than their operands."""
_DUNDER = re.compile(r"__.*[^_].*__\Z", re.DOTALL)
"""Python's own names. A name of underscores alone is allowed."""
_LEAVING = (ast.Return, ast.Break, ast.Continue)
_MOST_DIGITS = 20
_MOST_PARAMETERS = 32
_MOST_CHARACTERS_IN_NAME = 200
_MOST_DISPLAYED = 500
"""The most keys of a dict or set that Python makes itself. A guard makes larger ones, since keys may collide."""
_MOST_COPIES = 20_000
"""The most nodes of a `finally` clause that the compiler may copy. It makes one for each way out of the `try`."""


class PlanTransformer(RestrictingNodeTransformer):
    """Refuses a plan at the first construct that is not allowed, and adds ticks and guards."""

    def __init__(self, actions: Collection[str]) -> None:
        super().__init__()
        self._actions = frozenset(actions)

    def error(self, node: ast.AST, info: str) -> None:
        raise Rejected("forbidden", info, getattr(node, "lineno", None))

    def not_allowed(self, node: ast.AST) -> None:
        what = _DOES_NOT_BELONG.get(type(node), f"{type(node).__name__} constructs")
        self.error(node, f"{what} have no place in a plan")

    visit_Import = visit_ImportFrom = visit_ClassDef = visit_With = visit_MatMult = not_allowed
    visit_Yield = visit_YieldFrom = visit_TryStar = visit_TemplateStr = not_allowed

    def generic_visit(self, node: ast.AST) -> ast.AST:
        # The base class visits the constructs that need no guard. All others come here.
        self.not_allowed(node)
        return node

    # -- names ------------------------------------------------------------------------------------------------------

    def _own(self, node: ast.AST, name: str) -> str:
        """Return a name that the plan binds or reads, or refuse it."""
        if len(name) > _MOST_CHARACTERS_IN_NAME:
            self.error(node, f"names of more than {_MOST_CHARACTERS_IN_NAME} characters have no place in a plan")
        if _DUNDER.match(name):
            self.error(node, f"the name {name} has no place in a plan")
        if is_newer(name):
            line = getattr(node, "lineno", None)
            raise Rejected("syntax", f"syntax error: invalid character in the name {name}", line)
        return name

    def _bound(self, node: ast.AST, name: str) -> str:
        """Return a name that the plan binds, or refuse it. It must not be the name of an action."""
        if name in self._actions:
            self.error(node, f"{name} is an action and cannot be redefined")
        return self._own(node, name)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == "__name__" and isinstance(node.ctx, ast.Load):
            return ast.copy_location(ast.Constant("__main__"), node)
        node.id = (self._own if isinstance(node.ctx, ast.Load) else self._bound)(node, node.id)
        return node

    def _declare(self, node: Any) -> ast.AST:
        node.names = [self._bound(node, name) for name in node.names]
        return node  # type: ignore[no-any-return]

    visit_Global = visit_Nonlocal = _declare

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        if node.arg is not None:
            node.arg = self._own(node, node.arg)
        return self.node_contents_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._bound(node, node.arg)
        node.annotation = None  # hints are never evaluated, so they may name anything
        return node

    # -- statements -------------------------------------------------------------------------------------------------

    visit_Module = visit_NamedExpr = RestrictingNodeTransformer.node_contents_visit

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return trees.assertion_as_if(self.node_contents_visit(node))

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Call an action by its quiet name where its value is not used."""
        value = self.node_contents_visit(node).value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in self._actions:
            value.func.id = QUIET + value.func.id
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Charge for unpacked values, and bound the number of values that a star or a slice takes."""
        node = self.node_contents_visit(node)
        node.value = trees.taken_apart(node.targets, node.value, self._is_row(node.value))
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Drop the type hint, and the whole statement if it only declares a name."""
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return self.visit_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Let guards do `name += value` and `holder[key] += value`."""
        target, symbol = node.target, ast.Constant(self._symbol(node, node.op))
        if isinstance(target, ast.Attribute):
            return self.visit_Attribute(target)  # refuses every attribute that is not only read
        if isinstance(target, ast.Name):
            read = self.visit(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            value = call("<augmented>", symbol, read, self.visit(node.value))
            return ast.copy_location(ast.Assign([self.visit(target)], value), node)
        if isinstance(target.slice, ast.Slice):
            self.error(node, "augmented assignment to slices has no place in a plan")
        item_call = call("<augment_item>", self.visit(target.value), self.visit(target.slice), symbol)
        done = ast.copy_location(trees.apply(item_call, self.visit(node.value)), node)
        return ast.copy_location(ast.Expr(done), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Let a guard read an item. For a store or a delete, let a guard make an ItemTarget of holder and key."""
        if isinstance(node.slice, ast.Slice):
            node.value, node.slice = call("<sized>", self.visit(node.value)), self.visit(node.slice)
            return node
        holder, key = self.visit(node.value), self.visit(node.slice)
        if isinstance(node.ctx, ast.Load):
            return ast.copy_location(call("<item>", holder, key), node)
        # The result is an item again: a target may stand in a tuple, a `for` or a `del`, where a call cannot.
        place = ast.copy_location(call("<place>", holder, key), node)
        return ast.copy_location(ast.Subscript(place, ast.Constant(None), node.ctx), node)

    def _key(self, key: ast.expr) -> ast.expr:
        """Return a key or element, checked by a guard unless it is a plain constant."""
        new_key = self.visit(key)
        return new_key if trees.is_plain(key) else call("<key>", new_key)

    def visit_For(self, node: ast.For) -> ast.AST:
        # Counted before the visit, here and below, because the nodes that a visit adds have no size. Each
        # turn also works out the target, such as `rows[first(x)]`, or the condition.
        steps = code_steps([node.target, *node.body])
        return self._ticking(self._taking(node), steps)

    def _taking(self, node: Any) -> Any:
        """Charge for the values that a loop or comprehension unpacks at each turn, and bound those of a star."""
        node = self.node_contents_visit(node)
        loop = trees.each_taken_apart(node.target, node.iter, self._is_row(node.iter))
        node.iter = loop if loop is node.iter else ast.copy_location(loop, node)  # errors name the line of the for
        return node

    def _is_row(self, values: ast.expr) -> bool:
        """Say whether values are surely a tuple or list, which need no guard to be walked. Actions return such."""
        acts = isinstance(values, ast.Call) and isinstance(values.func, ast.Name) and values.func.id in self._actions
        return acts or isinstance(values, ast.Tuple | ast.List)

    def visit_While(self, node: ast.While) -> ast.AST:
        steps = code_steps([node.test, *node.body])
        return self._ticking(self.node_contents_visit(node), steps)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.decorator_list:
            self.error(node, "decorators have no place in a plan")
        node.name = self._bound(node, node.name)
        node.returns = None
        steps = code_steps(node.body)
        return self._ticking(self.node_contents_visit(node), steps, "<enter>")

    def _ticking(self, node: Any, steps: int, guard: str = "<tick>") -> ast.AST:
        node.body.insert(0, ast.copy_location(ast.Expr(tick(steps, guard)), node.body[0]))
        return node  # type: ignore[no-any-return]

    def visit_Try(self, node: ast.Try) -> ast.AST:
        ways_out = sum(isinstance(part, _LEAVING) for part in trees.parts([*node.body, *node.handlers, *node.orelse]))
        if (1 + ways_out) * sum(1 for _ in trees.parts(node.finalbody)) > _MOST_COPIES:
            self.error(node, "so many ways out of a try with so long a finally clause have no place in a plan")
        for statement in node.finalbody:
            self._stays_in(statement)
        node = self.node_contents_visit(node)
        if node.finalbody:
            node.finalbody.insert(0, ast.copy_location(ast.Expr(call("<caught>")), node.finalbody[0]))
        return node

    def _stays_in(self, statement: ast.AST) -> None:
        """Refuse a statement that leaves a `finally` early, or contains another `finally`."""
        # The first would swallow the end of the budget; the compiler would double the second at every level.
        for inner in ast.walk(statement):
            if isinstance(inner, _LEAVING):
                self.error(inner, "return, break and continue have no place in a finally clause")
            if isinstance(inner, ast.Try) and inner.finalbody:
                self.error(inner, "a finally clause has no place in another")

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """Make a bare `except` catch Exception, and so not the end of the budget. Accept only names of errors."""
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        for kind in filter(None, kinds):
            if not isinstance(kind, ast.Name) or kind.id not in ERRORS:
                self.error(kind, f"a handler names its errors, of {', '.join(ERRORS)}")
        if node.type is None:  # LimitReached is no Exception, so it passes every handler of a plan
            node.type = ast.copy_location(ast.Name("Exception", ast.Load()), node)
        if node.name is not None:
            node.name = self._bound(node, node.name)
        node.body = [self.visit(statement) for statement in node.body]
        node.body.insert(0, ast.copy_location(ast.Expr(call("<caught>")), node.body[0]))
        return node

    # -- expressions ------------------------------------------------------------------------------------------------

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bytes | complex):
            self.error(node, f"{type(node.value).__name__} values have no place in a plan")
        if isinstance(node.value, int) and abs(node.value) >= 10**_MOST_DIGITS:
            self.error(node, f"numbers of more than {_MOST_DIGITS} digits have no place in a plan")
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        symbol = ast.Constant(self._symbol(node, node.op))
        node = self.node_contents_visit(node)
        if isinstance(node.op, _HARMLESS_OPERATORS):
            return node
        return ast.copy_location(call("<binary>", symbol, node.left, node.right), node)

    def _symbol(self, node: ast.AST, operator: ast.operator) -> str:
        if isinstance(operator, ast.MatMult):
            self.error(node, "matrix multiplication has no place in a plan")
        return IOPERATOR_TO_STR[type(operator)].removesuffix("=")

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Charge for the operands, since a comparison walks all of them. `in` and `is` have guards of their own."""
        members = [isinstance(operator, ast.In | ast.NotIn) for operator in node.ops]
        if any(members) and len(members) > 1:
            self.error(node, "chains of comparisons with `in` have no place in a plan")
        node = self.node_contents_visit(node)
        guard = "<same>" if trees.identifies(node) else None
        if any(members):
            guard = "<contains>"
        if guard:
            guard_call = ast.copy_location(call(guard, node.left, node.comparators[0]), node)
            return ast.UnaryOp(ast.Not(), guard_call) if isinstance(node.ops[0], ast.NotIn | ast.IsNot) else guard_call
        if not all(isinstance(operator, ast.Is | ast.IsNot) for operator in node.ops):
            node.left, *node.comparators = [trees.weigh(operand) for operand in (node.left, *node.comparators)]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Let a guard make a call with stars. In the errors of such a call Python would show the called object."""
        has_star = any(isinstance(argument, ast.Starred) for argument in node.args)
        spread = [keyword for keyword in node.keywords if keyword.arg is None]
        node = self.node_contents_visit(node)
        for keyword in spread:
            keyword.value = call("<pairs>", keyword.value)
        if has_star or spread:
            node.args.insert(0, node.func)
            node.func = ast.copy_location(ast.Name("<apply>", ast.Load()), node.func)
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Tuple | ast.List):
            self.error(node, "a star before brackets has no place in a target")
        node = self.node_contents_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = call("<all_of>", node.value)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            self.error(node, "setting attributes has no place in a plan")
        if node.attr.startswith("_"):
            self.error(node, f"the attribute {node.attr} has no place in a plan")
        if node.attr in self._actions:
            self.error(node, f"{node.attr} is a function, not a method: call it by its name alone")
        return ast.copy_location(call("<getattr>", self.visit(node.value), ast.Constant(node.attr)), node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        node.keys = [key if key is None else self._key(key) for key in node.keys]
        values = zip(node.keys, map(self.visit, node.values), strict=True)
        node.values = [call("<pairs>", value) if key is None else value for key, value in values]
        if len(node.keys) <= _MOST_DISPLAYED or None in node.keys:
            return node
        return ast.copy_location(call("<dict>", trees.pairs(node)), node)

    def visit_Set(self, node: ast.Set) -> ast.AST:
        node.elts = list(map(self._element, node.elts))
        if len(node.elts) <= _MOST_DISPLAYED:
            return node
        return ast.copy_location(call("<set>", ast.copy_location(ast.List(node.elts, ast.Load()), node)), node)

    def _element(self, element: ast.expr) -> ast.expr:
        """Return an element of a set, or several given with a star."""
        if isinstance(element, ast.Starred):
            element.value = call("<keys>", self.visit(element.value))
            return element
        return self._key(element)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        steps = code_steps([node])
        return self._turning(self.node_contents_visit(node), steps)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        """Let a guard make the set of a list, so that it can charge for keys that collide."""
        steps = code_steps([node])
        node.generators = [self.visit(generator) for generator in node.generators]
        return self._guarded_list("<set>", node, self._key(node.elt), steps)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        steps = code_steps([node])
        node.generators = [self.visit(generator) for generator in node.generators]
        pair = ast.Tuple([self._key(node.key), self.visit(node.value)], ast.Load())
        return self._guarded_list("<dict>", node, ast.copy_location(pair, node.key), steps)

    def _guarded_list(self, guard: str, node: ast.SetComp | ast.DictComp, element: ast.expr, steps: int) -> ast.AST:
        list_form = ast.copy_location(ast.ListComp(element, node.generators), node)
        return ast.copy_location(call(guard, cast(ast.expr, self._turning(list_form, steps))), node)

    def _turning(self, node: Any, steps: int) -> ast.AST:
        """Make a comprehension tick at each turn."""
        for generator in node.generators:
            generator.ifs.insert(0, ast.copy_location(tick(steps), generator.iter))
        return node  # type: ignore[no-any-return]

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        inner = node.format_spec.values if isinstance(node.format_spec, ast.JoinedStr) else []
        if any(isinstance(value, ast.FormattedValue) and value.format_spec for value in inner):
            self.error(node, "a format in the format of another field has no place in a plan")
        spec = self.visit(node.format_spec) if node.format_spec else ast.Constant("")
        node.value = call("<field>", self.visit(node.value), ast.Constant(node.conversion), spec)
        node.conversion, node.format_spec = -1, None
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        parameters = [*node.posonlyargs, *node.args, *node.kwonlyargs]
        if len(parameters) > _MOST_PARAMETERS:
            self.error(parameters[0], f"more than {_MOST_PARAMETERS} parameters have no place in a plan")
        return self.node_contents_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        steps = code_steps([node.body])
        node = self.node_contents_visit(node)
        node.body = ast.copy_location(ast.BoolOp(ast.And(), [tick(steps, "<enter>"), node.body]), node.body)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        """Let a generator take from a list and never from an iterator: stacked iterators could overflow C's stack."""
        steps = code_steps([node])
        node = self.node_contents_visit(node)
        for generator in node.generators:
            match generator.iter:
                case ast.Call(func=ast.Name("<each_walked>"), args=arguments):
                    arguments[0] = call("<source>", arguments[0])
                case values:
                    generator.iter = call("<source>", values)
        return self._turning(node, steps)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        if node.is_async:
            self.error(node.target, "async loops have no place in a plan")
        return self._taking(node)  # type: ignore[no-any-return]
