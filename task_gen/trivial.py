"""Trivial players: scripts that go to what the prompt tells and make nothing.

Called by the shortcut audit and by the models of the same names. A score that they reach is no measure of planning, so
the audit shows what they get beside what they win. None of them looks at more than the told places and the told hero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from herobench.rpg.combat import duel
from herobench.rpg.game import Game
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Content, Place, World
from herobench.task_gen.oracle.steps import Do, Step, play

Trivial = Callable[[World, Rules, Task], list[Step]]
"""Makes the steps of a player."""


def _noop(_world: World, _rules: Rules, _task: Task) -> list[Step]:
    return []


def _gatherer(world: World, _rules: Rules, task: Task) -> list[Step]:
    return [*_gathers(world, task), *_purchases(world, task)]


def _visitor(world: World, rules: Rules, task: Task) -> list[Step]:
    # Fights come last and the weakest monster first, because a defeat may end the plan.
    return [*_gatherer(world, rules, task), *(step for place in _lairs(world, task) for step in _at(place, "fight"))]


def _collector(world: World, rules: Rules, task: Task) -> list[Step]:
    """Fight every monster that the hero beats as he is then: victories raise his level, and he may beat more."""
    own = task.rules(rules)
    steps: list[Step] = _gatherer(world, rules, task)
    game = play(steps, Game(world, own, task.hero, task.seed))
    left = list(_lairs(world, task))
    while place := next((place for place in left if _beats(game, place)), None):
        hunt = list(_at(place, "fight"))
        play(hunt, game)
        steps += hunt
        left.remove(place)
    return steps


TRIVIAL: Mapping[str, Trivial] = MappingProxyType(
    {"noop": _noop, "gatherer": _gatherer, "visitor": _visitor, "collector": _collector}
)
"""The trivial players.

`noop` does nothing. `gatherer` gathers or buys each told resource once. `visitor` also fights once at each told place
of a monster. `collector` gathers the same, and beats every told monster that the hero can beat.
"""


def _gathers(world: World, task: Task) -> Iterator[Step]:
    for place, content in _told(world, task):
        if content.type == "resource":
            yield from _at(place, "gather")


def _purchases(world: World, task: Task) -> Iterator[Step]:
    exchange = next((place for place, content in _told(world, task) if content.type == "grand_exchange"), None)
    if exchange:
        yield Do("move", exchange)
        yield from (Do("buy", (code, 1)) for code in sorted(task.knowledge.sold))


def _lairs(world: World, task: Task) -> list[Place]:
    """Return one told place of each told monster, the weakest monster first."""
    places = {content.code: place for place, content in _told(world, task) if content.type == "monster"}
    return [places[code] for code in sorted(places, key=lambda code: (world.monsters[code].level, code))]


def _told(world: World, task: Task) -> Iterator[tuple[Place, Content]]:
    for place in task.knowledge.places:
        content = world.tiles[place].content
        if content:
            yield place, content


def _at(place: Place, action: str) -> tuple[Step, Step]:
    return Do("move", place), Do(action)


def _beats(game: Game, place: Place) -> bool:
    monster = game.world.monsters[game.world.standing("monster")[place]]
    return duel(game.hero.fighter(), monster.stats, game.rules.rounds).won
