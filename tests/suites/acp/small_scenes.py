"""Random scenes so small that all states of the game can be visited, and searches that visit them by playing.

The searches share no code with the closures and with the search over jobs: they know the game's actions only. Nobody
keeps more pieces of an item than matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from random import Random

from herobench.suites.acp.hero.question import action_text
from herobench.suites.acp.hero.scene import HeroScene, act
from herobench.suites.rpg.game.events import Action, Event, Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Knowledge, Task, reaches
from herobench.suites.rpg.game.world import Place, World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import Json, hero_row, tiny_task
from tests.task_gen.rpg.changed import material, monster, node, thing, tile, tiny_documents

FEW, MANY = 2, 4
"""The pieces of an item that matter to what can be, which are those of one craft, and to how long a plan is."""
_PLACES = [
    *(("workshop", code) for code in ("smithing", "brewing")),
    *(("resource", code) for code in ("pit", "vein")),
    *(("monster", code) for code in ("rat", "ogre", "drake")),
    ("grand_exchange", "grand_exchange"),
]


def random_scene(chance: Random) -> HeroScene:
    """Return a scene in a world of eight places; its hero has and wears something or nothing."""
    world = _world(chance)
    beginner: Json = {"level": 1, "xp": 0, "next_level_xp": 50}
    worn = _fitting(world, chance.choice([{}, {}, {"blade": "club"}, {"charm1": "bead"}, {"coat": "rag"}]))
    bag = {code: chance.randint(1, 2) for code in chance.sample(["clay", "ore", "fur", "bar", "bead"], 2)}
    hero = hero_row(
        level=1,
        stats={"hp": chance.randint(10, 40), "attack_heat": chance.randint(1, 4)},
        skills={"digging": beginner, "smithing": {**beginner, "level": 2}, "brewing": beginner},
        worn=worn,
        inventory=chance.choice([{}, bag]),
        x=chance.randint(0, len(_PLACES)),
    )
    gear = {"blade": "sword", "coat": "coat", "charm1": "bead"}
    missing = _fitting(world, {slot: gear[slot] for slot in chance.sample(sorted(gear), chance.randint(1, 2))})
    task = tiny_task(world, hero=hero, missing=missing)
    if chance.random() < 0.3:
        task = replace(task, kind="craft", target=chance.choice(["sword", "coat", "bead"]), missing={})
    told = [code for code, item in world.items.items() if item.recipe]
    others = [code for code in world.items if code not in told]
    places = tuple(place for place in world.tiles if chance.random() < 0.95 or place == task.hero.place)
    knows = Knowledge(tuple(told), tuple(others), world.exchange_sells, tuple(world.monsters), places, ())
    task = replace(task, knowledge=knows, mechanics=replace(task.mechanics, exchange="told"))
    return HeroScene.of(world, task, load_rules()).frozen()


def _fitting(world: World, gear: dict[str, str]) -> dict[str, str]:
    return {slot: code for slot, code in gear.items() if slot in world.slots}


def _world(chance: Random) -> World:
    content = tiny_documents()
    content["world"] |= {
        "slots": chance.choice([["blade", "coat", "charm1"], ["blade", "charm1", "charm2"]]),
        "skills": ["digging", "smithing", "brewing"],
        "elements": ["heat", "frost"],
        "exchange_sells": chance.choice([[], ["salt"], ["clay"]]),
        "starter_items": [],
    }
    content["distractors"]["items"] = []
    content["items"]["items"] = [
        *(material(code) for code in ("clay", "ore", "fur", "salt")),
        material("bar", ore=chance.choice([1, 2])),
        thing("club", "blade", {"attack_heat": chance.randint(1, 6)}),
        thing("rag", "coat", {"hp": 3}),
        thing("sword", "blade", {"attack_frost": chance.randint(4, 16)}, at=chance.choice([1, 2, 3]), bar=1,
              **chance.choice([{}, {"fur": 1}])),
        thing("coat", "coat", {"hp": chance.randint(0, 30), "res_heat": chance.randint(-20, 60)},
              skill="brewing", **{chance.choice(["fur", "clay", "salt"]): chance.choice([1, 2])}),
        thing("bead", "charm", {"hp": chance.randint(1, 12), "dmg_heat": chance.choice([0, 20, -20])},
              **{chance.choice(["fur", "clay"]): 1}),
    ]  # fmt: skip
    content["items"]["items"][-1]["level"] = chance.choice([1, 1, 1, 2])
    content["resources"]["resources"] = [
        node("pit", chance.choice([{"clay": 1}, {"clay": 1, "ore": 1}])),
        node("vein", {"ore": 1}, level=chance.choice([1, 1, 2])),
    ]
    content["monsters"]["monsters"] = [
        monster("rat", {"fur": 1}, hp=chance.randint(1, 30), heat=chance.randint(0, 8)),
        monster("ogre", chance.choice([{"fur": 1}, {"salt": 1}, {"salt": 1, "fur": 1}]), hp=chance.randint(5, 60),
                frost=chance.randint(0, 9)),
        monster("drake", {}, hp=chance.randint(20, 90), heat=chance.randint(2, 10), frost=chance.randint(0, 6)),
    ]  # fmt: skip
    content["map"]["tiles"] = [
        {"x": 0, "y": 0, "name": "Home", "skin": ""},
        *(tile(1 + number, 0, kind, code) for number, (kind, code) in enumerate(_PLACES)),
    ]
    return World.from_documents(content)


# -- what is so in a state --------------------------------------------------------------------------------------------


def facts(scene: HeroScene, game: Game, event: Event | None) -> set[str]:
    """Return the facts of a state, and of the event that led to it."""
    hero, content = game.hero, scene.world.tiles[game.hero.place].content
    found = {f"have {code}" for code in (*hero.inventory, *hero.worn.values())}
    found |= {f"wear {code}" for code in hero.worn.values()}
    found |= {f"visit {content.code}"} if content else set()
    if event and isinstance(event.detail, Fought) and event.detail.won:
        found.add(f"beat {event.detail.monster}")
    return found


# -- visiting all states ----------------------------------------------------------------------------------------------

Step = tuple[int, Action, Event, Game]


def walk(
    scene: HeroScene, most: int, allows: Callable[[set[str]], bool] = lambda facts: True, *, counts_moves: bool = False
) -> Iterator[Step]:
    """Yield every action in every state that can be reached in states with allowed facts, nearest states first.

    Each comes with the number of actions up to it, in which moves count if asked for; else all places are as near.
    """
    serial, first, pieces = count(), scene.game(), MANY if counts_moves else FEW
    waiting: list[tuple[int, int, tuple[Action, Event] | None, Game]] = [(0, next(serial), None, first)]
    seen: set[object] = set()
    while waiting:
        depth, _, step, game = heappop(waiting)
        if step:
            yield depth, *step, game
        key = (game.hero.place if counts_moves else None, *_key(game))
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > most:
            raise TooManyStates
        for place, action in _actions(scene, game, pieces):
            then = _copied(game)
            moves = place is not None and place != then.hero.place
            if moves:
                then.act(act("move", *place))
            event = then.act(action)
            if event.ok and allows(facts(scene, then, event)):
                _trim(then, pieces)
                heappush(waiting, (depth + 1 + moves, next(serial), (action, event), then))


class TooManyStates(Exception):
    """Raised when a walk is cut short."""


def possible(scene: HeroScene, most: int) -> tuple[set[str], set[str]]:
    """Return the facts that can be, and the actions that can be carried out, of one piece each."""
    found, actions = facts(scene, scene.game(), None), set[str]()
    for _, action, event, game in walk(scene, most):
        found |= facts(scene, game, event)
        one = action._replace(args=(*action.args[:-1], 1)) if action.name in ("gather", "buy", "craft") else action
        actions.add(action_text(one))
    return found, actions


def is_needed(scene: HeroScene, fact: str, most: int) -> bool:
    """Return whether the goal is reached only with a fact on the way, that of the last action included."""
    steps = walk(scene, most, lambda facts: fact not in facts)
    return not any(reaches(scene.task, event) for _, _, event, _ in steps)


def shortest(scene: HeroScene, is_goal: Callable[[Event, Game], bool], most: int) -> int | None:
    """Return the number of actions of a shortest plan; None if there is none."""
    steps = walk(scene, most, counts_moves=True)
    return next((depth for depth, _, event, game in steps if is_goal(event, game)), None)


def _actions(scene: HeroScene, game: Game, pieces: int) -> Iterator[tuple[Place | None, Action]]:
    world, hero = scene.world, game.hero
    for place, found in world.tiles.items():
        kind = found.content.type if found.content else ""
        if kind == "monster":
            yield place, act("fight")
        if kind == "resource":
            yield place, act("gather", pieces)
        if kind == "workshop":
            crafts = [code for code, item in world.items.items() if item.recipe]
            yield from ((place, act("craft", code, number)) for code in crafts for number in (1, 2))
        if kind == "grand_exchange":
            yield from ((place, act("buy", code, pieces)) for code in sorted(world.exchange_sells))
    for code in hero.inventory:
        item = world.items.get(code)
        yield from ((None, act("equip", slot, code)) for slot in world.slots if item and item.type == slot_type(slot))
    yield from ((None, act("unequip", slot)) for slot in hero.worn)


def _copied(game: Game) -> Game:
    then = game.fork()
    then.events.clear()
    return then


def _trim(game: Game, pieces: int) -> None:
    """Drop more pieces than anything takes."""
    game.hero.inventory = {code: min(pieces, count) for code, count in sorted(game.hero.inventory.items())}


def _key(game: Game) -> tuple[object, object]:
    hero = game.hero
    return tuple(sorted(hero.worn.items())), tuple(sorted(hero.inventory.items()))


def goal_in_gear(task: Task, gear: dict[str, int]) -> Callable[[Event, Game], bool]:
    """Return the test of the goal of a kill in some gear, or of a craft."""

    def is_goal(event: Event, game: Game) -> bool:
        worn = list(game.hero.worn.values())
        return reaches(task, event) and all(worn.count(code) >= count for code, count in gear.items())

    return is_goal
