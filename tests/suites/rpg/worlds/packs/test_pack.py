from herobench.suites.rpg.worlds.layered_world import Origin, pack_changes, row_key
from tests.suites.rpg.worlds.packs.made import item, pack


def test_a_pack_without_documents_changes_nothing() -> None:
    assert list(pack_changes(pack())) == []


def test_each_change_knows_what_it_is_about_and_where_it_was_written() -> None:
    changes = list(
        pack_changes(
            pack(
                world={
                    "set": {"start": {"x": 1, "y": 0}},
                    "add": {"skills": ["a", "b"]},
                    "remove": {"slots": ["coat"]},
                },
                items={"add": [item("rope")], "replace": [item("ore")], "remove": ["fur"]},
                map={"remove": [{"x": 3, "y": 0}], "add": [{"x": 9, "y": 9, "name": "Far", "skin": ""}]},
            )
        )
    )
    assert [(change.step, change.target) for change in changes] == [
        ("set", ("world", "start")),
        ("remove", ("world", "slots", "coat")),
        ("add", ("world", "skills", "a")),
        ("add", ("world", "skills", "b")),
        ("remove", ("items", "fur")),
        ("replace", ("items", "ore")),
        ("add", ("items", "rope")),
        ("remove", ("map", (3, 0))),
        ("add", ("map", (9, 9))),
    ]
    assert [str(change.origin) for change in changes if change.target[0] == "world"] == [
        "frosty/world.json ($.set.start)",
        "frosty/world.json ($.remove.slots[0])",
        "frosty/world.json ($.add.skills[0])",
        "frosty/world.json ($.add.skills[1])",
    ]
    assert changes[-1].origin == Origin("frosty/map.json", ("add", 0))


def test_a_row_goes_by_its_code_and_a_tile_by_its_place() -> None:
    assert row_key("items", item("rope")) == "rope"
    assert row_key("map", {"x": 2.0, "y": -1}) == (2, -1)
