import copy
from dataclasses import replace
from typing import Any

from herobench.suites.rpg.game.events import Action, Event, Value, ValueReason
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.responses import character, monster_record, response
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from tests.builders import act, new_game
from tests.sizes import for_each

MATCHING = load_rules("paper-late")

Answer = tuple[int, dict[str, Any]]


def ask(game: Game, action: str, *args: Value) -> Answer:
    """An action, and what the plan gets back."""
    return response(game, act(game, action, *args))


def equipped(world: World, **hero: Any) -> Game:
    """A hero with something of everything, at the forge."""
    return new_game(
        world,
        MATCHING,
        **{
            "x": 2,
            "y": 1,
            "worn": {"blade": "club"},
            "inventory": {"clay": 7, "fur_coat": 1, "broth": 2, "ore": 1},
            "consumables": {"consumable2": {"item": "tonic", "quantity": 3}},
            **hero,
        },
    )


# -- what was carried out ----------------------------------------------------------------------------------------------


def test_a_move_tells_the_destination(tiny: World) -> None:
    game = equipped(tiny)
    status, body = ask(game, "move", 1, 0)
    assert status == 200
    assert list(body) == ["destination", "character"]
    assert body["destination"] == {
        "name": "Cellar",
        "skin": "",
        "x": 1,
        "y": 0,
        "content": {"type": "monster", "code": "rat"},
    }
    assert (body["character"]["x"], body["character"]["y"]) == (1, 0)
    assert ask(game, "move", 0, 0)[1]["destination"]["content"] is None


@for_each(
    ("place", "call", "body", "changed"),
    [
        ((0, 1), ("gather", 2), {"details": {"xp": 100, "items": [{"code": "clay", "quantity": 2},
                                                                  {"code": "pearl", "quantity": 2}]}},
         ("digging_xp", 100)),
        ((2, 1), ("craft", "brick", 2), {"details": {"xp": 300, "items": [{"code": "brick", "quantity": 2}]}},
         ("inventory", {"slot": 4, "code": "brick", "quantity": 2})),
        ((0, 2), ("buy", "salt", 4), {"item": {"code": "salt", "quantity": 4}},
         ("inventory", {"slot": 4, "code": "salt", "quantity": 4})),
    ],
)  # fmt: skip
def test_what_was_gathered_crafted_or_bought_is_told(
    tiny: World, place: tuple[int, int], call: tuple[Any, ...], body: dict[str, Any], changed: tuple[str, Any]
) -> None:
    status, told = ask(equipped(tiny, x=place[0], y=place[1]), *call)
    record, (name, value) = told["character"], changed
    assert (status, told) == (200, {**body, "character": record})
    assert list(told) == [*body, "character"]
    assert value in (record[name] if name == "inventory" else [record[name]])


def test_a_fight_tells_how_it_went(tiny: World) -> None:
    status, body = ask(equipped(tiny, x=1, y=0), "fight")
    assert status == 200
    assert list(body) == ["fight", "character"]
    unblocked = {"heat": 0, "frost": 0, "total": 0}
    assert body["fight"] == {
        "result": "win",
        "xp": 50,
        "drops": [{"code": "fur", "quantity": 1}],
        "turns": 3,
        "monster_blocked_hits": unblocked,
        "player_blocked_hits": unblocked,
        "logs": ["win in round 3: health 110, the monster's -6"],
    }
    assert body["fight"]["monster_blocked_hits"] is not body["fight"]["player_blocked_hits"]


@for_each("rounds", [49, 3])
@for_each("edition", edition_names())
def test_a_fight_that_nobody_wins_in_time_has_a_turn_more_than_rounds(tiny: World, edition: str, rounds: int) -> None:
    game = new_game(tiny, replace(load_rules(edition), rounds=rounds), x=3, y=0)
    fight = ask(game, "fight")[1]["fight"]
    assert (fight["result"], fight["turns"]) == ("lose", rounds + 1)


