import json
from dataclasses import replace
from string import Template
from typing import Any

import pytest

from herobench.data.documents import content_folder
from herobench.prompts.rpg.render import FOLDER, prompt_digest, render_prompt, section_records
from herobench.prompts.words import load_words
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.responses import character, item_record
from herobench.suites.rpg.game.task import Certificate, Knowledge, PlanTrack, Task
from herobench.suites.rpg.game.world import Item, World
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from herobench.suites.rpg.worlds.task_file import load_tasks
from tests.builders import craft_task, hero_row, tiny_task
from tests.sizes import for_each

KNOWLEDGE = {
    "recipes": ["bar_sword"],
    "materials": ["ore", "salt"],
    "sold": ["salt"],
    "monsters": ["drake"],
    "places": [[2, 0], [2, 1], [1, 1]],
    "stats": [],
}
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


def prompt(world: World, task: Task, edition: str = "standard") -> str:
    return render_prompt(world, task, load_rules(edition))


def knowing(**changes: Any) -> dict[str, Any]:
    return {**KNOWLEDGE, **changes}


def section(text: str, heading: str) -> list[dict[str, Any]]:
    """Return the records under a heading, or none if there is no such heading."""
    _, _, rest = text.partition(f"## {heading}\n")
    lines = rest.partition("\n## ")[0].partition("\n# ")[0].splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def recipes(text: str) -> list[dict[str, Any]]:
    return section(text, "Items with their recipes")


def whole_world(world: World, noise: tuple[Item, ...] = ()) -> Knowledge:
    return Knowledge(
        recipes=tuple(code for code, item in world.items.items() if item.recipe),
        materials=tuple(code for code, item in world.items.items() if not item.recipe),
        sold=frozenset(),
        monsters=tuple(world.monsters),
        places=tuple(place for place, tile in world.tiles.items() if tile.content),
        stats=tuple(world.items),
        noise=noise,
        level="world",
    )


# -- what is told ------------------------------------------------------------------------------------------------------


def test_the_goal_names_what_has_to_be_reached(tiny: World) -> None:
    assert "Win a fight against Frost Drake (code `drake`)" in prompt(tiny, tiny_task(tiny))
    assert "Craft Bar (code `bar`)" in prompt(tiny, craft_task(tiny, "bar"))


def test_all_that_is_known_is_told_and_nothing_else(tiny: World) -> None:
    text = prompt(tiny, tiny_task(tiny, knowledge=KNOWLEDGE))
    assert [record["code"] for record in recipes(text)] == ["bar_sword"]
    assert [record["code"] for record in section(text, "Materials")] == ["salt", "ore"]
    assert [record["code"] for record in section(text, "Monsters")] == ["drake"]
    assert "fur_coat" not in text, "the missing gear is the model's to find out"
    assert "Living Wall" not in text
    assert "Stats of other items" not in text, "an empty section has no heading"
    assert "# Consumables" not in text


def test_prompts_share_the_records_of_the_same_things(tiny: World) -> None:
    rules = load_rules()
    first, second = (section_records(tiny, tiny_task(tiny, knowledge=KNOWLEDGE), rules) for _ in range(2))
    for heading, records in first.items():
        assert list(map(id, records)) == list(map(id, second[heading])), heading


def test_every_line_of_knowledge_is_json(tiny: World) -> None:
    text = prompt(tiny, tiny_task(tiny, knowledge=KNOWLEDGE))
    told = [line for line in text.splitlines() if line.startswith("{")]
    assert len(told) == 1 + 1 + 2 + 1 + 3
    assert all(json.loads(line) for line in told)


def test_the_hero_is_told_as_the_actions_return_him(tiny: World) -> None:
    task = tiny_task(tiny, hero=hero_row(worn={"blade": "twig"}, inventory={"ore": 2}))
    told = next(line for line in prompt(tiny, task).splitlines() if line.startswith("{"))
    assert json.loads(told) == character(tiny, Hero(tiny, task.hero))


def test_records_have_the_names_of_responses_and_leave_out_what_says_nothing(tiny: World) -> None:
    text = prompt(tiny, tiny_task(tiny, knowledge=knowing(stats=["drake_charm"])))
    (sword,) = recipes(text)
    assert sword == {
        "name": "Sword",
        "code": "bar_sword",
        "level": 5,
        "type": "blade",
        "effects": [{"name": "attack_frost", "value": 10}, {"name": "attack_heat", "value": 20}],
        "craft": {
            "skill": "smithing",
            "level": 5,
            "items": [{"code": "bar", "quantity": 2}, {"code": "fur", "quantity": 1}],
        },
    }
    assert sword.keys() <= item_record(tiny.items["bar_sword"]).keys()
    (drake,) = section(text, "Monsters")
    assert drake["res_heat"] == -20
    assert section(text, "Places")[0] == {
        "name": "Mine",
        "x": 1,
        "y": 1,
        "content": {"type": "resource", "code": "ore_vein"},
    }
    assert "null" not in text
    assert '"subtype"' not in text


