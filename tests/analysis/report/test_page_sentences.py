"""Where there is nothing to draw, or what is drawn is not of one game, the page says so in a sentence."""

from __future__ import annotations

import pytest

from herobench.analysis.report import ReportRun
from tests.analysis.report.browser import Page, Shown
from tests.analysis.report.made import LAZY, mixed_run, run, sample, task, unmeasured, without_events
from tests.plays import WINNING

NOTHING = [run("a", [], [])]
NO_REPLY = [run("a", [unmeasured(task(1)), unmeasured(task(2))], [task(1), task(2)])]


def is_clean(page: Page) -> None:
    page.run("document.querySelectorAll('details').forEach(one => { one.open = true })")
    for wrong in ("NaN", "undefined", "null", "Infinity"):
        assert wrong not in page.run("return document.getElementById('main').innerText"), wrong
        assert wrong not in page.run("return [...document.querySelectorAll('main svg')].map(e => e.outerHTML).join()")
    assert page.complaints() == []


@pytest.mark.parametrize("runs", [[], NOTHING, [*NOTHING, run("b", [], [])]])
def test_a_report_without_samples_says_so(shown: Shown, runs: list[ReportRun]) -> None:
    page = shown(*runs)
    assert page.texts(".note") == ["There are no samples in this report."]
    assert page.texts(".card, table.rows") == []
    is_clean(page)


def test_a_run_without_any_reply_says_so_in_place_of_charts(shown: Shown) -> None:
    page = shown(*NO_REPLY)
    assert page.texts(".note") == ["No sample in this report got a reply, so there is nothing to count."]
    assert page.texts(".card") == []
    assert page.text(".status").startswith("1 to 2 of 2 samples")
    is_clean(page)


def test_beside_a_run_with_figures_runs_without_any_are_named(shown: Shown) -> None:
    silent = run("c", [unmeasured(task(1))], [task(1)])
    page = shown(mixed_run("plain"), run("b", [], []), silent)
    assert page.texts("#overview > .note") == [
        "There are no samples in b.",
        "No sample of c got a reply, so nothing is known of its success.",
    ]
    for number, why in ((1, "Nothing was measured"), (2, "Nothing was measured")):
        page.choose("#heat-run", str(number))
        assert why in page.text("#heat")
    is_clean(page)


def test_what_nobody_counted_has_no_card_and_campaigns_stand_by_their_goals(shown: Shown) -> None:
    rungs = ("1", "8-15", "512-1023")
    tasks = [task(number, f"campaign {rung}") for rung in rungs for number in range(2)]
    page = shown(run("mute", [sample(one, LAZY, output_tokens=None, cost=None) for one in tasks], tasks))
    titles = ["Success by goals", "What attempts came to", "Why attempts were lost, by goals"]
    assert page.texts(".card h2") == titles, "no empty card of tokens, nor of the horizon of six tasks"
    page.wait("return document.querySelectorAll('.card .point').length === 3")
    assert [text for text in page.texts(".card:first-of-type svg text") if text in rungs] == [*rungs]
    assert page.texts(".heat thead th") == [*rungs, "total"]
    assert page.texts("#filter-bracket option") == ["all", *rungs]
    assert page.texts(".rows td:nth-child(2)") == [rung for rung in rungs for _ in range(2)]
    page.choose("#filter-bracket", "campaign 8-15")
    assert "bracket=campaign+8-15" in page.run("return location.hash"), "addresses keep the stored name"
    page.size(400, 900)
    page.open()
    page.wait("return document.querySelectorAll('.card .point').length === 3")
    texts = "[...document.querySelectorAll('.card:first-of-type svg text')]"
    assert max(page.run(f"return {texts}.map(e => e.getBoundingClientRect().right)")) < 400
    is_clean(page)


def test_rows_and_runs_of_other_rules_are_pointed_out_at_the_top(shown: Shown) -> None:
    rows = [sample(task(1), WINNING), sample(task(2), LAZY, rules="house"), sample(task(3), LAZY, world="0" * 64)]
    page = shown(run("mixed", rows, []), mixed_run("plain"))
    assert [text.partition(" (")[0] for text in page.texts("#overview > .note")] == [
        "1 of 3 samples of mixed are of other rules",
        "1 of 3 samples of mixed are of other worlds",
        "The runs are of different rules, so their figures do not compare",
        "The runs are of different worlds, so their figures do not compare",
    ]
    assert page.run("return document.querySelector('#overview h1').nextElementSibling.className") == "note"
    is_clean(page)


def test_rows_without_events_are_told_apart_by_their_bucket_or_not_at_all(shown: Shown) -> None:
    unknown = run("published", [without_events(sample(task(1), LAZY)), sample(task(2), WINNING)], [])
    bucket = run("bucket", [{**sample(task(1), LAZY), "events": None}], [])
    page = shown(unknown, bucket)
    assert page.text("#heat") == "The rows do not say what 1 loss came from."
    page.choose("#heat-run", "1")
    assert page.texts(".heat tbody th") == ["gear only"]
    assert "rules not recorded" not in page.text("#headlines tbody tr"), "one of its rows says by which"
    assert page.texts("[data-field=cause]") == []
    is_clean(page)


def test_a_single_task_tried_twice_has_a_rate_without_an_interval(shown: Shown) -> None:
    of = task(1)
    page = shown(run("a", [sample(of, WINNING), sample(of, LAZY, epoch=1)], [of]))
    page.wait("return document.querySelector('.point .marker')")
    assert page.texts(".point .bar") == []
    assert "50.0 % (\N{EN DASH}), 1 of 2 won" in page.one(".point").get_attribute("aria-label")
    is_clean(page)


def test_where_nothing_was_lost_the_map_of_causes_says_so(shown: Shown) -> None:
    page = shown(run("a", [sample(task(1), WINNING)], [task(1)]))
    assert page.text("#heat") == "Nothing was lost in this run."
    is_clean(page)
