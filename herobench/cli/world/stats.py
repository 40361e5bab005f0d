"""Print the balance of a world: winning gear by monster, difficulties, depth of recipes, tasks of each bracket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.cli.say import say_json

if TYPE_CHECKING:
    from herobench.cli.screen import Screen


def stats(
    world: Annotated[str, typer.Argument(metavar="WORLD", help="A shipped world, a folder, a pack, or remix:SEED.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON; the schema is world-stats.")] = False,
) -> None:
    """Print the balance of a world: winning gear by monster, difficulties, depth of recipes, tasks of each bracket."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.cli.progress import progress
    from herobench.cli.table import plain_console
    from herobench.rpg.content import load_rules, load_world
    from herobench.task_gen.worlds.world_stats import WorldStats, fights_of

    place, rules = load_world(world), load_rules()
    with progress("looked at", len(fights_of(place, rules))) as step:
        row = WorldStats.of(place, rules, step).as_row()
    if as_json:
        say_json(row)
    else:
        _print_balance(plain_console(), row)


def _print_balance(console: Screen, row: Mapping[str, Any]) -> None:
    """Print the figures as tables."""
    console.print(f"{row['world']['name']}: " + ", ".join(f"{n} {what}" for what, n in row["counts"].items()))
    _print_fights(console, row)
    _print_brackets(console, row)
    _print_items(console, row)
    _print_skills(console, row)


def _print_fights(console: Screen, row: Mapping[str, Any]) -> None:
    from herobench.cli.table import print_table

    cells = (
        (
            fight["monster"],
            str(fight["hero_level"]),
            "none" if fight["smallest_set"] is None else str(fight["smallest_set"]),
            # The search stops at a number of sets, and there may be more.
            f"{fight['sets']}{'+' if fight['sets'] == row['most_sets'] else ''}",
            "" if fight["difficulty"] is None else "{}-{}".format(*fight["difficulty"]),
        )
        for fight in row["fights"]
    )
    print_table(console, ["monster"], ["level", "smallest", "sets", "difficulty"], cells)


def _print_brackets(console: Screen, row: Mapping[str, Any]) -> None:
    from herobench.cli.table import print_table

    cells = ((str(row["bracket"]), str(len(row["kill"])), str(len(row["craft"]))) for row in row["brackets"])
    print_table(console, ["bracket"], ["monsters to beat", "items to craft"], cells)


def _print_items(console: Screen, row: Mapping[str, Any]) -> None:
    from herobench.cli.table import print_table

    levels = sorted({int(level) for tiers in row["tiers"].values() for level in tiers})
    cells = ((kind, *(str(tiers.get(str(level), "")) for level in levels)) for kind, tiers in row["tiers"].items())
    print_table(console, ["items of levels from"], [str(level) for level in levels], cells)
    depths = ", ".join(f"{number} of depth {depth}" for depth, number in row["recipe_depth"].items())
    console.print(f"crafts in a row: {depths}")


def _print_skills(console: Screen, row: Mapping[str, Any]) -> None:
    from herobench.cli.table import print_table

    cells = (
        (
            skill["skill"],
            ", ".join(map(str, skill["nodes"])),
            ", ".join(f"{level} ({number})" for level, number in skill["recipes"].items()),
            str(skill["top"]),
        )
        for skill in row["skills"]
    )
    names = ["skill", "nodes of level", "recipes of level"]
    print_table(console, names, ["practice to"], cells, wrapped=names[1:])
