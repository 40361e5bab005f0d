"""A ferry, two cars and three ports: what can be done, what cannot, and why, counted by hand."""

import pytest

from herobench.pddl import Atom, Grounded, SearchLimits, Simulation, Unequal, ground, read_task
from herobench.pddl.relaxation import relaxed_closure
from herobench.pddl.search import Mutexes, enumerate_states
from tests.pddl.small import CROSSING, FERRY, crossing, plan_exists
from tests.sizes import for_each

WALLED = CROSSING.replace("(deep east)", "")
"""No car can be landed in the east."""


def names(grounded: Simulation, mask: int) -> list[str]:
    return [str(atom) for atom in grounded.atoms_of(mask)]


def after(grounded: Grounded, *actions: str) -> int:
    state = grounded.initial
    for text in actions:
        name, *args = text.split()
        action = grounded.ground_action(name, args)
        assert grounded.is_applicable(state, action)
        state = grounded.progress(state, action)
    return state


def test_only_actions_that_may_come_are_grounded() -> None:
    grounded = crossing()
    boats = ["east reef", "east west", "west east"]
    ports = [f"{car} {port}" for car in ("blue", "red") for port in ("east", "west")]
    assert [str(action)[1:-1] for action in grounded.actions] == [
        *(f"board {port}" for port in ports),
        *(f"land {port}" for port in ports),
        *(f"sail {boat}" for boat in boats),
    ]


def test_an_action_deletes_before_it_adds() -> None:
    domain = "(define (domain d) (:predicates (p) (q)) (:action a :effect (and (p) (not (p)) (not (q)))))"
    grounded = ground(read_task(domain, "(define (problem e) (:domain d) (:init (p) (q)) (:goal (p)))"))
    (action,) = grounded.actions
    assert names(grounded, grounded.progress(grounded.initial, action)) == ["(p)"]
    assert names(grounded, action.delete) == ["(q)"]


def test_a_plan_is_simulated_without_grounding() -> None:
    simulation = Simulation(read_task(FERRY, CROSSING))
    state = simulation.initial
    for name, *args in (
        ["sail", "east", "west"],
        ["board", "red", "west"],
        ["sail", "west", "east"],
        ["land", "red", "east"],
    ):
        action = simulation.ground_action(name, args)
        assert not simulation.is_goal(state)
        assert simulation.is_applicable(state, action)
        state = simulation.progress(state, action)
    assert simulation.is_goal(state)
    assert names(simulation, state) == ["(at blue west)", "(at red east)", "(docked east)", "(empty)"]


@for_each("of", [Simulation, Grounded])
def test_all_false_preconditions_are_named_in_the_order_of_the_text(of: type[Simulation]) -> None:
    simulation = of(read_task(FERRY, CROSSING))

    def false(name: str, *args: str) -> list[str]:
        action = simulation.ground_action(name, args)
        return [str(part) for part in simulation.false_preconditions(simulation.initial, action)]

    assert false("sail", "east", "west") == []
    assert false("sail", "west", "west") == ["(docked west)", "(not (= west west))"]
    assert false("sail", "reef", "west") == ["(sea reef west)", "(docked reef)"]
    assert false("land", "red", "reef") == ["(on red)", "(docked reef)", "(or (wide reef) (deep reef))"]
    assert false("board", "red", "west") == ["(docked west)"]


def test_an_action_that_is_not_well_typed_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(board west red\)"):
        crossing().ground_action("board", ("west", "red"))


def test_conditions_hold_or_do_not() -> None:
    grounded = crossing()
    state = grounded.initial
    assert grounded.holds(state, Atom("at", ("red", "west")))
    assert not grounded.holds(state, Atom("at", ("red", "east")))
    assert grounded.holds(state, Atom("sea", ("east", "reef")))
    assert not grounded.holds(state, Atom("sea", ("reef", "east")))
    assert grounded.holds(state, Unequal("red", "blue"))
    assert not grounded.holds(state, Unequal("red", "red"))


def test_the_shortest_plan_is_found_and_no_shorter_one() -> None:
    grounded = crossing()
    found = grounded.a_star(grounded.initial)
    assert [str(action) for action in found.plan or []] == [
        "(sail east west)",
        "(board red west)",
        "(sail west east)",
        "(land red east)",
    ]
    assert grounded.a_star(grounded.initial, 3).exists is False
    assert grounded.a_star(after(grounded, "sail east west"), 3).exists
    assert grounded.a_star(after(grounded, "sail east reef")).exists is False


def test_lm_cut_counts_disjoint_landmarks() -> None:
    grounded = crossing()
    landmarks = grounded.lm_cut.landmarks(grounded.initial)
    assert landmarks is not None
    assert sorted(str(action) for landmark in landmarks for action in landmark) == [
        "(board red west)",
        "(land red east)",
        "(sail east west)",
    ]
    assert grounded.lm_cut(grounded.initial) == 3
    assert grounded.lm_cut(after(grounded, "sail east reef")) is None


def test_landmarks_are_what_every_plan_makes_true() -> None:
    grounded = crossing()
    landmarks = grounded.landmarks()
    assert landmarks is not None
    assert names(grounded, landmarks.needed) == ["(docked west)", "(on red)"]
    assert names(grounded, landmarks.avoidable) == ["(at blue east)", "(docked reef)", "(on blue)"]
    assert ground(read_task(FERRY, WALLED)).landmarks() is None


def test_an_atom_on_one_of_two_ways_is_no_landmark() -> None:
    domain = """(define (domain d) (:predicates (left) (right) (top))
      (:action go-left :effect (left)) (:action go-right :effect (right))
      (:action up-left :precondition (left) :effect (top)) (:action up-right :precondition (right) :effect (top)))"""
    grounded = ground(read_task(domain, "(define (problem e) (:domain d) (:init) (:goal (top)))"))
    landmarks = grounded.landmarks()
    assert landmarks is not None
    assert not landmarks.needed
    assert names(grounded, landmarks.avoidable) == ["(left)", "(right)"]


def test_mutexes_refute_what_relaxation_allows() -> None:
    grounded = crossing()
    both = grounded.mask([Atom("on", ("red",)), Atom("on", ("blue",))])
    assert not both & ~relaxed_closure(grounded.actions, grounded.initial)
    assert not Mutexes(grounded.actions, grounded.initial).allows(both)
    assert plan_exists(grounded, grounded.initial, both) is False
    assert plan_exists(grounded, grounded.initial, grounded.mask([Atom("on", ("red",)), Atom("docked", ("reef",))]))


def test_reachable_atoms_and_actions_are_counted() -> None:
    grounded = crossing()
    states, complete = enumerate_states(grounded.actions, grounded.initial, 1000)
    # the boat at one of 3 ports, each car at one of 2 or on board, but not both on board
    assert (len(states), complete) == (24, True)
    assert grounded.reachable_atoms().reachable == grounded.reachable
    assert grounded.reachable_actions().reachable == grounded.actions
    assert enumerate_states(grounded.actions, grounded.initial, 5) == (states[:5], False)


def test_what_the_limits_do_not_allow_to_know_is_unknown() -> None:
    grounded = crossing()
    none = SearchLimits(0)
    assert grounded.a_star(grounded.initial, limits=none).exists is None
    assert grounded.a_star(grounded.initial, limits=none).plan is None
    landmarks = grounded.landmarks(none)
    assert landmarks is not None
    assert landmarks.unknown
    assert not landmarks.avoidable
    atoms = grounded.reachable_atoms(none)
    assert atoms.reachable | atoms.unknown == grounded.reachable
