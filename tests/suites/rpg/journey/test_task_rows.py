"""Rows of journeys: what is written is read again, and what cannot be played is refused with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import JOURNEYS, Dials, Journey
from herobench.task_gen.rpg.journey.draw import draw_road
from tests.program import write_jsonl
from tests.refusals import misread
from tests.sizes import for_each, many, one_in
from tests.suites.rpg.journey.roads import all_dials, journey, risky_journey, small_road

Row = dict[str, Any]


def fields(road: Road) -> tuple[object, ...]:
    return road.limits, dict(road.gear), road.regions, road.side, list(road.gear)


@for_each("seed", range(many(200)))
def test_a_road_is_the_same_when_it_is_read_again(seed: int) -> None:
    road = small_road(Random(seed), 3)
    assert fields(Road.from_row(json.loads(json.dumps(road.as_row())))) == fields(road)


@for_each("dials", list(all_dials(3)))
def test_drawn_roads_are_the_same_when_they_are_read_again(dials: Dials) -> None:
    road = draw_road("rows", dials)
    assert fields(Road.from_row(json.loads(json.dumps(road.as_row())))) == fields(road)


def save(folder: Path, *rows: Row) -> Path:
    return write_jsonl(folder / "roads.jsonl", rows)


@pytest.mark.parametrize("dials", one_in(9, all_dials(2)))
def test_generated_tasks_fit_their_schema_and_are_read_again(dials: Dials, tmp_path: Path) -> None:
    task = journey(dials.regions, dials.sites, dials.width, dials.reach)
    row = json.loads(json.dumps(task.as_row()))
    assert schema_problems(row, "journey-task", "row") == []
    (again,) = JOURNEYS.in_file(save(tmp_path, row)).values()
    assert (again.as_row(), fields(again.road), again.dials) == (row, fields(task.road), dials)


def first_region(row: Row) -> Row:
    region: Row = row["road"]["regions"][0]
    return region


def unknown_material(row: Row) -> None:
    first_region(row)["nodes"][0]["material"] = "gold"


def one_material_twice(row: Row) -> None:
    nodes = first_region(row)["nodes"]
    nodes[1]["material"] = nodes[0]["material"]


def one_monster_twice(row: Row) -> None:
    monsters = first_region(row)["monsters"]
    monsters[1]["code"] = monsters[0]["code"]


def tough_monster(row: Row) -> None:
    """Of four hearts all four are lost: 16 rounds of 4 each."""
    first_region(row)["monsters"][1].update(hp=16, pace=4)


def unknown_kind(row: Row) -> None:
    first_region(row)["workshop"] = {"makes": ["halberd"], "at": [1, 1]}


def kind_twice(row: Row) -> None:
    kind = next(iter(row["road"]["gear"]))
    first_region(row)["workshop"] = {"makes": [kind, kind], "at": [1, 1]}


def one_name_for_two(row: Row) -> None:
    gear = row["road"]["gear"]
    kind, material = next(iter(gear.items()))[0], next(iter(gear.values()))["recipe"][0]
    gear[material] = gear.pop(kind)
    for region in row["road"]["regions"]:
        region.pop("workshop", None)


def other_length(row: Row) -> None:
    row["dials"]["regions"] = 7


def other_sites(row: Row) -> None:
    row["dials"]["sites"] = "hand"


def other_chance(row: Row) -> None:
    row["dials"]["chance"] = "on"


def no_heart(row: Row) -> None:
    row["road"]["limits"]["hearts"] = 0


def unknown_field(row: Row) -> None:
    first_region(row)["shop"] = {}


@for_each(
    ("spoil", "path", "fact"),
    [
        (unknown_material, "$.road.regions[0].nodes", "gold"),
        (one_material_twice, "$.road.regions[0].nodes", ""),
        (one_monster_twice, "$.road.regions[0].monsters", ""),
        (tough_monster, "$.road.regions[0].monsters", "bare hands"),
        (unknown_kind, "$.road.regions[0].workshop.makes", "halberd"),
        (kind_twice, "$.road.regions[0].workshop.makes", ""),
        (one_name_for_two, "$.road.gear", ""),
        (other_length, "$.dials.regions", "7"),
        (other_sites, "$.dials.sites", "hand"),
        (other_chance, "$.dials.chance", "on"),
        (no_heart, "$.road.limits.hearts", "0"),
        (unknown_field, "$.road.regions[0].shop", "workshop"),
    ],
)
def test_a_spoilt_row_is_refused_with_its_place(
    spoil: Callable[[Row], None], path: str, fact: str, tmp_path: Path
) -> None:
    row = json.loads(json.dumps(journey().as_row()))
    sound = {**json.loads(json.dumps(row)), "id": "sound"}
    spoil(row)
    with misread(path, "roads.jsonl", "2", fact):
        JOURNEYS.in_file(save(tmp_path, sound, row))


def test_a_monster_that_can_take_all_hearts_by_chance_is_refused(tmp_path: Path) -> None:
    """Of four hearts three are lost for certain: 15 rounds of 4 each; and the fourth with the chance 3/4."""
    row = json.loads(json.dumps(risky_journey().as_row()))
    first_region(row)["monsters"][0].update(hp=15, pace=4)
    with misread("$.road.regions[0].monsters", "roads.jsonl", "1", "bare hands"):
        JOURNEYS.in_file(save(tmp_path, row))


def test_gear_that_breaks_by_chance_does_not_wear_off_too(tmp_path: Path) -> None:
    """The solver would take a break for wear."""
    row = json.loads(json.dumps(risky_journey().as_row()))
    row["road"]["limits"]["uses"] = 2
    with misread("$.road.limits.uses", "roads.jsonl", "1", "2"):
        JOURNEYS.in_file(save(tmp_path, row))


def test_a_monster_that_leaves_one_heart_can_be_beaten(tmp_path: Path) -> None:
    row = json.loads(json.dumps(journey().as_row()))
    tough_monster(row)
    first_region(row)["monsters"][1]["hp"] = 15
    (again,) = JOURNEYS.in_file(save(tmp_path, row)).values()
    assert isinstance(again, Journey)
