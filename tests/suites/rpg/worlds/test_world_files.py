"""Worlds as folders of files: written, and begun from a template or as a copy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from herobench.data.documents import content_folder
from herobench.data.errors import StoreError
from herobench.suites.rpg.game.world import DOCUMENTS
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.content import load_world, read_world
from herobench.suites.rpg.worlds.world_files import SCHEMAS, begin_world, document_text
from tests.builders import TINY
from tests.refusals import misread, raises
from tests.sizes import for_each

CLASSIC, _ = read_world("classic")


@for_each("name", DOCUMENTS)
def test_the_classic_world_is_laid_out_as_it_would_be_written(name: str) -> None:
    assert document_text(name, CLASSIC[name]) == content_folder().joinpath("classic", f"{name}.json").read_text("utf-8")


def test_a_document_without_rows_can_be_written() -> None:
    empty = {"schema": 1, "items": []}
    assert json.loads(document_text("distractors", empty)) == empty


def test_a_disk_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="x" * 300):
        begin_world(tmp_path / ("x" * 300), "A")


@pytest.fixture
def world(tmp_path: Path) -> Path:
    begin_world(tmp_path / "my-world")
    return tmp_path / "my-world"


def test_a_new_world_has_nothing_wrong_with_it_and_is_called_after_its_folder(world: Path) -> None:
    loaded = load_world(world)
    assert (loaded.code, loaded.name) == ("my_world", "My World")
    assert (world / "README.md").read_text("utf-8").startswith("# My World\n")


def test_a_new_world_has_some_of_everything(world: Path) -> None:
    loaded = load_world(world)
    assert (len(loaded.monsters), len(loaded.resources)) == (3, 4)
    assert len({item.recipe.skill for item in loaded.items.values() if item.recipe}) == 2


@for_each("name", ["Café ♥ 9", 'The "Quoted" \\ World', "a $& b", "classic", "New World"])
def test_a_new_world_may_be_called_anything_with_a_letter(name: str, tmp_path: Path) -> None:
    begin_world(tmp_path / "x", name)
    assert load_world(tmp_path / "x").name == name


@for_each("name", ["♥", "", "."])
def test_a_name_that_no_code_can_be_made_of_is_refused(name: str, tmp_path: Path) -> None:
    with raises(RpgFault.NO_CODE, "--name"):
        begin_world(tmp_path / "♥", name)
    assert list(tmp_path.iterdir()) == []


@for_each("name", ["x" * 81, "line\nbreak", "bell\a", "half \udc80"])
def test_a_name_that_the_schema_refuses_is_refused_before_anything_is_written(name: str, tmp_path: Path) -> None:
    with misread("$.name", "world.json: "):
        begin_world(tmp_path / "x", name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["classic", "./classic", "-x"])
def test_a_folder_that_nobody_could_name_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with raises(RpgFault.NAME_OF_OPTION if name == "-x" else RpgFault.NAME_OF_WORLD, repr(str(Path(name)))):
        begin_world(Path(name), "A")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with raises(RpgFault.NOT_EMPTY, tmp_path):
        begin_world(tmp_path, "A")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "inside"):
        with raises(RpgFault.NO_FOLDER, folder):
            begin_world(folder, "A")


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    begin_world(tmp_path, "A")
    assert load_world(tmp_path).name == "A"


def test_a_copy_of_a_world_is_that_world_under_another_name(tmp_path: Path) -> None:
    begin_world(tmp_path / "my-world", like="classic")
    copied, _ = read_world(tmp_path / "my-world")
    assert {**copied, "world": {}} == {**CLASSIC, "world": {}}
    assert load_world(tmp_path / "my-world").monsters == load_world("classic").monsters
    assert copied["world"] == {**CLASSIC["world"], "code": "my_world", "name": "My World"}
    with raises(RpgFault.NO_WORLD, "'nowhere'"):
        begin_world(tmp_path / "other", like="nowhere")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("like", [None, str(TINY)])
def test_every_file_names_a_schema_beside_it_that_accepts_it(like: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "world"
    begin_world(folder, like=like)
    files = sorted(folder.glob("*.json"))
    assert [file.stem for file in files] == sorted(DOCUMENTS)
    for file in files:
        document = json.loads(file.read_text("utf-8"))
        schema = json.loads((folder / document["$schema"]).read_text("utf-8"))
        Draft202012Validator(schema).validate(document)
        assert '"$ref": "#' in json.dumps(schema) or "$ref" not in json.dumps(schema)
    assert len(list((folder / SCHEMAS).iterdir())) == len(files)
