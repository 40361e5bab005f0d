"""Prompts of journeys: short, complete, and silent about the best plan."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from herobench.prompts.rpg.journey.telling import opening
from herobench.suites.rpg.journey.options import LANES
from herobench.suites.rpg.journey.plan import read_plan
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Dials, Sites
from herobench.suites.rpg.journey.walk import ACTIONS, LEAVE, Call, walk
from herobench.suites.rpg.play.execution import extract_code
from herobench.task_gen.rpg.journey.draw import draw_road
from tests.sizes import for_each
from tests.suites.rpg.journey.roads import all_dials, journey, risky_journey

TOKEN = re.compile(r"[A-Za-z]+|\d{1,3}|[^\sA-Za-z\d]|\n")
"""Counts more tokens than any usual tokenizer."""


def prompt(road: Road, lane: str = "plan", plan: tuple[Call, ...] = ()) -> str:
    return opening(road, lane, plan)


def region_lines(text: str) -> list[str]:
    return re.findall(r"^\d+\. .+$", text.partition("\n## Regions\n")[2].partition("\n## ")[0], re.MULTILINE)


def rules_in(text: str) -> str:
    """A prompt without what is another one in each task: its regions and its gear."""
    return re.sub(r"^(\d+\. |- \w+: power ).+\n", "", text, flags=re.MULTILINE)


@for_each("lane", ["plan", "fights"])
def test_the_rules_of_chance_are_told_in_the_place_of_those_without(lane: str) -> None:
    """The example of the frame is worked out from the rules, and the costs of fights are told with their chances."""
    task, plain = risky_journey(3, 1, 2), journey(3, "hand", 1, 2)
    risky = rules_in(opening(task.road, lane, ()))
    assert "$" not in risky
    assert risky.partition("\n## Answer")[0] != rules_in(opening(plain.road, lane, ())).partition("\n## Answer")[0]
    assert "breaks after each fight with it with the chance 1/3" in risky
    assert "11 / 4 hearts are 2, or 3 with the chance 3/4" in risky
    if lane == "fights":
        road, monster = task.road, task.road.regions[0].monsters[0]
        time, hearts = road.fight(monster, None)
        assert f"bare {time}/{hearts}+{time % monster.pace}/{monster.pace}" in region_lines(opening(road, lane, ()))[0]


@for_each("dials", list(all_dials(20)))
def test_prompts_are_short(dials: Dials) -> None:
    for lane in ("plan", "fights"):
        text = prompt(draw_road("short", dials), lane)
        lines = region_lines(text)
        assert len(lines) == 20
        assert len(rules_in(text).split()) <= 600
        if lane == "plan":
            tokens = sum(len(TOKEN.findall(line + "\n")) for line in lines) / 20
            assert tokens <= (90 if dials.sites == "maps" else 45)


def test_a_long_road_is_told_in_less_than_7_000_tokens() -> None:
    assert len(TOKEN.findall(prompt(draw_road("long", Dials(64, "maps", 2, 2))))) < 7_000


def test_nothing_is_left_to_fill_in() -> None:
    for lane in LANES:
        task = journey(3, "hand", 1, 2)
        assert "$" not in prompt(task.road, lane, task.plan)


@for_each("sites", ["maps", "hand"])
def test_only_the_lane_steps_depends_on_the_plan(sites: Sites) -> None:
    task = journey(3, sites, 1, 2)
    for lane in LANES:
        depends = prompt(task.road, lane, task.plan) != prompt(task.road, lane, (LEAVE,))
        assert depends == (lane == "steps")
    assert prompt(task.road, "steps", task.plan).startswith(prompt(task.road, "fights").partition("\n## Answer")[0])


def write_down(text: str) -> list[Call]:
    """The plan of the lane `steps`, as a reader writes it down."""
    plan: list[Call] = []
    for line in re.findall(r"^\d+\. (.+)$", text.partition("## Plan")[2], re.MULTILINE):
        for step in line.split("; "):
            if step.startswith("fight "):
                monster, tool = re.fullmatch(r"fight the (\w+) with (?:the )?(.+)", step).groups()  # type: ignore[union-attr]
                plan.append(("fight", monster, *([] if tool == "bare hands" else [tool])))
            else:
                plan.append(("rest",) if step == "rest at the inn" else tuple(step.split()))
    return plan


@for_each("dials", [(4, "hand", 1, 3), (3, "maps", 1, 1), (3, "maps", 1, 2), (3, "hand", 1, 2)])
def test_the_steps_as_told_win(dials: tuple[int, str, int, int]) -> None:
    task = journey(*dials)
    plan = write_down(prompt(task.road, "steps", task.plan))
    assert plan == list(task.plan)
    road_walk = walk(task.road, plan)
    assert (road_walk.arrived, road_walk.time) == (True, task.least)


def test_every_action_can_be_told_as_a_step() -> None:
    plan = (("gather", "a"), ("craft", "b"), ("fight", "m"), ("fight", "m", "b"), ("rest",), ("camp",), ("drop", "a"))
    assert {call[0] for call in plan} | {"leave"} == set(ACTIONS)
    assert write_down(prompt(journey().road, "steps", (*plan, LEAVE, LEAVE))) == [*plan, LEAVE, LEAVE]


# -- the lanes tell the same ------------------------------------------------------------------------------------------


@dataclass
class Gear:
    power: int
    element: str


def read_gear(text: str) -> dict[str, Gear]:
    lines = re.findall(r"^- (\w+): power (\d+), (\w+), made of .+$", text, re.MULTILINE)
    return {code: Gear(int(power), element) for code, power, element in lines}


@pytest.mark.parametrize("sites", ["maps", "hand"])
def test_the_costs_of_fights_follow_from_the_numbers_by_the_told_rules(sites: Sites) -> None:
    """In two steps: rounds are hp / damage, rounded up, and hearts are rounds / pace, rounded down."""
    road = draw_road("lanes", Dials(30, sites, 3, 2))
    numbers, costs = prompt(road, "plan"), prompt(road, "fights")
    gear = read_gear(numbers)
    assert gear.keys() == road.gear.keys()
    monsters = 0
    for with_numbers, with_costs in zip(region_lines(numbers), region_lines(costs), strict=True):
        expected = with_numbers
        for code, hp, pace, weakness in re.findall(r"(\w+) (\d+)/(\d+) (\w+)", with_numbers):
            damages = {"bare": 1} | {
                kind: each.power * (2 if each.element == weakness else 1) for kind, each in gear.items()
            }
            rounds = {kind: (int(hp) + damage - 1) // damage for kind, damage in damages.items()}
            told_costs = ", ".join(f"{kind} {time}/{time // int(pace)}" for kind, time in rounds.items())
            expected = expected.replace(f"{code} {hp}/{pace} {weakness}", f"{code} ({told_costs})")
            monsters += 1
        assert with_costs == expected
    assert monsters == sum(len(region.monsters) for region in road.regions)


@for_each("dials", list(all_dials(6)))
def test_a_road_can_be_built_again_from_its_prompt(dials: Dials) -> None:
    """All that the rules need is told, each thing once and in its order."""
    road = draw_road("again", dials)
    text = prompt(road)
    for region, line in zip(road.regions, region_lines(text), strict=True):
        parts = line.partition(". ")[2].split("; ")
        at = (lambda place: f" {place[0]},{place[1]}") if road.side else (lambda place: "")
        expected = [f"{node.material} {node.units} @{node.time}{at(node.place)}" for node in region.nodes]
        if region.workshop:
            expected.append(f"workshop{at(region.workshop.place)} {' '.join(region.workshop.makes)}")
        expected += [f"inn{at(region.inn)}"] if region.inn else []
        expected += [f"{foe.code} {foe.hp}/{foe.pace} {foe.weakness}{at(foe.place)}" for foe in region.monsters]
        ends = [f"in{at(region.enter)}", *expected, f"out{at(region.leave)}"]
        assert parts == (ends if road.side else expected)
    for code, kind in road.gear.items():
        assert f"- {code}: power {kind.power}, {kind.element}, made of {' + '.join(kind.recipe)}\n" in text
    limits = road.limits
    uses = "one fight" if limits.uses == 1 else f"{limits.uses} fights"
    for sentence in (
        f"walks a road of {dials.regions} regions",
        f"begins with {limits.hearts} hearts",
        f"at most {limits.bag} units of",
        f"at most {limits.places} pieces of gear",
        f"takes {limits.crafting} at a workshop",
        f"A piece of gear lasts {uses}",
        f"`rest()` takes {limits.rest} at an inn",
        f"`camp()` takes {limits.camp} anywhere",
    ):
        assert sentence in " ".join(text.split())


def test_the_form_that_is_shown_is_a_plan() -> None:
    example = extract_code(prompt(journey().road))
    assert example is not None
    assert {line.call[0] for line in read_plan(example)} <= set(ACTIONS)
    assert [name for name in ACTIONS if f"`{name}(" not in prompt(journey().road)] == []
