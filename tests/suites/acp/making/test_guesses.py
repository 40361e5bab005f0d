"""What rules of thumb win of generated questions: no more than a quarter."""

from collections import Counter

import pytest

from herobench.suites.acp.answers.grading import grade_response
from herobench.suites.acp.answers.players import AcpPlayer
from herobench.suites.acp.answers.shortcuts import (
    FAULT_LOOKS,
    RULES,
    OfferGlance,
    PlanGlance,
    looks_at_item,
    role_counts,
    thumb_answer,
)
from herobench.suites.acp.making.generator import QuestionOrder, draw_question
from herobench.suites.acp.making.makers import MAKERS
from herobench.suites.acp.questions.questions import Question, offered_in, plan_in
from herobench.suites.acp.questions.situation import parse_atom, read_situation
from tests.sizes import many
from tests.suites.acp.making.small import small

MOST = 0.25
SOME = ("logistics-strips", "grid", "floor-tile", "grid-visit-all", "depots", "satellite", "gripper-strips", "swap")
"""Domains whose questions are made quickly."""


def drawn(task: str, domains: tuple[str, ...], count: int) -> list[Question]:
    orders = (QuestionOrder(1, task, domain, number) for domain in domains for number in range(count))
    return [draw_question(order).question for order in orders]


def shares(questions: list[Question]) -> dict[str, float]:
    """The part of the questions that each rule of thumb wins which says something of them."""
    players = {rule: AcpPlayer(f"shortcut:{rule}", {}) for rule in RULES}
    return {
        rule: sum(grade_response(one, player.answer(one)).sound == 1 for one in questions) / len(questions)
        for rule, player in players.items()
        if any(thumb_answer(rule, one) is not None for one in questions)
    }


@pytest.mark.slow
@pytest.mark.parametrize("task", ["just", "reach", "areach", "val"])
def test_rules_of_thumb_win_a_quarter_at_most_in_all_domains(task: str) -> None:
    shown = shares(drawn(task, tuple(MAKERS), many(20, 6)))
    assert max(shown.values()) <= MOST, shown


@pytest.mark.slow
@pytest.mark.parametrize("task", ["reach", "areach"])
def test_the_item_that_no_look_finds_is_seldom_the_answer(task: str) -> None:
    """Whoever knows that the generator hides the answer from looks takes what none of them finds."""
    right = []
    for question in drawn(task, SOME, many(30, 4)):
        offered = [parse_atom(item) for item in offered_in(question.question)]
        if offered:
            glance = OfferGlance(offered, read_situation(question).task.problem.initial)
            guess = min(glance.usual, key=lambda item: len(looks_at_item(glance, item)))
            right.append(grade_response(question, str(guess)).sound == 1)
    assert sum(right) <= MOST * len(right)


@pytest.mark.slow
def test_the_rarest_change_of_role_is_seldom_the_fault() -> None:
    """Whoever has read the generator takes the action of few looks whose objects change their roles most oddly."""
    right: dict[str, list[bool]] = {"few looks": [], "any looks": []}
    for question in drawn("val", tuple(MAKERS), many(12, 4)):
        plan = [parse_atom(action) for action in plan_in(question.question)]
        glance = PlanGlance(plan, read_situation(question).task.problem.goal)
        part_lists = [parts for look in FAULT_LOOKS.values() if (parts := look.parts(glance))]
        ends = Counter(parts[end] for parts in part_lists for end in (0, -1))
        counts = role_counts(plan)
        few_place = min(range(len(plan)), key=lambda place: (ends[place,] > 1, counts[place]))
        right["few looks"].append(few_place == question.answer)
        right["any looks"].append(counts.index(min(counts)) == question.answer)
    assert all(sum(each) <= MOST * len(each) for each in right.values()), right


def test_what_holds_now_is_not_offered_as_out_of_reach() -> None:
    for question in (each for domain in ("logistics-strips", "grid", "rover") for each in small(domain, "reach", 4)):
        facts = {str(fact) for fact in read_situation(question).task.problem.initial}
        assert facts.isdisjoint(offered_in(question.question))


def test_what_is_offered_does_not_stand_out() -> None:
    """The one that is out of reach is seldom the only one of its name, and stands at any place."""
    places: Counter[int] = Counter()
    alone = 0
    questions = [
        question for domain in ("logistics-strips", "rover", "grid") for question in small(domain, "areach", 8)
    ]
    for question in questions:
        offered = offered_in(question.question)
        assert len(set(offered)) == len(offered) > 1
        assert all(read_situation(question).is_action(item) for item in offered)
        if question.answer:
            (answer,) = question.answer
            places[offered.index(answer)] += 1
            alone += sum(item.split()[0] == answer.split()[0] for item in offered) == 1
    assert alone <= places.total() / 4
    assert max(places.values()) <= places.total() / 2


def test_one_part_of_a_plan_is_superfluous_and_the_pair_of_one_kind_is_not() -> None:
    """In a maze without a way around, the robot walks there and back, and some of that is needed."""
    needed = 0
    for question in small("grid-visit-all", "just", 10):
        sound, plan = question.proof["sound"], plan_in(question.question)
        back = [
            at
            for at in range(len(plan) - 1)
            if sorted(plan[at].strip("()").split()) == sorted(plan[at + 1].strip("()").split())
        ]
        needed += any(at not in sound["pair"] for at in back)
        assert sound["single"] or sound["pair"]
    assert needed >= 5
