"""A day in a land: the game of the role-playing game under hidden laws, and the days of an exploration.

A day begins anew at dawn: nothing of the day before is left. The hero has so much strength for it, which every deed
takes some of. A plan is one day as well. So what a day can try is what a plan can do, and no more.

The laws act on what the game gives: on the ore of the lode, on the blade that the forge makes, and on the rings that
count in a fight. All else is the game's own, and fights are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from herobench.suites.discover.game.land import HiddenLand, numbers_of, told_rules
from herobench.suites.discover.game.laws import FULL, Choice
from herobench.suites.rpg.game.events import (
    OK,
    SIGNATURES,
    Action,
    CallError,
    Crafted,
    Event,
    Fought,
    Gathered,
    Moved,
    Value,
)
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.responses import failure_message
from herobench.suites.rpg.game.rules import Duel, Fighter, duel
from herobench.suites.rpg.game.world import Code, Monster, Stats

STRENGTH = 10
"""The strength of a day."""
LORD = 4
"""The strength that the fight with the lord takes. Every other deed takes 1."""
MOST_ACTIONS = 100
"""The most actions of a day, refused ones included. Forty are enough for any day that uses its strength."""
ACTIONS = ("move", "fight", "gather", "craft", "equip", "unequip")
_WEARY = 497
"""The status of a deed for which strength is lacking, and of a second swing at the lode. No edition has it."""
_NO_STRENGTH = "The hero has too little strength left today."
_EMPTY = "The lode is empty until the next day."
_NOT_TWO = "The forge takes exactly two wares that were made this day."
_TOOLS = 2
_NO_ACTIONS = "The day has had its most actions."


class Day(Game):
    """One day in a possible world."""

    def __init__(self, hidden: HiddenLand) -> None:
        self.land, self._laws, self._truth = hidden
        super().__init__(self.land.world, told_rules(), self.land.hero)
        self.strength = STRENGTH
        self.beaten: frozenset[Code] = frozenset()
        self.made: frozenset[Code] = frozenset()
        self._is_lode_empty = False
        self._edge = 0
        """How many tools of a hidden forge the blade was made with."""

    @property
    def won(self) -> bool:
        """True if the lord was beaten."""
        return self.land.lord in self.beaten

    @property
    def is_over(self) -> bool:
        """True if the fight with the lord ended the day."""
        return self.over or self.won

    def act(self, action: Action) -> Event:
        """Carry out an action, or refuse it, under the laws of the land."""
        if reason := self._refusal(action):
            event = Event(action, _WEARY, reason)
            self.events.append(event)
            return event
        strength = self._cost(action)
        event = super().act(action)
        if event.ok:
            self.strength -= strength
            event = self.events[-1] = self._under_laws(event)
        return event

    def _cost(self, action: Action) -> int:
        if action.name == "fight":
            return LORD if self._monsters.get(self.hero.place) == self.land.lord else 1
        return int(action.name in ("gather", "craft"))

    def _refusal(self, action: Action) -> str | None:
        if len(self.events) >= MOST_ACTIONS:
            return _NO_ACTIONS
        if self._laws.forge.hidden and self._forges(action) and len(self.made) != _TOOLS:
            return _NOT_TWO
        if action.name == "gather" and self._is_lode_empty and self.hero.place in self._resources:
            return _EMPTY
        return _NO_STRENGTH if self._cost(action) > self.strength else None

    def _forges(self, action: Action) -> bool:
        """Return whether an action would forge the blade."""
        return action.name == "craft" and ("code", self.land.blade) in action.keywords

    def _under_laws(self, event: Event) -> Event:
        """Return what comes of an event by the laws, and remember it for later ones."""
        hero, land = self.hero, self.land
        match event.detail:
            case Fought(monster=code, won=True):
                self.beaten |= {code}
            case Gathered() as swing:
                self._is_lode_empty = True
                count = self._laws.lode.level(self._truth.lode, Choice.of(self._chosen(self.beaten, land.beasts)))
                if count:
                    hero.give(land.slag, 1)
                    hero.receive(land.ore, count)
                    return event._replace(detail=swing._replace(drops=((land.ore, count),)))
            case Crafted(item=land.blade) as craft:
                quality = self._laws.forge.level(self._truth.forge, Choice.of(self._chosen(self.made, land.wares)))
                if self._laws.forge.hidden:
                    self._edge, quality = quality, FULL
                hero.give(land.blade, 1)
                hero.receive(land.blades[quality], 1)
                return event._replace(detail=craft._replace(item=land.blades[quality]))
            case Crafted(item=code):
                self.made |= {code}
            case _:
                pass
        return event

    def _chosen(self, codes: Iterable[Code], things: tuple[Code, ...]) -> frozenset[int]:
        return numbers_of([code for code in codes if code in things], things)

    def _duel(self, monster: Monster) -> Duel:
        """Return the duel with those rings alone that count."""
        rules = self.rules
        return duel(Fighter(self._stats()), monster.stats, rules.rounds, unit=rules.unit)

    def _stats(self) -> Stats:
        rings = self.land.rings
        worn = Counter(code for code in self.hero.worn.values() if code in rings)
        pairs = frozenset(rings.index(code) for code, count in worn.items() if count > 1)
        choice = Choice(pairs, numbers_of(list(worn), rings))
        counting = self._edge + self._laws.rings.level(self._truth.rings, choice)
        stats = self.hero.stats
        # each pair counts alike, and each tool of a hidden forge like a pair: so what counts is a number
        ring = self.world.items[rings[0]].worn.damage
        idle = sum(worn.values()) - 2 * counting
        damage = tuple(value - idle * each for value, each in zip(stats.damage, ring, strict=True))
        return stats._replace(damage=damage)


class Call(NamedTuple):
    """An action with its values, without the hero's name."""

    name: str
    values: tuple[Value, ...] = ()

    @property
    def arguments(self) -> dict[str, Value]:
        """Return the values by the names of parameters."""
        return dict(zip(parameters(self.name), self.values, strict=True))


