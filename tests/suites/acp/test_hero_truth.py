"""The proofs about the hero's world, against visits to all states of small worlds, and against play in real ones."""

from collections import Counter
from random import Random

import pytest

from herobench.suites.acp.hero.action import text_of
from herobench.suites.acp.hero.closure import Closure, Fights, Oath
from herobench.suites.acp.hero.judge import is_trivial
from herobench.suites.acp.hero.shortest import NEVER, Shortest, goal_gear
from herobench.suites.acp.hero.universe import actions_of, facts_of, landmarks_of
from tests.sizes import many
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
    fights = Fights(scene)
    most, least = (Closure.of(scene, fights, generous=generous) for generous in (True, False))
    for fact in facts_of(scene):
        assert least.holds(fact) <= (fact in facts) <= most.holds(fact), fact
    for action in actions_of(scene):
        assert least.allows(action) <= (text_of(action) in actions) <= most.allows(action), action


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(many(30, 8)))
def test_what_a_closure_cannot_do_without_no_plan_can(seed: int) -> None:
    scene, fights = random_scene(Random(seed)), None
    fights = Fights(scene)
    if not Closure.of(scene, fights, generous=False).reaches_goal:
        pytest.skip("the goal may be out of reach")
    for fact in landmarks_of(scene):
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
    strict, loose = (shortest._search(scene, loose=loose) for loose in (False, True))
    try:
        found = small_scenes.shortest(scene, goal_in_gear(scene.task, gear), MOST_STATES)
    except TooManyStates:
        pytest.skip("too many states")
    length = NEVER if found is None else found
    assert loose is None or loose <= length
    assert strict is None or length <= strict
