"""A scene: the game of a task, which plans continue part by part, in the real world or in the told one.

The caller keeps a scene and passes it to `Sandbox.go_on` with each part of a plan. The worker that runs a part first
repeats the actions so far, so it keeps nothing between two parts. Then the scene replays what the worker reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from herobench.sandbox.budget import Limits
from herobench.sandbox.wire import Played, action_rows, actions_from
from herobench.suites.rpg.game.arguments import SIGNATURES, CallError
from herobench.suites.rpg.game.events import GAME_ENDS, Action, Ending, Episode, Fought, defeat, over_budget
from herobench.suites.rpg.game.game import Game, GameOver, OverBudget
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Knowledge, Task
from herobench.suites.rpg.game.told import dry_run_seed, told_hero, told_world
from herobench.suites.rpg.game.world import World


class Scene:
    """The game of one task, up to now."""

    def __init__(self, world: World, rules: Rules, task: Task, *, told: bool = False) -> None:
        """Begin the game. With `told` it is a dry run: in the told world, and with other random numbers."""
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
        """Repeat earlier actions until the game is over, and return the scene."""
        with suppress(GameOver):
            for action in actions:
                self.game.act(action)
        return self

    def request(self) -> dict[str, Any]:
        """Return what a worker needs to continue: the part of a request that `resumed_game` reads."""
        task = self.task
        return {
            "hero": task.hero.as_row(),
            "rules": asdict(self.rules),
            "seed": dry_run_seed(task.seed) if self.told else task.seed,
            "knows": task.knowledge.as_row() if self.told else None,
            "before": action_rows(event.action for event in self.game.events),
        }


def resumed_game(world: World, request: Mapping[str, Any]) -> Game:
    """Return the game of a scene's request, in the worker, after the actions so far."""
    hero = HeroStart.from_row(request["hero"])
    knows = None if request["knows"] is None else Knowledge.from_row(request["knows"])
    game = _game(world, knows, Rules(**request["rules"]), hero, request["seed"])
    for action in actions_from(request["before"]):
        game.act(action)
    game.events.clear()
    return game


def _game(world: World, knows: Knowledge | None, rules: Rules, hero: HeroStart, seed: int) -> Game:
    """Begin a game: in the told world if the hero's knowledge is given."""
    if knows is None:
        return Game(world, rules, hero, seed)
    return Game(told_world(world, knows, hero), rules, told_hero(world, knows, hero), seed)


def replayed(game: Game, played: Played, limits: Limits) -> Episode:
    """Apply the attempts of a plan, and return their episode. Earlier events of the game are no part of it.

    A list of attempts that no plan can make ends the episode with `limit`."""
    begun = len(game.events)
    ending, output = played.ending, played.output[: limits.output]
    if len(played.attempts) > limits.actions:
        return Episode(
            (), Ending("limit", "the plan's process reports more actions than it may take", None, "protocol"), output
        )
    for action in played.attempts:
        try:
            if action.name not in SIGNATURES:
                raise CallError(action.name)
            game.act(action)
        except OverBudget:
            ending = over_budget(len(game.events), action.line)
            break
        except CallError:
            # The attempts before this one are valid actions, and the hero keeps what they earned.
            ending = Ending("limit", "the plan's process reports an action that cannot be", action.line, "protocol")
            break
        if game.over:
            ending = _defeat(game)
            break
    else:
        if ending.how in GAME_ENDS.values():
            ending = Ending("limit", "the plan's process reports an end of the game that was none", None, "protocol")
    return Episode(tuple(game.events[begun:]), ending, output)


def _defeat(game: Game) -> Ending:
    """Return the ending for the lost fight that just ended the game."""
    fight = game.events[-1]
    assert isinstance(fight.detail, Fought)
    return defeat(game.world.monsters[fight.detail.monster].name, fight.action.line)
