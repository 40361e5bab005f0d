"""Worlds as files: what is written is what is read, and looks like what is shipped."""

from pathlib import Path

import pytest

from herobench.data.documents import shipped
from herobench.data.errors import StoreError, UsageError
from herobench.suites.rpg.game.world import DOCUMENTS
from herobench.suites.rpg.worlds.content import load_world, read_world
from herobench.suites.rpg.worlds.world_files import document_text, write_world

CLASSIC, _ = read_world("classic")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_classic_world_is_laid_out_as_it_would_be_written(name: str) -> None:
    assert document_text(name, CLASSIC[name]) == shipped().joinpath("classic", f"{name}.json").read_text("utf-8")


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    write_world(tmp_path / "new" / "world", CLASSIC)
    assert load_world(tmp_path / "new" / "world") == load_world("classic")


def test_a_document_without_rows_can_be_written(tmp_path: Path) -> None:
    write_world(tmp_path, {**CLASSIC, "distractors": {"schema": 1, "items": []}})
    assert load_world(tmp_path).distractors == {}


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        write_world(tmp_path, CLASSIC)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(UsageError, match="is a file"):
        write_world(tmp_path / "mine", CLASSIC)
    with pytest.raises(UsageError, match="is a file"):
        write_world(tmp_path / "mine" / "below", CLASSIC)


def test_a_disk_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Cannot write"):
        write_world(tmp_path / ("x" * 300), CLASSIC)
