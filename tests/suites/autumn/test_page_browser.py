"""The page for people in a real browser, and the program that serves it in a process of its own."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.autumn.episode.challenge import FAMILIES
from tests.page.person import DOWN, END, ENTER, RIGHT, SPACE, TAB, Person, serving
from tests.program import herobench, read_jsonl, write_jsonl
from tests.suites.autumn.challenges import BEAD, row

pytestmark = pytest.mark.slow
HOSTILE = "<img src=x onerror=document.title='pwned'>"
AUTUMN = ("--suite", "autumn")


def rows(*families: str, **changes: Any) -> list[dict[str, Any]]:
    return [row(family, **changes) for family in families]


def plan(person: Person) -> None:
    """Win the challenge of the family planning, from its introduction on."""
    person.answer("Challenge")
    person.keys(ENTER)
    person.answer("Go to the test?")
    person.answer("reach the goal")
    person.act(RIGHT, RIGHT)
    person.keys(DOWN)


def test_a_person_finishes_all_three_challenges_with_the_keyboard_alone(driver: Any, tmp_path: Path) -> None:
    tasks = write_jsonl(tmp_path / "beads.jsonl", rows(*FAMILIES))
    with serving(*AUTUMN, "--tasks", tasks, "--name", "ann", "-o", tmp_path / "ann", "--task-id", "bead-*") as (
        process,
        url,
    ):
        person = Person(driver, url).open()
        assert isinstance(person, Person)
        person.skip_tutorial()
        person.answer("Challenge 1 of 3")
        person.act(RIGHT, "r")
        person.keys("d", "w")
        assert person.text("#cell") == "Framed cell: column 3, row 1, black"
        person.act(SPACE)
        assert person.text("#cell") == "Framed cell: column 3, row 1, gray"
        person.keys("t")
        person.answer("Go to the test?")
        person.answer("what is hidden?")
        person.act(*[RIGHT] * 4)
        person.keys("1", "3", ENTER)
        person.answer("Is this your answer?")
        plan(person)
        person.answer("Challenge 3 of 3")
        person.keys("t")
        person.answer("Go to the test?")
        person.answer("find the change")
        person.act(*[RIGHT] * 3)
        person.keys("f")
        person.answer("Did you find the change?")
        person.answer("in which picture?")
        person.act(END)
        person.keys(ENTER)
        person.answer("Submit this picture?")
        person.wait("return document.querySelector('dialog').textContent.includes('All challenges are done')")
        assert person.complaints() == []
        assert all(address.startswith((url, "data:")) for address in person.requests())
        assert process.wait(30) == 0
    samples = read_jsonl(tmp_path / "ann" / "samples.jsonl")
    assert [(sample["won"], sample["model"]) for sample in samples] == [(True, "ann")] * 3
    clicked = json.dumps(samples[0]["events"]["phases"][0]["turns"])
    assert '"click 3 1"' in clicked
    assert samples[0]["details"]["pace"] == "real"
    herobench("run", "--suite", "autumn", "--tasks", tasks, "--model", "random", "--jobs", 1, "-o", tmp_path / "random")
    for words in (("analyze", tmp_path / "ann"), ("compare", tmp_path / "random", tmp_path / "ann")):
        done = herobench(*words)
        assert (done.returncode, "ann" in done.stdout) == (0, True), done
    page = tmp_path / "page.html"
    assert herobench("analyze", tmp_path / "ann", "--format", "html", "-o", page).returncode == 0


def test_a_session_that_is_killed_goes_on_where_it_was(driver: Any, tmp_path: Path) -> None:
    tasks, run = write_jsonl(tmp_path / "beads.jsonl", rows("planning", "detection")), tmp_path / "run"
    with serving(*AUTUMN, "--tasks", tasks, "-o", run) as (process, url):
        person = Person(driver, url)
        person.open()
        person.skip_tutorial()
        plan(person)
        person.answer("Challenge 2 of 2")
        person.act(RIGHT, DOWN, RIGHT)
        process.kill()
        process.wait()
        person.keys(RIGHT)
        assert "lost its server" in person.window()
    with serving("-o", run) as (process, url):
        person = Person(driver, url)
        person.open()
        person.answer("Welcome back")
        assert (person.text("#place"), person.turn()) == ("· Challenge 2 of 2", 3)
        person.act(RIGHT)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr
        assert f"To continue: herobench play -o {run}" in process.stderr.read()
    first = read_jsonl(run / "samples.jsonl")
    assert [sample["task_id"] for sample in first] == ["bead-planning"]
    with serving("-o", run) as (process, url):
        person = Person(driver, url)
        person.open()
        person.answer("Welcome back")
        person.keys("t")
        person.answer("Go to the test?")
        person.answer("find the change")
        person.keys("q")
        person.answer("Give up this test?")
        assert process.wait(30) == 0
    samples = read_jsonl(run / "samples.jsonl")
    assert samples[0] == first[0]
    turns = samples[1]["events"]["phases"][0]["turns"]
    assert [turn["action"] for turn in turns] == ["right", "down", "right", "right", "go-to-test"]
    assert (samples[1]["failure"], samples[1]["model"], len(samples)) == ("gave_up", "human", 2)


def test_time_passes_by_itself_but_not_while_a_window_is_open_or_the_person_pauses(driver: Any, tmp_path: Path) -> None:
    counting = "(= FRAME_RATE 20)(= moves (initnext 0 (+ (prev moves) 1)))"
    program = BEAD.replace("(= moves (initnext 0 (prev moves)))", counting)
    tasks = write_jsonl(tmp_path / "beads.jsonl", rows("planning", program=program))
    with serving(*AUTUMN, "--tasks", tasks, "-o", tmp_path / "real") as (_, url):
        person = Person(driver, url)
        person.open()
        for title in ("Welcome", "How to act"):
            person.answer(title)
        assert person.turn() == 0
        person.answer("Time and steps")
        person.answer("Challenge 1 of 1")
        person.wait("return parseInt(document.getElementById('turns').textContent) >= 5")
        assert person.text("#time") == "The world moves 20 times a second."
        person.keys("p")
        person.wait("return document.getElementById('time').textContent === 'Paused.'")
        still = stands_still(person)
        person.keys("p")
        person.wait("return parseInt(document.getElementById('turns').textContent) > arguments[0]", still)
        person.keys("h")
        person.window()
        stands_still(person)
    with serving(*AUTUMN, "--tasks", tasks, "-o", tmp_path / "step", "--pace", "step") as (_, url):
        person = Person(driver, url)
        person.open()
        person.skip_tutorial()
        person.answer("Challenge 1 of 1")
        assert person.text("#time") == "The world waits for you."
        person.act(RIGHT)
        assert person.turn() == 1


@pytest.mark.parametrize("size", [(1200, 760), (800, 600)], ids=str)
@pytest.mark.parametrize("environment", ["crane", "skater"])
def test_all_of_a_phase_is_seen_without_scrolling(
    driver: Any, tmp_path: Path, environment: str, size: tuple[int, int]
) -> None:
    """On shipped worlds of 16 and of 25 columns. Each phase but exploration is one of a test."""
    with serving(*AUTUMN, "--task-id", f"{environment}-*", "--pace", "step", "-o", tmp_path / "run") as (_, url):
        person = Person(driver, url).open()
        assert isinstance(person, Person)
        person.size(*size)
        person.skip_tutorial()
        for place in (1, 2, 3):
            person.answer(f"Challenge {place} of 3")
            fits(person)
            person.keys("t")
            person.answer("Go to the test?")
            person.wait("return document.querySelector('dialog').textContent.includes('Test: ')")
            family = person.text("#phase")
            person.keys(ENTER)
            if "hidden" in family:
                assert person.text(".where").endswith(", at the start")
                while not person.texts(".choice"):
                    person.act(RIGHT)
                person.keys("1")
                fits(person)
                person.keys(ENTER)
                person.answer("Is this your answer?")
                continue
            person.act(*"nnnn")
            fits(person)
            if "change" in family:
                person.keys("f")
                person.answer("Did you find the change?")
                person.answer("in which picture?")
                fits(person)
            person.keys("q")
            person.answer("Give up this test?")
        person.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def fits(person: Person) -> None:
    """Hold that the page has nothing below or beside the window."""
    script = "const e = document.documentElement; return [e.scrollHeight - innerHeight, e.scrollWidth - innerWidth]"
    assert max(person.run(script)) <= 0, (person.text("#phase"), person.run(script))


def stands_still(person: Person) -> int:
    """Hold that no time passes, but for an action that is on its way. Return the turn."""
    person.run("return new Promise(done => setTimeout(done, 200))")
    turn = person.turn()
    person.run("return new Promise(done => setTimeout(done, 300))")
    assert person.turn() == turn
    return turn


def test_nothing_in_a_row_becomes_a_part_of_the_page(driver: Any, tmp_path: Path) -> None:
    program = BEAD.replace('"red"', json.dumps(HOSTILE).replace("document.title='pwned'", "alert(1)"))
    changes = {"program": program, "title": HOSTILE, "hints": [HOSTILE], "id": f"x{HOSTILE}", "environment": HOSTILE}
    tasks = write_jsonl(tmp_path / "beads.jsonl", rows("prediction", **changes))
    words = (*AUTUMN, "--tasks", tasks, "-o", tmp_path / "run", "--name", HOSTILE, "--prompt", "react+hints")
    with serving(*words) as (_, url):
        person = Person(driver, url)
        person.open()
        person.skip_tutorial()
        assert HOSTILE in person.window()
        person.answer("Challenge 1 of 1")
        person.keys("a", "a", "w", "w")
        assert person.text("#cell") == "Framed cell: column 0, row 0, <img src=x onerror=alert(1)>"
        person.keys("t")
        person.answer("Go to the test?")
        person.answer("what is hidden?")
        person.act(*[RIGHT] * 4)
        assert person.run("return document.images.length") == 0
        assert person.run("return document.title") == "Autumn: learn a world by playing"
        assert person.complaints() == []


def test_the_page_can_be_used_without_sight_of_colours_or_a_mouse(driver: Any, tmp_path: Path) -> None:
    """All that can be pressed has a name and is reached with Tab, and words stand out from their ground."""
    tasks = write_jsonl(tmp_path / "beads.jsonl", rows("planning"))
    with serving(*AUTUMN, "--tasks", tasks, "-o", tmp_path / "run") as (_, url):
        person = Person(driver, url)
        person.open()
        person.skip_tutorial()
        person.answer("Challenge 1 of 1")
        assert person.run("return document.activeElement.id") == "world"
        names = "b => b.getAttribute('aria-label') || b.textContent.trim()"
        buttons = "[...document.querySelectorAll('button, canvas')].filter(b => b.checkVisibility())"
        assert all(person.run(f"return {buttons}.map({names})"))
        reached = set()
        for _ in range(12):
            person.keys(TAB)
            reached.add(person.run("return document.activeElement.textContent.trim()"))
            outline = person.run("return getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none" or person.run("return document.activeElement === document.body")
        assert {"T Go to the test", "N Wait a step", "H Help"} <= reached
        for scheme in ("light", "dark"):
            person.emulate(prefers_color_scheme=scheme)
            assert person.run(CONTRAST) >= 4.5
        person.emulate()


CONTRAST = """
const light = color => {
  const parts = color.match(/[\\d.]+/g).slice(0, 3).map(part => {
    const value = Number(part) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
};
const ground = element => {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (!color.endsWith(", 0)")) return color;
  }
  return "rgb(255, 255, 255)";
};
const contrasts = [...document.querySelectorAll("header *, main *")]
  .filter(element => element.checkVisibility())
  .filter(element => [...element.childNodes].some(child => child.nodeType === 3 && child.data.trim()))
  .map(element => [light(getComputedStyle(element).color), light(ground(element))].sort((one, other) => other - one))
  .map(([more, less]) => (more + 0.05) / (less + 0.05));
return Math.min(...contrasts);
"""
"""The least contrast between words and their ground on the page."""
