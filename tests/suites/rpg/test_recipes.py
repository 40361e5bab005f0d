"""The recipes of docs for a new action and a new effect, followed in a copy of the package: the files they name are
enough, and all of them are needed."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.builders import TINY, documents, write_world
from tests.sizes import one_in

ROOT = Path(__file__).parents[3]
RECIPES = sorted((ROOT / "docs").glob("*.md"))

Edits = Mapping[str, tuple[tuple[str, str], ...]]
"""By file, the texts that are put before others."""

REST: Edits = {
    "herobench/suites/rpg/game/events.py": (
        ("Detail = Moved", 'class Rested(NamedTuple):\n    """The hero rested."""\n\n    naps: int\n\n\n'),
        ("    NO_MONSTER_HERE", '    NO_REST_HERE = (499, "rest", "No rest among monsters.")\n'),
        (" Fought | Gathered", " Rested |"),
        ('        "fight": (_NAME,),\n', '        "rest": (_NAME, Parameter("rounds", _quantity, 1)),\n'),
    ),
    "herobench/suites/rpg/game/game.py": (
        ("    Unequipped,\n", "    Rested,\n"),
        ('        "fight": Game._fight', '        "rest": Game._rest,\n'),
        (
            "    def _fight(self)",
            "    def _rest(self, rounds: int) -> Rested:\n"
            "        if self.hero.place in self._monsters:\n"
            "            raise RefusedAction(Refusal.NO_REST_HERE)\n"
            "        return Rested(rounds)\n\n",
        ),
    ),
    "herobench/suites/rpg/game/episode.py": (
        ("    Unequipped,\n", "    Rested,\n"),
        ('        "unequipped": Unequipped', '        "rested": Rested,\n'),
    ),
    "herobench/suites/rpg/play/columns.py": (('        "place": _PLACE', '        "naps": _INTEGER,\n'),),
    "herobench/suites/rpg/game/responses.py": (
        ("    Unequipped,\n", "    Rested,\n"),
        ("        case Fought() as", '        case Rested(rounds):\n            return {"rested": rounds}\n'),
    ),
}
REST_PLAN = """
status, body = rest("Hero", 3)
assert (status, body["rested"]) == (200, 3), body
move("Hero", 1, 0)
print(rest("Hero"))
"""
REST_CHECK = f"""
import json
from dataclasses import asdict
from herobench.suites.rpg.play.columns import EVENTS
from herobench.suites.rpg.worlds.content import load_rules
from herobench.suites.rpg.game.events import Refusal
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.episode import read_repeats, write_trace
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.wire import Scene, enact
from herobench.suites.rpg.sandbox.worker import play_request
from tests.builders import tiny_task, tiny_world

world, rules, limits = tiny_world(), load_rules(), Limits()
task = tiny_task(world)
asked = {{**Scene(world, rules, task).request(), "limits": asdict(limits), "track": "program"}}
played = play_request(world, {{**asked, "plan": {REST_PLAN!r}}})
episode = enact(Game(world, rules, task.hero), played, limits)
assert episode.finished, episode.ending
assert [event.status for event in episode.events] == [200, 200, 499]
assert episode.events[-1].refusal is Refusal.NO_REST_HERE
repeats = read_repeats(json.loads(json.dumps(write_trace(episode.events))))
assert tuple(event for event, times in repeats for _ in range(times)) == episode.events
assert "rested" in json.dumps([column.schema for column in EVENTS])
print(episode.output.strip())
"""

POISON: Edits = {
    "herobench/suites/rpg/game/world.py": (
        ("Values = tuple", 'ROUND_EFFECTS["poison"] = lambda value, number, hp: hp * (value * number * 0.01)\n'),
        ("    )\n    gold = ", '        round_effects=read_round_effects(row.get("effects", {}).items()),\n'),
    ),
    "herobench/suites/rpg/worlds/world_check.py": (('"hp", "restore", "boost_hp"', '"poison", '),),
    "world_data/schemas/monsters.schema.json": (
        ('"gold":', '"effects": {"type": "object", "additionalProperties": {"type": "integer"}},\n'),
    ),
    "herobench/suites/rpg/game/responses.py": (
        ('    record |= {"min_gold"', '    record["effects"] = dict(monster.stats.round_effects)\n'),
    ),
}
POISON_CHECK = """
from herobench.suites.rpg.game.rules import Fighter, duel
from herobench.suites.rpg.worlds.content import check_world, load_rules, load_world, read_world
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.responses import monster_record
from herobench.task_gen.rpg.gear.search import GearSearch
from herobench.task_gen.rpg.worlds.portraits import portraits

