"""A ferry, two cars and three ports: what can be done, what cannot, and why, counted by hand."""

import pytest

from herobench.pddl import Atom, Grounded, SearchLimits, Simulation, ground, read_task
from herobench.pddl.relaxation import relaxed_closure
from herobench.pddl.search import Mutexes
from tests.pddl.small import CROSSING, FERRY, crossing, plan_exists
from tests.sizes import for_each


def names(grounded: Simulation, mask: int) -> list[str]:
    return [str(atom) for atom in grounded.atoms_of(mask)]


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


def test_mutexes_refute_what_relaxation_allows() -> None:
    grounded = crossing()
    both = grounded.mask([Atom("on", ("red",)), Atom("on", ("blue",))])
    assert not both & ~relaxed_closure(grounded.actions, grounded.initial)
    assert not Mutexes(grounded.actions, grounded.initial).allows(both)
    assert plan_exists(grounded, grounded.initial, both) is False
    assert plan_exists(grounded, grounded.initial, grounded.mask([Atom("on", ("red",)), Atom("docked", ("reef",))]))


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
