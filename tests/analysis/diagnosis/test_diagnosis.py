"""The chain of skills, the choice of the next action as a policy, and the page in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.diagnosis.diagnosis import diagnose, predict_plans, skill_chain
from herobench.analysis.diagnosis.prediction import Evidence, TaskEvidence
from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Probes
from tests.analysis.diagnosis.planted import make_samples, planted
from tests.analysis.report.browser import Page
from tests.analysis.report.conftest import driver
from tests.analysis.report.made import HOSTILE
from tests.program import herobench, write_jsonl


def probes() -> Probes:
    found = load_reading("acp").probes
    assert found is not None
    return found


def task(number: int, won: float, actions: float | None = 2.0, **answers: float) -> TaskEvidence:
    choices = [answers["nexta"]] if "nexta" in answers else []
    own = {skill: [right] for skill, right in answers.items()}
    return TaskEvidence(f"1/{number}", "1", actions, [won], own, choices)


def test_the_first_skill_that_fails_is_counted_for_lost_and_won_plans() -> None:
    tasks = [
        task(0, 0.0, app=1, prog=0, val=0),
        task(1, 0.0, app=0, prog=1, val=1),
        task(2, 1.0, app=1, prog=0, val=1),
        task(3, 1.0, app=1, prog=1, val=1),
        task(4, 0.0, app=0, val=1),
    ]
    chain = skill_chain(tasks, ("app", "prog", "val"))
    assert [(link.skill, link.lost, link.won) for link in chain.links] == [
        ("app", 1, 0), ("prog", 1, 1), ("val", 0, 0), (None, 0, 1),
    ]  # fmt: skip
    assert (chain.tasks, chain.lost, chain.won) == (4, 2, 2), "the last task was not asked of all skills"


def test_a_policy_predicts_its_rate_to_the_power_of_the_actions() -> None:
    tasks = [task(n, float(n < 6), actions, nexta=float(n < 8)) for n, actions in enumerate([1.0, 3.0] * 5)]
    found = predict_plans([*tasks, task(10, 1.0, None, nexta=1.0)])
    assert found.rate.estimate == 0.8
    assert found.predicted.estimate == pytest.approx((0.8 + 0.8**3) / 2)
    assert found.predicted.low == pytest.approx(((found.rate.low or 0) + (found.rate.low or 0) ** 3) / 2)
    assert (found.real.estimate, found.actions, found.differs) == (0.6, 2, False)
    long = [task(n, 1.0, 40.0, nexta=float(n < 8)) for n in range(10)]
    assert predict_plans(long).differs


@pytest.mark.slow
def test_a_diagnosis_names_the_skill_that_decides() -> None:
    found = diagnose(planted(1), probes())
    assert found.finding.startswith("Wrong answers on prog predict lost plans: ")
    assert [group.name for group in found.groups] == ["1", "5", "9"]
    assert [chain.links[0].skill for chain in found.chains] == ["app", "reach", "nexta"]
    assert found.policy is not None
    rates = [group.policy.predicted.estimate for group in found.groups if group.policy]
    assert found.policy.predicted.estimate == pytest.approx(sum(rate or 0 for rate in rates) / 3)
    row = json.loads(json.dumps(found.as_row()))
    assert row["strongest"] == "prog"


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        (planted(1, tasks=9), "Too few tasks to say which skill predicts lost plans."),
        pytest.param(
            planted(2, tasks=60, decisive=None), "No skill is shown to predict lost plans.", marks=pytest.mark.slow
        ),
        (Evidence("all", tuple(task(n, 1.0, land=1.0) for n in range(30)), (), 0, 0), "No plan was lost."),
        (Evidence("none", (), (), 0, 0), "Too few tasks to say which skill predicts lost plans."),
    ],
)
def test_what_is_not_known_is_not_claimed(evidence: Evidence, words: str) -> None:
    assert diagnose(evidence, probes()).finding == words


__all__ = ["driver"]


@pytest.mark.slow
def test_the_page_has_a_figure_and_a_table_and_hostile_names_stay_text(driver: Any, tmp_path: Path) -> None:
    models = {
        "good": make_samples(3, 60, model="good"),
        "few": make_samples(1, 9, model=HOSTILE.replace("\ud800", "?")),
    }
    paths = [
        write_jsonl(tmp_path / f"{name}-{side}.jsonl", rows)
        for name, own in models.items()
        for side, rows in enumerate(own)
    ]
    done = herobench("diagnose", *paths, "--format", "html", "-o", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    page = Page(driver, tmp_path / "page.html").open()
    found = page.texts(".findings li")
    assert found[0].startswith("good: Wrong answers on prog predict lost plans")
    assert found[1].endswith(": Too few tasks to say which skill predicts lost plans.")
    page.wait("return document.querySelector('.chart svg')")
    assert len(page.texts(".chart .marker")) == 8
    assert page.texts(".chart text.name") == ["app", "prog", "val", "just", "reach", "areach", "land", "nexta"]
    assert page.texts(".skills tbody tr:first-child td")[1] == "prog"
    assert page.run("return document.title") == "HeroBench diagnosis"
    assert page.complaints() == []
    assert page.requests() == [page.url]
