"""Explorers: they choose calls within the budget of an exploration, and conclude which changes there are.

The experimenter tests each thing that the families may change: each craft at its workshop, each node, each monster.
Where several changes explain the answers, it puts on the gear whose fight leaves the fewest of them. The chance
explorer draws each call from the possible ones. Both draw their conclusions with the same `Inquiry`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, product
from random import Random

import numpy as np

from herobench.suites.discover.game.families import Change, kinds_in
from herobench.suites.discover.game.mystery import RESET, Answer, Call, Exploration, Mystery
from herobench.suites.discover.making.inquiry import Inquiry, Worn, answers_to
from herobench.suites.discover.making.planner import plan, wins
from herobench.suites.rpg.game.combat_batch import Fighters, duels, stat_rows
from herobench.suites.rpg.game.events import OK
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.world import Code, Place, World
from herobench.task_gen.rpg.oracle.steps import Do

_RESET: Call = (RESET, ())
_FIGHT: Call = ("fight", ())
NOTHING = ""
"""The code of an empty slot."""
SWINGS = 7
"""A number of swings above that of any dry node. It is chosen so that the number of pieces gained reveals both the
swings of the node and the pieces of one swing."""
_MOST_SWAPPED = 3
"""The most slots that an experiment changes. If no such experiment rules anything out, all loadouts are tried."""


Lab = Callable[[Call], Answer]
"""Carries out a call in the world that is explored, and returns its answer."""


class Experimenter:
    """Finds the changes of a mystery by experiments."""

    def __init__(self, mystery: Mystery, lab: Lab) -> None:
        self._mystery, self._lab = mystery, lab
        self.inquiry = Inquiry(mystery)
        self.starts: list[list[Call]] = [[]]
        """The calls so far, start by start."""

    def run(self) -> Inquiry:
        """Explore until nothing more can be told apart."""
        world = self._mystery.told.world
        self._work(world)
        for _, place in _stand(self._mystery, "monster"):
            self._visit(place)
        for monster in [*self.inquiry.open_monsters()]:
            while loadout := self._telling_loadout(monster):
                self._begin()
                for call in loadout:
                    self._do(call)
        self._hunt()
        return self.inquiry

    def _work(self, world: World) -> None:
        """Try each recipe at its workshop, visit each node, and gather at the first one."""
        crafts: dict[Place, list[Code]] = {}
        for item in self.inquiry.crafts.facts:
            recipe = world.recipe_of(item)
            assert recipe, "only what has a recipe is here"
            crafts.setdefault(world.places_of("workshop", recipe.skill)[0], []).append(item)
        for place, items in crafts.items():
            self._do(("move", place))
            for item in items:
                self._do(("craft", (item, 1)))
        for number, (_, place) in enumerate(_stand(self._mystery, "resource")):
            self._do(("move", place))
            if number == 0:
                self._do(("gather", (SWINGS,)))

    def _hunt(self) -> None:
        """Win fights until the drops of all monsters are known."""
        hunted: set[Code] = set()
        while monster := next((each for each in self.inquiry.drops.telling() if each not in hunted), None):
            hunted.add(monster)
            believed = self._mystery.with_changes(self.inquiry.belief(None))
            steps = plan(believed, replace(self._mystery.task, kind="kill", target=monster, then=()))
            if steps:
                self._begin()
                for step in steps:
                    for _ in range(step.times):
                        self._do((step.action, step.args))

    def _visit(self, place: Place) -> None:
        self._do(("move", place))
        if self._do(_FIGHT).get("fight", {}).get("result") != "win":
            self._begin()

    def _telling_loadout(self, monster: Code) -> list[Call] | None:
        """Return the calls of the fight that rules out the most possibilities; None if no fight rules out any."""
        if len(self.inquiry.fights.ways(monster)) < 2:
            return None
        place = self._mystery.with_changes(self.inquiry.swaps).world.places_of("monster", monster)[0]
        # Near loadouts cost few actions. The last possibilities may need one of all the others.
        for loadouts, heroes in (near_loadouts(self._mystery), all_loadouts(self._mystery)):
            remaining = self.inquiry.left(monster, heroes)
            if remaining.min() < len(self.inquiry.fights.ways(monster)):
                return [*put_on(self._mystery, loadouts[int(remaining.argmin())]), ("move", place), _FIGHT]
        return None

    def _do(self, call: Call) -> Answer:
        answer = self._lab(call)
        self.starts[-1].append(call)
        self.inquiry.learn(call, answer)
        return answer

    def _begin(self) -> None:
        if self.starts[-1]:
            self._lab(_RESET)
            self.inquiry.restart()
            self.starts.append([])


def _stand(mystery: Mystery, kind: str) -> list[tuple[Code, Place]]:
    return [(code, place) for place, code in mystery.told.world.standing(kind).items()]


Loadouts = tuple[Sequence[Worn], Fighters]
"""Some loadouts, and the hero in each of them."""


@lru_cache(maxsize=2)
def all_loadouts(mystery: Mystery) -> Loadouts:
    """Return all combinations of the hero's gear that leave no slot empty for which he owns an item."""
    owned = _items_by_slot(mystery)
    loadouts = [dict(zip(owned, codes, strict=True)) for codes in product(*owned.values())]
    return loadouts, _heroes(mystery, loadouts)


