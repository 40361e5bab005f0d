"""F-strings mean the same on every Python version, whatever that version makes of them itself."""

from __future__ import annotations

import ast

import pytest

from herobench.sandbox import fstrings
from tests.sandbox.plans import printed, recorded

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


@pytest.mark.parametrize(("plan", "output"), SHOWN.values(), ids=SHOWN)
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


@pytest.mark.parametrize(("plan", "line"), LINES.values(), ids=LINES)
def test_an_error_in_an_f_string_has_its_own_line(plan: str, line: int) -> None:
    ending = recorded(plan).ending
    assert (ending.how, ending.line) == ("error", line)


@pytest.mark.parametrize("plan", ["f'{1:'>5}'", "f'{1:\n}'", "f'{1", "f'{1!}'", "f'{}'", "f'}'"])
def test_what_is_no_f_string_since_python_3_12_is_refused(plan: str) -> None:
    ending = recorded(f"move()\nprint({plan})").ending
    assert (ending.how, ending.kind) == ("rejected", "syntax")
