"""The told world: what is told works as in the real world, and what is not told is not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from herobench.conversation import Reply
from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.responses import character
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.told import dry_run_seed, told_hero, told_world
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.attempts import FeedbackAttempt
from herobench.suites.rpg.play.briefing import Briefing, PartResult
from herobench.suites.rpg.play.execution import as_answer
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.datasets import shipped_tasks
from tests.builders import hero_row
from tests.plays import WINNING, as_plan, drake_task
from tests.sizes import for_each, many

KNOWN: dict[str, Any] = {
    "recipes": ["bar_sword", "fur_coat", "bar"],
    "materials": ["ore", "fur", "clay"],
    "sold": [],
    "monsters": ["rat", "drake"],
    "places": [[1, 0], [2, 0], [1, 1], [2, 1], [0, 1]],
    "stats": [],
}
"""All that the winning plan needs, and the pit with its clay."""
RICH = {"brick": 9, "twig": 9, "clay": 99, "pearl": 9, "ore": 99, "bar": 9, "fur": 99, "salt": 9}
MOON_BLADE = {
    "code": "moon_blade",
    "name": "Moon Blade",
    "level": 5,
    "type": "blade",
    "subtype": "crescent",
    "description": "",
    "effects": {"attack_frost": 40},
    "recipe": {"skill": "smithing", "level": 5, "ingredients": {"moon_dust": 2, "bar": 1}},
}
SHOUT = "raise ValueError(str({call}))"
"""A plan that tells what a call returns: whatever it can see, an agent can read."""


def knowing(tiny: World, hero: dict[str, Any] | None = None, **changes: Any) -> Task:
    """The drake's task, with other knowledge."""
    start = hero_row(worn={"blade": "twig"}, **(hero or {}))
    return drake_task(
        tiny, hero=start, knowledge={**KNOWN, **changes}, mechanics={"leveling": False, "drop_scale": None}
    )


def tried(sandbox: Sandbox, task: Task, plan: str) -> PartResult:
    return Briefing(sandbox, task).try_out(plan if "(" in plan else as_plan(plan))


def every_text(briefing: Briefing) -> str:
    """All that a briefing can tell without a dry run."""
    everything = briefing.section("recipes", "materials", "monsters", "stats", "places")
    things = ["drake", "rat", "bar_sword", "club", "pearl", "salt", "broth", "wall", "clay_pit", "moon_blade"]
    return "\n".join([*briefing.facts.values(), everything, briefing.describe(things), briefing.character()])


# -- what is told ------------------------------------------------------------------------------------------------------


def test_a_plan_goes_as_in_the_game(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny, stats=["twig"])
    dry = tried(sandbox, task, WINNING)
    real = sandbox.execute(task, as_plan(WINNING))
    assert dry.faultless
    assert dry.actions == tuple(event.action for event in real.events)
    assert dry.told == f"The part ran to its end and attempted {len(real.events)} actions."
    scene = sandbox.scene(task)
    sandbox.go_on(scene, as_plan(WINNING))
    assert json.loads(dry.character) == character(tiny, scene.game.hero)


def test_a_plan_goes_on_after_actions(sandbox: Sandbox, tiny: World) -> None:
    task, briefing = knowing(tiny), Briefing(sandbox, knowing(tiny))
    first = briefing.try_out(as_plan("move 1 0; fight; fight"))
    second = briefing.try_out(as_plan("fight"), first.actions)
    assert second.faultless
    assert json.loads(second.character) == json.loads(tried(sandbox, task, "move 1 0; fight; fight; fight").character)
    assert len(second.actions) == 1


@for_each(
    ("plan", "told"),
    [
        ("move 2 0; fight", "Lost fights:\n- line 2, `fight`: the fight against Frost Drake was lost"),
        ("move 9 9", 'Refused actions, by the line of the part:\n- line 1, `move("Hero", 9, 9)`: 404'),
        ("move 2 1; craft bar 1", "Craft failed: 4 ore needed, 0 there"),
        ("nonsense()", "The part ended early, at line 1: "),
        ("(", "The part was rejected at line 1, and nothing of it was run: "),
    ],
)
def test_a_plan_that_does_not_work_is_told_why(sandbox: Sandbox, tiny: World, plan: str, told: str) -> None:
    dry = tried(sandbox, knowing(tiny), plan)
    assert not dry.faultless
    assert told in dry.told


