"""The page at which people walk roads, in a real browser, and the program that serves it in a process of its own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.rpg.journey.walk import Call
from tests.page.person import Person, serving
from tests.program import read_jsonl, write_jsonl
from tests.suites.rpg.journey.roads import journey

pytestmark = pytest.mark.slow
BUTTON = "#actions [data-call='{}']"


def walk(person: Person, calls: Sequence[Call]) -> None:
    """Do actions by the buttons of the page."""
    for call in calls:
        person.click(BUTTON.format(" ".join(call)))


def test_a_person_walks_a_road_undoes_and_is_told_the_regret(driver: Any, tmp_path: Path) -> None:
    roads = [journey(2, "maps", 1, 1), journey(3, "hand", 1, 1)]
    tasks = write_jsonl(tmp_path / "roads.jsonl", [road.as_row() for road in roads])
    words = ("--suite", "journey", "--tasks", tasks, "--name", "ann", "-o", tmp_path / "ann")
    with serving(*words) as (process, url):
        person = Person(driver, url).open()
        person.wait("return !document.getElementById('game').hidden")
        least, plan = roads[0].least, roads[0].plan
        assert person.text("#region-title") == "Region 1 of 2"
        assert "The number on a button is the time" in person.text("#game .hint")
        assert "camp" not in person.text("#actions")  # the hero has all hearts
        assert not person.run("return document.querySelector(arguments[0])", BUTTON.format("leave"))
        walk(person, plan[:4])
        person.run("location.reload()")
        person.wait("return document.querySelectorAll('#done li').length === 4")
        for _ in range(3):
            person.click("#undo")
        assert person.texts("#done li") == ["fight bandit with bare hands 14, clock 14"]
        assert person.run("return document.querySelector(arguments[0]).ariaLabel", BUTTON.format("camp")) == (
            "camp: time 7, +1 ♥"
        )
        walk(person, [*plan[1:-1], ("camp",), plan[-1]])
        assert f"walked in {least + 7}." in person.text("#status")
        assert person.texts("#actions button") == []
        person.click("#send")
        text = person.window()
        assert f"takes {least + 7}. The least time of the road is {least}." in text
        assert "Mistakes: 1 of your" in text
        assert "Region 2, camp: regret 7, felt in this region. Better: leave" in text

        person.click("#yes")
        person.wait("return document.getElementById('place').textContent.includes('road 2 of 2')")
        assert (person.texts(".region-map"), person.texts("#done li")) == ([], [])
        walk(person, roads[1].plan[:1])
        person.click("#send")
        assert "wins nothing" in person.window()
        person.click("#yes")
        person.wait("return document.getElementById('dialog-title').textContent.startsWith('The verdict')")
        assert "does not arrive" in person.window()
        person.click("#yes")
        person.wait("return document.getElementById('dialog-title').textContent === 'All tasks are done'")
        assert person.complaints() == []
        assert all(address.startswith((url, "data:")) for address in person.requests())
        assert process.wait(30) == 0
    first, second = read_jsonl(tmp_path / "ann" / "samples.jsonl")
    assert (first["model"], first["details"]["ended"], first["details"]["regret"]) == ("ann", "arrived", 7)
    assert first["events"]["actions"] == [*map(list, plan[:-1]), ["camp"], list(plan[-1])]
    assert (second["failure"], second["events"]["actions"]) == ("stopped", [list(roads[1].plan[0])])
