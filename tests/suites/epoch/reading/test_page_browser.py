"""Games of epochs in the report, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.epoch import load_level
from herobench.suites.epoch.making.prover import write_call
from tests.analysis.report.browser import Page, address
from tests.program import herobench, write_jsonl

pytestmark = [pytest.mark.slow, pytest.mark.browser]

HOSTILE_CALL = "</script><img/src=x onerror=document.title='x'>"


def run_epochs(tmp_path: Path, name: str, model: str, levels: str) -> Path:
    done = herobench(
        "run",
        "--suite",
        "epoch",
        "--dataset",
        "epochs-v1",
        "-m",
        model,
        "--set",
        f"levels={levels}",
        "-o",
        tmp_path / name,
    )
    assert done.returncode == 0, done.stderr
    return tmp_path / name


def open_report(driver: Any, tmp_path: Path, *runs: Path) -> Page:
    report = tmp_path / "report.html"
    assert herobench("analyze", *runs, "--format", "html", "-o", report).returncode == 0
    return Page(driver, report)


def test_a_game_that_decays_is_told_by_lanes_arrows_and_states(driver: Any, tmp_path: Path) -> None:
    page = open_report(driver, tmp_path, run_epochs(tmp_path, "greedy", "greedy", "2,6")).open()
    assert page.texts(".card h2").count("How games ended") == 1
    assert page.texts("[aria-label^='greedy: decay 1 of 2']")
    page.open_sample(address("greedy", "L02"))
    page.click("#causes summary")
    rows = page.texts("#causes tbody tr")
    assert any("tree-exists" in row and "tree-grows" in row and "future" in row for row in rows)
    assert page.run("return document.querySelectorAll('#timeline path.follows').length") >= 3

    page.open_sample(address("greedy", "L06", 31))
    assert page.texts("#timeline .life.faded")
    assert "faded at the age of 6" in page.text("#caption")
    assert any("lever-pulled engine-past" in fact for fact in page.texts("#state .gone"))
    page.focus("#replay")
    page.keys("\ue012")  # the arrow to the left
    assert page.text("#counter") == "30 of 31"
    assert "lasts 0 more actions" in page.text("#state")
    page.run("document.querySelector('#timeline [aria-label^=\"Turn 4:\"]').dispatchEvent(new Event('click'))")
    assert page.text("#counter") == "4 of 31"
    assert page.texts("#state .added") == ["+now true: has hester iron-key"]
    assert page.complaints() == []


def test_what_a_model_sent_stays_text(driver: Any, tmp_path: Path) -> None:
    run, level = run_epochs(tmp_path, "evil", "greedy", "2"), load_level("L02")
    game, turns = level.start(), []
    called = {"name": HOSTILE_CALL, "arguments": HOSTILE_CALL}
    move = {"name": "move", "arguments": {"who": HOSTILE_CALL, "from": HOSTILE_CALL, "to": HOSTILE_CALL}}
    first = write_call(level, level.reference_plan[0])
    for turn in ({"calls": [called]}, {"text": HOSTILE_CALL}, {"call": move}, {"call": first}, {"text": "STUCK"}):
        turns.append({"turn": turn, "feedback": game.turn(turn)})
    sample = json.loads((run / "samples.jsonl").read_text("utf-8"))
    changed = {"won": False, "events": {"schema": 1, "turns": turns}, "details": {**sample["details"], **game.row()}}
    write_jsonl(run / "samples.jsonl", [{**sample, **changed}])
    page = open_report(driver, tmp_path, run).open_sample(address("evil", "L02", 1))
    assert HOSTILE_CALL in page.text("#caption")
    assert HOSTILE_CALL in page.texts(".turns code")[1]
    assert page.run("return document.querySelectorAll('#timeline .misread').length") == 5, "with that of the legend"
    assert page.run("return document.querySelectorAll('img').length") == 0
    assert page.run("return document.title") != "x"
    assert page.complaints() == []


def test_a_road_shows_its_mistakes_and_the_regret_of_each_turn(driver: Any, tmp_path: Path) -> None:
    run = tmp_path / "road"
    done = herobench("run", "--suite", "epoch", "-m", "greedy", "--set", "levels=1", "--set", "mode=plan", "-o", run)
    assert done.returncode == 0, done.stderr
    sample = json.loads((run / "samples.jsonl").read_text("utf-8"))
    first = sample["details"]["first_mistake"]
    page = open_report(driver, tmp_path, run).open_sample(address("road", sample["task_id"], first))
    regret = sample["events"]["regrets"][first - 1]
    assert f"the rest is dearer by {regret} hour" in page.text("#caption")
    dearer = [text for text in page.texts(".turns small") if "dearer" in text]
    assert len(dearer) == sample["details"]["mistakes"]
    assert any(f"turn {first}" in text for text in page.texts("dd"))
    assert page.complaints() == []
