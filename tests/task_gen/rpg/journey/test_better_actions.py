"""Each mistake tells an action that would have been right in its place."""

from herobench.suites.rpg.journey.walk import walk
from herobench.task_gen.rpg.journey.planners import careless_plan
from herobench.task_gen.rpg.journey.regrets import find_mistakes, regrets
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.suites.rpg.journey.walks import short_journey


def test_the_better_action_of_a_mistake_has_no_regret_and_can_be_done() -> None:
    road = short_journey(8).road
    solver, plan = BackwardSolver(road), careless_plan(road, 0.3, "x")
    mistakes = find_mistakes(solver, road, walk(road, plan).steps)
    assert len(mistakes) > 5
    for mistake in mistakes:
        better = walk(road, [*plan[: mistake.action], mistake.better])
        assert better.refusal is None
        assert list(regrets(solver, better.steps[mistake.action :])) == [0]
