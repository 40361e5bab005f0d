"""Random worlds so small that all states of a game can be visited, and a search that visits them.

The search plays the real game. It goes to a place and acts there in one step. Nobody keeps more than one piece of an
item in the bag, which is as many as anything in these worlds takes, and a stack of food never gets smaller.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Knowledge, Mechanics, Task, reaches
from herobench.suites.rpg.game.world import CONSUMABLE, Place, World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import Json, craft_task, hero_row, tiny_task
from tests.sizes import many
from tests.task_gen.rpg.changed import material, monster, node, thing, tile, tiny_documents

MOST_STATES = many(20_000, 4_000)
_STACK = 50
RULES = replace(load_rules(), level_cap=2)
_THINGS = [
    *(("workshop", code) for code in ("smithing", "brewing")),
    *(("resource", code) for code in ("pit", "vein")),
    *(("monster", code) for code in ("rat", "ogre", "drake")),
    ("grand_exchange", "grand_exchange"),
]


def random_world(chance: Random) -> World:
    """Return a world of eight things, with gear, food and three monsters, of which the drake is the strongest."""
    content = tiny_documents()
    content["world"] |= {"slots": ["blade", "coat", "consumable1"], "exchange_sells": ["salt"], "skills": ["digging",
                         "smithing", "brewing"], "elements": ["heat", "frost"], "starter_items": []}  # fmt: skip
    content["distractors"]["items"] = []
    content["items"]["items"] = [
        *(material(code) for code in ("clay", "ore", "fur", "salt")),
        thing("club", "blade", {"attack_heat": chance.randint(1, 12)}, clay=1),
        thing("sword", "blade", {"attack_frost": chance.randint(4, 20), "hp": chance.choice([-10, 0, 0, 10])},
              at=chance.choice([1, 2]), ore=1, **chance.choice([{}, {"fur": 1}])),
        thing("coat", "coat", {"hp": chance.randint(0, 30), "res_heat": chance.randint(-20, 60),
                               "dmg_frost": chance.choice([0, 0, 50])}, **{chance.choice(["fur", "clay"]): 1}),
        thing("stew", "consumable", {"restore": chance.randint(1, 10)} if chance.random() < 0.5 else {"boost_hp": 20},
              skill="brewing", **{chance.choice(["fur", "salt"]): 1}),
    ]  # fmt: skip
    # The second level is for some gear only.
    content["items"]["items"][5]["level"] = chance.choice([1, 1, 2])
    content["resources"]["resources"] = [
        node("pit", {"clay": 1}),
        node("vein", {"ore": 1}, level=chance.choice([1, 2])),
    ]
    content["monsters"]["monsters"] = [
        monster("rat", {"fur": 1}, hp=chance.randint(1, 30), heat=chance.randint(0, 8)),
        monster("ogre", {"fur": 1, "ore": 1}, hp=chance.randint(5, 60), frost=chance.randint(0, 12)),
        monster("drake", {}, hp=chance.randint(30, 150), heat=chance.randint(3, 14), frost=chance.randint(0, 8)),
    ]
    for who in content["monsters"]["monsters"]:
        who["resistance"] = {"heat": chance.choice([0, 0, 50, -20]), "frost": chance.choice([0, 0, 100])}
    content["map"]["tiles"] = [
        {"x": 0, "y": 0, "name": "Home", "skin": ""},
        *(tile(1 + number, 0, kind, code) for number, (kind, code) in enumerate(_THINGS)),
    ]
    return World.from_documents(content)


def random_task(world: World, chance: Random) -> Task:
    """Return a task in such a world, with some places closed, of a hero of level 1 or 2."""
    # One action is enough for the second level, so that experience adds few states.
    beginner: Json = {"level": 1, "xp": 0, "next_level_xp": 50}
    level = chance.choice([1, 2])
    hero = hero_row(
        level=level,
        stats={"hp": chance.randint(5, 40), "attack_heat": chance.randint(0, 3)},
        next_level_xp=50,
        skills={"digging": beginner, "smithing": beginner, "brewing": {**beginner, "level": 2}},
        worn=chance.choice([{}, {"blade": "club"}]),
    )
    if chance.random() < 0.6:
        task = tiny_task(world, hero=hero, missing={})
    else:
        task = craft_task(world, chance.choice(["sword", "coat", "stew"]), hero=hero)
    places = [place for place, found in world.tiles.items() if found.content and found.content.code != task.target]
    closed = tuple(sorted(chance.sample(places, chance.randint(1, 4))))
    told = Knowledge((), (), frozenset({"salt"}), (), tuple(world.tiles), ())
    return replace(task, knowledge=told, mechanics=Mechanics(exchange="told", closed=closed))


def some_state_wins(world: World, rules: Rules, task: Task) -> bool | None:
    """Return whether any plan wins a task, found by visiting all states; None if there are too many."""
    own = task.rules(rules)
    first = Game(world, own, task.hero)
    waiting, seen = deque([first]), {_key(first)}
    while waiting:
        game = waiting.popleft()
        for place, action in _actions(world, own, game):
            then = _copied(game)
            if place is not None:
                then.act(Action("move", (NAME, *place)))
            event = then.act(action)
            if reaches(task, event):
                return True
            _trim(then)
            key = _key(then)
            if event.ok and key not in seen:
                if len(seen) == MOST_STATES:
                    return None
                seen.add(key)
                waiting.append(then)
    return False


def _actions(world: World, rules: Rules, game: Game) -> Iterator[tuple[Place | None, Action]]:
    for place, found in world.tiles.items():
        kind = found.content.type if found.content and place not in rules.closed else ""
        if kind == "monster":
            yield place, Action("fight", (NAME,))
        if kind == "resource":
            yield place, Action("gather", (NAME, 1))
        if kind == "workshop":
            yield from ((place, Action("craft", (NAME, item.code, 1))) for item in world.items.values() if item.recipe)
        if kind == "grand_exchange":
            yield place, Action("buy", (NAME, "salt", 1))
    for code in game.hero.inventory:
        for slot in world.slots:
            if world.items[code].type == slot_type(slot):
                yield None, Action("equip", (NAME, slot, code, _STACK if slot_type(slot) == CONSUMABLE else 1))
    for slot in game.hero.worn:
        yield None, Action("unequip", (NAME, slot, 1))


def _copied(game: Game) -> Game:
    then = game.fork()
    then.events.clear()
    return then


def _trim(game: Game) -> None:
    """Drop what does not matter: the place, more pieces than anything takes, experience at the highest level."""
    hero = game.hero
    hero.place = game.world.start
    hero.inventory = dict.fromkeys(sorted(hero.inventory), 1)
    for slot, held in hero.consumables.items():
        hero.stack(slot, held.item, _STACK)
    for progress in (hero.combat, *hero.skills.values()):
        if progress.level >= game.rules.level_cap:
            progress.xp = 0


def _key(game: Game) -> object:
    hero = game.hero
    levels = [(progress.level, progress.xp) for progress in (hero.combat, *hero.skills.values())]
    stacks = sorted((slot, stack.item, stack.quantity) for slot, stack in hero.consumables.items())
    return (
        tuple(sorted(hero.worn.items())), tuple(sorted(hero.inventory.items())), tuple(stacks), tuple(levels),
    )  # fmt: skip
