"""Questions, grid worlds and games of epochs in the report, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.autumn.episode.challenge import FAMILIES
from herobench.suites.epoch import load_level
from herobench.suites.epoch.making.prover import write_call
from tests.analysis.report.browser import Page, address
from tests.program import herobench, read_jsonl, write_jsonl
from tests.suites.acp.asked import lamps
from tests.suites.autumn.challenges import row

pytestmark = [pytest.mark.slow, pytest.mark.browser]

RED = "return [...document.querySelectorAll('#world rect')].map(cell => cell.getAttribute('fill')).indexOf('#ff0000')"


def test_an_episode_is_replayed_frame_by_frame(driver: Any, tmp_path: Path) -> None:
    tasks = write_jsonl(tmp_path / "beads.jsonl", map(row, FAMILIES))
    done = herobench("run", "--suite", "autumn", "--tasks", tasks, "-m", "oracle", "-o", tmp_path / "oracle")
    assert done.returncode == 0, done.stderr
    report = tmp_path / "report.html"
    assert herobench("analyze", tmp_path / "oracle", "--format", "html", "-o", report).returncode == 0
    page = Page(driver, report).open()

    page.open_sample(address("oracle", "bead-planning", 4))
    assert page.text("#caption") == "Test, turn 2: right"
    assert page.run(RED) == 2
    page.focus("#replay")
    page.keys("\ue014")  # the arrow to the right
    assert page.text("#caption") == "Test, turn 3: down"
    assert page.run(RED) == 6
    page.click("#to-test")
    assert (page.text("#caption"), page.run(RED)) == ("Test, turn 0: the first frame.", 0)
    assert page.texts("#asked figcaption") == ["Goal"]

    page.open_sample(address("oracle", "bead-prediction", 5))
    assert page.run("return document.querySelectorAll('#world .hidden-cell').length") == 3
    assert page.texts("#asked .right-choice figcaption") == ["Choice 2: right, chosen"]

    page.open_sample(address("oracle", "bead-detection", 4))
    assert page.text("#caption") == "Test, turn 2: right Frame 2."
    page.focus("#replay")
    page.keys("\ue014")
    assert page.text("#caption") == "Test, turn 3: right Frame 3, the first changed one, chosen at last."
    page.keys("\ue014")
    assert page.text("#caption") == "Test, turn 4: I found the change! Frame 0."
    assert page.complaints() == []


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


def test_an_exploration_is_told_call_by_call_and_its_plan_replayed(driver: Any, tmp_path: Path) -> None:
    run = tmp_path / "found"
    done = herobench("run", "--suite", "discover", "-m", "experimenter", "--limit", "1", "-o", run)
    assert done.returncode == 0, done.stderr
    (sample,) = read_jsonl(run / "samples.jsonl")
    page = open_report(driver, tmp_path, run).open_sample(address("found", sample["task_id"], 1))
    assert len(page.texts("#calls li")) == len(sample["events"]["exploration"])
    assert len(page.texts("#calls .surprise")) == sample["details"]["surprises"]
    assert len(page.texts("#differ li")) == len(page.texts("#stated li")) == sample["details"]["changes"]
    assert page.text("#counter") == f"1 of {len(sample['events']['plan']['actions'])}"
    page.focus("#replay")
    page.keys("\ue014")  # the arrow to the right
    assert page.text("#counter").startswith("2 of")
    assert page.complaints() == []


KEY = "reach/test/floor-tile/5190380624848000947"
"""A question with a wrong label: None."""


def test_the_report_shows_answer_and_grades(driver: Any, tmp_path: Path) -> None:
    run = tmp_path / "none"
    assert herobench("run", "--suite", "acp", "-m", "format-only", "--task-id", KEY, "-o", run).returncode == 0
    assert herobench("analyze", run, "--format", "html", "-o", tmp_path / "report.html").returncode == 0
    page = Page(driver, tmp_path / "report.html").open(f"#sample/none/{KEY.replace('/', '%2F')}/0")
    shown = dict(zip(page.texts(".question dt"), page.texts(".question dd"), strict=True))
    assert shown["Answer as read"] == "None"
    assert (shown["Sound grading"], shown["Reference grading"]) == ("wrong", "right")
    assert shown["Published label"] == "proven wrong"
    assert shown["Question"].startswith("What proposition can never hold")
    assert "clear" in page.texts("#state > .fact-groups h4")
    assert page.texts(".fact.goal")
    assert page.complaints() == []


def test_the_state_is_grouped_and_hostile_names_stay_text(driver: Any, tmp_path: Path) -> None:
    evil = "</script><img/src=x/onerror=document.title='x'>"
    row = lamps("val", answer=1, question=f'Which: "(light r1 l1) (go {evil} r2)"?', context=evil).as_row()
    questions, run = write_jsonl(tmp_path / "questions.jsonl", [row]), tmp_path / "oracle"
    done = herobench("run", "--suite", "acp", "--tasks", questions, "--set", "split=all", "-m", "oracle", "-o", run)
    assert done.returncode == 0, done.stderr
    assert herobench("analyze", run, "--format", "html", "-o", tmp_path / "report.html").returncode == 0
    page = Page(driver, tmp_path / "report.html").open_sample(address("oracle", "val/dev/lamps/1"))
    assert page.texts("#state > .fact-groups:not(.wide-groups) h4") == ["in"]
    page.choose("#facts-by", "object")
    assert page.texts("#state > .fact-groups:not(.wide-groups) h4") == ["r1 room"]
    assert page.texts("#goal .fact") == ["lit l1 ✕ not yet", "lit l2 ✕ not yet"]
    assert page.texts("#state details .fact") == ["has r1 l1", "has r2 l2"]
    assert page.texts("#plan li") == ["light r1 l1", f"go {evil} r2 ◂ answer"]
    assert page.run("return document.title") != "x"
    assert page.complaints() == []
