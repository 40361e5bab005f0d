"""Texts in PDDL are read, or refused with the place of the problem and what was expected there."""

import pytest

from herobench.pddl import AnyOf, Atom, PddlError, Unequal, parse_domain, parse_problem, read_task
from herobench.pddl.syntax import DEEPEST
from tests.pddl.small import CROSSING, FERRY, crossing
from tests.sizes import for_each


def test_a_domain_has_what_its_text_says() -> None:
    domain = parse_domain(FERRY)
    assert domain.name == "ferry"
    assert domain.constants == {"hull": "boat"}
    assert domain.types == {"car": "thing", "port": "thing", "vehicle": "object", "thing": "object", "boat": "object"}
    assert domain.is_subtype("car", "object")
    assert not domain.is_subtype("thing", "car")
    assert domain.fluents == {"at", "docked", "empty", "on"}
    assert [kind for _, kind in domain.predicates["sea"].parameters] == ["port", "port"]
    sail, land = domain.actions["sail"], domain.actions["land"]
    assert (sail.name, sail.spelling) == ("sail", "SAIL")
    assert sail.precondition == (Atom("sea", ("?from", "?to")), Atom("docked", ("?from",)), Unequal("?from", "?to"))
    assert sail.add == (Atom("docked", ("?to",)),)
    assert sail.delete == (Atom("docked", ("?from",)),)
    assert land.precondition[2] == AnyOf((Atom("wide", ("?p",)), Atom("deep", ("?p",))))


def test_a_problem_has_what_its_text_says() -> None:
    problem = parse_problem(CROSSING, parse_domain(FERRY))
    assert problem.name == "crossing"
    assert problem.objects["blue"] == "car"
    assert problem.objects["hull"] == "boat"
    assert Atom("at", ("blue", "west")) in problem.initial
    assert problem.goal == (Atom("at", ("red", "east")), Atom("at", ("blue", "west")))


def test_a_task_knows_what_is_well_typed() -> None:
    task = read_task(FERRY, CROSSING)
    assert task.objects["thing"] == ("red", "blue", "west", "east", "reef")
    assert task.static["wide"] == {("west",)}
    assert task.is_atom("at", ("red", "west"))
    assert task.is_atom("sea", ["west", "west"])
    assert not task.is_atom("at", ("west", "red"))
    assert not task.is_atom("at", ("red",))
    assert not task.is_atom("at", ("green", "west"))
    assert not task.is_atom("near", ("red", "west"))
    assert task.is_action("board", ("red", "reef"))
    assert not task.is_action("board", ("hull", "reef"))
    assert not task.is_action("BOARD", ("red", "reef"))
    assert len(list(task.atoms(["at", "empty"]))) == 7
    assert len(list(task.ground_actions())) == 9 + 6 + 6


DOMAIN_FAULTS = {
    "(:types": "(:kinds",
    "(:constants hull - boat)": "(:constants hull - ship)",
    "boat - object)": "boat - boat)",
    "thing boat - object": "thing thing - object",
    "port - thing vehicle - object thing": "port - thing thing - port vehicle",
    "hull - boat": "hull - (either boat car)",
    "(empty)": "(empty ?c - car) (empty)",
    "(wide ?p - port)": "(wide p - port)",
    "?from ?to - port)\n    :precondition": "?from ?from - port)\n    :precondition",
    "(:action board": "(:action sail",
    ":effect (and (on ?c)": ":effects (and (on ?c)",
    "(and (on ?c) (docked": "(and (on ?d) (docked",
    "(at ?c ?p) (docked ?p) (empty)": "(at ?p ?c) (docked ?p) (empty)",
    "(and (sea ?from ?to)": "(and (see ?from ?to)",
    "(not (= ?from ?to))": "(not (docked ?to))",
    "(or (wide ?p) (deep ?p))": "(or (docked ?p) (deep ?p))",
    "(docked ?p) (or": "(forall (?x) (wide ?x)) (or",
    "(empty) (not (on ?c))": "(empty) (when (empty) (on ?c))",
    "(not (at ?c ?p))": "(not)",
    "(not (empty))": "(not (empty) (empty))",
}


