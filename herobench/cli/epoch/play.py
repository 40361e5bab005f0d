"""Play a level in the terminal: type actions such as `move hester mill-past lane-past`, or `?` for what can be done."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from herobench.cli.interruptible import interruptible
from herobench.cli.say import say, say_text
from herobench.errors import UsageError

if TYPE_CHECKING:
    from herobench.suites.epoch.level import Level


def play(
    level: Annotated[str, typer.Argument(metavar="LEVEL", help="A shipped level, such as L03, or one of --tasks.")],
    tasks: Annotated[
        Path | None, typer.Option("--tasks", metavar="FILE", help="Take the level from this file of levels.")
    ] = None,
) -> None:
    """Play a level. The end of the input leaves the game, as `quit` does."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.cli.table import plain_console, print_facts
    from herobench.suites.epoch.by_hand import HandPlay

    game = HandPlay(_level(level, tasks))
    say_text(game.opening())
    _edited(game.words)
    for line in _typed():
        if told := game.answer(line):
            say_text(told)
        if game.over:
            break
    say("")
    print_facts(plain_console(), game.figures())


def _level(id: str, tasks: Path | None) -> Level:
    from herobench.suites.epoch.level import load_level
    from herobench.suites.epoch.level_file import read_levels

    if tasks is None:
        return load_level(id)
    levels = read_levels(tasks)
    if id not in levels:
        raise UsageError(f"{tasks} has no level {id!r}. Its levels: {', '.join(list(levels)[:12])}.")
    return levels[id]


def _edited(words: Sequence[str]) -> None:
    """Let the terminal complete words by the tab key and bring typed lines back by the arrow keys."""
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:  # a Python can be built without it
        return

    def completed(begun: str, number: int) -> str | None:
        fitting = [f"{word} " for word in words if word.startswith(begun)]
        return fitting[number] if number < len(fitting) else None

    readline.set_completer(completed)
    readline.set_completer_delims(" ?")
    readline.parse_and_bind("tab: complete")


def _typed() -> Iterator[str]:
    """Yield the lines that are typed, up to `quit` or the end of the input."""
    from herobench.suites.epoch.by_hand import QUIT

    if isinstance(sys.stdin, io.TextIOWrapper):
        # any bytes can come through a pipe
        sys.stdin.reconfigure(errors="replace")
    prompt = "> " if sys.stdin.isatty() else ""
    while True:
        try:
            with interruptible():
                line = input(prompt).strip()
        except EOFError:
            return
        if line == QUIT:
            return
        yield line
