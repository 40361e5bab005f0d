"""The program in a pseudo-terminal, for what it does only there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.program import command, surroundings

needs_setsid = pytest.mark.skipif(shutil.which("setsid") is None, reason="needs setsid of util-linux")


class Terminal:
    """A run in a pseudo-terminal, which it is the foreground of: what is typed there reaches it as on any terminal."""

    def __init__(self, *words: str | Path, columns: int = 100) -> None:
        self._own, theirs = os.openpty()
        self.seen = b""
        plain = {name: value for name, value in surroundings().items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            [shutil.which("setsid") or "setsid", "--ctty", *command(*words)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**plain, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "30"},
        )
        os.close(theirs)

    def read_until(self, pattern: bytes) -> None:
        while not re.search(pattern, self.seen):
            assert self._read(), f"the end came before {pattern!r}: {self.seen!r}"

    def type(self, keys: bytes) -> None:
        os.write(self._own, keys)

    def end(self) -> int:
        """The exit code, when all has been said."""
        while self._read():
            pass
        os.close(self._own)
        return self.process.wait(60)

    def _read(self) -> bool:
        try:
            new = os.read(self._own, 1 << 16)
        except OSError:  # nobody has the other end open any more
            return False
        self.seen += new
        return bool(new)
