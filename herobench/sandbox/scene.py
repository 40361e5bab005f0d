"""A scene: a game on a task that plans go on with, part by part, in the real world or in the told one.

Whoever plays a task in parts keeps a scene and hands it to `Sandbox.go_on` with each part. The worker that runs a part
gets the actions so far and does them again, so it keeps nothing between two parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from herobench.sandbox.wire import action_rows, actions_from
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.game import Game, GameOver
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Knowledge, Task
from herobench.suites.rpg.game.told import dry_run_seed, told_hero, told_world
from herobench.suites.rpg.game.world import World


class Scene:
    """The game of one task, as far as it has come."""

    def __init__(self, world: World, rules: Rules, task: Task, *, told: bool = False) -> None:
        """Begin the game. With `told` it is a dry run: in the told world, and with a chance of its own."""
        self.task = task
        self.rules = task.rules(rules)
        self.told = told
        knows, seed = (task.knowledge, dry_run_seed(task.seed)) if told else (None, task.seed)
        self.game = _game(world, knows, self.rules, task.hero, seed)

    @property
    def begun(self) -> bool:
        """True if an action was attempted."""
        return bool(self.game.events)

    def do(self, actions: Iterable[Action]) -> Scene:
        """Do actions that were done before, as far as the game goes on, and return the scene."""
        with suppress(GameOver):
            for action in actions:
                self.game.act(action)
        return self

    def request(self) -> dict[str, Any]:
        """Return what a worker needs to go on: the part of a request that `game_of` reads."""
        task = self.task
        return {
            "hero": task.hero.as_row(),
            "rules": asdict(self.rules),
            "seed": dry_run_seed(task.seed) if self.told else task.seed,
            "knows": task.knowledge.as_row() if self.told else None,
            "before": action_rows(event.action for event in self.game.events),
        }


def game_of(world: World, request: Mapping[str, Any]) -> Game:
    """Return the game of a scene's request, in the worker, with the actions so far done."""
    hero = HeroStart.from_row(request["hero"])
    knows = None if request["knows"] is None else Knowledge.from_row(request["knows"])
    game = _game(world, knows, Rules(**request["rules"]), hero, request["seed"])
    for action in actions_from(request["before"]):
        game.act(action)
    game.events.clear()
    return game


def _game(world: World, knows: Knowledge | None, rules: Rules, hero: HeroStart, seed: int) -> Game:
    """Begin a game: in the told world if it is said what a hero knows."""
    if knows is None:
        return Game(world, rules, hero, seed)
    return Game(told_world(world, knows, hero), rules, told_hero(world, knows, hero), seed)
