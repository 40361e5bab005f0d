"""What the page shows of whole runs in a real browser: cost, horizon, remarks, and two attempts side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from herobench.analysis.report import ReportRun
from herobench.suites.rpg.game.episode import gave_up
from herobench.suites.rpg.game.task import Mechanics, Reach
from tests.analysis.report.browser import Page, Shown, address
from tests.analysis.report.made import LAZY, REFUSED, run, sample, task, unmeasured
from tests.analysis.statistics.simulated import ladder, wins
from tests.builders import Json
from tests.plays import WINNING


def paid(name: str, wins: int, **amounts: float | None) -> ReportRun:
    def row(number: int) -> Json:
        return {**sample(task(number), WINNING if number < wins else LAZY), **amounts}

    return run(name, [row(number) for number in range(10)], [task(number) for number in range(10)])


def test_runs_stand_by_cost_with_the_line_through_those_that_none_beats(shown: Shown) -> None:
    page = shown(paid("cheap", 2, cost=0.01), paid("beaten", 2, cost=0.5), paid("best", 9, cost=0.1))
    assert page.text(".cost h2") == "Success against cost"
    page.wait("return document.querySelectorAll('.cost .point').length === 3")
    rows = page.run(
        "return [...document.querySelectorAll('.cost tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    )
    assert [(row[0], row[1], row[2], row[-1]) for row in rows] == [
        ("cheap", "0.0100", "20.0", "on the line"),
        ("beaten", "0.5000", "20.0", ""),
        ("best", "0.1000", "90.0", "on the line"),
    ]
    line = page.run("return document.querySelector('.cost .pareto').getAttribute('d')")
    assert line.count("V") == 1, "one step, from the cheap run to the best"
    heads = page.texts("#headlines thead th")
    assert [heads[-2:], page.texts("#headlines tbody tr:first-child td")[-1]] == [
        ["Output tokens a win", "Cost a win"],
        "0.0500",
    ]
    assert page.complaints() == []


def test_tokens_stand_where_a_price_is_not_known_and_one_run_has_no_chart(shown: Shown) -> None:
    page = shown(
        paid("priced", 2, cost=0.01), paid("own", 5, cost=None), paid("mute", 5, cost=None, output_tokens=None)
    )
    assert page.text(".cost h2") == "Success against tokens"
    assert page.text(".cost .hint").endswith("Nobody told the tokens of mute.")
    assert page.run("return document.querySelectorAll('.cost .legend li').length") == 2
    assert shown(paid("alone", 2, cost=0.01)).texts(".cost") == []


def test_a_rate_between_two_digits_is_rounded_as_on_the_screen(shown: Shown) -> None:
    tasks = [task(number) for number in range(80)]
    page = shown(
        *(
            run(f"{won} won", [sample(of, WINNING if n < won else LAZY) for n, of in enumerate(tasks)], tasks)
            for won in (1, 3, 5)
        )
    )
    place = page.texts("#headlines thead th").index("Success %")
    rows = page.run(
        "return [...document.querySelectorAll('#headlines tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    )
    assert [row[place] for row in rows] == [f"{100 * won / 80:.1f}" for won in (1, 3, 5)] == ["1.2", "3.8", "6.2"]


LENGTHS = ladder(60)


def simulated(name: str, horizon: float) -> ReportRun:
    won = wins(np.random.default_rng(1), LENGTHS, horizon, 1.5)[0]
    rows = [played(number, bool(won)) for number, won in enumerate(won)]
    return run(name, rows, [task(number) for number in range(len(rows))])


def played(number: int, won: bool) -> Json:
    return sample(task(number), WINNING if won else LAZY, decisions=round(LENGTHS[number]))


def test_the_curve_the_tasks_and_the_horizon_are_drawn(shown: Shown) -> None:
    page = shown(simulated("near", 60), simulated("far", 600), simulated("all", 1e12))
    assert "Horizon" in page.texts(".card h2")
    page.wait("return document.querySelectorAll('.horizon .curve').length === 2")
    count = "return document.querySelectorAll(arguments[0]).length"
    assert page.run(count, "circle.task") == 180
    assert page.run(count, ".horizon .band") == 2, "a run that wins all has no curve and no band"
    assert page.run(count, ".horizon .half") == 2
    near, far = (float(text) for text in page.texts(".horizon .name"))
    assert 30 < near < 120 < far < 1200
    assert page.text("#horizons").endswith("all: beyond the range of lengths")
    assert f"near: {near:.0f} (" in page.text("#horizons")
    marks = "return [...document.querySelectorAll('.horizon .marker')].map(e => e.getBoundingClientRect().x)"
    left, right = page.run(marks)
    assert left < right
    assert page.complaints() == []


CLOSED = Mechanics(closed=((3, 1),))


def test_refusals_have_a_table_of_their_own(shown: Shown) -> None:
    possible = replace(task(1), mechanics=CLOSED)
    impossible = replace(task(2), mechanics=CLOSED, impossible=Reach(10, {}, frozenset(), frozenset()))
    rows = [sample(possible, WINNING), sample(impossible, LAZY, gave_up("no forge", 0.9))]
    page = shown(run("careful", rows, [possible, impossible]))
    assert page.texts("#remarks thead th") == ["Figure", "careful"]
    assert page.texts("#remarks tbody th") == [
        "Not counted", "Recognized impossible", "False refusals", "Brier score", "Calibration",
    ]  # fmt: skip
    told = page.texts("#remarks tbody td")
    assert told[0] == "1"
    assert told[1].startswith("100.0 % (")
    assert told[2].startswith("0.0 % (")
    assert page.texts("#headlines tbody td")[0] == "1", "the impossible task is no attempt of the headline"
    assert page.complaints() == []


def test_runs_stand_lane_by_lane_in_the_headline_table(shown: Shown) -> None:
    lanes = {"a": "program", "b": "straight", "c": "program"}
    runs = [run(name, [sample(task(1), WINNING, track=track)], [task(1)]) for name, track in lanes.items()]
    page = shown(*runs)
    assert page.texts("#headlines [scope=rowgroup]") == ["help: code", "help: bare"]
    assert page.texts("#headlines tbody .run") == ["a", "c", "b"]
    assert shown(runs[0], runs[2]).texts("#headlines [scope=rowgroup]") == []
    assert page.complaints() == []


RIGHT, END = "\ue014", "\ue010"
PAIR = address("good", task(1).id, 0) + "/with/poor/0"


@pytest.fixture
def page(shown: Shown) -> Page:
    tasks = [task(number) for number in range(3)]
    good = [sample(of, WINNING) for of in tasks]
    poor = [sample(tasks[0], REFUSED), sample(tasks[1], REFUSED), unmeasured(tasks[2])]
    return shown(run("good", good, tasks), run("poor", poor, tasks))


def opened(page: Page, fragment: str) -> Page:
    page.open(fragment)
    page.wait("return document.querySelectorAll('.attempt').length === 2")
    return page


def counters(page: Page) -> list[str]:
    return page.texts(".controls output")


def test_an_attempt_is_chosen_beside_another_and_the_address_keeps_the_choice(page: Page) -> None:
    page.open_sample(address("good", task(1).id))
    assert page.texts("#beside option") == ["none", "poor: lost"]
    page.click("#forward")
    page.choose("#beside", "0")
    page.wait("return document.querySelectorAll('.attempt').length === 2")
    assert page.run("return location.hash") == address("good", task(1).id, 1) + "/with/poor/0"
    assert [text.split(" ")[0] for text in counters(page)] == ["1", "1"]
    assert [text.split(" · ")[0] for text in page.texts(".attempt .about")] == ["✓ won", "✕ lost"]
    ids = page.run("return [...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    page.choose("#beside", "")
    page.wait("return document.querySelectorAll('.attempt').length === 0 && document.getElementById('replay')")
    assert page.complaints() == []


def test_a_step_of_one_is_a_step_of_the_other_and_the_shorter_one_waits(page: Page) -> None:
    opened(page, PAIR)
    long, short = sorted((int(text.split(" of ")[1]) for text in counters(page)), reverse=True)
    assert long > short
    page.keys(RIGHT, RIGHT)
    assert [text.split(" ")[0] for text in counters(page)] == ["2", "2"]
    page.keys(END)
    assert sorted(int(text.split(" ")[0]) for text in counters(page)) == [short, long]
    page.focus("#replay-beside")
    page.keys("\ue011")
    assert [text.split(" ")[0] for text in counters(page)] == ["0", "0"]
    page.click("#forward-beside")
    page.wait("return location.hash.includes('/1/with/poor/0')")


def test_the_next_sample_is_shown_beside_the_same_run(page: Page) -> None:
    opened(page, PAIR)
    page.click("a[rel=prev]")
    page.wait("return document.querySelector('#sample h1').textContent.startsWith('1/0_')")
    assert page.run("return location.hash") == address("good", task(0).id, 0) + "/with/poor/0"
    opened(page, PAIR)
    page.open(PAIR.replace("poor", "nobody"))
    page.wait("return document.getElementById('replay')")
    assert page.texts(".attempt") == []


def test_the_horizon_stands_first_and_two_runs_are_told_apart(shown: Shown) -> None:
    page = shown(simulated("short", 30), simulated("long", 300))
    figures = page.texts("#headed .main")
    assert page.run("return document.querySelector('#overview > h1').nextElementSibling.id") == "headed"
    assert [figure.split()[1] for figure in figures] == ["decisions", "decisions"]
    assert float(figures[0].split()[0]) < float(figures[1].split()[0])
    assert page.texts("#headed .main small")[0].count(" to ") == 1
    compared = [text for text in page.texts("#headed > p") if text.startswith("Horizons: the first is shorter: ")]
    assert len(compared) == 1
    assert page.text("#headed .headed p:last-child").startswith("Lost most often: ")
    assert page.complaints() == []


def test_a_run_without_a_horizon_is_headed_by_its_success(shown: Shown) -> None:
    page = shown(paid("cheap", 2, cost=0.01))
    assert page.text("#headed .main").startswith("20.0 % won")
    assert page.run("return document.querySelector('h1').textContent").split()[-1] == "cheap"
