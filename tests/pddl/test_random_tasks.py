"""The engine agrees with brute force on small random tasks."""

from heapq import heappop, heappush

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from herobench.pddl import GroundAction, Grounded, SearchLimits
from herobench.pddl.relaxation import LmCut, relaxed_closure
from herobench.pddl.search import Mutexes, a_star, enumerate_states, find_plan
from tests.pddl.small import RandomTask, State, plan_exists, random_tasks
from tests.sizes import many

trying = settings(max_examples=many(200, 12), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
WIDE = SearchLimits(10_000)


def texts(grounded: Grounded, mask: int) -> list[str]:
    return sorted(map(str, grounded.atoms_of(mask)))


def run(grounded: Grounded, plan: list[GroundAction]) -> int:
    state = grounded.initial
    for action in plan:
        assert grounded.is_applicable(state, action)
        state = grounded.progress(state, action)
    return state


def small_space(task: RandomTask) -> dict[State, int]:
    found = task.distances(task.initial)
    assume(len(found) <= 200)
    return found


@pytest.mark.slow
@trying
@given(random_tasks())
def test_actions_and_states_are_those_of_brute_force(task: RandomTask) -> None:
    grounded = task.grounded
    masks = {task.initial: grounded.initial}
    assert texts(grounded, grounded.initial) == task.texts(task.initial)
    for state in list(small_space(task))[:20]:
        mask = masks.get(state)
        if mask is None:
            continue
        after = dict(task.successors(state))
        actions = grounded.applicable(mask)
        assert [str(action) for action in actions] == sorted(after)
        for action in actions:
            new = after[str(action)]
            masks[new] = grounded.progress(mask, action)
            assert texts(grounded, masks[new]) == task.texts(new)
        applicable = {(action.name, action.args) for action in actions}
        for name, args in grounded.task.ground_actions():
            action = grounded.ground_action(name, args)
            assert ((name, args) in applicable) == grounded.is_applicable(mask, action)
            assert ((name, args) in applicable) == (not grounded.false_preconditions(mask, action))


@trying
@given(random_tasks())
def test_what_is_reachable_is_what_brute_force_reaches(task: RandomTask) -> None:
    grounded = task.grounded
    space = small_space(task)
    states, complete = enumerate_states(grounded.actions, grounded.initial, 400)
    assert complete
    assert sorted(texts(grounded, state) for state in states) == sorted(map(task.texts, space))
    atoms = {text for state in space for text in task.texts(state)}
    found = grounded.reachable_atoms(WIDE)
    assert set(texts(grounded, found.reachable)) == atoms
    assert not found.unknown
    assert found.reachable | found.never == grounded.reachable == relaxed_closure(grounded.actions, grounded.initial)
    actions = grounded.reachable_actions(WIDE)
    assert {str(action) for action in actions.reachable} == {
        text for state in space for text, _ in task.successors(state)
    }
    assert not actions.unknown


@trying
@given(random_tasks())
def test_no_reachable_state_has_mutexes(task: RandomTask) -> None:
    states, _ = enumerate_states(task.grounded.actions, task.grounded.initial, 300)
    mutexes = Mutexes(task.grounded.actions, task.grounded.initial)
    assert all(mutexes.allows(state) for state in states)


@trying
@given(random_tasks())
def test_shortest_plans_are_as_long_as_those_of_brute_force(task: RandomTask) -> None:
    grounded = task.grounded
    lengths = [steps for state, steps in small_space(task).items() if task.goal <= state]
    outcome = grounded.a_star(grounded.initial, limits=WIDE)
    greedy = find_plan(grounded.actions, grounded.initial, grounded.goal, WIDE)
    exists = plan_exists(grounded, grounded.initial, grounded.goal, WIDE)
    assert outcome.exists is greedy.exists is exists is bool(lengths)
    if outcome.plan is None or greedy.plan is None:
        return
    assert len(outcome.plan) == min(lengths)
    assert grounded.is_goal(run(grounded, outcome.plan))
    assert grounded.is_goal(run(grounded, greedy.plan))
    bounded = grounded.a_star(grounded.initial, min(lengths), WIDE).plan
    assert bounded is not None
    assert len(bounded) == min(lengths)
    assert grounded.a_star(grounded.initial, min(lengths) - 1, WIDE).exists is False


@trying
@given(random_tasks())
def test_lm_cut_is_a_lower_bound_and_its_landmarks_are_disjoint(task: RandomTask) -> None:
    grounded = task.grounded
    for state in enumerate_states(grounded.actions, grounded.initial, 15)[0]:
        outcome = a_star(grounded.actions, state, grounded.goal, None, WIDE, Blind(grounded.actions, grounded.goal))
        bound = grounded.lm_cut(state)
        if outcome.plan is None:
            continue
        assert bound is not None
        assert bound <= len(outcome.plan)
        landmarks = grounded.lm_cut.landmarks(state)
        assert landmarks is not None
        assert len(landmarks) == bound
        assert all(set(landmark) & set(outcome.plan) for landmark in landmarks)
        assert len({action for landmark in landmarks for action in landmark}) == sum(map(len, landmarks))


@trying
@given(random_tasks(), st.sampled_from(["one", "two", "walk"]))
def test_lm_cut_is_a_lower_bound_where_actions_cost_nothing(task: RandomTask, free: str) -> None:
    grounded = task.grounded
    estimate = LmCut(grounded.actions, grounded.goal, free=[free])
    for state in enumerate_states(grounded.actions, grounded.initial, 15)[0]:
        cost = cheapest(grounded, state, free)
        bound = estimate(state)
        if cost is None:
            continue
        assert bound is not None
        assert bound <= cost


def cheapest(grounded: Grounded, state: int, free: str) -> int | None:
    """The cost of a cheapest plan, by a search in the order of costs."""
    queue, done = [(0, state)], set[int]()
    while queue:
        cost, state = heappop(queue)
        if grounded.is_goal(state):
            return cost
        if state not in done and len(done) < 2_000:
            done.add(state)
            for action in grounded.applicable(state):
                heappush(queue, (cost + (action.name != free), grounded.progress(state, action)))
    return None


class Blind(LmCut):
    """Knows nothing of the way to the goal."""

    def __call__(self, state: int) -> int:
        return 0


@trying
@given(random_tasks())
def test_landmarks_are_the_atoms_without_which_brute_force_finds_no_plan(task: RandomTask) -> None:
    grounded = task.grounded
    space = small_space(task)
    landmarks = grounded.landmarks(WIDE)
    if not any(task.goal <= state for state in space):
        assert landmarks is None
        return
    assert landmarks is not None
    assert not landmarks.unknown
    outside = {fact for state in space for fact in state} - task.initial - task.goal
    needed = [
        fact
        for fact in outside
        if not any(
            task.goal <= state for state in task.distances(task.initial, lambda _, after, fact=fact: fact not in after)
        )
    ]
    assert texts(grounded, landmarks.needed) == sorted(f"({' '.join(fact)})" for fact in needed)
