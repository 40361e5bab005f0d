"""The scene of a question: a world as far as it is told, its rules, a goal, and the hero as he is now.

It is kept in the question's row as the documents of a small world and a row of a tasks file, so that a question stands
by itself. What the task does not tell is not there: an untold recipe cannot be crafted and an untold place not entered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.suites.rpg.game.events import Action, Event, Value
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import NAME, HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task, reaches
from herobench.suites.rpg.game.told import told_hero, told_world
from herobench.suites.rpg.game.world import DOCUMENTS, Code, World, slot_type
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from herobench.suites.rpg.worlds.task_file import task_problems

_KEPT = 64
HAVE, WEAR, BEAT, VISIT = "have", "wear", "beat", "visit"


def act(name: str, *args: Value) -> Action:
    """Return an action of the hero."""
    return Action(name, (NAME, *args))


@dataclass(frozen=True)
class HeroScene:
    """A state in a told world."""

    world: World
    """The told world."""
    rules: Rules
    task: Task
    """The goal, and in `hero` the state."""
    whole: World
    """The world that is kept: the told world, and everything that a task row refers to."""

    @classmethod
    def of(cls, whole: World, task: Task, rules: Rules) -> HeroScene:
        """Return the scene at the start of a task. All gear that the hero wears is told."""
        knows = task.knowledge
        told = {*knows.stats, *knows.recipes, *knows.materials}
        worn = dict.fromkeys(code for code in task.hero.worn.values() if code not in told)
        # His place stays on the map when he leaves it.
        here = () if task.hero.place in (whole.start, *knows.places) else (task.hero.place,)
        knows = replace(knows, stats=(*knows.stats, *worn), places=(*knows.places, *here))
        kept = World.from_documents(dict(_kept(whole, replace(task, knowledge=knows))))
        task = replace(task, knowledge=knows, world=kept.digest, certificate=None, twin_of=None)
        return cls.at(kept, task, rules)

    @classmethod
    def at(cls, whole: World, task: Task, rules: Rules) -> HeroScene:
        """Return the scene of a kept world and a task in it."""
        told = told_world(whole, task.knowledge, task.hero)
        task = replace(task, hero=told_hero(whole, task.knowledge, task.hero))
        return cls(told, task.rules(rules), task, whole)

    @classmethod
    def from_row(cls, row: Mapping[str, Any], rules: str, experience: str, place: str) -> HeroScene:
        """Read a scene. Raise InputError with what is wrong with it."""
        if rules not in edition_names():
            raise InputError([Problem(place, "$.rules", f"one of {', '.join(edition_names())}", rules)])
        edition = load_rules(rules)
        return _read(json.dumps(row), edition.frozen() if experience == "none" else edition, place)

    def as_row(self) -> dict[str, Any]:
        """Return the scene as JSON."""
        return {"world": json.loads(self.whole.source), "task": self.task.as_row()}

    def frozen(self) -> HeroScene:
        """Return the same scene without experience."""
        return replace(self, rules=self.rules.frozen())

    def with_hero(self, hero: HeroStart) -> HeroScene:
        """Return the same scene with another state."""
        return replace(self, task=replace(self.task, hero=hero))

    # -- playing ----------------------------------------------------------------------------------------------------

    def game(self) -> Game:
        """Return a game that begins in the state."""
        return Game(self.world, self.rules, self.task.hero, self.task.seed)

    def after(self, actions: Iterable[Action]) -> HeroScene:
        """Return the scene after some actions."""
        game = self.game()
        for action in actions:
            game.act(action)
        return self.with_hero(self.task.hero.after(game.hero))

    def played(self, actions: Iterable[Action]) -> list[Event]:
        """Return the events of some actions, up to the one that reaches the goal."""
        game, events = self.game(), list[Event]()
        for action in actions:
            events.append(game.act(action))
            if reaches(self.task, events[-1]):
                break
        return events

    def wins(self, actions: Iterable[Action]) -> bool:
        """Return whether a plan reaches the goal."""
        return any(reaches(self.task, event) for event in self.played(actions)[-1:])

    # -- what may be asked --------------------------------------------------------------------------------------------

    @property
    def mentioned(self) -> frozenset[Code]:
        """The items that are told, down to ingredients and drops, and those that the hero has."""
        world, hero = self.world, self.task.hero
        drops = (code for givers in (world.droppers, world.nodes) for code in givers)
        parts = (part for item in world.items.values() if item.recipe for part in item.recipe.ingredients)
        return frozenset((*world.items, *drops, *parts, *hero.inventory, *hero.worn.values()))

    def actions(self) -> list[Action]:
        """Return the actions that app and areach ask about: all kinds but moves, of one piece each."""
        return list(self._actions())

    def _actions(self) -> Iterator[Action]:
        world = self.world
        if world.standing("monster"):
            yield act("fight")
        if world.standing("resource"):
            yield act("gather", 1)
        yield from (act("craft", code, 1) for code in sorted(world.items) if world.items[code].recipe)
        for slot in world.slots:
            fitting = self.wearable(slot)
            yield from (act("equip", slot, code) for code in fitting)
            if fitting:
                yield act("unequip", slot)
        if world.standing("grand_exchange"):
            yield from (act("buy", code, 1) for code in sorted(world.exchange_sells))

    def moves(self) -> list[Action]:
        """Return the moves to all told places."""
        return [act("move", *place) for place in sorted(self.world.tiles)]

    def wearable(self, slot: str) -> list[Code]:
        """Return the told items of a slot's type, whatever their level."""
        return sorted(code for code, item in self.world.items.items() if item.type == slot_type(slot))

    def facts(self) -> list[str]:
        """Return the facts that reach asks about: an item that is had, gear that is worn, a monster that is beaten."""
        world = self.world
        types = frozenset(map(slot_type, world.slots))
        had = [f"{HAVE} {code}" for code in sorted(self.mentioned)]
        worn = [f"{WEAR} {code}" for code in sorted(world.items) if world.items[code].type in types]
        return [*had, *worn, *(f"{BEAT} {code}" for code in sorted(world.monsters))]

    def landmarks(self) -> list[str]:
        """Return the facts that land asks about: the facts of reach, and visits to the contents of the told tiles."""
        standing = {tile.content for tile in self.world.tiles.values() if tile.content}
        visits = sorted({content.code for content in standing if content.type != "monster"})
        return [*self.facts(), *(f"{VISIT} {code}" for code in visits)]


