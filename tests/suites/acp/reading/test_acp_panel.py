"""What the report draws of a question's state and of an answer."""

from __future__ import annotations

from herobench.suites.acp.reading.reading import answer_items, question_state
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
    (item,) = answer_items(lamps("nexta"), "(go r1 r2)")
    assert (item["needs"], item["missing"]) == ((("in", "r1"),), ())
    assert (item["adds"], item["deletes"]) == ((("in", "r2"),), (("in", "r1"),))
    (refused,) = answer_items(lamps("nexta"), "(light r2 l3)")
    assert refused["missing"] == (("in", "r2"), ("has", "r2", "l3"))


def test_an_index_is_the_action_in_the_state_before_it() -> None:
    (item,) = answer_items(lamps("val"), "3")
    assert (item["names"], item["index"], item["missing"]) == (["light", "r2", "l2"], 3, ())
    assert answer_items(lamps("val"), "9") == [{"kind": "index", "index": 9}]


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
    items = answer_items(lamps(task), parsed)
    assert [item["kind"] for item in items] == kinds
    assert [item["negative"] for item in items] == [task == "prog" and bool(place) for place in range(len(items))]


def test_long_answers_are_cut() -> None:
    assert len(answer_items(lamps("app"), "(go r1 r2) " * 100)) == 60
