"""The published log: the lines of prose that the published game wrote, made here from events.

The published scorer read nothing else. `conformance` holds these lines against the logs that survive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from herobench.suites.rpg.game.events import (
    Bought,
    Crafted,
    CraftRefused,
    Equipped,
    Event,
    Fought,
    Gathered,
    Moved,
    Unequipped,
)
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import World

CREATED = "Successfully created custom character - Hero."


def log_lines(events: Sequence[Event], rules: Rules, world: World) -> Iterator[str]:
    """The lines of an episode, oldest first."""
    yield CREATED
    for event in events:
        if isinstance(event.detail, CraftRefused):
            if rules.failed_craft_is_logged:
                yield failed_craft(event.detail)
        elif event.ok:
            yield log_line(event, world)


def log_line(event: Event, world: World) -> str:
    match event.detail:
        case Moved((x, y)):
            return f"Hero moves to {x}, {y}."
        case Fought(monster=monster, won=won):
            return f"Hero {'win' if won else 'lost'} his fight against {world.monsters[monster].name}."
        case Gathered(skill=skill, swings=swings, drops=drops):
            codes = ", ".join(code for code, _ in drops)
            return f"Hero gathered resources {codes} with the skill {skill} x{swings} times."
        case Crafted(item=item, quantity=quantity):
            return f"Hero crafts {item} x{quantity}."
        case Equipped(slot, item, _):
            return f"The character Hero has equipped item {item} into slot {slot}."
        case Unequipped(slot, item, _):
            return f"The character Hero has unequipped item {item} from slot {slot}."
        case Bought(item, quantity):
            return f"Hero purchased {item} x{quantity}."
        case _:
            raise AssertionError(event)


def failed_craft(refusal: CraftRefused) -> str:
    line = f"Hero failed to craft {refusal.item} x{refusal.quantity}."
    if not refusal.at_workshop:
        places = {"needed": str(refusal.workshop), "current": str(refusal.place)}
        line += f" On wrong map tile: {places}."
    if not refusal.skilled:
        skill = {"skill": refusal.skill, "needed": refusal.needed_level, "current": refusal.level}
        line += f" Needed skill level: {skill}."
    if not refusal.supplied:
        line += f" Missing items: {missing_items(refusal)}."
    return line


def missing_items(refusal: CraftRefused) -> list[dict[str, Any]]:
    """What a craft lacked, as published: `got` is the shortfall where anything is owned, and 0 where nothing is."""
    return [
        {"code": code, "needed": needed, "got": needed - owned if owned else 0}
        for code, needed, owned in refusal.lacking
    ]
