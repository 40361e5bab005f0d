"""The engine agrees with the proven answers to the published questions of ACPBench Hard.

By default each test takes a few questions.
"""

import pytest

from herobench.pddl import GroundAction, SearchLimits, Simulation, ground, read_task
from tests.pddl.published import Question, ground_action, needed, published, questions
from tests.sizes import many

pytestmark = needed


def sample(kind: str, small: int) -> list[Question]:
    """Some questions of all domains; all of them in thorough tests."""
    rows = questions(kind)
    return rows[:: max(1, len(rows) // many(len(rows), small))]


def texts(simulation: Simulation, mask: int) -> set[str]:
    return {str(atom) for atom in simulation.atoms_of(mask)}


def test_applicable_actions() -> None:
    for question in sample("app", 17):
        grounded = ground(question.task)
        assert {str(action) for action in grounded.applicable(grounded.initial)} == set(question.sound), question


def test_progression() -> None:
    for question in sample("prog", 34):
        simulation = Simulation(question.task)
        before = simulation.initial
        after = simulation.progress(before, ground_action(simulation, question.truth["action"]))
        assert texts(simulation, after & ~before) == set(question.sound["pos"]), question
        assert texts(simulation, before & ~after) == set(question.sound["neg"]), question


def test_validation() -> None:
    for question in sample("val", 34):
        simulation = Simulation(question.task)
        state, carried_out = simulation.initial, 0
        plan = question.plan(simulation)
        while simulation.is_applicable(state, plan[carried_out]):
            state = simulation.progress(state, plan[carried_out])
            carried_out += 1
        assert carried_out == question.sound, question
        assert simulation.false_preconditions(state, plan[carried_out])


def test_justification() -> None:
    for question in sample("just", 17):
        simulation = Simulation(question.task)
        plan = question.plan(simulation)
        for width, kind in ((1, "single"), (2, "pair")):
            shorter = [plan[:place] + plan[place + width :] for place in range(len(plan) - width + 1)]
            found = [place for place, actions in enumerate(shorter) if is_plan(simulation, actions)]
            assert found == question.sound[kind], question


def is_plan(simulation: Simulation, actions: list[GroundAction]) -> bool:
    state = simulation.initial
    for action in actions:
        if not simulation.is_applicable(state, action):
            return False
        state = simulation.progress(state, action)
    return simulation.is_goal(state)


def test_grounding_loses_no_reachable_atom_or_action() -> None:
    for question in sample("reach", 17):
        grounded = ground(question.task)
        assert texts(grounded, grounded.reachable) >= set(question.sound["reachable"]), question
        assert len(list(grounded.task.atoms(grounded.task.fluents))) == question.truth["universe"]
    for question in sample("areach", 10):
        assert {str(action) for action in ground(question.task).actions} >= set(question.sound["reachable"]), question


WIDE = SearchLimits(20_000)
"""Enough for nearly all questions, and about ten seconds at most."""


@pytest.mark.slow
def test_reachable_atoms() -> None:
    for question in questions("reach")[::5]:
        grounded = ground(question.task)
        found = grounded.reachable_atoms(WIDE)
        truth = set(question.sound["reachable"])
        assert texts(grounded, found.reachable) <= truth <= texts(grounded, found.reachable | found.unknown), question


@pytest.mark.slow
def test_reachable_actions() -> None:
    for question in questions("areach")[::17]:
        found = ground(question.task).reachable_actions(SearchLimits(2_000))
        truth = set(question.sound["reachable"])
        reached = set(map(str, found.reachable))
        assert reached <= truth <= reached | set(map(str, found.unknown)), question


@pytest.mark.parametrize("step", [204, pytest.param(1, marks=pytest.mark.slow)])
def test_landmarks(step: int) -> None:
    undecided = 0
    for question in questions("land")[::step]:
        grounded = ground(question.task)
        landmarks = grounded.landmarks(SearchLimits(20_000))
        assert landmarks is not None
        truth = set(question.sound)
        needed = texts(grounded, landmarks.needed)
        assert needed <= truth <= needed | texts(grounded, landmarks.unknown), question
        undecided += bool(landmarks.unknown)
    assert undecided <= 3


@pytest.mark.parametrize("step", [68, pytest.param(5, marks=pytest.mark.slow)])
def test_next_actions(step: int) -> None:
    undecided = 0
    for question in questions("nexta")[::step]:
        grounded = ground(question.task)
        opt = question.sound["opt"]
        for action in grounded.applicable(grounded.initial):
            after = grounded.progress(grounded.initial, action)
            closer = grounded.a_star(after, opt - 1, SearchLimits(3_000)).exists
            assert closer in (str(action) in question.sound["yes"], None), question
            undecided += closer is None
    assert undecided <= 12


@pytest.mark.slow
def test_all_pairs_are_read_and_grounded() -> None:
    pairs = dict.fromkeys((row["pddl_domain"], row["pddl_problem"]) for row in published())
    assert len(pairs) == 1086
    for pair in pairs:
        grounded = ground(read_task(*pair))
        assert not grounded.initial & ~grounded.reachable
