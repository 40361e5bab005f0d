"""Plans on their roads in the report, in a real browser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.reading.contract import Reading
from herobench.analysis.report import ReportRun, write_report
from herobench.analysis.suites.rpg.journey_reading import SCRIPT, STYLE, JourneyPanel
from herobench.conversation import Reply
from herobench.suite.contract import Verdict
from herobench.suites.rpg.journey.options import JourneyStyle
from herobench.suites.rpg.journey.plan import luck_seeds
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import Call
from herobench.suites.rpg.journey_attempt import PolicyAttempt
from herobench.suites.rpg.play.execution import as_answer
from herobench.suites.rpg.sandbox.pool import Workers
from herobench.task_gen.rpg.journey.planners import careless_plan
from herobench.task_gen.rpg.journey.players import player_policy, policy_code
from tests.analysis.report.browser import Page, address
from tests.suites.rpg.journey.roads import journey, risky_journey
from tests.suites.rpg.journey.samples import judged_sample, sample

pytestmark = pytest.mark.slow
COUNT = "return document.querySelectorAll(arguments[0]).length"
HOSTILE = "<img src=x onerror=document.title=1>"


class RoadReading(Reading):
    script, style = SCRIPT, STYLE


def show(
    driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: Journey, plan: Sequence[Call] | Verdict
) -> tuple[Page, dict[str, Any]]:
    """The page of a sample with a plan, or with the verdict on a policy, and the sample."""
    monkeypatch.setattr("herobench.analysis.report.write.load_reading", lambda suite: RoadReading())
    walk_sample = judged_sample(task, plan) if isinstance(plan, Verdict) else sample(task, plan)
    panel = JourneyPanel({task.id: task}, {})
    write_report(tmp_path / "report.html", [ReportRun("someone", [walk_sample], lambda reading: panel)])
    return Page(driver, tmp_path / "report.html").open_sample(address("someone", task.id)), walk_sample


def test_each_mistake_stands_where_it_was_made_with_what_is_better(
    driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = journey(8, "maps", 1, 1)
    page, row = show(driver, tmp_path, monkeypatch, task, careless_plan(task.road, 0.1, "x"))
    details, (first, *others) = row["details"], row["events"]["mistakes"]
    assert others
    assert f"takes {details['time']}; the least time of the road is {task.least}." in page.text(".road > p")
    chips = page.texts(".chip.bad small")
    assert sum(int(chip.removeprefix("✕")) for chip in chips) == details["regret"]
    assert page.run(COUNT, ".fold .region") == min(3, len(chips)), "regions are drawn when they are opened"

    page.run("[...document.querySelectorAll('.road .quiet')].find(b => b.textContent === 'Open all').click()")
    page.wait(f"{COUNT} === 8", ".fold .region")
    assert page.run(COUNT, ".region-map") == 8
    assert page.run(COUNT, ".steps tbody tr:not(.mistake)") == details["choices"]
    assert page.texts(".steps tbody tr:not(.mistake):last-child td:nth-child(4)")[-1] == str(details["time"])
    mistake_rows = page.texts(".steps .mistake")
    assert len(mistake_rows) == details["mistakes"]
    assert f"Regret {first['regret']}, felt " in mistake_rows[0]
    assert (
        " ".join(first["better"])
        == mistake_rows[0].rpartition("Better: ")[2].replace("with bare hands", "").replace("with ", "").strip()
    )
    # the number on the map is that of the row
    marks = page.run(
        "return [...document.querySelectorAll('.region-map')].map(m => m.querySelectorAll('.step').length)"
    )
    assert all(marks)
    page.click(".chip:nth-child(8)")
    assert page.run("return document.activeElement.textContent").startswith("Region 8")
    assert page.complaints() == []


def test_a_plan_that_breaks_a_rule_ends_in_its_region(
    driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = journey(6, "hand", 1, 1)
    calls = list(task.plan)
    broken_plan = [*calls[: calls.index(("leave",)) + 1], ("gather", HOSTILE)]
    page, row = show(driver, tmp_path, monkeypatch, task, broken_plan)
    assert row["details"]["ended"] == "refused"
    assert page.texts(".fold[open] b:first-child")[0] == "Region 2"
    assert HOSTILE in page.text(".region .note")
    assert page.run(COUNT, ".region-map") == 0
    assert page.run(COUNT, ".region .sites") == 1
    assert page.run(COUNT, ".chip.unreached") == 5
    assert page.run("return document.title") != "1"
    assert page.complaints() == []


def test_a_policy_shows_the_walk_that_loses_most(driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = risky_journey(4, 2, 1, sites="maps")
    policy = player_policy(task.road, "sight", 1, "seed")
    with Workers(None) as workers:
        attempt = PolicyAttempt(task, JourneyStyle(), workers)
        attempt.step(Reply(as_answer(policy_code(task.road, policy, luck_seeds(task.id)))))
        verdict = attempt.grade()
    page, row = show(driver, tmp_path, monkeypatch, task, verdict)
    events = row["events"]
    own = [mistake for mistake in events["mistakes"] if mistake["walk"] == events["walk"]]
    assert 0 < len(own) < row["details"]["mistakes"], "other walks have mistakes of their own"
    assert f"Walk {events['walk']} of the policy, the one that loses most, takes {sum(events['times'])}." in page.text(
        ".road > p"
    )
    page.run("[...document.querySelectorAll('.road .quiet')].find(b => b.textContent === 'Open all').click()")
    page.wait(f"{COUNT} === 4", ".fold .region")
    assert page.run(COUNT, ".steps tbody tr:not(.mistake)") == len(events["actions"])
    assert page.run(COUNT, ".steps .mistake") == len(own)
    # all actions were carried out with the luck of the walk
    assert page.texts(".steps tbody tr:not(.mistake):last-child td:nth-child(4)")[-1] == str(sum(events["times"]))
    assert page.run(COUNT, "#differs") == 0
    assert page.complaints() == []