def test_equipping_and_unequipping_tell_slot_and_item(tiny: World) -> None:
    game = equipped(tiny)
    coat = {
        "name": "Fur Coat",
        "code": "fur_coat",
        "level": 1,
        "type": "coat",
        "subtype": "",
        "description": "",
        "effects": [{"name": "hp", "value": 40}, {"name": "res_frost", "value": 30}],
        "craft": {"skill": "smithing", "level": 1, "items": [{"code": "fur", "quantity": 4}], "quantity": 1},
    }
    status, body = ask(game, "equip", "coat", "fur_coat")
    assert (status, list(body)) == (200, ["slot", "item", "character"])
    assert (body["slot"], body["item"]) == ("coat", coat)
    assert (body["character"]["coat_slot"], body["character"]["hp"]) == ("fur_coat", 140)
    status, body = ask(game, "unequip", "coat")
    assert (status, list(body)) == (200, ["slot", "item", "character"])
    assert (body["slot"], body["item"]) == ("coat", coat)
    assert (body["character"]["coat_slot"], body["character"]["hp"]) == ("", 100)
    assert ask(game, "unequip", "consumable2", 2)[1]["item"]["code"] == "tonic"


# -- what was refused --------------------------------------------------------------------------------------------------


@for_each(
    ("action", "args", "code", "message"),
    [
        ("move", (9, 9), 404, "Map not found."),
        ("unequip", ("consumable2", 4), 478, "Insufficient quantity of the equipped item."),
    ],
)
def test_a_refusal_tells_code_and_message(
    tiny: World, action: str, args: tuple[Value, ...], code: int, message: str
) -> None:
    assert ask(equipped(tiny), action, *args) == (code, {"error": {"code": code, "message": message}})


@for_each(
    ("action", "args", "field", "message"),
    [
        ("move", ("far", 0), "x", "a whole number expected."),
        ("gather", (0,), "quantity", "at least 1 expected."),
        ("equip", ("blade", "club", 101), "quantity", "at most 100 expected."),
        ("buy", ("no thing",), "code", "letters, digits, '_' and '-' expected."),
        ("unequip", ("belt",), "slot", "one of blade, coat, charm1, charm2, consumable1, consumable2 expected."),
    ],
)
def test_unprocessable_values_are_told_as_detail_and_not_as_error(
    tiny: World, action: str, args: tuple[Value, ...], field: str, message: str
) -> None:
    detail = [{"loc": ["body", field], "msg": message, "type": "value_error"}]
    assert ask(equipped(tiny), action, *args) == (422, {"detail": detail})


def test_the_reply_is_made_of_the_parts_of_a_reason_and_not_of_its_text(tiny: World) -> None:
    event = Event(Action("move", ("Hero", "far", 0)), 422, ValueReason("a: b", "c: d expected."))
    detail = [{"loc": ["body", "a: b"], "msg": "c: d expected.", "type": "value_error"}]
    assert response(equipped(tiny), event) == (422, {"detail": detail})


def test_a_failed_craft_tells_all_three_checks(tiny: World) -> None:
    """The published `got`: 0 where nothing is owned, else what is lacking and not what is owned."""
    game = equipped(tiny, x=0, y=1, inventory={"bar": 1, "fur": 2})
    game.hero.skills["smithing"].level = 4
    status, body = ask(game, "craft", "bar_sword", 3)
    assert status == 500
    assert body == {
        "error": {
            "code": 500,
            "message": {
                "errors": {"on_workshop_tile": False, "needed_skill_level": False, "enough_items_for_craft": False},
                "workshop": {"needed": "(2, 1)", "current": "(0, 1)"},
                "skill_level": {"skill": "smithing", "needed": 5, "current": 4},
                "missing_items": [{"code": "bar", "needed": 6, "got": 5}, {"code": "fur", "needed": 3, "got": 1}],
            },
        }
    }


def test_a_craft_that_lacks_one_thing_tells_what_holds_too(tiny: World) -> None:
    message = ask(equipped(tiny), "craft", "bar", 1)[1]["error"]["message"]
    assert list(message["errors"].values()) == [True, True, False]
    assert message["missing_items"] == [{"code": "ore", "needed": 4, "got": 3}]
    absent = ask(equipped(tiny, inventory={}), "craft", "bar", 1)[1]["error"]["message"]
    assert absent["missing_items"] == [{"code": "ore", "needed": 4, "got": 0}]


# -- records -----------------------------------------------------------------------------------------------------------


