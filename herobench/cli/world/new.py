"""Begin a world: a small one that works, with a README that explains its files; or, with --pack, a content pack."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.say import say
from herobench.errors import UsageError


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder, or an empty one.")],
    name: Annotated[str | None, typer.Option(help="What it is called; after its folder when left out.")] = None,
    pack: Annotated[bool, typer.Option("--pack", help="Begin a content pack instead.")] = False,
    extends: Annotated[
        str | None, typer.Option(metavar="WORLD", help="What the pack is laid on. \\[default: classic]")
    ] = None,
) -> None:
    """Write the files."""
    from herobench.rpg.content import DEFAULT_WORLD
    from herobench.rpg.world_template import begin_pack, begin_world

    if extends is not None and not pack:
        raise UsageError("--extends is for packs: add --pack.")
    if pack:
        begin_pack(folder, extends or DEFAULT_WORLD, name)
    else:
        begin_world(folder, name)
    where = shlex.quote(str(folder))
    say(f"{folder} is ready: its README.md says what is in it. To check it: herobench world validate {where}")
