"""Gear that no task can ask for."""

from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.worlds.oddity import Spots
from herobench.task_gen.rpg.worlds.survey import unasked_gear
from tests.task_gen.rpg.changed import monster, thing, with_more

rules = load_rules()


def test_gear_of_the_last_monsters_drop_is_asked_for_once_there_is_a_stronger_one() -> None:
    trophy = thing("trophy", "charm", {"hp": 20}, scale=1)
    world = with_more(items=[trophy])
    codes = [oddity.what for oddity in unasked_gear(world, rules, Spots(world, "w"), world.items)]
    assert any("Trophy" in what for what in codes)
    higher = with_more(items=[trophy], monsters=[monster("roc", level=30)])
    assert not any("Trophy" in o.what for o in unasked_gear(higher, rules, Spots(higher, "w"), higher.items))
