"""Draw the map of a world on the terminal, or write it to a file as SVG or HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.say import say, say_text
from herobench.errors import StoreError, UsageError

_SUFFIXES = (".svg", ".html")


def map_(
    world: Annotated[str, typer.Argument(metavar="WORLD", help="A world or a pack.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write, FILE.svg or FILE.html.")
    ] = None,
) -> None:
    """Draw the map of a world on the terminal, or write it to a file as SVG or HTML."""
    # Imported late, because `herobench --help` must answer fast.
    from shutil import get_terminal_size

    from herobench.rpg.atlas.page import page_of
    from herobench.rpg.atlas.svg import svg_of
    from herobench.rpg.atlas.terminal import text_of
    from herobench.rpg.content import load_world

    if output is not None and output.suffix.lower() not in _SUFFIXES:
        raise UsageError(f"The map file must end with {' or '.join(_SUFFIXES)}, and {output} does not: rename it.")
    place = load_world(world)
    if output is None:
        say_text(text_of(place, get_terminal_size().columns))
        return
    text = page_of(place) if output.suffix.lower() == ".html" else svg_of(place)
    try:
        output.write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise StoreError(output, error) from error
    say(f"The map is in {output}.", err=True)
