"""Steps do the same when played and when written as code: every plan here runs in the real sandbox."""

from collections.abc import Sequence

import pytest

from herobench.suites.rpg.game.events import Event
from herobench.suites.rpg.game.game import MOST_CHANCES, Game
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Mechanics, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Do, Step, Until, as_code, play
from tests.builders import hero_row, tiny_task
from tests.sizes import for_each, one_in
from tests.task_gen.rpg.made import load_named_world, rules, tasks

KINDS = [
    ("classic", {}, 18),
    ("classic", {"leveling": True}, 9),
    ("classic", {"knowledge": "decoys"}, 9),
    ("classic", {"stochastic": True, "brackets": (1, 2, 4)}, 6),
    ("classic", {"stochastic": True, "leveling": True, "brackets": (1,)}, 2),
    ("tiny", {"brackets": (1,)}, 8),
    ("tiny", {"brackets": (1,), "stochastic": True}, 4),
]


def by_rate(world: World, seed: int = 7, scale: float = 1.0) -> Task:
    """Return a task in which fur drops every fourth time, and pearls every twentieth."""
    strong = hero_row(stats={"hp": 1000, "attack_heat": 1_000_000})
    mechanics = Mechanics(False, scale).as_row()
    return tiny_task(world, hero=strong, seed=seed, mechanics=mechanics)


def told(events: Sequence[Event]) -> list[object]:
    """Return events without their line numbers in the plan."""
    return [(event.action._replace(line=None), event.status, event.reason, event.detail) for event in events]


def played(world: World, task: Task, steps: Sequence[Step], edition: Rules = rules) -> Game:
    return play(steps, Game(world, task.rules(edition), task.hero, task.seed))


def same_in_the_sandbox(world: World, task: Task, steps: Sequence[Step], sandbox: Sandbox) -> Game:
    """Play steps, run them as code, compare, and return the played game."""
    game = played(world, task, steps)
    episode = sandbox.execute(task, as_code(steps))
    assert episode.finished, episode.ending
    assert told(episode.events) == told(game.events)
    return game


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "count"), one_in(2, KINDS))
def test_plans_of_the_oracle_do_the_same_in_the_sandbox_as_in_a_game(
    name: str, options: dict[str, object], count: int
) -> None:
    world = load_named_world(name)
    with Sandbox(world, rules) as sandbox:
        for task in tasks(world, count, **options):
            steps = oracle_plan(world, task.rules(rules), task)
            same_in_the_sandbox(world, task, steps, sandbox)
            assert task.certificate is not None
            assert as_code(steps) == task.certificate.plan


def test_an_action_is_done_as_often_as_it_says(tiny: World, sandbox: Sandbox) -> None:
    steps = [Do("move", (1, 0)), Do("fight", (), 3), Do("move", (1, 1)), Do("gather", (4,))]
    game = same_in_the_sandbox(tiny, tiny_task(tiny), steps, sandbox)
    assert [event.action.name for event in game.events] == ["move", "fight", "fight", "fight", "move", "gather"]
    assert game.hero.inventory["ore"] == 4


def test_code_says_what_is_done_with_double_quotes_and_a_loop_only_where_it_is_needed() -> None:
    steps = [Do("move", (-1, 2)), Do("fight", (), 2), Do("craft", ("bar", 3)), Do("equip", ("blade", "club"))]
    assert as_code(steps) == (
        'move("Hero", -1, 2)\nfor _ in range(2):\n    fight("Hero")\n'
        'craft("Hero", "bar", 3)\nequip("Hero", "blade", "club")\n'
    )


def test_code_has_the_helpers_that_it_needs_and_no_others() -> None:
    assert "def" not in as_code([Do("fight")])
    fights, gathers = as_code([Until("fight", (("fur", 1),))]), as_code([Until("gather", (("clay", 1),))])
    assert ("def fight_until" in fights, "def gather_until" in fights) == (True, False)
    assert ("def fight_until" in gathers, "def gather_until" in gathers) == (False, True)
    both = as_code([Until("fight", (("fur", 1),)), Until("gather", (("clay", 1),)), Until("fight", (("fur", 9),))])
    assert both.count("def ") == 4


@for_each("seed", range(5))
def test_a_fight_is_repeated_until_enough_is_owned_and_not_once_more(tiny: World, sandbox: Sandbox, seed: int) -> None:
    steps = [Do("move", (1, 0)), Until("fight", (("fur", 5),))]
    game = same_in_the_sandbox(tiny, by_rate(tiny, seed), steps, sandbox)
    assert game.hero.inventory["fur"] in (5, 6)
    before = played(tiny, by_rate(tiny, seed), [Do("move", (1, 0)), Do("fight", (), len(game.events) - 2)])
    assert before.hero.inventory.get("fur", 0) < 5


def test_gathering_goes_on_until_there_is_enough_of_everything(tiny: World, sandbox: Sandbox) -> None:
    steps = [Do("move", (0, 1)), Until("gather", (("clay", 250), ("pearl", 11)))]
    game = same_in_the_sandbox(tiny, by_rate(tiny), steps, sandbox)
    assert game.hero.inventory["clay"] >= 250
    assert game.hero.inventory["pearl"] >= 11
    assert {event.action.args[1] for event in game.events[1:]} == {MOST_CHANCES}


def test_what_is_owned_already_counts(tiny: World, sandbox: Sandbox) -> None:
    loops = [Until("gather", wanted) for wanted in ((("clay", 100),), (("clay", 101),), ())]
    steps = [Do("move", (0, 1)), *loops]
    game = same_in_the_sandbox(tiny, by_rate(tiny), steps, sandbox)
    assert len(game.events) == 1 + 1 + 1 + 1


@pytest.mark.slow
def test_what_never_comes_ends_where_the_sandbox_ends_too(tiny: World, sandbox: Sandbox) -> None:
    steps = [Until("fight", (("fur", 1),)), Until("gather", (("clay", 1),))]
    game = played(tiny, by_rate(tiny), steps)
    episode = sandbox.execute(by_rate(tiny), as_code(steps))
    assert (episode.ending.how, episode.ending.kind) == ("limit", "actions")
    assert len(episode.events) == len(game.events) == 10_000
