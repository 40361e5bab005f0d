"""Packs as folders, down to the world below them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.content import is_shipped_world, load_world, read_world
from herobench.suites.rpg.worlds.layered_world import pack_changes, row_key
from herobench.suites.rpg.worlds.pack_files import split_name
from tests.builders import TINY, documents, write_world
from tests.ordinary_user import ordinary_user
from tests.refusals import raises
from tests.sizes import for_each
from tests.suites.rpg.worlds.packs.made import item, pack, write_pack


def test_a_pack_without_documents_changes_nothing() -> None:
    assert list(pack_changes(pack())) == []


def test_a_row_goes_by_its_code_and_a_tile_by_its_place() -> None:
    assert row_key("items", item("rope")) == "rope"
    assert row_key("map", {"x": 2.0, "y": -1}) == (2, -1)


ROPE = {"add": [item("rope")]}


def wrong_with(name: str | Path, folder: Path) -> list[str]:
    """Return the problems of a world, with paths relative to a folder."""
    _, problems = read_world(name)
    return [str(problem).replace(f"{folder}/", "") for problem in problems]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return write_world(tmp_path / "base", documents(TINY))


# -- one pack ---------------------------------------------------------------------------------------------------------


def test_a_pack_is_loaded_like_a_world(tmp_path: Path, tiny: World) -> None:
    world = load_world(write_pack(tmp_path / "pack", items=ROPE))
    assert (world.code, world.name) == ("frosty", "Frosty")
    assert world.items.keys() == {*tiny.items, "rope"}
    assert world.digest != tiny.digest


def test_the_digest_is_of_the_content_not_of_how_it_was_put_together(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", items=ROPE)
    merged, _ = read_world(pack)
    copy = write_world(tmp_path / "copy", dict(merged))  # type: ignore[arg-type]
    assert load_world(copy).digest == load_world(pack).digest


@pytest.mark.parametrize("extends", ["classic", "../base", "../base/"])
def test_a_pack_says_what_it_is_laid_on_as_seen_from_its_folder(extends: str, base: Path, tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", {"extends": extends}, items=ROPE)
    below = load_world("classic" if extends == "classic" else base)
    assert load_world(pack).monsters == below.monsters


def test_a_shipped_world_is_meant_before_a_folder_of_its_name(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", {"extends": "classic"})
    write_world(pack / "classic", documents(TINY))
    assert "chicken" in load_world(pack).monsters


def test_where_an_editor_finds_schemas_is_no_part_of_a_world(tmp_path: Path, tiny: World) -> None:
    content = documents(TINY)
    for document in content.values():
        document["$schema"] = "./somewhere.json"
    assert load_world(write_world(tmp_path / "copy", content)).digest == tiny.digest
    plain = write_pack(tmp_path / "plain", items=ROPE)
    marked = write_pack(tmp_path / "marked", {"$schema": "a"}, items={"$schema": "b", **ROPE})
    assert load_world(plain).digest == load_world(marked).digest


def test_a_folder_beneath_is_never_taken_for_a_shipped_world(
    tmp_path: Path, tiny: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_world(tmp_path / "classic", documents(TINY))
    write_pack(tmp_path / "pack", {"extends": "../classic"})
    monkeypatch.chdir(tmp_path)
    assert load_world("pack").monsters == load_world(tmp_path / "pack").monsters == tiny.monsters


def test_what_is_beneath_is_seen_from_where_a_pack_really_is(base: Path, tmp_path: Path) -> None:
    write_pack(tmp_path / "real" / "deep" / "pack", {"extends": "../../../base"}, items=ROPE)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "deep")
    assert "rope" in load_world(tmp_path / "link" / "pack").items


def test_whole_numbers_are_whole_however_they_are_written(base: Path, tmp_path: Path, tiny: World) -> None:
    file = base / "monsters.json"
    content = json.loads(file.read_text("utf-8"))
    for row in content["monsters"]:
        row["hp"] = float(row["hp"])
    file.write_text(json.dumps(content), "utf-8")
    assert load_world(base).digest == tiny.digest
    packs = [write_pack(tmp_path / str(level), items={"add": [item("rope", level=level)]}) for level in (2, 2.0)]
    assert load_world(packs[0]).digest == load_world(packs[1]).digest


# -- packs on packs ---------------------------------------------------------------------------------------------------


def test_packs_that_lie_on_themselves_are_named(tmp_path: Path) -> None:
    for name, below in (("a", "b"), ("b", "c"), ("c", "b"), ("itself", "itself")):
        write_pack(tmp_path / name, {"extends": f"../{below}"})
    for name, last, circle in (("a", "c", "b > c > b"), ("itself", "itself", "itself > itself")):
        assert wrong_with(tmp_path / name, tmp_path) == [
            f'{last}/pack.json: $.extends: expected packs that do not extend each other in a circle, found "{circle}"'
        ]


# -- several packs ----------------------------------------------------------------------------------------------------


def test_several_packs_are_named_with_a_plus(base: Path, tmp_path: Path) -> None:
    write_pack(tmp_path / "one", {"code": "one", "extends": "../base"}, items=ROPE)
    write_pack(tmp_path / "two", {"code": "two", "extends": "../base"}, items={"add": [item("sail")]})
    names = [f"{tmp_path}/one+{tmp_path}/two", f"{base}+{tmp_path}/one+{tmp_path}/two"]
    worlds = [load_world(name) for name in names]
    assert worlds[0] == worlds[1]
    assert worlds[0].code == "one_two"
    assert worlds[0].items.keys() >= {"rope", "sail"}


def test_a_pack_that_is_named_twice_is_laid_once(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", items=ROPE)
    assert load_world(f"{pack}+{pack}") == load_world(pack)


def test_a_pack_that_two_others_build_on_is_laid_once(tmp_path: Path) -> None:
    write_pack(tmp_path / "low", items=ROPE)
    write_pack(tmp_path / "one", {"code": "one", "extends": "../low"}, items={"add": [item("sail")]})
    write_pack(tmp_path / "two", {"code": "two", "extends": "../low"}, items={"add": [item("mast")]})
    world = load_world(f"{tmp_path}/one+{tmp_path}/two")
    assert world.items.keys() >= {"rope", "sail", "mast"}
    assert world.code == "one_two"


def test_packs_on_different_worlds_do_not_go_together(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack")
    with raises(RpgFault.OTHER_BASES, "classic"):
        load_world(f"classic+{pack}")


def test_a_folder_with_a_plus_in_its_name_is_that_folder(tmp_path: Path, tiny: World) -> None:
    assert load_world(str(write_world(tmp_path / "a+b", documents(TINY)))) == tiny


def test_the_longest_folder_is_meant_where_plusses_are_in_names(tmp_path: Path) -> None:
    base = write_world(tmp_path / "a+b", documents(TINY))
    pack = write_pack(tmp_path / "c+d", {"extends": "../a+b"}, items=ROPE)
    assert split_name(f"{base}+{pack}+classic", is_shipped_world) == [str(base), str(pack), "classic"]
    assert load_world(f"{base}+{pack}") == load_world(pack)
    with raises(RpgFault.NO_PART, f"{tmp_path}/c'", f"{tmp_path}/c+e'"):
        load_world(f"{base}+{tmp_path}/c+e")


def test_a_plus_stands_between_two() -> None:
    for name in ("classic+", "+classic", "+", "classic++classic"):
        with raises(RpgFault.PLUS_TOO_MANY, repr(name)):
            load_world(name)
    with raises(RpgFault.NO_PART, "'nowhere'"):
        load_world("classic+nowhere")
    with raises(RpgFault.NAME_IS_EMPTY):
        load_world("")


# -- what is wrong with a pack ----------------------------------------------------------------------------------------


def test_the_shape_of_every_file_of_a_pack_is_checked_at_once(tmp_path: Path) -> None:
    write_pack(
        tmp_path / "pack", items={"items": []}, monsters="{", map={"remove": ["here"]}, world={"set": {"name": "X"}}
    )
    assert [problem.partition(": expected")[0] for problem in wrong_with(tmp_path / "pack", tmp_path)] == [
        "pack/world.json: $.set.name",
        "pack/monsters.json: column 2",
        "pack/items.json: $.items",
        "pack/map.json: $.remove[0]",
    ]


@for_each(
    ("about", "complaint"),
    [
        ({"extends": 7}, "$.extends: expected string, found 7"),
        (
            {"code": "No Code"},
            "$.code: expected text that matches ^[a-z0-9]+(_[a-z0-9]+)*$, found \"No Code\"; is 'no_code' meant?",
        ),
        (
            {"extends": "../nowhere"},
            "$.extends: expected a shipped world, or the folder of a world or a pack, as seen from this "
            'one, found "../nowhere"',
        ),
    ],
)
def test_what_is_wrong_with_what_a_pack_says_of_itself_is_named(
    about: dict[str, object], complaint: str, tmp_path: Path
) -> None:
    write_pack(tmp_path / "pack", about)
    assert wrong_with(tmp_path / "pack", tmp_path) == [f"pack/pack.json: {complaint}"]


def test_what_is_wrong_with_the_world_beneath_is_told_as_of_the_world(base: Path, tmp_path: Path) -> None:
    (base / "items.json").write_text("[]")
    write_pack(tmp_path / "pack", {"extends": "../base"}, items={"remove": ["nothing"]})
    assert wrong_with(tmp_path / "pack", tmp_path) == ["base/items.json: $: expected object, found []"]


def test_what_is_wrong_with_the_whole_names_the_file_of_the_pack(tmp_path: Path) -> None:
    write_pack(
        tmp_path / "pack",
        items={
            "add": [item("sail"), item("rope", recipe={"skill": "smithing", "level": 1, "ingredients": {"fuur": 1}})]
        },
        map={"replace": [{"x": 3, "y": 0, "name": "Keep", "skin": "", "content": {"type": "monster", "code": "wal"}}]},
        world={"set": {"start": {"x": 9, "y": 9}}, "add": {"starter_items": ["stick"]}},
    )
    found = wrong_with(tmp_path / "pack", tmp_path)
    assert [problem.partition(": expected")[0] for problem in found] == [
        "pack/world.json: $.set.start",
        "pack/world.json: $.add.starter_items[0]",
        "pack/map.json: $.replace[0].content.code",
        f"{TINY}/monsters.json: $.monsters[2].code",
        "pack/items.json: $.add[1].recipe.ingredients.fuur",
    ]


def test_what_is_missed_is_said_to_have_been_removed(tmp_path: Path) -> None:
    write_pack(tmp_path / "pack", items={"remove": ["salt"]}, world={"remove": {"exchange_sells": ["salt"]}})
    found = wrong_with(tmp_path / "pack", tmp_path)
    assert len(found) == 2
    for problem in found:
        assert problem.startswith(f"{TINY}/items.json: $.items[")
        assert problem.endswith("; pack/items.json ($.remove[0]) removes it")


def test_a_start_whose_tile_was_removed_is_said_to_have_lost_it(tmp_path: Path) -> None:
    write_pack(tmp_path / "pack", map={"remove": [{"x": 0, "y": 0}]})
    (problem,) = wrong_with(tmp_path / "pack", tmp_path)
    assert problem.startswith(f"{TINY}/world.json: $.start: expected a tile of the map")
    assert problem.endswith("; pack/map.json ($.remove[0]) removes it")


def test_what_packs_say_of_themselves_together_is_cut_to_what_a_world_may_say(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        long = {"code": name * 50, "name": name * 70, "description": name * 1900, "credits": name * 1900}
        write_pack(tmp_path / name, long)
    one, other = (load_world(f"{tmp_path}/a+{tmp_path}/{name}") for name in ("b", "c"))
    assert one.code.startswith("a" * 50 + "_")
    assert one.code != other.code
    assert one.name == "a" * 70 + " + bbbb..."


def test_unknown_codes_and_what_comes_of_the_rest_are_told_at_once(tmp_path: Path) -> None:
    write_pack(tmp_path / "pack", items={"remove": ["nothing"]}, world={"set": {"start": {"x": 9, "y": 9}}})
    found = wrong_with(tmp_path / "pack", tmp_path)
    assert [problem.partition(": expected")[0] for problem in found] == [
        "pack/items.json: $.remove[0]",
        "pack/world.json: $.set.start",
    ]


def test_a_file_of_a_pack_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", items=ROPE)
    (pack / "items.json").chmod(0)
    with ordinary_user():
        assert wrong_with(pack, tmp_path) == ["pack/items.json: expected a readable file (Permission denied)"]
