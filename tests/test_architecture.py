"""The house plan, held by a look at the source: who imports whom, and how long things may get."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement

import herobench
from tests.sizes import for_each

ROOT = Path(__file__).parents[1]
BESIDE = ("analysis", "prompts", "task_gen", "world_data")
"""The rooms that stand beside the package and are its subpackages."""

PURE = frozenset(
    "__future__ ast collections collections.abc dataclasses enum functools hashlib heapq itertools json math numpy "
    "numpy.typing operator re threading types typing".split()
)
"""What the game may import from elsewhere. Of `random` it may have the class, to be given a seed; of `threading` it has
a lock, around a parser that two threads may not use at once."""

GAME = "suites.rpg.game"
"""The room that is pure: it reads no file and no clock, and imports nothing of ours."""
ROOMS = {
    "conversation": "",
    "adaptive": "data",
    "data": "conversation",
    "page": "conversation data",
    "pddl": "",
    "prompts": "",
    "work": "data",
    "suite": "conversation data work",
    "models": "conversation data suite",
    "agents": "conversation data prompts suite",
    "analysis": "adaptive conversation data suite work",
    "checkup": "adaptive analysis conversation data models runs suite work",
    "runs": "adaptive agents conversation data models suite work",
    "scorer": "conversation data models suite work",
    "surfaces": "analysis conversation data models prompts scorer suite work",
    "cluster": "analysis conversation data models runs scorer suite work",
    "api": "adaptive agents analysis conversation data models runs scorer suite work",
    "cli": "adaptive agents analysis api checkup cluster conversation data models page prompts runs scorer suite "
    "surfaces work",
}
"""The activities that serve every suite, each with the rooms that it may import from. None of them knows a suite."""
BELOW = set("agents analysis conversation data page pddl prompts suite work".split())
"""What the rooms of suites may import, besides the rooms of their own suite."""
SUITES = sorted(path.name for path in (ROOT / "herobench" / "suites").iterdir() if path.is_dir())
SISTERS = sorted({*SUITES} - {"rpg", "__pycache__"})
"""The suites that can be deleted."""
OF_SUITES = ("suites", "task_gen", "prompts", "analysis.suites")
"""The role-playing game has a folder in each of these, any other suite one in the first."""
TEXTS = {".py", ".js", ".json", ".yaml", ".toml", ".txt", ".html", ".css", ".md"}
"""The endings of files that are read for names of suites."""
ABOVE = {""}
"""Who may import everything: what `import herobench` gives."""


class Module(NamedTuple):
    name: str
    path: Path
    tree: ast.Module

    @property
    def room(self) -> str:
        return find_room(self.name)


def find_room(name: str) -> str:
    """The room of a module, or of a name in one: `runs`, or `task_gen.rpg` for all that lies in that folder."""
    inside = name.removeprefix("herobench").removeprefix(".")
    for activity in OF_SUITES:
        suite = inside.removeprefix(f"{activity}.").partition(".")[0]
        if inside.startswith(f"{activity}.") and suite in SUITES:
            return GAME if inside.startswith(GAME) else f"{activity}.{suite}"
    return inside.partition(".")[0]


def room_suite(room: str) -> str:
    """The suite that a room belongs to; nothing for a room that serves all."""
    return room.removeprefix("analysis.").split(".")[1] if "." in room else ""


def may_import(module: str, name: str) -> bool:
    room, other = find_room(module), find_room(name)
    if room == other or room in ABOVE:
        return True
    if room == GAME:
        return False
    if not room_suite(room):
        return other in ROOMS[room].split()
    if "commands" in module.split(".") and other in {"cli", "runs"}:
        return True
    # only discover looks into the RPG
    mine = {"discover", "rpg"} if room_suite(room) == "discover" else {room_suite(room)}
    return other in BELOW or room_suite(other) in mine


def sources(ending: str) -> Iterator[Path]:
    """Yield the files of the program that end so, from the root."""
    for folder in (ROOT / "herobench", *(ROOT / name for name in BESIDE)):
        for path in sorted(folder.rglob(f"*{ending}")):
            inside = path.relative_to(ROOT)
            if not (inside.parts[0] == "herobench" and inside.parts[1] in BESIDE):  # the links
                yield inside


def modules() -> Iterator[Module]:
    for path in sources(".py"):
        parts = path.with_suffix("").parts
        name = ".".join(parts if parts[0] == "herobench" else ("herobench", *parts))
        yield Module(name.removesuffix(".__init__"), ROOT / path, ast.parse((ROOT / path).read_text("utf-8")))


@cache
def parsed() -> tuple[Module, ...]:
    """All modules of the program: parsed once, by a worker that runs one of these tests."""
    return tuple(modules())


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a module, which several rules look through."""
    return tuple(ast.walk(tree))


