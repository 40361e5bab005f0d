"""Mistakes that make a world invalid, each with the one problem that is named."""

from __future__ import annotations

from tests.builders import TINY, documents
from tests.suites.rpg.worlds.mistakes import ITEM, TILE, Mistake

_TINY = {name: (TINY / f"{name}.json").read_text("utf-8") for name in documents(TINY)}

_RAT = documents(TINY)["monsters"]["monsters"][0]

ERRORS: dict[str, Mistake] = {
    # -- files and formats
    "a missing file": ([("map", None)], "map.json: expected a file that exists"),
    "a file by a wrong name": (
        [("items", None), ("itmes", _TINY["items"])],
        "items.json: expected a file that exists; is itmes.json meant?",
    ),
    "a comma missing": (
        [("map", '{"schema": 1 "tiles": []}')],
        "map.json: column 14: expected JSON (Expecting ',' delimiter); is a comma missing?",
    ),
    "two documents in a file": (
        [("monsters", _TINY["monsters"] + "{}")],
        "monsters.json: line 9 column 1: expected JSON (Extra data); is there a bracket too many, or a "
        "second document?",
    ),
    "a key twice": (
        [("map", '{"schema": 1, "schema": 1, "tiles": []}')],
        "map.json: expected JSON (the key 'schema' appears twice in one object)",
    ),
    "a number that is none": (
        [("map", '{"schema": NaN, "tiles": []}')],
        "map.json: expected JSON (NaN is not a JSON number)",
    ),
    # -- shapes
    "a list in the place of a document": ([("map", [])], "map.json: $: expected object, found []"),
    "a later format": ([("items.schema", 2)], "items.json: $.schema: expected 1, found 2"),
    "a property by a wrong name": (
        [("world.startt", {"x": 0, "y": 0})],
        "world.json: $.startt: expected one of the properties $schema, schema, code, name, description, "
        "credits, elements, skills, slots, start, starter_items, hero, exchange_sells, opaque; is 'start' meant?",
    ),
    "a level by a wrong name": (
        [("items.items.1.levle", 1)],
        "items.json: $.items[1].levle: expected one of the properties code, name, level, type, subtype, "
        "description, effects, recipe; is 'level' meant?",
    ),
    "a property missing": (
        [("monsters.monsters.0", {name: value for name, value in _RAT.items() if name != "drops"})],
        "monsters.json: $.monsters[0]: expected the property 'drops'",
    ),
    "a level in quotes": (
        [("items.items.1.level", "5")],
        'items.json: $.items[1].level: expected integer, found "5"; is 5 meant, without quotes?',
    ),
    "half a level": ([("items.items.1.level", 1.5)], "items.json: $.items[1].level: expected integer, found 1.5"),
    "no level": ([("items.items.1.level", 0)], "items.json: $.items[1].level: expected 1 or more, found 0"),
    "a code with a blank": (
        [("items.items.1.code", "Fine Clay")],
        'items.json: $.items[1].code: expected text that matches ^[a-z0-9]+(_[a-z0-9]+)*$, found "Fine '
        "Clay\"; is 'fine_clay' meant?",
    ),
    "a name that is empty": (
        [("monsters.monsters.0.name", "")],
        'monsters.json: $.monsters[0].name: expected text of 1 characters or more, found ""',
    ),
    "content of an unknown kind": (
        [("map.tiles.1.content.type", "monstr")],
        'map.json: $.tiles[1].content.type: expected one of "monster", "resource", "workshop", '
        '"grand_exchange", "bank", "tasks_master", found "monstr"; is \'monster\' meant?',
    ),
    "content without a code": (
        [("map.tiles.0.content", {"type": "bank"})],
        "map.json: $.tiles[0].content: expected the property 'code'",
    ),
    "an attack that heals": (
        [("monsters.monsters.0.attack.frost", -5)],
        "monsters.json: $.monsters[0].attack.frost: expected 0 or more, found -5",
    ),
    "a node that gives nothing": (
        [("resources.resources.1.drops", [])],
        "resources.json: $.resources[1].drops: expected 1 entries or more, found []",
    ),
    "a recipe of nothing": (
        [("items.items.7.recipe.ingredients", {})],
        "items.json: $.items[7].recipe.ingredients: expected 1 entries or more, found {}",
    ),
    "a recipe of none of something": (
        [("items.items.7.recipe.ingredients.clay", 0)],
        "items.json: $.items[7].recipe.ingredients.clay: expected 1 or more, found 0",
    ),
    "a drop that never falls": (
        [("monsters.monsters.0.drops.0.one_in", 0)],
        "monsters.json: $.monsters[0].drops[0].one_in: expected 1 or more, found 0",
    ),
    "a skill twice": (
        [("world.skills.+", "digging")],
        'world.json: $.skills: expected no entry twice, found ["digging", "smithing", "brewing", "digging"]',
    ),
    "a world without elements": (
        [("world.elements", [])],
        "world.json: $.elements: expected 1 entries or more, found []",
    ),
    "goods in a sentence": (
        [("world.exchange_sells", "every itm")],
        'world.json: $.exchange_sells: expected text that matches ^every item$, found "every itm"; is '
        "'every item' meant?",
    ),
    "an effect in words": (
        [("items.items.9.effects.attack_heat", "strong")],
        'items.json: $.items[9].effects.attack_heat: expected integer, found "strong"',
    ),
    "a hero's effect on no element": (
        [("world.hero", {"hp": 100, "attack_forst": 3})],
        "world.json: $.hero.attack_forst: expected an effect on one of the world's elements (is "
        "'attack_frost' meant?), found \"attack_forst\"",
    ),
    # -- references, and the name that may have been meant
    "drop of a monster": (
        [("monsters.monsters.1.drops.0.item", "scal")],
        "monsters.json: $.monsters[1].drops[0].item: expected the code of an item (is 'scale' meant?), found \"scal\"",
    ),
    "drop of a resource": (
        [("resources.resources.0.drops.+", {"item": "quartz", "one_in": 1, "min": 1, "max": 1})],
        'resources.json: $.resources[0].drops[2].item: expected the code of an item, found "quartz"; add '
        "it, or name one of the 16",
    ),
    "ingredient": (
        [("items.items.10.recipe.ingredients.furs", 1)],
        "items.json: $.items[10].recipe.ingredients.furs: expected the code of an item (is 'fur' meant?), "
        'found "furs"',
    ),
    "starter item": (
        [("world.starter_items.+", "twigg")],
        "world.json: $.starter_items[1]: expected the code of an item (is 'twig' meant?), found \"twigg\"",
    ),
    "sold item": (
        [("world.exchange_sells.+", "saltt")],
        "world.json: $.exchange_sells[2]: expected the code of an item (is 'salt' meant?), found \"saltt\"",
    ),
    "monster on the map": (
        [("map.tiles.+", {**TILE, "x": 9, "y": 9, "content": {"type": "monster", "code": "ratt"}})],
        "map.json: $.tiles[10].content.code: expected the code of a monster (is 'rat' meant?), found \"ratt\"",
    ),
    "resource on the map": (
        [("map.tiles.+", {**TILE, "x": 9, "y": 9, "content": {"type": "resource", "code": "rat"}})],
        'map.json: $.tiles[10].content.code: expected the code of a resource, found "rat"; there are '
        "clay_pit, ore_vein",
    ),
    "workshop on the map": (
        [("map.tiles.+", {**TILE, "x": 9, "y": 9, "content": {"type": "workshop", "code": "smith"}})],
        "map.json: $.tiles[10].content.code: expected one of the world's skills (is 'smithing' meant?), "
        'found "smith"',
    ),
    "skill of a resource": (
        [("resources.resources.0.skill", "diging")],
        "resources.json: $.resources[0].skill: expected one of the world's skills (is 'digging' meant?), "
        'found "diging"',
    ),
    "skill of a recipe": (
        [("items.items.7.recipe.skill", "smithin")],
        "items.json: $.items[7].recipe.skill: expected one of the world's skills (is 'smithing' meant?), "
        'found "smithin"',
    ),
    "element of an attack": (
        [("monsters.monsters.0.attack.frot", 1)],
        "monsters.json: $.monsters[0].attack.frot: expected one of the world's elements (is 'frost' "
        'meant?), found "frot"',
    ),
    "element of a resistance": (
        [("monsters.monsters.0.resistance.moon", 1)],
        'monsters.json: $.monsters[0].resistance.moon: expected one of the world\'s elements, found "moon"; '
        "there are heat, frost",
    ),
    **{
        f"effect {effect}": (
            [(f"items.items.9.effects.{effect}", 1)],
            f"items.json: $.items[9].effects.{effect}: expected an effect on one of the world's elements, "
            f'found "{effect}"; there are heat, frost',
        )
        for effect in ("attack_fire", "dmg_fire", "res_fire", "boost_dmg_fire")
    },
    **{
        f"a letter off: {effect}": (
            [(f"items.items.9.effects.{effect}", 1)],
            f'items.json: $.items[9].effects.{effect}: expected an effect (is {meant!r} meant?), found "{effect}"',
        )
        for effect, meant in {"atack_heat": "attack_heat", "hpp": "hp", "re_store": "restore"}.items()
    },
    "effect of a distractor": (
        [("distractors.items.0.effects.attack_moon", 1)],
        "distractors.json: $.items[0].effects.attack_moon: expected an effect on one of the world's "
        'elements, found "attack_moon"; there are heat, frost',
    ),
    "a meal that gives nothing": (
        [("items.items.14.effects.restore", 0)],
        "items.json: $.items[14].effects.restore: expected 1 or more, found 0; remove it if it restores nothing",
    ),
    "code of a monster twice": (
        [("monsters.monsters.+", {**documents(TINY)["monsters"]["monsters"][2], "name": "Other"})],
        'monsters.json: $.monsters[3].code: expected a code that no row before it has, found "wall"; '
        "$.monsters[2] has it",
    ),
    "name of a monster twice": (
        [("monsters.monsters.2.name", "Cellar Rat")],
        'monsters.json: $.monsters[2].name: expected a name that no row before it has, found "Cellar Rat"; '
        "$.monsters[0] has it",
    ),
    "code of a resource twice": (
        [("resources.resources.+", {**documents(TINY)["resources"]["resources"][1], "name": "Other"})],
        'resources.json: $.resources[2].code: expected a code that no row before it has, found "ore_vein"; '
        "$.resources[1] has it",
    ),
    "name of a resource twice": (
        [("resources.resources.1.name", "Clay Pit")],
        'resources.json: $.resources[1].name: expected a name that no row before it has, found "Clay Pit"; '
        "$.resources[0] has it",
    ),
    "code of an item twice": (
        [("items.items.+", {**ITEM, "code": "clay", "name": "Other"})],
        'items.json: $.items[16].code: expected a code that no row before it has, found "clay"; $.items[1] has it',
    ),
    "name of an item twice": (
        [("items.items.2.name", "Clay")],
        'items.json: $.items[2].name: expected a name that no row before it has, found "Clay"; $.items[1] has it',
    ),
    "code of a distractor twice": (
        [("distractors.items.+", documents(TINY)["distractors"]["items"][0])],
        'distractors.json: $.items[1].code: expected a code that no row before it has, found "moon_blade"; '
        "$.items[0] has it",
    ),
    "a distractor that there is": (
        [("distractors.items.0.code", "club")],
        'distractors.json: $.items[0].code: expected a code that no item of the world has, found "club"; '
        "give it a code of its own, or leave it out",
    ),
    "a place twice": (
        [("map.tiles.+", {**TILE, "x": 2, "y": 1})],
        "map.json: $.tiles[10]: expected a place without a tile, but tile 6 is there, found [2, 1]; move one, "
        "or leave it out",
    ),
    "a place twice in other words": (
        [("map.tiles.+", {**TILE, "x": 2.0, "y": 1.0})],
        "map.json: $.tiles[10]: expected a place without a tile, but tile 6 is there, found [2, 1]; move one, "
        "or leave it out",
    ),
    "a drop twice": (
        [("monsters.monsters.1.drops.1.item", "scale")],
        'monsters.json: $.monsters[1].drops[1].item: expected each item only once among the drops, found "scale"; '
        "leave one out, and raise the amounts of the other",
    ),
    "a start nowhere": (
        [("world.start.x", 50)],
        "world.json: $.start: expected a tile of the map, found [50, 0]; the nearest is [3, 0]",
    ),
    "a monster nowhere": (
        [("map.tiles.3", {**TILE, "x": 3, "y": 0})],
        'monsters.json: $.monsters[2].code: expected a place on the map, found "wall"; add a tile to '
        "map.json with a monster of this code",
    ),
    "a resource nowhere": (
        [("map.tiles.5", {**TILE, "x": 1, "y": 1})],
        'resources.json: $.resources[1].code: expected a place on the map, found "ore_vein"; add a tile to '
        "map.json with a resource of this code",
    ),
    "a craft without its workshop": (
        [("items.items.7.recipe.skill", "digging")],
        "items.json: $.items[7].recipe.skill: expected a skill with a workshop on the map, found "
        '"digging"; add a tile with a workshop of digging to map.json; there are workshops of brewing, '
        "smithing",
    ),
    "goods without a market": (
        [("map.tiles.8", {**TILE, "x": 0, "y": 2})],
        'world.json: $.exchange_sells: expected [], because the map has no grand exchange, found ["salt", '
        '"twig"]; add a tile with a grand_exchange to map.json, or sell nothing: write []',
    ),
    "more gold at least than at most": (
        [("monsters.monsters.0.gold", {"min": 2, "max": 1})],
        'monsters.json: $.monsters[0].gold: expected min to be at most max, found {"min": 2, "max": 1}; '
        "swap them, or raise max",
    ),
    "more drops at least than at most": (
        [("monsters.monsters.0.drops.0.min", 3)],
        'monsters.json: $.monsters[0].drops[0]: expected min to be at most max, found {"item": "fur", '
        '"one_in": 4, "min": 3, "max": 2}; swap them, or raise max',
    ),
    "more gathered at least than at most": (
        [("resources.resources.1.drops.0.min", 2)],
        'resources.json: $.resources[1].drops[0]: expected min to be at most max, found {"item": "ore", '
        '"one_in": 1, "min": 2, "max": 1}; swap them, or raise max',
    ),
    "a monster for no one": (
        [("monsters.monsters.0.intended_level", 41)],
        "monsters.json: $.monsters[0].intended_level: expected a level that a hero can reach, at most 40, found 41",
    ),
    "a resource for no one": (
        [("resources.resources.0.level", 41)],
        "resources.json: $.resources[0].level: expected a level that a hero can reach, at most 40, found 41",
    ),
    "an item for no one": (
        [("items.items.1.level", 41)],
        "items.json: $.items[1].level: expected a level that a hero can reach, at most 40, found 41",
    ),
    "a recipe for no one": (
        [("items.items.7.recipe.level", 41)],
        "items.json: $.items[7].recipe.level: expected a level that a hero can reach, at most 40, found 41",
    ),
    "a recipe that needs its product": (
        [("items.items.7.recipe.ingredients.brick", 1)],
        "items.json: $.items[7].recipe.ingredients: expected recipes that do not need their own product, "
        'found "brick > brick"; remove brick from this recipe',
    ),
    "recipes that need each other": (
        [("items.items.7.recipe.ingredients.bar_sword", 1), ("items.items.8.recipe.ingredients.brick", 1)],
        "items.json: $.items[7].recipe.ingredients: expected recipes that do not need their own product, "
        'found "brick > bar_sword > bar > brick"; remove bar_sword from this recipe',
    ),
    "an ingredient from nowhere": (
        [("items.items.+", {**ITEM, "code": "dust", "name": "Dust"}), ("items.items.7.recipe.ingredients.dust", 1)],
        "items.json: $.items[7].recipe.ingredients.dust: expected an ingredient that is dropped, gathered, "
        'crafted, owned from the start or sold by name, found "dust"; add it to the drops of a monster or a '
        "node, give it a recipe, or name it in exchange_sells",
    ),
    "a distractor that can be made": (
        [("distractors.items.0.recipe.ingredients", {"bar": 1, "fur": 2})],
        "distractors.json: $.items[0].recipe.ingredients: expected an ingredient that the world does not "
        'have, found ["bar", "fur"]; add one whose code no item has',
    ),
    "a distractor that cannot be worn": (
        [("distractors.items.0.type", "resource")],
        'distractors.json: $.items[0].type: expected a type that can be worn, found "resource"; there are '
        "blade, charm, coat",
    ),
    "a distractor to be eaten": (
        [("distractors.items.0.type", "consumable")],
        'distractors.json: $.items[0].type: expected a type that can be worn, found "consumable"; there '
        "are blade, charm, coat",
    ),
}
