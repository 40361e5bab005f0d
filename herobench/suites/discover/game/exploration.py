"""The exploration: a game in the true world that can be begun again, and what each call of it answers.

An answer tells what came of the call, and nothing else. It is worded here and not by the responses of the role-playing
game, since these show records of things: to put a piece on would tell its recipe, and to craft it far from its workshop
as well. Of a fight it tells how many thirds of the monster's health are left: with exact numbers, one fight would tell
at once all that differs in it. Whatever answers two worlds give to the same calls, they are the same until a call
depends on what differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from herobench.suites.discover.game.mystery import Call, Truth
from herobench.suites.rpg.game.events import (
    OK,
    SIGNATURES,
    Action,
    Bought,
    CallError,
    Crafted,
    CraftRefused,
    Event,
    Fought,
    Gathered,
    Moved,
    Value,
)
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.responses import character, failure_message
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Stats, World

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Answer = dict[str, Any]
RESET, LOOK = "reset", "look"
_MOST_REASON = 200
Health = TypeVar("Health", float, "NDArray[np.float64]")
FALLEN: Answer = {"error": "the hero was beaten: call reset to begin again"}


class Exploration:
    """The games of one exploration."""

    def __init__(self, truth: Truth, task: Task) -> None:
        self._truth, self._task = truth, task
        self.events: list[Event] = []
        """All actions, refused ones included, without the resets between them."""
        self.resets = 0
        self._begin()

    def _begin(self) -> None:
        world, rules = self._truth
        self.game = Game(world, replace(rules, budget=None), self._task.hero, self._task.seed)

    def call(self, name: str, arguments: Mapping[str, Value]) -> Answer:
        """Carry out a call by the names of its values."""
        return self._answer(name, (), arguments)

    def play(self, calls: Iterable[Call]) -> list[Answer]:
        """Carry out calls, and return their answers."""
        return [self._answer(name, values, {}) for name, values in calls]

    def _answer(self, name: str, values: tuple[Value, ...], named: Mapping[str, Value]) -> Answer:
        if name == RESET:
            self.resets += 1
            self._begin()
            return {"reset": True}
        if name == LOOK:
            return character(self.game.world, self.game.hero)
        if name not in SIGNATURES:
            return {"error": f"there is no tool {name[:_MOST_REASON]!r}"}
        if self.game.over:
            return FALLEN
        keywords = (("name", NAME), *named.items()) if not values else tuple(named.items())
        try:
            event = self.game.act(Action(name, (NAME, *values) if values else (), keywords))
        except CallError as error:
            return {"error": str(error)[:_MOST_REASON]}
        self.events.append(event)
        return told(self.game.world, event)


def thirds(left: Health, monster: Stats) -> Health:
    """Return how many thirds of its health a monster has left, rounded up: after one fight, or after many."""
    return -(-3 * left // monster.hp)


def told(world: World, event: Event) -> Answer:
    """Return what is told of an event."""
    if not event.ok:
        return {"status": event.status, "error": _refusal(event)}
    answer: Answer = {"status": OK}
    match event.detail:
        case Moved(place):
            content = world.tiles[place].content
            answer |= {"x": place[0], "y": place[1], "here": None if content is None else content._asdict()}
        case Fought() as fight:
            answer["fight"] = {
                "result": "win" if fight.won else "lose",
                "thirds_left": 0 if fight.won else int(thirds(fight.monster_hp, world.monsters[fight.monster].stats)),
                "drops": dict(fight.drops),
            }
        case Gathered(drops=drops):
            answer["items"] = dict(drops)
        case Crafted(item=item, quantity=quantity) | Bought(item=item, quantity=quantity):
            answer["items"] = {item: quantity}
        case _:
            pass  # what is put on or taken off is what was asked for
    return answer


def _refusal(event: Event) -> str:
    refused = event.detail
    if isinstance(refused, CraftRefused) and not refused.at_workshop:
        # what the recipe takes is told at its workshop only
        return f"Craft failed: not at a workshop for {refused.skill}"
    return failure_message(event)
