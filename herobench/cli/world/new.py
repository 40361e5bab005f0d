"""Begin a small valid world with a README that explains its files, or a content pack with --pack."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from herobench.cli.say import say, say_json
from herobench.data.errors import UsageError, abbreviated
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, load_world, refuse_name
from herobench.suites.rpg.worlds.world_diff import Difference, FieldChange, differences, verdict_on
from herobench.suites.rpg.worlds.world_files import begin_pack, begin_world, write_world


def remix(
    seed: Annotated[int, typer.Option(help="Of the world: another seed gives another world.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="A new folder for its files, or an empty one.")
    ],
    size: Annotated[float, typer.Option(metavar="FACTOR", help="The size as a multiple of the classic world.")] = 1.0,
) -> None:
    """Make a new world from a seed, as deep as the classic one. `--world remix:SEED:SIZE` names the same world."""
    from herobench.task_gen.rpg.remix.remixed_world import remix as remixed
    from herobench.task_gen.rpg.worlds.survey import open_brackets

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


_MOST_SHOWN = 20
"""The most differences of one kind that are shown for each document. --json shows all."""
_MARKS = {"added": "+", "removed": "-", "changed": "~", "reordered": "~"}

OldArgument = Annotated[str, typer.Argument(metavar="OLD", help="A world or a pack.")]
NewArgument = Annotated[str, typer.Argument(metavar="NEW", help="Another one.")]


def diff(
    old: OldArgument,
    new: NewArgument,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: every difference.")] = False,
) -> None:
    """Show the differences between two worlds, and say whether scores in them can be compared."""
    worlds = {name: load_world(name) for name in (old, new)}
    found = differences(*(json.loads(worlds[name].source) for name in (old, new)))
    verdict = verdict_on(found)
    if as_json:
        sides = {side: _side(name, worlds[name]) for side, name in (("old", old), ("new", new))}
        rows = [difference.as_row() for difference in found]
        row = {"schema": 1, **sides, "verdict": verdict.value, "sentence": verdict.sentence, "differences": rows}
        say_json(row)
        return
    for line in _lines(found):
        say(line)
    say(verdict.sentence)


def _side(name: str, world: World) -> Mapping[str, Any]:
    return {"world": name, "code": world.code, "name": world.name, "digest": world.digest}


def _lines(found: Sequence[Difference]) -> Iterator[str]:
    """Yield the lines that show the differences, one document after another."""
    for document, group in groupby(found, key=lambda difference: difference.document):
        yield f"{document}.json"
        for what, same in groupby(group, key=lambda difference: difference.what):
            listed = list(same)
            yield from (f"  {_MARKS[what]} {line}" for one in listed[:_MOST_SHOWN] for line in _line(one))
            if len(listed) > _MOST_SHOWN:
                yield f"  {_MARKS[what]} ... and {len(listed) - _MOST_SHOWN} more"
        yield ""


def _line(difference: Difference) -> Iterator[str]:
    if difference.what == "reordered":
        yield "the same rows in another order"
    elif difference.fields:
        changes = ", ".join(map(_change, difference.fields))
        yield f"{difference.code}: {changes}" if difference.code else changes
    else:
        yield difference.code


def _change(field: FieldChange) -> str:
    """Return the old and the new value of a field; for a list of codes, those that were removed and added."""
    path, old, new = field
    if isinstance(old, list) and isinstance(new, list) and sorted(map(str, old)) != sorted(map(str, new)):
        parts = [*(f"-{part}" for part in old if part not in new), *(f"+{part}" for part in new if part not in old)]
        return f"{path} {' '.join(parts)}"
    return f"{path} {_shown(old)} -> {_shown(new)}"


def _shown(value: Any) -> str:
    return "nothing" if value is None else abbreviated(value)


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder, or an empty one.")],
    name: Annotated[str | None, typer.Option(help="The name of the world; by default made from its folder.")] = None,
    pack: Annotated[bool, typer.Option("--pack", help="Begin a content pack instead.")] = False,
    extends: Annotated[
        str | None, typer.Option(metavar="WORLD", help="The world or pack that the pack changes. \\[default: classic]")
    ] = None,
) -> None:
    """Begin a small valid world with a README that explains its files, or a content pack with --pack."""
    if extends is not None and not pack:
        raise UsageError("--extends needs --pack: add it, or leave --extends out.")
    if pack:
        begin_pack(folder, extends or DEFAULT_WORLD, name)
    else:
        begin_world(folder, name)
    where = shlex.quote(str(folder))
    say(f"{folder} is ready; its README.md explains the files. To check it: herobench world validate {where}")
