"""Play a program of Autumn in the terminal.

With a terminal, keys are actions. Otherwise each line of standard input is
one: left, right, up, down, noop, click COLUMN ROW, reset or quit."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from herobench.cli.interruptible import interruptible
from herobench.cli.say import say

if TYPE_CHECKING:
    from herobench.cli.screen import Screen
    from herobench.suites.autumn import Program, World


def play(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A program.")],
    seed: Annotated[int, typer.Option(min=0, help="Of the random numbers in the program.")] = 0,
) -> None:
    """Play a program."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.cli.autumn import keys
    from herobench.cli.autumn.program_file import explained, read_program
    from herobench.cli.table import plain_console
    from herobench.input_file import is_standard_input

    if is_standard_input(file):
        from herobench.errors import UsageError

        raise UsageError("The program has to be in a file: standard input is for actions.")
    program = read_program(file)
    with explained(file):
        game = _Game(program, seed, plain_console())
        if sys.stdin.isatty() and sys.stdout.isatty():
            _play_by_keys(game, sys.stdin.fileno())
        else:
            for word in keys.lines():
                if not game.do(word):
                    break


def _play_by_keys(game: _Game, descriptor: int) -> None:
    """Play until the player quits."""
    from herobench.cli.autumn import keys

    word = ""
    while word != "quit":
        with keys.single_keys(descriptor), interruptible():
            say(keys.HELP)
            word = keys.key(descriptor)
        if word == "click":
            say("click COLUMN ROW:")
            with interruptible():
                place = sys.stdin.readline()
            if not place:
                break
            word = f"click {place.strip()}"
        game.do(word)


class _Game:
    """A world on a screen."""

    def __init__(self, program: Program, seed: int, console: Screen) -> None:
        self.program = program
        self.seed = seed
        self.console = console
        self.world: World = program.start(seed)
        self.signs: dict[str, str] = {}
        self.show()

    def do(self, word: str) -> bool:
        """Do what a word says, show what comes of it, and return whether the game goes on."""
        from herobench.errors import UsageError

        if word == "quit":
            return False
        if word == "reset":
            self.world = self.program.start(self.seed)
        else:
            try:
                self.world.act(word)
            except UsageError as error:
                say(*error.lines, err=True)
                return True
        self.show()
        return True

    def show(self) -> None:
        """Draw the grid."""
        from herobench.cli.autumn.picture import legend, letters, rows

        grid = self.world.grid
        signs = letters(grid, self.world.background, self.signs)
        colored = self.console.is_terminal and self.console.color_system is not None and not self.console.no_color
        if self.console.is_terminal:
            self.console.clear()
        for line in rows(grid, signs, colored=colored):
            self.console.print(line, soft_wrap=True)
        self.console.print(legend(grid, signs), f"step {self.world.steps}")
