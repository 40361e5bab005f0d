"""What the days so far tell for sure: the secrets of each law that agree with all answers.

The laws do not depend on each other, and each answer shows the level of one law, or of a hidden forge and the rings
together. So the worlds that remain are all combinations of remaining secrets, and in how many of them a plan wins is a
product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log2, prod
from typing import Any, NamedTuple

from herobench.suites.discover.game.day import Call, Day, answer_to, parts_left
from herobench.suites.discover.game.land import HiddenLand, Land, numbers_of
from herobench.suites.discover.game.laws import FULL, AnyChoice, Choice, JointChoice, Laws, Truth
from herobench.suites.rpg.game.events import Crafted, Equipped, Fought, Gathered, Unequipped
from herobench.suites.rpg.game.world import Code


class Reading(NamedTuple):
    """What one answer shows: the law by its number, what was chosen, and the level."""

    law: int
    choice: AnyChoice
    level: int


@dataclass(frozen=True)
class Knowledge:
    """The secrets of each law that agree with all answers so far."""

    laws: Laws
    secrets: tuple[tuple[Any, ...], ...]

    @classmethod
    def at_first(cls, laws: Laws) -> Knowledge:
        """Return what is known before the first day."""
        return cls(laws, tuple(law.secrets for law in laws.shown))

    def after(self, readings: Iterable[Reading]) -> Knowledge:
        """Return what is known after some readings."""
        secrets = list(self.secrets)
        for number, choice, level in readings:
            law: Any = self.laws.shown[number]
            secrets[number] = tuple(each for each in secrets[number] if law.level(each, choice) == level)
        return Knowledge(self.laws, tuple(secrets))

    @property
    def worlds(self) -> int:
        """How many worlds remain."""
        return prod(map(len, self.secrets))

    @property
    def is_sure(self) -> bool:
        """Return whether one plan wins in all worlds that remain."""
        return all(len({secret.wanted for secret in secrets}) == 1 for secrets in self.secrets)

    @property
    def bits(self) -> float:
        """The information that the answers gave, in bits."""
        return log2(self.laws.worlds / self.worlds)


def readings_of(day: Day) -> Iterator[Reading]:
    """Yield what the answers of a day show, in their order."""
    land = day.land
    beaten, made, worn = set[Code](), set[Code](), dict[str, Code]()
    is_joint, tools = land.parts > FULL + 1, Choice.of(frozenset())
    for event in day.events:
        match event.detail if event.ok else None:
            case Gathered(drops=drops):
                yield Reading(0, _chosen(beaten, land.beasts), dict(drops).get(land.ore, 0))
            case Crafted(item=item) if item in land.blades:
                tools = _chosen(made, land.wares)
                if not is_joint:
                    yield Reading(1, tools, land.blades.index(item))
            case Crafted(item=item):
                made.add(item)
            case Fought(monster=land.lord) as fight if worn.get("weapon") == land.blades[FULL]:
                level, rings = land.parts - 1 - parts_left(day, fight), rings_worn(land, worn.values())
                yield Reading(1, JointChoice(tools, rings), level) if is_joint else Reading(2, rings, level)
            case Fought(monster=beast):
                beaten.add(beast)
            case Equipped(slot=slot, item=item):
                worn[slot] = item
            case Unequipped(slot=slot):
                del worn[slot]
            case _:
                pass


def _chosen(codes: Iterable[Code], things: Sequence[Code]) -> Choice:
    return Choice.of(numbers_of([code for code in codes if code in things], things))


def rings_worn(land: Land, worn: Iterable[Code]) -> Choice:
    """Return the choice of rings of a hero who wears these items."""
    numbers = [land.rings.index(code) for code in worn if code in land.rings]
    return Choice(frozenset(number for number in numbers if numbers.count(number) > 1), frozenset(numbers))


def play_day(hidden: HiddenLand, calls: Iterable[Call]) -> Day:
    """Return a day on which some calls were carried out, until a fight with the lord ended it."""
    day = Day(hidden)
    for call in calls:
        if day.is_over:
            break
        answer_to(day, call.name, call.arguments)
    return day


def wins_left(land: Land, known: Knowledge, calls: Sequence[Call]) -> int:
    """Return in how many of the remaining worlds a plan wins.

    What it chooses in one medium may show only in a world that lets it go on. So the secrets that do are filled in law
    by law: which ones does not matter, since the laws do not depend on each other.
    """
    secrets, count = [each[0] for each in known.secrets], 1
    for number, law in enumerate(known.laws.shown):
        day = play_day(HiddenLand(land, known.laws, Truth.of(secrets)), calls)
        choice: Any = next((reading.choice for reading in readings_of(day) if reading.law == number), None)
        winning = [each for each in known.secrets[number] if choice and law.level(each, choice) == law.full]
        if not winning:
            return 0
        secrets[number], count = winning[0], count * len(winning)
    return count if play_day(HiddenLand(land, known.laws, Truth.of(secrets)), calls).won else 0


def worlds_in(known: Iterable[Knowledge]) -> int:
    """Return how many worlds remain in all lands together."""
    return prod(each.worlds for each in known)


def plan_wins(lands: Sequence[HiddenLand], known: Sequence[Knowledge], days: Sequence[Sequence[Call]]) -> int:
    """Return in how many of the remaining worlds of all lands a plan wins that has these days."""
    if len(days) != len(lands):
        return 0
    return prod(wins_left(hidden.land, each, day) for hidden, each, day in zip(lands, known, days, strict=True))