world, rules = load_world("venomous"), load_rules()
drake = world.monsters["drake"]
assert world.items["bar_sword"].worn.round_effects == (("poison", 5),)
assert drake.stats.round_effects == (("poison", 1),)
assert monster_record(world, "drake")["effects"] == {"poison": 1}
assert [portrait["effects"] for portrait in portraits(world, "drake")] == [{"poison": 1}]
assert load_world("deadly").monsters["drake"].stats.round_effects == (("poison", 2),)
documents, _ = read_world("venomous")
documents["items"]["items"][10]["effects"]["poisn"] = 1
(slip,) = check_world(documents, "venomous")
assert "'poison'" in slip.expected
search = GearSearch.of(world, rules, drake, HeroStart.bare(world, rules, 10))
fights = [duel(Fighter(search.stats(gear)), drake.stats, rules.rounds) for gear in ({}, {"blade": "bar_sword"})]
assert [fight.won for fight in fights] == [False, True]
assert fights[1].monster_hp != int(fights[1].monster_hp)
assert {"blade": "bar_sword"} in list(search.minimal_sets())
"""


PROMPTS = ("prompts/rpg/one_shot/frame.md", "prompts/rpg/one_shot/straight_frame.md")


def recipe(title: str) -> set[str]:
    """Return the files in the tables of a recipe, which lies in some document under a heading of this title."""
    chapters = [
        chapter for path in RECIPES for chapter in re.split(r"^#+ ", path.read_text("utf-8"), flags=re.MULTILINE)
    ]
    text = next(chapter for chapter in chapters if chapter.startswith(f"{title}\n"))
    return set(re.findall(r"^\| `([\w/.-]+)` \|", text, re.MULTILINE))


def copied(folder: Path, edits: Edits) -> None:
    """Copy the package and edit the copy."""
    shutil.copytree(ROOT / "herobench", folder / "herobench", ignore=shutil.ignore_patterns("__pycache__"))
    for name, changes in edits.items():
        path = folder / "herobench" / name.removeprefix("herobench/")
        text = path.read_text("utf-8")
        for before, added in changes:
            assert text.count(before) == 1 or name.endswith(".json"), (name, before)
            text = text.replace(before, added + before, 1)
        path.write_text(text, "utf-8")


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code with the copy."""
    begin = f"import sys; sys.path[:0] = [{str(folder)!r}, {str(ROOT)!r}]\n"
    check = f"import herobench; assert herobench.__file__.startswith({str(folder)!r})\n"
    return subprocess.run([sys.executable, "-c", begin + check + code], capture_output=True, text=True, cwd=folder)


def test_the_recipe_for_an_action_names_the_files_that_take_it() -> None:
    assert recipe("Add an action") == {*REST, *PROMPTS}


def test_an_action_that_follows_the_recipe_works(tmp_path: Path) -> None:
    copied(tmp_path, REST)
    done = run(tmp_path, REST_CHECK)
    assert done.stderr == ""
    assert done.stdout.strip() == "(499, {'error': {'code': 499, 'message': 'No rest among monsters.'}})"


@pytest.mark.slow
@pytest.mark.parametrize("left_out", one_in(3, REST))
def test_an_action_needs_every_file_of_its_recipe(tmp_path: Path, left_out: str) -> None:
    copied(tmp_path, {name: changes for name, changes in REST.items() if name != left_out})
    assert run(tmp_path, REST_CHECK).returncode != 0


def venomous(folder: Path) -> None:
    """Write the tiny world with poison on the sword and in the drake, and another with more in the drake."""
    content = documents(TINY)
    next(item for item in content["items"]["items"] if item["code"] == "bar_sword")["effects"]["poison"] = 5
    drake = next(monster for monster in content["monsters"]["monsters"] if monster["code"] == "drake")
    drake["effects"] = {"poison": 1}
    write_world(folder / "venomous", content)
    drake["effects"] = {"poison": 2}
    write_world(folder / "deadly", content)


def test_the_recipe_for_an_effect_names_the_files_that_take_it() -> None:
    assert recipe("Add an effect") == {*POISON, "prompts/rpg/one_shot/frame.md"}


@pytest.mark.slow
def test_an_effect_that_follows_the_recipe_works(tmp_path: Path) -> None:
    copied(tmp_path, POISON)
    venomous(tmp_path)
    assert run(tmp_path, POISON_CHECK).stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("left_out", one_in(3, POISON))
def test_an_effect_needs_every_file_of_its_recipe(tmp_path: Path, left_out: str) -> None:
    copied(tmp_path, {name: changes for name, changes in POISON.items() if name != left_out})
    venomous(tmp_path)
    assert run(tmp_path, POISON_CHECK).returncode != 0
