"""Why a plan was lost, as the page shows it: in the map of causes, in the table, on the sample's page, in the plan."""

from __future__ import annotations

from dataclasses import replace

from herobench.analysis.suites.rpg.explain import Cause
from herobench.suites.rpg.game.episode import over_budget
from tests.analysis.report.browser import Page, Shown, address, strange
from tests.analysis.report.made import run, sample, task

STRANGE_RUN = "1"
DASH = "\N{EN DASH}"


def cell(page: Page, name: str, column: int) -> str:
    """What a cell of the map of causes says."""
    script = """return [...document.querySelectorAll('.heat tbody tr')]
        .find(row => row.cells[0].textContent === arguments[0]).cells[arguments[1]].textContent"""
    return str(page.run(script, name, column))


def test_the_map_has_the_causes_that_occur_from_the_most_frequent_on(page: Page) -> None:
    assert page.texts(".heat thead th") == ["1", "2", "3", "total"]
    names = page.texts(".heat tbody th")
    assert set(names) == {"not at a workshop", "gear left out"}
    totals = [int(text) for text in page.texts(".heat tbody td:last-child")]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] == sum(int(cell(page, names[0], column)) for column in (1, 2, 3))
    page.choose("#heat-run", STRANGE_RUN)
    assert page.texts(".heat thead th") == ["9", "total"]
    assert (cell(page, "name error", 1), cell(page, "gear left out", 1)) == ("1", "2")


def test_a_cell_shows_its_samples_by_click_and_by_enter(page: Page) -> None:
    page.choose("#heat-run", STRANGE_RUN)
    page.click(".heat .full[aria-label^='not at a workshop, bracket 9']")
    assert page.text(".status").startswith("1 to 3 of 3 samples, 0 won")
    assert set(page.texts("table.rows tbody td:nth-child(9)")) == {"not at a workshop"}
    assert page.one("#filter-cause").get_attribute("value") == "wrong_tile_workshop"
    page.focus(".heat .full[aria-label^='gear left out, all brackets']")
    page.keys("\ue007")
    assert page.text(".status").startswith("1 to 2 of 2 samples")
    assert page.run("return document.activeElement.textContent") == "Samples"


def test_causes_are_defined_in_the_words_of_the_enumeration(page: Page) -> None:
    told = dict(zip(page.texts(".meanings dt"), page.texts(".meanings dd"), strict=True))
    assert told["not at a workshop"] == Cause.WRONG_TILE_WORKSHOP.definition
    assert told["name error"] == Cause.NAME_ERROR.definition
    page.open_sample(strange(1))
    assert page.text("#cause") == f"Lost by: not at a workshop (Bar), line 6. {Cause.WRONG_TILE_WORKSHOP.definition}"


def test_the_table_sorts_and_filters_by_cause(page: Page) -> None:
    page.choose("#filter-bracket", "9")
    page.click("[data-field=cause] button")
    causes = page.texts("table.rows tbody td:nth-child(9)")
    known = ["gear left out"] * 2 + ["name error"] + ["not at a workshop"] * 3
    assert causes[:6] == known
    assert set(causes[6:]) == {"rate limit", DASH}, "an attempt without a reply says why; what was won has no cause"
    page.choose("#filter-cause", "name_error")
    assert page.texts("table.rows tbody td:first-child a") == ["9/2_Frost Drake_kill"]


def test_the_first_error_is_the_event_of_the_cause(page: Page) -> None:
    page.open_sample(strange(1))
    assert page.text("#counter").startswith("0 of")
    page.click("#to-error")
    assert page.text("#counter").startswith("6 of")
    assert "craft" in page.text("#caption")
    assert "500 Craft failed." in page.text("#caption")
    assert "not at a workshop for smithing" in page.text("#caption")
    assert page.text(".events .now .at") == "6"
    assert "the cause" in page.text(".events .now")


def test_of_one_line_that_failed_twice_the_event_is_the_one_that_the_cause_is_about(page: Page) -> None:
    page.open_sample(strange(7))
    assert "line 1." in page.text("#cause")
    page.keys("e")
    assert page.text("#counter").startswith("4 of")
    assert "bar" in page.text("#caption")


def test_where_nothing_was_refused_the_first_error_is_what_the_line_of_the_cause_did(page: Page) -> None:
    page.open_sample(strange(8))
    assert page.texts(".events .refused") == []
    page.keys("e")
    assert page.text("#counter") == "2 of 2"


def test_the_plan_marks_the_line_of_the_cause_otherwise_than_what_else_was_refused(page: Page) -> None:
    page.open_sample(strange(1))
    assert page.texts(".code .cause code") == ["craft('Hero', 'bar', 2)"]
    assert page.texts(".code .remark.cause") == ["◆ lost by: not at a workshop (Bar)"]
    assert page.texts(".code .marked:not(.cause) code") == ["gather('Hero', 1)"]
    assert "✕ refused: 598" in page.text(".code .marked:not(.cause) .remark")
    edge = "return getComputedStyle(document.querySelector(arguments[0])).borderLeftStyle"
    assert page.run(edge, ".code .marked.cause") != page.run(edge, ".code .marked:not(.cause)")
    page.click("#to-error")
    assert page.text(".code .now code") == page.text(".code .cause code")


def test_wins_and_attempts_without_a_reply_have_no_cause(page: Page) -> None:
    for fragment in (strange(3), strange(5), address("plain", "1/0_Frost Drake_kill")):
        page.open_sample(fragment)
        assert page.texts("#cause") == []
        assert page.complaints() == []


def test_a_plan_that_its_budget_ended_shows_the_line_beyond_it(shown: Shown) -> None:
    own = task(1)
    own = replace(own, mechanics=replace(own.mechanics, budget=2))
    page = shown(run("short", [sample(own, "move 1 0; fight", over_budget(2, 3))], [own]))
    page.open_sample(address("short", own.id))
    assert page.text("#cause") == f"Lost by: over budget, line 3. {Cause.OVER_BUDGET.definition}"
    assert "over budget in line 3: the plan attempts more than the 2 actions of its budget" in page.texts(
        ".sample-head .note"
    )
    assert "a budget of 2 actions" in page.texts(".facts dd")
