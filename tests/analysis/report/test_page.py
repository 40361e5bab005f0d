"""The page in a real browser, opened from disk as a reader opens it."""

from __future__ import annotations

import pytest

from tests.analysis.report.browser import Page, Shown, address, strange
from tests.analysis.report.made import HOSTILE, REFUSED, run, sample, task

FIRST_ERROR = 6
"""The step of REFUSED that is refused first; it has ten."""


# -- the first page ---------------------------------------------------------------------------------------------------


def test_it_opens_from_disk_without_the_network_and_without_complaints(page: Page) -> None:
    page.click("#theme")
    page.open_sample(strange(1))
    page.click("#play")
    assert {url for url in page.requests() if not url.startswith(page.url)} == set()
    assert page.complaints() == []


def test_a_request_or_a_foreign_script_would_be_stopped(page: Page) -> None:
    """The policy holds: nothing can be fetched, and no element made from text."""
    script = "try { document.body.innerHTML += '<b>x</b>'; return 'made' } catch (error) { return error.name }"
    assert page.run(script) == "TypeError"
    page.run(
        "const image = new Image(); image.onerror = () => { window.stopped = true }; image.src = 'http://localhost/x'"
    )
    page.wait("return window.stopped")


def test_headlines_and_charts_are_drawn(page: Page) -> None:
    assert page.texts(".card h2") == [
        "Success by bracket",
        "Tokens against success",
        "Success against cost",
        "What attempts came to",
        "Why attempts were lost, by bracket",
    ]
    assert page.run("return document.querySelectorAll('.chart svg').length") == 4
    assert page.run("return document.querySelectorAll('.point .marker').length") > 4
    assert page.run("return document.querySelectorAll('.part rect').length") > 4
    assert page.run("return document.querySelectorAll('.cell.full').length") > 2
    heads = page.texts("#headlines thead th")
    assert {"Success %", "95 % interval", "Success, unmeasured as lost", "Score, unmeasured as 0"} <= set(heads)
    (strange_row,) = [text for text in page.texts("#headlines tbody tr") if "strange" in text]
    assert "14.3" in strange_row, "one of seven measured"
    assert "12.5" in strange_row, "one of eight in all"


def test_the_table_pages_sorts_and_filters(page: Page) -> None:
    assert page.run("return document.querySelectorAll('table.rows tbody tr').length") == 50
    assert page.text(".status").startswith("1 to 50 of 128 samples")
    page.click("[aria-label='Last page']")
    assert page.text(".status").startswith("101 to 128")
    page.click("[data-field=score] button")
    assert page.one("[data-field=score]").get_attribute("aria-sort") == "ascending"
    scores = page.texts("table.rows tbody tr td:nth-child(6)")
    page.click("[data-field=score] button")
    most = page.texts("table.rows tbody tr td:nth-child(6)")
    assert float(scores[0]) < float(most[0]) == 100.0
    page.choose("#filter-bracket", "9")
    assert page.text(".status").startswith("1 to 8 of 8 samples")
    page.choose("#filter-outcome", "unmeasured")
    assert page.texts("table.rows tbody tr td:first-child a") == ["9/3_Frost Drake_kill"]
    page.click(".filters button")
    page.one("#filter-text").send_keys("17_FROST")
    assert page.text(".status").startswith("1 to 3 of 3 samples")
    page.one("#filter-text").send_keys("nowhere")
    assert page.text(".status") == "No sample is like that."


def test_unmeasured_rows_come_last_whichever_way_a_column_is_sorted(page: Page) -> None:
    page.choose("#filter-bracket", "9")
    for _ in range(2):
        page.click("[data-field=score] button")
        assert page.texts("table.rows tbody tr td:first-child a")[-1] == "9/3_Frost Drake_kill"


# -- a sample ---------------------------------------------------------------------------------------------------------


def test_the_replay_shows_what_the_hero_has_and_where_he_is(page: Page) -> None:
    page.open_sample(strange(1, 2))
    assert page.text("#counter").startswith("2 of")
    assert "won" in page.text(".fight h4")
    assert page.texts(".belongings .news em")
    assert "beat" in page.text("#caption")
    before = page.run("return document.querySelector('.hero').getAttribute('transform')")
    page.click("#forward")
    page.click("#forward")
    assert page.run("return document.querySelector('.hero').getAttribute('transform')") != before


def test_an_address_with_a_step_opens_there_and_a_step_gets_into_the_address(page: Page) -> None:
    page.open_sample(strange(1, 3))
    assert page.text("#counter").startswith("3 of")
    page.click("#forward")
    page.wait("return location.hash.endsWith('/4')")


