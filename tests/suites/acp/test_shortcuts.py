"""Rules of thumb: what they answer, and that they compute nothing."""

from herobench.pddl.task import Atom
from herobench.suites.acp.answers.grading import grade_response
from herobench.suites.acp.answers.players import AcpPlayer
from herobench.suites.acp.answers.shortcuts import (
    FAULT_LOOKS,
    ITEM_LOOKS,
    LOOKS,
    RULES,
    OfferGlance,
    PlanGlance,
    looks_at,
    looks_at_item,
    role_counts,
    thumb_answer,
)
from herobench.suites.acp.questions.questions import offering, published
from herobench.suites.acp.questions.situation import parse_atom
from herobench.suites.acp.refusals import AcpFault
from tests.refusals import raises
from tests.sizes import for_each
from tests.suites.acp.asked import lamps, of

PLAN = [Atom("load", ("a", "t")), Atom("drop", ("a", "t")), Atom("go", ("x", "y")), Atom("go", ("y", "x"))]
SEEN = PlanGlance([*PLAN, Atom("go", ("x", "y")), Atom("go", ("y", "y"))], [Atom("at", ("a", "y"))])


@for_each(
    ("look", "parts"),
    [
        ("pair", [(0, 1), (2, 3), (3, 4)]),
        ("return", [(2, 3), (3, 4)]),
        ("opposite", [(0, 1)]),
        ("inside", [(0, 1), (2, 3), (3, 4), (4, 5)]),
        ("repeat", [(4,)]),
        ("again", [(2,)]),
        ("twice", [(5,)]),
        ("aimless", []),
        ("astray", [(0,), (1,), (2,), (3,), (4,)]),
        ("lone", []),
        ("two", [(at, at + 1) for at in range(5)]),
    ],
)
def test_a_look_is_of_names_alone(look: str, parts: list[tuple[int, ...]]) -> None:
    assert LOOKS[look].parts(SEEN) == parts


@for_each(
    ("look", "places"),
    [
        ("apart", [2]),
        ("apart-next", [1]),
        ("alone", []),
        ("fresh", [2]),
        ("unlike", [2]),
        ("doubled", [3, 4, 5]),
        ("rare", [0, 1]),
        ("loose", [5]),
        ("unused", [0, 1]),
    ],
)
def test_a_look_for_a_fault_is_of_names_alone(look: str, places: list[int]) -> None:
    assert FAULT_LOOKS[look].parts(SEEN) == [(place,) for place in places]


@for_each(
    ("look", "item"),
    [
        ("unmentioned", "on c d"),
        ("mentioned", "on a b"),
        ("hidden", "on c d"),
        ("unlinked", "on c d"),
        ("linked", "on a b"),
        ("joined", "on a b"),
        ("stray", "on c d"),
        ("sole", "clear a"),
    ],
)
def test_a_look_for_an_item_is_of_names_alone(look: str, item: str) -> None:
    items = [parse_atom(each) for each in ("on a b", "on c d", "clear a")]
    seen = OfferGlance(items, [parse_atom(each) for each in ("on b a", "clear b", "clear a", "clear c")])
    assert ITEM_LOOKS[look](seen) == parse_atom(item)
    assert looks_at_item(seen, parse_atom("on c d")) == {"unmentioned", "hidden", "unlinked", "stray"}


def test_a_fault_has_looks() -> None:
    """The third action is the only one that is apart, fresh or unlike."""
    assert {"apart", "fresh", "unlike", "again"} <= looks_at(SEEN, 2)
    assert "doubled" in looks_at(SEEN, 3)


def test_a_change_of_role_is_counted_as_often_as_the_plan_has_it() -> None:
    plan = [parse_atom(each) for each in ("load a t", "load b t", "drop a t", "load c t", "load a t")]
    assert role_counts(plan) == [[1, 3], [2, 3], [1, 1], [1, 3], [1, 2]]


def test_a_shortcut_names_a_place_of_a_plan() -> None:
    question = lamps("val")
    assert AcpPlayer("shortcut:apart", {}).answer(question).isdecimal()
    assert AcpPlayer("shortcut:lone-last", {}).answer(question).isdecimal()


def test_a_shortcut_leaves_out_the_first_pair_of_the_same_objects() -> None:
    question = next(of("just", "swap"))
    answer = AcpPlayer("shortcut:pair", {}).answer(question)
    assert grade_response(question, answer).sound == 1
    assert AcpPlayer("shortcut", {}).answer(question) == answer
    first = lamps("just")
    assert AcpPlayer("shortcut:pair", {}).answer(first) == "[(light r1 l1), (go r1 r1), (go r1 r2)]", "or the last one"


def test_a_shortcut_names_what_is_offered() -> None:
    question = lamps("reach", question=offering("What?", ["(lit l1)", "(in r2)", "(lit l3)"]))
    told = {rule: AcpPlayer(f"shortcut:{rule}", {}).answer(question) for rule in ("first", "last", "twice", "none")}
    assert told == {"first": "(lit l1)", "last": "(lit l3)", "twice": "None", "none": "None"}
    assert AcpPlayer("shortcut:untold", {}).answer(question) == "(lit l3)"
    assert AcpPlayer("shortcut:twice", {}).answer(lamps("areach")) == "(go r1 r1)"
    assert AcpPlayer("shortcut:shown", {}).answer(lamps("val")) == "0", "as format-only does"


def test_every_shortcut_says_something_of_a_question() -> None:
    questions = list(published().values())[::97]
    questions += [next(of(task)) for task in ("just", "reach", "areach", "val")]
    for rule in RULES:
        player = AcpPlayer(f"shortcut:{rule}", {})
        assert any(thumb_answer(rule, question) is not None for question in questions), rule
        for question in questions:
            assert grade_response(question, player.answer(question)).fault != "format", (rule, question.key)


def test_an_unknown_shortcut_is_refused() -> None:
    with raises(AcpFault.NO_SHORTCUT, "'luck'", "pair, pair-last, "):
        AcpPlayer("shortcut:luck", {})
