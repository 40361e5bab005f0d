import subprocess
from importlib.metadata import version

import pytest

from tests.program import command, herobench, surroundings

COMMANDS = [
    "run",
    "import",
    "score",
    "analyze",
    "compare",
    "tasks",
    "suites",
    "plugins",
    "audit",
    "doctor",
    "diagnose",
    "fingerprint",
    "schema",
    "autumn",
    "epoch",
]


def test_the_version_is_that_of_the_package() -> None:
    done = herobench("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"herobench {version('herobench')}\n", "")


def test_help_lists_the_commands_each_with_a_sentence() -> None:
    done = herobench("--help")
    assert done.returncode == 0
    assert done.stderr == ""
    for name in COMMANDS:
        assert any(line.strip("│ ").startswith(f"{name} ") for line in done.stdout.splitlines()), name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    done = herobench(name, "--help")
    assert done.returncode == 0
    assert f"Usage: herobench {name}" in done.stdout


def test_without_a_command_help_is_shown() -> None:
    done = herobench()
    assert done.returncode == 2
    assert "Usage: herobench" in done.stdout + done.stderr


@pytest.mark.parametrize(
    "args", [["nonsense"], ["--nonsense"], ["score"], ["score", "a", "b", "-o", "c", "--jobs", "0"]]
)
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
