"""Each edition of the rules scores some plays in its own way: these plays show the differences."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from herobench.suites.rpg.game.episode import Ending, Episode
from herobench.suites.rpg.game.events import CraftRefused
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import Score, score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from tests.builders import TINY, Json, craft_task, documents, hero_row, tiny_task
from tests.plays import played
from tests.sizes import for_each


def overlapping() -> dict[str, Json]:
    """The documents of the tiny world with an item whose code contains another code."""
    content = documents(TINY)
    recipe = {"skill": "smithing", "level": 1, "ingredients": {"club": 1, "brick": 1}}
    club = {"code": "brick_club", "name": "Brick_Club", "level": 1, "type": "blade", "subtype": "", "description": ""}
    content["items"]["items"].append({**club, "effects": {"hp": 1}, "recipe": recipe})
    return content


WORLD = World.from_documents(overlapping())
EDITIONS = {name: load_rules(name) for name in edition_names()}
PAPER = [name for name in EDITIONS if name != "standard"]
LOGGED = ["paper-late", "paper-scoring"]


class Case(NamedTuple):
    """One episode: what is asked for, by which rules, and what the plan does."""

    task: Task
    rules: Rules
    play: str

    @property
    def episode(self) -> Episode:
        return played(WORLD, self.task, self.play, self.rules, Ending("finished"))

    def scored(self) -> Score:
        return score(self.task, WORLD, self.rules, self.episode)


charmed = hero_row(worn={"charm2": "drake_charm"})
TAKEN_OFF = tiny_task(WORLD, missing={"charm1": "drake_charm"}, hero=charmed), "unequip charm2"
MADE = "move 0 1; gather 12; move 2 1; craft brick 1"
BEFORE = craft_task(WORLD, "brick"), f"craft brick 1; {MADE}"
AFTER = craft_task(WORLD, "brick"), f"{MADE}; craft club 1"
CONTAINED = craft_task(WORLD, "club", hero=hero_row(inventory={"club": 1, "brick": 1})), "move 2 1; craft brick_club 1"
FAILED_BY_NAME = (
    craft_task(WORLD, "club", hero=hero_row(inventory={"brick": 2, "twig": 1})),
    "move 2 1; craft brick_club 1; craft club 1",
)


def equips_by_mention(case: Case) -> bool:
    worn = replace(case.rules, equip_credit="worn")
    return len(case.scored().reached) > len(score(case.task, WORLD, worn, case.episode).reached)


def loses_with_the_target_crafted(case: Case) -> bool:
    result = case.scored()
    return (result.outcome, "target_win" in map(str, result.reached)) == ("lose", True)


def wins_without_the_target(case: Case) -> bool:
    result = case.scored()
    return (result.outcome, "target_win" in map(str, result.reached)) == ("win", False)


def forfeits_by_what_another_recipe_lacks(case: Case) -> bool:
    failed = [event.detail for event in case.episode.events if isinstance(event.detail, CraftRefused)]
    return loses_with_the_target_crafted(case) and not any(case.task.target in refusal.item for refusal in failed)


@for_each("edition", EDITIONS)
@for_each(
    ("about", "difference", "editions"),
    [
        (TAKEN_OFF, equips_by_mention, PAPER),
        (BEFORE, loses_with_the_target_crafted, LOGGED),
        (AFTER, forfeits_by_what_another_recipe_lacks, LOGGED),
        (FAILED_BY_NAME, loses_with_the_target_crafted, LOGGED),
        (CONTAINED, wins_without_the_target, PAPER),
    ],
)
def test_an_edition_scores_a_play_differently(
    about: tuple[Task, str], difference: Callable[[Case], bool], editions: list[str], edition: str
) -> None:
    task, play = about
    assert difference(Case(task, EDITIONS[edition], play)) == (edition in editions)


def test_no_recipe_of_the_classic_world_is_named_by_the_words_of_a_log_line(classic: World) -> None:
    """The published check looks for the target's code in whole lines, and ours in their codes, to the same end."""
    words = "Hero failed to craft x. On wrong map tile: {'needed': '(1, 2)', 'current': '(-3, 0)'}. "
    words += "Needed skill level: "
    words += f"{{'skill': '{' '.join(classic.skills)}', 'needed': 1, 'current': 1}}. "
    words += "Missing items: [{'code': '', 'needed': 2, 'got': 0}]."
    assert [code for code in classic.items if code in f"{words} Hero crafts x."] == []
