"""The bound against the shortest plans: in the tiny world every plan is tried, in order of length."""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.episode import FINISHED, Episode
from herobench.suites.rpg.game.events import Action, Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.lower_bound import lower_bound
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.requirements import Requirements
from tests.builders import craft_task, hero_row, tiny_task
from tests.plays import drake_task
from tests.sizes import many, some_slow
from tests.task_gen.rpg.changed import drop, material, monster, with_more
from tests.task_gen.rpg.made import proof, tasks

rules = load_rules()
NOTHING = {"recipes": [], "materials": [], "sold": [], "monsters": [], "places": [], "stats": []}

# -- every plan -------------------------------------------------------------------------------------------------------


class Search:
    """Find the shortest plan of full score by trying all plans.

    Items are gathered or bought in one go, which is never worse. Items that go into nothing, and amounts above the
    need, make no difference.
    """

    def __init__(self, world: World, task: Task) -> None:
        self.world = world
        self.task = task
        requirements = Requirements.of(world, Counter(task.missing.values()) or {task.target: 1})
        self.need = {**requirements.crafts, **requirements.raw, **dict.fromkeys(task.hero.worn.values(), 1)}
        self.most = max(self.need.values())

    def shortest(self) -> int:
        start = Game(self.world, rules, self.task.hero)
        ways, seen = deque([start]), {self.key(start)}
        while ways:
            game = ways.popleft()
            for action in self.actions(game):
                then = self.copy(game)
                if then.act(action).ok and self.key(then) not in seen:
                    if self.done(then):
                        return len(then.events)
                    seen.add(self.key(then))
                    ways.append(then)
        raise AssertionError("no plan")

    def actions(self, game: Game) -> Iterator[Action]:
        for place in self.world.tiles:
            yield Action("move", (NAME, *place))
        yield Action("gather", (NAME, self.most))
        yield Action("fight", (NAME,))
        for code in self.need.keys() & self.world.exchange_sells:
            yield Action("buy", (NAME, code, self.most))
        for code in self.need:
            for quantity in range(1, self.need[code] + 1):
                yield Action("craft", (NAME, code, quantity))
        for slot in self.world.slots[:4]:
            yield Action("unequip", (NAME, slot))
            for code in game.hero.inventory.keys() & self.need:
                if self.world.items[code].type == slot_type(slot):
                    yield Action("equip", (NAME, slot, code))

    def key(self, game: Game) -> object:
        hero = game.hero
        owned = frozenset((code, min(number, self.need.get(code, 0))) for code, number in hero.inventory.items())
        beaten = frozenset(event.detail.monster for event in game.events if isinstance(event.detail, Fought))
        return hero.place, owned, frozenset(hero.worn.items()), beaten

    def copy(self, game: Game) -> Game:
        then = Game(self.world, rules, self.task.hero)
        hero = then.hero
        for slot in list(hero.worn):
            hero.take_off(slot)
        for slot, code in game.hero.worn.items():
            hero.put_on(slot, self.world.items[code])
        hero.inventory, hero.place, hero.hp = dict(game.hero.inventory), game.hero.place, game.hero.hp
        hero.combat = game.hero.combat.copy()
        then.events = list(game.events)
        return then

    def done(self, game: Game) -> bool:
        judged = score(self.task, self.world, rules, Episode(tuple(game.events), FINISHED))
        worn = not Counter(self.task.missing.values()) - Counter(game.hero.worn.values())
        return judged.outcome == "win" and judged.score == 100 and worn


def against_the_drake(world: World, missing: dict[str, str], **hero: Any) -> Task:
    return tiny_task(world, missing=missing, hero=hero_row(**hero))


SMALL: dict[str, dict[str, Any]] = {
    "charm": {"missing": {"charm1": "pearl_charm"}, "worn": {"blade": "bar_sword"}, "stats": {"hp": 130}},
    "other charms come off": {
        "missing": {"charm1": "pearl_charm"},
        "worn": {"blade": "bar_sword", "charm1": "drake_charm", "charm2": "drake_charm"},
        "stats": {"hp": 130},
    },
    "coat": {"missing": {"coat": "fur_coat"}, "worn": {"blade": "bar_sword"}, "stats": {"hp": 130}},
    "coat, from the rat's door": {"missing": {"coat": "fur_coat"}, "worn": {"blade": "bar_sword"}, "x": 1, "y": 0},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(SMALL, {"coat", "other charms come off"}))
def test_of_a_small_fight_the_bound_is_the_length_of_the_shortest_plan(tiny: World, name: str) -> None:
    asked = dict(SMALL[name])
    task = against_the_drake(tiny, asked.pop("missing"), **asked)
    shortest = Search(tiny, task).shortest()
    assert lower_bound(tiny, rules, task) == shortest == steps(tiny, task)


