"""Campaigns: what the generator draws is proven, needs its order, and is the same each time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.data.errors import UsageError
from herobench.prompts.rpg.render import render_prompt
from herobench.sandbox import Sandbox
from herobench.suites.rpg.game.episode import FINISHED, Episode
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Fighter, duel
from herobench.suites.rpg.game.scoring import Score, goals_reached, score, stages
from herobench.suites.rpg.game.task import Goal, Task, reaches
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.task_file import task_problems
from herobench.task_gen.rpg.audit.case import Case
from herobench.task_gen.rpg.audit.families import FAMILIES
from herobench.task_gen.rpg.campaigns import TOLERANCE, Draw
from herobench.task_gen.rpg.generator import Generator
from herobench.task_gen.rpg.oracle.loadouts import LoadoutFights
from herobench.task_gen.rpg.oracle.planner import campaign_plan
from herobench.task_gen.rpg.oracle.steps import Do, Step, play
from herobench.task_gen.rpg.tasks.spec import Spec, task_group
from herobench.task_gen.rpg.twins import originals, twin
from herobench.task_gen.rpg.validation import faults
from tests.builders import tiny_task
from tests.sizes import for_each, many
from tests.task_gen.rpg.made import make_task, proof, rules

MIXED = Spec(goals=9)
KILLS = Spec(goals=7, kind="kill")
CRAFTS = Spec(goals=5, kind="craft")
SPECS = (MIXED, KILLS, CRAFTS)
CALL = re.compile(r"(move|gather|buy|craft|equip|unequip|fight)\(\"Hero\"(, (\"\w+\"|-?\d+))*\)")


@pytest.fixture(scope="module")
def sandbox(classic: World) -> Iterator[Sandbox]:
    with Sandbox(classic, rules, workers=1) as opened:
        yield opened


def judged(world: World, task: Task, steps: list[Step]) -> Score:
    own = task.rules(rules)
    game = play(steps, Game(world, own, task.hero, task.seed))
    return score(task, world, own, Episode(tuple(game.events), FINISHED))


# -- what is drawn ----------------------------------------------------------------------------------------------------


@for_each("spec", SPECS)
def test_a_campaign_is_proven_in_the_sandbox_from_its_row(spec: Spec, classic: World, sandbox: Sandbox) -> None:
    row = make_task(classic, spec, 0).as_row()
    assert not [*schema_problems(row, "task", "here"), *task_problems(row, classic, "here")]
    task = Task.from_row(json.loads(json.dumps(row)))
    assert len(task.goals) == spec.goals
    assert faults(classic, rules, task, sandbox.execute) == []
    certificate = proof(task)
    assert certificate.lower_bound <= certificate.actions
    assert certificate.depth is not None
    assert certificate.depth >= len(task.goals)


@for_each("spec", SPECS)
def test_the_plan_is_straight(spec: Spec, classic: World) -> None:
    loops = r"for _ in range\(\d+\):"
    for line in proof(make_task(classic, spec, 0)).plan.splitlines():
        assert CALL.fullmatch(line.strip()) or re.fullmatch(loops, line), line


def test_before_each_kill_the_hero_has_to_change(classic: World) -> None:
    """He loses in what he wears for the goal before, and with any item left out."""
    for stage in stages(make_task(classic, KILLS, 0)):
        target = classic.monsters[stage.target].stats
        for left_out in (frozenset(stage.missing), *(frozenset([slot]) for slot in stage.missing)):
            hero = Hero(classic, stage.hero)
            for slot, code in stage.missing.items():
                if slot not in left_out:
                    if slot in hero.worn:
                        hero.take_off(slot)
                    hero.put_on(slot, classic.items[code])
            assert not duel(Fighter(hero.stats), target, rules.rounds).won


def test_a_new_monster_beats_the_hero_in_every_loadout_so_far(classic: World) -> None:
    met: set[str] = set()
    loadouts: list[dict[str, str]] = []
    for stage in stages(make_task(classic, KILLS, 0)):
        for loadout in loadouts if stage.target not in met else ():
            hero = Hero(classic, replace(stage.hero, worn=loadout))
            assert not duel(Fighter(hero.stats), classic.monsters[stage.target].stats, rules.rounds).won
        met.add(stage.target)
        loadouts.append({**stage.hero.worn, **stage.missing})


def test_no_goals_repeat_those_right_before_them(classic: World) -> None:
    order = [goal.target for goal in make_task(classic, Spec(goals=40), 0).goals]
    for end in range(len(order) + 1):
        for size in range(1, end // 2 + 1):
            assert order[end - 2 * size : end - size] != order[end - size : end]


def test_goals_that_repeat_those_right_before_them_are_found(tiny: World) -> None:
    rng = Random(3)
    for _ in range(300):
        order = [rng.choice("ab") for _ in range(rng.randint(1, 9))]
        hero = tiny_task(tiny).hero
        draw = Draw(tiny, LoadoutFights(tiny, rules, hero), goals=[Goal("craft", code) for code in order[:-1]])
        repeated = any(order[-2 * size : -size] == order[-size:] for size in range(1, len(order) // 2 + 1))
        assert draw.repeats(order[-1]) is repeated, order


def test_the_number_of_decisions_is_met(classic: World) -> None:
    spec = Spec(decisions=(4, 200))
    for index in range(many(6, 3)):
        task = make_task(classic, spec, index)
        lines = [line for line in proof(task).plan.splitlines() if not line.startswith("for")]
        wanted = spec.length(index)
        assert wanted is not None
        assert abs(len(lines) - wanted) <= max(1, TOLERANCE * wanted)


def test_lengths_are_spread_evenly_over_their_logarithm() -> None:
    spec = Spec(decisions=(4, 4000))
    assert [spec.length(index) for index in range(4)] == [4, 126, 16, 504]
    lengths = sorted(spec.length(index) or 0 for index in range(360))
    for rung in range(10):
        least, most = 4 * 1000 ** (rung / 10), 4 * 1000 ** ((rung + 1) / 10)
        assert all(round(least) <= length <= round(most) for length in lengths[36 * rung : 36 * rung + 36])


def test_a_campaign_is_the_same_whatever_was_made_before(classic: World) -> None:
    fresh = Generator(classic, rules, MIXED)
    assert fresh.task(0).as_row() == make_task(classic, MIXED, 0).as_row()
    assert fresh.task(1).as_row() != fresh.task(0).as_row()
    assert Generator(classic, rules, MIXED).task(1).as_row() == fresh.task(1).as_row()


def test_the_options_of_campaigns_change_no_other_seed() -> None:
    assert not {"goals", "decisions"} & Spec(leveling=True).as_row().keys()
    assert Spec(goals=3).as_row()["goals"] == 3


@for_each(
    ("options", "complaint"),
    [
        ({"goals": 0}, "The number of goals is 0"),
        ({"goals": 3, "decisions": (4, 4)}, "Both goals and decisions"),
        ({"decisions": (3, 9)}, "The decisions are 3 to 9"),
        ({"decisions": (9, 8)}, "The decisions are 9 to 8"),
        ({"goals": 3, "stochastic": True}, "Campaigns cannot have drops by chance"),
        ({"goals": 3, "monster": "cow"}, "Campaigns cannot have one monster"),
        ({"goals": 3, "level": 7}, "Campaigns cannot have a level"),
        ({"goals": 3, "knowledge": "decoys"}, "Campaigns with decoys are courses: make them with --world courses:SEED"),
        ({"decisions": (9, 9), "knowledge": "decoys"}, "Campaigns with decoys are courses"),
    ],
)
def test_options_that_no_campaign_can_have_are_refused(classic: World, options: Any, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        Generator(classic, rules, Spec(**options))


def test_a_task_says_that_it_is_a_campaign_and_how_long(classic: World) -> None:
    task = make_task(classic, MIXED, 0)
    assert re.match(r"campaign 8-15/1_9 goals_", task.id)
    assert task_group(task) == "campaign 8-15"
    assert task_group(replace(task, then=task.then[:1])) == "campaign 2-3"
    assert task_group(replace(task, then=(), difficulty=13)) == "2"


def test_a_twin_has_as_many_goals_of_the_same_kinds(classic: World) -> None:
    tasks = [make_task(classic, spec, 0) for spec in (KILLS, CRAFTS)]
    for task, original in zip(tasks, originals(tasks, 3), strict=True):
        other = twin(classic, rules, original)
        assert other.twin_of == task.id
        assert [goal.kind for goal in other.goals] == [goal.kind for goal in task.goals]
        assert other.goals != task.goals


def test_a_twin_asks_for_the_plans_of_its_campaign_at_the_same_cost(classic: World) -> None:
    asked = Spec(goals=2, plan="straight", defeat="final", budget=1.5)
    (original,) = originals([make_task(classic, asked, 0)], 3)
    other = twin(classic, rules, original).mechanics
    assert (other.plan, other.defeat, other.budget_factor) == ("straight", "final", 1.5)


# -- what the plan is -------------------------------------------------------------------------------------------------


def test_the_order_of_the_goals_matters(classic: World) -> None:
    task = make_task(classic, KILLS, 0)
    steps = campaign_plan(classic, task.rules(rules), task)
    first, *then = reversed(task.goals)
    back = replace(task, kind=first.kind, target=first.target, missing=first.missing, then=tuple(then))
    assert (judged(classic, task, steps).outcome, judged(classic, task, steps).score) == ("win", 100)
    assert judged(classic, back, steps).outcome == "lose"


def test_every_craft_of_the_plan_is_needed(classic: World) -> None:
    for spec in (MIXED, KILLS, CRAFTS):
        task = make_task(classic, spec, 0)
        steps = campaign_plan(classic, task.rules(rules), task)
        crafts = [number for number, step in enumerate(steps) if isinstance(step, Do) and step.action == "craft"]
        assert crafts
        for number in crafts:
            assert judged(classic, task, steps[:number] + steps[number + 1 :]).outcome == "lose"


def test_a_goal_that_is_left_out_is_where_the_campaign_ends(classic: World) -> None:
    task = make_task(classic, KILLS, 0)
    own = task.rules(rules)
    events = play(campaign_plan(classic, own, task), Game(classic, own, task.hero, task.seed)).events
    left_out = task.goals[3]
    assert left_out.target not in {goal.target for goal in task.goals[:3]}
    assert len(goals_reached(task, [event for event in events if not reaches(left_out, event)])) == 3


def test_a_campaign_of_one_goal_is_judged_like_the_task_of_that_goal(classic: World) -> None:
    for index in range(3):
        task = make_task(classic, Spec(goals=1), index)
        assert task.then == ()
        assert "then" not in task.as_row()
        plan = campaign_plan(classic, task.rules(rules), task)
        assert judged(classic, task, plan).outcome == "win"
        assert judged(classic, task, plan[:-1]).outcome == "lose"


def test_players_of_the_audit_go_through_a_campaign_goal_by_goal(classic: World) -> None:
    case = Case(classic, rules, make_task(classic, Spec(goals=3), 0))
    for name, goals in {"listed": 2, "craftable": 2, "trial": 3, "oracle": 3}.items():
        journey = FAMILIES[name].play(case)
        assert len(goals_reached(case.task, journey.game.events)) == goals, name
        assert (journey.judged().outcome == "win") is (goals == 3), name


# -- what is told -----------------------------------------------------------------------------------------------------


def test_the_prompt_grows_slower_than_the_plan(classic: World) -> None:
    short, long = (make_task(classic, Spec(goals=number), 0) for number in (5, 40))
    longer = proof(long).actions / proof(short).actions
    assert len(render_prompt(classic, long, rules)) < longer / 1.5 * len(render_prompt(classic, short, rules))


# -- what is validated ------------------------------------------------------------------------------------------------


def figures(**changed: Any) -> Callable[[Task], Task]:
    return lambda task: replace(task, certificate=replace(proof(task), **changed))


def other_goal(task: Task) -> Task:
    """Ask last for a monster that the hero beats in what he wears already."""
    return replace(task, then=(*task.then[:-1], Goal("kill", "chicken", {"boots": "copper_boots"})))


@for_each(
    ("spoil", "fault"),
    [
        (figures(depth=3), "the depth of the plan is"),
        (figures(lower_bound=1), "the lower bound is"),
        (figures(then=()), "the certificate has proofs for 1 goals, not 7"),
        (lambda task: figures(then=({}, *proof(task).then[1:]))(task), "goal 2: with one missing item left out"),
        (other_goal, "goal 7: a hero with 0 more health wins without the missing items"),
        (lambda task: replace(task, hero=replace(task.hero, combat=(39, 0, 150))), "has level 39, and must have 40"),
        (lambda task: replace(task, difficulty=1), "its difficulty is"),
        (
            lambda task: replace(task, knowledge=replace(task.knowledge, level="decoys")),
            "it tells of decoys, and its bound is not proven for all ways to win",
        ),
    ],
)
def test_what_does_not_hold_is_found(
    spoil: Callable[[Task], Task], fault: str, classic: World, sandbox: Sandbox
) -> None:
    assert fault in "; ".join(faults(classic, rules, spoil(make_task(classic, KILLS, 0)), sandbox.execute))
