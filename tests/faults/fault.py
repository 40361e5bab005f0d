"""One planted fault: a few lines of one file, replaced by lines that are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Fault(NamedTuple):
    """A fault. The old text stands in code, never in a docstring, a comment or a message: those may be reworded."""

    name: str
    file: str
    """Its path from the root. A file that was moved is found by its name, as long as one file of it has the text."""
    old: str
    new: str
    near: str
    """The tests that should find it: files and folders under tests/, with blanks between."""

    def place(self, root: Path) -> Path:
        """The file to change. Raises LookupError where the old text is not there exactly once."""
        named = root / self.file
        places = [named] if named.is_file() else sorted(_sources(root, named.name))
        found = [path for path in places if path.read_text("utf-8").count(self.old) == 1]
        if len(found) != 1:
            raise LookupError(f"{self.name}: {self.file} has to have this text exactly once:\n{self.old}")
        return found[0]


def _sources(root: Path, name: str) -> list[Path]:
    rooms = ("herobench", "analysis", "prompts", "task_gen/rpg")
    return [path for room in rooms for path in (root / room).rglob(name) if path.resolve() == path]
