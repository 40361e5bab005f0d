"""The nodes of a parsed program. `at` is the offset of a node in the source; errors name the place by it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Expr:
    """Any expression."""

    at: int


@dataclass(slots=True, eq=False)
class Literal(Expr):
    """A Number, a String or a Bool."""

    value: int | str | bool


@dataclass(slots=True, eq=False)
class Binder:
    """A parameter, a field or a variable of a `let`. `local` is its name in the generated code."""

    name: str
    local: str
    is_field: bool = False


@dataclass(slots=True, eq=False)
class Name(Expr):
    """A variable that is read. `binder` is what gives it its value, where that is certain from the text alone."""

    name: str
    binder: Binder | None = None


@dataclass(slots=True, eq=False)
class ListOf(Expr):
    """`(list e*)`."""

    items: list[Expr]


@dataclass(slots=True, eq=False)
class If(Expr):
    """`(if c then a else b)`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(slots=True, eq=False)
class Let(Expr):
    """`(let e*)`. `needs_frame` says that an assignment in it may define a variable that other functions see."""

    items: list[Expr]
    needs_frame: bool = False
    defined: list[str] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Assign(Expr):
    """`(= name e)`. `defines` says that it is the first assignment to its binder; `scoped`, that it stands in a `let`
    or a function."""

    name: str
    value: Expr
    binder: Binder | None = None
    defines: bool = False
    scoped: bool = False


@dataclass(slots=True, eq=False)
class Lambda(Expr):
    """`(--> p body)`. `given` is the number of arguments with which a native function calls it at once; None if it is
    a value that may be called at any time."""

    params: list[str]
    body: Expr
    given: int | None = None
    binders: list[Binder] = field(default_factory=list)
    needs_frame: bool = False


@dataclass(slots=True, eq=False)
class Get(Expr):
    """`(.. o f)`."""

    thing: Expr
    field: str


@dataclass(slots=True, eq=False)
class Unary(Expr):
    """`-`, `+` or `!` with one operand."""

    op: str
    operand: Expr


@dataclass(slots=True, eq=False)
class Binary(Expr):
    """Arithmetic or a comparison."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Logic(Expr):
    """`&` or `|`; `and` and `or` are the same."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class CallExpression(Expr):
    """A call of a variable."""

    head: Name
    args: list[Expr]


@dataclass(slots=True, eq=False)
class Declare(Expr):
    """`(: name Type)`. A list type has the name `List`."""

    name: str
    type: str


@dataclass(slots=True)
class ObjectType:
    """`(object Name (: field Type)* CELLS)`. `kinds` are the types of the fields."""

    at: int
    name: str
    fields: list[str]
    kinds: list[str]
    cells: Expr
    binders: list[Binder] = field(default_factory=list)


@dataclass(slots=True)
class StateVariable:
    """`(= name (initnext INIT NEXT))`."""

    at: int
    name: str
    init: Expr
    next: Expr


@dataclass(slots=True)
class Handler:
    """`(on COND BODY)`."""

    at: int
    condition: Expr
    body: Expr


@dataclass(slots=True)
class Tree:
    """A whole program: its statements in order, and the condition if there is one."""

    statements: list[Expr | ObjectType | StateVariable | Handler]
    condition: Expr | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def objects(self) -> dict[str, ObjectType]:
        """The object types by name."""
        return {statement.name: statement for statement in self.statements if isinstance(statement, ObjectType)}

    @property
    def state_variables(self) -> list[StateVariable]:
        """The state variables in program order; of several with one name the last one counts, at the first place."""
        variables: dict[str, StateVariable] = {}
        for statement in self.statements:
            if isinstance(statement, StateVariable):
                variables[statement.name] = statement
        return list(variables.values())

    @property
    def handlers(self) -> list[Handler]:
        """The event handlers in program order."""
        return [statement for statement in self.statements if isinstance(statement, Handler)]
