"""The shipped environments: each pair of programs runs, and its condition tells when the two can be told apart."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from herobench.data.documents import data_of
from herobench.suites.autumn import AutumnWorld, Program
from herobench.suites.autumn.language.program import examine, random_action
from tests.sizes import for_each

CATEGORIES = ("physical", "emergent", "multi-agent", "logic", "game", "tools")
FOLDER = data_of("herobench.suites.autumn")
NAMES = sorted(entry.name for entry in FOLDER.iterdir() if entry.is_dir())
TABLE = Path(__file__).parents[3] / "docs" / "autumn.md"
SAMPLE = NAMES[::8]
STEPS = 1000
PLAYS = 10
FRESH = 40
"""Other draws that the base program is given in the step of the change."""


def text(name: str, file: str) -> str:
    return FOLDER.joinpath(name, file).read_text(encoding="utf-8")


@cache
def described(name: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(text(name, "environment.json"))
    return made


@cache
def programs(name: str, constant: str = "", value: int = 0) -> tuple[Program, Program]:
    """The base program and the changed one, which knows the condition; both with another value of a constant."""
    base, changed = (
        re.sub(rf"^  \(= {constant} \d+\)", f"  (= {constant} {value})", text(name, file), flags=re.M)
        for file in ("base.sexp", "changed.sexp")
    )
    return Program.from_text(base), Program.from_text(changed, described(name)["change"]["condition"])


def draws(program: Program) -> bool:
    return bool(re.search(r"uniformChoice|randomPositions", program.source.program))


def lock_step(pair: tuple[Program, Program], seed: int, steps: int) -> Iterator[tuple[AutumnWorld, AutumnWorld, str]]:
    """Play both programs at random: yield the base world before each step, the changed one after it, and the action."""
    base, changed = (program.start(seed, generator="even") for program in pair)
    random = Random(seed)
    for _ in range(steps):
        before = base.clone()
        action = random_action(random, base.size)
        base.act(action)
        changed.act(action)
        yield before, changed, action
        assert base.grid == changed.grid, f"step {base.steps}: the change is seen before the condition is true"
        assert base._random == changed._random, f"step {base.steps}: the programs draw other numbers"


def first_change(pair: tuple[Program, Program], seed: int, steps: int) -> tuple[AutumnWorld, AutumnWorld, str] | None:
    """Return the base world before the first changed frame, the changed one with it, and the action between."""
    assert not pair[1].start(seed, generator="even").holds(), "the condition is true at the start"
    for before, changed, action in lock_step(pair, seed, steps):
        if changed.holds():
            base = before.clone()
            base.act(action)
            assert base.grid != changed.grid, f"step {base.steps}: the condition is true, and the frames are equal"
            return before, changed, action
    return None


@for_each("name", NAMES)
def test_the_description_fits_the_programs(name: str) -> None:
    found = described(name)
    assert list(found) == ["id", "title", "category", "hints", "change", "planning", "constants"]
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
    first_change(programs(name), seed=1, steps=60)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_both_programs_run_without_a_note(name: str) -> None:
    statistics = []
    for program in programs(name):
        assert not program.notes
        statistics.append(examine(program, steps=200, episodes=2))
    base, changed = statistics
    assert base.frames > 5
    assert changed.grid_size == base.grid_size
    assert changed.background == base.background
    assert set(described(name)["planning"]["shows"]) <= {*base.colors, base.background}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_random_play_sees_the_change_in_a_fifth_of_all_plays(name: str) -> None:
    """Each found change is also checked: under the base rules its frame is impossible, whatever is drawn."""
    found = [change for seed in range(PLAYS) if (change := first_change(programs(name), seed, STEPS))]
    assert len(found) > PLAYS / 5
    for before, changed, action in found if draws(programs(name)[0]) else []:
        for fresh in range(FRESH):
            other = before.clone()
            other._random = 0x9E3779B9 * fresh
            other.act(action)
            assert other.grid != changed.grid, f"step {changed.steps}: the base program can draw the changed frame"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_once_seen_the_condition_stays_true(name: str) -> None:
    random = Random(name)
    for seed in range(PLAYS):
        if change := first_change(programs(name), seed, STEPS):
            _, changed, _ = change
            for _ in range(60):
                changed.act(random_action(random, changed.size))
                assert changed.holds()
            return


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if described(name)["constants"]])
def test_other_constants_keep_what_tells_the_programs_apart(name: str) -> None:
    for constant, values in described(name)["constants"].items():
        for value in values:
            first_change(programs(name, constant, value), seed=1, steps=300)
