"""The distance of a game is what breadth-first search over the game itself finds, in every state of a level."""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from math import inf

import pytest

from herobench.suites.epoch.game.game import EpochGame
from herobench.suites.epoch.game.level import Level, load_level
from herobench.suites.epoch.game.world import level_world
from herobench.suites.epoch.making.distance import measure_distance
from herobench.suites.epoch.making.prover import play_plan, write_call
from tests.sizes import for_each

State = tuple[int, tuple[tuple[int, int], ...]]
_GOAL: State = (-1, ())


def game_state(game: EpochGame) -> State:
    return game.state, tuple(sorted(game.ages.items()))


def unlimited(found: Level) -> Level:
    return replace(found, max_steps=10**9, stagnation_window=10**9)


def every_game(start: EpochGame, most: int) -> tuple[list[EpochGame], Mapping[State, int]] | None:
    """Return a game in each state, and how far the states are from the goal; None if there are too many states."""
    actions = level_world(start.level).tool_actions
    calls = [(action.pre, write_call(start.level, str(action))) for action in actions]
    seen, games, before = {game_state(start)}, [start], dict[State, list[State]]()
    for game in games:  # grows while it is read
        for needed, call in calls:
            if needed & ~game.state:
                continue
            after = game.fork()
            after.turn({"call": call})
            if after.stop == "TEMPORAL_DECAY":
                continue
            state = _GOAL if after.stop else game_state(after)
            if not after.stop and state not in seen:
                seen.add(state)
                games.append(after)
                if len(games) > most:
                    return None
            before.setdefault(state, []).append(game_state(game))
    return games, distances_back(before)


def distances_back(before: Mapping[State, list[State]]) -> Mapping[State, int]:
    found, queue = {_GOAL: 0}, deque([_GOAL])
    while queue:
        state = queue.popleft()
        for other in before.get(state, ()):
            if other not in found:
                found[other] = found[state] + 1
                queue.append(other)
    return found


def assert_exact_everywhere(found: Level, most: int) -> bool:
    """Compare all states of a level; return whether it has few enough."""
    states = every_game(unlimited(found).start(), most)
    if states is None:
        return False
    games, true = states
    for game in games:
        distance = measure_distance(game)
        assert (distance.least, distance.most) == (true.get(game_state(game), inf),) * 2, game.facts()
    return True


@pytest.mark.parametrize("id", ["L01", "L02", pytest.param("L03", marks=pytest.mark.slow)])
def test_shipped_levels_agree_with_breadth_first_search(id: str) -> None:
    assert assert_exact_everywhere(load_level(id), 30_000)


def test_a_fact_that_cannot_be_saved_puts_the_goal_out_of_reach() -> None:
    found = load_level("L06")
    pulls = [number for number, action in enumerate(found.reference_plan) if action.startswith("(pull-lever")]
    game = play_plan(found, found.reference_plan[: pulls[0] + 1])
    assert measure_distance(game).most == found.optimal - pulls[0] - 1
    # a walk there and back, until the lever is too old for what is left
    here = next(action for action in game.world.tool_actions if action.name == "move" and not action.pre & ~game.state)
    back = next(
        action
        for action in game.world.tool_actions
        if action.name == "move" and action.args == (here.args[0], here.args[2], here.args[1])
    )
    distances = []
    for action in (here, back, here):
        game.turn({"call": write_call(found, str(action))})
        distances.append(measure_distance(game).least)
    assert distances[-1] == inf


def test_a_game_that_is_over_is_at_the_goal_or_out_of_reach() -> None:
    found = load_level("L01")
    game = play_plan(found, found.reference_plan)
    assert (measure_distance(game).least, measure_distance(game).most) == (0, 0)
    game = found.start()
    game.turn({"text": "STUCK"})
    assert measure_distance(game).least == inf


@for_each("id", ["L04", "L05", "L06"])
def test_along_a_shortest_plan_each_action_is_a_step_nearer(id: str) -> None:
    found = load_level(id)
    game, distances = found.start(), []
    for action in found.reference_plan:
        distances.append(measure_distance(game).most)
        game.turn({"call": write_call(found, action)})
    assert distances == list(range(found.optimal, 0, -1))
