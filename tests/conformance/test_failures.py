"""What the paper's failure table is made of, episode by episode: failed milestones, errors and invalid code."""

from typing import Any

import pytest

from herobench.suites.rpg.game.events import CraftRefused, Event
from herobench.suites.rpg.game.scoring import collapse
from tests.builders import Json
from tests.conformance.published import Replayed, replay, runs_with, world
from tests.conformance.published_log import missing_items

IN_TABLE = runs_with("table2", "failure_edition")


def lost(run: str) -> list[Replayed]:
    return [replayed for replayed in replay(run, "failure_edition") if replayed.row["result"] != "win"]


def sorted_out(run: str) -> list[Replayed]:
    """The lost episodes of a run whose code was valid."""
    return [replayed for replayed in lost(run) if replayed.result.failure.bucket != "invalid_code"]


@pytest.mark.parametrize("run", IN_TABLE)
def test_the_code_that_was_invalid_is_the_published(run: str) -> None:
    for row, task, result in lost(run):
        assert (result.failure.bucket == "invalid_code") == row["logs_empty"], task.id


@pytest.mark.parametrize("run", IN_TABLE)
def test_the_failed_milestones_are_the_published(run: str) -> None:
    codes_by_name = {monster.name.lower(): monster.code for monster in world().monsters.values()}
    for row, task, result in sorted_out(run):
        told = {
            (kind, codes_by_name.get(name, name)) for kind, _, name in (key.partition(":") for key in row["failed"])
        }
        assert {(kind, code or "") for kind, code in result.score.missed} == told, task.id


@pytest.mark.parametrize("run", IN_TABLE)
def test_the_collapsed_errors_are_the_published(run: str) -> None:
    """But for failed purchases, which were not recorded."""
    for row, task, result in sorted_out(run):
        recorded = [event for event in result.episode.events if event.action.name != "buy"]
        assert [as_published(event) for event in collapse(recorded)] == row["func_errors"], task.id


def as_published(event: Event) -> Json:
    told: Any = event.reason
    if isinstance(event.detail, CraftRefused):
        told = craft_message(event.detail)
    return {
        "func": event.action.name,
        "args": repr(event.action.args),
        "kwargs": repr(dict(event.action.keywords)),
        "error_code": event.status,
        "message": told,
    }


def craft_message(refusal: CraftRefused) -> Json:
    return {
        "errors": {
            "on_workshop_tile": refusal.at_workshop,
            "needed_skill_level": refusal.skilled,
            "enough_items_for_craft": refusal.supplied,
        },
        "workshop": {"needed": str(refusal.workshop), "current": str(refusal.place)},
        "skill_level": {"skill": refusal.skill, "needed": refusal.needed_level, "current": refusal.level},
        "missing_items": missing_items(refusal),
    }


def test_nine_rows_are_compared() -> None:
    assert len(IN_TABLE) == 9
