"""Commands of a page of documentation, for tests that run them in the environment of another tool."""

import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]


def page_text(page: str, section: str = "") -> str:
    """The text of a page, or of one of its sections: the name of a heading of the second level."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return text.partition(f"\n## {section}\n")[2].partition("\n## ")[0] if section else text


def page_commands(program: str, page: str, section: str = "") -> list[list[str]]:
    """The command lines of a page, or of one of its sections, that begin with a program."""
    lines = page_text(page, section).splitlines()
    return [shlex.split(line[2:], comments=True) for line in lines if line.startswith(f"$ {program} ")]
