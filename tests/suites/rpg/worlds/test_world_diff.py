import json
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.data.documents import load_schema
from herobench.suites.rpg.game.world import DOCUMENTS, World
from herobench.suites.rpg.worlds.world_diff import Comparability, Difference, FieldChange, differences, verdict_on
from tests.builders import TINY, Json, documents
from tests.sizes import for_each

Content = dict[str, Json]


def changed(change: Callable[[Content], object]) -> list[Difference]:
    """Return the differences after a change of the tiny world."""
    after = documents(TINY)
    change(after)
    return differences(documents(TINY), after)


def set_in(*path: Any, to: Any) -> Callable[[Content], None]:
    """A change that sets what is at a path."""

    def change(content: Content) -> None:
        *way, last = path
        inside: Any = content
        for step in way:
            inside = inside[step]
        inside[last] = to

    return change


# -- what differs -----------------------------------------------------------------------------------------------------


def test_a_world_does_not_differ_from_itself() -> None:
    assert changed(lambda content: None) == []


@for_each(
    ("change", "expected"),
    [
        (
            set_in("monsters", "monsters", 0, "attack", "heat", to=3),
            Difference("monsters", "changed", "rat", (FieldChange("attack.heat", None, 3),)),
        ),
        (
            set_in("monsters", "monsters", 0, "drops", 0, "one_in", to=9),
            Difference("monsters", "changed", "rat", (FieldChange("drops.fur.one_in", 4, 9),)),
        ),
        (
            set_in("items", "items", 7, "recipe", "ingredients", to={"clay": 2, "ore": 1}),
            Difference(
                "items",
                "changed",
                "brick",
                (FieldChange("recipe.ingredients.clay", 3, 2), FieldChange("recipe.ingredients.ore", None, 1)),
            ),
        ),
        (
            set_in("items", "items", 0, "effects", to={}),
            Difference("items", "changed", "twig", (FieldChange("effects.attack_heat", 2, None),)),
        ),
        (
            set_in("map", "tiles", 1, "content", "code", to="wall"),
            Difference("map", "changed", "1,0", (FieldChange("content.code", "rat", "wall"),)),
        ),
        (
            set_in("world", "skills", to=["digging"]),
            Difference(
                "world", "changed", "", (FieldChange("skills", ["digging", "smithing", "brewing"], ["digging"]),)
            ),
        ),
        (
            set_in("world", "hero", to={"hp": 5}),
            Difference("world", "changed", "", (FieldChange("hero.hp", None, 5),)),
        ),
        (set_in("items", "schema", to=1.0), Difference("items", "changed", "", (FieldChange("schema", 1, 1.0),))),
        (lambda content: content["items"]["items"].reverse(), Difference("items", "reordered", "")),
        (lambda content: content["items"]["items"].pop(3), Difference("items", "removed", "pearl")),
        (
            lambda content: content["map"]["tiles"].append({"x": 7, "y": 7, "name": "Far", "skin": ""}),
            Difference("map", "added", "7,7"),
        ),
    ],
)
def test_each_change_is_told_with_its_document_code_and_field(
    change: Callable[[Content], object], expected: Difference
) -> None:
    assert changed(change) == [expected]


def test_the_order_of_properties_and_effects_is_layout_and_no_difference() -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(part) for part in value] if isinstance(value, list) else value

    assert differences(documents(TINY), turned(documents(TINY))) == []


def test_drops_in_another_order_are_told() -> None:
    found = changed(lambda content: content["monsters"]["monsters"][1]["drops"].reverse())
    assert [(one.code, one.fields[0].path) for one in found] == [("drake", "drops")]


def test_rows_are_told_by_what_became_of_them() -> None:
    def change(content: Content) -> None:
        rows = content["items"]["items"]
        rows.insert(0, {**rows[0], "code": "rod"})
        del rows[-1]
        rows[5] = {**rows[5], "level": 7}

    assert [(one.what, one.code) for one in changed(change)] == [
        ("removed", "tonic"),
        ("changed", "salt"),
        ("added", "rod"),
    ]


# -- properties -------------------------------------------------------------------------------------------------------

