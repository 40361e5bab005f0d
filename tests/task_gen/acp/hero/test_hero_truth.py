"""The proofs about the hero's world, against visits to all states of small worlds, and against play in real ones."""

import lzma
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from herobench.data.compressed import packed_rows
from herobench.data.documents import shipped
from herobench.data.errors import UsageError
from herobench.suites.acp.answers.players import player_answer
from herobench.suites.acp.hero.closure import Closure, Oath, OwnedGearFights
from herobench.suites.acp.hero.errand import Errand
from herobench.suites.acp.hero.judge import is_trivial, judge
from herobench.suites.acp.hero.question import FILE, HeroQuestion, action_text, hero_questions, read_hero_question
from herobench.suites.acp.hero.scene import act
from herobench.suites.acp.hero.shortest import NEVER, Shortest, goal_gear
from herobench.suites.rpg.game.events import Action, Crafted, Event, Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.told import told_world
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.acp.hero.make import default_questions, make_twins, questions_about
from herobench.task_gen.acp.hero.source import PlannedScene
from herobench.task_gen.acp.hero.states import candidates, facts_on_the_way
from herobench.task_gen.rpg.datasets import shipped_tasks
from tests.sizes import THOROUGH, many, some_slow
from tests.suites.acp import small_scenes
from tests.suites.acp.small_scenes import TooManyStates, goal_in_gear, possible, random_scene

MOST_STATES = 2_000


def seeds(count: int) -> list[object]:
    """One seed for the fast tests, the others for the slow ones."""
    return [pytest.param(seed, marks=[pytest.mark.slow] if seed else []) for seed in range(count)]


@pytest.mark.parametrize("seed", seeds(many(60, 12)))
def test_closures_enclose_all_that_can_be(seed: int) -> None:
    scene = random_scene(Random(seed))
    try:
        facts, actions = possible(scene, MOST_STATES)
    except TooManyStates:
        pytest.skip("too many states")
    fights = OwnedGearFights(scene)
    most, least = (Closure.of(scene, fights, generous=generous) for generous in (True, False))
    for fact in scene.facts():
        assert least.holds(fact) <= (fact in facts) <= most.holds(fact), fact
    for action in scene.actions():
        assert least.allows(action) <= (action_text(action) in actions) <= most.allows(action), action


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(many(30, 8)))
def test_what_a_closure_cannot_do_without_no_plan_can(seed: int) -> None:
    scene = random_scene(Random(seed))
    fights = OwnedGearFights(scene)
    if not Closure.of(scene, fights, generous=False).reaches_goal:
        pytest.skip("the goal may be out of reach")
    for fact in scene.landmarks():
        if is_trivial(scene, fact):
            continue
        most, least = (
            Closure.of(scene, fights, generous=generous, oath=Oath(*fact.split())).reaches_goal
            for generous in (True, False)
        )
        try:
            needed = small_scenes.is_needed(scene, fact, MOST_STATES)
        except TooManyStates:
            continue
        assert least <= (not needed) <= most, fact


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(many(60, 12)))
def test_proven_lengths_are_those_of_a_search_without_dominances(seed: int) -> None:
    scene = random_scene(Random(seed))
    gear = goal_gear(scene, scene.task.hero.worn) if scene.task.kind == "kill" else Counter[str]()
    shortest = Shortest(scene, gear)
    strict, loose = (shortest.bound(scene, loose=loose) for loose in (False, True))
    try:
        found = small_scenes.shortest(scene, goal_in_gear(scene.task, gear), MOST_STATES)
    except TooManyStates:
        pytest.skip("too many states")
    length = NEVER if found is None else found
    assert loose is None or loose <= length
    assert strict is None or length <= strict


@pytest.mark.parametrize("level", some_slow([1, 20, 30], {1, 30}))
def test_crafts_need_the_skill_and_gear_the_level(level: int) -> None:
    scene = PlannedScene.of(load_world(), shipped_tasks("base")["9/6_Reaper_kill"], "standard").scene.frozen()
    recipes = {code: item.recipe for code, item in scene.world.items.items() if item.recipe}
    bag = {part: 1 for recipe in recipes.values() for part in recipe.ingredients}
    bag |= dict.fromkeys(scene.task.missing.values(), 1)
    skills = dict.fromkeys(scene.task.hero.skills, (level, 0, 150))
    hero = replace(scene.task.hero, skills=skills, combat=(level, 0, 150), inventory=bag, worn={})
    closure = Closure.of(scene.with_hero(hero), OwnedGearFights(scene.with_hero(hero)), generous=True)
    assert closure.made == {code for code, recipe in recipes.items() if recipe.level <= level}
    worn = {fact.removeprefix("wear ") for fact in scene.facts() if fact.startswith("wear ") and closure.holds(fact)}
    gear = (item for code, item in scene.world.items.items() if code in closure.had)
    assert worn == {item.code for item in gear if item.level <= level and f"wear {item.code}" in scene.facts()}