@for_each("old", DOMAIN_FAULTS)
def test_a_fault_of_a_domain_is_named_by_its_place(old: str) -> None:
    new = DOMAIN_FAULTS[old]
    assert old in FERRY
    start = FERRY.index(old)
    with pytest.raises(PddlError) as caught:
        parse_domain(FERRY.replace(old, new, 1))
    offset = _offset(FERRY.replace(old, new, 1), caught.value)
    assert "expected" in caught.value.message
    assert start - 9 <= offset <= start + len(new)


PROBLEM_FAULTS = {
    "(:domain ferry)": "(:domain fairy)",
    "red Blue": "red Red",
    "(:goal (and": "(:goal (or",
    "(at red east)": "(at red)",
    "(at red west)": "(at hull west)",
    "(at blue west) (docked": "(at ?blue west) (docked",
    "(:metric": "(:objects) (:metric",
    "(total-cost)))": "(total-cost))) x",
    "reef - port)": "reef - )",
    "(define (problem": "(define (domain",
}


@for_each("old", PROBLEM_FAULTS)
def test_a_fault_of_a_problem_is_named_by_its_place(old: str) -> None:
    text = CROSSING.replace(old, PROBLEM_FAULTS[old], 1)
    with pytest.raises(PddlError) as caught:
        read_task(FERRY, text)
    start = CROSSING.index(old)
    assert start - 9 <= _offset(text, caught.value) <= start + len(PROBLEM_FAULTS[old])


def _offset(text: str, error: PddlError) -> int:
    lines = text.split("\n")
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    return sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1


def test_the_message_says_where_and_what() -> None:
    with pytest.raises(PddlError) as caught:
        parse_domain("(define (domain d)\n  (:predicates (p ?x) (p)))")
    assert str(caught.value) == "line 2, column 24: expected a predicate that is not declared yet, found 'p'"
    assert isinstance(caught.value, ValueError)


@for_each(
    "text",
    [
        "",
        " \n; only a comment",
        "(",
        ")",
        "x",
        "()",
        "(define)",
        "(define (domain))",
        "(define (domain d)",
        "(define (domain d)) (define (domain d))",
        "(define (domain d) x)",
        "(define (domain d) ())",
        "(define (domain d) (:action))",
        "(define (domain d) (:action a :effect))",
        "(define (domain \u212aelvin))",
        "\x00\x01\xff\ud800",
        "(" * 100_000,
        "(define (domain d)" + "(" * 100_000 + ")" * 100_001,
        "(define (domain d) (:action a :precondition " + "(and " * 60 + ")" * 62,
    ],
)
def test_any_other_text_is_refused_too(text: str) -> None:
    with pytest.raises(PddlError) as caught:
        parse_domain(text)
    assert caught.value.line >= 1
    assert caught.value.column >= 1
    assert str(caught.value).isascii()


def test_conditions_may_nest_as_deep_as_forms() -> None:
    levels = DEEPEST - 4
    text = f"(define (domain d) (:predicates (p)) (:action a :precondition {'(and ' * levels}(p){')' * levels}))"
    assert parse_domain(text).actions["a"].precondition == (Atom("p"),)


def test_an_empty_precondition_and_goal_always_hold() -> None:
    domain = "(define (domain d) (:predicates (p)) (:action a :precondition () :effect (p)))"
    task = read_task(domain, "(define (problem e) (:domain d) (:init) (:goal (and)))")
    assert task.domain.actions["a"].precondition == ()
    assert task.problem.goal == ()


def test_names_compare_in_lower_case() -> None:
    loud = read_task(FERRY.upper(), CROSSING.upper())
    assert loud.problem == crossing().task.problem
    assert loud.domain.actions["board"].spelling == "BOARD"
