"""`herobench world validate`: what is said, and with which exit code."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import TINY, documents, write_world
from tests.golden import Golden
from tests.program import herobench
from tests.sizes import some_slow
from tests.suites.rpg.worlds.mistakes import write_broken


def sound_world(folder: Path) -> Path:
    """The tiny world without its oddities."""
    content = documents(TINY)
    content["items"]["items"] = [
        row for row in content["items"]["items"] if row["code"] not in ("scale", "drake_charm")
    ]
    content["items"]["items"].append(
        {**content["items"]["items"][0], "code": "stick", "name": "Stick", "effects": {"attack_heat": 9},
         "recipe": {"skill": "smithing", "level": 1, "ingredients": {"clay": 2}}}
    )  # fmt: skip
    content["monsters"]["monsters"][1]["drops"] = []
    content["monsters"]["monsters"][2]["hp"] = 300
    return write_world(folder, content)


def test_a_valid_world_is_0_and_its_oddities_are_named(golden: Golden) -> None:
    golden(herobench("world", "validate", "classic"))


@pytest.mark.slow
def test_to_the_strict_an_oddity_is_wrong(tmp_path: Path) -> None:
    done = herobench("world", "validate", "--strict", TINY)
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == f"{TINY}: valid, 4 oddities, tasks of difficulty 1"
    sound = sound_world(tmp_path / "sound")
    done = herobench("world", "validate", "--strict", sound)
    assert done.stdout.splitlines()[-1].startswith(f"{sound}: valid, nothing odd, tasks of difficulty 1"), done.stdout
    assert done.returncode == 0


def test_an_invalid_world_is_2_with_every_problem_and_those_beside_it_are_looked_at(tmp_path: Path) -> None:
    broken = write_broken(tmp_path / "broken", [("world.start.x", 50), ("monsters.monsters.1.drops.0.item", "scal")])
    done = herobench("world", "validate", broken, TINY)
    assert done.returncode == 2
    assert done.stdout.splitlines()[:3] == [
        f"{broken}/world.json: $.start: expected a tile of the map, found [50, 0]; the nearest is [3, 0]",
        f"{broken}/monsters.json: $.monsters[1].drops[0].item: expected the code of an item (is 'scale' meant?), "
        'found "scal"',
        f"{broken}: 2 problems",
    ]
    assert done.stdout.splitlines()[-1].startswith(f"{TINY}: valid")


def test_the_same_as_json(tmp_path: Path) -> None:
    broken = write_broken(tmp_path / "broken", [("world.start.x", 50)])
    done = herobench("world", "validate", "--json", broken, TINY)
    assert done.returncode == 2
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    assert rows[0] == {
        "world": str(broken),
        "valid": False,
        "problems": [
            {
                "file": f"{broken}/world.json",
                "path": "$.start",
                "expected": "a tile of the map",
                "found": [50, 0],
                "advice": "the nearest is [3, 0]",
            }
        ],
        "oddities": None,
        "brackets": None,
    }
    assert (rows[1]["valid"], rows[1]["problems"], rows[1]["brackets"]) == (True, [], [1])
    assert rows[1]["oddities"][0] == {
        "kind": "unused",
        "file": f"{TINY}/items.json",
        "path": "$.items[6]",
        "what": "Scale is of no use: it goes into nothing, and does nothing when it is worn or eaten",
        "advice": "give it a recipe that needs it, or effects that count",
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(["nowhere", "no/such/folder"], {"nowhere"}))
def test_a_world_that_is_nowhere_is_told_and_those_beside_it_are_looked_at(name: str) -> None:
    done = herobench("world", "validate", TINY, name, TINY)
    assert (done.returncode, done.stderr) == (2, "")
    assert f"{name}: expected a world or a pack; There is no world {name!r}" in done.stdout
    assert [line for line in done.stdout.splitlines() if line.startswith((f"{TINY}: ", f"{name}: 1"))] == [
        f"{TINY}: valid, 4 oddities, tasks of difficulty 1",
        f"{name}: 1 problem",
        f"{TINY}: valid, 4 oddities, tasks of difficulty 1",
    ]
    done = herobench("world", "validate", "--json", name, TINY)
    assert done.returncode == 2
    bad, good = json.loads(done.stdout)
    assert (bad["world"], bad["valid"], len(bad["problems"]), bad["oddities"]) == (name, False, 1, None)
    assert good["valid"]


def test_a_world_is_asked_for(golden: Golden) -> None:
    golden(herobench("world", "validate"))