def test_playing_stops_where_the_goal_was_lost_and_shows_what_would_win(shown: Shown) -> None:
    step = {"action": "gather", "args": ["Hero", 9]}
    edit = {"edit": "put in", "kind": "missing", "at": 5, "line": 6, "old": None, "new": step}
    lost = {"after": 3, "by": 4}
    repair = {"calls": 10, "lost": lost, "fewest": {"least": 1, "most": 1}, "edits": [edit], "kinds": {"missing": 1}}
    page = shown(run("a", [{**sample(task(1), REFUSED), "repair": repair}], [task(1)]))
    page.open_sample(address("a", task(1).id))
    page.choose("#pace", "50")
    page.click("#play")
    page.wait("return document.querySelector('#lost-here').textContent")
    assert "out of reach from step 4 on" in page.text("#lost-here p")
    assert page.texts("#lost-here li") == ["put in gather(9) before line 6"]
    assert page.one("#play").get_attribute("aria-label") == "Play (space)"
    at = page.text("#counter")
    page.click("#play")
    page.wait("return document.querySelector('#lost-here').textContent === ''")
    page.wait("return document.querySelector('#play').ariaLabel === 'Play (space)'")
    assert page.text("#counter") != at
    page.click("#to-error")
    assert page.text("#counter") == at


def test_the_keys_work_where_nothing_else_wants_them(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.open_sample(strange(1))
    at = lambda: page.text("#counter").split()[0]  # noqa: E731
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert at() == "1"
    page.keys("e")
    assert at() == str(FIRST_ERROR)
    page.keys(Keys.END)
    assert at() == "10"
    page.keys(Keys.HOME)
    assert at() == "0"
    page.keys(Keys.SPACE)
    assert page.one("#play").get_attribute("aria-label") == "Pause (space)"
    page.keys(Keys.SPACE)
    assert page.one("#play").get_attribute("aria-label") == "Play (space)"
    page.run("document.getElementById('slider').focus()")
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert at() == "2"
    page.run("document.querySelector('#prompt summary').focus()")
    page.keys("e", Keys.END)
    assert at() == "2"


def test_what_others_wrote_is_shown_as_text_and_runs_nowhere(page: Page) -> None:
    page.open_sample(strange(2))
    for name in ("prompt", "answer", "row"):
        page.click(f"#{name} summary")
        page.wait("return document.querySelector(arguments[0])", f"#{name} pre")
    assert HOSTILE.partition("\ud800")[0] in page.text("#answer pre")
    assert "<img src=x" in page.text("#prompt pre")
    assert "<img src=x" in page.text(".sample-head")
    assert "ended here: NameError" in "".join(page.texts(".code .remark"))
    assert page.run("return document.querySelectorAll('img').length") == 0
    assert page.driver.title == "9/2_Frost Drake_kill · HeroBench report"
    assert page.complaints() == []


@pytest.mark.parametrize(
    ("number", "said"),
    [(3, "No reply: rate limit. Too many requests"), (4, "0 entries"), (5, "another world")],
)
def test_samples_with_nothing_to_play_say_so(page: Page, number: int, said: str) -> None:
    page.open_sample(strange(number))
    assert said in page.text("#sample")
    assert page.complaints() == []


# -- screens ----------------------------------------------------------------------------------------------------------


def test_the_theme_follows_the_system_and_can_be_set(page: Page) -> None:
    paper = "return getComputedStyle(document.body).backgroundColor"
    page.emulate(prefers_color_scheme="light")
    light = page.run(paper)
    page.emulate(prefers_color_scheme="dark")
    dark = page.run(paper)
    assert light != dark
    while page.text("#theme") != "Theme: light":
        page.click("#theme")
    assert page.run(paper) == light
    while page.text("#theme") != "Theme: system":
        page.click("#theme")


def test_a_phone_is_wide_enough(page: Page) -> None:
    page.size(390, 844)
    for fragment in ("", strange(1), strange(2)):
        page.open(fragment)
        page.wait("return document.querySelector('.chart svg') || document.querySelector('.code')")
        assert page.run("return document.documentElement.scrollWidth") <= 390, fragment


def test_less_motion_is_respected(page: Page) -> None:
    page.emulate(prefers_reduced_motion="reduce")
    page.open_sample(strange(1))
    assert page.run("return getComputedStyle(document.querySelector('.hero')).transitionDuration") == "0s"


def test_on_a_phone_the_cause_is_in_sight_and_the_run_stands_under_the_task(page: Page) -> None:
    page.size(390, 844)
    page.choose("#filter-run", "1")
    right = "return document.querySelector('[data-field=cause]').getBoundingClientRect().right"
    assert page.run(right) <= 390
    seen = "return getComputedStyle(document.querySelector(arguments[0])).display"
    assert page.run(seen, "table.rows small.narrow") == "block"
    assert page.run(seen, "[data-field=run]") == "none"