@lru_cache(maxsize=_KEPT)
def _read(text: str, rules: Rules, place: str) -> HeroScene:
    row = json.loads(text)
    problems = [
        problem for name in DOCUMENTS for problem in schema_problems(row["world"].get(name), name, f"{place}: {name}")
    ]
    problems += schema_problems(row["task"], "task", f"{place}: $.scene.task")
    if problems:
        raise InputError(problems)
    try:
        whole = World.from_documents(row["world"])
        problems = list(task_problems(row["task"], whole, f"{place}: $.scene.task"))
        if not problems:
            return HeroScene.at(whole, Task.from_row(row["task"]), rules)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        problems = [Problem(place, "$.scene", f"a world and a task that fit together ({error})")]
    raise InputError(problems)


def _kept(world: World, task: Task) -> Iterator[tuple[str, Any]]:
    """Yield the documents of the part of a world that a task refers to."""
    documents, knows, hero = json.loads(world.source), task.knowledge, task.hero
    places = {*knows.places, world.start, hero.place}
    tiles = [tile for tile in documents["map"]["tiles"] if (tile["x"], tile["y"]) in places]
    standing = {(tile["content"]["type"], tile["content"]["code"]) for tile in tiles if tile.get("content")}
    monsters = {*knows.monsters, *({task.target} if task.kind == "kill" else ())}
    monsters |= {code for kind, code in standing if kind == "monster"}
    nodes = {code for kind, code in standing if kind == "resource"}
    items = {*knows.recipes, *knows.materials, *knows.stats, *knows.sold, *hero.worn.values(), *hero.inventory}
    items |= {*task.missing.values(), *({task.target} if task.kind == "craft" else ())}
    # What falls is kept so that a hero may have it. It is not told by that.
    items |= {drop.item for code in monsters for drop in world.monsters[code].drops}
    items |= {drop.item for code in nodes for drop in world.resources[code].drops}
    yield "world", {**documents["world"], "starter_items": [], "exchange_sells": sorted(knows.sold)}
    for name, codes in (("monsters", monsters), ("resources", nodes), ("items", items)):
        yield name, {**documents[name], name: [row for row in documents[name][name] if row["code"] in codes]}
    yield "distractors", {**documents["distractors"], "items": []}
    yield "map", {**documents["map"], "tiles": tiles}
