"""The sound grading agrees with the proven answers. `test_sound_random` compares it with trying everything."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from herobench.suites.acp import grade
from herobench.suites.acp.answers.grading import grade_response
from herobench.suites.acp.questions.questions import TASKS, Proof, Question, offering, plan_in, published, stored_proof
from herobench.suites.acp.questions.reference import sound_proof
from herobench.suites.acp.questions.situation import read_situation
from herobench.suites.acp.questions.sound import Failure
from herobench.suites.acp.refusals import AcpFault
from tests.refusals import misread, raises
from tests.sizes import THOROUGH, for_each
from tests.suites.acp.asked import lamps, of


def sound(question: Question, response: str) -> int | None:
    return grade(question.as_row(), response, how="sound")


def fault(question: Question, response: str) -> Failure | None:
    return grade_response(question, response).fault


def truth(question: Question) -> Any:
    proof = stored_proof(question)
    assert proof is not None
    return proof.sound


OPEN_REACH = Proof({"reachable": ["(lit l2)"]}, unreachable=0, unknown=frozenset(["(lit l3)"]))
OPEN_AREACH = Proof({"reachable": ["(go r1 r2)"]}, unreachable=0, unknown=frozenset(["(light r1 l3)"]))
OPEN_NEXTA = Proof({"yes": [], "no": ["(go r1 r1)"], "opt": 3}, unknown=frozenset(["(go r1 r2)"]))


def unreachable(question: Question) -> int | None:
    proof = stored_proof(question)
    assert proof is not None
    return proof.unreachable


# -- the proven answers -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_simulated_answers_are_the_proven_ones() -> None:
    for question in of("app"):
        assert read_situation(question).applicable() == set(truth(question)), question.key
    for question in of("val"):
        assert read_situation(question).first_fault(plan_in(question.question)) == truth(question), question.key


def test_what_can_be_left_out_of_a_plan_is_what_is_proven() -> None:
    for question in list(of("just", split="dev"))[:: 1 if THOROUGH else 5]:
        plan, proven = plan_in(question.question), truth(question)
        for name, width in (("single", 1), ("pair", 2)):
            removable = [at for at in range(len(plan) - width + 1) if sound(question, left_out(plan, at, width))]
            assert removable == proven[name], question.key


def left_out(plan: tuple[str, ...], at: int, width: int) -> str:
    return " ".join(plan[:at] + plan[at + width :])


def test_proven_answers_pass_in_any_case_and_spacing() -> None:
    for question in (*of("app"), *of("prog"), *of("land"), *of("nexta"), *of("val")):
        right = rendered(question.task, truth(question))
        assert sound(question, right) == 1, question.key
        assert sound(question, right.replace(" ", "  ").replace(")", " )").replace("(", "( ")) == 1, question.key
        if question.task != "land":
            assert sound(question, right.upper()) == 1, question.key


def rendered(task: str, answer: object) -> str:
    """A proven answer as a response: of several right items the last."""
    match task, answer:
        case "prog", dict():
            return f"[{', '.join(answer['pos'])}] [{', '.join(answer['neg'])}]"
        case "app", list():
            return f"[{', '.join(answer)}]"
        case "land", list():
            return answer[-1] if answer else "None"
        case "nexta", dict():
            return str(answer["yes"][-1])
    return str(answer)


def test_an_index_is_a_number() -> None:
    for question in of("val", "ferry"):
        assert sound(question, f"00{truth(question)}") == 1
        assert sound(question, str(truth(question) + 1)) == 0


def test_a_set_with_an_item_less_or_more_fails() -> None:
    for question in of("app", split="dev"):
        items = list(truth(question))
        other = next(
            str(action) for action in read_situation(question).task.ground_actions() if str(action) not in items
        )
        if len(items) > 1:
            assert fault(question, " ".join(items[1:])) == "incomplete"
        assert fault(question, " ".join([*items, other])) == "superfluous"
        assert fault(question, " ".join([*items[1:], other])) == "wrong_set"
        assert fault(question, " ".join([*items, "(fly-to-moon)"])) == "invented_action"


def test_wrong_labels_are_not_believed() -> None:
    wrong = [question for question in published().values() if (proof := stored_proof(question)) and not proof.agrees]
    assert len(wrong) == 61
    for question in wrong:
        if question.task == "land":
            missed = [atom for atom in truth(question) if atom in question.answer["no"]]
            assert missed
            assert [(sound(question, atom), grade(question.as_row(), atom)) for atom in missed] == [(1, 0)] * len(
                missed
            )
        else:
            assert (sound(question, "None"), grade(question.as_row(), "None")) == (0, 1)


# -- shortened plans --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_random_shortened_plans_are_judged_as_by_a_simulation() -> None:
    for question in of("just", split="dev"):
        chance, plan = Random(question.key), plan_in(question.question)
        for _ in range(20):
            given = [action for action in plan if chance.randrange(len(plan)) > 1]
            is_plan = 0 < len(given) < len(plan) and reaches_goal(question, given)
            assert sound(question, " ".join(given)) == is_plan


def reaches_goal(question: Question, plan: Iterable[str]) -> bool:
    """Simulate with sets of texts, apart from the engine's states."""
    situation = read_situation(question)
    domain = situation.task.domain
    state = {str(atom) for atom in situation.task.problem.initial}
    for action in plan:
        name, *args = action.lower().strip("()").split()
        schema = domain.actions[name]
        binding = dict(zip((parameter.name for parameter in schema.parameters), args, strict=True))
        for part in schema.precondition:
            if hasattr(part, "atoms"):
                holds = any(str(atom.bind(binding)) in state for atom in part.atoms)
            elif hasattr(part, "left"):
                holds = binding.get(part.left, part.left) != binding.get(part.right, part.right)
            else:
                holds = str(part.bind(binding)) in state
            if not holds:
                return False
        state -= {str(atom.bind(binding)) for atom in schema.delete}
        state |= {str(atom.bind(binding)) for atom in schema.add}
    return all(str(atom) in state for atom in situation.task.problem.goal)


