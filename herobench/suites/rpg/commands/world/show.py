"""Show a world, or a thing in it with its places, its sources and its uses; begin worlds."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from herobench.cli.say import say, say_json
from herobench.cli.table import plain_console, print_facts
from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.content import edition_names, load_world, thing_named
from herobench.suites.rpg.worlds.world_files import begin_world


def show(
    world: Annotated[str, Option("A shipped world or a folder.", metavar="WORLD", is_argument=True)],
    name: Annotated[
        str | None,
        Option(
            "A monster, a resource or an item by code or name, or a place such as 2,1.",
            metavar="NAME",
            is_argument=True,
        ),
    ] = None,
    as_json: Annotated[bool, Option("Print JSON.", "json")] = False,
) -> None:
    """Show a world, or a thing in it with its places, its sources and its uses."""
    from herobench.task_gen.rpg.worlds.portraits import parse_place, portraits, world_portrait

    place = load_world(world)
    if name is None:
        rows = [{"kind": "world", **world_portrait(place), "editions": edition_names()}]
    else:
        rows = portraits(place, name)
    if name is not None and not rows:
        if at := parse_place(name):
            raise UsageError(RpgFault.NO_TILE, x=at[0], y=at[1])
        kinds = (place.monsters, place.resources, place.items, place.distractors)
        thing_named(name, {code: thing for things in kinds for code, thing in things.items()}, "thing")
    if as_json:
        say_json(rows)
        return
    console = plain_console()
    for number, row in enumerate(rows):
        if number:
            console.print()
        print_facts(console, _facts(row))
        for line in row.get("tree", ()) if len(row.get("tree", ())) > 1 else ():
            say(line)


def _facts(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the facts of a portrait in words."""
    named = ("name", "code") if "code" in row else ()
    facts = {key.replace("_", " "): _value_words(row[key]) for key in row if key not in ("kind", "tree", *named)}
    return {row["kind"]: f"{row.get('name', '')} ({row['code']})" if named else "", **facts}


def _value_words(value: Any) -> str:
    """Return any value in words: yes for true, nothing for false."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value_words(part)}" for name, part in value.items())
    if isinstance(value, list):
        has_parts = any(isinstance(part, Mapping | list) for part in value)
        return ("; " if has_parts else ", ").join(map(_value_words, value))
    return str(value)


# -- make a world ------------------------------------------------------------------------------------------------------


def new(
    folder: Annotated[Path, Option("A new folder, or an empty one.", metavar="FOLDER", is_argument=True)],
    name: Annotated[str | None, Option("The name of the world; by default made from its folder.")] = None,
    like: Annotated[str | None, Option("Begin with a copy of this world.", metavar="WORLD")] = None,
) -> None:
    """Begin a world with a README that explains its files: a small one, or a copy of another."""
    begin_world(folder, name, like)
    where = shlex.quote(str(folder))
    say(f"{folder} is ready; its README.md explains the files. To check it: herobench world validate {where}")
