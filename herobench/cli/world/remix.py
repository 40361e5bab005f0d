"""Make a new world from a seed, as deep as the classic one. `--world remix:SEED:SIZE` names the same world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.say import say


def remix(
    seed: Annotated[int, typer.Option(help="Of the world: another seed gives another world.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="A new folder for its files, or an empty one.")
    ],
    size: Annotated[float, typer.Option(metavar="FACTOR", help="The size as a multiple of the classic world.")] = 1.0,
) -> None:
    """Make a new world from a seed, as deep as the classic one. `--world remix:SEED:SIZE` names the same world."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.rpg.content import load_rules, refuse_name
    from herobench.rpg.world import World
    from herobench.rpg.world_file import write_world
    from herobench.task_gen.remix.remixed_world import remix as remixed
    from herobench.task_gen.worlds.brackets import open_brackets

    refuse_name(output)  # before the world is made, which may take many seconds
    documents = remixed(seed, size)
    write_world(output, documents)
    world = World.from_documents(documents)
    say(f"{world.name} ({world.code}) is in {output}.")
    say(
        f"{len(world.items):,} items, {len(world.monsters):,} monsters, {len(world.resources):,} kinds of resource "
        f"nodes, {len(world.tiles):,} tiles."
    )
    brackets = ", ".join(map(str, open_brackets(world, load_rules())))
    say(f"It gives tasks of difficulty {brackets}.")