# -- classes of failure -----------------------------------------------------------------------------------------------


@for_each(
    ("task", "response", "found"),
    [
        ("app", "(go r1 r1) (go r1 r2) (light r1 l1)", None),
        ("app", "[]", "incomplete"),
        ("app", "(go r1 r1 (", "format"),
        ("app", "(go r1)", "invented_action"),
        ("app", "(go r1 l1)", "invented_action"),
        ("val", "2", "wrong_index"),  # the label: all of this plan can be carried out
        ("just", "(LIGHT R1 L1) (go r1 r2) (light r2 l2)", None),
        ("just", "no", "format"),
        ("just", "(light r1 l1) (go r1 r3) (light r2 l2)", "invented_action"),
        ("just", "(light r1 l1) (go r1 r1) (go r1 r2) (light r2 l2)", "not_shorter"),
        ("just", "(go r1 r2) (light r1 l1)", "not_a_subsequence"),
        ("just", "(light r1 l1) (go r1 r1)", "no_plan"),
        ("just", "(light r1 l1) (light r2 l2)", "no_plan"),
        ("prog", "[(lit l1)] []", "undecided"),  # the question has its action in words
        ("prog", "(lit l1)", "format"),
        ("reach", "(lit l3)", None),
        ("reach", "(lit l2)", "reachable"),
        ("reach", "none", "false_none"),
        ("areach", "(LIGHT r2 l1)", None),
        ("areach", "(light r2 l2)", "reachable"),
        ("land", "(in r2)", None),
        ("land", "(lit l1)", "trivial_landmark"),
        ("land", "(lit l3)", "no_landmark"),
        ("land", "None", "false_none"),
        ("nexta", "(light r1 l1)", None),
        ("nexta", "(go r1 r2)", "worse_than_optimal"),
        ("nexta", "(go r2 r1)", "inapplicable"),
    ],
)
def test_other_questions_are_simulated_or_searched(task: str, response: str, found: str | None) -> None:
    question = lamps(task)
    assert fault(question, response) == found
    assert sound(question, response) == (None if found == "undecided" else int(found is None))


