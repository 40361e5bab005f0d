"""`herobench world validate`: what is said, and with which exit code."""

from pathlib import Path

import pytest

from tests.builders import TINY, documents, write_world
from tests.golden import Golden
from tests.program import herobench
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


@pytest.mark.slow
def test_a_valid_world_is_0_and_its_oddities_are_named(golden: Golden) -> None:
    golden(herobench("world", "validate", "classic"))


@pytest.mark.slow
def test_to_the_strict_an_oddity_is_wrong(tmp_path: Path, golden: Golden) -> None:
    sound = sound_world(tmp_path / "sound")
    golden(*(herobench("world", "validate", "--strict", world) for world in (TINY, sound)))


def test_an_invalid_world_is_2_with_every_problem_and_those_beside_it_are_looked_at(
    tmp_path: Path, golden: Golden
) -> None:
    wrong = [("world.start.x", 50), ("monsters.monsters.1.drops.0.item", "scal")]
    broken = write_broken(tmp_path / "broken", wrong)
    golden(herobench("world", "validate", broken, TINY), herobench("world", "validate", "--json", broken, TINY))


@pytest.mark.slow
def test_a_world_that_is_nowhere_is_told_and_those_beside_it_are_looked_at(golden: Golden) -> None:
    golden(herobench("world", "validate", TINY, "no/such/folder", TINY))
    golden(herobench("world", "validate", "--json", "nowhere", TINY))


def test_a_world_is_asked_for(golden: Golden) -> None:
    golden(herobench("world", "validate"))
