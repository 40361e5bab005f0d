"""What an action changes: the difference of the hero before and after, as the answer to prog.

    {"place": [3, 1], "items": {"iron": 3, "iron_ore": -30}, "worn": {"ring1": "life_ring", "ring2": null},
     "fight": "won", "experience": {"mining": 50}}

Only what changes is there. `items` counts what the bag gains and loses. `experience` is what was gained, level-ups
included, by skill, or under `hero` for his own level.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from herobench.rpg.events import Action, Crafted, Event, Fought, Gathered
from herobench.rpg.hero import HeroStart
from herobench.suites.acp.hero.scene import Scene

OWN = "hero"
PLACE, ITEMS, WORN, FIGHT, EXPERIENCE = "place", "items", "worn", "fight", "experience"

Fact = tuple[str, str, Any]
"""A part of the change, the name of what changes, and the value."""


def change(scene: Scene, action: Action) -> dict[str, Any] | None:
    """Return what an action changes; None if it is refused."""
    game = scene.game()
    before = scene.task.hero
    event = game.act(action)
    if not event.ok:
        return None
    after = before.after(game.hero)
    return dict(_parts(before, after, event))


def _parts(before: HeroStart, after: HeroStart, event: Event) -> Iterator[tuple[str, Any]]:
    if after.place != before.place:
        yield PLACE, list(after.place)
    codes = sorted({*before.inventory, *after.inventory})
    counts = {code: after.inventory.get(code, 0) - before.inventory.get(code, 0) for code in codes}
    if items := {code: count for code, count in counts.items() if count}:
        yield ITEMS, items
    slots = sorted({*before.worn, *after.worn})
    if worn := {slot: after.worn.get(slot) for slot in slots if after.worn.get(slot) != before.worn.get(slot)}:
        yield WORN, worn
    match event.detail:
        case Fought(won=won, xp=xp):
            yield FIGHT, "won" if won else "lost"
            yield from _experience(OWN, xp)
        case Gathered(skill=skill, xp=xp) | Crafted(skill=skill, xp=xp):
            yield from _experience(skill, xp)


def _experience(name: str, xp: int) -> Iterator[tuple[str, Any]]:
    if xp:
        yield EXPERIENCE, {name: xp}


def facts_of_change(value: Any) -> frozenset[Fact] | None:
    """Return a change as a set of facts; None if the value has another form. Parts that say nothing may be there."""
    if not isinstance(value, dict) or not value.keys() <= {PLACE, ITEMS, WORN, FIGHT, EXPERIENCE}:
        return None
    place, fight = value.get(PLACE), value.get(FIGHT)
    tables = {part: value.get(part) or {} for part in (ITEMS, WORN, EXPERIENCE)}
    if not (place is None or (isinstance(place, list) and len(place) == 2 and all(map(_is_whole, place)))):
        return None
    if not all(isinstance(table, dict) for table in tables.values()) or fight not in (None, "won", "lost"):
        return None
    numbers = [*tables[ITEMS].values(), *tables[EXPERIENCE].values()]
    if not all(map(_is_whole, numbers)) or not all(isinstance(code, str | None) for code in tables[WORN].values()):
        return None
    facts: list[Fact] = [(PLACE, "", tuple(place))] if place else []
    facts += [(FIGHT, "", fight)] if fight else []
    facts += [(part, name, number) for part in (ITEMS, EXPERIENCE) for name, number in tables[part].items() if number]
    return frozenset([*facts, *((WORN, slot, code) for slot, code in tables[WORN].items())])


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
