"""What the report draws of a question's state and of an answer, in puzzles and in the hero's world."""

from __future__ import annotations

from functools import cache

from herobench.analysis.suites.acp.drawn_hero import answered_by_hero, state_of_hero
from herobench.analysis.suites.acp.reading import answered, question_state
from herobench.suites.acp.hero.question import HeroQuestion, hero_questions
from tests.sizes import for_each
from tests.suites.acp.asked import lamps


def test_the_state_has_its_facts_goal_and_plan() -> None:
    state = question_state(lamps("just"))
    assert state["facts"] == [["in", "r1"]]
    assert state["static"] == [["has", "r1", "l1"], ["has", "r2", "l2"]]
    assert state["goal"] == [["lit", "l1"], ["lit", "l2"]]
    assert ["r2", "room"] in state["objects"]
    assert state["plan"][1] == ["go", "r1", "r1"]
    assert question_state(lamps("app"))["plan"] == []


def test_an_action_tells_what_it_needs_and_changes() -> None:
    (item,) = answered(lamps("nexta"), "(go r1 r2)")
    assert (item["needs"], item["missing"]) == ((("in", "r1"),), ())
    assert (item["adds"], item["deletes"]) == ((("in", "r2"),), (("in", "r1"),))
    (refused,) = answered(lamps("nexta"), "(light r2 l3)")
    assert refused["missing"] == (("in", "r2"), ("has", "r2", "l3"))


def test_an_index_is_the_action_in_the_state_before_it() -> None:
    (item,) = answered(lamps("val"), "3")
    assert (item["names"], item["index"], item["missing"]) == (["light", "r2", "l2"], 3, ())
    assert answered(lamps("val"), "9") == [{"kind": "index", "index": 9}]


@for_each(
    ("task", "parsed", "kinds"),
    [
        ("land", "(in r2)", ["proposition"]),
        ("land", "(zork r2)", ["unknown"]),
        ("land", "None", []),
        ("prog", "[(lit l1)] [(in r1)]", ["proposition", "proposition"]),
        ("just", "(light r1 l1), (go r1 r2)", ["action", "action"]),
        ("app", "", []),
        ("app", None, []),
    ],
)
def test_items_of_an_answer_are_of_three_kinds(task: str, parsed: str | None, kinds: list[str]) -> None:
    items = answered(lamps(task), parsed)
    assert [item["kind"] for item in items] == kinds
    assert [item["negative"] for item in items] == [task == "prog" and bool(place) for place in range(len(items))]


def test_long_answers_are_cut() -> None:
    assert len(answered(lamps("app"), "(go r1 r2) " * 100)) == 60


@cache
def asked(task: str) -> HeroQuestion:
    """The first shipped question of a task that has an answer, about a hero who has something and can craft."""
    own = (question for question in hero_questions().values() if question.task == task and question.answer)
    return next(question for question in own if question.scene.task.hero.inventory and recipes(question))


def recipes(question: HeroQuestion) -> list[str]:
    return [code for code, item in question.scene.world.items.items() if item.recipe]


def test_the_state_is_what_the_hero_has_and_wears() -> None:
    question = asked("app")
    hero, state = question.scene.task.hero, state_of_hero(question)
    assert ["place", f"({hero.place[0]}, {hero.place[1]})"] in state["facts"]
    assert {fact[1] for fact in state["facts"] if fact[0] == "have"} == set(hero.inventory)
    assert state["goal"][0][1] == question.scene.task.target


def test_an_action_tells_what_it_changes_or_why_it_is_refused() -> None:
    question = asked("app")
    (done,) = answered_by_hero(question, f'["{question.answer[0]}"]')
    assert (done["kind"], done["names"], done["missing"]) == ("action", [question.answer[0]], [])
    unmade = next(iter(recipes(question)))
    refused, other = answered_by_hero(question, f'["craft({unmade}, 900)", "<b>fly</b>"]')
    assert refused["missing"]
    assert refused["adds"] == []
    assert other == {"kind": "named", "names": ["<b>fly</b>"]}


def test_an_index_is_an_action_of_the_plan() -> None:
    val, just = asked("val"), asked("just")
    plan = state_of_hero(val)["plan"]
    (item,) = answered_by_hero(val, "1")
    assert (item["names"], item["index"]) == (plan[1], 1)
    assert answered_by_hero(val, "999") == [{"kind": "index", "index": 999}]
    assert [item["out"] for item in answered_by_hero(just, "[0, 2]")] == [0, 2]


def test_answers_of_another_form_are_not_drawn() -> None:
    for task, parsed in (("val", '"x"'), ("just", "{}"), ("prog", '{"place": [1, 1]}'), ("app", None), ("app", "7")):
        assert answered_by_hero(asked(task), parsed) == []
