"""Take the picture of the page for people for the documentation: python -m tests.suites.autumn.pictures"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.analysis.report.browser import chromium
from tests.page.person import Person, serving
from tests.pictures import store, taken
from tests.program import write_jsonl
from tests.suites.autumn.challenges import row
from tests.suites.autumn.garden import RAIN


def take_people(driver: Any, folder: Path) -> None:
    """Play a little at the page for people, and take its picture."""
    goal = [["black"] * 8 for _ in range(6)] + [["black"] * 3 + ["blue"] * 3 + ["black"] * 2] * 2
    asked = {"goal": goal, "mask": [[int(y > 4)] * 8 for y in range(8)]}
    falling = row("planning", id="rain-planning", environment="rain", program=RAIN, challenge=asked)
    tasks = write_jsonl(folder / "rain.jsonl", [falling])
    with serving("--suite", "autumn", "--tasks", tasks, "-o", folder / "run", "--pace", "step") as (_, url):
        person = Person(driver, url)
        person.open()
        person.skip_tutorial()
        person.answer("Challenge")
        person.keys("t")
        person.answer("Go to the test?")
        person.answer("reach the goal")
        person.act("n", "n", "n")
        person.keys("w", "w", "w")
        person.act(" ", *"nnnn")
        person.keys("a", "s")
        store("people", taken(driver, 760))


if __name__ == "__main__":
    with TemporaryDirectory() as name, chromium(Path(name) / "profile") as driver:
        take_people(driver, Path(name))
