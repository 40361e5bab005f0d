"""What the report draws of questions about the hero's world, and of answers to them."""

from functools import cache

from herobench.analysis.suites.acp.drawn_hero import answered_by_hero, state_of_hero
from herobench.suites.acp.hero.question import HeroQuestion, hero_questions


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