def test_coordinates_are_told_even_where_they_are_0(tiny: World) -> None:
    text = prompt(tiny, tiny_task(tiny, knowledge=knowing(places=[[0, 0]])))
    assert section(text, "Places") == [{"name": "Home", "x": 0, "y": 0}]


def test_a_recipe_is_told_only_if_it_is_known(tiny: World) -> None:
    text = prompt(tiny, tiny_task(tiny, knowledge=knowing(stats=["club", "bar_sword"], materials=["brick"])))
    assert [record["code"] for record in section(text, "Stats of other items")] == ["club"], "the sword is told above"
    assert '"clay"' not in text
    assert text.count('"craft"') == 1


def test_a_material_is_told_with_its_sources_of_which_the_place_is_told(tiny: World) -> None:
    task = tiny_task(tiny, knowledge=KNOWLEDGE)
    salt, ore = section(prompt(tiny, task), "Materials")
    assert ore["gathered_from"] == [{"code": "ore_vein", "skill": "digging", "level": 5, "quantity": 1}]
    assert "for_sale_at" not in ore
    assert salt["for_sale_at"] == "grand_exchange"
    by_chance = replace(task, mechanics=replace(task.mechanics, drop_scale=2.0))
    (vein,) = section(prompt(tiny, by_chance), "Materials")[1]["gathered_from"]
    assert {"rate": 1, "min_quantity": 1, "max_quantity": 1}.items() <= vein.items()
    nowhere = tiny_task(tiny, knowledge=knowing(places=[[2, 0]], sold=["ore", "salt"]))
    assert "ore_vein" not in prompt(tiny, nowhere)
    assert section(prompt(tiny, nowhere), "Materials")[1]["for_sale_at"] == "grand_exchange"


def test_drops_have_a_quantity_where_they_are_sure_and_a_rate_where_not(tiny: World) -> None:
    task = tiny_task(tiny, knowledge=knowing(monsters=["rat"]))
    assert section(prompt(tiny, task), "Monsters")[0]["drops"] == [{"code": "fur", "quantity": 1}]
    by_chance = replace(task, mechanics=replace(task.mechanics, drop_scale=2.0))
    (drop,) = section(prompt(tiny, by_chance), "Monsters")[0]["drops"]
    assert drop == {"code": "fur", "rate": 4, "min_quantity": 1, "max_quantity": 2}


def test_consumables_are_explained_where_there_are_any(tiny: World) -> None:
    held = hero_row(consumables={"consumable1": {"item": "broth", "quantity": 3}})
    assert "## Consumables" in prompt(tiny, tiny_task(tiny, hero=held))
    assert "## Consumables" in prompt(tiny, tiny_task(tiny, knowledge=knowing(recipes=["tonic"])))


# -- what must not show ------------------------------------------------------------------------------------------------


def test_only_goal_hero_mechanics_and_knowledge_of_a_task_show(tiny: World) -> None:
    task = tiny_task(tiny, knowledge=KNOWLEDGE)
    other = replace(
        task,
        id="another id",
        missing={"charm1": "pearl_charm"},
        seed=987654321,
        difficulty=123456789,
        certificate=Certificate("move('Hero', 3, 0)", 31415926, 27182818, 16180339, 14142135, {"coat": 99.5}),
    )
    assert prompt(tiny, other) == prompt(tiny, task)


def test_the_order_in_which_a_task_names_things_does_not_show(tiny: World) -> None:
    task = replace(tiny_task(tiny), knowledge=whole_world(tiny))
    names = ("recipes", "materials", "monsters", "places", "stats")
    backwards = {name: getattr(task.knowledge, name)[::-1] for name in names}
    assert prompt(tiny, replace(task, knowledge=replace(task.knowledge, **backwards))) == prompt(tiny, task)


def test_noise_looks_like_any_other_recipe(tiny: World) -> None:
    told = knowing(recipes=["club", "bar_sword", "pearl_charm", "bar"], noise=[MOON_BLADE])
    text = prompt(tiny, tiny_task(tiny, knowledge=told))
    assert [record["code"] for record in recipes(text)] == ["club", "pearl_charm", "bar", "bar_sword", "moon_blade"]
    sword, noise = recipes(text)[-2:]
    assert noise.keys() == sword.keys()
    assert noise["craft"].keys() == sword["craft"].keys()
    assert [part["code"] for part in noise["craft"]["items"]] == ["bar", "moon_dust"], "in an order that tells nothing"
    assert text.count("moon_blade") == 1
    for word in ("noise", "decoy", "distract", "crescent", '"exact"'):
        assert word not in text