@lru_cache(maxsize=2)
def near_loadouts(mystery: Mystery) -> Loadouts:
    """Return the gear that the hero can wear after changing or emptying a few slots, the fewest changes first."""
    worn = mystery.task.hero.worn
    others = {
        slot: [code for code in (*codes, NOTHING) if code != worn.get(slot, NOTHING)]
        for slot, codes in _items_by_slot(mystery).items()
    }
    loadouts = [
        {slot: code for slot, code in {**worn, **dict(zip(slots, codes, strict=True))}.items() if code != NOTHING}
        for count in range(_MOST_SWAPPED + 1)
        for slots in combinations(others, count)
        for codes in product(*(others[slot] for slot in slots))
    ]
    return loadouts, _heroes(mystery, loadouts)


def fights_tell_apart(mystery: Mystery) -> bool:
    """Return whether fights in the hero's gear tell each monster from all kinds under the usual rules."""
    (world, rules), monsters = mystery.told, mystery.told.world.monsters
    answers = {
        code: b"".join(
            answers_to(duels(heroes, monster.stats, rules.rounds, unit=rules.unit), monster.stats).tobytes()
            for _, heroes in (near_loadouts(mystery), all_loadouts(mystery))
        )
        for code, monster in monsters.items()
    }
    standing = set(world.standing("monster").values())
    return not {answers[code] for code in standing} & {answers[kind] for kind in kinds_in(world)}


def _items_by_slot(mystery: Mystery) -> dict[str, list[Code]]:
    """Return the items that the hero has for each slot, without the slots for which he has none."""
    world, hero = mystery.told.world, mystery.task.hero
    owned = [*hero.worn.values(), *hero.inventory]
    options = {slot: [code for code in owned if world.items[code].type == slot] for slot in world.slots}
    return {slot: codes for slot, codes in options.items() if codes}


def _heroes(mystery: Mystery, loadouts: Sequence[Worn]) -> Fighters:
    """Return the hero in each of some loadouts."""
    world, hero = mystery.told.world, mystery.task.hero
    bare = stat_rows([Hero(world, replace(hero, worn={})).stats])[0]
    gear = {code: stat_rows([world.items[code].worn])[0] for code in {*chain(*(worn.values() for worn in loadouts))}}
    return Fighters.of(np.array([bare + sum(gear[code] for code in worn.values()) for worn in loadouts]))


def put_on(mystery: Mystery, loadout: Worn) -> Iterator[Call]:
    """Yield the calls by which the hero puts a loadout on at the start."""
    worn = mystery.task.hero.worn
    for slot in mystery.told.world.slots:
        if worn.get(slot) != loadout.get(slot):
            if slot in worn:
                yield "unequip", (slot,)
            if slot in loadout:
                yield "equip", (slot, loadout[slot])