@pytest.mark.slow
def test_where_another_slot_is_free_the_old_item_stays_on(tiny: World) -> None:
    worn = {"blade": "bar_sword", "charm1": "drake_charm"}
    task = against_the_drake(tiny, {"charm1": "pearl_charm"}, worn=worn, stats={"hp": 130})
    assert lower_bound(tiny, rules, task) == Search(tiny, task).shortest() == steps(tiny, task)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "sold", "place"), [("club", ["twig"], (0, 0)), ("brick", [], (0, 1))])
def test_of_a_small_craft_the_bound_is_the_length_of_the_shortest_plan(
    tiny: World, target: str, sold: list[str], place: tuple[int, int]
) -> None:
    hero = hero_row(x=place[0], y=place[1])
    task = craft_task(tiny, target, knowledge={**NOTHING, "sold": sold}, hero=hero)
    shortest = Search(tiny, task).shortest()
    assert lower_bound(tiny, rules, task) == shortest == steps(tiny, task)


def steps(world: World, task: Task) -> int:
    return sum(getattr(step, "times", 1) for step in oracle_plan(world, rules, task))


# -- what is counted --------------------------------------------------------------------------------------------------


def test_what_is_worn_has_to_come_off_where_no_slot_of_the_type_is_free(tiny: World) -> None:
    both = {"charm1": "pearl_charm", "charm2": "pearl_charm"}

    def bound(missing: dict[str, str], **worn: str) -> int:
        return lower_bound(tiny, rules, against_the_drake(tiny, missing, worn={"blade": "bar_sword", **worn}))

    free = bound({"charm1": "pearl_charm"})
    assert bound({"charm1": "pearl_charm"}, charm1="drake_charm") == free
    assert bound({"charm1": "pearl_charm"}, charm1="drake_charm", charm2="drake_charm") == free + 1
    assert bound(both) == free + 1
    assert bound(both, charm1="drake_charm") == free + 2
    assert bound(both, charm1="drake_charm", charm2="drake_charm") == free + 3


def test_everyone_who_drops_a_part_is_counted_and_a_drop_of_several_once() -> None:
    world = with_more(
        items=[material("bone"), material("horn"), material("flute", bone=6, horn=1)],
        monsters=[monster("hound", {"bone": 2}), monster("ram", {"horn": 1, "bone": 1})],
    )
    row: dict[str, Any] = {"missing": {"blade": "bar_sword"}, "hero": hero_row(worn={"blade": "club"})}
    with_flute = replace(drake_task(world, **row), missing={"blade": "flute"})
    bare = lower_bound(world, rules, replace(with_flute, missing={"blade": "brick"}))
    assert lower_bound(world, rules, with_flute) == bare - 2 + 2 * 2 + 2


def test_where_drops_go_by_chance_the_best_luck_is_counted_on() -> None:
    bone = material("bone")
    hound = monster("hound")
    hound["drops"] = [drop("bone", 1, one_in=3, most=5)]
    world = with_more(items=[bone, material("flute", bone=11)], monsters=[hound])
    task = replace(drake_task(world), missing={"blade": "flute"})
    sure = lower_bound(world, rules, task)
    lucky = lower_bound(world, replace(rules, drops="by_rate"), task)
    assert sure - lucky == 11 - 3


OPTIONS: list[tuple[int, dict[str, Any]]] = [
    (many(90, 18), {}),
    (many(18, 9), {"knowledge": "decoys"}),
    (many(18, 9), {"knowledge": "world"}),
    (many(36, 9), {"leveling": True}),
    (many(6, 2), {"brackets": (10,)}),
    (many(6, 3), {"stochastic": True, "brackets": (1, 2, 4)}),
    (20, {"kind": "craft", "brackets": (1,)}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("count", "options"), OPTIONS)
def test_the_bound_is_never_above_what_the_oracle_takes(classic: World, count: int, options: dict[str, Any]) -> None:
    for task in tasks(classic, count, **options):
        bound = lower_bound(classic, task.rules(rules), task)
        told = proof(task)
        assert bound <= told.lower_bound <= told.actions, task.id
        assert (told.proof == "search") == (bound < told.lower_bound), task.id
        assert bound > 2 * len(task.missing)


def test_nearly_every_second_task_meets_it(classic: World) -> None:
    made = tasks(classic, many(90, 18))
    assert sum(proof(task).actions == lower_bound(classic, task.rules(rules), task) for task in made) > len(made) / 3