@pytest.mark.parametrize(
    ("task", "proof", "faults"),
    [
        ("reach", OPEN_REACH, {"None": "undecided", "(lit l3)": "undecided", "(lit l2)": "reachable"}),
        ("areach", OPEN_AREACH, {"None": "undecided", "(light r1 l3)": "undecided", "(go r1 r2)": "reachable"}),
        ("land", Proof([], unknown=frozenset(["(in r2)"])), {"None": "undecided", "(IN r2)": "undecided"}),
        ("land", Proof(["(in r2)"], unknown=frozenset(["(lit l3)"])), {"None": "false_none", "(in r2)": None}),
        ("nexta", OPEN_NEXTA, {"(go r1 r2)": "undecided", "(go r1 r1)": "worse_than_optimal"}),
        ("nexta", None, {"(go r1 r2)": "undecided"}),
    ],
)
def test_what_a_search_leaves_open_is_undecided(
    monkeypatch: pytest.MonkeyPatch, task: str, proof: Proof | None, faults: dict[str, str | None]
) -> None:
    monkeypatch.setattr("herobench.suites.acp.questions.sound.sound_proof", lambda _: proof)
    monkeypatch.setattr("herobench.suites.acp.questions.reference.sound_proof", lambda _: proof)
    assert {answer: fault(lamps(task), answer) for answer in faults} == faults
    if task == "nexta":
        assert grade(lamps(task).as_row(), "(go r1 r2)") is None


@pytest.mark.slow
@pytest.mark.parametrize("task", ["reach", "land", "nexta"])
def test_a_search_finds_nothing_else_than_what_is_proven(task: str) -> None:
    for question in list(of(task))[::5]:
        found, proven = searched(question), truth(question)
        if found is None:
            continue
        name = {"reach": "reachable", "nexta": "yes"}.get(task)
        known, right = (set(found.sound[name]), set(proven[name])) if name else (set(found.sound), set(proven))
        assert known <= right <= known | found.unknown, question.key


def searched(question: Question) -> Proof | None:
    """The proof of a published question as if it were another one."""
    return sound_proof(replace(question, pddl_problem=f"{question.pddl_problem}\n"))


def test_large_tasks_are_not_searched_for_actions() -> None:
    large = next(question for question in of("areach", "swap") if len(read_situation(question).grounded.actions) > 500)
    assert searched(large) is None


@for_each(
    ("task", "response", "found"),
    [
        ("reach", "None", "false_none"),
        ("reach", "(zork a)", "invented_atom"),
        ("areach", "None", "false_none"),
        ("areach", "(zork a)", "invented_action"),
        ("land", "None", "false_none"),
        ("land", "(zork a)", "invented_atom"),
        ("nexta", "(zork a)", "invented_action"),
        ("nexta", "None", "format"),
        ("prog", "[(zork a)] []", "invented_atom"),
        ("prog", "[] []", "incomplete"),
    ],
)
def test_failures_of_published_questions(task: str, response: str, found: str) -> None:
    question = next(question for question in of(task) if truth(question) and unreachable(question) != 0)
    assert fault(question, response) == found


