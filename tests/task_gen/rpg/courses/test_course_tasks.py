"""Tasks of courses: valid worlds, proven lengths, nothing in common, and nothing in reach but what is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from herobench.prompts.rpg.render import render_prompt
from herobench.suite.generating import GenerateRequest
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.scoring import goals_reached, has_won
from herobench.suites.rpg.game.task import Goal, Task
from herobench.suites.rpg.game.world import World, slot_type
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import check_world
from herobench.task_gen.rpg.audit.families import FAMILIES
from herobench.task_gen.rpg.audit.workshop import Case
from herobench.task_gen.rpg.courses.armory import BETWEEN
from herobench.task_gen.rpg.courses.course_world import CourseWish, build, draw_shard, world_with
from herobench.task_gen.rpg.courses.draw import TOLERANCE, repeats_itself
from herobench.task_gen.rpg.generator import Generator
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.all_ways import Unprovable, all_ways_bound
from herobench.task_gen.rpg.oracle.hull import slots_inside
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Do, as_code, play
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.task_maker import TaskMaker, TaskOptions
from herobench.task_gen.rpg.tasks.spec import LENGTHS, Spec, length_on_ladder, task_group
from herobench.task_gen.rpg.twins import originals, twin, world_like
from herobench.task_gen.rpg.validation import faults
from tests.refusals import raises
from tests.sizes import for_each
from tests.task_gen.rpg.made import proof, rules

WISH = CourseWish(5, 5)
SPEC = Spec(plan="straight", defeat="final", knowledge="decoys")


@pytest.fixture(scope="module")
def world() -> World:
    return World.from_documents(build("5:5"))


@pytest.fixture(scope="module")
def tasks(world: World) -> list[Task]:
    return [Generator(world, rules, SPEC).task(index) for index in range(WISH.courses)]


@pytest.fixture(scope="module")
def sandbox(world: World) -> Iterator[Sandbox]:
    with Sandbox(world, rules, workers=1) as sandbox:
        yield sandbox


@pytest.mark.slow
def test_the_world_has_no_problem_and_is_the_same_again(world: World) -> None:
    documents = build("5:5")
    assert check_world(documents, "courses") == []
    assert World.from_documents(documents).digest == world.digest


def test_every_certificate_holds(world: World, tasks: list[Task], sandbox: Sandbox) -> None:
    for task in tasks:
        assert faults(world, rules, task, sandbox.execute) == []


def test_lengths_are_those_of_the_ladder_and_close_to_their_bounds(tasks: list[Task]) -> None:
    for index, task in enumerate(tasks):
        wanted, found = length_on_ladder(*LENGTHS, index), proof(task)
        assert abs(found.lower_bound - wanted) <= max(1, TOLERANCE * wanted)
        assert found.lower_bound <= found.actions <= 1.1 * found.lower_bound
        assert plan_decisions(found) == found.actions


def test_lengths_are_spread_evenly_over_their_logarithm() -> None:
    assert [length_on_ladder(4, 4000, index) for index in range(4)] == [4, 126, 16, 504]
    lengths = sorted(length_on_ladder(4, 4000, index) for index in range(360))
    for rung in range(10):
        least, most = 4 * 1000 ** (rung / 10), 4 * 1000 ** ((rung + 1) / 10)
        assert all(round(least) <= length <= round(most) for length in lengths[36 * rung : 36 * rung + 36])


def test_goals_that_repeat_those_right_before_them_are_found_and_not_drawn(tasks: list[Task]) -> None:
    chance = Random(3)
    for _ in range(300):
        order = [chance.choice("ab") for _ in range(chance.randint(1, 9))]
        repeated = any(order[-2 * size : -size] == order[-size:] for size in range(1, len(order) // 2 + 1))
        assert repeats_itself(order) is repeated, order
    for targets in ([goal.target for goal in task.goals] for task in tasks):
        assert not any(repeats_itself(targets[:end]) for end in range(len(targets) + 1))


def test_a_course_is_in_the_group_of_its_number_of_goals(tasks: list[Task]) -> None:
    goal = Goal("craft", "bar")
    groups = [task_group(replace(tasks[0], then=(goal,) * more)) for more in (0, 1, 2, 3, 8)]
    assert groups == ["campaign 1", "campaign 2-3", "campaign 2-3", "campaign 4-7", "campaign 8-15"]
    assert task_group(replace(tasks[0], then=(), is_short=False, difficulty=13)) == "2"
    for task in tasks:
        assert task.id.startswith(f"{task_group(task)}/")


def test_the_maker_and_the_proof_find_the_same_bound(tasks: list[Task]) -> None:
    """The two share no code: the maker searches winning loadouts, the proof carries a table of all loadouts."""
    found = [(draw_shard(WISH, index).course.actions, proof(task).lower_bound) for index, task in enumerate(tasks)]
    assert all(least <= made for made, least in found)
    assert sum(made == least for made, least in found) > len(found) * 0.8


def test_the_certificate_says_how_many_pieces_no_weighted_sum_prefers(world: World, tasks: list[Task]) -> None:
    for task in tasks:
        assert proof(task).hulls == min(slots_inside(world, rules, task)) >= 1


def test_a_wrong_number_of_such_pieces_is_told(world: World, tasks: list[Task], sandbox: Sandbox) -> None:
    task = tasks[0]
    forged = replace(task, certificate=replace(proof(task), hulls=7))
    (fault,) = faults(world, rules, forged, sandbox.execute)
    assert fault == f"some fight is won with {proof(task).hulls} pieces inside the hull of their slot, not 7"
    silent = replace(task, certificate=replace(proof(task), hulls=None))
    assert faults(world, rules, silent, sandbox.execute) == []


def test_tasks_share_neither_gear_nor_monsters_nor_materials(world: World, tasks: list[Task]) -> None:
    told = [{*task.knowledge.recipes, *task.knowledge.materials, *task.knowledge.monsters} for task in tasks]
    assert all(one.isdisjoint(other) for one, other in combinations(told, 2))
    numbers = [{world.monsters[code].stats for code in task.knowledge.monsters} for task in tasks]
    assert all(one.isdisjoint(other) for one, other in combinations(numbers, 2))


def test_each_slot_has_three_told_pieces_and_each_goal_takes_one_between() -> None:
    for index in range(WISH.courses):
        course = draw_shard(WISH, index).course
        for fight in course.fights:
            assert BETWEEN in fight.worn


def test_what_the_hero_lacks_does_not_tell_what_is_needed(world: World) -> None:
    """Of what has to be made some is needed and some is not, in the same slots, and takes the same kinds of parts."""
    made = [draw_shard(WISH, index).course for index in range(WISH.courses)]
    lacking = [course for course in made if course.recipes]
    assert lacking
    assert all(course.needed < course.recipes.keys() or len(course.recipes) == 1 for course in lacking)


# -- nothing is in reach but what is told -----------------------------------------------------------------------------


def test_the_hero_enters_told_places_only(world: World, tasks: list[Task]) -> None:
    one, other = tasks[0], tasks[2]
    foreign = next(place for place in other.knowledge.places if place not in one.knowledge.places)
    game = Game(world, one.rules(rules), one.hero)
    told, refused, home = (game.act(Action("move", ("Hero", *to))) for to in (one.knowledge.places[0], foreign, (0, 0)))
    assert told.ok
    assert home.ok
    assert (refused.status, refused.ok) == (496, False)


def test_the_prompt_says_so(world: World, tasks: list[Task]) -> None:
    prompt = render_prompt(world, tasks[0], rules)
    assert "can enter only the places that are told below" in prompt
    plain = replace(tasks[0], mechanics=replace(tasks[0].mechanics, ground="world"))
    assert "can enter only" not in render_prompt(world, plain, rules)


def test_the_oracle_plays_the_proven_plan(world: World, tasks: list[Task]) -> None:
    for task in tasks:
        steps = oracle_plan(world, task.rules(rules), task)
        assert as_code(steps) == proof(task).plan
        game = play(steps, Game(world, task.rules(rules), task.hero))
        assert len(game.events) == proof(task).actions


def test_the_oracle_makes_no_plan_of_several_goals_by_itself(world: World, tasks: list[Task]) -> None:
    with pytest.raises(Unplannable, match="the plan of several goals stands in their certificate"):
        oracle_plan(world, rules, replace(tasks[1], certificate=None))


def test_players_of_the_audit_go_through_a_course_goal_by_goal(world: World, tasks: list[Task]) -> None:
    task = next(task for task in tasks if len(task.goals) > 1)
    free = replace(task, mechanics=replace(task.mechanics, plan="program", defeat=None))
    for name, goals in {"listed": 0, "greedy": 1}.items():
        journey = FAMILIES[name].play(Case(world, rules, free))
        assert len(goals_reached(task, journey.game.events)) == goals, name


# -- what does not hold is found --------------------------------------------------------------------------------------


def forged(task: Task, **changes: Any) -> Task:
    return replace(task, certificate=replace(proof(task), **changes))


@for_each(
    ("change", "fault"),
    [
        ({"lower_bound": 3}, "the lower bound is"),
        ({"scope": "full_score"}, "the lower bound is proven for all ways to win, and the certificate says full_score"),
        ({"actions": 1}, "actions, not 1"),
        ({"depth": 1}, "the depth of the plan is"),
        ({"then": ()}, "the certificate has proofs for 1 goals, not"),
        ({"then": ({},) * 3}, "goal 2: with one missing item left out"),
    ],
)
def test_a_forged_certificate_is_found(
    change: Any, fault: str, world: World, tasks: list[Task], sandbox: Sandbox
) -> None:
    found = faults(world, rules, forged(chain(tasks), **change), sandbox.execute)
    assert any(fault in each for each in found), found


def chain(tasks: list[Task]) -> Task:
    """The first course of which a later goal asks to change gear."""
    return next(task for task in tasks if any(goal.missing for goal in task.then))


def test_a_hero_who_can_still_grow_and_a_wrong_difficulty_are_found(
    world: World, tasks: list[Task], sandbox: Sandbox
) -> None:
    young = replace(tasks[0], hero=replace(tasks[0].hero, combat=(39, 0, 150)), difficulty=1)
    told = "; ".join(faults(world, rules, young, sandbox.execute))
    assert "the hero of a course has level 39, and must have 40" in told
    assert "its difficulty is" in told


def test_a_bound_by_counts_is_not_over_all_ways(world: World, tasks: list[Task], sandbox: Sandbox) -> None:
    found = faults(world, rules, forged(tasks[0], proof="counts"), sandbox.execute)
    assert found == ["its bound is proven by counts, and that of several goals is proven for all ways to win"]


def test_gear_in_the_bag_that_shortens_the_way_lowers_the_bound(world: World, tasks: list[Task]) -> None:
    """The hero wears what the second fight takes: a way that no list of missing gear has in it."""
    task = next(task for task in tasks if len(task.goals) > 1 and task.then[0].missing)
    after, before = {**task.hero.worn, **task.missing}, {task.hero.worn[slot]: 1 for slot in task.missing}
    bag = MappingProxyType({**task.hero.inventory, **before})
    easier = replace(task, hero=replace(task.hero, worn=MappingProxyType(after), inventory=bag))
    own = task.rules(rules)
    assert all_ways_bound(world, own, easier) < all_ways_bound(world, own, task)


def test_a_piece_that_need_not_be_made_lowers_the_bound(world: World, tasks: list[Task]) -> None:
    index = next(index for index in range(WISH.courses) if draw_shard(WISH, index).course.needed)
    shard, task = draw_shard(WISH, index), tasks[index]
    given = {shard.code(piece): 1 for piece in shard.course.needed}
    rich = replace(task, hero=replace(task.hero, inventory=MappingProxyType({**task.hero.inventory, **given})))
    own = task.rules(rules)
    assert all_ways_bound(world, own, rich) < all_ways_bound(world, own, task)


@for_each(
    ("change", "reason"),
    [
        (lambda task: replace(task, mechanics=replace(task.mechanics, ground="world")), "the hero can leave"),
        (lambda task: replace(task, mechanics=replace(task.mechanics, drop_scale=2.0)), "drops fall by chance"),
        (lambda task: replace(task, hero=replace(task.hero, combat=(39, 0, 150))), "level is not the highest"),
        (lambda task: replace(task, mechanics=replace(task.mechanics, exchange="world")), "the exchange sells"),
    ],
)
def test_a_task_that_the_proof_does_not_cover_is_refused(
    change: Any, reason: str, world: World, tasks: list[Task]
) -> None:
    task = change(tasks[0])
    with pytest.raises(Unprovable, match=reason):
        all_ways_bound(world, task.rules(rules), task)


def hearth(world: World, drops: list[str]) -> World:
    """The same world with a node at its start, where each task starts and which no task tells."""
    documents = json.loads(world.source)
    node = {"code": "hearth_node", "name": "Hearth Node", "skill": world.skills[0], "level": 1}
    fallen = [{"item": code, "one_in": 1, "min": 1, "max": 1} for code in drops]
    documents["resources"]["resources"].append({**node, "drops": fallen})
    start = next(tile for tile in documents["map"]["tiles"] if (tile["x"], tile["y"]) == world.start)
    start["content"] = {"type": "resource", "code": "hearth_node"}
    assert check_world(documents, "hearth") == []
    return World.from_documents(documents)


@for_each("dies", [False, True])
def test_what_stands_where_the_hero_starts_or_wakes_is_in_reach_though_it_is_not_told(
    dies: bool, world: World, tasks: list[Task]
) -> None:
    """He crafts a piece of two raw materials that one untold node gives, and that two told nodes give too."""
    task = next(task for task in tasks if task.knowledge.recipes)
    recipes = {code: world.recipe_of(code) for code in task.knowledge.recipes}
    code, base, gem = next(
        (code, *sorted(recipe.ingredients, key=lambda part: part in world.nodes))
        for code, recipe in recipes.items()
        if recipe
        and sum(part in world.nodes for part in recipe.ingredients) == 1
        and len(recipe.ingredients) == 2
        and all(part in world.nodes or part in recipes for part in recipe.ingredients)
    )
    (raw,) = recipes[base].ingredients
    other = hearth(world, [raw, gem])
    place = other.places_of("monster", task.knowledge.monsters[0])[0] if dies else world.start
    hero = replace(task.hero, place=place, worn=MappingProxyType({}) if dies else task.hero.worn)
    craft = replace(
        task,
        world=other.digest,
        kind="craft",
        target=code,
        missing=MappingProxyType({}),
        then=(),
        is_short=True,
        hero=hero,
        mechanics=replace(task.mechanics, defeat=None),
    )
    own = craft.rules(rules)
    shops = [other.places_of("workshop", other.recipe_of(each).skill)[0] for each in (base, code)]
    steps = [
        *([Do("fight")] if dies else []),
        Do("gather", (1000,)),
        Do("move", shops[0]),
        Do("craft", (base, 20)),
        Do("move", shops[1]),
        Do("craft", (code, 1)),
    ]
    game = play(steps, Game(other, own, craft.hero))
    assert has_won(craft, own, game.events)
    assert all_ways_bound(other, own, craft) <= len(game.events)


def test_a_craft_that_another_craft_counts_for_is_not_covered(world: World, tasks: list[Task]) -> None:
    task = replace(tasks[0], then=(), is_short=False)
    with pytest.raises(Unprovable, match="the craft of another item"):
        all_ways_bound(world, replace(task.rules(rules), craft_credit="mention"), task)


def test_a_monster_that_hits_heal_is_not_covered(world: World, tasks: list[Task]) -> None:
    """To take a piece off may win then, which the table of loadouts does not have."""
    documents = json.loads(world.source)
    foe = next(row for row in documents["monsters"]["monsters"] if row["code"] == tasks[0].target)
    foe["resistance"] = {world.elements[0]: 101}
    with pytest.raises(Unprovable, match="some hits heal"):
        all_ways_bound(World.from_documents(documents), tasks[0].rules(rules), tasks[0])


# -- options and twins ------------------------------------------------------------------------------------------------


@for_each(
    "options",
    [{"noise": 2}, {"kind": "kill"}, {"brackets": (3,)}, {"knowledge": "world"}, {"craft_share": 0.5}],
)
def test_options_that_would_draw_other_tasks_are_refused(options: Any, world: World) -> None:
    with raises(TaskFault.COURSE_OPTIONS):
        Generator(world, rules, Spec(**options))


def test_a_world_of_another_maker_is_none_of_courses(tiny: World) -> None:
    assert CourseWish.of_world(replace(tiny, code="courses_7_40")) == CourseWish(7, 40)
    for code in ("courses", "courses_of_history", "courses_7", "courses_7_40_b", "remix_7_40"):
        assert CourseWish.of_world(replace(tiny, code=code)) is None


def test_more_hunts_than_a_proof_can_follow_are_refused(
    world: World, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("herobench.task_gen.rpg.oracle.all_ways._MOST_HUNTS", 0)
    hunting = [task for index, task in enumerate(tasks) if draw_shard(WISH, index).course.hunts]
    assert hunting
    for task in hunting:
        with pytest.raises(Unprovable, match="too many hunts"):
            all_ways_bound(world, task.rules(rules), task)


def test_a_course_that_the_world_does_not_have_is_refused(world: World) -> None:
    with raises(TaskFault.NO_COURSE, "5", "7"):
        Generator(world, rules, SPEC).task(6)


WRONG_WISHES = (
    "", "x", "7:", "7:0", "-1", "7:20000", "7:1:1", "9" * 30,
    "7:1:3-9", "7:1:9-10001", "7:1:9-4", "7::4-9", "7:1:4-9:1",
)  # fmt: skip


@for_each("text", WRONG_WISHES)
def test_a_wish_for_no_world_is_refused(text: str) -> None:
    with raises(TaskFault.NO_COURSES):
        CourseWish.of(text)


def test_a_twin_is_a_course_of_the_same_length_in_another_world(world: World, tasks: list[Task]) -> None:
    chosen = [tasks[1], tasks[4]]
    other = world_like(world, 77, chosen)
    wish = CourseWish.of_world(other)
    assert wish is not None
    assert (wish.courses, wish.seed == 77) == (5, False), "sets are drawn from the seeds that people type"
    assert other.digest == world_with(wish, [1, 4]).digest
    for original in [each for each in originals(tasks, 77) if each.id in {task.id for task in chosen}]:
        made = twin(other, rules, original)
        asked = next(task for task in tasks if task.id == original.id)
        assert (made.twin_of, made.mechanics) == (asked.id, asked.mechanics)
        assert abs(proof(made).lower_bound - proof(asked).lower_bound) <= max(2, 2 * TOLERANCE * proof(asked).actions)
        assert {slot_type(slot) for slot in made.hero.worn} <= {item.type for item in other.items.values()}


def test_a_course_has_no_twin_in_another_kind_of_world(classic: World, tasks: list[Task]) -> None:
    """Older versions made tasks with several goals in a shared world."""
    with raises(TaskFault.COURSE_ELSEWHERE, tasks[0].id):
        twin(classic, rules, next(originals(tasks, 3)))
    shared = replace(tasks[1], mechanics=replace(tasks[1].mechanics, ground="world"))
    with raises(TaskFault.SEVERAL_GOALS, shared.id):
        next(originals([shared], 3))


@pytest.mark.slow
def test_all_courses_of_a_world_are_made_if_no_count_is_given_and_never_more() -> None:
    def made(count: int | None, first: int = 0) -> int:
        return TaskMaker().make(GenerateRequest(TaskOptions(world="courses:1:3", first=first), 0, count, 1)).count

    assert (made(None), made(None, 2), made(2)) == (3, 1, 2)
    for count, first in ((4, 0), (2, 2), (None, 3)):
        with raises(TaskFault.TOO_MANY_COURSES, "3"):
            made(count, first)
