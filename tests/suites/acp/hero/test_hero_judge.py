"""Answers to questions about the hero's world: how they are read, and each way of being wrong."""

import json
from typing import Any

import pytest

from herobench.suites.acp.hero.judge import judge
from herobench.suites.acp.hero.question import HeroQuestion, action_in, action_text, answer_in, hero_questions
from tests.sizes import for_each


@for_each(
    ("response", "value"),
    [
        ('ANSWER: ["a"]\nNo, wait.\n**ANSWER:** ["b"]', ["b"]),
        ("answer: `None`", None),
        ("ANSWER: null", None),
        ("ANSWER:\n```json\n[1, 2]\n```", [1, 2]),
        ('The plan:\n{"action": "fight()",\n "length": 3}', {"action": "fight()", "length": 3}),
        ("17", 17),
        ("It cannot be.\nNone.", None),
        ('ANSWER: "none_such"', "none_such"),
    ],
)
def test_the_last_answer_is_read(response: str, value: Any) -> None:
    found = answer_in(response)
    assert found is not None
    assert found.value == value


@for_each("response", ["", "I do not know.", "ANSWER:", "ANSWER: [1,", '["a"]\nANSWER: see above'])
def test_a_response_without_an_answer_is_noticed(response: str) -> None:
    assert answer_in(response) is None


@for_each(
    ("text", "action"),
    [
        ('craft("Hero", "iron", 2)', "craft(iron, 2)"),
        ("gather", "gather(1)"),
        ("equip(slot=ring1, item='life_ring', 1)", "equip(ring1, life_ring)"),
        ("move 3 -1", "move(3, -1)"),
        ("fight()", "fight()"),
        ("craft(iron)", None),
        ("gather(0)", None),
        ("dance()", None),
        ("move(3, east)", None),
    ],
)
def test_actions_are_read_leniently(text: str, action: str | None) -> None:
    found = action_in(text)
    assert (found and action_text(found)) == action


