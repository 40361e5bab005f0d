"""What commands and workers import: little, and nothing before it is needed."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import herobench
import herobench.suites.rpg.sandbox
from tests.sizes import for_each

LAZY = [herobench, herobench.suites.rpg.sandbox]


def told(code: str, *options: str) -> str:
    """What a program prints."""
    done = subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


@for_each("package", LAZY)
def test_a_lazy_name_is_the_one_that_type_checkers_see(package: object) -> None:
    body = ast.parse(Path(str(package.__file__)).read_text("utf-8")).body
    [shown] = [node.body for node in body if isinstance(node, ast.If)]
    seen = {alias.name: node.module for node in shown if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert sorted(seen) == package.__all__
    for name, module in seen.items():
        assert getattr(package, name) is getattr(sys.modules[str(module)], name)
    assert {*package.__all__} <= {*dir(package)}


@for_each("package", LAZY)
def test_a_name_that_a_lazy_package_lacks_is_an_error_as_everywhere(package: object) -> None:
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'nothing'"):
        getattr(package, "noth" + "ing")
    assert not hasattr(package, "__wrapped__")


def test_the_package_loads_what_is_asked_of_it() -> None:
    loaded = "sorted(name for name in sys.modules if name.startswith('herobench'))"
    assert told(f"import sys, herobench; print({loaded})") == "['herobench', 'herobench.data', 'herobench.data.lazy']\n"
    assert "herobench.suites.rpg.sandbox" not in told(f"import sys, herobench; herobench.Task; print({loaded})")
    assert told("from herobench import *; print(load_world.__name__, Limits.__name__)") == "load_world Limits\n"
    assert told("import herobench; print(herobench.conversation.__name__)") == "herobench.conversation\n"


@for_each("before", ["herobench.Action", "herobench.run"])
def test_a_module_is_found_whatever_was_used_before(before: str) -> None:
    modules = "herobench.api, herobench.runs, herobench.conversation"
    assert told(f"import herobench; {before}; print(len([{modules}]))") == "3\n"


def test_a_module_that_lacks_another_says_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "spare"
    package.mkdir()
    lines = ["from herobench.data.lazy import lazy_names", "__getattr__, __dir__ = lazy_names(__name__, {})"]
    package.joinpath("__init__.py").write_text("\n".join(lines), "utf-8")
    package.joinpath("lacking.py").write_text("import no_such_module", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    spare = import_module("spare")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        _ = spare.lacking


@for_each("code", ["herobench.analysis.statistics.tally", "herobench.task_gen.rpg.players"])
def test_what_scoring_and_trivial_players_use_loads_no_numpy(code: str) -> None:
    assert told(f"import sys, {code}; print('numpy' in sys.modules)") == "False\n"


def test_shipped_files_are_not_validated_at_every_start() -> None:
    code = (
        "from herobench import load_rules, load_world; from herobench.task_gen.rpg.datasets import load_tasks_at; "
        "from pathlib import Path; import sys; load_rules(); "
        "print(len(load_tasks_at(Path('base'), load_world())), 'fastjsonschema' in sys.modules)"
    )
    assert told(code) == "180 False\n"


def after_main(report: str, *words: str) -> str:
    """What a report prints when the program has ended, of which the output is thrown away."""
    code = (
        f"import atexit, sys; atexit.register(lambda: print({report}, file=sys.stderr)); "
        f"from herobench.cli import main; sys.argv[1:] = {list(words)}; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr


def test_a_command_imports_no_other() -> None:
    modules = "{place.partition(':')[0] for _, _, place in sys.modules['herobench.cli.main'].places()}"
    report = f"sorted({{*sys.modules}} & {modules})"
    assert after_main(report, "schema") == "['herobench.cli.kept']\n"
    assert after_main(report, "--version") == "[]\n"


def test_the_help_builds_no_command() -> None:
    built = "sys.modules['herobench.cli.main'].build_command.cache_info().currsize"
    assert after_main(built, "--help") == "0\n"
    assert after_main(built, "schema", "--help") == "1\n"


INTERRUPTED = """
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            print(sorted(sys.modules.keys() - before))
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
before = {{*sys.modules}}
from herobench.cli import main
"""


@for_each("name", ["herobench.cli.main", "typer"])
def test_an_interrupt_while_the_program_imports_ends_it_without_a_traceback(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(name=name)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "")


def test_little_is_imported_before_an_interrupt_meets_a_handler() -> None:
    code = f"import importlib, collections.abc\n{INTERRUPTED.format(name='herobench.cli.main')}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "['herobench', 'herobench.cli', 'herobench.data', 'herobench.data.lazy']\n"
