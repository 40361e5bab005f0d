"""Commands of a page of documentation, for tests that run them in the environment of another tool."""

import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]


def page_commands(page: str, program: str) -> list[list[str]]:
    """The command lines of a page that begin with a program."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    return [shlex.split(line[2:], comments=True) for line in lines if line.startswith(f"$ {program} ")]
