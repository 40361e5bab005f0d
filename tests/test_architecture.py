"""The house plan, held by a look at the source: who imports whom, and how long things may get."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import herobench

ROOT = Path(__file__).parents[1]
BESIDE = ("analysis", "prompts", "task_gen", "world_data")
"""The rooms that stand beside the package and are its subpackages."""

CORE = frozenset(
    "world rules hero combat combat_batch round_effects events trace arguments game task episode milestones "
    "scoring failure goals decisions giving_up reach told".split()
)
"""What is pure: it reads no file and no clock, and imports nothing above it."""
TOP = frozenset(
    "execution batch bulk answer_work proving sandboxes suite briefing plan_attempt feedback_attempt tool_attempt "
    "agents".split()
)
"""Where the sandbox is put to use for callers of the library."""
PURE = frozenset(
    "__future__ ast collections collections.abc dataclasses enum functools hashlib heapq itertools json math numpy "
    "numpy.typing operator re threading types typing".split()
)
"""What the core may import from elsewhere. Of `random` it may have the class, to be given a seed; of `threading` it has
a lock, around a parser that two threads may not use at once."""

MAY_IMPORT = {
    "core": {"core"},
    "border": {"border"},
    "rpg": {"core", "border", "rpg"},
    "sandbox": {"core", "border", "rpg", "sandbox"},
    "top": {"core", "border", "rpg", "sandbox", "top", "prompts", "task_gen", "agents"},
    "world_data": set[str](),
    "task_gen": {"core", "border", "rpg", "models", "task_gen"},
    "prompts": {"core", "border", "rpg", "prompts"},
    "suites": {"border", "pddl", "suites", "hero"},
    "hero": {"core", "border", "rpg", "prompts", "task_gen", "suites", "hero"},
    "analysis": {"core", "border", "rpg", "suites", "prompts", "analysis"},
    "models": {"border", "models"},
    "pddl": {"border", "pddl"},
    "agents": {"border", "models", "agents"},
    "runs": {"border", "models", "agents", "runs"},
    "scorer": {"border", "models", "scorer"},
    "surfaces": {"border", "models", "scorer", "surfaces"},
}
"""Which rooms a room may import from.

`core` is the pure part of herobench/rpg, `top` the part that uses the sandbox, `rpg` the rest of it. `border` is what
lies in herobench/ itself and serves every suite. `hero` asks the questions of one suite about the world of another.
"""
MAY_IMPORT["api"] = {"core", "border", "rpg", "sandbox", "top", "runs", "analysis", "api"}
MAY_IMPORT["analysis"] |= {"hero"}
MAY_IMPORT["cluster"] = {"border", "models", "runs", "scorer", "analysis", "cluster"}
MAY_IMPORT["cli"] = {*MAY_IMPORT, "cli"} - {"world_data", "api"}

LOOSE = {"core", "border", "top", "api", "hero"}
"""Rooms without a folder of their own."""


class Module(NamedTuple):
    name: str
    path: Path
    tree: ast.Module

    @property
    def room(self) -> str:
        return room_of(self.name)


def room_of(name: str) -> str:
    """The room that a module, or a name in one, belongs to."""
    _, first, second, *_ = *name.split("."), "", ""
    if name.startswith("herobench.suites.acp.hero"):
        return "hero"
    if first == "rpg":
        return "core" if second in CORE else "top" if second in TOP else "rpg"
    return first if first in MAY_IMPORT.keys() - LOOSE else "api" if first in ("", "api") else "border"


def modules() -> Iterator[Module]:
    for folder in (ROOT / "herobench", *(ROOT / name for name in BESIDE)):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if not (parts[0] == "herobench" and len(parts) > 1 and parts[1] in BESIDE):  # the links
                name = ".".join(parts if parts[0] == "herobench" else ("herobench", *parts))
                yield Module(name.removesuffix(".__init__"), path, ast.parse(path.read_text("utf-8")))


MODULES = list(modules())
NAMES = {module.name for module in MODULES}


def imports(tree: ast.AST) -> Iterator[str]:
    """What is imported anywhere in a module: `from a import b` counts as a.b where that is a module of ours."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in NAMES else str(node.module)


def test_all_rooms_are_looked_at() -> None:
    assert {module.room for module in MODULES} >= {"core", "border", "top", "sandbox", "cli", "task_gen", "analysis"}
    assert {f"herobench.rpg.{name}" for name in CORE} <= NAMES


def offenders(rule: Callable[[Module], object], among: Iterable[Module] = MODULES) -> dict[str, object]:
    """The modules that break a rule, each with what the rule says of it, which is nothing where all is well."""
    return {module.name: wrong for module in among if (wrong := rule(module))}


def test_a_module_imports_only_from_the_rooms_it_may_look_into() -> None:
    def astray(module: Module) -> set[str]:
        ours = {name for name in imports(module.tree) if name.split(".")[0] == "herobench"}
        return {name for name in ours if room_of(name) not in MAY_IMPORT[module.room]}

    assert offenders(astray) == {}


