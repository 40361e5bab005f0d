"""The reader of f-strings makes the trees that Python 3.12 makes, on any Python."""

from __future__ import annotations

import ast
import json
import sys
import warnings
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.sandbox import fstrings
from herobench.suites.rpg.sandbox.language import Rejected, compile_plan
from herobench.suites.rpg.sandbox.trees import FILENAME
from tests.sizes import for_each, many
from tests.suites.rpg.sandbox.plans import ACTIONS, printed, recorded, steadily

TABLE: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("fstrings.jsonl").read_text("utf-8").splitlines()
]
"""Sources, each with the shape of the tree and the lines that Python 3.12 gives it, or the line of its error."""
GOOD = [row for row in TABLE if "shape" in row]
BAD = [row for row in TABLE if "error_line" in row]
_LEFT_OUT = frozenset({"kind", "ctx", "type_ignores"})


def shape(node: Any) -> str:
    """A tree in words that all versions of Python have in common."""
    if isinstance(node, list):
        return f"[{', '.join(map(shape, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(name, value) for name, value in ast.iter_fields(node) if name not in _LEFT_OUT]
    told = ", ".join(f"{name}={shape(value)}" for name, value in fields if value is not None and value != [])
    return f"{type(node).__name__}({told})"


def without_empty_texts(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            node.values = [part for part in node.values if not (isinstance(part, ast.Constant) and part.value == "")]
    return tree


def lines(tree: ast.Module) -> list[str]:
    """The lines of what a plan can be told the line of."""
    kinds = (ast.Name, ast.Call, ast.BinOp)
    return sorted({f"{type(node).__name__} {node.lineno}" for node in ast.walk(tree) if isinstance(node, kinds)})


def quietly(parse: Any, source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree: ast.Module = parse(source)
        return tree


def read(source: str) -> ast.Module:
    return fstrings.parse(source, FILENAME)


@for_each("row", GOOD)
def test_an_fstring_has_the_tree_it_has_in_python_3_12(row: dict[str, Any]) -> None:
    tree = quietly(read, row["source"])
    assert (shape(tree), lines(tree)) == (row["shape"], row["lines"])


@for_each("row", BAD)
def test_a_malformed_fstring_is_a_syntax_error_with_its_line(row: dict[str, Any]) -> None:
    with pytest.raises(SyntaxError) as error:
        quietly(read, row["source"])
    assert error.value.lineno == row["error_line"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="needs Python 3.12, whose f-strings these are")
@for_each("row", TABLE)
def test_the_table_says_what_python_says(row: dict[str, Any]) -> None:
    if "error_line" in row:
        with pytest.raises(SyntaxError) as error:
            quietly(ast.parse, row["source"])
        assert error.value.lineno == row["error_line"]
    else:
        tree = without_empty_texts(quietly(ast.parse, row["source"]))
        assert (shape(tree), lines(tree)) == (row["shape"], row["lines"])


# -- what Python 3.11 accepts ------------------------------------------------------------------------------------------

_names = st.sampled_from(["a", "b", "d", "not_f", "rf_", "f"])
_inner = st.recursive(
    _names | st.sampled_from(["1", "1.5", "None", "'x'", "''", "'}'", "'{'", "r'x'", "u'x'", "'#'", "':'", "'!'"]),
    lambda inner: st.one_of(
        st.tuples(
            inner, st.sampled_from(["+", "==", "!=", "<=", ">=", "<", " if a else ", " and ", " not in ", ", "]), inner
        ).map("".join),
        inner.map("({})".format),
        inner.map("( {} )".format),
        inner.map("[{}][0]".format),
        inner.map(" {{{}: 2}}[1]".format),
        inner.map("d[{}:2]".format),
        inner.map("(lambda x: {})".format),
        inner.map("(y := {})".format),
        inner.map("f({}, k=1)".format),
        inner.map("[x for x in {} if x]".format),
    ),
    max_leaves=5,
)
_plain = st.sampled_from(["", "a", "é😀", "{{", "}}", "#", ":", "!", "=", " ", "n{{}}", "if"])
_escaped = st.sampled_from([r"\n", r"\x41", r"\u00e9", r"\N{BULLET}", r"\\", r"\'", r"\d"])
_specs = st.sampled_from(["", ":", ":>10", ":{a}", ":>{a}.{b}", ":{'>'}{10}", ":%Y-%m", ":!x", ":=+3"])


_SIGNS = ["", "", "=", " = "] if sys.version_info < (3, 12) else [""]
"""Python 3.12.1 and 3.13.0 cut the text of `{expression=}` short where the expression has a `#` or a `:` in it."""


@st.composite
def _fstrings(draw: st.DrawFn) -> str:
    prefix = draw(st.sampled_from(["f", "F", "rf", "fR", "Rf"]))
    quote = draw(st.sampled_from(['"', '"""']))
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            parts.append(draw(_plain | _escaped) if "r" not in prefix.lower() else draw(_plain))
        else:
            space, debug = draw(st.sampled_from(["", " "])), draw(st.sampled_from(_SIGNS))
            conversion = draw(st.sampled_from(["", "!r", "!s", "!a"]))
            parts.append(f"{{{space}{draw(_inner)}{debug}{conversion}{draw(_specs)}}}")
    return f"{prefix}{quote}{''.join(parts)}{quote}"


_others = st.sampled_from(["'plain'", '"{a}"', "'''x\ny'''", r"'\'{'", r"r'\{'", "u'u'", "''"])
_expressions = st.lists(_fstrings() | _others, min_size=1, max_size=3).map(" ".join)


@steadily
@given(st.lists(_expressions.map("x = {}".format), min_size=1, max_size=3).map("\n".join))
def test_what_python_3_11_accepts_has_the_tree_that_it_gives(source: str) -> None:
    try:
        expected = shape(without_empty_texts(quietly(ast.parse, source)))
    except SyntaxError:
        return
    assert shape(quietly(read, source)) == expected


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.11 refuses much of this")
@steadily
@given(st.lists(_expressions.map("x = {}".format), min_size=1, max_size=3).map("\n".join))
def test_what_python_reads_the_reader_reads_alike(source: str) -> None:
    try:
        expected = shape(without_empty_texts(quietly(ast.parse, source)))
    except SyntaxError:
        with pytest.raises(SyntaxError):
            quietly(read, source)
    else:
        assert shape(quietly(read, source)) == expected


# -- marks, sizes and lines --------------------------------------------------------------------------------------------


def test_a_mark_cannot_be_forged() -> None:
    for guess in (sha256(b"").hexdigest(), "0" * 64, sha256(b"f'{secret}'").hexdigest()):
        for inside in (f"<{guess}:0:0>", f"<{guess}:0:1>\n", f"<{guess}:99:0>"):
            plan = f"secret = 5\nx = f'{{secret}}'\nprint({inside!r}, f'{inside.strip()}')"
            assert printed(plan) == f"{inside} {inside.strip()}\n"


@pytest.mark.slow
def test_long_and_deep_fstrings_come_to_an_end() -> None:
    assert len(quietly(read, f'f"{"{a}" * many(100_000, 10_000)}"').body) == 1
    nested = "1"
    for _ in range(29):
        nested = f'f"{{{nested}}}"'
    assert len(quietly(read, nested).body) == 1
    with pytest.raises(SyntaxError):
        quietly(read, 'f"{' * 5000)
    with pytest.raises(Rejected):
        compile_plan('x = f"' + "{a:" * many(30_000, 3_000), ACTIONS)


def test_the_depth_of_nested_fstrings_that_is_allowed_does_not_depend_on_the_version() -> None:
    def nested(depth: int) -> str:
        text = "1"
        for _ in range(depth):
            text = f'f"{{{text}}}"'
        return f"print({text})"

    assert recorded(nested(10)).output == "1\n"
    assert recorded(nested(60)).ending.how == "rejected"


def test_the_fields_of_fstrings_in_a_plan_have_their_lines() -> None:
    plan = 'x = f"""\n{gather(1)}\n{\n  gather(2)  # {"}\n}\n"""\ny = f"{gather(\n  3)}"; gather(4)\n1 / 0'
    played = recorded(plan)
    assert [action.line for action in played.attempts] == [2, 4, 6 + 1, 8]
    assert played.ending.line == 9


# -- what Python versions read differently -----------------------------------------------------------------------------

SHOWN = {
    "a comment before a format": ("x, n = 7, 4\nprint(f'{x # c } \"\n:{n}}|{n}')", "   7|4\n"),
    "a comment in what is shown": ("x = 7\nprint(f'{x  # c }\n = }')", "x  \n = 7\n"),
    "a hash in a text that is shown": ("print(f'{'#a'=}')", "'#a'='#a'\n"),
    "an inequality that is shown": (
        "x, y = 1, 2\nprint(f'{x != y=}|{x != y = !s:>6}')",
        "x != y=True|x != y =   True\n",
    ),
    "an escape that is shown": ("print(f'{'\\n'=}')", "'\\n'='\\n'\n"),
    "a value that is shown in a format": ("n = 5\nprint(f'{1:{n!s}}|{'a':{'>'}{n}}')", "    1|    a\n"),
    "lines before and in a format": ("x = [1]\nprint(f'''{\n\nx[0]\n:{\n3}}\n{2}''')", "  1\n2\n"),
    "lines of a nested f-string": ("x = 1\nprint(f'{f\"{\nx\n:{2}}{x}\"\n:>{\n5}}')", "   11\n"),
}


@for_each(("plan", "output"), SHOWN.values())
def test_an_f_string_shows_the_same_on_every_version(plan: str, output: str) -> None:
    assert printed(plan) == output


def test_the_tree_of_a_format_has_no_empty_parts() -> None:
    tree = fstrings.parse("f'{1:{2}{3}}'", "<plan>")
    [field] = [node for node in ast.walk(tree) if isinstance(node, ast.FormattedValue) and node.format_spec]
    assert isinstance(field.format_spec, ast.JoinedStr)
    assert [type(value) for value in field.format_spec.values] == [ast.FormattedValue, ast.FormattedValue]


LINES = {
    "a tuple": ("print(f'''{ # one\n\n 1, 2\n:x}''')", 3),
    "a tuple that begins with a bracket": ("print(f'''{\n(\n\n1),2:x}''')", 2),
    "a name": ("print(f'''\n{\n\nmissing\n:{1}}''')", 4),
    "a name in a format": ("print(f'''\n{1:{\n\nmissing}}''')", 4),
}


@for_each(("plan", "line"), LINES.values())
def test_an_error_in_an_f_string_has_its_own_line(plan: str, line: int) -> None:
    ending = recorded(plan).ending
    assert (ending.how, ending.line) == ("error", line)


@for_each("plan", ["f'{1:'>5}'", "f'{1:\n}'", "f'{1", "f'{1!}'", "f'{}'", "f'}'"])
def test_what_is_no_f_string_since_python_3_12_is_refused(plan: str) -> None:
    ending = recorded(f"move()\nprint({plan})").ending
    assert (ending.how, ending.kind) == ("rejected", "syntax")
