"""Begin a small valid world with a README that explains its files, or a content pack with --pack."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.say import say
from herobench.errors import UsageError


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder, or an empty one.")],
    name: Annotated[str | None, typer.Option(help="The name of the world; by default made from its folder.")] = None,
    pack: Annotated[bool, typer.Option("--pack", help="Begin a content pack instead.")] = False,
    extends: Annotated[
        str | None, typer.Option(metavar="WORLD", help="The world or pack that the pack changes. \\[default: classic]")
    ] = None,
) -> None:
    """Begin a small valid world with a README that explains its files, or a content pack with --pack."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.rpg.content import DEFAULT_WORLD
    from herobench.rpg.world_template import begin_pack, begin_world

    if extends is not None and not pack:
        raise UsageError("--extends needs --pack: add it, or leave --extends out.")
    if pack:
        begin_pack(folder, extends or DEFAULT_WORLD, name)
    else:
        begin_world(folder, name)
    where = shlex.quote(str(folder))
    say(f"{folder} is ready; its README.md explains the files. To check it: herobench world validate {where}")
