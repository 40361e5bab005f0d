"""Mistakes that leave a world sound, and something in it dead or out of reach: each with its kind and what is said."""

from __future__ import annotations

from tests.suites.rpg.worlds.mistakes import Change, drop, recipe, thing

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
    "gear that is only sold": (
        "unasked",
        [("items.items.+", thing("bead", type="charm", effects={"hp": 90})), ("world.exchange_sells.+", "bead")],
        "items.json: $.items[16]: no task can ask for Bead: a part of it is neither gathered nor dropped; "
        "let a node give it, let a monster drop it, or let the exchange sell what its recipe lacks",
    ),
    "gear above every fight": (
        "unasked",
        [("items.items.+", thing("mantle", type="coat", level=16, effects={"hp": 90}, recipe=recipe("fur")))],
        "items.json: $.items[16]: no fight is left to wear Mantle in once it can be made and worn; lower "
        "its level, let weaker monsters drop what it is made of, or add a stronger monster",
    ),
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
    "a slot for nothing": (
        "empty_slot",
        [("world.slots.+", "hat")],
        "world.json: $.slots[6]: no item is of type 'hat'; add one, or leave out the slot",
    ),
    # -- effects
    "an effect by a wrong name": (
        "idle_effect",
        [("items.items.9.effects.atak_heat", 1)],
        "items.json: $.items[9].effects.atak_heat: there is no effect 'atak_heat', so it does nothing; "
        "is 'attack_heat' meant?",
    ),
    "a hero's effect by a wrong name": (
        "idle_effect",
        [("world.hero", {"hp": 120, "atak_heat": 1})],
        "world.json: $.hero.atak_heat: there is no effect 'atak_heat', so it does nothing; is 'attack_heat' meant?",
    ),
    "a distractor's effect by a wrong name": (
        "idle_effect",
        [("distractors.items.0.effects.atak_frost", 1)],
        "distractors.json: $.items[0].effects.atak_frost: there is no effect 'atak_frost', so it does "
        "nothing; is 'attack_frost' meant?",
    ),
    "food's effect on gear": (
        "idle_effect",
        [("items.items.11.effects.restore", 5)],
        "items.json: $.items[11].effects.restore: restore of Fur Coat does nothing: gear is not eaten; "
        "effects that count here are hp, attack_heat, attack_frost, dmg_heat, dmg_frost, res_heat, "
        "res_frost",
    ),
    "gear's effect on food": (
        "idle_effect",
        [("items.items.15.effects.dmg_heat", 5)],
        "items.json: $.items[15].effects.dmg_heat: dmg_heat of Tonic does nothing: food does nothing when "
        "it is worn; is 'boost_dmg_heat' meant?",
    ),
    "an element for nothing": (
        "dead_element",
        [("world.elements.+", "moon")],
        "world.json: $.elements[2]: nobody attacks in moon, so its resistances and damage count for "
        "nothing; give a monster or gear an attack in moon, or leave it out",
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
    # -- skills
    "nodes without a beginning": (
        "no_beginning",
        [("resources.resources.0.level", 2)],
        "world.json: $.skills[0]: nobody can begin with digging: the first that teaches it is Clay Pit, "
        "for 2; add a node of level 1",
    ),
    "recipes without a beginning": (
        "no_beginning",
        [("items.items.14.recipe.level", 3), ("items.items.15.recipe.level", 2)],
        "world.json: $.skills[2]: nobody can begin with brewing: the first that teaches it is Tonic, for "
        "2; add a recipe of level 1",
    ),
    "a node out of reach": (
        "out_of_skill",
        [("resources.resources.1.level", 13)],
        "resources.json: $.resources[1].level: Ore Vein asks for digging 13, and practice ends at 12; ask "
        "for less, or add a node of a level from 2 to 12",
    ),
    "a recipe out of reach": (
        "out_of_skill",
        [("items.items.10.recipe.level", 30)],
        "items.json: $.items[10].recipe.level: Sword asks for smithing 30, and practice ends at 16; ask "
        "for less, or add a recipe of a level from 6 to 16",
    ),
    "a skill for nothing": (
        "idle_skill",
        [("world.skills.+", "sewing")],
        "world.json: $.skills[3]: no recipe and no node asks for sewing; add one, or leave out the skill",
    ),
    # -- distractors
    "a distractor named like an item": (
        "transparent",
        [("distractors.items.0.name", "Sword")],
        "distractors.json: $.items[0].name: Sword is the name of the item bar_sword too; give it a name of its own",
    ),
    "a distractor of no skill": (
        "transparent",
        [("distractors.items.0.recipe.skill", "smithin")],
        "distractors.json: $.items[0].recipe.skill: the world has no skill 'smithin', and it is asked "
        "for by Moon Blade; is 'smithing' meant?",
    ),
    "a distractor beyond all skill": (
        "transparent",
        [("distractors.items.0.recipe.level", 41)],
        "distractors.json: $.items[0].recipe.level: Moon Blade asks for skill 41, and nobody "
        "gets beyond 40; ask for 40 or less",
    ),
}
