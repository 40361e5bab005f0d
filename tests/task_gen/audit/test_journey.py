from __future__ import annotations

from herobench.rpg.scoring import score
from herobench.rpg.world import World
from herobench.sandbox import Sandbox
from herobench.task_gen.audit.journey import Journey
from herobench.task_gen.audit.told import Told
from herobench.task_gen.audit.workshop import make
from herobench.task_gen.oracle.steps import as_code
from tests.builders import hero_row
from tests.task_gen.audit.cases import ALL, RULES, case, final, told


def test_the_last_fight_is_fought_in_the_start_gear_but_for_the_outfit(tiny: World) -> None:
    """A hunt may have been fought in another weapon."""
    task = told(tiny, hero_row(worn={"blade": "twig"}), **{**ALL, "stats": ["twig"]})
    journey = Journey(Told(tiny, task), RULES)
    make(journey, {"club": 1, "fur_coat": 1})
    journey.wear({"blade": "club"})
    assert not journey.challenge({"coat": "fur_coat"})
    assert journey.hero.worn == {"blade": "twig", "coat": "fur_coat"}
    assert journey.game.events[-1].action.name == "fight"


def test_the_same_steps_give_the_same_game(tiny: World) -> None:
    journey = Journey(Told(tiny, told(tiny, **ALL)), RULES)
    make(journey, {"club": 1, "pearl_charm": 2})
    again = journey.again()
    assert (again.game.events, again.steps) == (journey.game.events, journey.steps)
    again.do("move", 1, 0)
    assert len(again.game.events) == len(journey.game.events) + 1


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
    assert journey.judged().score > 0, "what was made before the fight counts"
    with Sandbox(tiny, RULES) as sandbox:
        episode = sandbox.execute(task, as_code(steps))
    assert episode.ending.how == "defeated"
    assert journey.judged() == score(task, tiny, task.rules(RULES), episode)
