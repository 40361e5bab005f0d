"""Two attempts at one task side by side, in a real browser."""

from __future__ import annotations

import pytest

from tests.analysis.report.browser import Page, Shown, address
from tests.analysis.report.made import REFUSED, run, sample, task, unmeasured
from tests.plays import WINNING

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


def test_an_attempt_without_a_reply_stands_beside_one_that_is_played(page: Page) -> None:
    opened(page, address("good", task(2).id, 2) + "/with/poor/0")
    assert counters(page)[0].startswith("2 of ")
    assert len(counters(page)) == 1
    assert "No reply: rate limit." in page.text(".attempt + .attempt .note")


def test_the_next_sample_is_shown_beside_the_same_run(page: Page) -> None:
    opened(page, PAIR)
    page.click("a[rel=prev]")
    page.wait("return document.querySelector('#sample h1').textContent.startsWith('1/0_')")
    assert page.run("return location.hash") == address("good", task(0).id, 0) + "/with/poor/0"
    opened(page, PAIR)
    page.open(PAIR.replace("poor", "nobody"))
    page.wait("return document.getElementById('replay')")
    assert page.texts(".attempt") == []
