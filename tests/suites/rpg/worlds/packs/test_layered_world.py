import json

from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import check_world
from herobench.suites.rpg.worlds.layered_world import LayeredWorld, Pack
from tests.builders import TINY, Json, documents
from tests.sizes import for_each
from tests.suites.rpg.worlds.packs.made import content, item, pack

TINY_DOCUMENTS = documents(TINY)
CODES = [row["code"] for row in TINY_DOCUMENTS["items"]["items"]]
TILE = {"x": 3, "y": 0, "name": "Keep", "skin": ""}


def laid(*packs: Pack) -> tuple[LayeredWorld, list[str]]:
    """The tiny world with packs on it, and what does not fit of them."""
    stack = LayeredWorld.on(documents(TINY), "tiny")
    return stack, [str(problem) for each in packs for problem in stack.apply(each)]


def whole(*packs: Pack) -> dict[str, Json]:
    stack, problems = laid(*packs)
    assert problems == []
    return stack.documents()


# -- what comes of packs ----------------------------------------------------------------------------------------------


def test_a_world_without_packs_stays_as_it_is(tiny: World) -> None:
    assert World.from_documents(whole()).digest == tiny.digest


def test_a_pack_without_changes_gives_the_world_its_name_and_keeps_the_credit() -> None:
    found = whole(pack())
    assert content(found) == content(TINY_DOCUMENTS)
    about = found["world"]
    assert (about["code"], about["name"], about["description"]) == ("frosty", "Frosty", "Colder.")
    assert about["credits"] == "Made for the tests. Of the pack."


def test_what_is_added_stands_last_what_is_replaced_in_its_place_what_is_removed_nowhere() -> None:
    ore = item("ore", level=7)
    rows = whole(pack(items={"add": [item("rope")], "replace": [ore], "remove": ["fur"]}))["items"]["items"]
    assert [row["code"] for row in rows] == [*(code for code in CODES if code != "fur"), "rope"]
    assert rows[CODES.index("ore")] == ore


def test_tiles_go_by_their_places() -> None:
    before = {(tile["x"], tile["y"]) for tile in TINY_DOCUMENTS["map"]["tiles"]}
    tiles = whole(pack(map={"replace": [TILE], "remove": [{"x": -1, "y": -1}], "add": [{**TILE, "x": 4}]}))["map"][
        "tiles"
    ]
    assert {(tile["x"], tile["y"]) for tile in tiles} == before - {(-1, -1)} | {(4, 0)}
    assert next(tile for tile in tiles if (tile["x"], tile["y"]) == (3, 0)) == TILE


def test_facts_are_set_and_lists_among_them_get_and_lose_entries() -> None:
    about = whole(
        pack(
            world={
                "set": {"start": {"x": 1, "y": 0}, "hero": {"hp": 90}, "starter_items": []},
                "add": {"skills": ["sewing"]},
                "remove": {"slots": ["charm2"], "exchange_sells": ["salt"]},
            }
        )
    )["world"]
    assert (about["start"], about["hero"], about["starter_items"]) == ({"x": 1, "y": 0}, {"hp": 90}, [])
    assert about["skills"] == ["digging", "smithing", "brewing", "sewing"]
    assert about["slots"] == ["blade", "coat", "charm1", "consumable1", "consumable2"]
    assert about["exchange_sells"] == ["twig"]


def test_a_list_can_become_a_word_and_a_word_a_list() -> None:
    everything = pack(world={"set": {"exchange_sells": "every item"}})
    assert whole(everything)["world"]["exchange_sells"] == "every item"
    back = pack("back", ("frosty",), world={"set": {"exchange_sells": ["salt", "twig"]}})
    assert content(whole(everything, back)) == content(TINY_DOCUMENTS)


def test_what_was_removed_may_be_added_by_the_same_pack_or_a_higher_one() -> None:
    row = item("pearl", level=3)
    removed = pack(items={"remove": ["pearl"]})
    again = whole(removed, pack("high", ("frosty",), items={"add": [row]}))
    assert again["items"] == whole(pack(items={"remove": ["pearl"], "add": [row]}))["items"]


