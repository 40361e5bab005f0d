"""Plans that each commit one fault, run for real, and the causes that are found in them."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.reading.contract import Found
from herobench.analysis.suites.rpg.explain import Cause
from herobench.analysis.suites.rpg.reading import RpgReading
from herobench.data.rows import dump_row
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import execute, judge, scored_row
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task, hero_row
from tests.made_runs import cause_in, sample_row, unmeasured_row
from tests.plays import ARMED, STRONG, WINNING, as_plan, drake_task
from tests.sizes import for_each

Row = Mapping[str, Any]

HUNT_DRAKE = "move 2 0; fight"
CLUB = "move 0 1; gather 6; move 2 1; craft brick 2; unequip blade; craft club 1"
"""Other gear than is missing, in six steps."""
NOISE = {
    "code": "moon_blade", "name": "Moon Blade", "level": 5, "type": "blade", "subtype": "", "description": "",
    "effects": {"attack_frost": 40},
    "recipe": {"skill": "smithing", "level": 5, "ingredients": {"moon_dust": 2, "bar": 1}},
}  # fmt: skip
NOISY = {"recipes": [], "materials": [], "sold": [], "monsters": [], "places": [], "stats": [], "noise": [NOISE]}
TWO_CHARMS = {"charm1": "pearl_charm", "charm2": "pearl_charm"}
CHARMS = "move 0 1; gather 2; move 2 1; craft pearl_charm {made}; equip charm1 pearl_charm; {worn}move 2 0; fight"

CLOSED_MINE = {"leveling": False, "drop_scale": None, "closed": [[1, 1]]}
NO_REACH: dict[str, Any] = {"level": 10, "skills": {}, "items": [], "beaten": []}
SECOND_CHARM = "equip charm2 pearl_charm; "


@pytest.fixture(scope="module")
def sandbox(tiny: World) -> Iterator[Sandbox]:
    with Sandbox(tiny, load_rules(), workers=1) as opened:
        yield opened


def winning(replaced: Mapping[int, str]) -> str:
    """The winning play with other steps in the place of some; its steps are its lines."""
    steps = WINNING.split("; ")
    assert replaced.keys() <= set(range(1, len(steps) + 1))
    return "; ".join(filter(None, (replaced.get(line, step) for line, step in enumerate(steps, 1))))


def hero(**skills: int) -> dict[str, Any]:
    """The hero of a `drake_task` with some of his skills as said."""
    row = hero_row(worn={"blade": "twig"})
    for skill, level in skills.items():
        row["skills"][skill]["level"] = level
    return row


DRESSED = winning(dict.fromkeys(range(1, 7), ""))
"""For a hero who has the fur, and is far too frail to hunt or fight."""
FINAL = {"leveling": False, "drop_scale": None, "defeat": "final"}
SHORT = {"leveling": False, "drop_scale": None, "budget": 16}
"""One action less than the winning play takes."""
OWNER = {**hero(), "inventory": {"club": 1}}
FRAIL = {**hero(), "stats": {"hp": 20}, "inventory": {"fur": 5}}


@dataclass(frozen=True)
class Fault:
    """A plan with one fault, and what is to be found."""

    found: Found
    play: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Of the drake task."""
    code: str | None = None
    """The plan itself, where it is no play."""

    def row(self, sandbox: Sandbox) -> Row:
        plan = as_plan(self.play) if self.play else self.code
        return score_plan(sandbox, drake_task(sandbox.world, **self.changes), plan)


def score_plan(sandbox: Sandbox, task: Task, plan: str | None) -> Row:
    return scored_row(
        sandbox.world, task, sandbox.rules, judge(sandbox.world, task, sandbox.rules, sandbox.execute(task, plan))
    )


def lost_by(sandbox: Sandbox, play: str, **changes: Any) -> Found | None:
    row = score_plan(sandbox, drake_task(sandbox.world, **changes), as_plan(play))
    assert row["outcome"] == "lose", "a test of a cause is about a lost plan"
    return cause_in(row)


