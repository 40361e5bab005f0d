"""The page of checkups in a real browser: on a phone and on a desktop, dark and light, and by keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from herobench.checkup.page import page_text
from tests.analysis.report.browser import Page
from tests.checkup.simulated import index


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """A page on one model, and one on two."""
    folder = tmp_path_factory.mktemp("checkups")
    horizons = (40.0, 160.0)
    for number in (1, 2):
        (folder / f"{number}.html").write_text(page_text(index(horizons[:number])), "utf-8")
    return {number: folder / f"{number}.html" for number in (1, 2)}


def complaints(driver: Any) -> list[str]:
    return [entry["message"] for entry in driver.get_log("browser")]


@pytest.mark.parametrize("models", [1, 2])
@pytest.mark.parametrize("width", [400, 800, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_screen(driver: Any, pages: dict[int, Path], models: int, width: int, scheme: str) -> None:
    page = Page(driver, pages[models])
    page.size(width, 900)
    page.emulate(prefers_color_scheme=scheme)
    page.open()
    assert page.run("return document.documentElement.scrollWidth <= innerWidth"), "only tables scroll sideways"
    assert complaints(driver) == []
    ink, paper = page.run("const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]")
    assert (sum(map(int, ink[4:-1].split(","))) > sum(map(int, paper[4:-1].split(",")))) == (scheme == "dark")


def test_the_horizon_stands_first_and_largest(driver: Any, pages: dict[int, Path]) -> None:
    page = Page(driver, pages[1])
    page.size(1400, 900)
    page.open()
    assert page.text("h1") == "model 1"
    assert page.one("h1 + .reach strong").text.isdecimal()
    assert "95 % interval: " in page.text(".reach small")
    largest = "const size = e => parseFloat(getComputedStyle(e).fontSize);"
    sizes = page.run(f"{largest} return [...document.querySelectorAll('main *')].map(size)")
    assert page.run(f"{largest} return size(document.querySelector('.reach strong'))") == max(sizes)
    lines = page.texts(".causes li")
    assert lines[0] == "Decisions between mistakes: 31 (24 to 43)"
    assert lines[2].startswith("Slower, 40 times")
    heads = page.texts("section.card h2")
    for head in (
        "Horizon",
        "What planning costs",
        "Atoms of planning",
        "Epochs",
        "Autumn",
        "What it took",
        "What was run",
    ):
        assert head in heads


def test_a_keyboard_reaches_every_link_and_table(driver: Any, pages: dict[int, Path]) -> None:
    page = Page(driver, pages[1])
    page.size(800, 900)
    page.open()
    wanted = page.run("return document.querySelectorAll('main a, main summary, main .scroll[tabindex]').length")
    hidden = page.run("return document.querySelectorAll('details:not([open]) .scroll').length")
    seen = set()
    for _ in range(4 * wanted):
        page.keys("\ue004")  # the tabulator
        stops = "[...document.querySelectorAll('main a, main summary, main .scroll[tabindex]')]"
        seen.add(page.run(f"return {stops}.indexOf(document.activeElement)"))
    assert len(seen - {-1}) == wanted - hidden
    page.focus("summary")
    page.keys("\ue007")  # enter
    assert page.run("return document.querySelector('details').open")