def test_which_of_two_recipes_is_noise_cannot_be_seen(classic: World) -> None:
    """If noise and a real item swap their facts, their lines swap and nothing else changes."""
    real, noise = classic.items["iron_sword"], classic.distractors["celestial_thunderblade"]
    task = load_tasks(str(content_folder().joinpath("examples", "tasks.jsonl")), classic)["1/2_Chicken_kill"]
    told = replace(task.knowledge, recipes=("iron_sword",), noise=(noise,))
    swapped = replace(classic, items={**classic.items, noise.code: noise})
    other = replace(told, recipes=(noise.code,), noise=(real,))
    assert prompt(classic, replace(task, knowledge=told)) == prompt(swapped, replace(task, knowledge=other))


def test_what_is_said_of_the_knowledge_does_not_tell_how_much_it_is(tiny: World) -> None:
    task = tiny_task(tiny, knowledge=KNOWLEDGE)
    exact, decoys, everything, noisy = (
        prompt(tiny, tiny_task(tiny, knowledge=knowing(level=level, noise=noise)))
        for level, noise in (("exact", []), ("decoys", []), ("world", []), ("exact", [MOON_BLADE]))
    )
    assert exact == prompt(tiny, task)
    assert "What is needed is told here." in exact
    assert decoys == everything
    for text in (decoys, noisy):
        assert "What is needed is told here." not in text
        assert "More may be told here than is needed" in text
        assert "has to be computed" in text


# -- the rules ---------------------------------------------------------------------------------------------------------


def test_the_rules_that_differ_are_told_as_they_are(tiny: World) -> None:
    task = tiny_task(tiny)
    assert "at the workshop of the recipe's skill" in prompt(tiny, task)
    assert "at any workshop" in prompt(tiny, task, "paper-early")
    assert "Nothing is left to chance" in prompt(tiny, task)
    by_chance = prompt(tiny, replace(task, mechanics=replace(task.mechanics, drop_scale=2.5)))
    assert "min(1, 2.5 / `rate`)" in by_chance
    assert "Nothing is left to chance" not in by_chance


def test_a_craft_that_can_be_forfeited_has_a_warning(tiny: World) -> None:
    assert "Careful" in prompt(tiny, craft_task(tiny, "bar"), "paper-late")
    assert "Careful" not in prompt(tiny, craft_task(tiny, "bar"))
    assert "Careful" not in prompt(tiny, tiny_task(tiny), "paper-late")


def test_experience_is_explained_where_skills_have_to_be_raised(tiny: World) -> None:
    task = tiny_task(tiny)
    assert "too low for the work" not in prompt(tiny, task)
    leveling = replace(task, mechanics=replace(task.mechanics, leveling=True))
    assert "too low for the work" in prompt(tiny, leveling)
    assert prompt(tiny, leveling) != prompt(tiny, leveling, "paper-early")


@for_each("edition", edition_names())
def test_every_example_has_a_prompt(classic: World, edition: str) -> None:
    tasks = load_tasks(str(content_folder().joinpath("examples", "tasks.jsonl")), classic)
    for task in tasks.values():
        text = prompt(classic, task, edition)
        assert "$" not in text
        assert len(text) < 12_000


def test_a_whole_world_can_be_told(classic: World) -> None:
    task = load_tasks(str(content_folder().joinpath("examples", "tasks.jsonl")), classic)["1/2_Chicken_kill"]
    noise = tuple(classic.distractors.values())
    text = prompt(classic, replace(task, knowledge=whole_world(classic, noise)))
    told = recipes(text)
    assert [record["code"] for record in told] == [
        record["code"] for record in sorted(told, key=lambda record: (record["level"], record["code"]))
    ]
    assert {item.code for item in noise} < {record["code"] for record in told}
    assert len(text) < 110_000


# -- the words ---------------------------------------------------------------------------------------------------------


def test_the_digest_is_of_the_words_alone() -> None:
    assert prompt_digest() == prompt_digest()
    assert len(prompt_digest()) == 64


