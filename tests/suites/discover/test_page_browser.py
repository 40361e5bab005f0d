"""The page for any suite in a real browser, and the program that serves it in a process of its own."""

from pathlib import Path
from typing import Any

import pytest

from herobench.suites.discover.game.mystery import shipped_mysteries
from tests.page.person import Person, serving
from tests.program import read_jsonl

pytestmark = pytest.mark.slow
MYSTERY = next(iter(shipped_mysteries().values()))


def test_a_person_explores_by_tools_and_writes_the_plan(driver: Any, tmp_path: Path) -> None:
    words = ("--suite", "discover", "--task-id", MYSTERY.id, "--name", "ann", "-o", tmp_path / "ann")
    x, y = MYSTERY.lands[0].land.places[0]
    with serving(*words) as (process, url):
        person = Person(driver, url).open()
        entries = "return document.querySelectorAll('#log li').length"

        def done(doing: str) -> None:
            before = person.run(entries)
            person.run(doing)
            person.wait(f"{entries} > arguments[0]", before)

        person.run(f"document.querySelector('[data-tool=move] [name=x]').value = {x}")
        person.run(f"document.querySelector('[data-tool=move] [name=y]').value = {y}")
        done("document.querySelector('[data-tool=move] button').click()")
        done("document.querySelector('[data-tool=fight] button').click()")
        assert "win" in person.texts("#log li")[-1]
        done("document.querySelector('[data-tool=gather] button').click()")
        assert person.run("return document.querySelectorAll('#log li.refused').length") == 1
        done("document.querySelector('[data-tool=new_day] button').click()")
        done("document.querySelector('[data-tool=done] button').click()")
        assert "new is asked" in person.text("#status")
        assert person.run("return document.querySelectorAll('.tool').length") == 0
        plan = f"```python\n{MYSTERY.certificate.plan}\n```"
        person.run("document.getElementById('text').value = arguments[0]", plan)
        person.run("document.querySelector('#answer button').click()")
        assert "All tasks are done" in person.window()
        assert person.complaints() == []
        assert all(address.startswith((url, "data:")) for address in person.requests())
        assert process.wait(30) == 0
    (sample,) = read_jsonl(tmp_path / "ann" / "samples.jsonl")
    assert (sample["won"], sample["model"], sample["details"]["explored"]) == (True, "ann", 3)