def code(cause: Cause, line: int | None, plan: str | None) -> Fault:
    return Fault(Found(cause, line), code=plan)


def fault(cause: Cause, line: int | None, subject: str | None, play: str, **changes: Any) -> Fault:
    return Fault(Found(cause, line, subject), play, changes)


CODE = [
    code(Cause.NO_CODE, None, None),
    code(Cause.NO_CODE, None, " \n"),
    code(Cause.SYNTAX, 2, "move('Hero', 1, 0)\nfight("),
    code(Cause.FORBIDDEN, 2, "fight('Hero')\nimport os"),
    code(Cause.FORBIDDEN, 1, "world = ''.__class__"),
    Fault(
        Found(Cause.NOT_STRAIGHT, 2),
        changes={"mechanics": {"leveling": False, "drop_scale": None, "plan": "straight"}},
        code="fight('Hero')\nstatus, body = fight('Hero')",
    ),
    Fault(Found(Cause.GAVE_UP), changes={"mechanics": CLOSED_MINE}, code="give_up('no ore')"),
    Fault(Found(Cause.IMPOSSIBLE), changes={"mechanics": CLOSED_MINE, "impossible": NO_REACH}, code="fight('Hero')"),
    code(Cause.NAME_ERROR, 1, "open('world.json')"),
    code(Cause.TOO_LARGE, None, "#" * (Limits().width + 1)),
    code(Cause.TOO_LARGE, None, "\n" * (Limits().lines + 1) + "fight('Hero')"),
    code(Cause.NAME_ERROR, 3, "\nfight('Hero')\nmove('Hero', cellar, 0)"),
    code(Cause.NAME_ERROR, 2, "def go():\n    fight(hero)\n    hero = 'Hero'\ngo()"),
    code(Cause.TYPE_ERROR, 1, "fight('Hero' + 1)"),
    code(Cause.TYPE_ERROR, 2, "fight('Hero')\ncraft('Hero', 'bar')"),
    code(Cause.TYPE_ERROR, 1, "move('Hero', x=1)"),
    code(Cause.TYPE_ERROR, 1, "[1].upper()"),
    code(Cause.TYPE_ERROR, 1, "gather('Hero', 'ore', 8)"),
    code(Cause.LOOKUP_ERROR, 1, "fight(['Hero'][1])"),
    code(Cause.LOOKUP_ERROR, 2, "at = {}\nfight(at['hero'])"),
    code(Cause.OTHER_ERROR, 1, "gather('Hero', 1 // 0)"),
    code(Cause.OTHER_ERROR, 1, "gather('Hero', int('all'))"),
    code(Cause.WASTED_ACTIONS, 2, "while True:\n    fight('Hero')"),
    code(Cause.LIMIT, 2, "while True:\n    pass"),
]
ACTIONS = [
    fault(Cause.DISTRACTOR, 11, "moon_blade", winning({11: "craft moon_blade 1"}), knowledge=NOISY),
    fault(Cause.DISTRACTOR, 1, "moon_blade", f"equip blade moon_blade; {ARMED}", knowledge=NOISY),
    fault(Cause.UNKNOWN_NAME, 11, "moon_blade", winning({11: "craft moon_blade 1"})),
    fault(Cause.UNKNOWN_NAME, 11, "ore", winning({11: "craft ore 1"})),
    fault(Cause.UNKNOWN_NAME, 14, "sword", winning({14: "equip blade sword"})),
    fault(Cause.UNKNOWN_NAME, 14, "weapon", winning({14: "equip weapon bar_sword"})),
    fault(Cause.UNKNOWN_NAME, 14, "no-slot", winning({14: "equip code=bar_sword slot=no-slot"})),
    fault(Cause.UNKNOWN_NAME, 16, None, winning({16: "move 9 9"})),
    fault(Cause.UNKNOWN_NAME, 16, "there", winning({16: "move 2 there"})),
    fault(Cause.UNKNOWN_NAME, 17, "Villain", winning({17: "fight name=Villain"})),
    fault(Cause.UNKNOWN_NAME, 12, "Villain", winning({12: "craft code=fur_coat quantity=1 name=Villain"})),
    fault(Cause.UNKNOWN_NAME, 12, "fur_coat", winning({12: "craft fur_coat 0"})),
    fault(Cause.UNKNOWN_NAME, 12, "fur.coat", winning({12: "craft fur.coat 1"})),
    fault(Cause.UNKNOWN_NAME, 8, None, winning({8: "gather 0"})),
    fault(Cause.WRONG_TILE_WORKSHOP, 10, "bar", winning({9: "move 3 1"})),
    fault(Cause.WRONG_TILE_WORKSHOP, 10, "bar", winning({9: "move 0 0", 10: "craft quantity=9 code=bar"})),
    fault(Cause.WRONG_TILE_RESOURCE, 8, None, winning({7: "move 2 1"})),
    fault(Cause.WRONG_TILE_MONSTER, 2, None, winning({1: "move 1 1"})),
    fault(Cause.WRONG_TILE_MONSTER, 17, None, winning({16: "move 0 0"})),
    fault(Cause.WRONG_TILE_EXCHANGE, 8, "ore", winning({8: "buy ore 8"})),
    fault(Cause.NOT_SOLD, 8, "ore", winning({7: "move 0 2", 8: "buy ore 8"})),
    fault(Cause.TOO_FEW, 10, "ore", winning({8: "gather 7"})),
    fault(Cause.TOO_FEW, 12, "fur", winning({6: "move 0 0"})),
    fault(Cause.TOO_FEW, 11, "bar", winning({10: "craft bar 1"})),
    fault(Cause.SKILL_TOO_LOW, 8, None, winning({}), hero=hero(digging=4)),
    fault(Cause.SKILL_TOO_LOW, 10, "smithing", winning({}), hero=hero(smithing=4)),
    fault(Cause.LEVEL_TOO_LOW, 14, "bar_sword", winning({}), hero={**hero(), "level": 1}),
    fault(Cause.SLOT_NOT_EMPTIED, 13, "bar_sword", winning({13: ""})),
    fault(Cause.WRONG_SLOT, 15, "fur_coat", winning({15: "equip charm1 fur_coat"})),
    fault(Cause.WRONG_SLOT, 1, "charm1", f"unequip charm1; {ARMED}"),
    fault(Cause.NOT_OWNED, 14, "fur_coat", winning({12: ""})),
    fault(Cause.LOST_HUNT, 2, "wall", f"move 3 0; fight; {ARMED}"),
    fault(Cause.CLOSED_PLACE, 7, None, WINNING, mechanics=CLOSED_MINE),
    fault(Cause.DEFEATED, 2, "wall", f"move 3 0; fight; {ARMED}", mechanics=FINAL),
    fault(Cause.OVER_BUDGET, 17, None, WINNING, mechanics=SHORT),
    fault(Cause.OVER_BUDGET, 17, None, f"move 3 0; fight; {WINNING}", mechanics=SHORT),
]
OMISSIONS = [
    fault(Cause.WRONG_GEAR, 6, "club", f"{CLUB}; equip blade club; {HUNT_DRAKE}"),
    fault(Cause.WRONG_GEAR, 6, "club", f"{CLUB}; {HUNT_DRAKE}"),
    fault(Cause.WRONG_GEAR, 2, "twig", f"unequip blade; equip blade twig; {HUNT_DRAKE}"),
    fault(Cause.WRONG_GEAR, 3, "club", f"unequip blade; move 0 0; equip blade club; {HUNT_DRAKE}", hero=OWNER),
    fault(Cause.GEAR_LEFT_OUT, 15, "fur_coat", winning({12: "", 15: ""})),
    fault(Cause.GEAR_LEFT_OUT, 2, "bar_sword", HUNT_DRAKE),
    Fault(Found(Cause.GEAR_LEFT_OUT, None, "bar_sword"), code="pass"),
    fault(Cause.GEAR_LEFT_OUT, 7, "pearl_charm", CHARMS.format(made=1, worn=""), missing=TWO_CHARMS),
    fault(Cause.NOT_WORN, 12, "fur_coat", winning({15: ""})),
    fault(Cause.NOT_WORN, 4, "pearl_charm", CHARMS.format(made=2, worn=""), missing=TWO_CHARMS),
    fault(Cause.TOO_EARLY, 2, "drake", f"{HUNT_DRAKE}; {ARMED}"),
    fault(Cause.TOO_EARLY, 4, "drake", f"{HUNT_DRAKE}; {HUNT_DRAKE}; {ARMED}"),
    fault(Cause.TOO_EARLY, 16, "drake", winning({15: HUNT_DRAKE, 16: "equip coat fur_coat", 17: ""})),
    fault(Cause.TARGET_LOST, 11, "drake", DRESSED, hero=FRAIL),
    fault(Cause.TARGET_LOST, 11, "drake", f"{DRESSED}; unequip coat; {HUNT_DRAKE}", hero=FRAIL),
    fault(Cause.TARGET_LOST, 8, "drake", CHARMS.format(made=2, worn=SECOND_CHARM), missing=TWO_CHARMS),
    fault(Cause.TARGET_LOST, 7, "drake", CHARMS.format(made=1, worn=""), missing={"charm2": "pearl_charm"}),
    fault(Cause.STOPS_SHORT, 15, "drake", ARMED),
]
FAULTS = [*CODE, *ACTIONS, *OMISSIONS]