def test_the_digest_covers_every_file(tiny: World, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = load_words(FOLDER).templates
    every = [
        with_plan(tiny, "straight"),
        with_budget(tiny),
        closed(tiny),
        on_told_ground(tiny),
    ]
    digests = {prompt_digest(every)}
    for name, part in whole.items():
        changed = {**whole, name: Template(f"{part.template}.")}
        monkeypatch.setattr(load_words(FOLDER), "templates", changed)
        digests.add(prompt_digest(every))
    assert len(digests) == len(whole) + 1


@pytest.mark.parametrize("part", ["straight_frame", "budget", "budget_factor", "closed_places", "ground_told"])
def test_words_for_a_mechanic_count_only_where_a_task_has_it(
    part: str, tiny: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners = {
        "straight": with_plan(tiny, "straight"),
        "budget": with_budget(tiny),
        "closed": closed(tiny),
        "ground": on_told_ground(tiny),
    }
    plain, own = with_plan(tiny, "program"), owners[part.partition("_")[0]]
    before = [prompt_digest(), prompt_digest([plain]), prompt_digest([plain, own])]
    whole = load_words(FOLDER).templates
    monkeypatch.setattr(load_words(FOLDER), "templates", {**whole, part: Template(f"{whole[part].template}.")})
    after = [prompt_digest(), prompt_digest([plain]), prompt_digest([plain, own])]
    assert before[:2] == after[:2]
    assert before[2] != after[2]
    sheet = json.loads(content_folder().joinpath("datasets", "base-v2.datasheet.json").read_text("utf-8"))
    assert prompt_digest() == sheet["prompts"]


def with_plan(tiny: World, plan: PlanTrack) -> Task:
    task = craft_task(tiny, "bar")
    return replace(task, mechanics=replace(task.mechanics, plan=plan))


def with_budget(tiny: World) -> Task:
    task = craft_task(tiny, "bar")
    return replace(task, mechanics=replace(task.mechanics, budget=12, budget_factor=1.5))


def closed(tiny: World) -> Task:
    task = craft_task(tiny, "bar")
    return replace(task, mechanics=replace(task.mechanics, closed=((1, 0),)))


def on_told_ground(tiny: World) -> Task:
    task = craft_task(tiny, "bar")
    return replace(task, mechanics=replace(task.mechanics, ground="told"))


def test_the_parts_are_the_files_in_a_fixed_order() -> None:
    from importlib import resources

    files = resources.files("herobench.prompts").joinpath(FOLDER).iterdir()
    assert list(load_words(FOLDER).templates) == sorted(file.name.removesuffix(".md") for file in files)


def test_no_part_is_idle(tiny: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every template is used by some prompt."""
    from herobench.prompts.rpg import render

    used: set[str] = set()

    def noted(part: str, **facts: object) -> str:
        used.add(part)
        return part

    monkeypatch.setattr(render, "fill", noted)
    kill = replace(tiny_task(tiny), knowledge=whole_world(tiny))
    by_chance = replace(kill.mechanics, leveling=True, drop_scale=1.0)
    for edition in edition_names():
        for task in (
            kill,
            replace(kill, mechanics=by_chance),
            straight := replace(kill, mechanics=replace(kill.mechanics, plan="straight")),
            replace(straight, hero=replace(kill.hero, combat=(40, 0, 150))),
            replace(kill, mechanics=replace(kill.mechanics, defeat="counted")),
            replace(kill, mechanics=replace(kill.mechanics, defeat="final")),
            replace(kill, mechanics=replace(kill.mechanics, budget=12, budget_factor=1.5)),
            replace(kill, mechanics=replace(kill.mechanics, closed=((1, 0),))),
            on_told_ground(tiny),
            craft_task(tiny, "bar", knowledge=knowing(stats=["club"])),
        ):
            render_prompt(tiny, task, load_rules(edition))
    assert used == set(load_words(FOLDER).templates)


# -- budgets ----------------------------------------------------------------------------------------------------------


@for_each("plan", ["program", "straight"])
def test_the_number_of_allowed_actions_is_told_with_the_goal(tiny: World, plan: PlanTrack) -> None:
    task = tiny_task(tiny)
    limited = replace(task, mechanics=replace(task.mechanics, plan=plan, budget=1200))
    goal = " ".join(prompt(tiny, limited).partition("# Goal")[2].partition("\n# ")[0].split())
    assert "at most 1,200 actions may be attempted, refused ones included" in goal
    assert "lower bound" not in goal, "this budget was made from none"
    made = replace(limited, mechanics=replace(limited.mechanics, budget_factor=1.5))
    assert "The budget is 1.5 times a proven lower bound" in prompt(tiny, made)
    whole = replace(limited, mechanics=replace(limited.mechanics, budget_factor=2.0))
    assert "The budget is 2 times a proven lower bound" in prompt(tiny, whole)


def test_a_task_without_a_budget_says_nothing_of_budgets(tiny: World) -> None:
    assert "budget" not in prompt(tiny, tiny_task(tiny))
    assert "budget" not in prompt(tiny, with_plan(tiny, "straight"))
