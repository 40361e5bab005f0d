"""Find the gear with which a hero beats a monster: the smallest set, or every set in which all items are needed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Annotated

from herobench.cli.say import say, say_json
from herobench.cli.table import plain_console, print_table
from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.content import load_rules, load_world, thing_named
from herobench.task_gen.rpg.gear.search import Gear, GearSearch

WorldOption = Annotated[str, Option("A shipped world or a folder.", "world")]


def gear(
    monster: Annotated[str, Option("A monster, by its code or name.", metavar="MONSTER", is_argument=True)],
    level: Annotated[int | None, Option("The hero's level; as meant for the monster when left out.")] = None,
    sets: Annotated[int, Option("Show the first N sets, smallest first.", "all", metavar="N", least=1)] = 1,
    as_json: Annotated[bool, Option("Print JSON.", "json")] = False,
    world: WorldOption = "classic",
    rules: Annotated[str, Option("The edition of the rules.")] = "standard",
) -> None:
    """Search, and print what is found."""
    place, edition = load_world(world), load_rules(rules)
    target = thing_named(monster, place.monsters, "monster")
    own_level = target.intended_level if level is None else level
    if not 1 <= own_level <= edition.level_cap:
        raise UsageError(RpgFault.NO_LEVEL, level=own_level, rules=rules, most=edition.level_cap)
    search = GearSearch.of(place, edition, target, HeroStart.bare(place, edition, own_level))
    gear_sets = list(islice(search.minimal_sets(), sets))
    if as_json:
        rows = [{"gear": dict(loadout)} for loadout in gear_sets]
        say_json({"monster": target.code, "level": own_level, "sets": rows})
    elif gear_sets:
        _show(search, gear_sets, f"A level-{own_level} hero")
    else:
        say(f"No gear that a level-{own_level} hero can make beats {target.name}.")


def _show(search: GearSearch, gear_sets: Sequence[Gear], hero: str) -> None:
    """Print the sets, and the items of the first one with their effects."""
    console = plain_console()
    first, name = gear_sets[0], search.target.name
    count = "1 item" if len(first) == 1 else f"{len(first)} items"
    if len(gear_sets) > 1:
        console.print(f"{hero} beats {name} with each of these {len(gear_sets)} sets, and with no part of one.")
        rows = ((str(number), ", ".join(gear.values()), str(len(gear))) for number, gear in enumerate(gear_sets, 1))
        print_table(console, ["set", "gear"], ["items"], rows, wrapped=["gear"])
        console.print(f"The first of them, {count}:")
    elif first:
        console.print(f"{hero} beats {name} with {count}, and not with fewer.")
    else:
        console.print(f"{hero} beats {name} as he is.")
    if first:
        effects = {code: search.world.items[code].effects.items() for code in first.values()}
        words = {code: ", ".join(f"{name}={value}" for name, value in each) for code, each in effects.items()}
        items = ((slot, code, words[code]) for slot, code in first.items())
        print_table(console, ["slot", "item", "effects"], [], items, wrapped=["effects"])