@for_each("fault", FAULTS)
def test_a_fault_is_found_with_its_line_and_its_subject(sandbox: Sandbox, fault: Fault) -> None:
    row = fault.row(sandbox)
    assert row["outcome"] == "lose"
    assert cause_in(row) == fault.found


@for_each(("plan", "found"), [("gather('Hero', 1 // 0)", Cause.OTHER_ERROR), ("x", Cause.NAME_ERROR)])
def test_an_error_is_known_by_its_class_and_not_by_its_reason(sandbox: Sandbox, plan: str, found: Cause) -> None:
    row = score_plan(sandbox, drake_task(sandbox.world), plan)
    assert cause_in({**row, "end_reason": "KeyError: 'x'"}) == Found(found, 1)
    assert cause_in({**row, "end_reason": None}) == Found(found, 1)


def test_an_error_of_an_unknown_class_has_no_cause(sandbox: Sandbox) -> None:
    row = score_plan(sandbox, drake_task(sandbox.world), "x")
    assert cause_in({**row, "end_error": None}) is None


def test_the_plan_that_the_faults_are_put_into_wins(sandbox: Sandbox) -> None:
    assert score_plan(sandbox, drake_task(sandbox.world), as_plan(winning({})))["outcome"] == "win"


# -- what has no cause ------------------------------------------------------------------------------------------------


