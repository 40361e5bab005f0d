"""The map as SVG."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.atlas.svg import TILE, draw_svg
from tests.suites.rpg.worlds.atlas.worlds import tile, world_with

SVG = "{http://www.w3.org/2000/svg}"


def titles(text: str) -> list[str]:
    return [str(title.text) for title in ElementTree.fromstring(text).iter(f"{SVG}title")]


@pytest.fixture(scope="module")
def drawn(classic: World) -> str:
    return draw_svg(classic)


def test_every_tile_is_drawn_once_with_what_stands_there_and_where_it_is(drawn: str, classic: World) -> None:
    found = titles(drawn)
    assert len(found) == len(classic.tiles)
    assert "Chicken, level 1: monster; City (0, 1)" in found
    assert "Cooking: workshop; City (1, 1)" in found
    assert "Spawn (0, 0), where heroes begin" in found


def test_the_same_world_gives_the_same_bytes(drawn: str, classic: World) -> None:
    assert draw_svg(World.from_source(classic.source)) == drawn


def test_a_drawing_fetches_and_runs_nothing(drawn: str) -> None:
    assert set(re.findall(r"https?://[^\"' )]+", drawn)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<script|href|url\(|@import| on\w+=", drawn)


def test_every_class_that_is_drawn_has_a_colour(drawn: str) -> None:
    used = {name for found in re.findall(r'class="([^"]+)"', drawn) for name in found.split()}
    assert {name for name in used if f".{name}" not in drawn} <= {"map"}


def test_the_legend_names_the_kinds_and_grounds_that_there_are(drawn: str) -> None:
    keys = re.findall(r'class="key"[^>]*>([^<]+)<', drawn)
    assert keys[:3] == ["monster, with its level", "resource, with its level", "workshop"]
    assert keys[-6:] == ["Forest", "City", "Graveyard", "Lake", "Forest (Forge)", "Spawn"]
    few = re.findall(r'class="key"[^>]*>([^<]+)<', draw_svg(world_with(tile(0, 0))))
    assert few == ["where heroes begin", "Field"]


def test_names_that_mean_something_to_xml_mean_nothing() -> None:
    evil = "</title><script>alert(1)</script>&\"'"
    world = world_with(tile(0, 0, evil), tile(1, 0, type="bank", code="bank"), name=evil)
    text = draw_svg(world)
    assert "<script" not in text
    assert titles(text)[0] == f"{evil} (0, 0), where heroes begin"
    assert ElementTree.fromstring(text).get("aria-label") == f"Map of {evil}"


def test_no_tile_lies_on_another_and_all_lie_inside() -> None:
    world = world_with(tile(-100000, 0), tile(0, 0), tile(1, 0), tile(100000, 99999))
    root = ElementTree.fromstring(draw_svg(world))
    corners = [
        tuple(map(int, re.findall(r"\d+", group.get("transform", ""))))
        for group in root.iter(f"{SVG}g")
        if group.find(f"{SVG}title") is not None
    ]
    assert len(set(corners)) == len(corners) == 4
    assert sorted(x for x, _ in corners)[1] - sorted(x for x, _ in corners)[0] > TILE
    width, height = int(root.get("width", 0)), int(root.get("height", 0))
    assert all(x + TILE <= width < 1000 and y + TILE <= height < 1000 for x, y in corners)