@cache
def known(stem: str | None = None) -> frozenset[str]:
    """The names of all modules, or of those whose files have a name."""
    return frozenset(module.name for module in parsed() if stem in (None, module.path.stem))


@pytest.fixture(scope="module", autouse=True)
def forget_trees() -> Iterator[None]:
    """The nodes of all modules take 150 MB, which no other test needs."""
    yield
    for kept in (parsed, nodes, typing_only):
        kept.cache_clear()


def imports(tree: ast.AST) -> Iterator[str]:
    """What is imported anywhere in a module: `from a import b` counts as a.b where that is a module of ours."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known() else str(node.module)


def test_every_folder_is_a_room_that_is_known() -> None:
    unknown = {room for module in parsed() if not room_suite(room := module.room) and room not in ROOMS.keys() | ABOVE}
    assert unknown == {"suites", "task_gen", "world_data"}, "folders of suites, and of data"


def offenders(rule: Callable[[Module], object], among: Iterable[Module] | None = None) -> dict[str, object]:
    """The modules that break a rule, each with what the rule says of it, which is nothing where all is well."""
    return {module.name: wrong for module in (parsed() if among is None else among) if (wrong := rule(module))}


def test_a_module_imports_only_from_the_rooms_it_may_look_into() -> None:
    def astray(module: Module) -> set[str]:
        ours = {name for name in imports(module.tree) if name.split(".")[0] == "herobench"}
        return {name for name in ours if not may_import(module.name, name)}

    assert offenders(astray) == {}


def test_a_room_that_serves_all_suites_names_none() -> None:
    """An `epoch` is a repeat too, so only texts that are the suite's whole name would show it: there are none here."""
    suites = {*SUITES} - {"epoch"}

    def naming(module: Module) -> set[str]:
        if room_suite(module.room) or module.room in ABOVE:
            return set()
        notes = {node.value for node in nodes(module.tree) if isinstance(node, ast.Expr)}
        words = set(imports(module.tree))
        for node in nodes(module.tree):
            match node:
                case ast.Name(name) | ast.Attribute(attr=name):
                    words.add(name)
                case ast.Constant(str(text)) if node not in notes:
                    words.add(text)
        return {word.lower() for text in words for word in re.split(r"[^A-Za-z0-9]+", text)} & suites

    assert offenders(naming) == {}


def any_of(words: Collection[str]) -> str:
    """A pattern for some words, or one that fits nothing."""
    return rf"(?:{'|'.join(sorted(words)) or '(?!)'})"


def test_neither_prose_nor_data_of_such_a_room_names_a_sister_suite() -> None:
    """An `epoch` is a repeat and to discover is a verb, so texts are searched for the folders of these two."""
    words = any_of({*SISTERS} - {"epoch", "discover"})
    name = re.compile(rf"suites[./]{any_of(SISTERS)}\b|\b{words}\b")
    shared = (ROOT / "analysis", *(ROOT / "herobench" / room for room in ROOMS))
    files = [file for room in shared for file in (*room.parent.glob(f"{room.name}.py"), *room.rglob("*.*"))]
    own = ROOT / "analysis" / "suites"
    texts = {file: file.read_text("utf-8") for file in files if file.suffix in TEXTS and not file.is_relative_to(own)}
    assert {file: found for file, text in texts.items() if (found := name.findall(text))} == {}


def test_a_test_of_such_a_room_imports_no_sister_suite() -> None:
    name = re.compile(rf"^(?:from|import) (?:herobench|tests)\.suites\.{any_of(SISTERS)}\b", re.MULTILINE)
    tests = (path for path in (ROOT / "tests").rglob("*.py") if not path.is_relative_to(ROOT / "tests" / "suites"))
    assert [path for path in tests if name.search(path.read_text("utf-8"))] == []


def test_no_folders_import_each_other_in_a_circle() -> None:
    """Imports inside functions count too: they are late only to make the start faster.

    A folder is its path: `suites/rpg` and `suites/rpg/game` are two. A module at the top of the package is for itself:
    `api` stands above all folders, and `conversation` below them. So are the errors of a suite.
    """
    arrows: dict[str, set[str]] = {}
    for module in parsed():
        folder = find_folder(module.name)
        found = {find_folder(name) for name in used_by(module.tree)}
        arrows.setdefault(folder, set()).update(found - {folder})
    while leaves := {folder for folder, others in arrows.items() if not others & arrows.keys()}:
        arrows = {folder: others for folder, others in arrows.items() if folder not in leaves}
    assert arrows == {}