def test_what_cannot_be_had_again_is_used_up_by_the_strict_closure_never() -> None:
    scene = PlannedScene.of(load_world(), shipped_tasks("base")["1/10_Battlestaff_craft"], "standard").scene.frozen()
    shops = {
        place: tile
        for place, tile in scene.world.tiles.items()
        if tile.content is None or tile.content.type == "workshop"
    }
    recipe = scene.world.recipe_of(scene.task.target)
    assert recipe is not None
    scene = replace(scene, world=replace(scene.world, tiles=shops, source="{}"))
    scene = scene.with_hero(replace(scene.task.hero, inventory=dict(recipe.ingredients)))
    most, least = (Closure.of(scene, OwnedGearFights(scene), generous=generous) for generous in (True, False))
    assert (most.reaches_goal, least.reaches_goal) == (True, False)
    assert all(least.holds(f"have {code}") for code in recipe.ingredients)


@pytest.mark.slow
def test_no_more_pieces_are_worn_than_there_are() -> None:
    answers = set()
    for seed in range(80):
        scene = random_scene(Random(seed))
        for who in scene.world.monsters:
            places = scene.world.places_of("monster", who)
            if "charm2" not in scene.world.slots or scene.world.items["bead"].level > 1 or not places:
                continue
            hero = replace(scene.task.hero, inventory={}, place=places[0])
            wins = [
                Game(scene.world, scene.rules, replace(hero, worn=dict.fromkeys(slots, "bead"))).act(act("fight"))
                for slots in ((), ("charm1",), ("charm1", "charm2"))
            ]
            one, two = (any(event.detail.won for event in wins[:count]) for count in (2, 3))
            fights = OwnedGearFights(scene)
            assert fights.can_beat(who, frozenset({("bead", 1)})) == one
            assert fights.can_beat(who, frozenset({("bead", 2)})) == two
            answers.add((one, two))
    assert answers == {(False, False), (False, True), (True, True)}


# -- questions of real tasks ------------------------------------------------------------------------------------------


def some(task: str) -> list[HeroQuestion]:
    """Questions of a task: all of the shipped ones, or some of them."""
    questions = [question for question in hero_questions().values() if question.task == task]
    return questions[:: 1 if THOROUGH else 6]


def build_game(question: HeroQuestion) -> Game:
    """The game of a question, built from its row without the code that made it."""
    row = question.as_row()["scene"]
    whole = World.from_documents(row["world"])
    task = Task.from_row(row["task"])
    rules = replace(task.rules(load_rules()), experience=question.experience)
    return Game(told_world(whole, task.knowledge, task.hero), rules, task.hero)


def play(game: Game, text: str) -> Event:
    name, _, args = text.rstrip(")").partition("(")
    return game.act(Action(name, ("Hero", *(arg for arg in args.split(", ") if arg))))


@pytest.mark.slow
def test_plain_answers_are_what_the_game_does() -> None:
    for question in some("app"):
        texts = map(action_text, question.scene.actions())
        assert question.answer == [text for text in texts if play(build_game(question), text).ok]
    for question in some("prog"):
        game = build_game(question)
        before = dict(game.hero.inventory), dict(game.hero.worn), game.hero.place
        assert play(game, question.given[0]).ok
        bag = Counter(game.hero.inventory)
        bag.subtract(before[0])
        assert question.answer.get("items", {}) == {code: count for code, count in bag.items() if count}
        assert ("worn" in question.answer) == (game.hero.worn != before[1])
        assert question.answer.get("place", list(before[2])) == list(game.hero.place)
    for question in some("val"):
        game = build_game(question)
        refused = [number for number, text in enumerate(question.given) if not play(game, text).ok]
        assert question.answer == (refused[0] if refused else None)


@pytest.mark.slow
def test_detours_are_useless_and_the_rest_of_the_plan_wins() -> None:
    for question in some("just"):
        target, game = question.scene.task.target, build_game(question)
        for number, text in enumerate(question.given):
            event = play(game, text) if number not in question.answer else None
        assert isinstance(event.detail, Fought | Crafted)
        done = event.detail.monster if isinstance(event.detail, Fought) else event.detail.item
        assert done == target