def asked(task: str, *, none: bool = False) -> HeroQuestion:
    """A question of a task of a higher bracket; None is right or not."""
    questions = [question for question in hero_questions().values() if question.task == task]
    fitting = [question for question in questions if (question.answer in (None, [])) == none]
    return fitting[len(fitting) // 2]


def fault(question: HeroQuestion, answer: Any) -> str | None:
    return judge(question, f"ANSWER: {json.dumps(answer)}").fault


def test_sets_of_actions() -> None:
    question = asked("app")
    right = question.answer
    assert fault(question, right[::-1]) is None
    assert fault(question, right[1:]) == "incomplete"
    assert fault(question, [*right, "move(0, 0)"]) == "superfluous"
    assert fault(question, [*right[1:], "move(0, 0)"]) == "wrong_set"
    assert fault(question, [*right, "craft(moonstone, 1)"]) == "invented_action"
    assert fault(question, right[0]) == "format"
    assert judge(question, f"ANSWER: {json.dumps(right[1:])}").jaccard == 1 - 1 / len(right)


def test_changes() -> None:
    question = next(q for q in hero_questions().values() if q.task == "prog" and len(q.answer.get("items", {})) > 1)
    items = question.answer["items"]
    code = next(iter(items))
    assert fault(question, {**question.answer, "fight": question.answer.get("fight"), "worn": {}}) is None
    assert fault(question, {**question.answer, "items": {**items, code: items[code] + 1}}) == "wrong_value"
    assert fault(question, {**question.answer, "items": {code: items[code]}}) == "incomplete"
    assert fault(question, {**question.answer, "worn": {"ring1": None}}) == "superfluous"
    assert fault(question, {**question.answer, "items": {**items, "moonstone": 1}}) == "invented_atom"
    assert fault(question, {**question.answer, "gold": 3}) == "format"


def test_what_can_never_be() -> None:
    never, always = asked("reach"), asked("reach", none=True)
    target = f"beat {next(iter(always.scene.world.monsters))}"
    assert [fault(never, fact) for fact in never.answer] == [None] * len(never.answer)
    assert (fault(never, None), fault(always, None), fault(always, target)) == ("false_none", None, "missed_none")
    assert (fault(never, "have moonstone"), fault(never, ["x"])) == ("invented_atom", "format")
    possible = next(f"have {code}" for code in never.scene.mentioned if f"have {code}" not in never.answer)
    assert fault(never, possible) == "reachable"
    question = asked("areach")
    assert (fault(question, question.answer[0]), fault(question, "dance()")) == (None, "invented_action")


def test_indexes_and_shortened_plans() -> None:
    refused, whole, long = asked("val"), asked("val", none=True), asked("just")
    assert (fault(refused, refused.answer), fault(refused, str(refused.answer))) == (None, None)
    assert (fault(refused, refused.answer + 1), fault(refused, None)) == ("wrong_index", "false_none")
    assert (fault(whole, None), fault(whole, 0), fault(whole, "x")) == (None, "missed_none", "format")
    end = len(long.given)
    assert (fault(long, long.answer), fault(long, []), fault(long, [end])) == (None, "not_shorter", "not_a_subsequence")
    assert (fault(long, [end - 1]), fault(long, [True])) == ("no_plan", "format")
    assert judge(long, f"ANSWER: {long.answer}").removed == len(long.answer)


def test_landmarks() -> None:
    question = asked("land")
    target = question.scene.task.target
    goal = f"beat {target}" if question.scene.task.kind == "kill" else f"have {target}"
    worn = next(iter(question.scene.task.hero.worn.values()))
    assert (fault(question, question.answer[0]), fault(question, None)) == (None, "false_none")
    assert (fault(question, goal), fault(question, f"wear {worn}")) == ("trivial_landmark", "trivial_landmark")
    assert fault(question, "have moonstone") == "invented_atom"
    assert fault(asked("land", none=True), "have moonstone") == "invented_atom"


def test_next_actions() -> None:
    question = asked("nexta")
    answer = question.answer
    here = question.scene.task.hero.place
    assert fault(question, {"action": answer["first"][0], "length": answer["length"]}) is None
    assert fault(question, {"action": answer["first"][0], "length": answer["length"] + 1}) == "wrong_length"
    assert fault(question, {"action": f"move{here}", "length": answer["length"]}) == "inapplicable"
    assert fault(question, {"action": "dance()", "length": 1}) == "invented_action"
    assert fault(question, {"action": answer["first"][0]}) == "format"


@pytest.mark.slow
def test_a_next_gathering_may_take_more_than_needed_but_not_less() -> None:
    question = next(
        question
        for question in hero_questions().values()
        if question.task == "nexta" and any(text.startswith("gather(") for text in question.answer["first"])
    )
    (text,) = (text for text in question.answer["first"] if text.startswith("gather("))
    action = action_in(text)
    assert action is not None
    needed = int(str(action.args[-1]))
    length = question.answer["length"]
    assert needed > 1
    assert fault(question, {"action": f"gather({needed + 5})", "length": length}) is None
    assert fault(question, {"action": f"gather({needed - 1})", "length": length}) == "worse_than_optimal"


@for_each(
    ("task", "response", "fault"),
    [
        ("app", f'ANSWER: ["craft({" " * 20_000}iron"]', "invented_action"),
        ("app", f"The answer{' ' * 50_000}", "format"),
        ("app", "x" + "\n" * 50_000 + "x", "format"),
        ("val", f'ANSWER: "{"9" * 5000}"', "format"),
    ],
)
def test_an_answer_that_repeats_itself_is_judged_at_once(task: str, response: str, fault: str) -> None:
    """A search that goes back in white space would take minutes to years; a number may be too long to be read."""
    question = next(question for question in hero_questions().values() if question.task == task)
    assert judge(question, response).fault == fault
