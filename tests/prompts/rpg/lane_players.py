"""Programs that read prompts of the lanes, and know nothing of the game but the words of the prompt.

`translated` writes down told steps one by one. `unable_to_count` takes the told gear, fights and crafts once each, and
gathers once at each place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from herobench.suites.rpg.play.execution import as_answer

_CODE = "`([^`]+)`"
_FORMS = (
    (r"Go to (-?\d+), (-?\d+)\.", 'move("Hero", {0}, {1})'),
    (rf"Fight {_CODE} once\.", 'fight("Hero")'),
    (rf"Fight {_CODE} (\d+) times\.", 'for _ in range({1}):\n    fight("Hero")'),
    (rf"Gather from {_CODE} once\.", 'gather("Hero")'),
    (rf"Gather from {_CODE} (\d+) times\.", 'gather("Hero", {1})'),
    (rf"Craft (\d+) of {_CODE}\.", 'craft("Hero", "{1}", {0})'),
    (rf"Buy (\d+) of {_CODE}\.", 'buy("Hero", "{1}", {0})'),
    (rf"Put on {_CODE} in the slot {_CODE}\.", 'equip("Hero", "{1}", "{0}")'),
    (rf"Take off what is in the slot {_CODE}\.", 'unequip("Hero", "{0}")'),
)
_AGAIN = re.compile(r"(.+\.) Do this (\d+) times in a row\.")


def steps_in(prompt: str) -> list[str]:
    """The numbered lines behind the heading of the steps, without their numbers, which count from 1."""
    told = prompt.partition("# The steps that win\n")[2].partition("\n# ")[0]
    found = re.findall(r"^(\d+)\. (.+)$", told, re.MULTILINE)
    assert [int(number) for number, _ in found] == list(range(1, len(found) + 1))
    return [step for _, step in found]


def translated(prompt: str) -> str:
    """The answer that has each told step as a line of code."""
    return as_answer("\n".join(map(_line, steps_in(prompt))))


def _line(step: str) -> str:
    if again := _AGAIN.fullmatch(step):
        return f"for _ in range({again[2]}):\n    {_line(again[1])}"
    (line,) = (code.format(*found.groups()) for form, code in _FORMS if (found := re.fullmatch(form, step)))
    return line


Gear = Mapping[str, str]


def gear_in(prompt: str) -> list[tuple[bool, str, Gear]]:
    """The told fights: whether it is that of the goal, the monster, and the gear by slot."""
    told = prompt.partition("# The gear that wins\n")[2].partition("\n# ")[0]
    lines = re.findall(rf"^- (goal 1|no goal): beat {_CODE} in (.+)$", told, re.MULTILINE)
    return [(goal == "goal 1", code, dict(re.findall(rf"(\w+) {_CODE}", worn))) for goal, code, worn in lines]


def unable_to_count(prompt: str) -> str:
    """The answer that gathers and crafts once of each, and fights for the goal in the told gear."""
    return as_answer("\n".join(_once(prompt)))


def _once(prompt: str) -> Iterator[str]:
    records = [json.loads(line) for line in prompt.splitlines() if line.startswith("{")]
    places = {each["content"]["code"]: (each["x"], each["y"]) for each in records if "content" in each}
    kinds = {each["content"]["code"]: each["content"]["type"] for each in records if "content" in each}
    worn = {name.removesuffix("_slot"): code for name, code in records[0].items() if name.endswith("_slot") and code}
    recipes = {each["code"]: each["craft"] for each in records if "craft" in each}
    for code, kind in kinds.items():
        if kind == "resource":
            yield f'move("Hero", {places[code][0]}, {places[code][1]})\ngather("Hero")'
    for code, craft in recipes.items():
        yield from _crafted(code, craft, places)
    goal = re.findall(rf"\(code {_CODE}\)", prompt.partition("# Goal\n")[2])[0]
    if goal in recipes:
        yield from _crafted(goal, recipes[goal], places)
    for code, gear in ((code, gear) for is_goal, code, gear in gear_in(prompt) if is_goal):
        yield from (f'unequip("Hero", "{slot}")' for slot, item in worn.items() if gear.get(slot) != item)
        yield from (f'equip("Hero", "{slot}", "{item}")' for slot, item in gear.items() if worn.get(slot) != item)
        yield f'move("Hero", {places[code][0]}, {places[code][1]})\nfight("Hero")'


def _crafted(code: str, craft: Mapping[str, str], places: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    x, y = places[craft["skill"]]
    yield f'move("Hero", {x}, {y})\ncraft("Hero", "{code}", 1)'