@settings(deadline=None)
@given(st.sets(st.sampled_from(CODES)), st.sets(st.sampled_from(["rope", "sail", "mast"])))
def test_a_pack_that_undoes_another_gives_the_world_back(replaced: set[str], added: set[str]) -> None:
    rows = TINY_DOCUMENTS["items"]["items"]
    change = {
        "replace": [{**row, "level": 9} for row in rows if row["code"] in replaced],
        "add": list(map(item, added)),
    }
    undo = {"replace": [row for row in rows if row["code"] in replaced], "remove": sorted(added)}
    found = whole(pack(items=change), pack("undo", ("frosty",), items=undo))
    assert content(found) == content(TINY_DOCUMENTS)


@settings(deadline=None)
@given(st.sets(st.sampled_from(CODES), min_size=1))
def test_what_is_removed_and_brought_back_stands_last_and_is_else_the_same(codes: set[str]) -> None:
    rows = [row for row in TINY_DOCUMENTS["items"]["items"] if row["code"] in codes]
    found = whole(pack(items={"remove": sorted(codes)}), pack("back", ("frosty",), items={"add": rows}))
    others = [row for row in TINY_DOCUMENTS["items"]["items"] if row["code"] not in codes]
    assert content(found) == {**content(TINY_DOCUMENTS), "items": {**found["items"], "items": [*others, *rows]}}


# -- what does not fit ------------------------------------------------------------------------------------------------

UNFIT: dict[str, tuple[dict[str, Json], str]] = {
    "add what is there": (
        {"items": {"add": [item("ore")]}},
        "items.json: $.add[0]: expected something new, but it is already in tiny/items.json ($.items[2]), "
        'found "ore"; move it to replace',
    ),
    "replace what is not": (
        {"items": {"replace": [item("ore"), item("oer")]}},
        "items.json: $.replace[1]: expected an existing thing to replace, found \"oer\"; is 'ore' meant?",
    ),
    "remove what is not": (
        {"monsters": {"remove": ["dragon"]}},
        'monsters.json: $.remove[0]: expected an existing thing to remove, found "dragon"',
    ),
    "remove a tile that is not": (
        {"map": {"remove": [{"x": 50, "y": 0}]}},
        "map.json: $.remove[0]: expected an existing thing to remove, found [50, 0]",
    ),
    "add a tile that is there": (
        {"map": {"add": [TILE]}},
        "map.json: $.add[0]: expected something new, but it is already in tiny/map.json ($.tiles[3]), "
        "found [3, 0]; move it to replace",
    ),
    "add the same twice": (
        {"items": {"add": [item("rope"), item("rope")]}},
        "items.json: $.add[1]: expected something new, but it is already in frosty/items.json ($.add[0]), "
        'found "rope"; move it to replace',
    ),
    "add a skill that is there": (
        {"world": {"add": {"skills": ["sewing", "digging"]}}},
        "world.json: $.add.skills[1]: expected something new, but it is already in tiny/world.json ($.skills[0]), "
        'found "digging"',
    ),
    "remove a skill that is not": (
        {"world": {"remove": {"skills": ["diging"]}}},
        "world.json: $.remove.skills[0]: expected an existing thing to remove, found \"diging\"; is 'digging' meant?",
    ),
    "add to a word": (
        {"world": {"set": {"exchange_sells": "every item"}, "add": {"exchange_sells": ["ore"]}}},
        "world.json: $.add.exchange_sells[0]: expected a list to add to, but frosty/world.json "
        '($.set.exchange_sells) is no list, found "ore"',
    ),
}


@for_each(("changes", "complaint"), UNFIT.values())
def test_what_does_not_fit_is_named_with_the_file_of_the_pack(changes: dict[str, Json], complaint: str) -> None:
    _, problems = laid(pack(**changes))
    assert problems == [f"frosty/{complaint}"]


# -- several packs ----------------------------------------------------------------------------------------------------


