"""Tasks with too many groundings are refused before these are made."""

import pytest

from herobench.pddl import TooLarge, ground, read_task
from herobench.pddl.grounding import MOST_ACTIONS

DOMAIN = """(define (domain big) (:requirements :strips :typing) (:types thing)
  (:predicates (on ?x - thing) (held ?x - thing) {predicates})
  (:action take :parameters ({parameters} - thing) :precondition (and {precondition}) :effect (and {effect})))"""
PROBLEM = "(define (problem p) (:domain big) (:objects {objects} - thing) (:init {init}) (:goal (held t1)))"


def grounded(
    size: int, parameters: str, precondition: str = "", effect: str = "(held ?a)", predicates: str = ""
) -> int:
    things = [f"t{number}" for number in range(size)]
    domain = DOMAIN.format(parameters=parameters, precondition=precondition, effect=effect, predicates=predicates)
    init = " ".join(f"(on {thing})" for thing in things)
    return len(ground(read_task(domain, PROBLEM.format(objects=" ".join(things), init=init))).actions)


@pytest.mark.parametrize(
    ("size", "parameters", "precondition", "count"),
    [
        (400, "?a ?b ?c ?d", "", 400**4),
        (400, "?a ?b ?c ?d", "(on ?a) (on ?b) (on ?c) (on ?d)", 400**4),
        (200, "?a ?b", "(on ?a) (on ?b)", 200**2),
    ],
)
def test_the_action_and_the_number_of_its_groundings_are_named(
    size: int, parameters: str, precondition: str, count: int
) -> None:
    with pytest.raises(TooLarge) as raised:
        grounded(size, parameters, precondition)
    told = f"at most {MOST_ACTIONS:,} groundings of the action take, whose types allow {count:,}"
    assert str(raised.value) == told


def test_many_well_typed_facts_are_refused_although_few_can_be_reached() -> None:
    with pytest.raises(TooLarge, match=r"of the predicate tied, whose types allow 25,600,000,000"):
        grounded(400, "?a", effect="(tied ?a ?a ?a ?a)", predicates="(tied ?w ?x ?y ?z - thing)")


def test_types_that_allow_more_than_the_precondition_leaves_are_no_hindrance() -> None:
    assert grounded(400, "?a ?b ?c ?d", "(on ?a) (= ?a ?b) (= ?b ?c) (= ?c ?d)") == 400
