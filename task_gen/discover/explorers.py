"""Explorers: they choose calls within the budget of an exploration, and say what they believe then.

The experimenter asks about each thing what the families say may differ: each craft at its workshop, each node, each
monster. Where several changes explain the answers, it puts other gear on for which they predict different fights. The
random explorer draws each call evenly from all that are told. Both draw their conclusions by the same `Inquiry`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import Protocol

from herobench.suites.discover.game.exploration import RESET, Answer
from herobench.suites.discover.game.mystery import Call, Mystery
from herobench.suites.rpg.game.world import Code, Place, World
from herobench.task_gen.discover.inquiry import Inquiry

_RESET: Call = (RESET, ())
_FIGHT: Call = ("fight", ())
_MOST_SWAPPED = 2
"""The most slots that are changed for one experiment."""
_MOST_OUTFITS = 150
"""The most outfits that are looked at for one experiment."""


class Lab(Protocol):
    """Carries out a call in the world that is explored, and returns its answer."""

    def __call__(self, call: Call, /) -> Answer:
        """Carry out a call."""
        ...


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
            while outfit := self._telling_outfit(monster):
                self._begin()
                for call in outfit:
                    self._do(call)
        return self.inquiry

    def _work(self, world: World) -> None:
        """Try each recipe at its workshop, and each node."""
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
                self._do(("gather", (1,)))

    def _visit(self, place: Place) -> None:
        self._do(("move", place))
        if self._do(_FIGHT).get("fight", {}).get("result") != "win":
            self._begin()

    def _telling_outfit(self, monster: Code) -> list[Call] | None:
        """Return the calls of a fight that tells most of what is possible apart; None if none does."""
        if len(self.inquiry.fights.ways(monster)) < 2:
            return None
        place = self._mystery.with_changes(self.inquiry.swaps).world.places_of("monster", monster)[0]
        best: list[Call] | None = None
        most = 1
        for number, outfit in enumerate(_outfits(self._mystery)):
            calls = [*outfit, ("move", place), _FIGHT]
            if (splits := self.inquiry.splits(monster, calls)) > most:
                best, most = calls, splits
            if number >= _MOST_OUTFITS or (best and len(outfit) > 2):
                break
        return best

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


def _outfits(mystery: Mystery) -> Iterator[list[Call]]:
    """Yield the calls that put other gear on that the hero owns: in one slot, then in several."""
    world, hero = mystery.told.world, mystery.task.hero
    options = {slot: [code for code in hero.inventory if world.items[code].type == slot] for slot in world.slots}
    for swapped in range(1, _MOST_SWAPPED + 1):
        for slots in combinations([slot for slot in world.slots if options[slot]], swapped):
            for codes in product(*(options[slot] for slot in slots)):
                yield [call for slot, code in zip(slots, codes, strict=True) for call in _put_on(mystery, slot, code)]


def _put_on(mystery: Mystery, slot: str, code: Code) -> Iterator[Call]:
    if slot in mystery.task.hero.worn:
        yield "unequip", (slot,)
    yield "equip", (slot, code)


def drawn_calls(mystery: Mystery, chance: Random) -> Iterator[Call]:
    """Yield calls, each drawn evenly from all that the told world offers."""
    calls = _all_calls(mystery)
    while True:
        yield chance.choice(calls)


def _all_calls(mystery: Mystery) -> Sequence[Call]:
    world, knows = mystery.told.world, mystery.task.knowledge
    gear = [(item.type, item.code) for item in world.items.values() if item.type in world.slots]
    return [
        *(("move", place) for place in knows.places),
        *(("equip", (slot, code)) for slot, code in gear),
        *(("unequip", (slot,)) for slot in world.slots),
        *(("craft", (code, 1)) for code in knows.recipes),
        ("gather", (1,)),
        _FIGHT,
        _RESET,
    ]
