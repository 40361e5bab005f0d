"""Files appear whole, and writing never follows a link that somebody else left in a folder."""

from pathlib import Path

import pytest

from herobench.data.files import replacing, write_text


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside"
    path.write_text("mine", "utf-8")
    return path


def test_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "file").symlink_to(outside)
    write_text(tmp_path / "file", "new \ud800\r\n")
    assert (tmp_path / "file").read_bytes() == b"new \\ud800\r\n"
    assert not (tmp_path / "file").is_symlink()
    assert outside.read_text("utf-8") == "mine"


def test_a_link_at_the_name_of_the_part_is_not_written_through(
    tmp_path: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda most: 7)
    (tmp_path / "file.part7").symlink_to(outside)
    with pytest.raises(FileExistsError):
        write_text(tmp_path / "file", "new")
    assert outside.read_text("utf-8") == "mine"


@pytest.mark.parametrize("durable", [True, False])
def test_what_fails_leaves_what_was_there_and_nothing_else(tmp_path: Path, outside: Path, durable: bool) -> None:
    with pytest.raises(TypeError), replacing(outside, durable=durable) as file:
        file.writelines(["half", 7])  # type: ignore[list-item]
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]
    assert outside.read_text("utf-8") == "mine"
