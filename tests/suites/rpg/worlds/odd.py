"""Mistakes that leave a world sound, and something in it dead or out of reach: each with its kind and what is said."""

from __future__ import annotations

from tests.suites.rpg.worlds.mistakes import Change, drop, thing

ODDITIES: dict[str, tuple[str, list[Change], str]] = {
    # -- supply
    "an item from nowhere": (
        "unreachable",
        [("items.items.+", thing("dust"))],
        "items.json: $.items[16]: nobody can come by Dust: no monster drops it, no node gives it, it has "
        "no recipe and is not sold; add a drop, a node or a recipe, or sell it by name",
    ),
    "a drop of someone unbeaten": (
        "unreachable",
        [
            ("items.items.+", thing("stone")),
            ("monsters.monsters.2.drops.+", drop("stone")),
            ("items.items.7.recipe.ingredients.stone", 1),
        ],
        "items.json: $.items[16]: Stone falls only from wall, whom no hero beats, whatever he wears; make "
        "wall weaker, or add a drop, a node or a recipe for stone",
    ),
    "a craft that hangs on what nobody has": (
        "unreachable",
        [
            ("items.items.+", thing("stone")),
            ("monsters.monsters.2.drops.+", drop("stone")),
            ("items.items.15.recipe.ingredients.stone", 1),
        ],
        "items.json: $.items[15].recipe.ingredients.stone: Tonic is crafted from stone, which nobody can "
        "come by; give stone a source, or take it out of the recipe",
    ),
    "a material for nothing": (
        "unused",
        [("items.items.+", thing("mud")), ("resources.resources.0.drops.+", drop("mud"))],
        "items.json: $.items[16]: Mud is of no use: it goes into nothing, and does nothing when it is worn "
        "or eaten; give it a recipe that needs it, or effects that count",
    ),
    "food that gives nothing": (
        "unused",
        [("items.items.+", thing("berry", type="consumable")), ("resources.resources.0.drops.+", drop("berry"))],
        "items.json: $.items[16]: Berry is of no use: it goes into nothing, and does nothing when it is "
        "worn or eaten; give it a recipe that needs it, or effects that count",
    ),
    "gear that does nothing": (
        "unused",
        [("items.items.+", thing("ribbon", type="coat")), ("resources.resources.0.drops.+", drop("ribbon"))],
        "items.json: $.items[16]: Ribbon is of no use: it goes into nothing, and does nothing when it is "
        "worn or eaten; give it a recipe that needs it, or effects that count",
    ),
    # -- gear
    "a type by a wrong name": (
        "unwearable",
        [("items.items.11.type", "coatt")],
        "items.json: $.items[11].type: no slot takes a 'coatt', so the effects of Fur Coat do nothing; is "
        "'coat' meant?",
    ),
    "a type for no slot": (
        "unwearable",
        [("items.items.11.type", "shoes")],
        "items.json: $.items[11].type: no slot takes a 'shoes', so the effects of Fur Coat do nothing; "
        "there are slots for blade, coat, charm, consumable",
    ),
    # -- monsters
    "a monster too strong for anyone": (
        "unbeatable",
        [("monsters.monsters.1.hp", 90000)],
        "monsters.json: $.monsters[1].intended_level: no gear that a task can ask for beats Frost Drake, "
        "on a hero of whatever level; lower its hp, attack or resistance, or add stronger gear",
    ),
    "a monster meant for beginners that is none": (
        "unbeatable",
        [("monsters.monsters.1.intended_level", 2)],
        "monsters.json: $.monsters[1].intended_level: no gear that a task can ask for beats Frost Drake on "
        "a hero of level 2; raise intended_level to 5, where some does, or make it weaker",
    ),
    "a monster that falls to bare hands": (
        "pushover",
        [("world.hero", {"hp": 120, "attack_heat": 4})],
        "monsters.json: $.monsters[0].hp: a hero of level 1 beats Cellar Rat with nothing on: no gear "
        "is missing; raise its hp or attack, or lower what a hero has by himself",
    ),
}
