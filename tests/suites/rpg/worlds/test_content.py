import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from herobench.data.documents import content_folder
from herobench.data.errors import InputError, Problem
from herobench.suites.rpg.game.world import DOCUMENTS, World
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds import content as loading
from herobench.suites.rpg.worlds.content import (
    DEFAULT_EDITION,
    DEFAULT_WORLD,
    check_world,
    edition_names,
    files_digest,
    load_rules,
    load_world,
    shipped_worlds,
)
from tests.builders import TINY, documents, write_world
from tests.ordinary_user import ordinary_user
from tests.refusals import misread, raises
from tests.sizes import for_each


def wrong_with(folder: Path) -> tuple[Problem, ...]:
    """Return the problems of loading a world from a folder."""
    with pytest.raises(InputError) as caught:
        load_world(folder)
    assert str(caught.value) == "\n".join(map(str, caught.value.problems))
    return caught.value.problems


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_world(tmp_path / "copy", documents(TINY))


# -- worlds -----------------------------------------------------------------------------------------------------------


def test_a_world_is_loaded_by_its_shipped_name_or_from_a_folder(tiny: World, classic: World, folder: Path) -> None:
    assert load_world() == load_world(DEFAULT_WORLD) == classic
    assert load_world() is load_world(), "a shipped world is kept"
    assert load_world(folder) == load_world(str(folder)) == tiny


def test_the_shipped_worlds_are_listed() -> None:
    assert shipped_worlds() == ["classic"]


@for_each("name", ["clasic", "no/such/folder", "n" * 300, "\0", "classic/world.json"])
def test_an_unknown_world_is_told_the_shipped_ones(name: str) -> None:
    with raises(RpgFault.NO_WORLD, repr(name), "classic."):
        load_world(name)


def test_a_file_of_a_folder_is_no_world(folder: Path) -> None:
    with misread("$", "world.json: "):
        load_world(folder / "world.json")


def test_a_folder_without_any_document_is_told_in_a_sentence(tmp_path: Path) -> None:
    with raises(RpgFault.NO_DOCUMENTS, tmp_path, "world.json."):
        load_world(tmp_path)
    (tmp_path / "world.jsn").write_text("{}")
    with raises(RpgFault.NO_DOCUMENTS, tmp_path, "world.json (is world.jsn meant?)."):
        load_world(tmp_path)
    with raises(RpgFault.NAME_IS_EMPTY):
        load_world("")


def test_whole_numbers_are_whole_however_they_are_written(folder: Path, tiny: World) -> None:
    file = folder / "monsters.json"
    content = json.loads(file.read_text("utf-8"))
    for row in content["monsters"]:
        row["hp"] = float(row["hp"])
    file.write_text(json.dumps(content), "utf-8")
    assert load_world(folder).digest == tiny.digest


def test_where_an_editor_finds_schemas_is_no_part_of_a_world(folder: Path, tiny: World) -> None:
    for name in DOCUMENTS:
        file = folder / f"{name}.json"
        file.write_text(json.dumps({"$schema": "./somewhere.json", **json.loads(file.read_text("utf-8"))}), "utf-8")
    assert load_world(folder).digest == tiny.digest


def test_a_shipped_world_is_meant_before_a_folder_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_world(tmp_path / "classic", documents(TINY))
    monkeypatch.chdir(tmp_path)
    assert "chicken" in load_world("classic").monsters
    assert "chicken" not in load_world("./classic").monsters


def test_a_world_with_a_change_in_it_is_still_a_world(folder: Path) -> None:
    (folder / "items.json").write_text('{"schema": 1, "items": [], "remove": []}')
    assert [problem.path for problem in wrong_with(folder)] == ["$.remove"]


def test_three_files_spoilt_in_three_ways_are_reported_together(folder: Path) -> None:
    (folder / "items.json").unlink()
    (folder / "map.json").write_text('{"schema": 1, "tiles": [')
    (folder / "monsters.json").write_text('{"schema": 1, "monsters": 7}')
    assert [(Path(problem.file).name, problem.path) for problem in wrong_with(folder)] == [
        ("items.json", ""),
        ("map.json", "column 25"),
        ("monsters.json", "$.monsters"),
    ]


def test_what_does_not_fit_together_is_reported_together(tmp_path: Path) -> None:
    content = documents(TINY)
    content["world"]["starter_items"] = ["twigg"]
    content["monsters"]["monsters"][2]["gold"] = {"min": 2, "max": 1}
    content["map"]["tiles"].append(content["map"]["tiles"][0])
    found = wrong_with(write_world(tmp_path, content))
    assert sorted(Path(problem.file).name for problem in found) == ["map.json", "monsters.json", "world.json"]