def impure(module: Module) -> set[str]:
    """What a module of the core imports or calls that it may not. Of `random` it may have the class."""
    foreign = {name for name in imports(module.tree) if name.split(".")[0] != "herobench"}
    names = {alias.name for node in ast.walk(module.tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    whole = {alias.name for node in ast.walk(module.tree) if isinstance(node, ast.Import) for alias in node.names}
    called = {
        node.func.id for node in ast.walk(module.tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    chance = {"random"} if "random" in whole or "Random" not in names else set()
    unfit = (foreign - PURE - {"random"}) | (foreign & chance)
    return unfit | (called & {"open", "print", "input", "exec", "eval", "__import__"})


def test_the_core_is_pure() -> None:
    assert offenders(impure, [module for module in MODULES if module.room == "core"]) == {}


@pytest.mark.parametrize(
    "code",
    [
        "import os",
        "import random",
        "from random import choice",
        "open(path)",
        "from herobench.rpg.game import open; open(1)",
    ],
)
def test_what_the_core_may_not_have_is_noticed(code: str) -> None:
    assert impure(Module("herobench.rpg.game", ROOT, ast.parse(code)))
    assert not impure(Module("herobench.rpg.game", ROOT, ast.parse("from random import Random; import math")))


def test_nothing_above_the_core_is_loaded_by_it() -> None:
    """Also not by way of the package: with its own __init__ left out, the core loads without the rest."""
    wanted = "; ".join(f"import herobench.rpg.{name}" for name in sorted(CORE - {"combat_batch"}))
    stub = (
        "import sys, types; p = types.ModuleType('herobench'); p.__path__ = [sys.argv[1]]; sys.modules['herobench'] = p"
    )
    report = "print(sorted(m.split('.')[2] for m in sys.modules if m.startswith('herobench.rpg.')))"
    code = f"{stub}; {wanted}; {report}"
    done = subprocess.run(
        [sys.executable, "-c", code, str(ROOT / "herobench")], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{sorted(CORE - {'combat_batch'})}\n"


def test_the_folders_beside_the_package_are_imported_as_its_subpackages_only() -> None:
    files = [*(module.path for module in MODULES), *(ROOT / "tests").rglob("*.py")]
    wrong = [
        (path, name)
        for path in files
        for name in imports(ast.parse(path.read_text("utf-8")))
        if name.split(".")[0] in BESIDE
    ]
    assert wrong == []
    for folder in BESIDE:
        assert (ROOT / "herobench" / folder).resolve() == ROOT / folder, "the link for tools that read the tree"


def test_a_room_is_loaded_once_whatever_the_working_directory() -> None:
    code = "import herobench, herobench.task_gen.difficulty, sys; print('task_gen' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "False\n"


# -- what is printed --------------------------------------------------------------------------------------------------

PRINTERS = {"herobench.cli.say", "herobench.cli.screen"}
"""Who may print: they leave nothing in a text that a terminal would obey."""
AROUND = {"typer": {"echo", "secho", "echo_via_pager", "style"}, "sys": {"stdout", "stderr"}}
HARMLESS = {"isatty", "fileno", "close"}
"""What may be done with a stream but write to it."""


def printing(tree: ast.AST) -> Iterator[str]:
    """What in a module prints by itself, or draws on something else than a Screen."""
    streams = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in HARMLESS}
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "print":
            yield "print"
        if isinstance(node, ast.Attribute) and id(node) not in streams:
            name = node.value.id if isinstance(node.value, ast.Name) else ""
            yield from (f"{name}.{attribute}" for attribute in {node.attr} & AROUND.get(name, set()))
        if isinstance(node, ast.ImportFrom) and id(node) not in typing_only:
            names = {alias.name for alias in node.names}
            yield from (f"{node.module}.{name}" for name in names & AROUND.get(str(node.module), set()))
            if node.module in ("rich", "rich.console", "rich.markup"):
                yield str(node.module)


def test_nothing_is_printed_but_by_who_makes_it_fit_for_a_terminal() -> None:
    others = [module for module in MODULES if module.name not in PRINTERS]
    assert offenders(lambda module: set(printing(module.tree)), others) == {}


@pytest.mark.parametrize(
    "code",
    [
        "print(1)",
        "typer.echo(1)",
        "from typer import secho",
        "import sys; sys.stderr.write('')",
        "json.dump({}, sys.stdout)",
        "from sys import stdout",
        "from rich.console import Console",
        "from rich import print",
        "map(print, names)",
    ],
)
def test_whoever_prints_by_himself_is_noticed(code: str) -> None:
    assert set(printing(ast.parse(code)))
    assert not set(printing(ast.parse("if sys.stderr.isatty(): say(1)")))


# -- size and prose ---------------------------------------------------------------------------------------------------


def test_a_module_begins_with_a_note_on_its_design() -> None:
    assert offenders(lambda module: not ast.get_docstring(module.tree)) == {}


def test_a_module_has_at_most_400_lines_and_a_function_60() -> None:
    def too_long(module: Module) -> list[str]:
        lines = len(module.path.read_text("utf-8").splitlines())
        functions = (node for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        found = [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 60]
        return [*found, *([f"{lines} lines"] if lines > 400 else [])]

    assert offenders(too_long) == {}


# -- the public surface -----------------------------------------------------------------------------------------------


def test_what_the_package_exports_is_what_it_says_sorted() -> None:
    public = {name for name in dir(herobench) if not name.startswith("_") and not is_module(getattr(herobench, name))}
    assert herobench.__all__ == sorted(public)


def is_module(value: object) -> bool:
    return isinstance(value, type(sys))


@pytest.mark.parametrize(
    "code",
    ["import herobench", "from herobench.cli import main; sys.argv[1:] = ['--help']; main()"],
    ids=["import", "help"],
)
def test_nothing_heavy_is_imported_before_it_is_needed(code: str) -> None:
    heavy = (
        "numpy", "jsonschema", "rich.progress", "RestrictedPython", "pandas", "openai", "herobench.scorer",
        "herobench.surfaces",
    )  # fmt: skip
    loaded = f"[name for name in {heavy} if name in sys.modules]"
    report = f"import atexit, sys; atexit.register(lambda: print({loaded}, file=sys.stderr))"
    done = subprocess.run([sys.executable, "-c", f"{report}\n{code}"], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
