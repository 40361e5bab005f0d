"""The first page without a mouse, and what stands in its address, in a real browser."""

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


BACK, FORWARD = "history.back()", "history.forward()"


def status(page: Page, says: str) -> None:
    page.wait("return document.querySelector('.status').textContent.includes(arguments[0])", says)


def place(page: Page) -> str:
    return str(page.run("return location.hash"))


def test_filters_order_and_page_get_into_the_address_and_come_out_of_it(page: Page) -> None:
    page.choose("#filter-outcome", "lose")
    page.choose("#filter-run", "0")
    page.click("[data-field=score] button")
    page.click("[data-field=score] button")
    page.click("[aria-label='Next page']")
    assert place(page) == "#?run=plain&outcome=lose&sort=-score&page=2"
    shown, said = page.texts("table.rows tbody td"), page.text(".status")
    page.open(place(page))
    assert (page.texts("table.rows tbody td"), page.text(".status")) == (shown, said)
    assert page.one("[data-field=score]").get_attribute("aria-sort") == "descending"
    assert page.one("#filter-outcome").get_attribute("value") == "lose"


def test_back_and_forward_go_through_the_views(page: Page) -> None:
    page.choose("#filter-bracket", "2")
    page.choose("#filter-cause", "gear_left_out")
    narrow = page.text(".status")
    page.run(BACK)
    status(page, "of 40 samples")
    assert page.one("#filter-cause").get_attribute("value") == ""
    page.run(BACK)
    status(page, "of 128 samples")
    page.run(FORWARD)
    status(page, "of 40 samples")
    page.run(FORWARD)
    status(page, narrow)


def test_what_is_typed_is_one_step_back_however_many_letters(page: Page) -> None:
    page.choose("#filter-bracket", "1")
    for letters in ("17", "17_FR", "17_FROST"):
        page.one("#filter-text").send_keys(letters[len(page.one("#filter-text").get_attribute("value")) :])
        page.wait("return location.hash === arguments[0]", f"#?bracket=1&task={letters}")
    status(page, "of 1 sample,")
    page.run(BACK)
    status(page, "of 40 samples")
    assert page.one("#filter-text").get_attribute("value") == ""


def test_the_way_back_from_a_sample_leads_to_the_view_it_was_opened_from(page: Page) -> None:
    page.choose("#filter-bracket", "9")
    page.run("document.querySelectorAll('table.rows tbody a')[1].click()")
    page.wait("return !document.getElementById('sample').hidden")
    page.click("#back-to-overview")
    page.wait("return !document.getElementById('overview').hidden")
    assert place(page) == "#?bracket=9"
    status(page, "of 8 samples")
    assert page.run("return document.activeElement.textContent") == "9/2_Frost Drake_kill"


def test_what_an_address_says_of_nothing_that_is_here_is_passed_over(page: Page) -> None:
    page.open("#?bracket=77&cause=<b>&sort=nothing&page=-3&__proto__=x&task=")
    status(page, "1 to 50 of 128 samples")
    page.open("#?page=999")
    status(page, "101 to 128")
    assert page.complaints() == []
