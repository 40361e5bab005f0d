"""The corpus: every mistake, made in files, is named with its file, its path and what would help."""

from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from herobench.data.errors import InputError
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, load_world, read_world
from herobench.task_gen.rpg.worlds import survey as surveys
from herobench.task_gen.rpg.worlds.oddity import OddityKind
from herobench.task_gen.rpg.worlds.survey import Survey, survey
from tests.builders import TINY, documents
from tests.sizes import for_each
from tests.suites.rpg.worlds.invalid import ERRORS
from tests.suites.rpg.worlds.mistakes import Change, write_broken
from tests.suites.rpg.worlds.odd import ODDITIES


@cache
def unbroken(name: str) -> Survey:
    world = load_world(TINY if name == "tiny" else name)
    return survey(world, load_rules(), name)


def read_findings(folder: Path) -> tuple[list[str], list[tuple[OddityKind, str]]]:
    """The problems of a world in files and, where it has none, its oddities; without its name."""
    whole, problems = read_world(folder)
    found = () if problems else survey(World.from_documents(whole), load_rules(), str(folder)).oddities
    begins = f"{folder}/"
    return [str(problem).removeprefix(begins) for problem in problems], [
        (oddity.kind, str(oddity).removeprefix(begins)) for oddity in found
    ]


def test_every_kind_of_oddity_has_its_mistake() -> None:
    assert {kind for kind, _, _ in ODDITIES.values()} == set(get_args(OddityKind)) - {"no_tasks"}


@for_each(("changes", "line"), ERRORS.values())
def test_what_is_wrong_is_named_with_file_and_path_and_nothing_else_is(
    changes: list[Change], line: str, tmp_path: Path
) -> None:
    folder = write_broken(tmp_path / "tiny", changes)
    with pytest.raises(InputError) as caught:
        load_world(folder)
    assert str(caught.value) == f"{folder}/{line}"


@for_each(("kind", "changes", "line"), ODDITIES.values())
def test_what_is_odd_is_named_with_file_and_path_and_the_world_is_valid(
    kind: str, changes: list[Change], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nearly all time goes into the brackets, on which none of these oddities depends.
    monkeypatch.setattr(surveys, "open_brackets", lambda world, rules, step: (1,))
    problems, oddities = read_findings(write_broken(tmp_path / "tiny", changes))
    assert problems == []
    assert (kind, line) in oddities


@pytest.mark.parametrize("name", ["tiny", "classic"])
def test_unbroken_worlds_are_told_none_of_it(name: str) -> None:
    said = {str(oddity).removeprefix(f"{name}/") for oddity in unbroken(name).oddities}
    assert said.isdisjoint(line for _, _, line in ODDITIES.values())
    assert read_world(TINY if name == "tiny" else name) == (documents(TINY if name == "tiny" else None), [])


def test_the_classic_world_has_two_oddities() -> None:
    """As published: each is looked at and true, and none is to be mended."""
    found = [(oddity.kind, oddity.spot.file, oddity.spot.path) for oddity in unbroken("classic").oddities]
    assert found == [
        ("unreachable", "classic/items.json", "$.items[12]"),  # tasks_coin
        ("unused", "classic/items.json", "$.items[3]"),  # golden_egg
    ]
    assert unbroken("classic").brackets == tuple(range(1, 10))


def test_the_tiny_world_has_three_oddities() -> None:
    found = [(oddity.kind, oddity.spot.path) for oddity in unbroken("tiny").oddities]
    assert found == [
        ("unused", "$.items[6]"),  # scale
        ("unbeatable", "$.monsters[0].intended_level"),  # rat: what beats it is made of a drop of its own, or bought
        ("unbeatable", "$.monsters[2].intended_level"),  # wall
    ]
    assert unbroken("tiny").brackets == (1,)
