"""One planted fault: an expression or a statement of one function, replaced by a wrong one.

A function is found by its qualified name, in whatever file it is. Its code is compared as `ast.unparse` writes it, so
that neither a move nor another layout touches a fault: single quotes, one statement on one line, no comments.
"""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

TABLES = (Path(__file__).with_name("faults.toml"), *sorted(Path(__file__).parents[1].glob("suites/*/faults.toml")))
SOURCES = ("herobench", "analysis", "prompts", "task_gen")
"""The folders of the program. `herobench` has links to the others, which are not followed."""
_OUTERMOST = re.compile(r"^(?:(?:async )?def |class )?(\w+)", re.MULTILINE)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


class Fault(NamedTuple):
    """A fault, as a row of `faults.toml`."""

    room: str
    name: str
    where: str
    """The qualified name of a function, or of a constant of a module or class."""
    old: str
    new: str
    near: str
    """The names of modules of tests, without `test_`, that should find it; the room's tests where it is empty."""

    def planted(self, sources: Sources) -> tuple[Path, str]:
        """Return the file to change and its text with the fault. Raises LookupError unless exactly one place fits."""
        fits = [
            (path, node, code)
            for path, node in sources.definitions(self.where)
            if (code := ast.unparse(node)).count(self.old) == 1
        ]
        if len(fits) != 1:
            raise LookupError(
                f"{self.name}: {len(fits)} definitions of {self.where} contain this code once; expected 1:\n{self.old}"
            )
        ((path, node, code),) = fits
        wrong = code.replace(self.old, self.new)
        ast.parse(wrong)
        return path, sources.replaced(path, node, wrong)

    def nearest(self, tests: Path, source: Path) -> list[Path]:
        """Return where to look first: the modules of tests that should find the fault, then the room of the source."""
        modules = [path for name in self.near.split() for path in sorted(tests.rglob(f"test_{name}.py"))]
        rooms = source.parts[source.parts[0] == "herobench" : -1]
        mirrors = (tests.joinpath(*rooms[:count]) for count in range(len(rooms), 0, -1))
        return [*modules, next((room for room in mirrors if room.is_dir()), tests)]


class Sources:
    """The texts of all modules of the program, and the definitions in them."""

    def __init__(self, root: Path) -> None:
        paths = (path for room in SOURCES for path in sorted((root / room).rglob("*.py")))
        self.texts = {path: path.read_text("utf-8") for path in paths if path.resolve() == path}
        self._outermost = {path: set(_OUTERMOST.findall(text)) for path, text in self.texts.items()}
        self._parsed = cache(lambda path: ast.parse(self.texts[path]))

    def definitions(self, name: str) -> Iterator[tuple[Path, Definition]]:
        """Yield each definition with this qualified name, and its file."""
        for path, names in self._outermost.items():
            if name.split(".", 1)[0] in names:
                for node in _defined(self._parsed(path).body, name):
                    yield path, node

    def replaced(self, path: Path, node: Definition, code: str) -> str:
        """Return the text of a file with other code in place of a definition."""
        lines = self.texts[path].splitlines(keepends=True)
        first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))])
        lines[first - 1 : node.end_lineno] = [textwrap.indent(code, " " * node.col_offset) + "\n"]
        return "".join(lines)


def _defined(body: list[ast.stmt], name: str) -> Iterator[Definition]:
    own, _, rest = name.partition(".")
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == own:
                yield from _defined(node.body, rest) if rest else [node]
            case ast.Assign(targets=[ast.Name(id=target)]) | ast.AnnAssign(target=ast.Name(id=target)):
                if target == own and not rest:
                    yield node


def read_faults() -> tuple[Fault, ...]:
    """Read the tables of faults: that of all rooms, and those of suites beside their tests."""
    rooms = [entry for table in TABLES for entry in tomllib.loads(table.read_text("utf-8")).items()]
    return tuple(Fault(room, name, *row) for room, faults in rooms for name, row in faults.items())
