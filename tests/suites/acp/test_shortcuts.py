"""Rules of thumb: what they answer, and that they compute nothing."""

from herobench.pddl.task import Atom
from herobench.suites.acp.answers.grading import grade_response
from herobench.suites.acp.answers.players import AcpPlayer
from herobench.suites.acp.answers.shortcuts import LOOKS, RULES, PlanGlance
from herobench.suites.acp.questions.questions import offering, published
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
    assert AcpPlayer("shortcut:twice", {}).answer(lamps("val")) == "0", "as format-only does"


def test_every_shortcut_says_something_of_a_question() -> None:
    questions = list(published().values())[::97]
    questions += [next(of(task)) for task in ("just", "reach", "areach")]
    for rule in RULES:
        player = AcpPlayer(f"shortcut:{rule}", {})
        assert any(map(player.speaks, questions)), rule
        for question in questions:
            assert grade_response(question, player.answer(question)).fault != "format", (rule, question.key)


def test_an_unknown_shortcut_is_refused() -> None:
    with raises(AcpFault.NO_SHORTCUT, "'luck'", "pair, pair-last, "):
        AcpPlayer("shortcut:luck", {})