def test_failures_that_depend_on_the_state() -> None:
    land = next(question for question in of("land", "ferry") if truth(question))
    situation = read_situation(land)
    trivial = [*situation.task.problem.goal, *situation.task.problem.initial]
    assert {fault(land, str(atom)) for atom in trivial} == {"trivial_landmark"}
    assert fault(land, next(atom for atom in land.answer["no"] if not situation.holds(atom))) == "no_landmark"
    none = next(question for question in of("land") if not truth(question))
    assert (
        fault(none, next(atom for atom in none.answer["no"] if not read_situation(none).holds(atom))) == "missed_none"
    )

    reach = next(question for question in of("reach", "ferry") if not question.answer)
    assert fault(reach, "(not-eq l0 l0)") == "static_atom"
    assert fault(reach, truth(reach)["reachable"][0]) == "missed_none"
    areach = next(of("areach", "ferry"))
    assert fault(areach, truth(areach)["reachable"][0]) == "reachable"

    offering_one = replace(reach, question=offering("What?", truth(reach)["reachable"][:2]))
    assert fault(offering_one, truth(reach)["reachable"][0]) == "missed_none"
    assert fault(offering_one, truth(reach)["reachable"][2]) == "not_offered"

    nexta = next(question for question in of("nexta", "ferry") if truth(question)["no"])
    assert fault(nexta, truth(nexta)["no"][0]) == "worse_than_optimal"
    known = {*truth(nexta)["no"], *truth(nexta)["yes"]}
    other = next(str(item) for item in read_situation(nexta).task.ground_actions() if str(item) not in known)
    assert fault(nexta, other) == "inapplicable"


def test_equal_lists_of_effects_are_two_lists() -> None:
    question = next(question for question in of("prog") if not truth(question)["neg"])
    items = ", ".join(truth(question)["pos"])
    assert (sound(question, f"[{items}] []"), sound(question, f"[{items}] [{items}]")) == (1, 0)
    assert grade(question.as_row(), f"[{items}] [{items}]") == 1


# -- side metrics -----------------------------------------------------------------------------------------------------


@for_each(
    ("response", "index"),
    [
        ("(go r1 r1) (go r1 r2) (light r1 l1)", 1),
        ("(go r1 r1)", 1 / 3),
        ("(go r1 r1) (go r2 r2)", 1 / 4),
        ("(go r1 r1) (zork)", 0),
        ("(go r1 r1 (", 0),
    ],
)
def test_the_jaccard_index(response: str, index: float) -> None:
    assert grade_response(lamps("app"), response).jaccard == pytest.approx(index)


def test_the_jaccard_index_of_effects_keeps_the_lists_apart() -> None:
    question = next(question for question in of("prog") if not truth(question)["neg"])
    items = truth(question)["pos"]
    assert grade_response(question, f"[{', '.join(items)}] [{items[0]}]").jaccard == len(items) / (len(items) + 1)
    assert grade_response(lamps("prog"), "[(lit l1)] []").jaccard is None
    assert grade_response(lamps("val"), "1").jaccard is None


def test_how_much_of_a_plan_is_left_out() -> None:
    assert grade_response(lamps("just"), "(light r1 l1) (go r1 r2) (light r2 l2)").removed == 1
    assert grade_response(lamps("just"), "(light r1 l1)").removed is None


# -- what is refused --------------------------------------------------------------------------------------------------


def test_another_grading_and_broken_pddl_are_refused() -> None:
    with raises(AcpFault.NO_GRADING, "'strict'"):
        grade(lamps("app").as_row(), "", how="strict")
    broken = lamps("val", pddl_problem="(define (problem x)")
    with misread("", "val/dev/lamps/1"):
        grade(broken.as_row(), "1", how="sound")


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_a_published_question_is_never_undecided(task: str) -> None:
    answers = ("None", "(a b)", "[] []", "3", "")
    assert not any(fault(question, answer) == "undecided" for question in of(task) for answer in answers)


@for_each(
    ("items", "found"),
    [
        (["(lit l1)", "(lit l3)"], {"(lit l3)": None, "None": "false_none", "(lit l1)": "reachable"}),
        (["(lit l1)", "(in r2)"], {"None": None, "(lit l1)": "missed_none", "(lit l3)": "not_offered"}),
    ],
)
def test_only_what_a_question_offers_is_an_answer(items: list[str], found: dict[str, str | None]) -> None:
    question = lamps("reach", question=offering("What can never hold?", items))
    assert {answer: fault(question, answer) for answer in found} == found
