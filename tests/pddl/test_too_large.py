"""Tasks that are too large to ground are refused, and in tasks with many states the limits hold."""

from __future__ import annotations

import tracemalloc

import pytest

from herobench.pddl import PddlError, SearchLimits, TooLarge, ground, read_task
from herobench.pddl.grounded import MOST_ACTIONS, MOST_REACHED, MOST_TOGETHER, Grounded
from herobench.pddl.syntax import LONGEST
from tests.pddl.small import CROSSING, FERRY, plan_exists
from tests.sizes import for_each

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


@for_each(
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


def named(text: str, count: int) -> str:
    return " ".join(text.replace("#", str(number)) for number in range(count))


def refused(predicates: str, actions: str, objects: str, init: str) -> str:
    """Why a task is refused. Its domain has the objects as constants of the type thing."""
    domain = f"""(define (domain big) (:requirements :strips :typing) (:types thing) (:constants {objects} - thing)
      (:predicates (on ?x - thing) (held ?x - thing) {predicates}) {actions})"""
    task = read_task(domain, f"(define (problem p) (:domain big) (:init {init}) (:goal (held t0)))")
    with pytest.raises(TooLarge) as raised:
        ground(task)
    return str(raised.value)


PAIRS = "(:action take# :parameters (?a ?b - thing) :precondition (and (on ?a) (on ?b)) :effect (held ?a))"
WIDE = " ".join(f"?v{number}" for number in range(1000))


def test_the_groundings_of_all_actions_together_are_bounded() -> None:
    told = refused("", named(PAIRS, 5), named("t#", 100), named("(on t#)", 100))
    assert told == f"at most {MOST_TOGETHER:,} groundings of all actions together"


def test_the_propositions_that_can_be_reached_are_bounded() -> None:
    effects = named("(p# ?a ?b)", 30)
    action = f"(:action take :parameters (?a ?b - thing) :precondition (on ?a) :effect (and {effects}))"
    told = refused(named("(p# ?x ?y - thing)", 30), action, named("t#", 100), named("(on t#)", 100))
    assert told == f"at most {MOST_REACHED:,} propositions that actions change and that can be reached"


@pytest.mark.parametrize(
    ("parameters", "condition", "count"),
    [
        ("?a ?b ?c - thing", f"(or {named('(off ?a)', 1000)} (off ?b) (off ?c))", 20),
        ("?a ?b ?c - thing", f"(or {named('(off ?a)', 1000)} (on ?b) (on ?c))", 20),
        ("?a - thing", named("(held t#)", 2000), 2000),
        pytest.param("?a - thing", named("(not (= ?a t#))", 2500), 2500, marks=pytest.mark.slow),
    ],
)
def test_the_work_of_a_grounding_is_bounded(parameters: str, condition: str, count: int) -> None:
    action = f"(:action take :parameters ({parameters}) :precondition (and {condition}) :effect (held ?a))"
    told = refused("(off ?x - thing)", action, named("t#", count), named("(on t#) (held t#)", count))
    assert told.endswith("rows and conditions that a grounding looks at, as far as the action take")


def test_a_number_of_more_digits_than_python_writes_is_told() -> None:
    with pytest.raises(TooLarge, match="predicate wide, whose types allow more than 1,000,000,000,000,000"):
        grounded(400, "?a", effect=f"(wide {'?a ' * 1000})", predicates=f"(wide {WIDE} - thing)")


def test_a_chain_of_types_takes_memory_in_proportion_to_its_length() -> None:
    length = 3000
    chain = " ".join(f"c{number + 1} - c{number}" for number in range(length))
    domain = f"""(define (domain deep) (:requirements :strips :typing) (:types {chain} c0 - object)
      (:predicates (on ?x - c0) (low ?x - c{length})) (:action a :parameters (?x - c{length}) :effect (low ?x)))"""
    objects = " ".join(f"t{number}" for number in range(1000))
    told = f"(:objects {objects} - c{length} u - c0) (:init (on u)) (:goal (on u))"
    tracemalloc.start()
    task = read_task(domain, f"(define (problem p) (:domain deep) {told})")
    actions = ground(task).actions
    assert tracemalloc.get_traced_memory()[1] < 12_000_000
    tracemalloc.stop()
    assert len(actions) == 1000
    assert (task.objects.count("c0"), len(task.objects["object"]), task.objects["c1"][0]) == (1001, 1001, "t0")
    assert task.is_atom("on", ["t3"])
    assert not task.is_atom("low", ["u"])


def test_a_long_text_is_refused() -> None:
    with pytest.raises(PddlError, match=f"at most {LONGEST:,} characters"):
        read_task(FERRY + " " * LONGEST, CROSSING)


# -- searches ---------------------------------------------------------------------------------------------------------

FERRIED = ground(read_task(FERRY, CROSSING))


@for_each("tests", [0, 30, 100, 300, 1000, 3000, 10_000, 100_000])
def test_a_search_with_few_tests_leaves_undecided_what_it_cannot_prove(tests: int) -> None:
    ferried, limits = ground(read_task(FERRY, CROSSING)), SearchLimits(tests=tests)
    plan = ferried.a_star(ferried.initial, limits=limits)
    assert plan.exists in ((None,) if tests < 100 else (None, True) if tests < 100_000 else (True,))
    assert plan_exists(ferried, ferried.initial, ferried.goal, limits) in ((None,) if tests < 30 else (None, True))
    right, found = FERRIED.reachable_atoms(), ferried.reachable_atoms(limits)
    assert found.reachable & ~right.reachable == found.never & ~right.never == 0
    assert found.unknown == (right.reachable | right.never) & ~(found.reachable | found.never)
    needed, some = FERRIED.landmarks(), ferried.landmarks(limits)
    assert needed is not None
    assert some is not None
    assert some.needed & ~needed.needed == some.avoidable & ~needed.avoidable == 0
    assert found.unknown or tests > 30
    assert some.unknown or tests > 100


LAMPS = """
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
    return ground(read_task(LAMPS, problem))


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
