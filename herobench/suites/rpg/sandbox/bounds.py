"""The bounds of a plan: the characters and the grammar of its text, and what it may use while it runs.

Any plan may contain only characters that every version of Python knows. A straight plan has calls of actions with plain
values, and counted loops around them.

The budget counts the steps, actions and output of one plan, so that the same plan always ends at the same step. A step
is one turn of a loop, one call or one action. C code that works on many values costs one step per 32 values, which the
guards charge. Once a limit is reached, every further step raises again, so a plan cannot continue; `play` looks at
`reached`, not at how the plan ended. Nothing here may depend on a clock.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, NoReturn

from herobench.suites.rpg.game.calls import MOST_CALLS as MOST_ACTIONS
from herobench.suites.rpg.game.episode import EndKind

_MOST_CHARACTERS_IN_REASON = 300  # a reason may quote a name from the plan


class Rejected(Exception):
    """Raised when a text is not a plan in this language."""

    def __init__(self, kind: EndKind, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason[:_MOST_CHARACTERS_IN_REASON]
        self.line = line


_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, byte order marks, marks that change the reading direction, and halves of surrogate pairs."""
# With an odd number of backslashes before it, the backslash of `\N` is itself escaped.
_NAMED = re.compile(r"(?<!\\)(?:\\\\)*\\N\{([^{}\n]*)\}")
_NEWER = """
558 58b-58c 5c8-5c9 88f 897 b53-b54 c5c cdc cf3 ece 1acf-1af0 1b4e-1b4f 1b7f 1c89-1c8a 208f 209d-209f 20c1-20c4
2427-2429 2b96 2e60-2e63 2ffc-2fff 31e4-31e5 31ef a7cb-a7cf a7d2 a7d4 a7da-a7dd a7e2 a7f1 ab6c-ab6d fbc3-fbd2
fd90-fd91 fdc8-fdce 105c0-105f3 107bb-107bf 10940-10959 10d40-10d65 10d69-10d85 10d8e-10d8f 10ec2-10ec7 10ec9-10eee
10ef0-10eff 1123f-11241 11380-11389 1138b 1138e 11390-113b5 113b7-113c0 113c2 113c5 113c7-113ca 113cc-113d5
113d7-113d8 113e1-113e2 116d0-116e3 11b00-11b0a 11b60-11b67 11bc0-11be1 11bf0-11bf9 11db0-11ddb 11de0-11de9
11df0-11df1 11f00-11f10 11f12-11f3a 11f3e-11f5a 1246f 12475-1247f 12550-12686 1342f 13439-13455 13460-143fa
16100-16139 16d40-16d79 16ea0-16eb8 16ebb-16ed3 16ff2-16ff6 187f8-187ff 18cd6-18cda 18cff 18d09-18d20 18d80-18df2
18e00-19191 191a0-191d2 1b123-1b128 1b132 1b155 1b168 1cc00-1ccfc 1cd00-1ceb3 1ceba-1ced0 1ced2-1ced4 1cedd-1cefd
1d127-1d128 1d1eb-1d1ff 1d250-1d281 1d2c0-1d2d3 1d6a6 1db00-1db1c 1df1f-1df81 1df90-1df96 1dfcd-1dfff 1e030-1e06d
1e08f 1e4d0-1e4f9 1e5d0-1e5fa 1e5ff 1e6c0-1e6de 1e6e0-1e6f5 1e6fe-1e6ff 1f1ae 1f6d8-1f6d9 1f6dc 1f774-1f77f
1f7d9-1f7db 1f7f1-1f7ff 1f8b2-1f8bb 1f8c0-1f8c1 1f8d0-1f8d8 1fa54-1fa57 1fa75-1fa77 1fa87-1fa8f 1faad-1faaf
1fabb-1fabf 1fac6 1fac8 1facc-1facf 1fada-1fadd 1fadf 1fae8-1faeb 1faef 1faf7-1fafa 1fbcb-1fbef 1fbfa 2b739-2b73f
2b81e 2cea2-2cead 2ebf0-2ee5d 31350-33479 3d000-3fc3f
"""
"""The code points that were assigned after Unicode 14, up to Unicode 18, as ranges of hexadecimal numbers."""


@cache
def _newer_character() -> re.Pattern[str]:
    ends = [span.partition("-") for span in _NEWER.split()]
    return re.compile(f"[{''.join(f'{chr(int(a, 16))}-{chr(int(b or a, 16))}' for a, _, b in ends)}]")


def forbidden(source: str) -> re.Match[str] | None:
    """Find the first character that is forbidden everywhere in a plan."""
    return _FORBIDDEN.search(source)


def is_newer(text: str) -> bool:
    """Say whether a text has a character that is newer than Unicode 14."""
    return _newer_character().search(text) is not None


def unknown_name(source: str) -> re.Match[str] | None:
    r"""Find the first `\N{...}` that names no character of Unicode 14."""
    return next((match for match in _NAMED.finditer(source) if not _is_name(match[1])), None)


def _is_name(name: str) -> bool:
    try:
        character = unicodedata.lookup(name)
    except KeyError:
        return False
    # An alias, or the name of a sequence, may be newer than its character.
    return unicodedata.name(character[0], "") == name.upper() and not is_newer(character)


RULE = "a straight plan holds only calls of actions with texts and whole numbers, and `for NAME in range(NUMBER)` loops"
_RANGE = "range"
_MOST_ENDS = 2
"""The most arguments of `range`: its end, or its start and end."""

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
"""The words for a construct in a reason, by the name of its node."""