def test_the_facts_are_those_of_the_prompt(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny)
    prompt = render_prompt(tiny, task, load_rules())
    briefing = Briefing(sandbox, task)
    for fact in ("goal", "actions", "fights", "knowledge", "character"):
        assert briefing.facts[fact] in prompt
    assert briefing.character() in prompt
    assert briefing.owned() == ("twig",)
    assert (briefing.track, briefing.takes_refusals) == ("program", False)
    for line in briefing.section("recipes", "materials", "monsters", "stats", "places").splitlines():
        assert line in prompt


def test_a_description_has_a_thing_and_what_leads_to_it(sandbox: Sandbox, tiny: World) -> None:
    told = Briefing(sandbox, knowing(tiny)).describe(["bar_sword"])
    codes = [json.loads(line).get("code") for line in told.splitlines() if line.startswith("{")]
    assert codes == ["bar", "bar_sword", "fur", "ore", "rat", None, None, None]
    places = [json.loads(line)["content"]["code"] for line in told.splitlines() if '"content"' in line]
    assert sorted(places) == ["ore_vein", "rat", "smithing"]
    assert Briefing(sandbox, knowing(tiny)).describe(["nothing", "wall"]) == ""


# -- what is not told --------------------------------------------------------------------------------------------------


@for_each("code", ["club", "broth", "no_such_thing"])
def test_an_untold_recipe_is_refused_as_one_that_there_is_not(sandbox: Sandbox, tiny: World, code: str) -> None:
    """The refusal names no ingredient, and is that of an item that no world has."""
    task = knowing(tiny, hero={"x": 2, "y": 1, "inventory": RICH})
    dry = tried(sandbox, task, SHOUT.format(call=f"craft('Hero', '{code}', 1)"))
    none = tried(sandbox, task, SHOUT.format(call="craft('Hero', 'zzz', 1)"))
    assert dry.told.replace(code, "zzz") == none.told
    assert "craft" in dry.told


def test_an_item_that_is_told_without_its_recipe_has_none(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny, hero={"x": 2, "y": 1, "inventory": RICH}, stats=["club"], materials=["ore", "brick"])
    assert (
        "has no recipe" in tried(sandbox, task, "craft club 1").told
        or "404" in tried(sandbox, task, "craft club 1").told
    )
    assert not tried(sandbox, task, "craft brick 1").faultless


def test_an_untold_drop_of_a_told_node_does_not_fall(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny)
    dry = tried(sandbox, task, "move('Hero', 0, 1)\n" + SHOUT.format(call="gather('Hero', 50)"))
    assert "clay" in dry.told
    assert "pearl" not in dry.told + dry.character
    told = tried(sandbox, knowing(tiny, materials=["clay", "pearl"]), "move 0 1; gather 50")
    assert "pearl" in told.character


@for_each("untold", [[3, 0], [3, 1], [0, 2], [-1, -1], [77, 77]])
def test_an_untold_tile_cannot_be_entered_and_nobody_stands_on_it(
    sandbox: Sandbox, tiny: World, untold: list[int]
) -> None:
    x, y = untold
    dry = tried(sandbox, knowing(tiny), SHOUT.format(call=f"move('Hero', {x}, {y})"))
    none = tried(sandbox, knowing(tiny), SHOUT.format(call="move('Hero', 99, 99)"))
    assert dry.told.replace(f"{x}, {y}", "99, 99") == none.told
    there = tried(sandbox, knowing(tiny, hero={"x": x, "y": y}), "fight") if x != 77 else dry
    assert "wall" not in (there.told + there.character).lower()