@for_each("play", [WINNING, f"fight; craft nothing 1; {WINNING}", f"{WINNING}; fight; move 0 0; fight"])
def test_a_won_row_has_no_cause_whatever_was_refused_in_it(sandbox: Sandbox, play: str) -> None:
    row = score_plan(sandbox, drake_task(sandbox.world), as_plan(play))
    assert row["outcome"] == "win"
    assert cause_in(row) is None


def test_a_win_that_its_plan_s_end_takes_back_is_lost_by_the_end(sandbox: Sandbox) -> None:
    row = score_plan(sandbox, drake_task(sandbox.world, hero=hero_row(stats=STRONG)), as_plan(HUNT_DRAKE) + "1 // 0")
    assert cause_in(row) == Found(Cause.OTHER_ERROR, 3)


def test_an_unmeasured_row_has_no_cause(sandbox: Sandbox) -> None:
    task = drake_task(sandbox.world)
    assert (
        RpgReading().cause(unmeasured_row(sample_row({"task_id": task.id, **score_plan(sandbox, task, "pass")}, "")))
        is None
    )


# -- what does no harm, or was made good ------------------------------------------------------------------------------


@for_each(
    "before",
    [
        "craft bar 2",
        "craft name=Hero quantity=1 code=bar",
        "craft bar_sword 1; craft fur_coat 1",
        "craft fur_coat 0",
        "buy fur 1",
        "move 0 2; buy fur 1",
        "equip blade bar_sword",
        "equip charm1 bar_sword; equip hat fur_coat",
        "equip code=fur_coat slot=coat",
        "unequip coat",
        "gather 8",
        "gather 0",
        "fight",
        "fight name=Villain",
        "unequip blade; move 1 0; fight; equip blade twig",
    ],
)
def test_what_was_refused_or_lost_and_is_made_good_later_is_no_cause(sandbox: Sandbox, before: str) -> None:
    lines = before.count(";") + 1
    assert lost_by(sandbox, f"{before}; {ARMED}") == Found(Cause.STOPS_SHORT, 15 + lines, "drake")