class ChanceExplorer:
    """Explores by chance: draws each call evenly from those that are possible where the hero is, in what he wears."""

    def __init__(self, mystery: Mystery, lab: Lab, chance: Random) -> None:
        self._mystery, self._lab, self._chance = mystery, lab, chance
        self.inquiry = Inquiry(mystery)
        self._begin()

    def run(self) -> Inquiry:
        """Explore until the budget is used up."""
        while True:
            call = _RESET if self._fallen else self._chance.choice(list(self._possible()))
            answer = self._lab(call)
            if call == _RESET and "reset" in answer:
                self.inquiry.restart()
                self._begin()
            elif "status" in answer:
                self.inquiry.learn(call, answer)
                self._follow(call, answer)
            else:
                return self.inquiry

    def _begin(self) -> None:
        self._worn = {**self._mystery.task.hero.worn}
        self._place = self._mystery.told.world.start
        self._here: Mapping[str, Code] = {"type": "", "code": ""}
        self._fallen = False

    def _follow(self, call: Call, answer: Answer) -> None:
        """Update the hero's place and gear after a call."""
        name, values = call
        if name == "move":
            self._place = answer["x"], answer["y"]
            self._here = answer.get("here") or {"type": "", "code": ""}
        elif name == "equip" and answer["status"] == OK:
            self._worn[str(values[0])] = str(values[1])
        elif name == "unequip" and answer["status"] == OK:
            del self._worn[str(values[0])]
        self._fallen = answer.get("fight", {}).get("result") == "lose"

    def _possible(self) -> Iterator[Call]:
        """Yield the calls that are possible in the told world."""
        world, kind = self._mystery.told.world, self._here["type"]
        yield from (("move", place) for place in self._mystery.task.knowledge.places if place != self._place)
        yield from (("unequip", (slot,)) for slot in self._worn)
        for slot, codes in _items_by_slot(self._mystery).items():
            yield from (("equip", (slot, code)) for code in codes if slot not in self._worn)
        if kind == "monster":
            yield _FIGHT
        elif kind == "resource":
            yield "gather", (self._chance.randint(1, SWINGS),)
        elif kind == "workshop":
            recipes = {code: world.recipe_of(code) for code in self._mystery.task.knowledge.recipes}
            yield from (
                ("craft", (code, 1))
                for code, recipe in recipes.items()
                if recipe and recipe.skill == self._here["code"]
            )


# -- shallow strategies ------------------------------------------------------------------------------------------------
# They use no experiment, or one. The generator refuses mysteries that some of them win, and the audit counts the wins
# of all of them.

_GATHERED, _ROUNDS, _REFINED = 700, 60, 40
"""The gatherings of a visit, the visits of a node and the pieces of a refined material in a lavish plan."""


def with_much_gathered(world: World, steps: Sequence[Do]) -> list[Do]:
    """Return a plan that first gathers and refines far more of everything than it is told to need."""
    gathering: list[Do] = []
    for place in [*world.standing("resource")] * _ROUNDS:
        gathering += [Do("move", place), Do("gather", (_GATHERED,))]
    for item in world.items.values() if gathering else ():
        if item.type == "resource" and item.recipe:
            gathering.append(Do("move", world.places_of("workshop", item.recipe.skill)[0]))
            gathering += [Do("craft", (item.code, 1))] * _REFINED
    return [*gathering, *(step for step in steps if step.action != "gather")]


def wins_somehow(mystery: Mystery, steps: Sequence[Do]) -> bool:
    """Return whether a plan wins in the true world as it is, or with much gathered."""
    ways = (steps, with_much_gathered(mystery.told.world, steps))
    return any(wins(mystery.true, mystery.task, way) for way in ways)


def plan_for_belief(mystery: Mystery, believed: frozenset[Change], usual: Sequence[Do]) -> Sequence[Do]:
    """Return the best plan for the believed changes; the usual plan if none wins under them."""
    return plan(mystery.with_changes(believed), mystery.task) or usual


def after_moves(mystery: Mystery) -> frozenset[Change]:
    """Return the changes inferred from a visit to each place, without any action there."""
    return _after(mystery, [("move", place) for place in mystery.task.knowledge.places])


def after_fight(mystery: Mystery, monster: Code) -> frozenset[Change]:
    """Return the changes inferred from one fight, in the gear worn at the start, with a monster at its told place."""
    (place,) = mystery.told.world.places_of("monster", monster)
    return _after(mystery, [("move", place), ("fight", ())])


def _after(mystery: Mystery, calls: Sequence[Call]) -> frozenset[Change]:
    lab, inquiry = Exploration(mystery.true, mystery.task), Inquiry(mystery)
    for call in calls:
        inquiry.learn(call, lab.play([call])[0])
    return inquiry.belief(len(mystery.changes))


def found_by_one_fight(mystery: Mystery, usual: Sequence[Do]) -> Iterator[Code]:
    """Yield the monsters for which one fight, in the starting gear, reveals enough to plan a win."""
    for monster in dict.fromkeys(goal.target for goal in mystery.task.goals if goal.kind == "kill"):
        if wins_somehow(mystery, plan_for_belief(mystery, after_fight(mystery, monster), usual)):
            yield monster