def test_the_character_has_the_published_names_in_the_published_order(classic: World) -> None:
    skills = ["mining", "woodcutting", "fishing", "weaponcrafting", "gearcrafting", "jewelrycrafting", "cooking"]
    elements = ["fire", "earth", "water", "air"]
    assert list(character(classic, new_game(classic).hero)) == [
        "name",
        *("level", "xp", "max_xp"),
        *(f"{skill}_{field}" for skill in skills for field in ("level", "xp", "max_xp")),
        "hp",
        *(f"{stat}_{element}" for stat in ("attack", "dmg", "res") for element in elements),
        *("x", "y"),
        *("weapon_slot", "shield_slot", "helmet_slot", "body_armor_slot", "leg_armor_slot", "boots_slot"),
        *("ring1_slot", "ring2_slot", "amulet_slot", "artifact1_slot", "artifact2_slot", "artifact3_slot"),
        *("consumable1_slot", "consumable1_slot_quantity", "consumable2_slot", "consumable2_slot_quantity"),
        "inventory",
    ]


def test_the_character_is_as_the_hero_is(tiny: World) -> None:
    game = equipped(tiny, level=3, xp=20, next_level_xp=300)
    found = character(tiny, game.hero)
    assert found == {
        "name": "Hero", "level": 3, "xp": 20, "max_xp": 300,
        "digging_level": 10, "digging_xp": 0, "digging_max_xp": 150,
        "smithing_level": 10, "smithing_xp": 0, "smithing_max_xp": 150,
        "brewing_level": 10, "brewing_xp": 0, "brewing_max_xp": 150,
        "hp": 100, "attack_heat": 8, "attack_frost": 0,
        "dmg_heat": 0, "dmg_frost": 0, "res_heat": 0, "res_frost": 0, "x": 2, "y": 1,
        "blade_slot": "club", "coat_slot": "", "charm1_slot": "", "charm2_slot": "",
        "consumable1_slot": "", "consumable1_slot_quantity": 0,
        "consumable2_slot": "tonic", "consumable2_slot_quantity": 3,
        "inventory": [
            {"slot": 0, "code": "clay", "quantity": 7},
            {"slot": 1, "code": "fur_coat", "quantity": 1},
            {"slot": 2, "code": "broth", "quantity": 2},
            {"slot": 3, "code": "ore", "quantity": 1},
        ],
    }  # fmt: skip


def test_a_monster_has_the_published_names(tiny: World) -> None:
    assert monster_record(tiny, "drake") == {
        "name": "Frost Drake", "code": "drake", "level": 12, "hp": 200,
        "attack_heat": 5, "attack_frost": 20, "res_heat": -20, "res_frost": 50,
        "min_gold": 1, "max_gold": 9,
        "drops": [
            {"code": "scale", "rate": 10, "min_quantity": 1, "max_quantity": 1},
            {"code": "drake_charm", "rate": 50, "min_quantity": 1, "max_quantity": 1},
        ],
    }  # fmt: skip


# -- bodies are the plan's own -----------------------------------------------------------------------------------------

EVERYTHING: list[tuple[str, tuple[Value, ...]]] = [
    ("craft", ("brick", 1)),
    ("craft", ("bar", 2)),
    ("equip", ("coat", "fur_coat")),
    ("equip", ("consumable1", "broth", 2)),
    ("unequip", ("blade",)),
    ("unequip", ("blade",)),
    ("unequip", ("consumable1", 0)),
    ("equip", ("blade", "club")),
    ("move", (0, 1)),
    ("gather", (2,)),
    ("move", (0, 2)),
    ("buy", ("salt", 2)),
    ("move", (1, 0)),
    ("fight", ()),
    ("move", (2, 0)),
    ("fight", ()),
]


def spoilt(value: Any) -> None:
    """Change whatever can be changed, all the way down."""
    if isinstance(value, dict):
        for inner in value.values():
            spoilt(inner)
        value.clear()
    elif isinstance(value, list):
        for inner in value:
            spoilt(inner)
        value.append("spoilt")


def test_changing_a_body_changes_nothing_in_the_game(tiny: World) -> None:
    spoiling, untouched = equipped(tiny), equipped(tiny)
    for action, args in EVERYTHING:
        status, body = ask(spoiling, action, *args)
        again = response(spoiling, spoiling.events[-1])
        assert again == (status, copy.deepcopy(body)) == ask(untouched, action, *args)
        spoilt(body)
        assert response(spoiling, spoiling.events[-1]) == again
    assert spoiling.events == untouched.events