def check_straight(tree: ast.Module, actions: Collection[str]) -> None:
    """Raise Rejected, with the line, for the first construct that a straight plan must not have."""
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
    """Check a loop. Its variable is never read, but must not have the name of an action or of `range`."""
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
    """Check an expression statement: a call of an action, or a text, which does nothing."""
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
    """Return a written text or whole number, which may have a sign; None for anything else."""
    # The syntax tree has no negative numbers: -1 is a minus before 1.
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub | ast.UAdd):
        number = literal(value.operand) if isinstance(value.operand, ast.Constant) else None
        return number if type(number) is int else None
    constant = value.value if isinstance(value, ast.Constant) else None
    # True is an int, but straight plans must not use it as a number.
    return constant if isinstance(constant, str | int) and not isinstance(constant, bool) else None


def _refusal(node: ast.stmt | ast.expr, what: str | None = None) -> Rejected:
    """Return the refusal of a construct, which is named after its node by default."""
    if what is None:
        what = f"the name {node.id}" if isinstance(node, ast.Name) else _WORDS.get(type(node).__name__, "this")
    return Rejected("not_straight", f"{what} has no place here: {RULE}", node.lineno)


MOST_VALUES = 50_000
"""The most values (elements, characters) that one operation may read or make."""
_PER_STEP = 5
"""2 ** _PER_STEP values cost one step. A power of two, because a shift is cheaper than a division."""
_PARTS_A_STEP = 4
"""2 ** _PARTS_A_STEP nodes of straight-line code cost one step."""
MOST_CALLS = 150
"""The greatest depth of nested calls in a plan."""
EXHAUSTED: Mapping[type, tuple[EndKind, str]] = {
    MemoryError: ("memory", "the plan takes more memory than it may"),
    RecursionError: ("depth", f"the plan's calls are nested more than {MOST_CALLS} deep"),
}
"""Errors of the machine that count as limits, each with the kind and the reason of its ending."""


def code_steps(trees: Iterable[Any]) -> int:
    """Return how many steps it costs to run some syntax trees once. `language` has stored the `size` of each."""
    size: int = sum(tree.size for tree in trees)
    return 1 + (size >> _PARTS_A_STEP)


class LimitReached(BaseException):
    """Raised in a plan when a limit is reached, or when the game is over.

    It is not an Exception, so no handler of the plan catches it."""

    def __init__(self, kind: EndKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class PlanBudget:
    """The steps, actions and characters of output that a plan has left."""

    __slots__ = ("_actions", "_characters", "_steps", "limits", "output", "reached")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.output: list[str] = []
        self.reached: LimitReached | None = None
        self._steps = limits.steps
        self._actions = limits.actions
        self._characters = limits.output

    def tick(self, steps: int = 1) -> bool:
        """Count steps. Return True, so that the transformer can put a tick into a condition."""
        self._steps -= steps
        if self._steps < 0:
            self.stop("steps", f"the plan takes more than {self.limits.steps:,} steps")
        return True

    def charge(self, values: int) -> None:
        """Charge for an operation on some values. End the plan if they are too many for one operation."""
        # The code of tick() is repeated here: this is the function that plans call most.
        self._steps -= 1 + (values >> _PER_STEP)
        if values > MOST_VALUES:
            self.stop("memory", f"the plan works on more than {MOST_VALUES:,} values at once")
        if self._steps < 0:
            self.stop("steps", f"the plan takes more than {self.limits.steps:,} steps")

    def act(self) -> None:
        """Count one action."""
        self.tick()
        self._actions -= 1
        if self._actions < 0:
            self.stop("actions", f"the plan takes more than {self.limits.actions:,} actions")

    def print(self, text: str) -> None:
        """Keep what the plan prints, up to the limit."""
        self.charge(len(text))
        self.output.append(text[: max(0, self._characters)])  # the part up to the limit is kept for the user
        self._characters -= len(text)
        if self._characters < 0:
            self.stop("output", f"the plan prints more than {self.limits.output:,} characters")

    def too_much(self, what: str) -> NoReturn:
        """End the plan because one operation is too large for any budget."""
        self.stop("memory", what)

    def stop(self, kind: EndKind, reason: str) -> NoReturn:
        """End the plan for good: every further step raises too. Only the first reason counts."""
        if self.reached is None:
            self.reached = LimitReached(kind, reason)
        self._steps = -1  # so that every further tick raises too
        # A new exception each time, because a kept one would collect tracebacks.
        raise LimitReached(self.reached.kind, self.reached.reason)


MOST_CODE_PARTS = 80_000
"""The most names, numbers, operators, calls and other nodes of the code of a plan."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources that one plan may use. A plan that needs more ends with `limit`."""

    actions: int = MOST_ACTIONS
    """Attempted actions, including those that the game refuses."""
    steps: int = 300_000
    """Turns of loops, calls of the plan's own functions, and actions."""
    output: int = 20_000
    """Characters printed."""
    source: int = 200_000
    """Characters of code."""
    lines: int = 9_000
    """Lines of code."""
    parts: int = MOST_CODE_PARTS
    """Nodes of code (names, numbers, operators, calls). Compiling each takes up to 15 microseconds."""
    width: int = 20_000
    """Characters of one line of code."""
    seconds: float = 10.0
    """Processor time: the last resort, for work that is not counted above. The most expensive known plan reaches
    another limit in less than half of this time. Every other limit is reached at the same step on any machine."""
    wall_seconds: float = 300.0
    """Wall-clock time after which a process that does not even compute is killed."""
    memory: int = 1 << 30
    """Bytes of address space of the worker process."""
