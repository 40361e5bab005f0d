"""Reachability in tasks with far more states than the limits allow to look at."""

from herobench.pddl.grounded import Grounded, ground
from herobench.pddl.limits import SearchLimits
from herobench.pddl.parser import read_task

DOMAIN = """
(define (domain lamps) (:requirements :typing) (:types lamp)
  (:predicates (lit ?l - lamp) (off ?l - lamp) (both ?a ?b - lamp) (odd ?l - lamp))
  (:action light :parameters (?l - lamp) :precondition (off ?l) :effect (and (lit ?l) (not (off ?l))))
  (:action join :parameters (?a ?b - lamp) :precondition (and (lit ?a) (lit ?b)) :effect (both ?a ?b))
  (:action spoil :parameters (?l - lamp) :precondition (and (lit ?l) (off ?l)) :effect (odd ?l)))
"""


def lamps(count: int) -> Grounded:
    names = [f"l{number}" for number in range(count)]
    initial = " ".join(f"(off {name})" for name in names)
    problem = (
        f"(define (problem p) (:domain lamps) (:objects {' '.join(names)} - lamp) (:init {initial}) (:goal (lit l0)))"
    )
    return ground(read_task(DOMAIN, problem))


def test_a_sweep_decides_what_enumeration_cannot() -> None:
    grounded = lamps(20)  # a million states, of which the limit allows some hundred
    found = grounded.reachable_actions(SearchLimits(states=300))
    assert not found.unknown
    assert {action.name for action in found.never} == {"spoil"}
    assert len(found.never) == 20
    atoms = grounded.reachable_atoms(SearchLimits(states=300))
    assert not atoms.unknown
    assert {atom.name for atom in grounded.atoms_of(atoms.never)} == {"odd"}


def test_all_well_typed_atoms_and_actions_are_counted() -> None:
    task = lamps(3).task
    assert task.count_atoms(task.fluents) == len(list(task.atoms(task.fluents))) == 3 + 3 + 9 + 3
    assert task.count_actions() == len(list(task.ground_actions())) == 3 + 9 + 3
