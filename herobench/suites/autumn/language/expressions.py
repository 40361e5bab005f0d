"""Compiles expressions to Python: what the text leaves certain becomes a plain operation, all else calls the run.

The code consists of names that are made here, of constants, and of fields with a prefix, so that no program reaches
anything of Python. Names of local variables come from `names.py`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from herobench.suites.autumn.language import tree
from herobench.suites.autumn.language.build import Build
from herobench.suites.autumn.language.cells import CellPlan
from herobench.suites.autumn.language.library import EVENTS, EXACT, SIGNATURES, Kind
from herobench.suites.autumn.language.names import Names, children, within
from herobench.suites.autumn.language.values import truthy

_LOW, _HIGH = -(2**31), 2**31 - 1
_ARITHMETIC: dict[str, ast.operator] = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult()}
_ORDER: dict[str, ast.cmpop] = {"<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}
_HELPED = {"/": "quotient", "%": "remainder"}
_LIGHT = 20
"""How many light expressions are a unit of work. A heavy expression is a unit by itself."""
_HEAVY = (tree.CallExpression, tree.ListOf, tree.Assign)
"""Expressions that make a value or call something: each takes about a microsecond, or a hundred bytes."""
_LONG_LIST = 40
"""Elements of a list that are counted together with the function that makes it."""
_COMPILERS: dict[type, str] = {
    tree.Literal: "literal",
    tree.Name: "name",
    tree.ListOf: "list_of",
    tree.If: "if_",
    tree.Let: "let",
    tree.Assign: "assign",
    tree.Lambda: "lambda_",
    tree.Get: "get",
    tree.Unary: "unary",
    tree.Binary: "binary",
    tree.Logic: "logic",
    tree.CallExpression: "call",
}


@dataclass(frozen=True, slots=True)
class Code:
    """A compiled expression, and what its value is for certain."""

    ast: ast.expr
    kind: Kind = ""


class Expressions:
    """Compiles expressions of one program. Functions that are values become functions of the module."""

    def __init__(self, names: Names, build: Build, dynamic: frozenset[str]) -> None:
        self.names = names
        self.dynamic = dynamic
        self.b = build
        self.functions: list[ast.expr] = []
        """The functions of the module, in the order of their numbers."""
        self.cells: list[CellPlan] = []
        """The cells of the program, in the order of their numbers."""
        self._weights: dict[int, int] = {}
        """How many light expressions the body of a function is worth, by its id."""

    def value(self, expr: tree.Expr) -> ast.expr:
        """Return the code of an expression."""
        return self.code(expr).ast

    def code(self, expr: tree.Expr) -> Code:
        """Return the code of an expression, with its kind."""
        outside, self.b.at = self.b.at, expr.at
        result: Code = getattr(self, _COMPILERS[type(expr)])(expr)
        self.b.at = outside
        return result

    # -- variables ----------------------------------------------------------------------------------------------------

    def name(self, expr: tree.Name) -> Code:
        """Compile a variable that is read."""
        b, name = self.b, expr.name
        if expr.binder is not None and name not in self.dynamic:
            return Code(b.name(expr.binder.local))
        if name in self.names.objects:
            return Code(b.call("type_as_value", b.const(name)))
        if self.names.native(name):
            return Code(b.name(f"n_{name}"))
        return Code(self.lookup(name))

    def lookup(self, name: str) -> ast.expr:
        """Return the code that looks up a name at run time."""
        b = self.b
        global_value = b.key("G", name)
        if name not in self.dynamic:
            return global_value
        return b.choice(b.compare(b.const(name), ast.In(), b.name("L")), b.key("L", name), global_value)

    def assign(self, expr: tree.Assign) -> Code:
        """Compile an assignment. Its value is the value of its right side."""
        b, value = self.b, self.code(expr.value)
        if expr.binder is not None and expr.name not in self.dynamic:
            local = expr.binder.local
            if expr.defines:
                return Code(b.bind(local, value.ast), value.kind)
            return Code(b.bind(local, b.call("replacing", value.ast, b.name(local))), value.kind)
        setter = "assign" if expr.scoped else "set_global"
        return Code(b.call(setter, b.const(expr.name), value.ast), value.kind)

    def let(self, expr: tree.Let) -> Code:
        """Compile a `let`; it gets a frame only where others may see its variables."""
        b = self.b
        codes = [self.code(item) for item in expr.items if not isinstance(item, tree.Declare)]
        parts = [code.ast for code in codes]
        if expr.needs_frame or any(name in self.dynamic for name in expr.defined):
            return Code(b.sequence([b.call("enter"), *parts, b.call("leave")], -2), codes[-1].kind)
        return Code(b.sequence(parts, -1), codes[-1].kind)

    # -- functions ----------------------------------------------------------------------------------------------------

    def lambda_(self, expr: tree.Lambda) -> Code:
        """Compile a function: in place if a native calls it at once, else as one of the module."""
        b = self.b
        params = [binder.local for binder in expr.binders]
        published = [part for binder in expr.binders if binder.name in self.dynamic for part in self._pair(binder)]
        has_frame = bool(published) or expr.needs_frame
        body = self.value(expr.body)
        last = [b.name(params[-1])] if params else []
        after = [b.call("leave")] if has_frame else []
        enter = [b.call("enter", *published)] if has_frame else []
        if expr.given is not None:
            needs = [b.call("needed", *last)] if len(params) > expr.given else []
            before = [*needs, *self.counted(expr.body), *enter]
            function = b.sequence([*before, body, *after], len(before))
            required = min(expr.given, len(params))
            return Code(b.function(params, function, required=required, rest=expr.given > len(params)))
        before = [b.call("down", b.const(1 + self._units(expr.body)), *last), *enter]
        function = b.sequence([*before, body, *after, b.call("up")], len(before))
        self.functions.append(b.function(params, function, required=0, rest=True))
        return Code(b.name(f"f{len(self.functions) - 1}"))

    def counted(self, expr: tree.Expr) -> list[ast.expr]:
        """Return the code that counts the work of a body, if it is worth more than the unit of the call itself."""
        units = self._units(expr)
        return [self.b.call("tick", self.b.const(units))] if units else []

    def _units(self, expr: tree.Expr) -> int:
        units = self._weight(expr) // _LIGHT
        return units if units > 1 else 0

    def _weight(self, expr: tree.Expr) -> int:
        weight = self._weights.get(id(expr))
        if weight is None:
            own = _LIGHT if isinstance(expr, _HEAVY) else 1
            weight = self._weights[id(expr)] = own + sum(map(self._weight, children(expr)))
        return weight

    def _pair(self, binder: tree.Binder) -> list[ast.expr]:
        return [self.b.const(binder.name), self.b.name(binder.local)]

    def call(self, expr: tree.CallExpression) -> Code:
        """Compile a call."""
        name = expr.head.name
        if name in self.names.objects:
            return self.construct(expr, name)
        if self.names.native(name):
            return self._native(expr, name)
        return Code(self.b.call(self.value(expr.head), *map(self.value, expr.args)))

    def construct(self, expr: tree.CallExpression, name: str) -> Code:
        """Compile the construction of an object."""
        if name == "Cell":
            return self.cell(expr)
        args = list(map(self.value, expr.args))
        if name in ("Position", "RenderedElem"):
            return Code(self._exactly(name, args, 2))
        return Code(self.b.call(f"new_{name}", *args))

    def cell(self, expr: tree.CallExpression) -> Code:
        """Compile the construction of a cell."""
        b = self.b
        if len(expr.args) < 3:
            return Code(b.call("too_few", b.const("Cell")))
        self.cells.append(CellPlan.of(expr, self.names))
        number = len(self.cells) - 1
        passed = [b.name(binder.local) for binder in self.cells[number].passed]
        return Code(b.call("make_cell", b.name(f"c{number}"), *passed))

    def _native(self, expr: tree.CallExpression, name: str) -> Code:
        b, signature = self.b, SIGNATURES[name]
        if name == "prev" and len(expr.args) == 1:
            arg = expr.args[0]
            if isinstance(arg, tree.Name):
                return Code(b.key("P", arg.name))
            if isinstance(arg, tree.Literal) and isinstance(arg.value, str):
                return Code(b.key("P", arg.value))
        args = list(map(self.value, expr.args))
        if len(args) < signature.least:
            return Code(b.call("too_few", b.const(name), *args))
        if len(args) > signature.most and name in EXACT:
            return Code(b.call("too_many", b.const(name), *args))
        return Code(self._exactly(f"n_{name}", args, signature.most), signature.kind)

    def _exactly(self, function: str, args: list[ast.expr], most: int) -> ast.expr:
        """Return a call with the first arguments; the rest are evaluated and dropped, as in the reference."""
        if len(args) <= most:
            return self.b.call(function, *args)
        return self.b.call("dropping", self.b.name(function), self.b.const(most), *args)

    def get(self, expr: tree.Get) -> Code:
        """Compile the reading of a field."""
        return Code(self.b.field(self.value(expr.thing), expr.field))

    # -- values and conditions ----------------------------------------------------------------------------------------

    def literal(self, expr: tree.Literal) -> Code:
        """Compile a literal."""
        kinds: dict[type, Kind] = {int: "int", bool: "bool"}
        return Code(self.b.const(expr.value), kinds.get(type(expr.value), ""))

    def list_of(self, expr: tree.ListOf) -> Code:
        """Compile a list."""
        code = self.b.list([self.value(item) for item in expr.items])
        return Code(self.b.call("listed", code) if len(expr.items) > _LONG_LIST else code, "list")

    def if_(self, expr: tree.If) -> Code:
        """Compile a choice."""
        test = self.truth(expr.condition)
        then, otherwise = self.code(expr.then), self.code(expr.otherwise)
        kind = then.kind if then.kind == otherwise.kind else ""
        return Code(self.b.choice(test, then.ast, otherwise.ast), kind)

    def truth(self, expr: tree.Expr) -> ast.expr:
        """Return the code of an expression as a condition in Python."""
        code, b = self.code(expr), self.b
        if code.kind == "bool" or code.kind == "list":
            return code.ast
        if isinstance(expr, tree.Literal):
            return b.const(truthy(expr.value))
        temporary = b.fresh()
        value = b.bind(temporary, code.ast)
        rest = b.all(b.compare(b.name(temporary), ast.IsNot(), b.const(False)), b.call("truthy", b.name(temporary)))
        return b.either(b.compare(value, ast.Is(), b.const(True)), rest)

    def operand(self, expr: tree.Expr) -> ast.expr:
        """Return the code of an operand of `&` or `|`: a function is called without arguments."""
        if isinstance(expr, tree.Name) and expr.name in EVENTS and self.names.native(expr.name):
            return self.b.call(f"n_{expr.name}")
        code = self.code(expr)
        return code.ast if code.kind == "bool" else self.b.call("logical", code.ast)

    def logic(self, expr: tree.Logic) -> Code:
        """Compile `&` or `|`, which look at the second operand only if they have to."""
        join = self.b.all if expr.op == "&" else self.b.either
        return Code(join(self.operand(expr.left), self.operand(expr.right)), "bool")

    def condition(self, expr: tree.Expr) -> ast.expr:
        """Return the code of the condition of a handler: a Bool, or a function that returns one."""
        outside, self.b.at = self.b.at, expr.at
        if isinstance(expr, tree.Name) and expr.name in EVENTS and self.names.native(expr.name):
            test_code = self.b.call(f"n_{expr.name}")
        else:
            code = self.code(expr)
            test_code = code.ast if code.kind == "bool" else self.b.call("as_bool", code.ast)
        self.b.at = outside
        return test_code

    def unary(self, expr: tree.Unary) -> Code:
        """Compile an operator with one operand."""
        code = self.code(expr.operand)
        if expr.op == "!":
            opposite = self.b.inverse(code.ast) if code.kind == "bool" else self.b.call("negated", code.ast)
            return Code(opposite, "bool")
        return Code(self.b.call("minus" if expr.op == "-" else "plus", code.ast), "int")

    def binary(self, expr: tree.Binary) -> Code:
        """Compile arithmetic or a comparison."""
        left, right = self.code(expr.left), self.code(expr.right)
        if expr.op in ("==", "!="):
            same = self._equality(expr, left, right)
            return Code(same if expr.op == "==" else self.b.inverse(same), "bool")
        if expr.op in _HELPED:
            return Code(self.b.call(_HELPED[expr.op], left.ast, right.ast), "int")
        return self._on_numbers(expr.op, left, right)

    def _on_numbers(self, op: str, left: Code, right: Code) -> Code:
        """Compile an operation on two Numbers, with a check of those that may be something else."""
        b = self.b
        checks: list[ast.expr] = []
        operands: list[ast.expr] = []
        for code, following in ((left, right), (right, None)):
            early = following is not None and following.kind != "int" and not isinstance(code.ast, ast.Constant)
            if code.kind == "int" and not early:  # else it would be evaluated after its right neighbour
                operands.append(code.ast)
            else:
                temporary = b.fresh()
                checks.append(b.is_int(b.bind(temporary, code.ast)))
                operands.append(b.name(temporary))
        if op in _ORDER:
            comparison = b.compare(operands[0], _ORDER[op], operands[1])
        else:
            result = b.fresh()
            inside = b.between(_LOW, b.bind(result, b.binary(operands[0], _ARITHMETIC[op], operands[1])), _HIGH)
            comparison = b.choice(inside, b.name(result), b.call("wrapped", b.name(result)))
        if checks:
            comparison = b.choice(b.all(*checks), comparison, b.call("not_numbers", b.const(op)))
        return Code(comparison, "bool" if op in _ORDER else "int")

    def _equality(self, expr: tree.Binary, left: Code, right: Code) -> ast.expr:
        """Compile `==`: a plain comparison where no Bool can meet a Number 0 or 1."""
        plain = left.kind == "int" or any(_differs_from_bools(side) for side in (expr.left, expr.right))
        if plain:
            return self.b.compare(left.ast, ast.Eq(), right.ast)
        return self.b.call("equal", left.ast, right.ast)


def _differs_from_bools(expr: tree.Expr) -> bool:
    """Say whether an expression is a constant that Python compares as Autumn does."""
    return isinstance(expr, tree.Literal) and not isinstance(expr.value, bool) and expr.value not in (0, 1)


class LaterExpressions(Expressions):
    """Compiles an argument of a cell for drawing: it finds variables in the cell, then in the object, then outside.

    The code is that of a function with the parameters `o` (the object) and `C` (what the cell captured).
    """

    def __init__(self, outer: Expressions, plan: CellPlan, argument: tree.Expr) -> None:
        super().__init__(outer.names, outer.b, outer.dynamic)
        self.functions, self.cells = outer.functions, outer.cells
        self.fields = plan.fields - self.dynamic
        self.own = {id(binder) for inner in within([argument]) for binder in _binders(inner)}
        self._plain = False

    def name(self, expr: tree.Name) -> Code:
        """Compile a variable that is read."""
        b, name = self.b, expr.name
        is_safe = name in self.names.objects or self.names.native(name) or id(expr.binder) in self.own
        if is_safe or self._plain:
            return super().name(expr)
        if name in self.fields:
            in_cell = b.compare(b.const(name), ast.In(), b.name("C"))
            return Code(b.choice(in_cell, b.key("C", name), b.field(b.name("o"), name)))
        return Code(b.call("later_name", b.const(name), b.name("C"), b.name("o")))

    def lambda_(self, expr: tree.Lambda) -> Code:
        """Compile a function; one of the module sees no cell and no object."""
        outside, self._plain = self._plain, self._plain or expr.given is None
        code = super().lambda_(expr)
        self._plain = outside
        return code

    def cell(self, expr: tree.CallExpression) -> Code:
        """Refuse a cell in a cell."""
        return Code(self.b.call("cell_in_cell"))


def _binders(expr: tree.Expr) -> list[tree.Binder]:
    if isinstance(expr, tree.Lambda):
        return expr.binders
    return [expr.binder] if isinstance(expr, tree.Assign) and expr.defines and expr.binder else []