def test_the_first_of_two_faults_is_the_cause(sandbox: Sandbox) -> None:
    assert lost_by(sandbox, winning({6: "", 7: "move 2 1"})) == Found(Cause.WRONG_TILE_RESOURCE, 7)
    assert lost_by(sandbox, winning({8: "gather 7", 15: ""})) == Found(Cause.TOO_FEW, 10, "ore")


def test_the_worst_of_what_one_craft_lacks_is_named(sandbox: Sandbox) -> None:
    assert lost_by(sandbox, "craft bar 1", hero=hero(smithing=1)) == Found(Cause.WRONG_TILE_WORKSHOP, 1, "bar")
    assert lost_by(sandbox, "move 2 1; craft bar 1", hero=hero(smithing=1)) == Found(Cause.SKILL_TOO_LOW, 2, "smithing")
    assert lost_by(sandbox, "move 2 1; craft bar_sword 1") == Found(Cause.TOO_FEW, 2, "bar")


def test_a_subject_is_the_item_however_the_call_was_written(sandbox: Sandbox) -> None:
    for call in ("buy ore 1", "buy code=ore", "buy quantity=1 code=ore name=Hero", "buy name=Hero code=ore quantity=1"):
        assert lost_by(sandbox, call) == Found(Cause.WRONG_TILE_EXCHANGE, 1, "ore"), call
    task = drake_task(sandbox.world)
    row = score_plan(sandbox, task, "craft('Hero', 'bar', '2')")
    assert cause_in(row) == Found(Cause.WRONG_TILE_WORKSHOP, 1, "bar"), "a quantity may be a text"
    row = score_plan(sandbox, task, "equip('Hero', code='fur_coat', slot='coat')")
    assert cause_in(row) == Found(Cause.NOT_OWNED, 1, "fur_coat")


def test_consumables_are_put_on_and_taken_off_in_numbers(sandbox: Sandbox) -> None:
    rich = {**hero(), "inventory": {"broth": 60}}
    on = "equip consumable1 broth 30"
    assert lost_by(sandbox, f"{on}; {on}", hero=rich) == Found(Cause.WRONG_SLOT, 2, "broth")
    assert lost_by(sandbox, f"{on}; unequip consumable1 31", hero=rich) == Found(Cause.NOT_OWNED, 2, "consumable1")


# -- craft tasks ------------------------------------------------------------------------------------------------------

BRICK = "move 0 1; gather 3; {}move 2 1; craft brick 1"


@for_each(
    ("play", "found"),
    [
        ("move 0 1; gather 3", Found(Cause.STOPS_SHORT, 2, "brick")),
        ("move 0 1; gather 3; craft brick 1", Found(Cause.WRONG_TILE_WORKSHOP, 3, "brick")),
        ("move 0 1; gather 2; move 2 1; craft brick 1", Found(Cause.TOO_FEW, 4, "clay")),
        ("gather 3; move 2 1; craft brick 1", Found(Cause.WRONG_TILE_RESOURCE, 1)),
        ("move 1 0; gather 3; move 0 1; gather 3", Found(Cause.STOPS_SHORT, 4, "brick")),
    ],
)
def test_a_lost_craft_is_explained_too(sandbox: Sandbox, play: str, found: Found) -> None:
    assert cause_in(score_plan(sandbox, craft_task(sandbox.world, "brick"), as_plan(play))) == found


