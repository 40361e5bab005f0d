"""Find the gear with which a hero beats a monster: the smallest set, or every set in which all items are needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from herobench.cli.say import say, say_json
from herobench.cli.table import plain_console, print_facts, print_table
from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Duel, Fighter, duel
from herobench.suites.rpg.game.world import Item, World, slot_type
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.content import load_rules, load_world, thing_named
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.gear.search import Gear, GearSearch
from herobench.task_gen.rpg.oracle.gathering import Requirements

if TYPE_CHECKING:
    from herobench.cli.table import Screen
WorldOption = Annotated[str, Option("A shipped world or a folder.", "world")]
_A_HAIR = 1e-9
"""The largest error of a float that is meant as a whole number."""


def gear(
    monster: Annotated[str, Option("A monster, by its code or name.", metavar="MONSTER", is_argument=True)],
    level: Annotated[int | None, Option("The hero's level; as meant for the monster when left out.")] = None,
    sets: Annotated[int, Option("Show the first N sets, smallest first.", "all", metavar="N", least=1)] = 1,
    wearing: Annotated[
        list[str] | None, Option("An item that he wears already. Repeatable.", metavar="SLOT=CODE")
    ] = None,
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
    hero = replace(HeroStart.bare(place, edition, own_level), worn=_read_loadout(place, own_level, wearing or ()))
    search = GearSearch.of(place, edition, target, hero)
    gear_sets = list(islice(search.minimal_sets(), sets))
    if as_json:
        rows = [{"gear": dict(loadout)} for loadout in gear_sets]
        say_json({"monster": target.code, "level": own_level, "sets": rows})
    elif gear_sets:
        _show(search, gear_sets, f"A level-{own_level} hero", hero.worn)
    else:
        say(f"No gear that a level-{own_level} hero can make beats {target.name}.")


# -- input ------------------------------------------------------------------------------------------------------------


def _read_loadout(world: World, level: int, wearing: Iterable[str]) -> dict[str, str]:
    """Read the gear that the hero wears, by slot."""
    loadout: dict[str, str] = {}
    for text in wearing:
        slot, equals, code = text.partition("=")
        if not equals:
            raise UsageError(RpgFault.NO_SLOT_CODE, text=text, slot=gear_slots(world)[0])
        if slot not in gear_slots(world):
            raise UsageError(RpgFault.NO_SLOT, slot=slot, slots=", ".join(gear_slots(world)))
        if slot in loadout:
            raise UsageError(RpgFault.SLOT_TWICE, slot=slot)
        items = {item.code: item for item in world.items.values() if item.type == slot_type(slot)}
        item = thing_named(code, items, slot_type(slot))
        if item.level > level:
            raise UsageError(RpgFault.LEVEL_TOO_LOW, level=level, code=item.code, least=item.level)
        loadout[slot] = item.code
    return loadout


# -- output -----------------------------------------------------------------------------------------------------------


def _show(search: GearSearch, gear_sets: Sequence[Gear], hero: str, loadout: Mapping[str, str]) -> None:
    """Print the sets, and for the first one its items, the work to make it, both sides' strengths, and the fight."""
    console = plain_console()
    first, name = gear_sets[0], search.target.name
    if loadout:
        console.print("He wears " + ", ".join(loadout.values()) + ".")
    if len(gear_sets) > 1:
        console.print(f"{hero} beats {name} with each of these {len(gear_sets)} sets, and with no part of one.")
        _print_sets(console, gear_sets)
        console.print(f"The first of them, {_count(first)}:")
    elif first:
        console.print(f"{hero} beats {name} with {_count(first)}, and not with fewer.")
    else:
        console.print(f"{hero} beats {name} as he is.")
    if first:
        _print_items(console, search.world, first)
        _print_work(console, search.world, first)
    _print_strengths(console, search, first)
    _print_duel(console, search, first)


def _count(gear: Gear) -> str:
    return "1 item" if len(gear) == 1 else f"{len(gear)} items"


def _print_sets(console: Screen, gear_sets: Sequence[Gear]) -> None:
    rows = ((str(number), ", ".join(gear.values()), str(len(gear))) for number, gear in enumerate(gear_sets, 1))
    print_table(console, ["set", "gear"], ["items"], rows, wrapped=["gear"])


def _print_items(console: Screen, world: World, gear: Gear) -> None:
    rows = ((slot, code, _effects(world.items[code])) for slot, code in gear.items())
    print_table(console, ["slot", "item", "effects"], [], rows, wrapped=["effects"])


def _print_work(console: Screen, world: World, gear: Gear) -> None:
    """Print the work that the set takes."""
    work = Requirements.of(world, Counter(gear.values()))
    facts = {
        "to come by": _join(f"{number} {code}" for code, number in work.raw.items()),
        "gathered at": _join(work.nodes(world)),
        "dropped by": _join(work.monsters(world)),
        "to craft": _join(f"{number} {code}" for code, number in work.crafts.items()),
        "skills": _join(f"{skill} {level}" for skill, level in work.skills.items()),
    }
    print_facts(console, facts)
    console.print()


def _join(things: Iterable[str]) -> str:
    return ", ".join(things)


def _effects(item: Item) -> str:
    return ", ".join(f"{name}={value}" for name, value in item.effects.items())


def _print_strengths(console: Screen, search: GearSearch, gear: Gear) -> None:
    """Print the strengths of both sides, element by element."""
    hero, target = search.stats(gear), search.target.stats
    console.print(f"The hero has {hero.hp} health, {search.target.name} has {target.hp}.")
    columns = (hero.attack, hero.damage, hero.resistance, target.attack, target.resistance)
    rows = zip(search.world.elements, *(map(str, column) for column in columns), strict=True)
    print_table(console, ["element"], ["attack", "dmg", "res", "its attack", "its res"], rows)


def _print_duel(console: Screen, search: GearSearch, gear: Gear) -> None:
    """Print the health of both sides after each round."""
    fights = list(_fights(search, gear))
    healths = [health for fight in fights for health in (fight.hero_hp, fight.monster_hp)]
    decimals = 0 if all(abs(health - round(health)) < _A_HAIR for health in healths) else 2
    texts = [f"{round(health, decimals) + 0.0:.{decimals}f}" for health in healths]
    rows = zip(map(str, range(1, len(fights) + 1)), texts[::2], texts[1::2], strict=True)
    print_table(console, ["round"], ["hero", search.target.name], rows)


def _fights(search: GearSearch, gear: Gear) -> Iterator[Duel]:
    """Yield the state of the fight after each round."""
    fighter = Fighter(search.stats(gear))
    whole = duel(fighter, search.target.stats, search.rules.rounds)
    for rounds in range(1, whole.rounds + 1):
        yield duel(fighter, search.target.stats, rounds)
