import json
from pathlib import Path

import pytest

from herobench.data.documents import schema_problems
from tests.builders import TINY, documents, write_world
from tests.program import herobench, refuses
from tests.suites.rpg.worlds.packs.made import item, write_pack


@pytest.fixture
def other(tmp_path: Path) -> Path:
    content = documents(TINY)
    content["items"]["items"][0]["level"] = 3
    content["world"]["skills"].append("sewing")
    content["world"]["skills"].remove("brewing")
    content["map"]["tiles"].append({"x": 9, "y": 9, "name": "Far", "skin": ""})
    content["items"]["items"][11:13] = content["items"]["items"][12:10:-1]
    content["items"]["items"] += [item(f"rope_{number}") for number in range(25)]
    for name in ("broth", "tonic"):
        content["items"]["items"] = [row for row in content["items"]["items"] if row["code"] != name]
    content["map"]["tiles"] = [tile for tile in content["map"]["tiles"] if tile["name"] != "Kitchen"]
    content["monsters"]["monsters"][1]["drops"][0]["one_in"] = 11
    content["monsters"]["monsters"][1]["gold"]["max"] = 8
    return write_world(tmp_path / "other", content)


def test_what_differs_is_shown_by_document_with_what_it_means(other: Path) -> None:
    done = herobench("world", "diff", TINY, other)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        """\
world.json
  ~ skills -brewing +sewing

monsters.json
  ~ drake: gold.max 9 -> 8, drops.scale.one_in 10 -> 11

items.json
  - broth
  - tonic
  ~ twig: level 1 -> 3
  + rope_0
"""
    )
    assert "  + rope_19\n  + ... and 5 more\n  ~ the same rows in another order\n" in done.stdout
    assert done.stdout.endswith(
        """\
map.json
  - 3,1
  + 9,9

Numbers, recipes, drops, places or facts differ. The same plan can end differently: scores cannot be compared.
"""
    )


def test_as_json_every_difference_is_told_as_its_schema_says(other: Path) -> None:
    done = herobench("world", "diff", TINY, other, "--json")
    row = json.loads(done.stdout)
    assert schema_problems(row, "world-diff", "row") == []
    assert row["verdict"] == "content"
    assert row["old"]["world"] == str(TINY)
    assert row["old"]["digest"] != row["new"]["digest"]
    assert sum(one["what"] == "added" for one in row["differences"]) == 26


def test_a_world_is_the_same_as_itself() -> None:
    done = herobench("world", "diff", TINY, TINY)
    assert done.stdout == "The worlds are the same: they have the same tasks, and scores can be compared.\n"
    assert json.loads(herobench("world", "diff", TINY, TINY, "--json").stdout)["differences"] == []


def test_a_pack_is_told_from_what_it_is_laid_on(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", items={"add": [item("rope")]})
    row = json.loads(herobench("world", "diff", TINY, pack, "--json").stdout)
    assert row["verdict"] == "additions"
    assert [(one["what"], one["code"]) for one in row["differences"]] == [("changed", ""), ("added", "rope")]


def test_what_is_no_world_is_refused() -> None:
    assert "There is no world 'nowhere'" in refuses(herobench("world", "diff", "classic", "nowhere"))