PATHS = [
    (document, *path)
    for document, content in documents(TINY).items()
    for key, value in content.items()
    for path in (
        [(key, index, field) for index, row in enumerate(value) for field in row if field not in ("code", "x", "y")]
        if isinstance(value, list) and value and isinstance(value[0], dict)
        else [(key,)]
    )
]
VALUES = st.one_of(
    st.integers(0, 3), st.floats(0, 3, allow_nan=False), st.text(max_size=3), st.just({}), st.just({"hp": 1})
)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PATHS), VALUES), max_size=3), st.randoms(use_true_random=False))
def test_there_is_a_difference_just_where_digests_differ(edits: list[tuple[Any, Any]], chance: Any) -> None:
    old, new = documents(TINY), documents(TINY)
    for path, value in edits:
        if path[-1] not in ("monsters", "resources", "items", "tiles"):
            set_in(*path, to=value)(new)
    if chance.random() < 0.3:
        chance.shuffle(new["items"]["items"])
    found = differences(old, new)
    assert (found == []) == (digest(old) == digest(new))
    assert (verdict_on(found) == Comparability.SAME) == (found == [])
    json.dumps([one.as_row() for one in found])


def digest(content: Content) -> str:
    return json.dumps(content, sort_keys=True)


def test_what_one_adds_the_other_removes(tiny: World, classic: World) -> None:
    there = differences(json.loads(tiny.source), json.loads(classic.source))
    back = differences(json.loads(classic.source), json.loads(tiny.source))
    added = {(one.document, one.code) for one in there if one.what == "added"}
    assert added
    assert added == {(one.document, one.code) for one in back if one.what == "removed"}


# -- what it means ----------------------------------------------------------------------------------------------------


@for_each(
    ("change", "verdict"),
    [
        (lambda content: None, Comparability.SAME),
        (set_in("items", "items", 0, "name", to="Rod"), Comparability.WORDS),
        (set_in("items", "items", 0, "description", to="Long."), Comparability.WORDS),
        (set_in("map", "tiles", 0, "skin", to="grass"), Comparability.WORDS),
        (set_in("world", "credits", to="Us."), Comparability.WORDS),
        (set_in("distractors", "items", 0, "level", to=2), Comparability.WORDS),
        (set_in("distractors", "items", to=[]), Comparability.WORDS),
        (lambda content: content["map"]["tiles"].reverse(), Comparability.ORDER),
        (
            lambda content: content["map"]["tiles"].append({"x": 7, "y": 7, "name": "", "skin": ""}),
            Comparability.ADDITIONS,
        ),
        (lambda content: content["world"]["skills"].append("sewing"), Comparability.ADDITIONS),
        (lambda content: content["world"]["skills"].reverse(), Comparability.CONTENT),
        (lambda content: content["world"]["starter_items"].append("ore"), Comparability.CONTENT),
        (set_in("world", "exchange_sells", to="every item"), Comparability.CONTENT),
        (set_in("items", "items", 0, "level", to=2), Comparability.CONTENT),
        (set_in("items", "items", 0, "type", to="coat"), Comparability.CONTENT),
        (set_in("world", "start", "x", to=1), Comparability.CONTENT),
        (set_in("world", "slots", to=["blade"]), Comparability.CONTENT),
        (lambda content: content["monsters"]["monsters"].pop(), Comparability.CONTENT),
        (lambda content: content["monsters"]["monsters"][1]["drops"].reverse(), Comparability.CONTENT),
    ],
)
def test_a_difference_means_as_much_as_it_does_to_a_plan(
    change: Callable[[Content], object], verdict: Comparability
) -> None:
    assert verdict_on(changed(change)) == verdict


def test_several_differences_mean_as_much_as_the_gravest() -> None:
    def change(content: Content) -> None:
        set_in("items", "items", 0, "name", to="Rod")(content)
        content["map"]["tiles"].append({"x": 7, "y": 7, "name": "", "skin": ""})

    assert {one.verdict for one in changed(change)} == {Comparability.WORDS, Comparability.ADDITIONS}
    assert verdict_on(changed(change)) == Comparability.ADDITIONS


def test_every_verdict_has_a_sentence_and_a_place_in_the_schema() -> None:
    schema = load_schema("world-diff")["properties"]
    assert schema["verdict"]["enum"] == [verdict.value for verdict in Comparability]
    assert all(verdict.sentence.endswith(".") for verdict in Comparability)
    row = schema["differences"]["items"]["properties"]
    assert row["document"]["enum"] == list(DOCUMENTS)
    assert set(row["what"]["enum"]) == set(get_args(get_type_hints(Difference)["what"]))
