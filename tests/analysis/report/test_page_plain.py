"""The page of a suite that has no reading: the common columns, and the conversation as text."""

from __future__ import annotations

from typing import Any

from herobench.analysis.report import ReportRun
from herobench.analysis.samples.sources import AskedDataset
from herobench.data.columns import SAMPLE, blank
from tests.analysis.report.browser import Shown, address
from tests.analysis.report.made import HOSTILE
from tests.builders import Json


def reply(text: str, *calls: tuple[str, str], **parts: Any) -> Json:
    tool_calls = [{"id": str(number), "name": name, "arguments": told} for number, (name, told) in enumerate(calls)]
    return {"text": text, "tool_calls": tool_calls, "answer": None, "reasoning": None, "stop": "stop", **parts}


def sample(task_id: str, won: bool | None, *replies: Json, **changes: Any) -> Json:
    measured = won is not None
    own = {"suite": "elsewhere", "task_id": task_id, "epoch": 0, "model": "someone", "calls": len(replies)}
    judged = {"won": won, "score": 100.0 * won if won is not None else None, "replies": list(replies) or None}
    status = {"status": "ok" if measured else "unmeasured", "details": {"rooms": 3}}
    return {**blank(SAMPLE), **own, **judged, **status, **changes}


def test_every_reply_and_every_call_of_a_tool_is_shown_as_text(shown: Shown) -> None:
    talk = (reply("Let me see.", ("look", '{"at": "door"}'), reasoning="A door."), reply(f"It is open. {HOSTILE}"))
    rows = [sample("one", True, *talk), sample("two", False, reply("No."), failure="gave_up", group="2")]
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
    page = shown(ReportRun("a", [sample("one", None, error=error), sample("two", True, reply("Yes."))]))
    page.open_sample(address("a", "one"))
    assert "No reply: rate limit. Too many." in page.text("#sample")
    assert page.complaints() == []