SPOILT: list[tuple[str, Callable[[Path], object]]] = [
    ("missing", lambda file: file.unlink()),
    ("a folder", lambda file: file.rename(file.with_name("away")).with_name(file.name).mkdir()),
    ("empty", lambda file: file.write_text("")),
    ("torn", lambda file: file.write_text(file.read_text()[:-20])),
    ("bad UTF-8", lambda file: file.write_bytes(file.read_bytes()[:50] + b"\xff\xfe")),
    ("UTF-16", lambda file: file.write_text(file.read_text(), "utf-16")),
    ("zeros", lambda file: file.write_bytes(bytes(100))),
    ("NaN", lambda file: file.write_text('{"schema": NaN}')),
    ("infinite", lambda file: file.write_text('{"schema": 1e999}')),
    ("a key twice", lambda file: file.write_text('{"schema": 1, "schema": 1}')),
    ("bottomless", lambda file: file.write_text("[" * 100_000)),
    ("deep", lambda file: file.write_text("[" * 900 + "]" * 900)),
    ("endless digits", lambda file: file.write_text(f'{{"schema": 1{"0" * 5000}}}')),
    *((f"just {text}", lambda file, text=text: file.write_text(text)) for text in ("[]", "null", "1", '"x"', "{}")),
]


@for_each("name", DOCUMENTS)
@for_each(("wrong", "spoil"), SPOILT)
def test_whatever_is_wrong_with_a_file_it_is_the_one_that_is_named(
    name: str, wrong: str, spoil: Callable[[Path], object], tmp_path: Path
) -> None:
    folder = write_world(tmp_path / wrong, documents(TINY))
    spoil(folder / f"{name}.json")
    found = wrong_with(folder)
    assert {problem.file for problem in found} == {f"{folder}/{name}.json"}


def test_a_file_that_may_not_be_read_is_named(folder: Path) -> None:
    (folder / "map.json").chmod(0)
    with ordinary_user():
        assert [problem.expected for problem in wrong_with(folder)] == ["a readable file (Permission denied)"]


def test_the_problems_of_a_shipped_world_name_it_without_its_folder() -> None:
    content = documents()
    content["items"]["schema"] = 2
    assert [str(problem) for problem in check_world(content, "classic")] == [
        "classic/items.json: $.schema: expected 1, found 2"
    ]


@pytest.mark.parametrize("name", [*shipped_worlds(), "editions.json"])
def test_a_shipped_file_was_checked_as_it_is_now(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever changes one gets the new digest for world_data/checked.json told here."""
    folder = content_folder()
    files = [folder / name] if name.endswith(".json") else [*loading._checked_together(folder / name)]
    recorded = json.loads((folder / "checked.json").read_text("utf-8"))
    assert recorded[name] == files_digest(files)
    monkeypatch.setattr(loading, "were_checked", lambda *_: False)
    loading._edition_rows.cache_clear()
    (load_rules if name == "editions.json" else load_world)()


@pytest.mark.parametrize("name", ["classic/items.json", "classic/map.json", "editions.json"])
def test_a_shipped_file_that_was_changed_is_checked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = Path(shutil.copytree(content_folder() / "classic", tmp_path / "classic")).parent
    shutil.copy(content_folder() / "editions.json", copied)
    document = json.loads((copied / name).read_text("utf-8"))
    document["schema"] = 2
    (copied / name).write_text(json.dumps(document), "utf-8")
    monkeypatch.setattr(loading, "content_folder", lambda: copied)
    for kept in (loading._edition_rows, loading._shipped_world):
        monkeypatch.setattr(loading, kept.__name__, cache(kept.__wrapped__))
    with misread("$.schema", f"{name}: ", "1, found 2"):
        (load_rules if name == "editions.json" else load_world)()


def test_the_layout_of_a_file_is_free(folder: Path, tiny: World) -> None:
    for name in DOCUMENTS:
        file = folder / f"{name}.json"
        file.write_bytes(json.dumps(json.loads(file.read_text()), indent=3).replace("\n", "\r\n").encode())
    assert load_world(folder).digest == tiny.digest


# -- editions ---------------------------------------------------------------------------------------------------------


def test_the_editions_are_listed_with_the_default_first() -> None:
    assert edition_names()[0] == DEFAULT_EDITION
    assert len(edition_names()) > 1
    with raises(RpgFault.NO_RULES, "'standart'", "standard, paper-early"):
        load_rules("standart")
