"""Dominated gear, against all fights of the world; and distractors that no task can tell of."""

from typing import Any

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.candidates import gear_candidates
from herobench.task_gen.rpg.worlds.gear_checks import dominated, makeable_gear, odd_distractors, unasked
from herobench.task_gen.rpg.worlds.oddity import Spots
from tests.builders import Json
from tests.sizes import for_each
from tests.task_gen.rpg.changed import monster, thing, tiny_documents, with_more

rules = load_rules()
CLOAK: dict[str, Any] = {"code": "cloak", "kind": "coat", "effects": {"hp": 40, "res_frost": 29}, "fur": 4}


def outdone(world: World) -> set[str]:
    """Return the codes of dominated gear."""
    codes = list(world.items)
    return {codes[int(oddity.spot.path[len("$.items[") : -1])] for oddity in dominated(world, Spots(world, "w"))}


def cloak(**changes: Any) -> Json:
    return thing(**{**CLOAK, **changes})


def test_gear_that_is_worse_in_one_stat_and_better_in_none_is_outdone(tiny: World) -> None:
    assert outdone(tiny) == set()
    assert outdone(with_more(items=[cloak()])) == {"cloak"}


@for_each(
    "changes",
    [
        {"effects": {"hp": 41, "res_frost": 29}},
        {"effects": {"hp": 40, "res_frost": 30}},
        {"effects": {"hp": 39, "res_frost": 29, "res_heat": 1}},
        {"effects": {"hp": 39, "res_frost": 29, "attack_frost": 1}},
        {"kind": "charm", "effects": {"hp": 9}},
        {"fur": None, "clay": 1},
    ],
)
def test_gear_that_is_better_in_anything_is_not(changes: dict[str, Any]) -> None:
    row = {key: value for key, value in {**CLOAK, **changes}.items() if value is not None}
    assert outdone(with_more(items=[thing(**row)])) == set()


def test_gear_for_lower_levels_or_skills_or_less_work_is_not_outdone() -> None:
    great = thing("great_coat", "coat", {"hp": 90, "res_frost": 60}, fur=4, at=2)
    coats = [{**great, "level": 2}, cloak()]
    assert "cloak" in outdone(with_more(items=coats))  # by the fur coat still
    below = thing("bark", "coat", {"hp": 39}, clay=1)
    assert outdone(with_more(items=[below])) == set()  # of clay: no fights
    assert outdone(with_more(items=[below, {**thing("slab", "coat", {"hp": 50}, clay=1), "level": 2}])) == set()
    assert outdone(with_more(items=[below, thing("slab", "coat", {"hp": 50}, clay=1, at=2)])) == set()
    assert outdone(with_more(items=[below, thing("slab", "coat", {"hp": 50}, brick=1)])) == set()
    assert outdone(with_more(items=[below, thing("slab", "coat", {"hp": 50}, clay=9)])) == {"bark"}


def test_gear_that_goes_into_something_is_not_dead() -> None:
    assert outdone(with_more(items=[cloak(), thing("rug", "resource", cloak=1)])) == set()


def test_stats_that_nobody_meets_do_not_count() -> None:
    """Resistance to an element that no monster attacks in is no advantage, nor is damage in such an element."""
    content = tiny_documents()
    content["world"]["elements"].append("moon")
    content["items"]["items"].append(cloak(effects={"hp": 39, "res_frost": 29, "res_moon": 50, "dmg_moon": 50}))
    assert outdone(World.from_documents(content)) == {"cloak"}
    content["monsters"]["monsters"][0]["attack"]["moon"] = 1
    assert outdone(World.from_documents(content)) == set()


def test_whoever_may_be_asked_for_outdone_gear_may_be_asked_for_the_better(classic: World) -> None:
    """This holds in every fight, so without the dominated gear no fight loses its best choice."""
    gears = {gear.item.code: gear for found in makeable_gear(classic).values() for gear in found}
    pairs = [
        (worse, better)
        for worse in outdone(classic)
        for better in gears
        if gears[better].item.type == gears[worse].item.type and gears[better].outdoes(gears[worse])
    ]
    assert pairs
    for target in classic.monsters.values():
        for level in (1, 10, 20, 30, 40):
            found = gear_candidates(classic, target, level)
            asked = {item.code for items in found.values() for item in items}
            assert [pair for pair in pairs if pair[0] in asked and pair[1] not in asked] == []


def test_gear_of_the_last_monsters_drop_is_asked_for_once_there_is_a_stronger_one() -> None:
    trophy = thing("trophy", "charm", {"hp": 20}, scale=1)
    world = with_more(items=[trophy])
    codes = [oddity.what for oddity in unasked(world, rules, Spots(world, "w"), world.items)]
    assert any("Trophy" in what for what in codes)
    higher = with_more(items=[trophy], monsters=[monster("roc", level=30)])
    assert not any("Trophy" in o.what for o in unasked(higher, rules, Spots(higher, "w"), higher.items))


# -- distractors ------------------------------------------------------------------------------------------------------


@for_each(("level", "nearest"), [(3, 1), (8, 10), (30, 10)])
def test_the_level_of_the_nearest_gear_of_its_type_is_suggested(level: int, nearest: int) -> None:
    content = tiny_documents()
    content["distractors"]["items"][0] |= {"type": "charm", "level": level}
    world = World.from_documents(content)
    (oddity,) = odd_distractors(world, load_rules(), Spots(world, "w"))
    assert oddity.advice == f"give moon_blade level {nearest}"