def test_a_monster_on_the_tile_where_the_hero_begins_is_not_there_untold(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny, hero={"x": 3, "y": 0})
    assert "monster not found" in tried(sandbox, task, "fight").told.lower()
    assert "Living Wall" not in tried(sandbox, task, SHOUT.format(call="fight('Hero')")).told


def test_a_monster_on_a_told_tile_cannot_be_fought_before_it_is_told(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny, places=[[3, 0], [1, 0]], monsters=["drake"])
    for play in ("move 3 0; fight", "move 1 0; fight"):
        dry = tried(sandbox, task, play)
        assert "monster not found" in dry.told.lower()
        assert "health" not in dry.told


def test_a_node_of_which_no_drop_is_told_gives_nothing_away(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny, hero={"skills": {}}, materials=["clay"])
    dry = tried(sandbox, task, "move 1 1; gather 1")
    assert "skill" not in dry.told.lower().replace("resource", "")
    assert not dry.faultless


def test_an_untold_item_is_not_for_sale(sandbox: Sandbox, tiny: World) -> None:
    places = [*KNOWN["places"], [0, 2]]
    task = knowing(tiny, places=places, sold=["salt"], materials=["salt"])
    assert tried(sandbox, task, "move 0 2; buy salt 3").faultless
    dry = tried(sandbox, task, "move 0 2; buy twig 1")
    assert dry.told.replace("twig", "zzz") == tried(sandbox, task, "move 0 2; buy zzz 1").told


def test_gear_that_is_found_but_not_told_cannot_be_worn(sandbox: Sandbox, tiny: World) -> None:
    """A drop of a told monster is told by its code only."""
    task = knowing(tiny, hero={"inventory": {"drake_charm": 1}})
    dry = tried(sandbox, task, SHOUT.format(call="equip('Hero', 'charm1', 'drake_charm')"))
    assert "dmg_heat" not in dry.told
    assert "res_heat" not in dry.told


def test_the_numbers_of_untold_gear_that_the_hero_takes_off_are_not_told(sandbox: Sandbox, tiny: World) -> None:
    task, off = knowing(tiny), "unequip('Hero', 'blade')"
    before, after = json.loads(Briefing(sandbox, task).character()), json.loads(tried(sandbox, task, off).character)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"blade_slot", "inventory"}
    assert "attack_heat" not in tried(sandbox, task, SHOUT.format(call=off)).told
    assert json.loads(tried(sandbox, task, f"{off}; equip('Hero', 'blade', 'twig')").character) == before
    told = json.loads(tried(sandbox, knowing(tiny, stats=["twig"]), off).character)
    assert told["attack_heat"] < before["attack_heat"]


def test_gear_that_was_taken_off_in_the_game_can_be_put_on_in_a_dry_run(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny)
    attempt = FeedbackAttempt(sandbox, task)
    before = attempt.briefing.character()
    attempt.step(Reply(as_answer("unequip('Hero', 'blade')")))
    briefing = attempt.briefing
    dry = briefing.try_out("equip('Hero', 'blade', 'twig')")
    assert dry.faultless
    assert json.loads(dry.character) == json.loads(before)
    assert "attack_heat" not in briefing.describe_items(["twig"])


def test_subtypes_are_not_told(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny, hero={"inventory": {"moon_blade": 1}}, noise=[MOON_BLADE])
    dry = tried(sandbox, task, "unequip('Hero', 'blade')\n" + SHOUT.format(call="equip('Hero', 'blade', 'moon_blade')"))
    assert "Moon Blade" in dry.told
    assert "crescent" not in dry.told + every_text(Briefing(sandbox, task))


@for_each("secret", ["club", "pearl", "salt", "broth", "tonic", "Living Wall", "Kitchen", "Market", "Bank"])
def test_no_text_of_a_briefing_has_what_is_not_told(sandbox: Sandbox, tiny: World, secret: str) -> None:
    assert secret not in every_text(Briefing(sandbox, knowing(tiny)))


