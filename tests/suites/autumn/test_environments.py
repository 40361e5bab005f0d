"""The shipped environments: each pair of programs runs, and its condition tells when the two can be told apart."""

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from herobench.data.documents import data_of
from herobench.suites.autumn import Program
from herobench.suites.autumn.episode.challenge import WorldStart, start_world
from herobench.suites.autumn.episode.environment import with_constant
from herobench.suites.autumn.language.program import examine, random_action
from herobench.suites.autumn.making.detection import Pair, random_play
from tests.sizes import for_each

CATEGORIES = ("physical", "emergent", "multi-agent", "logic", "game", "tools")
FOLDER = data_of("herobench.suites.autumn")
NAMES = sorted(entry.name for entry in FOLDER.iterdir() if entry.is_dir())
TABLE = Path(__file__).parents[3] / "docs" / "autumn.md"
SAMPLE = NAMES[::8]
STEPS = 1000
PLAYS = 10


def text(name: str, file: str) -> str:
    return FOLDER.joinpath(name, file).read_text(encoding="utf-8")


@cache
def described(name: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(text(name, "environment.json"))
    return made


def pair(name: str, constant: str = "", value: int = 0) -> Pair:
    """Both programs at a start of their own, with another value of a constant if it is named."""
    base, changed = (with_constant(text(name, file), constant, value) for file in ("base.sexp", "changed.sexp"))
    return Pair(base, changed, described(name)["change"]["condition"], WorldStart(1))


@for_each("name", NAMES)
def test_the_description_fits_the_programs(name: str) -> None:
    found = described(name)
    names = ["id", "title", "category", "hints", "change", "planning", "constants"]
    assert [key for key in found if key != "families"] == names
    assert found["id"] == name
    assert found["category"] in CATEGORIES
    assert 2 <= len(found["hints"]) <= 4
    least, most = found["planning"]["steps"]
    assert 3 <= least < most <= 15
    for file in ("base.sexp", "changed.sexp"):
        for constant, values in found["constants"].items():
            stands = re.findall(rf"^  \(= {constant} (\d+)\)", text(name, file), re.M)
            assert len(stands) == 1, f"{file}: expected one statement (= {constant} number)"
            assert int(stands[0]) in values
            assert len(values) > 1


def test_the_table_has_a_line_for_each_environment() -> None:
    table = TABLE.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\w-]+) \|", table, re.M))
    assert rows == {name: described(name)["category"] for name in NAMES}


@for_each("name", SAMPLE)
def test_a_change_is_not_seen_before_its_condition(name: str) -> None:
    assert not random_play(pair(name), 1, 60).problem


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_both_programs_run_without_a_note(name: str) -> None:
    base, changed = map(Program.from_text, (pair(name).base, pair(name).changed))
    assert not base.notes + changed.notes
    facts, changed_facts = (examine(program, steps=200, episodes=2) for program in (base, changed))
    assert facts.frames > 5
    assert changed_facts.grid_size == facts.grid_size
    assert changed_facts.background == facts.background
    assert set(described(name)["planning"]["shows"]) <= {*facts.colors, facts.background}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_random_play_sees_the_change_in_a_fifth_of_all_plays_and_its_condition_stays_true(name: str) -> None:
    """Each changed frame is impossible under the base rules, whatever is drawn: else the play has a problem."""
    plays = [random_play(pair(name), number, STEPS) for number in range(PLAYS)]
    assert [play.problem for play in plays if play.problem] == []
    seen = [play for play in plays if play.frame]
    assert len(seen) > PLAYS / 5
    world, random = start_world(pair(name).changed, 1, pair(name).condition), Random(name)
    for action in seen[0].actions:
        world.act(action)
    for _ in range(60):
        world.act(random_action(random, world.size))
        assert world.holds()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if described(name)["constants"]])
def test_other_constants_keep_what_tells_the_programs_apart(name: str) -> None:
    for constant, values in described(name)["constants"].items():
        for value in values:
            assert not random_play(pair(name, constant, value), 1, 300).problem
