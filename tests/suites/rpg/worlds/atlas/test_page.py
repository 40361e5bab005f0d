import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.atlas.svg import draw_page
from tests.suites.rpg.worlds.atlas.worlds import tile, world_with


class Outline(HTMLParser):
    """The tags of a page, which have to fit one another, and its text."""

    EMPTY = frozenset({"meta", "circle", "path", "rect"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def page(classic: World) -> str:
    return draw_page(classic)


def test_the_page_is_whole_without_a_script(page: str) -> None:
    outline = Outline(page)
    assert "script" not in outline.seen
    assert outline.seen.count("table") == 3
    assert not re.search(r" (style|on\w+|src)=", page)


def test_every_link_leads_to_a_tile_of_the_map(page: str) -> None:
    targets = re.findall(r'href="([^"]*)"', page)
    assert "#at_0_1" in targets
    anchors = re.findall(r' id="([^"]*)"', page)
    assert len(anchors) == len(set(anchors)) == 357
    assert {target.removeprefix("#") for target in targets} <= set(anchors)


def test_the_policy_allows_the_one_style_and_nothing_else(page: str) -> None:
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style
    assert "@import" not in style


def test_the_lists_say_who_is_where_and_what_there_is_to_get(page: str, classic: World) -> None:
    rows = re.findall(r"<tr>(.*?)</tr>", page)
    assert len(rows) == 3 + 25 + 17 + 10
    words = [" | ".join(re.findall(r">([^<]+)<", re.sub(r"</?a[^>]*>", "", row))) for row in rows]
    assert "Yellow Slime | 2 | 1 | 70 | Yellow Slimeball | (1, -2) (4, -1)" in words
    assert "Copper Rocks | mining | 1 | Copper Ore, Topaz, Emerald | (2, 0)" in words
    assert classic.digest[:12] in page


def test_a_world_of_plain_tiles_has_no_lists() -> None:
    assert "table" not in Outline(draw_page(world_with(tile(0, 0)))).seen


def test_words_of_a_world_are_words_only() -> None:
    evil = "</style></title></main><img src=x onerror=alert(1)>&amp;"
    outline = Outline(draw_page(world_with(tile(0, 0, evil), name=evil, description=evil)))
    assert "img" not in outline.seen
    assert outline.text.count(evil) == 3
