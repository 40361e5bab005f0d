"""The page of a leaderboard in a real browser, and its notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.board.board import Board
from herobench.analysis.board.entry import read_entries
from herobench.analysis.reading.checked import load_reading
from tests.analysis.board.made import TASKS, run
from tests.analysis.report.browser import Page
from tests.analysis.report.conftest import driver as driver
from tests.analysis.report.made import HOSTILE
from tests.program import herobench, read_jsonl, write_jsonl

DOWN, ENTER = "\ue015", "\ue007"
DASH = "\u2013"
MINUS = "\u2212"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("board")
    runs = [
        run(folder / "oracle", "oracle", 40, cost=None),
        run(folder / "best", "best", 32, cost=0.5),
        run(folder / "fresh", "best", 16, fresh=7, cost=0.5),
        run(folder / "cheap", HOSTILE.replace("\ud800", ""), 12, cost=0.01),
        run(folder / "none", "none", 0, cost=0.9),
    ]
    rows = folder / "rows"
    rows.mkdir()
    for one in runs:
        assert herobench("analyze", one, "--format", "slim", "-o", rows / f"{one.name}.jsonl").returncode == 0
    done = herobench("leaderboard", rows, "--format", "html", "-o", folder / "board.html")
    assert (done.returncode, done.stderr) == (0, f"5 runs in {folder / 'board.html'}\n")
    return folder / "board.html"


@pytest.fixture
def page(driver: Any, path: Path) -> Page:
    return Page(driver, path).open()


def shown(page: Page) -> list[list[str]]:
    rows = "return [...document.querySelectorAll('.board tr')].map(r => [...r.cells].map(c => c.innerText.trim()))"
    return list(page.run(rows))


def order(page: Page) -> list[str]:
    return [row[0] for row in shown(page)[1:-1]]


def test_it_opens_from_disk_with_intervals_horizon_oracle_twins_and_costs(page: Page) -> None:
    head, best, cheap, none, oracle = shown(page)
    assert [text.split("\n")[0].rstrip("\u2009↕ ") for text in head][:3] == ["Rank", "Model", "Success %"]
    assert best[2].split("\n")[0] == "80.0"
    assert " to " in best[2]
    assert 25 < float(best[3].split("\n")[0]) < 40
    assert " to " in best[3]
    assert best[5].split("\n")[0] == "40.0"
    assert best[6].split("\n")[0] == f"{MINUS}40.0", "16 of 40 twins are won, 32 of the same tasks"
    assert best[8] == "0.6250", "0.5 for each of 40 attempts, of which 32 were won"
    assert (none[2].split("\n")[0], none[8]) == ("0.0", DASH)
    assert cheap[5:7] == [DASH, DASH]
    assert (oracle[0], oracle[1].split("\n")[0], oracle[2].split("\n")[0]) == (DASH, "oracle", "100.0")
    assert oracle[3] == "over 41", "what can be reached is beyond the longest task"
    assert len(page.requests()) == 1
    assert page.complaints() == []
    assert page.driver.title == "HeroBench leaderboard"


def test_the_scatter_has_the_line_of_the_best_and_that_of_the_oracle(page: Page) -> None:
    page.wait("return document.querySelectorAll('.cost .point').length === 3")
    assert page.run("return document.querySelector('.cost .pareto').getAttribute('d')").count("V") == 1
    assert page.texts(".cost line.oracle + text") == ["oracle 100.0 %"]


def test_the_legend_has_the_names_of_the_table(page: Page) -> None:
    assert page.texts(".cost .legend li") == page.texts(".board tbody .run")
    rows = "return [...document.querySelectorAll('.cost tbody tr')].map(r => r.cells[0].textContent)"
    assert page.run(rows) == page.texts(".board tbody .run")


def test_columns_without_a_figure_are_left_out_and_two_runs_of_a_model_told_apart(driver: Any, tmp_path: Path) -> None:
    mute = run(tmp_path / "mute", "best", 30, cost=None, output_tokens=None)
    assert herobench("leaderboard", mute, "--format", "html", "-o", tmp_path / "mute.html").returncode == 0
    fields = "return [...document.querySelectorAll('.board th[data-field]')].map(e => e.dataset.field)"
    shown = Page(driver, tmp_path / "mute.html").open("#?sort=-fresh")
    assert shown.run(fields) == ["rank", "run", "success", "horizon", "score", "samples"]
    assert shown.complaints() == []
    runs = [run(tmp_path / name, "best", wins) for name, wins in (("one", 30), ("other", 20))]
    assert herobench("leaderboard", *runs, "--format", "html", "-o", tmp_path / "two.html").returncode == 0
    assert Page(driver, tmp_path / "two.html").open().texts(".cost .legend li") == ["best (one)", "best (other)"]


def test_columns_are_sorted_by_mouse_and_keyboard_and_the_order_stands_in_the_address(page: Page) -> None:
    assert order(page) == ["1", "2", "3"]
    page.click("[data-field=cost] button")
    assert order(page) == ["2", "1", "3"], "who wins nothing has no cost of a win, and comes last"
    page.focus("[data-field=success] button")
    page.keys(ENTER, ENTER)
    assert order(page) == ["3", "2", "1"]
    assert page.one("[data-field=success]").get_attribute("aria-sort") == "ascending"
    assert page.run("return location.hash") == "#?sort=-success"
    page.open("#?sort=-success")
    assert order(page) == ["3", "2", "1"]
    page.run("history.back()")


def test_each_model_has_a_replay_and_the_next_one_is_that_of_the_next_model(page: Page) -> None:
    assert page.texts(".replay-link") == ["replay"] * 3
    page.focus(".replay-link")
    page.keys(DOWN, DOWN)
    page.click(".replay-link")
    page.wait("return !document.getElementById('sample').hidden")
    assert page.text(".about") == "✓ won · best · bracket 1"
    page.click("#forward")
    assert page.text("#counter").startswith("1 of ")
    page.click("a[rel=next]")
    page.wait("return document.querySelector('.about').textContent.includes('cheap')")
    page.click("#back-to-overview")
    page.wait("return document.getElementById('sample').hidden")
    assert page.complaints() == []


def test_dark_and_narrow_it_can_still_be_read(page: Page) -> None:
    page.emulate(prefers_color_scheme="dark")
    page.size(390, 800)
    page.open()
    assert page.run("return document.documentElement.scrollWidth") <= 390
    assert page.run("return getComputedStyle(document.body).backgroundColor") != "rgb(250, 249, 246)"


def notes(*paths: Path) -> list[str]:
    notes: list[str] = Board(read_entries(paths), "rpg", load_reading("rpg")).index()["notes"]
    return notes


def test_different_tasks_are_told_and_private_twins_are_the_tasks_of_their_originals(tmp_path: Path) -> None:
    whole, fresh = run(tmp_path / "whole", "one", 20), run(tmp_path / "fresh", "two", 10, fresh=7)
    assert not [note for note in notes(whole, fresh) if "different tasks" in note]
    few = write_jsonl(tmp_path / "few.jsonl", read_jsonl(run(tmp_path / "three", "three", 9) / "samples.jsonl")[:9])
    slim = tmp_path / "slim.jsonl"
    assert herobench("analyze", fresh, "--format", "slim", "-o", slim).returncode == 0
    for twins in (fresh, slim):
        (note,) = (note for note in notes(whole, twins, few) if "different tasks" in note)
        assert note.startswith("track: program, mode: plan: These runs have different tasks")
        assert f"{TASKS} tasks in whole, {twins.stem}; 9 tasks in few. 9 tasks are in all of them." in note


def test_reference_programs_have_no_rank_and_stand_beneath_the_models_with_their_horizons(tmp_path: Path) -> None:
    wins = {"model": 20, "oracle": 40, "greedy": 30, "noop": 10}
    runs = [run(tmp_path / name.partition(":")[0], name, won) for name, won in wins.items()]
    (part,) = Board(read_entries(runs), "rpg", load_reading("rpg")).index()["parts"]
    assert (len(part["runs"]), part["oracle"]["model"]) == (1, "oracle")
    references = {program["model"]: program for program in part["references"]}
    assert {model: program["wins"] for model, program in references.items()} == {"greedy": 30, "noop": 10}
    assert references["greedy"]["horizon"]["h50"]["estimate"] > references["noop"]["horizon"]["h50"]["estimate"]