def find_folder(name: str) -> str:
    whole = name if name in known() else name.rpartition(".")[0]
    folder = whole.rpartition(".")[0]
    return whole if whole in known("__init__") | known("refusals") or folder == "herobench" else folder


def used_by(tree: ast.AST) -> Iterator[str]:
    """Yield what a module imports, at the top or in functions, and not only for types."""
    for node in nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in typing_only(tree):
            yield from imports(node)


@cache
def typing_only(tree: ast.AST) -> frozenset[int]:
    """The ids of the nodes that are there for types only."""
    blocks = (node for node in nodes(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
    return frozenset(id(inner) for block in blocks for part in block.body for inner in ast.walk(part))


def impure(module: Module) -> set[str]:
    """What a module of the game imports or calls that it may not. Of `random` it may have the class."""
    foreign = {name for name in imports(module.tree) if name.split(".")[0] != "herobench"}
    names = {alias.name for node in nodes(module.tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    whole = {alias.name for node in nodes(module.tree) if isinstance(node, ast.Import) for alias in node.names}
    called = {
        node.func.id for node in nodes(module.tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    chance = {"random"} if "random" in whole or "Random" not in names else set()
    unfit = (foreign - PURE - {"random"}) | (foreign & chance)
    return unfit | (called & {"open", "print", "input", "exec", "eval", "__import__"})


def test_the_game_is_pure() -> None:
    assert offenders(impure, [module for module in parsed() if module.room == GAME]) == {}


@for_each(
    "code",
    [
        "import os",
        "import random",
        "from random import choice",
        "open(path)",
        "from herobench.suites.rpg.game.game import open; open(1)",
    ],
)
def test_what_the_game_may_not_have_is_noticed(code: str) -> None:
    assert impure(Module("herobench.suites.rpg.game.game", ROOT, ast.parse(code)))
    fit = ast.parse("from random import Random; import math")
    assert not impure(Module("herobench.suites.rpg.game.game", ROOT, fit))


def test_the_kernel_imports_no_package_that_it_does_not_declare() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needs = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    declared = {Requirement(need).name.lower().replace("-", "_") for need in needs} | {"herobench"}

    def undeclared(module: Module) -> set[str]:
        names = {name.partition(".")[0] for name in used_by(module.tree)}
        return {name for name in names - sys.stdlib_module_names if name.lower() not in declared}

    # surfaces import parts of the frameworks that they serve
    assert offenders(undeclared, [module for module in parsed() if module.room != "surfaces"]) == {}


def test_the_packages_that_are_installed_are_the_folders_of_the_tree() -> None:
    """A folder that is gone, or one that is left out, breaks an installation from nothing."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    own = [file.parent.relative_to(ROOT) for file in (ROOT / "herobench").rglob("__init__.py")]
    beside = [
        "herobench" / file.parent.relative_to(ROOT) for room in BESIDE for file in (ROOT / room).rglob("__init__.py")
    ]
    assert sorted(listed) == sorted({".".join(folder.parts) for folder in (*own, *beside)})


def test_the_folders_beside_the_package_are_imported_as_its_subpackages_only() -> None:
    suspect = re.compile(rf"^\s*(?:import|from)\s[^#\n]*\b(?<!\.)(?:{'|'.join(BESIDE)})\b", re.MULTILINE)
    files = [*(module.path for module in parsed()), *(ROOT / "tests").rglob("*.py")]
    texts = {path: text for path in files if suspect.search(text := path.read_text("utf-8"))}
    wrong = [
        (path, name)
        for path, text in texts.items()
        for name in imports(ast.parse(text))
        if name.split(".")[0] in BESIDE
    ]
    assert wrong == []
    for folder in BESIDE:
        assert (ROOT / "herobench" / folder).resolve() == ROOT / folder, "the link for tools that read the tree"


def test_a_room_is_loaded_once_whatever_the_working_directory() -> None:
    code = "import herobench, herobench.task_gen.rpg.tasks.spec, sys; print('task_gen' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "False\n"


# -- what is printed --------------------------------------------------------------------------------------------------

PRINTERS = {"herobench.cli.say", "herobench.cli.table"}
"""Who may print: they leave nothing in a text that a terminal would obey."""
AROUND = {"typer": {"echo", "secho", "echo_via_pager", "style"}, "sys": {"stdout", "stderr"}}
HARMLESS = {"isatty", "fileno", "close"}
"""What may be done with a stream but write to it."""


def printing(tree: ast.AST) -> Iterator[str]:
    """What in a module prints by itself, or draws on something else than a Screen."""
    streams = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Attribute) and node.attr in HARMLESS}
    for node in nodes(tree):
        if isinstance(node, ast.Name) and node.id == "print":
            yield "print"
        if isinstance(node, ast.Attribute) and id(node) not in streams:
            name = node.value.id if isinstance(node.value, ast.Name) else ""
            yield from (f"{name}.{attribute}" for attribute in {node.attr} & AROUND.get(name, set()))
        if isinstance(node, ast.ImportFrom) and id(node) not in typing_only(tree):
            names = {alias.name for alias in node.names}
            yield from (f"{node.module}.{name}" for name in names & AROUND.get(str(node.module), set()))
            if node.module in ("rich", "rich.console", "rich.markup"):
                yield str(node.module)


def test_nothing_is_printed_but_by_who_makes_it_fit_for_a_terminal() -> None:
    suspect = re.compile(rf"print|rich|{'|'.join(name for names in AROUND.values() for name in names)}")
    others = [
        module for module in parsed() if module.name not in PRINTERS and suspect.search(module.path.read_text("utf-8"))
    ]
    assert offenders(lambda module: set(printing(module.tree)), others) == {}


@for_each(
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


def test_no_conditional_expression_holds_another() -> None:
    def nested(module: Module) -> list[int]:
        outer = (node for node in nodes(module.tree) if isinstance(node, ast.IfExp))
        return [node.lineno for node in outer if sum(isinstance(each, ast.IfExp) for each in ast.walk(node)) > 1]

    assert offenders(nested) == {}


def test_a_module_has_at_most_430_lines_and_a_function_60() -> None:
    def too_long(module: Module) -> list[str]:
        lines = len(module.path.read_text("utf-8").splitlines())
        functions = (node for node in nodes(module.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        found = [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 60]
        return [*found, *([f"{lines} lines"] if lines > 430 else [])]

    assert offenders(too_long) == {}


# -- the page of the tree ---------------------------------------------------------------------------------------------

SAID_ONCE = {"__init__.py", "refusals.py"}
"""Modules that the page explains once for all folders."""


def test_the_page_names_exactly_the_modules_and_scripts_of_the_tree() -> None:
    tree = [path.as_posix() for ending in (".py", ".js") for path in sources(ending) if path.name not in SAID_ONCE]
    listed = listed_files((ROOT / "docs" / "architecture.md").read_text("utf-8"))
    assert sorted(listed) == sorted(tree)


def listed_files(page: str) -> Iterator[str]:
    """Yield the modules and scripts of the section "Each module", but those of suites that are not in this tree."""
    section = page.partition("\n## Each module\n")[2].partition("\n## ")[0]
    for folder, block in re.findall(r"^ {4}(\S+/)((?:.*\n {5,}.*)*.*)$", section, re.MULTILINE):
        suite = re.match("herobench/suites/([^/]+)/", folder)
        if not suite or suite[1] in SUITES:
            yield from (folder + name for name in re.findall(r"\b[\w/]+\.(?:py|js)\b", block))


# -- the public surface -----------------------------------------------------------------------------------------------


def test_what_the_package_exports_is_what_it_says_sorted() -> None:
    public = {name for name in dir(herobench) if not name.startswith("_") and not is_module(getattr(herobench, name))}
    assert herobench.__all__ == sorted(public)


def is_module(value: object) -> bool:
    return isinstance(value, type(sys))


@for_each(
    "code",
    ["import herobench", "from herobench.cli import main; sys.argv[1:] = ['--help']; main()"],
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


def test_the_wall_clock_is_read_for_dates_alone() -> None:
    """So nothing that is measured, waited for or resumed depends on a clock that is set meanwhile."""
    wall = re.compile(r"\btime\.time(_ns)?\(|from time import .*\btime(_ns)?\b|\b(datetime|date)\.(now|utcnow|today)\(")
    paths = (module.path for module in parsed() if wall.search(module.path.read_text("utf-8")))
    readers = {path.relative_to(ROOT).as_posix() for path in paths}
    assert readers == {"herobench/runs/config.py", "herobench/models/server_errors.py"}
