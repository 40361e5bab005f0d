"""Where there is nothing to draw the page says so in a sentence; a suite without a reading has plain text."""

from __future__ import annotations

from typing import Any

from herobench.analysis.report import ReportRun
from herobench.analysis.samples.sources import AskedDataset
from herobench.data.columns import SAMPLE, blank
from tests.analysis.report.browser import Page, Shown, address
from tests.analysis.report.made import HOSTILE, LAZY, run, sample, task, unmeasured, without_events
from tests.builders import Json
from tests.plays import WINNING


def is_clean(page: Page) -> None:
    page.run("document.querySelectorAll('details').forEach(one => { one.open = true })")
    for wrong in ("NaN", "undefined", "null", "Infinity"):
        assert wrong not in page.run("return document.getElementById('main').innerText"), wrong
        assert wrong not in page.run("return [...document.querySelectorAll('main svg')].map(e => e.outerHTML).join()")
    assert page.complaints() == []


def test_a_run_without_any_reply_says_so_in_place_of_charts(shown: Shown) -> None:
    page = shown(run("a", [unmeasured(task(1)), unmeasured(task(2))], [task(1), task(2)]))
    assert page.texts(".note") == ["No sample in this report got a reply, so there is nothing to count."]
    assert page.texts(".card") == []
    assert page.text(".status").startswith("1 to 2 of 2 samples")
    is_clean(page)


def test_what_nobody_counted_has_no_card(shown: Shown) -> None:
    rungs = ("1", "8-15", "512-1023")
    tasks = [task(number, rung) for rung in rungs for number in range(2)]
    page = shown(run("mute", [sample(one, LAZY, output_tokens=None, cost=None) for one in tasks], tasks))
    titles = ["Success by bracket", "What attempts came to", "Why attempts were lost, by bracket"]
    assert page.texts(".card h2") == titles, "no empty card of tokens, nor of the horizon of six tasks"
    page.wait("return document.querySelectorAll('.card .point').length === 3")
    assert [text for text in page.texts(".card:first-of-type svg text") if text in rungs] == [*rungs]
    assert page.texts(".heat thead th") == [*rungs, "total"]
    assert page.texts("#filter-bracket option") == ["all", *rungs]
    assert page.texts(".rows td:nth-child(2)") == [rung for rung in rungs for _ in range(2)]
    page.choose("#filter-bracket", "8-15")
    assert "bracket=8-15" in page.run("return location.hash")
    page.size(400, 900)
    page.open()
    page.wait("return document.querySelectorAll('.card .point').length === 3")
    texts = "[...document.querySelectorAll('.card:first-of-type svg text')]"
    assert max(page.run(f"return {texts}.map(e => e.getBoundingClientRect().right)")) < 400
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


def reply(text: str, *calls: tuple[str, str], **parts: Any) -> Json:
    tool_calls = [{"id": str(number), "name": name, "arguments": told} for number, (name, told) in enumerate(calls)]
    return {"text": text, "tool_calls": tool_calls, "answer": None, "reasoning": None, "stop": "stop", **parts}


def plain_sample(task_id: str, won: bool | None, *replies: Json, **changes: Any) -> Json:
    measured = won is not None
    own = {"suite": "elsewhere", "task_id": task_id, "epoch": 0, "model": "someone", "calls": len(replies)}
    judged = {"won": won, "score": 100.0 * won if won is not None else None, "replies": list(replies) or None}
    status = {"status": "ok" if measured else "unmeasured", "details": {"rooms": 3}}
    return {**blank(SAMPLE), **own, **judged, **status, **changes}


def test_every_reply_and_every_call_of_a_tool_is_shown_as_text(shown: Shown) -> None:
    talk = (reply("Let me see.", ("look", '{"at": "door"}'), reasoning="A door."), reply(f"It is open. {HOSTILE}"))
    rows = [plain_sample("one", True, *talk), plain_sample("two", False, reply("No."), failure="gave_up", group="2")]
    page = shown(ReportRun("a", rows, asked=AskedDataset("talks-v1", 7)))
    assert page.text("#headlines tbody th").endswith("someone, dataset talks-v1 fresh (seed 7)")
    assert page.texts(".card h2")[0] == "Success by group"
    assert page.texts(".heat tbody th") == ["gave up"]
    assert page.complaints() == []
    page.open_sample(address("a", "one"))
    page.wait("return document.querySelector('#reply2 pre')")
    assert page.text("#reply1 pre") == 'Let me see.\n→ look({"at": "door"})'
    assert page.text("#reply2 pre").startswith("It is open. </script>")
    page.click("#reasoning1 summary")
    page.wait("return document.querySelector('#reasoning1 pre')")
    assert page.text("#reasoning1 pre") == "A door."
    assert "Calls2" in page.text(".facts")
    page.open_sample(address("a", "two"))
    page.wait("return document.querySelector('#answer pre')")
    assert page.text("#answer pre") == "No."
    assert page.complaints() == []


def test_an_attempt_without_a_reply_says_why(shown: Shown) -> None:
    error = {"kind": "rate_limit", "message": "Too many.", "status": 429}
    page = shown(ReportRun("a", [plain_sample("one", None, error=error), plain_sample("two", True, reply("Yes."))]))
    page.open_sample(address("a", "one"))
    assert "No reply: rate limit. Too many." in page.text("#sample")
    assert page.complaints() == []
