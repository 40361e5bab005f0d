"""The conversation of an attempt on its page, beside the replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from herobench.analysis.report import ReportRun
from herobench.analysis.samples.calls import Calls
from tests.analysis.calls import call
from tests.analysis.report.browser import Page, Shown, address
from tests.analysis.report.made import HOSTILE, LAZY, run, sample, task
from tests.program import write_jsonl

TASK = task(1).id


@pytest.fixture
def talk(shown: Shown, tmp_path: Path) -> Page:
    """A planner that was asked twice, a critic with much to read, and a call that failed."""
    calls = [
        call(TASK, 0, "planner", "A plan.", form="subtasks"),
        call(TASK, 1, "planner", f"Another. {HOSTILE}"),
        call(TASK, 2, f"critic {HOSTILE}", "No.", messages=[{"role": "user", "content": "long " * 20_000}]),
        call(TASK, 3, None, None),
    ]
    reply = {"text": "```python\npass\n```", "tool_calls": [], "answer": None, "reasoning": None, "stop": "stop"}
    row = sample(task(1), LAZY, calls=4, replies=[reply, reply], unfinished=f"the limit is reached {HOSTILE}")
    made = run("a", [row], [task(1)])
    found = Calls(write_jsonl(tmp_path / "calls.jsonl", calls))
    page = shown(ReportRun("a", [row], made.panel_by, None, found))
    return page.open_sample(address("a", TASK))


def test_calls_stand_in_their_order_under_their_roles(talk: Page) -> None:
    assert talk.text("#talk .hint") == "4 calls · 300 in · 30 out · cost 0.7500 · 6.0 s"
    assert talk.texts(".turn > summary") == ["planner 2 calls · 200 in · 20 out · cost 0.5000 · 3.0 s"]
    one, two, critic, failed = talk.texts(".call > summary")
    assert one == "call 0 → subtasks 100 in · 10 out · cost 0.2500 · 1.5 s"
    assert two.startswith("call 1 100 in")
    assert critic.startswith("critic </script><script>")
    assert critic.endswith(" call 2 100 in · 10 out · cost 0.2500 · 1.5 s")
    assert failed == "no role call 3 1.5 s ✕ server"
    assert talk.complaints() == []


@pytest.mark.slow
def test_calls_with_branches_are_a_tree_that_keys_open(shown: Shown, tmp_path: Path) -> None:
    plan, step = f"Plan 1 {HOSTILE}", "Subtask 1 of 1: fight 1 rat"
    branches = [[plan, "Try 1"], [plan, "Try 1"], [plan, step, "Code"], [plan, step, "Code"], ["Turn 2"]]
    roles = ["planner", "critic", "coder", "coder", None]
    calls = [call(TASK, n, role, branch=branch) for n, (role, branch) in enumerate(zip(roles, branches, strict=True))]
    row = sample(task(1), LAZY, calls=5)
    found = Calls(write_jsonl(tmp_path / "calls.jsonl", calls))
    page = shown(ReportRun("a", [row], run("a", [row], [task(1)]).panel_by, None, found))
    page.open_sample(address("a", TASK))
    told = page.texts(".tree summary")
    assert told[0].startswith("Plan 1 </script>")
    assert told[0].endswith(" 4 calls · 400 in · 40 out · cost 1.00 · 6.0 s")
    assert told[1:] == [
        "Try 1 2 calls · 200 in · 20 out · cost 0.5000 · 3.0 s",
        f"{step} 2 calls · 200 in · 20 out · cost 0.5000 · 3.0 s",
        "Turn 2 · call 4 100 in · 10 out · cost 0.2500 · 1.5 s",
    ]
    page.focus(".branch .branch:not([open]) > summary")
    page.keys("\ue007")
    page.wait("return document.querySelector('#call1')")
    assert page.texts(".branch .branch .call > summary")[0].startswith("planner call 0 100 in")
    page.focus("li:nth-child(2) > .branch > summary")
    page.keys(" ")
    page.wait("return document.querySelector('#call3')")
    assert page.text(".branch .turn > summary").startswith("Code · coder 2 calls")
    assert page.complaints() == []


def test_a_call_opens_to_its_question_and_its_answer_as_text(talk: Page) -> None:
    assert talk.run("return document.querySelectorAll('.call pre').length") == 0
    talk.click("#call1 > summary")
    talk.wait("return document.querySelector('#call1-answer pre')")
    assert talk.text("#call1-question pre") == "What now?"
    assert talk.text("#call1-answer pre").startswith("Another. </script><script>document.title='x'</script><img")
    assert talk.run("return document.title").endswith("HeroBench report")
    talk.click("#call3 > summary")
    talk.wait("return document.querySelector('#call3 .note')")
    assert talk.text("#call3 .note") == "No reply: server. It failed."
    assert talk.complaints() == []


def test_a_long_text_is_folded_and_cut_and_says_so(talk: Page) -> None:
    talk.click("#call2 > summary")
    talk.wait("return document.querySelector('#call2-question')")
    assert not talk.run("return document.querySelector('#call2-question').open")
    talk.click("#call2-question summary")
    talk.wait("return document.querySelector('#call2-question pre')")
    narrow = "\u202f"
    assert talk.text("#call2-question pre").endswith(
        f"long \n… 60{narrow}000 more characters: calls.jsonl in the run's folder has the rest"
    )


def test_the_page_says_why_the_attempt_ended_early(talk: Page) -> None:
    assert talk.text("#unfinished").startswith("Ended early: the limit is reached </script>")


def test_the_replies_are_one_fold_beside_the_conversation(talk: Page) -> None:
    assert talk.texts("#replies > .long > summary")[0].startswith("Reply 1")
    assert not talk.run("return document.querySelector('#replies').open")


def test_the_conversation_is_beside_the_replay_where_there_is_room_for_both(talk: Page) -> None:
    script = """
        const [replay, talk] = ['.replay', '#talk'].map(name => document.querySelector(name).getBoundingClientRect());
        return [talk.left >= replay.right, talk.top >= replay.bottom];
    """
    talk.size(1600, 900)
    assert talk.run(script) == [True, False]
    talk.size(900, 900)
    assert talk.run(script) == [False, True]
    assert talk.run("return document.documentElement.scrollWidth <= 900")