def test_what_was_come_by_in_another_way_than_the_ideal_was_found_all_the_same(sandbox: Sandbox) -> None:
    """The fur falls from rats, which earns nothing in a craft task."""
    row = score_plan(
        sandbox,
        craft_task(sandbox.world, "fur_coat", hero=hero()),
        as_plan("gather 1; move 1 0; fight; move 0 1; gather 1"),
    )
    assert "gather_resource:fur" in row["milestones"]["missed"]
    assert cause_in(row) == Found(Cause.STOPS_SHORT, 5, "fur_coat")


def forfeits(world: World, target: str, play: str) -> Row:
    task, rules = craft_task(world, target), load_rules("paper-late")
    return scored_row(world, task, rules, execute(world, task, as_plan(play), rules))


def test_a_failed_craft_that_names_the_target_forfeits_it_where_the_edition_has_it_so(tiny: World) -> None:
    row = forfeits(tiny, "brick", BRICK.format("craft brick 1; "))
    assert cause_in(row) == Found(Cause.FORFEITED, 3, "brick")
    row = forfeits(tiny, "brick", "fight; " + BRICK.format("") + "; craft brick 1")
    assert cause_in(row) == Found(Cause.FORFEITED, 6, "brick"), "also after, and whatever else was refused"
    row = forfeits(tiny, "brick", BRICK.format("craft bar 1; craft brick 1; "))
    assert cause_in(row) == Found(Cause.FORFEITED, 4, "brick"), "not by one that does not name it"
    row = forfeits(tiny, "brick", BRICK.format("") + "; craft club 1")
    assert cause_in(row) == Found(Cause.FORFEITED, 5, "brick"), "also where another recipe lacks it"


def test_where_the_target_is_not_made_nothing_is_forfeited(tiny: World) -> None:
    row = forfeits(tiny, "brick", "move 0 1; gather 3; craft brick 1")
    assert cause_in(row) == Found(Cause.WRONG_TILE_WORKSHOP, 3, "brick")


def test_the_same_plan_wins_where_failed_crafts_are_not_logged(sandbox: Sandbox) -> None:
    row = score_plan(sandbox, craft_task(sandbox.world, "brick"), as_plan(BRICK.format("craft brick 1; ")))
    assert cause_in(row) is None


# -- the set is closed ------------------------------------------------------------------------------------------------


def test_what_no_rule_here_gives_is_unexplained(sandbox: Sandbox) -> None:
    """No plan comes to it; a row of another version may."""
    row = json.loads(dump_row(score_plan(sandbox, drake_task(sandbox.world), "equip('Hero', 'coat', 'fur_coat')")))
    row["events"]["actions"][0]["status"] = 499
    assert cause_in(row) == Found(Cause.UNEXPLAINED, 1, "fur_coat")


def test_every_cause_is_reached_by_some_test_here() -> None:
    elsewhere = {Cause.FORFEITED, Cause.UNEXPLAINED}
    assert {fault.found.cause for fault in FAULTS} == set(Cause) - elsewhere


def test_every_cause_has_a_definition_of_its_own_and_it_stands_in_the_guide() -> None:
    definitions = [cause.definition for cause in Cause]
    assert len(set(definitions)) == len(Cause)
    guide = (Path(__file__).parents[4] / "docs" / "analyze.md").read_text("utf-8")
    causes = guide.partition("| cause |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([a-z_]+)` \| (.*) \|$", causes, re.MULTILINE)
    assert rows == [(cause.value, cause.definition) for cause in Cause]


def test_a_cause_is_called_as_it_is_written() -> None:
    assert [cause.value for cause in Cause] == [cause.name.lower() for cause in Cause]
