"""Packs where worlds are: in every command that takes one."""

import json
from pathlib import Path

import pytest

from tests.program import herobench, read_jsonl
from tests.rpg.packs.made import item, write_pack


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack that adds an item that nothing needs."""
    return write_pack(tmp_path / "pack", items={"add": [item("rope")]}, world={"add": {"skills": ["sewing"]}})


def test_what_is_odd_about_a_pack_is_told_of_its_own_files(pack: Path) -> None:
    done = herobench("world", "validate", pack)
    assert done.returncode == 0
    assert f"{pack}/items.json: $.add[0]" in done.stdout
    assert f"{pack}/world.json: $.add.skills[0]" in done.stdout
    (row,) = json.loads(herobench("world", "validate", pack, "--json").stdout)
    assert {Path(oddity["file"]).name for oddity in row["oddities"]} <= {
        *("world.json", "items.json", "monsters.json", "resources.json", "map.json", "distractors.json")
    }
    assert all((Path(oddity["file"])).is_file() for oddity in row["oddities"])


def test_what_is_wrong_with_a_pack_is_told_of_its_own_files(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", items={"remove": ["clay"]})
    done = herobench("world", "validate", pack)
    assert done.returncode == 2
    assert f"{pack}/items.json ($.remove[0]) removes it" in done.stdout


def test_tasks_are_made_and_played_in_a_pack_and_in_several(pack: Path, tmp_path: Path) -> None:
    other = write_pack(tmp_path / "other", {"code": "other"}, items={"add": [item("sail")]})
    for world in (str(pack), f"{pack}+{other}"):
        tasks = tmp_path / "tasks.jsonl"
        made = herobench("generate", "--world", world, "--difficulty", "1", "--count", "2", "-o", tasks)
        assert made.returncode == 0, made.stderr
        proven = herobench("validate", tasks, "--world", world)
        assert proven.stdout == "2 of 2 tasks hold\n"
    assert len({row["world"] for row in read_jsonl(tasks)}) == 1


def test_a_run_in_a_pack_goes_on_where_it_was_broken_off(pack: Path, tmp_path: Path) -> None:
    tasks, run = tmp_path / "tasks.jsonl", tmp_path / "run"
    herobench("generate", "--world", pack, "--difficulty", "1", "--count", "1", "-o", tasks)
    done = herobench("run", "--world", pack, "--tasks", tasks, "--model", "oracle", "-o", run)
    assert done.returncode == 0, done.stderr
    again = herobench("run", "--resume", run)
    assert again.returncode == 0, again.stderr
    (pack / "items.json").write_text('{"schema": 1}')
    changed = herobench("run", "--resume", run, "--world", pack)
    assert changed.returncode == 2
    assert "expected the digest of the world" in changed.stderr
