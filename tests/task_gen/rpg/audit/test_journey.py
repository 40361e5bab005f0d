from __future__ import annotations

from dataclasses import replace

from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.task_gen.rpg.audit.journey import Journey, ToldItems
from herobench.task_gen.rpg.audit.workshop import make
from herobench.task_gen.rpg.oracle.steps import as_code
from tests.builders import hero_row
from tests.sizes import for_each
from tests.task_gen.rpg.audit.cases import ALL, RULES, armed, case, final, told


def test_the_last_fight_is_fought_in_the_start_gear_but_for_the_loadout(tiny: World) -> None:
    """A hunt may have been fought in another weapon."""
    task = told(tiny, hero_row(worn={"blade": "twig"}), **{**ALL, "stats": ["twig"]})
    journey = Journey(ToldItems(tiny, task), RULES)
    make(journey, {"club": 1, "fur_coat": 1})
    journey.wear({"blade": "club"})
    assert not journey.challenge({"coat": "fur_coat"})
    assert journey.hero.worn == {"blade": "twig", "coat": "fur_coat"}
    assert journey.game.events[-1].action.name == "fight"


def test_the_same_steps_give_the_same_game(tiny: World) -> None:
    journey = Journey(ToldItems(tiny, told(tiny, **ALL)), RULES)
    make(journey, {"club": 1, "pearl_charm": 2})
    again = Journey(journey.told, RULES, journey.steps)
    assert (again.game.events, again.steps) == (journey.game.events, journey.steps)
    again.do("move", 1, 0)
    assert len(again.game.events) == len(journey.game.events) + 1


def test_a_plan_with_more_actions_than_the_sandbox_allows_is_lost(tiny: World) -> None:
    journey = case(tiny, armed(tiny, **ALL)).journey()
    journey.do("move", 1, 1, times=9_980)
    assert journey.actions_left == 20
    assert journey.final_score().missed
    journey.do("move", 1, 1, times=21)
    assert journey.actions_left < 0
    assert (journey.final_score().outcome, journey.final_score().reward) == ("lose", 0)


@for_each("budget", range(1, 24))
def test_a_budget_ends_the_journey_and_the_same_plan(tiny: World, budget: int, sandbox: Sandbox) -> None:
    """Wherever it ends: in a hunt, between two crafts, at the last fight or after it."""
    task = armed(tiny, **{**ALL, "stats": ["twig"]})
    task = replace(task, mechanics=replace(task.mechanics, budget=budget))
    journey = case(tiny, task).journey()
    assert journey.actions_left == budget
    make(journey, {"bar_sword": 1, "fur_coat": 1})
    won = journey.challenge({"blade": "bar_sword", "coat": "fur_coat"})
    assert (won, journey.actions_left) == (budget >= 18, max(0, budget - 18))
    episode = sandbox.execute(task, as_code(journey.steps))
    assert episode.ending.how == ("finished" if won else "over_budget")
    assert journey.final_score() == score(task, tiny, task.rules(RULES), episode)


def test_a_final_defeat_ends_the_journey_and_the_same_plan(tiny: World) -> None:
    task = final(told(tiny, hero_row(worn={"blade": "twig"}), **{**ALL, "stats": ["twig"]}))
    journey = case(tiny, task).journey()
    make(journey, {"fur_coat": 1})
    assert journey.actions_left > 0
    assert not journey.challenge({"coat": "fur_coat"})
    steps, events = list(journey.steps), list(journey.game.events)
    journey.do("move", 1, 0)
    make(journey, {"club": 1})  # from the twig, which would have to be taken off
    assert (journey.steps, journey.game.events, journey.actions_left) == (steps, events, 0)
    assert journey.final_score().score > 0, "what was made before the fight counts"
    with Sandbox(tiny, RULES) as sandbox:
        episode = sandbox.execute(task, as_code(steps))
    assert episode.ending.how == "defeated"
    assert journey.final_score() == score(task, tiny, task.rules(RULES), episode)