Answer = dict[str, Any]
NEW_DAY, NEXT_LAND = "new_day", "next_land"
_MOST_REASON = 200


class Exploration:
    """The days of one exploration, land by land."""

    def __init__(self, lands: Sequence[HiddenLand], days: int) -> None:
        self._lands, self._budget = lands, days
        self.visits: list[list[Day]] = [[] for _ in lands]
        """The days so far in each land."""
        self.land = 0
        """The number of the land that is explored, from 0."""
        self.visits[0].append(Day(lands[0]))

    @property
    def days(self) -> list[Day]:
        """The days so far."""
        return [day for visit in self.visits for day in visit]

    @property
    def today(self) -> Day:
        """The day that goes on."""
        return self.visits[self.land][-1]

    @property
    def left(self) -> dict[str, int]:
        """The strength that the hero still has today, the days that follow, and the lands, if a task has several."""
        lands = {"lands": len(self._lands) - 1 - self.land} if len(self._lands) > 1 else {}
        return {"strength": self.today.strength, "days": self._days_left, **lands}

    @property
    def _days_left(self) -> int:
        return self._budget - len(self.days)

    @property
    def is_over(self) -> bool:
        """True if the fight with the lord has ended the last day."""
        return self.today.is_over and not self._days_left

    def call(self, name: str, arguments: Mapping[str, Value]) -> Answer:
        """Carry out a call, or refuse it."""
        if name in (NEW_DAY, NEXT_LAND):
            return {"error": f"{name} has no parameters"} if arguments else self._begin_day(name == NEXT_LAND)
        if name not in ACTIONS:
            return {"error": f"there is no tool {name[:_MOST_REASON]!r}"}
        if self.today.is_over:
            return {"error": "the fight with the lord has ended this day: begin the next one, or call done"}
        return answer_to(self.today, name, arguments)

    def _begin_day(self, leaves: bool) -> Answer:
        """Begin a day in the same land, or in the next one."""
        if not self._days_left:
            return {"error": "no day is left: call done"}
        if leaves and self.land == len(self._lands) - 1:
            return {"error": "there is no land after this one"}
        self.land += leaves
        self.visits[self.land].append(Day(self._lands[self.land]))
        place = {"land": self.land + 1} if leaves else {}
        return {"day": len(self.days), **place}

    def play(self, calls: Iterable[Call]) -> list[Answer]:
        """Carry out calls, and return their answers."""
        return [self.call(call.name, call.arguments) for call in calls]


def parameters(name: str) -> tuple[str, ...]:
    """Return the parameters of a call. Deeds are done once each, so no call has a quantity."""
    signature = SIGNATURES.get(name, ())
    return tuple(parameter.name for parameter in signature if parameter.name not in ("name", "quantity"))


def answer_to(day: Day, name: str, arguments: Mapping[str, Value]) -> Answer:
    """Carry out an action on a day, and return what is told of it."""
    if unknown := [each for each in arguments if each not in parameters(name)]:
        return {"error": f"{name} has no parameter {unknown[0][:_MOST_REASON]!r}"}
    once = {"quantity": 1} if name in ("craft", "gather") else {}
    try:
        event = day.act(Action(name, (), (("name", NAME), *arguments.items(), *once.items())))
    except CallError as error:
        return {"error": str(error)[:_MOST_REASON]}
    return describe(day, event)


def describe(day: Day, event: Event) -> Answer:
    """Return what is told of an event: what came of it, and nothing else."""
    if not event.ok:
        reason = event.reason if event.status == _WEARY else failure_message(event)
        return {"status": event.status, "error": reason}
    match event.detail:
        case Moved(place):
            content = day.world.tiles[place].content
            return {"status": OK, "here": None if content is None else content.code}
        case Fought() as fight:
            result = (
                {"result": "win"}
                if fight.won
                else {"result": "lose", f"{PARTS[day.land.parts]}_left": parts_left(day, fight)}
            )
            return {"status": OK, **result}
        case Gathered(drops=drops):
            return {"status": OK, "items": dict(drops)}
        case Crafted(item=item):
            return {"status": OK, "items": {item: 1}}
        case _:
            return {"status": OK}  # what is put on or taken off is what was asked for


PARTS = {3: "thirds", 5: "fifths"}
"""What the parts of the health of the lord are called."""


def parts_left(day: Day, fight: Fought) -> int:
    """Return how many parts of its health the lord has left, rounded up."""
    return int(-(-day.land.parts * max(fight.monster_hp, 0) // day.world.monsters[fight.monster].stats.hp))
