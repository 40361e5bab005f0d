"""The value that an action returns to a plan: `(status, body)`, in the published shapes.

The sandbox builds it only if the plan uses the value, since few plans look at a body. Prompts and the published format
use the records of items, monsters, tiles and the hero. It reads fields of events, never their texts.
"""

from __future__ import annotations

from typing import Any

from herobench.suites.rpg.game.events import (
    OK,
    Bought,
    Crafted,
    CraftRefused,
    Equipped,
    Event,
    Fought,
    Gathered,
    Moved,
    Unequipped,
    ValueReason,
)
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import NAME, Hero, Progress
from herobench.suites.rpg.game.world import CONSUMABLE, Item, Place, Recipe, World, slot_type

Body = dict[str, Any]


def response(game: Game, event: Event) -> tuple[int, Body]:
    """Return what a call returns to the plan. The game must be in its state right after the event."""
    status, body = brief_response(game, event)
    return status, {**body, "character": character(game.world, game.hero)} if event.ok else body


def brief_response(game: Game, event: Event) -> tuple[int, Body]:
    """Return the same without the hero's record."""
    return (OK, _details(game, event)) if event.ok else (event.status, _error(event))


def _error(event: Event) -> Body:
    """Return the body of a refusal."""
    if isinstance(event.reason, ValueReason):
        where, message = event.reason.parameter, event.reason.expected
        # No key `error`, as published. For this reason the paper's counts of errors leave such calls out.
        return {"detail": [{"loc": ["body", where], "msg": message, "type": "value_error"}]}
    message_body = _craft_message(event.detail) if isinstance(event.detail, CraftRefused) else event.reason
    return {"error": {"code": event.status, "message": message_body}}


def failure_message(event: Event) -> str:
    """Return why an action was refused, in one line. For a craft it names everything that was wrong."""
    refusal = event.detail
    if not isinstance(refusal, CraftRefused):
        return str(event.reason)
    wrong = [] if refusal.at_workshop else [f"not at a workshop for {refusal.skill}"]
    wrong += [] if refusal.skilled else [f"{refusal.skill} is {refusal.level} and has to be {refusal.needed_level}"]
    wrong += [f"{needed} {code} needed, {owned} there" for code, needed, owned in refusal.lacking]
    return f"Craft failed: {'; '.join(wrong)}"


def _details(game: Game, event: Event) -> Body:
    match event.detail:
        case Moved(place):
            return {"destination": tile_record(game.world, place)}
        case Fought() as fight:
            return {"fight": _fight(game.world, fight)}
        case Gathered(xp=xp, drops=drops):
            return {"details": {"xp": xp, "items": _items(drops)}}
        case Crafted(item=item, quantity=quantity, xp=xp):
            return {"details": {"xp": xp, "items": _items(((item, quantity),))}}
        case Equipped(slot, item, _) | Unequipped(slot, item, _):
            return {"slot": slot, "item": item_record(game.world.items[item])}
        case Bought(item, quantity):
            return {"item": {"code": item, "quantity": quantity}}
        case _:
            raise AssertionError(event)


def _items(drops: tuple[tuple[str, int], ...]) -> list[Body]:
    return [{"code": code, "quantity": quantity} for code, quantity in drops]


def tile_record(world: World, place: Place) -> Body:
    """Return a tile with the published names."""
    tile = world.tiles[place]
    content = {"type": tile.content.type, "code": tile.content.code} if tile.content else None
    return {"name": tile.name, "skin": tile.skin, "x": place[0], "y": place[1], "content": content}


def item_record(item: Item) -> Body:
    """Return an item with the published names."""
    return {
        "name": item.name,
        "code": item.code,
        "level": item.level,
        "type": item.type,
        "subtype": item.subtype,
        "description": item.description,
        "effects": [{"name": name, "value": value} for name, value in item.effects.items()],
        "craft": _recipe_record(item.recipe) if item.recipe else None,
    }


def _recipe_record(recipe: Recipe) -> Body:
    ingredients = _items(tuple(recipe.ingredients.items()))
    return {"skill": recipe.skill, "level": recipe.level, "items": ingredients, "quantity": 1}


def monster_record(world: World, code: str) -> Body:
    """Return a monster with the published names."""
    monster = world.monsters[code]
    record: Body = {"name": monster.name, "code": code, "level": monster.level, "hp": monster.stats.hp}
    for prefix, values in (("attack", monster.stats.attack), ("res", monster.stats.resistance)):
        record |= {f"{prefix}_{element}": value for element, value in zip(world.elements, values, strict=True)}
    record |= {"min_gold": monster.gold[0], "max_gold": monster.gold[1]}
    record["drops"] = [
        {"code": drop.item, "rate": drop.one_in, "min_quantity": drop.least, "max_quantity": drop.most}
        for drop in monster.drops
    ]
    return record


def _fight(world: World, fight: Fought) -> Body:
    # No hit is ever blocked here, but plans may read the published keys.
    no_blocks = {**dict.fromkeys(world.elements, 0), "total": 0}
    result = "win" if fight.won else "lose"
    return {
        "result": result,
        "xp": fight.xp,
        "drops": _items(fight.drops),
        "turns": _turns(fight),
        "monster_blocked_hits": no_blocks,
        "player_blocked_hits": dict(no_blocks),
        "logs": [f"{result} in round {fight.rounds}: health {fight.hero_hp:g}, the monster's {fight.monster_hp:g}"],
    }


def _turns(fight: Fought) -> int:
    """Return the turns as published: one more than the rounds if nobody won in time."""
    is_draw = not fight.won and fight.hero_hp > 0
    return fight.rounds + is_draw


def _craft_message(refusal: CraftRefused) -> Body:
    """Return the published message. `got` is the number lacking, or 0 if no piece is owned."""
    return {
        "errors": {
            "on_workshop_tile": refusal.at_workshop,
            "needed_skill_level": refusal.skilled,
            "enough_items_for_craft": refusal.supplied,
        },
        "workshop": {"needed": str(refusal.workshop), "current": str(refusal.place)},
        "skill_level": {"skill": refusal.skill, "needed": refusal.needed_level, "current": refusal.level},
        "missing_items": [
            {"code": code, "needed": needed, "got": needed - owned if owned else 0}
            for code, needed, owned in refusal.lacking
        ],
    }


def character(world: World, hero: Hero) -> Body:
    """Return the hero as one flat record, with the published names."""
    x, y = hero.place
    body: Body = {"name": NAME, **_progress("", hero.combat)}
    for skill, progress in hero.skills.items():
        body |= _progress(f"{skill}_", progress)
    body["hp"] = hero.hp
    for prefix, values in (("attack", hero.attack), ("dmg", hero.damage), ("res", hero.resistance)):
        body |= {f"{prefix}_{element}": value for element, value in zip(world.elements, values, strict=True)}
    body |= {"x": x, "y": y}
    for slot in world.slots:
        if slot_type(slot) == CONSUMABLE:
            food = hero.consumables.get(slot)
            body |= {f"{slot}_slot": food.item if food else "", f"{slot}_slot_quantity": food.quantity if food else 0}
        else:
            body[f"{slot}_slot"] = hero.worn.get(slot, "")
    body["inventory"] = [
        {"slot": number, "code": code, "quantity": quantity}
        for number, (code, quantity) in enumerate(hero.inventory.items())
    ]
    return body


def _progress(prefix: str, progress: Progress) -> Body:
    return {
        f"{prefix}level": progress.level,
        f"{prefix}xp": progress.xp,
        f"{prefix}max_xp": progress.next_level_xp,
    }
