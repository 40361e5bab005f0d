"""The grammar of straight plans, and the characters that any plan may contain.

A straight plan has calls of actions with plain values, and counted loops around them.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

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


def _pattern(ranges: str) -> re.Pattern[str]:
    ends = [found.partition("-") for found in ranges.split()]
    return re.compile(f"[{''.join(f'{chr(int(a, 16))}-{chr(int(b or a, 16))}' for a, _, b in ends)}]")


_NEWER_CHARACTER = _pattern(_NEWER)


def forbidden(source: str) -> re.Match[str] | None:
    """Find the first character that is forbidden everywhere in a plan."""
    return _FORBIDDEN.search(source)


def is_newer(text: str) -> bool:
    """Say whether a text has a character that is newer than Unicode 14."""
    return _NEWER_CHARACTER.search(text) is not None


def unknown_name(source: str) -> re.Match[str] | None:
    r"""Find the first `\N{...}` that names no character of Unicode 14."""
    return next((found for found in _NAMED.finditer(source) if not _is_name(found[1])), None)


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
    written = value.value if isinstance(value, ast.Constant) else None
    # True is an int, but straight plans must not use it as a number.
    return written if isinstance(written, str | int) and not isinstance(written, bool) else None


def _refusal(node: ast.stmt | ast.expr, what: str | None = None) -> Rejected:
    """Return the refusal of a construct, which is named after its node by default."""
    if what is None:
        what = f"the name {node.id}" if isinstance(node, ast.Name) else _WORDS.get(type(node).__name__, "this")
    return Rejected("not_straight", f"{what} has no place here: {RULE}", node.lineno)
