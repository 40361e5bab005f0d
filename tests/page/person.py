"""A person before the page for people: a browser with a keyboard, and the program that serves the page."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.analysis.report.browser import Page
from tests.program import command, surroundings

ENTER, RIGHT, DOWN, END, TAB, SPACE = "\ue007", "\ue014", "\ue015", "\ue010", "\ue004", " "


class Person(Page):
    """A person before the page who has a keyboard and no mouse."""

    def __init__(self, driver: Any, url: str) -> None:
        self.driver, self.url = driver, url

    def turn(self) -> int:
        return int(self.text("#turns").split()[0])

    def act(self, *keys: str) -> None:
        """Press keys, each of which is one action, and wait for what comes of each."""
        for key in keys:
            before = self.turn()
            self.keys(key)
            self.wait("return parseInt(document.getElementById('turns').textContent) !== arguments[0]", before)

    def answer(self, title: str) -> None:
        """Take the button that has the focus in a window with this title."""
        self.wait(
            "const d = document.querySelector('dialog'); return d.open && d.textContent.includes(arguments[0])", title
        )
        self.keys(ENTER)

    def skip_tutorial(self) -> None:
        for title in ("Welcome", "How to act", "Time and steps"):
            self.answer(title)

    def window(self) -> str:
        """Wait for a window, and return what it says."""
        self.wait("return document.querySelector('dialog').open")
        return self.text("dialog")


@contextmanager
def serving(*words: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program and the address that it prints. It is killed if it does not end."""
    process = subprocess.Popen(
        command("play", *words, "--no-browse"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=surroundings(),
    )
    try:
        assert process.stderr
        found = re.search(r"http://127\.0\.0\.1:\S+", line := process.stderr.readline())
        assert found, line
        yield process, found[0]
    finally:
        process.kill()
        process.communicate()
