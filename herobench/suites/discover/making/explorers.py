"""Explorers: programs that play the days of an exploration in the real game, land by land, and plan by what they saw.

An explorer sees answers alone, as a model would. A day goes on only while there is something to learn: after a level
that is not full no deed of the day tells more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from herobench.suites.discover.game.day import LORD, NEW_DAY, NEXT_LAND, Call, Exploration
from herobench.suites.discover.game.knowledge import Knowledge, readings_of
from herobench.suites.discover.game.land import HiddenLand
from herobench.suites.discover.game.laws import Choice
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.discover.game.plan import joined
from herobench.suites.discover.making.days import choices_of, forge_calls, lode_calls, lord_calls, whole_day
from herobench.suites.discover.making.halving import Design, Lab, State, lab_of

SHUFFLED = "shuffled"
_DEEDS = ("fight", "gather", "craft")


class Explorer(ABC):
    """Explores a land until it knows enough or no day is left."""

    def __init__(self, hidden: HiddenLand, days: int) -> None:
        self.land = hidden.land
        self.known = Knowledge.at_first(hidden.laws)
        self.calls: list[Call] = []
        self.days = 0
        """The days on which it tried something."""
        self._exploration, self._budget = Exploration([hidden], days), days

    @abstractmethod
    def choices(self) -> Sequence[Choice]:
        """Return what to choose today."""

    @abstractmethod
    def guess(self) -> Sequence[Choice]:
        """Return what to choose in the plan."""

    @property
    def lab(self) -> Lab:
        """The laws of the land as tables, which take long to make. Rote needs none."""
        return lab_of(self.known.laws)

    def is_done(self) -> bool:
        """Return whether nothing has to be found out any more."""
        return self.lab.chance(self.state) > 1 - 1e-9

    @property
    def state(self) -> State:
        """What is known, as the tables have it."""
        return tuple(table.mask(secrets) for table, secrets in zip(self.lab.tables, self.known.secrets, strict=True))

    def run(self) -> list[Call]:
        """Explore, and return the plan."""
        while self.days < self._budget and not self.is_done():
            if self.days:
                self._play([Call(NEW_DAY)])
            self.days += 1
            self.learn(self._play_day(self.choices()))
        return whole_day(self.land, self.guess())

    def learn(self, levels: Sequence[int]) -> None:
        """Take in a day: the level of each law that it got to."""
        self.known = self.known.after(readings_of(self._exploration.today))

    def _play_day(self, choices: Sequence[Choice]) -> list[int]:
        """Play today, law by law, and return the levels that it showed."""
        today = self._exploration.today
        levels: list[int] = []
        for write, choice in zip((lode_calls, forge_calls, lord_calls), choices, strict=False):
            calls = list(write(self.land, choice))
            cost = LORD if write is lord_calls else sum(call.name in _DEEDS for call in calls)
            if cost > today.strength:
                break
            self._play(calls)
            levels = [reading.level for reading in readings_of(today)]
            if any(level < law.full for level, law in zip(levels, self.known.laws.shown, strict=False)):
                break
        return levels

    def _play(self, calls: Iterable[Call]) -> None:
        played = list(calls)
        self.calls += played
        self._exploration.play(played)


class Experimenter(Explorer):
    """Designs the day that tells most."""

    def choices(self) -> Sequence[Choice]:
        """Return the best halving."""
        return self._as_choices(self.lab.best(self.state))

    def guess(self) -> Sequence[Choice]:
        """Return the likeliest plan."""
        return self._as_choices(self.lab.likeliest(self.state))

    def _as_choices(self, design: Design) -> Sequence[Choice]:
        return choices_of(self.lab, design)


class Sight(Experimenter):
    """Tries what is likeliest to win today, and concludes exactly: it designs no experiment."""

    def choices(self) -> Sequence[Choice]:
        """Return the likeliest plan."""
        return self.guess()


class Rote(Explorer):
    """Tries pair after pair of one law, in an order fixed beforehand, until it is full; then those of the next law."""

    def __init__(self, hidden: HiddenLand, days: int, chance: Random | None = None) -> None:
        super().__init__(hidden, days)
        self._pairs: list[list[Any]] = [list(law.pairs) for law in hidden.laws.shown]
        self._places = [0] * len(self._pairs)
        self._won = False
        for pairs in self._pairs if chance else ():
            chance.shuffle(pairs)  # type: ignore[union-attr]

    def choices(self) -> Sequence[Choice]:
        """Return the pairs that are next."""
        choices = list[Choice]()
        for pairs, place in zip(self._pairs, self._places, strict=True):
            pair = pairs[min(place, len(pairs) - 1)]
            choices += [Choice.of(frozenset(each)) for each in (pair if isinstance(pair[0], tuple) else (pair,))]
        return choices

    def guess(self) -> Sequence[Choice]:
        """Return the pairs that are next."""
        return self.choices()

    def is_done(self) -> bool:
        """Return whether the lord was beaten."""
        return self._won

    def learn(self, levels: Sequence[int]) -> None:
        """Go to the next pair of the first law that was not full."""
        self._won = self._exploration.today.won
        if not self._won:
            self._places[len(levels) - 1] += 1


class Tour(NamedTuple):
    """What explorers did in the lands of a mystery: the calls that they made, and the plan that they give."""

    explorers: Sequence[Explorer]
    calls: Sequence[Call]
    plan: Sequence[Call]

    @property
    def days(self) -> int:
        """The days on which something was tried."""
        return sum(explorer.days for explorer in self.explorers)

    def is_done(self) -> bool:
        """Return whether nothing has to be found out any more."""
        return all(explorer.is_done() for explorer in self.explorers)


def explore(mystery: Mystery, explorer_of: Callable[[HiddenLand, int], Explorer]) -> Tour:
    """Explore land after land, each until its explorer is done, with the days that those before it have left."""
    explorers, calls, plans, left = list[Explorer](), list[Call](), list[list[Call]](), mystery.days
    for hidden in mystery.lands:
        explorer = explorer_of(hidden, left)
        plans.append(explorer.run())
        if explorers and explorer.days:
            calls.append(Call(NEXT_LAND))
        calls += explorer.calls
        explorers.append(explorer)
        left -= explorer.days
    return Tour(explorers, calls, joined(plans))


def explore_as(kind: str, order: str, mystery: Mystery, epoch: int = 0) -> Tour:
    """Explore as a player does."""
    if kind == "rote":
        chance = Random(f"{mystery.id} {epoch}")  # noqa: S311 - the same game for the same task and epoch
        return explore(mystery, partial(Rote, chance=chance if order == SHUFFLED else None))
    return explore(mystery, Sight if kind == "sight" else Experimenter)


def first_plan(mystery: Mystery) -> list[Call]:
    """Return the plan that chooses the first two things of each medium."""
    return joined(
        whole_day(hidden.land, [Choice.of(frozenset(law.pairs[0])) for law in hidden.laws]) for hidden in mystery.lands
    )
