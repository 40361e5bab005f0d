"""`herobench audit --suite journey`: what programs without foresight lose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.suites.rpg.journey.task import Dials, Journey
from herobench.suites.rpg.journey.walk import walk
from herobench.task_gen.rpg.journey.audit import FAMILIES, priced_plan
from herobench.task_gen.rpg.journey.draw import draw_road
from herobench.task_gen.rpg.journey.maker import make_journey
from herobench.task_gen.rpg.journey.regrets import best_plan
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.program import herobench, write_jsonl

SHORT = [make_journey(f"2/{number}", f"audit/{number}", Dials(2, "hand", 1, 2)) for number in range(2)]


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    too_long = make_journey("17/1", "audit/long", Dials(17, "hand", 1, 1))
    rows = [journey.as_row() for journey in (*SHORT, too_long)]
    return write_jsonl(tmp_path_factory.mktemp("audit") / "tasks.jsonl", rows)


def test_it_prints_what_each_family_loses(tasks: Path) -> None:
    command = herobench("audit", tasks, "--suite", "journey", "--jobs", "1", "--each", "1")
    assert command.returncode == 0, command.stderr
    lines = [line.split() for line in command.stdout.splitlines()]
    assert lines[0] == ["2", "regions"]
    assert ["family", "best", "of", "1", "within", "1", "%", "time", "lost"] in lines
    assert [words[0] for words in lines if words[-1:] == ["%"]] == ["sight:1", "sight:2", *FAMILIES]
    assert ["sight:2", "100", "%", "100", "%", "0.0", "%"] in lines, "he sees the whole road"


def test_rows_hold_the_times_of_all_families_on_roads_that_are_not_too_long(tasks: Path) -> None:
    command = herobench("audit", tasks, "--suite", "journey", "--jobs", "1", "--json")
    rows = json.loads(command.stdout)["rows"]
    assert [(row["task"], row["family"]) for row in rows] == [
        (journey.id, family) for journey in SHORT for family in ("sight:1", "sight:2", *FAMILIES)
    ]
    assert [row["least"] for row in rows[:: len(FAMILIES) + 2]] == [journey.least for journey in SHORT]
    assert all(row["time"] >= row["least"] for row in rows)


def test_prices_behind_the_sight_make_a_short_sight_better() -> None:
    without, with_prices, longer = 0, 0, 0
    for number in (1, 2):
        road = draw_road(f"prices/{number}", Dials(5, "hand", 1, 2))
        journey = Journey("", Dials(5, "hand", 1, 2), road, 0, (), {}, ())
        without += walk(road, best_plan(BackwardSolver(road), road, 1)).time
        with_prices += walk(road, priced_plan(journey, 1)).time
        longer += walk(road, priced_plan(journey, 2)).time
    assert longer < with_prices < without


def test_prices_do_not_change_what_is_known_of_the_whole_road() -> None:
    journey = SHORT[0]
    first = BackwardSolver(journey.road)
    prices = first.gates[1][1]
    solver = BackwardSolver(journey.road, prices)
    assert solver.least == first.least
    assert best_plan(solver, journey.road, 2) == best_plan(first, journey.road, 2)
    assert walk(journey.road, best_plan(solver, journey.road, 1)).time == journey.least, "the prices are the true ones"
