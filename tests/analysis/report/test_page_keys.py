"""The first page without a mouse: everything can be reached, is seen to be, and says what it is."""

from __future__ import annotations

from tests.analysis.report.browser import Page, Shown
from tests.analysis.report.made import LAZY, run, sample, task
from tests.plays import WINNING

TAB, ENTER, SPACE, UP, DOWN, LEFT, RIGHT, HOME, END = (
    "\ue004", "\ue007", " ", "\ue013", "\ue015", "\ue012", "\ue014", "\ue011", "\ue010",
)  # fmt: skip
ACTIVE = "const e = document.activeElement; return (e.getAttribute('aria-label') || e.textContent).toWellFormed()"


def test_tab_goes_once_into_each_chart_and_on_to_the_table_and_the_focus_is_seen(page: Page) -> None:
    page.wait("return document.querySelector('.point[role=button]')")
    seen = []
    for _ in range(34):
        page.keys(TAB)
        seen.append(str(page.run(ACTIVE)))
        assert page.run("return document.activeElement.tagName") != "svg", "the chart itself is no stop"
        assert page.run("return getComputedStyle(document.activeElement).outlineStyle") != "none", seen[-1]
    for start in ("plain, bracket 1:", "plain: won", "not at a workshop, bracket", "Score"):
        assert sum(text.startswith(start) for text in seen) == 1, start
    assert seen[-1].startswith("1/"), "the rows come last"


def test_arrows_move_in_a_chart_and_enter_and_space_choose(page: Page) -> None:
    page.wait("return document.querySelector('.point[role=button]')")
    page.focus(".point[role=button]")
    page.keys(RIGHT)
    assert str(page.run(ACTIVE)).startswith("plain, bracket 2:")
    page.keys(ENTER)
    assert page.run("return location.hash") == "#?run=plain&bracket=2"
    page.focus(".part")
    page.keys(END)
    assert "unmeasured 1 of 8" in str(page.run(ACTIVE))
    page.keys(HOME, SPACE)
    assert page.run("return location.hash") == "#?run=plain&outcome=win"


def test_the_map_of_causes_is_a_grid_that_arrows_move_in(page: Page) -> None:
    assert page.one(".heat").get_attribute("role") == "grid"
    assert page.run("return document.querySelectorAll('.heat [tabindex=\"0\"]').length") == 1
    page.focus(".heat [tabindex='0']")
    first = str(page.run(ACTIVE))
    page.keys(RIGHT)
    assert "bracket 2" in str(page.run(ACTIVE))
    page.keys(LEFT, DOWN)
    below = str(page.run(ACTIVE))
    assert below.partition(",")[0] != first.partition(",")[0]
    assert "bracket 1" in below
    page.keys(UP)
    assert page.run(ACTIVE) == first


def test_a_cell_with_nothing_in_it_is_passed_by_and_does_nothing(shown: Shown) -> None:
    page = shown(run("a", [sample(task(1, "1"), WINNING), sample(task(2, "2"), LAZY)], []))
    assert str(page.run("return document.querySelector('.heat [tabindex=\"0\"]').ariaLabel")).endswith(
        "2: 1 of 1 (100.0 %)"
    )
    page.focus(".heat [tabindex='0']")
    page.keys(LEFT)
    assert page.run("return document.activeElement.ariaDisabled") == "true"
    page.keys(ENTER)
    assert page.run("return location.hash") == ""


def test_heads_sort_by_enter_and_keep_the_focus(page: Page) -> None:
    page.focus("[data-field=task] button")
    page.keys(ENTER, ENTER)
    assert page.one("[data-field=task]").get_attribute("aria-sort") == "descending"
    assert "Task" in str(page.run(ACTIVE))
    assert page.text("table.rows tbody td").startswith("9/")


def test_pages_are_turned_by_enter_and_the_focus_stays(page: Page) -> None:
    page.focus("[aria-label='Next page']")
    page.keys(ENTER)
    assert page.run(ACTIVE) == "Next page"
    page.keys(ENTER)
    assert page.text(".status").startswith("101 to 128")
    assert page.run("return document.activeElement.closest('.pager') !== null"), "that was the last page"


def test_arrows_move_from_row_to_row_and_enter_opens(page: Page) -> None:
    page.focus("table.rows tbody a")
    page.keys(DOWN, DOWN, UP)
    second = page.texts("table.rows tbody a")[1]
    assert page.run(ACTIVE) == second
    page.keys(ENTER)
    page.wait("return !document.getElementById('sample').hidden")
    assert page.text("#sample h1") == second


def test_the_focus_stays_where_a_chart_is_drawn_anew(page: Page) -> None:
    page.wait("return document.querySelector('.point[role=button]')")
    page.focus(".point[role=button]")
    page.keys(RIGHT)
    before = page.run(ACTIVE)
    width = page.run("return document.querySelector('.chart svg').clientWidth")
    page.size(900, 1000)
    page.wait("return document.querySelector('.chart svg').clientWidth !== arguments[0]", width)
    assert page.run(ACTIVE) == before
