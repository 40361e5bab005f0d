"""Generated tasks for tests. Each is made once per session, so tests should share options where they can."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.task import Certificate, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.task_maker import Generator
from herobench.task_gen.rpg.tasks.spec import Spec
from tests.builders import tiny_world

rules = load_rules()


@cache
def load_named_world(name: str) -> World:
    return tiny_world() if name == "tiny" else load_world(name)


@lru_cache(maxsize=100)
def generator(world: World, spec: Spec) -> Generator:
    return Generator(world, rules, spec)


@cache
def make_task(world: World, spec: Spec, index: int) -> Task:
    return generator(world, spec).task(index)


def tasks(world: World, count: int, **options: Any) -> tuple[Task, ...]:
    """Return the first tasks of a spec."""
    return tuple(make_task(world, Spec(**options), index) for index in range(count))


def proof(task: Task) -> Certificate:
    assert task.certificate is not None
    return task.certificate


def left_out(world: World, task: Task, game: Game, slot: str) -> Hero:
    """Return the hero of a game with one slot of the missing gear as it was at the start."""
    hero = Hero(world, task.hero)
    hero.hp += game.hero.hp - sum(world.items[code].worn.hp for code in game.hero.worn.values()) - bare_hp(world, task)
    for name, code in task.missing.items():
        if name != slot:
            if name in hero.worn:
                hero.take_off(name)
            hero.put_on(name, world.items[code])
    return hero


def bare_hp(world: World, task: Task) -> int:
    return int(task.hero.stats.get("hp", 0))
