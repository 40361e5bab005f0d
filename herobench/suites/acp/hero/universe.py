"""The actions and the facts that questions ask about: finite sets that follow from what is told."""

from __future__ import annotations

from collections.abc import Iterator

from herobench.suites.acp.hero.question import act
from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.world import Code, slot_type

HAVE, WEAR, BEAT, VISIT = "have", "wear", "beat", "visit"


def actions_of(scene: HeroScene) -> list[Action]:
    """Return the actions that app and areach ask about: all kinds but moves, of one piece each."""
    return list(_actions(scene))


def _actions(scene: HeroScene) -> Iterator[Action]:
    world = scene.world
    if world.standing("monster"):
        yield act("fight")
    if world.standing("resource"):
        yield act("gather", 1)
    yield from (act("craft", code, 1) for code in sorted(world.items) if world.items[code].recipe)
    for slot in world.slots:
        fitting = wearable(scene, slot)
        yield from (act("equip", slot, code) for code in fitting)
        if fitting:
            yield act("unequip", slot)
    if world.standing("grand_exchange"):
        yield from (act("buy", code, 1) for code in sorted(world.exchange_sells))


def moves_of(scene: HeroScene) -> list[Action]:
    """Return the moves to all told places."""
    return [act("move", *place) for place in sorted(scene.world.tiles)]


def wearable(scene: HeroScene, slot: str) -> list[Code]:
    """Return the told items of a slot's type, whatever their level."""
    return sorted(code for code, item in scene.world.items.items() if item.type == slot_type(slot))


def facts_of(scene: HeroScene) -> list[str]:
    """Return the facts that reach asks about: an item that is had, gear that is worn, a monster that is beaten."""
    world = scene.world
    types = frozenset(map(slot_type, world.slots))
    had = [f"{HAVE} {code}" for code in sorted(scene.mentioned)]
    worn = [f"{WEAR} {code}" for code in sorted(world.items) if world.items[code].type in types]
    return [*had, *worn, *(f"{BEAT} {code}" for code in sorted(world.monsters))]


def landmarks_of(scene: HeroScene) -> list[str]:
    """Return the facts that land asks about: those of reach, and visits to what stands on the told tiles."""
    standing = {tile.content for tile in scene.world.tiles.values() if tile.content}
    visits = sorted({content.code for content in standing if content.type != "monster"})
    return [*facts_of(scene), *(f"{VISIT} {code}" for code in visits)]
