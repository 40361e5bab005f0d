"""Plans of gathering and of hunts, against brute force."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import combinations, product
from random import Random
from types import MappingProxyType

import pytest

from herobench.suites.rpg.game.events import Action, Gathered
from herobench.suites.rpg.game.game import MOST_CHANCES, Game
from herobench.suites.rpg.game.hero import NAME, Hero, HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.gathering import Hunt, Visit, drop_chance, fewest_nodes, plan_hunts, plan_visits
from herobench.task_gen.rpg.oracle.steps import Do, Unplannable, Until, play
from tests.builders import Json
from tests.sizes import for_each, many
from tests.task_gen.rpg.changed import drop, material, monster, node, tiny_documents, with_more

rules = load_rules()
EDITIONS = ["standard", "paper-early"]
"""One with linear experience, one with that on a curve."""


def make_hero(world: World, **levels: int) -> HeroStart:
    skills = {skill: (level, 0, 150) for skill, level in levels.items()}
    return replace(HeroStart.bare(world, rules, 10), skills=MappingProxyType(skills))


def find_visits(
    world: World,
    need: Mapping[str, int],
    levels: Mapping[str, int] | None = None,
    hero: HeroStart | None = None,
    edition: Rules = rules,
    known: Collection[str] | None = None,
) -> list[Visit]:
    start = hero or make_hero(world, digging=1)
    return plan_visits(world, edition, Hero(world, start), need, levels or {}, known or world.resources)


def worked(world: World, visits: list[Visit], hero: HeroStart, edition: Rules = rules, seed: int = 0) -> Game:
    """Return the game after some visits; no action in it is refused."""
    game = Game(world, edition, hero, seed)
    for visit in visits:
        place = world.places_of("resource", visit.node)[0]
        if place != game.hero.place:
            game.act(Action("move", (NAME, *place)))
        play(visit.steps(edition, {}), game)
    assert [event for event in game.events if not event.ok] == []
    return game


# -- the fewest nodes -------------------------------------------------------------------------------------------------


def random_nodes(seed: int) -> tuple[World, list[str]]:
    """Return a world in which nodes share their drops, and some of these drops."""
    chance = Random(seed)
    leaves = [f"leaf_{number}" for number in range(chance.randint(1, 6))]
    nodes: list[Json] = []
    for number in range(chance.randint(2, 7)):
        drops = chance.sample(leaves, chance.randint(1, min(3, len(leaves))))
        nodes.append(node(f"node_{number}", dict.fromkeys(drops, 1), level=chance.choice([1, 5, 10])))
    given = {drop["item"] for row in nodes for drop in row["drops"]}
    needed = [leaf for leaf in leaves if leaf in given]
    return with_more(items=[material(leaf) for leaf in leaves], resources=nodes), needed


def gives_all(world: World, nodes: Collection[str], leaves: Collection[str]) -> bool:
    return set(leaves) <= {drop.item for node in nodes for drop in world.resources[node].drops}


@for_each("seed", range(60))
def test_no_smaller_choice_of_nodes_gives_all_that_is_needed(seed: int) -> None:
    world, leaves = random_nodes(seed)
    found = fewest_nodes(world, leaves, world.resources)
    assert gives_all(world, found, leaves)
    smaller = [some for size in range(len(found)) for some in combinations(world.resources, size)]
    assert not any(gives_all(world, some, leaves) for some in smaller)


@for_each("seed", range(20))
def test_only_nodes_that_are_known_are_chosen(seed: int) -> None:
    world, leaves = random_nodes(seed)
    known = [code for code in world.resources if Random(f"{seed}{code}").random() < 0.7]
    if not gives_all(world, known, leaves):
        with pytest.raises(Unplannable, match="no known node gives leaf_"):
            fewest_nodes(world, leaves, known)
        return
    found = fewest_nodes(world, leaves, known)
    assert set(found) <= set(known)
    assert gives_all(world, found, leaves)


def test_of_as_few_nodes_the_easier_ones_are_chosen(classic: World) -> None:
    assert fewest_nodes(classic, ["sap"], classic.resources) == ("ash_tree",)
    assert fewest_nodes(classic, ["topaz"], classic.resources) == ("copper_rocks",)
    assert fewest_nodes(classic, ["topaz", "ruby"], classic.resources) == ("coal_rocks",)
    assert fewest_nodes(classic, ["sap", "birch_wood"], classic.resources) == ("birch_tree",)
    assert fewest_nodes(classic, [], classic.resources) == ()


# -- amounts ----------------------------------------------------------------------------------------------------------


def test_a_swing_serves_all_needs_of_its_node_at_once(tiny: World) -> None:
    (visit,) = find_visits(tiny, {"clay": 3, "pearl": 5})
    assert (visit.node, visit.swings, visit.until) == ("clay_pit", 5, {})
    game = worked(tiny, [visit], make_hero(tiny, digging=1))
    assert game.hero.inventory == {"clay": 5, "pearl": 5}
    assert [event.action.name for event in game.events] == ["move", "gather"]


def test_what_falls_in_twos_takes_half_the_swings() -> None:
    world = with_more(items=[material("sand")], resources=[node("dune", {"sand": 2})])
    for need, swings in ((1, 1), (4, 2), (5, 3)):
        (visit,) = find_visits(world, {"sand": need})
        assert visit.swings == swings


def test_each_leaf_comes_from_the_node_that_gives_most_of_it() -> None:
    world = with_more(
        items=[material("sand"), material("shell"), material("kelp")],
        resources=[node("dune", {"sand": 1, "shell": 1}), node("beach", {"sand": 5, "kelp": 1})],
    )
    found = {visit.node: visit.swings for visit in find_visits(world, {"shell": 2, "kelp": 1, "sand": 20})}
    assert found == {"dune": 2, "beach": 4}


@for_each("seed", range(40))
def test_after_its_visits_the_hero_owns_what_is_needed(classic: World, seed: int) -> None:
    chance = Random(seed)
    need = {leaf: chance.randint(1, 40) for leaf in chance.sample(list(classic.nodes), chance.randint(1, 6))}
    hero = HeroStart.bare(classic, rules, 40, dict.fromkeys(classic.skills, 1 if seed % 2 else 40))
    game = worked(classic, find_visits(classic, need, hero=hero), hero)
    assert all(game.hero.inventory.get(leaf, 0) >= quantity for leaf, quantity in need.items())


# -- getting better ---------------------------------------------------------------------------------------------------


@for_each("edition", EDITIONS)
@for_each("level", range(2, 12))
def test_a_skill_is_raised_as_far_as_it_has_to_be_and_by_no_swing_more(tiny: World, edition: str, level: int) -> None:
    start, curve = make_hero(tiny, digging=1), load_rules(edition)
    if curve.xp == "log-curve" and level > 10:
        with pytest.raises(Unplannable, match="no known node takes digging beyond level 10, and 11 is needed"):
            find_visits(tiny, {}, {"digging": level}, start, curve)
        return
    visits = find_visits(tiny, {}, {"digging": level}, start, curve)
    assert worked(tiny, visits, start, curve).hero.skills["digging"].level == level
    fewer = [*visits[:-1], replace(visits[-1], swings=visits[-1].swings - 1)]
    assert worked(tiny, fewer, start, curve).hero.skills["digging"].level == level - 1


@for_each("edition", EDITIONS)
def test_he_learns_at_a_node_that_is_open_to_him_before_he_works_a_harder_one(tiny: World, edition: str) -> None:
    start, curve = make_hero(tiny, digging=1), load_rules(edition)
    visits = find_visits(tiny, {"ore": 1}, {}, start, curve)
    assert [visit.node for visit in visits] == ["clay_pit", "ore_vein"]
    assert visits[1].swings == 1
    game = worked(tiny, visits, start, curve)
    assert game.hero.inventory["ore"] == 1
    assert game.hero.skills["digging"].level == 5


def test_what_he_gathers_while_he_learns_is_not_gathered_again(tiny: World) -> None:
    pit, vein = find_visits(tiny, {"ore": 1, "clay": 4})
    alone, _ = find_visits(tiny, {"ore": 1})
    assert pit.swings == alone.swings > 4
    many, _ = find_visits(tiny, {"ore": 1, "clay": 100})
    assert (many.swings, vein.swings) == (100, 1)


def test_he_learns_on_the_best_node_that_he_can_work_as_long_as_it_teaches(classic: World) -> None:
    start = HeroStart.bare(classic, rules, 40, dict.fromkeys(classic.skills, 1))
    visits = find_visits(classic, {"strange_ore": 1}, hero=start)
    assert [classic.resources[visit.node].level for visit in visits] == [1, 10, 20, 30, 35]
    assert worked(classic, visits, start).hero.skills["mining"].level >= 35


@for_each("edition", EDITIONS)
def test_every_node_of_the_classic_world_can_be_reached_from_level_1(classic: World, edition: str) -> None:
    curve = load_rules(edition)
    start = HeroStart.bare(classic, rules, 40, dict.fromkeys(classic.skills, 1))
    for code, leaf in ((code, resource.drops[0].item) for code, resource in classic.resources.items()):
        game = worked(classic, find_visits(classic, {leaf: 1}, hero=start, edition=curve), start, curve)
        gathered = [event.detail for event in game.events if isinstance(event.detail, Gathered)]
        assert gathered[-1].resource == code


def test_where_no_node_takes_him_far_enough_there_is_no_plan(tiny: World, classic: World) -> None:
    with pytest.raises(Unplannable, match="no known node takes digging beyond level 1, and 5 is needed"):
        find_visits(tiny, {"ore": 1}, known=["ore_vein"])
    with pytest.raises(Unplannable, match="no known node takes smithing beyond level 1, and 5 is needed"):
        find_visits(tiny, {}, {"smithing": 5}, known=["clay_pit"])
    with pytest.raises(Unplannable, match="beyond level 16, and 40 is needed"):
        find_visits(tiny, {}, {"digging": 40})
    capped = replace(rules, level_cap=4)
    with pytest.raises(Unplannable, match="beyond level 4, and 5 is needed"):
        find_visits(tiny, {"ore": 1}, edition=capped)


# -- by chance --------------------------------------------------------------------------------------------------------


def test_how_likely_a_drop_is(tiny: World) -> None:
    clay, pearl = tiny.resources["clay_pit"].drops
    by_rate = replace(rules, drops="by_rate", drop_scale=4.0)
    assert [drop_chance(drop, rules) for drop in (clay, pearl)] == [1, 1]
    assert [drop_chance(drop, by_rate) for drop in (clay, pearl)] == [1, 4 / 20]


def test_where_drops_go_by_chance_calls_are_short_and_the_last_of_them_is_left_to_a_loop(tiny: World) -> None:
    by_rate = replace(rules, drops="by_rate")
    (visit,) = find_visits(tiny, {"clay": 2 * MOST_CHANCES + 50, "pearl": 3}, edition=by_rate)
    assert list(visit.steps(by_rate, {})) == [
        Do("gather", (MOST_CHANCES,)),
        Do("gather", (50,)),
        Until("gather", (("pearl", 3),)),
    ]
    assert list(Visit("clay_pit", MOST_CHANCES).steps(by_rate, {})) == [Do("gather", (MOST_CHANCES,), 1)]
    assert list(Visit("clay_pit", 5 * MOST_CHANCES).steps(rules, {})) == [Do("gather", (5 * MOST_CHANCES,), 1)]


@pytest.mark.slow
@for_each("seed", range(many(10, 5)))
def test_by_chance_too_he_owns_what_is_needed_and_no_call_is_refused(classic: World, seed: int) -> None:
    by_rate = replace(rules, drops="by_rate", drop_scale=10.0)
    chance = Random(seed)
    need = {leaf: chance.randint(1, 300) for leaf in chance.sample(list(classic.nodes), 4)}
    hero = HeroStart.bare(classic, rules, 40, dict.fromkeys(classic.skills, 1))
    visits = find_visits(classic, need, {"mining": 20}, hero, by_rate)
    game = worked(classic, visits, hero, by_rate, seed)
    assert all(game.hero.inventory[leaf] >= quantity for leaf, quantity in need.items())
    assert game.hero.skills["mining"].level >= 20
    assert max(event.detail.swings for event in game.events if isinstance(event.detail, Gathered)) <= MOST_CHANCES


# -- hunting ----------------------------------------------------------------------------------------------------------


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
