"""The best halving: which day splits the worlds that remain most evenly, exactly.

Each law is a table: a row for each choice that a day can make in its medium, a column for each secret, and the level.
A day goes on to the next law only at a full level and with strength left. So its worth is the sum of what each law
shows, weighted by the chance that the day gets there, and the best day is found from the last law to the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from herobench.suites.discover.game.day import LORD, STRENGTH
from herobench.suites.discover.game.land import RING_SLOTS
from herobench.suites.discover.game.laws import AnyChoice, AnySecret, Choice, JointChoice, JointLaw, Laws, ShownLaw

Mask = bytes
"""The secrets of a law that remain: a byte for each, in the order of `Law.secrets`."""
Numbers = NDArray[np.float64]
_PAIRS, _SECRETS = 0.6, 0.4
"""The weights of what a choice tells of the wanted pair, which a plan needs, and of the whole secret."""
_SMALL = 1e-6


class Split(NamedTuple):
    """The secrets that remain after a level was shown."""

    level: int
    mask: Mask
    share: float


class LawTable:
    """All choices of a day under a law, cheapest first, with the level of each under each secret."""

    def __init__(self, law: ShownLaw, is_last: bool) -> None:
        self.law = any_law = cast(Any, law)
        every = sorted(_choices(law, is_last), key=_size)
        levels = np.array([[any_law.level(secret, choice) for secret in law.secrets] for choice in every], np.int8)
        # of choices that show the same under every secret, the cheapest is enough
        _, first = np.unique(levels, axis=0, return_index=True)
        rows = np.sort(first)
        self.levels: NDArray[np.int8] = levels[rows]
        self.choices: Sequence[AnyChoice] = [every[number] for number in rows]
        self.cost = np.array([_strength(choice, is_last) for choice in self.choices])
        """The strength that each choice takes, with the deed that shows its level."""
        pairs = {pair: number for number, pair in enumerate(law.pairs)}
        self._pair_of = np.array([pairs[secret.wanted] for secret in law.secrets])
        self._is_pair = np.eye(len(pairs))[self._pair_of]
        exact = {choice: number for number, choice in enumerate(self.choices)}
        self._exact = [exact[_exactly(pair)] for pair in law.pairs]
        self._worths: dict[Mask, tuple[Numbers, Numbers]] = {}
        self._likeliest: dict[Mask, tuple[float, int]] = {}
        self._splits: dict[tuple[Mask, int], tuple[Split, ...]] = {}

    @cached_property
    def whole(self) -> Mask:
        """All secrets."""
        return self.mask(self.law.secrets)

    def mask(self, secrets: Iterable[AnySecret]) -> Mask:
        """Return some secrets as a mask."""
        remaining = set(secrets)
        return np.array([secret in remaining for secret in self.law.secrets]).tobytes()

    def worths(self, mask: Mask) -> tuple[Numbers, Numbers]:
        """Return, for each choice, what it tells in bits and the chance of the full level."""
        if mask not in self._worths:
            self._worths[mask] = self._weigh(np.frombuffer(mask, bool))
        return self._worths[mask]

    def _weigh(self, remaining: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        levels, pairs = self.levels[:, remaining], self._is_pair[remaining]
        count = levels.shape[1]
        bits = np.full(len(levels), _PAIRS * _entropy(pairs.sum(0)[None] / count)[0])
        for level in range(self.law.full + 1):
            counts = (levels == level).astype(np.float64) @ pairs
            chance = counts.sum(1) / count
            bits -= _PAIRS * chance * _entropy(counts / np.maximum(counts.sum(1, keepdims=True), 1))
            bits -= _SECRETS * chance * np.log2(np.where(chance > 0, chance, 1))
        return bits, (levels == self.law.full).mean(1)

    def likeliest(self, mask: Mask) -> tuple[float, int]:
        """Return the chance of the likeliest pair, and the number of the choice of exactly this pair."""
        if mask not in self._likeliest:
            counts = np.bincount(self._pair_of[np.frombuffer(mask, bool)], minlength=len(self._exact))
            self._likeliest[mask] = float(counts.max() / counts.sum()), self._exact[int(counts.argmax())]
        return self._likeliest[mask]

    def split(self, mask: Mask, choice: int) -> tuple[Split, ...]:
        """Return what remains after each level that a choice may show."""
        if (mask, choice) not in self._splits:
            self._splits[mask, choice] = tuple(self._split(np.frombuffer(mask, bool), choice))
        return self._splits[mask, choice]

    def _split(self, remaining: NDArray[np.bool_], choice: int) -> Iterator[Split]:
        for level in range(self.law.full + 1):
            after = remaining & (self.levels[choice] == level)
            if after.any():
                yield Split(level, after.tobytes(), float(after.sum() / remaining.sum()))


def _entropy(shares: Numbers) -> Numbers:
    bits: Numbers = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(1)
    return bits


def _choices(law: ShownLaw, is_last: bool) -> list[AnyChoice]:
    if isinstance(law, JointLaw):
        wares = [Choice.of(frozenset(pair)) for pair in law.forge.pairs]
        return [JointChoice(*both) for both in product(wares, _worn(law.rings.things))]
    return list(_worn(law.things) if is_last else _taken(law.things))


def _size(choice: AnyChoice) -> int:
    """Return how many things a choice has."""
    return sum(map(_size, choice)) if isinstance(choice, JointChoice) else len(choice.touched)


def _strength(choice: AnyChoice, is_last: bool) -> int:
    """Return the strength that a choice takes, with the deed that shows its level. Rings are worn for nothing."""
    if isinstance(choice, JointChoice):
        return len(choice.wares.whole) + 1 + LORD
    return LORD if is_last else len(choice.touched) + 1


def _exactly(pair: Any) -> AnyChoice:
    """Return the choice of the things that are wanted, and of no others."""
    if isinstance(pair[0], tuple):
        return JointChoice(*(Choice.of(frozenset(each)) for each in pair))
    return Choice.of(frozenset(pair))


def _taken(things: int) -> Iterator[Choice]:
    for chosen in product((False, True), repeat=things):
        yield Choice.of(frozenset(number for number, is_taken in enumerate(chosen) if is_taken))


def _worn(things: int) -> Iterator[Choice]:
    for counts in product(range(3), repeat=things):
        if sum(counts) <= RING_SLOTS:
            whole, touched = (frozenset(n for n, count in enumerate(counts) if count >= least) for least in (2, 1))
            yield Choice(whole, touched)


State = tuple[Mask, ...]
"""The secrets of each law that remain."""
Design = tuple[int, ...]
"""The number of the choice that a day makes for each law, as far as its strength goes."""


class Lab:
    """The laws of a land as tables, and the days that can be designed for what is known."""

    def __init__(self, laws: Laws) -> None:
        self.laws = laws
        last = len(laws.shown) - 1
        self.tables = tuple(LawTable(law, number == last) for number, law in enumerate(laws.shown))

    @property
    def at_first(self) -> State:
        """What is known before the first day."""
        return tuple(table.whole for table in self.tables)

    def chance(self, state: State) -> float:
        """Return the chance that the likeliest plan wins."""
        return prod(table.likeliest(mask)[0] for table, mask in zip(self.tables, state, strict=True))

    def likeliest(self, state: State) -> Design:
        """Return the day that chooses the likeliest pair of each law, and nothing else."""
        return tuple(table.likeliest(mask)[1] for table, mask in zip(self.tables, state, strict=True))

    def best(self, state: State) -> Design:
        """Return the day that tells most."""
        return self._best(state, 0, STRENGTH, {})[1]

    def _best(
        self, state: State, number: int, strength: int, known: dict[tuple[int, int], tuple[float, Design]]
    ) -> tuple[float, Design]:
        """Return what the rest of a day tells at most, from a law on and with some strength left, and its choices."""
        if number == len(self.tables):
            return 0.0, ()
        if (number, strength) in known:
            return known[number, strength]
        table = self.tables[number]
        tells, passes = table.worths(state[number])
        then = {
            cost: self._best(state, number + 1, strength - cost, known)
            for cost in sorted({*table.cost.tolist()})
            if cost <= strength
        }
        best: tuple[float, Design] = (0.0, ())
        if then:
            further = np.array([then[cost][0] if cost in then else 0.0 for cost in table.cost.tolist()])
            worth = np.where(table.cost <= strength, tells + passes * (further + _SMALL), -1.0)
            choice = int(worth.argmax())
            best = float(worth[choice]), (choice, *then[int(table.cost[choice])][1])
        known[number, strength] = best
        return best

    def after(self, state: State, design: Design) -> Iterator[tuple[State, float]]:
        """Yield the states that a day may lead to, with their chances."""

        def meet(number: int, before: State, chance: float) -> Iterator[tuple[State, float]]:
            table = self.tables[number]
            for level, mask, share in table.split(state[number], design[number]):
                now = (*before, mask)
                if level == table.law.full and number + 1 < len(design):
                    yield from meet(number + 1, now, chance * share)
                else:
                    yield (*now, *state[number + 1 :]), chance * share

        return meet(0, (), 1.0)


@lru_cache(maxsize=32)
def lab_of(laws: Laws) -> Lab:
    """Return the lab of some laws. It is shared, since it keeps what it weighed."""
    return Lab(laws)