def test_noise_is_like_told_gear_that_lacks_an_ingredient(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny, hero={"x": 2, "y": 1, "inventory": {"bar": 9}}, noise=[MOON_BLADE])
    noise, gear = tried(sandbox, task, "craft moon_blade 1"), tried(sandbox, task, "craft bar_sword 1")
    assert "Craft failed: 2 moon_dust needed, 0 there" in noise.told
    assert noise.told.replace("moon_blade", "bar_sword").replace("2 moon_dust", "1 fur") == gear.told
    assert "moon_blade" in every_text(Briefing(sandbox, task))


def test_noise_fights_with_its_numbers(sandbox: Sandbox, tiny: World) -> None:
    task = knowing(tiny, hero={"inventory": {"moon_blade": 1}}, noise=[MOON_BLADE])
    dry = tried(sandbox, task, "unequip blade; equip blade moon_blade; move 1 0; fight")
    assert dry.faultless
    assert json.loads(dry.character)["attack_frost"] == 40


def test_the_chance_of_dry_runs_is_not_that_of_the_game(sandbox: Sandbox, tiny: World) -> None:
    chancy = {"leveling": False, "drop_scale": 1.0}
    base = knowing(tiny, hero={"stats": {"hp": 1000, "attack_heat": 1_000_000}})
    plan = as_plan("; ".join(["move 1 0", *["fight"] * 60]))
    pairs = []
    for seed in range(6):
        task = replace(base, mechanics=replace(base.mechanics, drop_scale=chancy["drop_scale"]), seed=seed)
        scene = sandbox.scene(task)
        sandbox.go_on(scene, plan)
        dry = json.loads(tried(sandbox, task, plan).character)["inventory"]
        pairs.append((dry, character(tiny, scene.game.hero)["inventory"]))
        assert dry == json.loads(tried(sandbox, task, plan).character)["inventory"], "a dry run can be repeated"
    assert sum(dry == real for dry, real in pairs) < len(pairs)
    assert len({dry_run_seed(seed) for seed in range(1000)}) == 1000
    assert all(0 <= dry_run_seed(seed) < 2**32 for seed in (0, 2**53))


def test_the_told_world_is_none_of_the_real_ones(tiny: World) -> None:
    task = knowing(tiny)
    told = told_world(tiny, task.knowledge, task.hero)
    assert told.digest != tiny.digest
    assert told != told_world(tiny, knowing(tiny, monsters=["rat"]).knowledge, task.hero)
    assert Hero(told, told_hero(tiny, task.knowledge, task.hero)).stats == Hero(tiny, task.hero).stats


# -- certified plans ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(classic: World) -> Iterator[Sandbox]:
    with Sandbox(classic, load_rules()) as opened:
        yield opened


def take_bag(record: dict[str, Any]) -> dict[str, int]:
    """Take the bag out of a hero's record, and return it."""
    return {stack["code"]: stack["quantity"] for stack in record.pop("inventory")}


@for_each("dataset", ["base", "noise", "decoys", "leveling"])
def test_the_dry_run_of_a_certified_plan_is_the_real_game(real: Sandbox, classic: World, dataset: str) -> None:
    tasks = [task for task in shipped_tasks(dataset).values() if task.certificate]
    count = many(len(tasks), 12 if dataset == "base" else 4)
    for task in tasks[:: max(1, len(tasks) // count)]:
        assert task.certificate
        dry = Briefing(real, task).try_out(task.certificate.plan)
        scene = real.scene(task)
        episode = real.go_on(scene, task.certificate.plan)
        assert dry.faultless, (task.id, dry.told)
        assert dry.actions == tuple(event.action for event in episode.events), task.id
        after, there = json.loads(dry.character), character(classic, scene.game.hero)
        bag, full = take_bag(after), take_bag(there)
        assert bag.items() <= full.items(), task.id
        assert not (full.keys() - bag.keys()) & {*task.knowledge.materials, *task.knowledge.recipes}, (
            "untold drops only"
        )
        assert after == there, task.id
