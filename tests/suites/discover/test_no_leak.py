"""Nothing that is told depends on what was not tried: answers, openings and questions."""

import json
from random import Random

import pytest

from herobench.suites.discover.game.columns import DiscoverStyle
from herobench.suites.discover.game.families import Change, rivals
from herobench.suites.discover.game.mystery import Budget, Call, Exploration, Mystery
from herobench.suites.discover.prompts.telling import opening, plan_question, tools
from tests.sizes import for_each
from tests.suites.discover.mysteries import sensible_calls, some

CONVERSATIONS = 300


def tried(mystery: Mystery, calls: list[Call]) -> set[str]:
    """The families of rules, and the things, that these calls try, whatever is where."""
    found: set[str] = set()
    true = mystery.true.world
    here = ""
    for name, values in calls:
        if name == "move":
            contents = [world.tiles[values].content for world in (mystery.told.world, true)]  # type: ignore[index]
            found |= {f"place of {content.code}" for content in contents if content}
            here = contents[1].code if contents[1] else ""
        elif name == "fight":
            found |= {"first", "ward", here}
        elif name == "gather":
            found |= {"yield", "dry"}
        elif name == "craft" and (recipe := true.recipe_of(str(values[0]))) and recipe.skill == here:
            found |= {"sets", "yield", str(values[0])}
    return found


def untried(mystery: Mystery, calls: list[Call]) -> list[frozenset[Change]]:
    """The rivals that differ from the true world in nothing that was tried."""
    things = {(site.family, site.subject): {*site.things} or {site.family} for site in mystery.sites}
    known = tried(mystery, calls)
    return [
        rival
        for rival in rivals(mystery.sites, mystery.changes)
        if not any(things[change[:2]] & known for change in rival ^ frozenset(mystery.changes))
    ]


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[pytest.mark.slow] if n >= 6 else []) for n in range(CONVERSATIONS // 10)]
)
def test_answers_are_equal_in_worlds_that_differ_in_what_was_not_tried(number: int) -> None:
    """Ten conversations in one mystery, each with three rivals."""
    mysteries = some(CONVERSATIONS // 10)
    mystery, chance = mysteries[number % len(mysteries)], Random(number)
    compared = 0
    for _ in range(10):
        calls = sensible_calls(mystery, chance, chance.randint(2, 30))
        others = untried(mystery, calls)
        expected = Exploration(mystery.true, mystery.task).play(calls)
        for rival in chance.sample(others, min(3, len(others))):
            found = Exploration(mystery.with_changes(rival), mystery.task).play(calls)
            assert found == expected
            compared += 1
    assert compared or len(mystery.sites) < 40, "only in small worlds is everything tried"


@for_each("disclosure", ["told", "hinted"])
@for_each("goal", ["after", "first"])
def test_what_is_asked_depends_on_the_told_world_alone(disclosure: str, goal: str) -> None:
    style = DiscoverStyle(disclosure=disclosure, goal=goal)  # type: ignore[arg-type]
    compared = 0
    for mystery in some(12):
        same = [rival for rival in rivals(mystery.sites, mystery.changes) if len(rival) == len(mystery.changes)]
        for changes in Random(1).sample(same, min(2, len(same))):
            other = Mystery("other", mystery.documents, mystery.task, tuple(changes), mystery.budget, "", (), 1, 0, 0)
            assert opening(other, style) == opening(mystery, style)
            assert plan_question(other) == plan_question(mystery)
            assert tools(other) == tools(mystery)
            compared += 1
        assert mystery.budget == Budget.of(mystery.told.world)
    assert compared >= 8


def test_no_answer_names_a_number_of_a_thing_that_was_only_looked_at() -> None:
    """To put a piece on, to look and to visit a place tell no recipe, no health and no attack."""
    for mystery in some(5, 60):
        lab = Exploration(mystery.true, mystery.task)
        world = mystery.told.world
        answers = [lab.call("look", {})]
        for code in mystery.task.hero.inventory:
            slot = world.items[code].type
            if slot in world.slots:
                answers += lab.play([("unequip", (slot,)), ("equip", (slot, code))])
        answers += lab.play([("move", place) for place in mystery.task.knowledge.places])
        text = json.dumps(answers[1:])
        assert "craft" not in text
        assert "effects" not in text
        assert "attack" not in text
        assert "hp" not in text
