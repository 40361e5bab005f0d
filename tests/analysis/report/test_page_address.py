"""What the table shows stands in the address: views can be linked, and Back goes back."""

from __future__ import annotations

from tests.analysis.report.browser import Page

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


def test_a_cell_of_the_map_is_a_view_of_its_own(page: Page) -> None:
    page.click(".heat .full")
    assert "cause=" in place(page)
    page.run(BACK)
    status(page, "of 128 samples")


def test_the_way_back_from_a_sample_leads_to_the_view_it_was_opened_from(page: Page) -> None:
    page.choose("#filter-bracket", "9")
    page.run("document.querySelectorAll('table.rows tbody a')[1].click()")
    page.wait("return !document.getElementById('sample').hidden")
    page.click("#back-to-overview")
    page.wait("return !document.getElementById('overview').hidden")
    assert place(page) == "#?bracket=9"
    status(page, "of 8 samples")
    assert page.run("return document.activeElement.textContent") == "9/2_Frost Drake_kill"


def test_a_run_with_a_strange_name_can_be_linked(page: Page) -> None:
    page.choose("#filter-run", "1")
    page.open(place(page))
    status(page, "of 8 samples")
    assert page.complaints() == []


def test_what_an_address_says_of_nothing_that_is_here_is_passed_over(page: Page) -> None:
    page.open("#?bracket=77&cause=<b>&sort=nothing&page=-3&__proto__=x&task=")
    status(page, "1 to 50 of 128 samples")
    page.open("#?page=999")
    status(page, "101 to 128")
    assert page.complaints() == []
