from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.gathering import Hunt, plan_hunts
from tests.sizes import for_each
from tests.task_gen.rpg.changed import drop, material, monster, tiny_documents, with_more

rules = load_rules()


def wins(hunts: Mapping[str, Hunt]) -> dict[str, int]:
    return {who: hunt.wins for who, hunt in hunts.items()}


def owned(world: World, victories: Mapping[str, int]) -> Counter[str]:
    """Return the drops of some victories if everything always drops."""
    found: Counter[str] = Counter()
    for who, times in victories.items():
        for each in world.monsters[who].drops:
            found[each.item] += each.least * times
    return found


def random_hunt(seed: int) -> tuple[World, dict[str, int]]:
    """Return a world whose monsters share drops in different amounts, and a need for some of these drops."""
    chance = Random(seed)
    parts = [f"part_{number}" for number in range(chance.randint(1, 4))]
    monsters = []
    for number in range(chance.randint(1, 4)):
        drops = {part: chance.randint(1, 3) for part in chance.sample(parts, chance.randint(1, len(parts)))}
        monsters.append(monster(f"beast_{number}", drops, level=chance.randint(1, 5)))
    fallen = {each["item"] for row in monsters for each in row["drops"]}
    need = {part: chance.randint(0, 7) for part in parts if part in fallen and chance.random() < 0.8}
    return with_more(items=[material(part) for part in parts], monsters=monsters), need


@for_each("seed", range(60))
def test_the_hunts_give_what_is_needed_and_take_in_all_who_drop_it(seed: int) -> None:
    world, need = random_hunt(seed)
    found = wins(plan_hunts(world, rules, need, "drake"))
    assert found.keys() == {who for part in need for who in world.droppers[part]}
    assert min(found.values(), default=1) >= 1
    have = owned(world, found)
    assert all(have[part] >= quantity for part, quantity in need.items())


@for_each("seed", range(60))
def test_of_one_thing_no_fewer_victories_would_do(seed: int) -> None:
    """If several items are needed at once, the hunts are good but not always optimal."""
    world, need = random_hunt(seed)
    for part, quantity in need.items():
        found = wins(plan_hunts(world, rules, {part: quantity}, "drake"))
        ways = product(*(range(1, times + 1) for times in found.values()))
        enough = [sum(way) for way in ways if owned(world, dict(zip(found, way, strict=True)))[part] >= quantity]
        assert min(enough) == sum(found.values())


def test_most_is_taken_from_the_one_who_gives_most_and_everyone_is_beaten_once() -> None:
    world = with_more(
        items=[material("bone")],
        monsters=[monster("pup", {"bone": 1}), monster("hound", {"bone": 3}), monster("wolf", {"bone": 2})],
    )
    assert wins(plan_hunts(world, rules, {"bone": 1}, "drake")) == {"pup": 1, "hound": 1, "wolf": 1}
    assert wins(plan_hunts(world, rules, {"bone": 7}, "drake")) == {"pup": 1, "hound": 2, "wolf": 1}
    assert wins(plan_hunts(world, rules, {"bone": 100}, "drake")) == {"pup": 1, "hound": 33, "wolf": 1}


def test_of_equals_the_weaker_one_is_hunted() -> None:
    strong, weak = monster("strong", {"bone": 1}, level=9), monster("weak", {"bone": 1}, level=2)
    for monsters in ([strong, weak], [weak, strong]):
        world = with_more(items=[material("bone")], monsters=monsters)
        assert wins(plan_hunts(world, rules, {"bone": 5}, "drake")) == {"strong": 1, "weak": 4}


def test_who_drops_what_is_needed_of_nothing_is_beaten_all_the_same(tiny: World) -> None:
    assert wins(plan_hunts(tiny, rules, {"fur": 0}, "drake")) == {"rat": 1}
    assert plan_hunts(tiny, rules, {}, "drake") == {}


def test_the_target_is_never_hunted() -> None:
    world = with_more(items=[material("bone")], monsters=[monster("hound", {"bone": 3}), monster("wolf", {"bone": 2})])
    assert wins(plan_hunts(world, rules, {"bone": 7}, "hound")) == {"wolf": 4}
    assert wins(plan_hunts(world, rules, {"bone": 7}, "wolf")) == {"hound": 3}


def test_what_falls_from_the_target_alone_cannot_be_had(tiny: World) -> None:
    with pytest.raises(Unplannable, match="scale falls from the target alone"):
        plan_hunts(tiny, rules, {"fur": 1, "scale": 2}, "drake")


def test_where_drops_go_by_chance_he_hunts_until_he_owns_enough(tiny: World) -> None:
    by_rate = replace(rules, drops="by_rate")
    assert plan_hunts(tiny, by_rate, {"fur": 6}, "drake") == {"rat": Hunt(1, {"fur": 6})}
    certain = replace(by_rate, drop_scale=4.0)
    assert plan_hunts(tiny, certain, {"fur": 6}, "drake") == {"rat": Hunt(6)}


def test_by_chance_the_one_is_hunted_who_gives_most_in_the_long_run() -> None:
    content = tiny_documents()
    content["items"]["items"].append(material("bone"))
    seldom, often = monster("seldom"), monster("often")
    seldom["drops"], often["drops"] = [drop("bone", 4, one_in=10)], [drop("bone", 1, one_in=2)]
    content["monsters"]["monsters"] += [seldom, often]
    world = World.from_documents(content)
    assert plan_hunts(world, rules, {"bone": 9}, "drake") == {"seldom": Hunt(2), "often": Hunt(1)}
    by_rate = replace(rules, drops="by_rate")
    assert plan_hunts(world, by_rate, {"bone": 9}, "drake") == {"seldom": Hunt(1), "often": Hunt(1, {"bone": 9})}


def test_what_falls_now_and_then_does_not_count_towards_what_falls_every_time() -> None:
    content = tiny_documents()
    content["items"]["items"].append(material("bone"))
    sure, lucky = monster("sure"), monster("lucky")
    sure["drops"], lucky["drops"] = [drop("bone", 2)], [drop("bone", 3, one_in=2)]
    content["monsters"]["monsters"] += [sure, lucky]
    world = World.from_documents(content)
    by_rate = replace(rules, drops="by_rate")
    assert plan_hunts(world, by_rate, {"bone": 4}, "drake") == {"sure": Hunt(2), "lucky": Hunt(1)}
