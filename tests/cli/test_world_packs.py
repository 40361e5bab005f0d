"""Packs where worlds are: in every command that takes one."""

import json
import shlex
from pathlib import Path

import pytest

from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.suites.rpg.worlds.packs.made import item, write_pack


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack that adds an item that nothing needs."""
    return write_pack(tmp_path / "pack", items={"add": [item("rope")]}, world={"add": {"skills": ["sewing"]}})


def test_what_is_odd_about_a_pack_is_told_of_its_own_files(pack: Path) -> None:
    done = herobench("world", "validate", pack, "--json")
    assert done.returncode == 0
    (row,) = json.loads(done.stdout)
    own = {(oddity["file"], oddity["path"]) for oddity in row["oddities"]}
    assert own >= {(f"{pack}/items.json", "$.add[0]"), (f"{pack}/world.json", "$.add.skills[0]")}
    assert {Path(file).name for file, _ in own} <= {
        *("world.json", "items.json", "monsters.json", "resources.json", "map.json", "distractors.json")
    }
    assert all(Path(file).is_file() for file, _ in own)


@pytest.mark.slow
def test_what_is_odd_about_the_world_below_is_not_told_of_a_pack(pack: Path, tmp_path: Path, golden: Golden) -> None:
    plain, bare = write_pack(tmp_path / "plain"), write_pack(tmp_path / "bare", world={"remove": {"slots": ["coat"]}})
    golden(herobench("world", "validate", pack), herobench("world", "validate", plain, "--strict"))
    golden(herobench("world", "validate", bare))  # what it makes odd of the world below is told


def test_what_is_wrong_with_a_pack_is_told_of_its_own_files(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("world", "validate", write_pack(tmp_path / "pack", items={"remove": ["clay"]})))


@pytest.mark.slow
def test_tasks_are_made_and_played_in_a_pack_and_in_several(pack: Path, tmp_path: Path, golden: Golden) -> None:
    other = write_pack(tmp_path / "other", {"code": "other"}, items={"add": [item("sail")]})
    for world in (str(pack), f"{pack}+{other}"):
        tasks = tmp_path / "my tasks.jsonl"
        made = herobench("generate", "--world", world, "--difficulty", "1", "--count", "2", "-o", tasks)
        assert made.returncode == 0, made.stderr
        look = shlex.split(made.stderr.partition("to look at them: ")[2])
        listed = herobench(*look[1:])
        assert (look[0], listed.returncode, listed.stdout.count("1/")) == ("herobench", 0, 2), listed.stderr
        # without the world, no command takes the file, and none says that it has one task
        golden(herobench("validate", tasks), herobench("tasks", "list", "--tasks", tasks))
        proven = herobench("validate", tasks, "--world", world)
        assert proven.stdout == "2 of 2 tasks hold\n"
    assert len({row["world"] for row in read_jsonl(tasks)}) == 1


def test_a_run_in_a_pack_goes_on_where_it_was_broken_off(pack: Path, tmp_path: Path, golden: Golden) -> None:
    tasks, run = tmp_path / "tasks.jsonl", tmp_path / "run"
    herobench("generate", "--world", pack, "--difficulty", "1", "--count", "1", "-o", tasks)
    golden(
        herobench("run", "--world", pack, "--tasks", tasks, "--model", "oracle", "-o", run),
        herobench("run", "--resume", run),
    )
    (pack / "items.json").write_text('{"schema": 1}')
    golden(herobench("run", "--resume", run, "--world", pack))
