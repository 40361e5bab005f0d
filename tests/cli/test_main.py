import os
import subprocess
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pytest
import typer.main

from herobench.cli.main import OF_SUITES, PLACES, app, main
from tests.program import command, herobench, surroundings
from tests.sizes import for_each

COMMANDS = [
    "run",
    "checkup",
    "play",
    "import",
    "score",
    "analyze",
    "report",
    "compare",
    "tasks",
    "suites",
    "plugins",
    "audit",
    "doctor",
    "fingerprint",
    "schema",
    "world",
]


def test_the_version_is_that_of_the_package() -> None:
    done = herobench("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"herobench {version('herobench')}\n", "")


@pytest.mark.parametrize(("given", "used"), [(None, "1"), ("4", "4")])
def test_the_threads_of_numpy_spin_only_where_the_user_wants_them(
    given: str | None, used: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(name := "OPENBLAS_NUM_THREADS", raising=False)
    if given:
        monkeypatch.setenv(name, given)
    monkeypatch.setattr("sys.argv", ["herobench", "--version"])
    with pytest.raises(SystemExit):
        main()
    assert os.environ[name] == used


def test_help_lists_the_commands_each_with_a_sentence() -> None:
    done = herobench("--help")
    assert done.returncode == 0
    assert done.stderr == ""
    for name in COMMANDS:
        assert any(line.strip("│ ").startswith(f"{name} ") for line in done.stdout.splitlines()), name


def test_each_command_stands_in_one_group() -> None:
    named = [name for commands in PLACES.values() for name in commands]
    assert sorted(named) == sorted(set(named))
    shown = herobench("--help").stdout
    headings = [*PLACES, OF_SUITES]
    assert [line for line in headings if f"─ {line} ─" in shown] == headings


@for_each("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    done = herobench(name, "--help")
    assert done.returncode == 0
    assert f"Usage: herobench {name}" in done.stdout


def commands_in(group: Any, path: str = "herobench") -> Iterator[tuple[str, Any]]:
    """All commands with their names, those of groups too."""
    for name, found in group.commands.items():
        yield f"{path} {name}", found
        if hasattr(found, "commands"):
            yield from commands_in(found, f"{path} {name}")


def test_lines_of_help_end_where_a_terminal_of_80_columns_ends_them() -> None:
    """typer keeps the ends of lines in all paragraphs but the first: a longer line would be broken twice."""
    for name, found in commands_in(typer.main.get_command(app)):
        for paragraph in (found.help or "").split("\n\n")[1:]:
            lines = paragraph.splitlines()
            assert len(lines) == 1 or max(map(len, lines)) <= 78, (name, paragraph)


def test_without_a_command_help_is_shown() -> None:
    done = herobench()
    assert done.returncode == 2
    assert "Usage: herobench" in done.stdout + done.stderr


@for_each("args", [["nonsense"], ["--nonsense"], ["score"], ["score", "a", "b", "-o", "c", "--jobs", "0"]])
def test_bad_usage_is_2_without_a_traceback(args: list[str]) -> None:
    done = herobench(*args)
    assert done.returncode == 2
    assert "Usage" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_reason_for_a_traceback() -> None:
    with subprocess.Popen(
        command("schema", "task"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
    assert process.returncode in (0, 1)