def test_packs_that_touch_different_things_go_together_in_any_order() -> None:
    one, other = pack("one", items={"add": [item("rope")]}), pack("other", world={"add": {"skills": ["sewing"]}})
    assert content(whole(one, other)) == content(whole(other, one))
    about = whole(one, other)["world"]
    assert (about["code"], about["name"]) == ("one_other", "One + Other")


def test_two_packs_may_change_the_same_thing_in_the_same_way() -> None:
    changes: dict[str, Json] = {
        "items": {"add": [item("rope")], "remove": ["pearl"]},
        "world": {"add": {"skills": ["sewing"]}, "set": {"start": {"x": 1, "y": 0}}},
    }
    assert content(whole(pack("one", **changes), pack("other", **changes))) == content(whole(pack("one", **changes)))


def test_a_pack_may_change_as_it_likes_what_it_builds_on() -> None:
    high = pack("high", ("low",), items={"replace": [item("rope", level=4)]})
    rows = whole(pack("low", items={"add": [item("rope")]}), high)["items"]["items"]
    assert rows[-1] == item("rope", level=4)


CONFLICTS: dict[str, tuple[dict[str, Json], dict[str, Json], str]] = {
    "two of a code": (
        {"items": {"add": [item("rope")]}},
        {"items": {"add": [item("rope", level=2)]}},
        'other/items.json: $.add[0]: expected no change that contradicts one/items.json ($.add[0]), found "rope"',
    ),
    "removed and replaced": (
        {"items": {"remove": ["ore"]}},
        {"items": {"replace": [item("ore")]}},
        'other/items.json: $.replace[0]: expected no change that contradicts one/items.json ($.remove[0]), found "ore"',
    ),
    "a fact set in two ways": (
        {"world": {"set": {"start": {"x": 1, "y": 0}}}},
        {"world": {"set": {"start": {"x": 2, "y": 0}}}},
        "other/world.json: $.set.start: expected no change that contradicts one/world.json ($.set.start), "
        'found "start"',
    ),
    "a list set and added to": (
        {"world": {"set": {"skills": ["digging"]}}},
        {"world": {"add": {"skills": ["sewing"]}}},
        "other/world.json: $.add.skills[0]: expected no change that contradicts one/world.json "
        '($.set.skills), found "sewing"',
    ),
    "a list added to and set": (
        {"world": {"add": {"skills": ["sewing"]}}},
        {"world": {"set": {"skills": ["digging"]}}},
        "other/world.json: $.set.skills: expected no change that contradicts one/world.json "
        '($.add.skills[0]), found "skills"',
    ),
    "a tile of two kinds": (
        {"map": {"replace": [TILE]}},
        {"map": {"replace": [{**TILE, "name": "Ruin"}]}},
        "other/map.json: $.replace[0]: expected no change that contradicts one/map.json ($.replace[0]), found [3, 0]",
    ),
}


@for_each(("one", "other", "complaint"), CONFLICTS.values())
def test_two_packs_that_change_the_same_thing_differently_are_named(
    one: dict[str, Json], other: dict[str, Json], complaint: str
) -> None:
    _, problems = laid(pack("one", **one), pack("other", **other))
    assert problems == [complaint]


def test_a_conflict_is_found_whatever_lies_between() -> None:
    packs = [
        pack("one", items={"add": [item("rope")]}),
        pack("on_one", ("one",), items={"replace": [item("rope", level=2)]}),
        pack("other", items={"add": [item("rope")]}),
    ]
    _, problems = laid(*packs)
    assert len(problems) == 1
    assert problems[0].startswith("other/items.json: $.add[0]")


def test_the_whole_is_checked_like_any_world() -> None:
    assert check_world(whole(pack(items={"add": [item("rope")]})), "tiny") == []
    assert check_world(whole(pack(items={"remove": ["ore"]})), "tiny") != []


def test_what_is_laid_does_not_change_the_world_beneath() -> None:
    before = json.dumps(TINY_DOCUMENTS)
    stack = LayeredWorld.on(TINY_DOCUMENTS, "tiny")
    assert not list(stack.apply(pack(items={"add": [item("rope")]}, world={"add": {"skills": ["sewing"]}})))
    assert json.dumps(TINY_DOCUMENTS) == before