@pytest.mark.slow
def test_what_can_never_be_is_not_so_on_the_way_and_what_has_to_be_is() -> None:
    tasks = shipped_tasks("base")
    for question in some("land"):
        if any(question.scene.task.knowledge.noise):
            continue
        source = PlannedScene.of(load_world(), tasks[question.rpg_task], question.rules)
        cut = next(
            cut
            for cut in range(len(source.plan))
            if source.scene.after(source.plan[:cut]).task.hero == question.scene.task.hero
        )
        happens = facts_on_the_way(question.scene, source.plan[cut:])
        assert happens.issuperset(question.answer)


@pytest.mark.slow
def test_each_right_action_brings_the_goal_one_step_nearer_until_the_game_is_won() -> None:
    for question in some("nexta")[:6]:
        scene, length = question.scene, question.answer["length"]
        gear = Counter(question.answer["gear"])
        shortest = Shortest(scene, gear)
        is_goal, game = goal_in_gear(scene.task, gear), scene.game()
        while length > 1:
            able = candidates(scene, Errand(scene, gear))
            action = next(
                action for action in able if scene.game().act(action).ok and shortest.begins(scene, action, length)
            )
            assert not is_goal(game.act(action), game)
            scene, length = scene.after([action]), length - 1
            assert shortest.length(scene) == length
        last = [scene.game() for _ in scene.actions()]
        assert any(is_goal(game.act(action), game) for game, action in zip(last, scene.actions(), strict=True))


@pytest.mark.slow
def test_a_task_whose_quick_plan_takes_90_actions_is_solved_with_86() -> None:
    task = shipped_tasks("base")["6/12_Skeleton_kill"]
    scene = PlannedScene.of(load_world(), task, "standard").scene.frozen()
    assert Shortest(scene, goal_gear(scene, scene.task.hero.worn)).length(scene) == 86


# -- making questions -------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_questions_and_another_one_others() -> None:
    world, task = load_world(), shipped_tasks("base")["1/16_Imp_kill"]
    made = [list(questions_about(world, [task], ("prog", "val"), seed=seed)) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]
    assert [question.task for question in made[0]] == ["prog", "val"]
    assert [hero_questions()[question.key] for question in made[0]] == made[0], "of the shipped set, whose seed is 1"


def test_tasks_that_the_answers_are_not_exact_for_are_refused() -> None:
    task = next(iter(shipped_tasks("leveling").values()))
    with pytest.raises(UsageError, match="the hero's skills have to be raised for it"):
        list(questions_about(load_world(), [task]))


@pytest.mark.proves("world_data", "herobench/suites/acp", "herobench/suites/rpg", "herobench/pddl", "task_gen")
@pytest.mark.slow
def test_the_shipped_set_is_made_again_byte_for_byte() -> None:
    # The compression may differ between versions of its library, and what it holds may not.
    made = packed_rows(question.as_row() for question in default_questions())
    assert lzma.decompress(made) == lzma.decompress(shipped().joinpath("acp", FILE).read_bytes())


@pytest.mark.slow
def test_twins_are_of_the_same_kinds_in_a_world_that_nobody_has_seen() -> None:
    originals = list(hero_questions().values())[::67]
    made = make_twins(originals, 3)
    assert [(twin.task, twin.split, twin.rpg_group) for twin in made] == [
        (question.task, question.split, question.rpg_group) for question in originals
    ]
    assert made == make_twins(originals, 3) != make_twins(originals, 4)
    for twin, original in zip(made, originals, strict=True):
        assert (twin.twin_of, read_hero_question(twin.as_row())) == (original.key, twin)
        assert judge(twin, player_answer("oracle", twin, 0)).fault is None
        assert twin.scene.task.target not in original.context
    with pytest.raises(UsageError, match="can have no twin: its RPG task is not in base-v2"):
        make_twins([replace(originals[0], rpg_digest="0" * 64)], 3)


def test_a_question_has_a_twin_where_the_twin_of_its_rpg_task_gives_none() -> None:
    """In this world too few actions are told in the twin task to ask which of them can be carried out."""
    original = next(
        question
        for question in hero_questions().values()
        if (question.task, question.rpg_task) == ("app", "1/1_Cooked Beef_craft")
    )
    (twin,) = make_twins([original], 1)
    assert (twin.task, twin.rpg_group, twin.twin_of) == ("app", original.rpg_group, original.key)
    assert twin.rpg_task != original.rpg_task
