"""Short plays in the tiny world, written as one line: "move 1 0; fight; craft bar quantity=2"."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from herobench.suites.rpg.game.episode import FINISHED, Ending, Episode
from herobench.suites.rpg.game.events import Action, Value
from herobench.suites.rpg.game.game import Game, GameOver
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import hero_row, tiny_task

ARMED = "move 1 0; fight; fight; fight; fight; fight; move 1 1; gather 8; move 2 1; craft bar 2; craft bar_sword 1; "
ARMED += "craft fur_coat 1; unequip blade; equip blade bar_sword; equip coat fur_coat"
"""What a `drake_task` needs before its fight."""
WINNING = f"{ARMED}; move 2 0; fight"
STRONG = {"hp": 1000, "attack_heat": 1_000_000}
"""Stats that beat everyone at once."""


def drake_task(world: World, **changes: Any) -> Task:
    """The task of `builders.tiny_task` for a hero who can beat a rat, with a starter item, but no drake."""
    return tiny_task(world, **{"hero": hero_row(worn={"blade": "twig"}), **changes})


def played(world: World, task: Task, play: str, rules: Rules | None = None, ending: Ending = FINISHED) -> Episode:
    """The episode of a play, ended as said. The play stops where the game is over."""
    game = Game(world, rules or load_rules(), task.hero, task.seed)
    with suppress(GameOver):
        for action in _actions(play):
            game.act(action)
    return Episode(tuple(game.events), ending)


def as_plan(play: str) -> str:
    """A play as a plan in Python."""
    return "".join(
        f"{name}({', '.join([*map(repr, args), *(f'{key}={value!r}' for key, value in keywords)])})\n"
        for name, args, keywords, _ in _actions(play)
    )


def _actions(play: str) -> Iterator[Action]:
    for line, call in enumerate(filter(str.strip, play.split(";")), 1):
        name, *words = call.split()
        keywords = [word.partition("=") for word in words if "=" in word]
        args = [_value(word) for word in words if "=" not in word]
        hero = () if any(key == "name" for key, _, _ in keywords) else ("Hero",)
        yield Action(name, (*hero, *args), tuple((key, _value(word)) for key, _, word in keywords), line)


def _value(word: str) -> Value:
    return int(word) if word.lstrip("-").isdigit() else word
