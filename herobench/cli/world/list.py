"""List the worlds that come with the package, and say how to get others."""

from __future__ import annotations

from typing import Annotated

import typer

from herobench.cli.say import say_json


def list_(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the worlds that come with the package, and say how to get others."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.cli.table import plain_console, print_table
    from herobench.plugins import WORLDS, names
    from herobench.rpg.content import load_world, shipped_worlds
    from herobench.task_gen.worlds.world_stats import counts_of

    worlds = {name: load_world(name) for name in shipped_worlds()}
    if as_json:
        rows = [
            {"world": name, "code": world.code, "name": world.name, "digest": world.digest, "counts": counts_of(world)}
            for name, world in worlds.items()
        ]
        say_json({"worlds": rows, "makers": names(WORLDS)})
        return
    figures = list(counts_of(next(iter(worlds.values()))))
    cells = ((name, world.digest[:12], *map(str, counts_of(world).values())) for name, world in worlds.items())
    console = plain_console()
    print_table(console, ["world", "digest"], figures, cells)
    makers = ", ".join(f"{maker}:SEED" for maker in names(WORLDS))
    console.print(f"Other worlds: a folder (herobench world new makes one), a pack, or one made from a seed: {makers}.")
