"""The gear of one course and the foes that it beats: numbers only, small enough that every loadout can be tried.

Each slot has three pieces: two that differ, and one whose every number lies halfway between theirs. The one between is
in the convex hull of the others, so no weighted sum of told numbers prefers it, whatever the weights. A foe is taken
only if each loadout that beats it has such a piece on, and few loadouts beat it. To beat it, the hero needs a balance
of attack and endurance, which has to be computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.combat_batch import Duels, Fighters, Numbers, duels, stat_rows
from herobench.suites.rpg.game.rules import USUAL_WARD, Rules, warding
from herobench.suites.rpg.game.world import Stats

SLOTS = ("weapon", "shield", "helmet", "body_armor", "leg_armor", "boots", "ring", "amulet")
"""The slots of a hero, the weapon first."""
ELEMENTS = 4
"""The number of elements. Gear and foes have a number for each of them."""
BETWEEN = 1
"""The number of the piece of each slot whose numbers lie halfway between those of the other two."""
PIECES = 3
"""The number of pieces for each slot."""
EMPTY = PIECES
"""The number of an empty slot, after the numbers of the pieces."""

Choice = tuple[int, ...]
"""A loadout: for each slot the number of the piece that is on, or EMPTY."""
Choices = NDArray[np.int8]
"""Loadouts, one row for each, one column for each slot."""
Shares = NDArray[np.float32]
"""Numbers by which foes are chosen. Half the bytes of others, since most of them are looked at once."""

_ATTACKS = range(12, 32)
"""Half of the attack of a weapon."""
_POWERS = range(10, 26)
"""Half of the sum of the numbers of another piece."""
_WEAPON_EFFECTS, _EFFECTS = (2, 2, 3), (2, 3, 3, 4)
_STRIKES = range(60, 141)
"""The attack of a foe over all elements. With few rounds it matters most whether a round more is survived."""
_STRUCK = (1, 2, 2, 3)
"""The numbers of elements that a foe attacks in."""
_RESISTANCES = (0, 0, 10, 20, 30, -10, -20)
_RANKS = (1, 1, 2, 3)
"""The places from the top of the loadout that a foe's health just allows to win."""
_MOST_WINNERS = 12
"""A foe that more loadouts beat is not taken."""
_BETTER = 250
"""The least number of losing loadouts with a better balance than every winning one."""
_PASSES = 3
"""The number of times that a player guesses gear by the worth of each piece."""
_BLOCK, _BLOCKS = 4, 125
"""The number of foes that are drawn at once, and how often, until one fits."""
_ABOUT = 1.001
"""More than what rounding changes a bound by."""
_SUMS = "fe,ec->fc"
"""The sums over elements for each foe and loadout. A product of matrices would start threads for so little."""


class CourseFoe(NamedTuple):
    """A monster and all loadouts that beat it."""

    stats: Stats
    winners: Choices


@dataclass(frozen=True)
class CourseArmory:
    """Three pieces for each slot, and slots that may stay empty."""

    pieces: Sequence[Sequence[Stats]]
    """The stats of the pieces of each slot."""
    hero: Stats
    """The stats of the hero without gear."""
    rules: Rules
    emptied: frozenset[int] = frozenset()
    """The slots that are empty at the start. The others never need to be: no piece has a number below 0, so a hero who
    wins with an empty slot wins with any piece in it, and to leave the piece on costs nothing."""

    @classmethod
    def draw(cls, hero: Stats, rules: Rules, rng: Random) -> CourseArmory:
        """Draw the pieces of all slots."""
        return cls([_pieces(slot == 0, rng) for slot in range(len(SLOTS))], hero, rules)

    @cached_property
    def choices(self) -> Choices:
        """All loadouts."""
        return _loadouts(self.emptied)

    @cached_property
    def _totals(self) -> Numbers:
        """The stats of the hero in each of the loadouts."""
        total = np.repeat(stat_rows([self.hero]), len(self.choices), axis=0)
        for slot, pieces in enumerate(self.pieces):
            rows = np.vstack([stat_rows(pieces), np.zeros((1, total.shape[1]))])
            total += rows[self.choices[:, slot]]
        return total

    @cached_property
    def _fighters(self) -> Fighters:
        return Fighters.of(self._totals)

    def winners(self, foe: Stats) -> Choices:
        """Return all loadouts that beat a foe."""
        winning: Choices = self.choices[self.beats(foe)]
        return winning

    def beats(self, foe: Stats) -> NDArray[np.bool_]:
        """Return for each loadout whether it beats a foe."""
        fighters = self._fighters
        if any(foe.damage) or foe.round_effects or np.any(fighters.round_effects):
            return self.duels(foe).won  # the bound does not know of these
        dealt, endurance = self._exchange(*(np.array([each], np.float32) for each in (foe.attack, foe.resistance)))
        # duels take longest, so those that cannot be won are left out; the bound is a little too high for its rounding
        strikes = np.minimum(np.floor(endurance[0] * _ABOUT) + 1, self.rules.rounds)
        hopeful = np.flatnonzero(dealt[0] * strikes * _ABOUT >= foe.hp)
        wins = np.zeros(len(fighters), bool)
        rules = self.rules
        fought = duels(fighters.some(hopeful), foe, rules.rounds, rules.first, rules.ward, rules.unit)
        wins[hopeful] = fought.won
        return wins

    def duels(self, foe: Stats) -> Duels:
        """Return the fight of each loadout with a foe."""
        return duels(self._fighters, foe, self.rules.rounds, self.rules.first, self.rules.ward, self.rules.unit)

    def with_empty(self, slots: frozenset[int]) -> CourseArmory:
        """Return the same gear, with slots that may stay empty."""
        return CourseArmory(self.pieces, self.hero, self.rules, slots)

    def foe(self, rng: Random) -> CourseFoe | None:
        """Draw a foe that few loadouts beat, each with a piece on that no weighted sum prefers.

        Many loadouts that lose have a better balance than all that win, so to guess the balance does not help.
        """
        for _ in range(_BLOCKS):
            numbers_drawn = [foe_numbers(rng) for _ in range(_BLOCK)]
            attacks, resistances = (np.array(numbers, np.float32) for numbers in zip(*numbers_drawn, strict=True))
            most, balance = self.most_dealt(attacks, resistances)
            for place, (attack, resistance) in enumerate(numbers_drawn):
                rank = rng.choice(_RANKS)
                stats = Stats(int(np.partition(most[place], -rank)[-rank]), attack, (0,) * ELEMENTS, resistance)
                # the duels take longest, so what they will say is looked at first
                if self._is_hard(most[place] >= stats.hp, balance[place]):
                    wins = self.beats(stats)
                    foe = CourseFoe(stats, self.choices[wins])
                    if self._is_hard(wins, balance[place]) and not self._is_guessed(foe):
                        return foe
        return None

    def most_dealt(self, attacks: Shares, resistances: Shares) -> tuple[Shares, Shares]:
        """Return what the hero deals until he falls, and his balance: a row for each foe, a column for each loadout."""
        dealt, endurance = self._exchange(attacks, resistances)
        # who strikes first strikes once more than he is struck
        struck = np.minimum(np.ceil(endurance) - (self.rules.first == "monster"), self.rules.rounds)
        return dealt * struck, dealt * endurance

    def _is_hard(self, wins: NDArray[np.bool_], balance: Shares) -> bool:
        """Return whether few loadouts win, each with a piece between on, and many that lose have a better balance."""
        if not 0 < wins.sum() <= _MOST_WINNERS or (balance[~wins] > balance[wins].max()).sum() < _BETTER:
            return False
        return bool((self.choices[wins] == BETWEEN).any(axis=1).all())

    def _is_guessed(self, foe: CourseFoe) -> bool:
        """Return whether a player beats a foe who weighs each piece by itself, and fights no fight.

        He adds up the shares by which a piece raises the damage dealt and the rounds survived. In each slot he takes
        the better of the two ends, but in one or two slots the piece between: where it is about as good to attack as
        to defend. The shares are those of the gear between, then of the gear that he took.
        """
        winners = {tuple(row) for row in foe.winners.tolist()}
        taken_from = [pieces[BETWEEN] for pieces in self.pieces]
        for _ in range(_PASSES):
            offence, defence = self._shares(foe.stats, taken_from)
            ends = np.where(offence + defence > 0, PIECES - 1, 0)
            rate = np.abs(np.log(np.maximum(np.abs(offence), 1e-9) / np.maximum(np.abs(defence), 1e-9)))
            alike = np.argsort(np.where(offence * defence < 0, rate, np.inf), kind="stable")
            guesses = [ends.copy() for _ in range(PIECES)]
            for number, guess in enumerate(guesses):
                guess[alike[:number]] = BETWEEN
            if any(tuple(guess.tolist()) in winners for guess in guesses):
                return True
            taken_from = [pieces[piece] for pieces, piece in zip(self.pieces, guesses[1].tolist(), strict=True)]
        return False

    def _shares(self, foe: Stats, worn: Sequence[Stats]) -> tuple[Numbers, Numbers]:
        """Return, for each slot, the shares by which its last piece raises offence and defence over its first one."""
        first, last = (Fighters.of(stat_rows(pieces[end] for pieces in self.pieces)) for end in (0, -1))
        hero = Fighters.of(stat_rows([self.hero, *worn]).sum(axis=0, keepdims=True))
        attack, through = hero.attack[0], 100 + hero.damage[0] - np.array(foe.resistance)
        dealt, damage_taken = attack @ through, np.array(foe.attack) @ (100 - hero.resistance[0])
        hits = (last.attack - first.attack) @ through + (last.damage - first.damage) @ attack
        wards = (last.resistance - first.resistance) @ np.array(foe.attack)
        # all sums are of whole numbers, and small enough to be exact in any order
        return hits / max(dealt, 1), (last.hp - first.hp) / hero.hp[0] + wards / max(damage_taken, 1)

    def _exchange(self, attacks: Shares, resistances: Shares) -> tuple[Shares, Shares]:
        """Return what the hero deals in a round, and the rounds that he survives.

        There is a row for each foe and a column for each of the loadouts. All sums are of whole numbers, and small
        enough to be exact.
        """
        attack, resistance, full_damage, health = self._halves
        if self.rules.ward != USUAL_WARD:
            resistances, resistance = (warding(each, self.rules.ward) for each in (resistances, resistance))
        dealt: Shares = (full_damage - np.einsum(_SUMS, resistances, attack)) / 100
        damage_taken: Shares = 100 * attacks.sum(axis=1, keepdims=True) - np.einsum(_SUMS, attacks, resistance)
        endurance: Shares = health / damage_taken.clip(1)
        return dealt, endurance

    @cached_property
    def _halves(self) -> tuple[Shares, Shares, Shares, Shares]:
        """The attack and the resistance of each loadout by element, and a hundred times its damage and health.

        The damage is that to a foe without resistance.
        """
        heroes = self._fighters
        full_damage = (heroes.attack * (100 + heroes.damage)).sum(axis=1)
        rows = (heroes.attack.T, heroes.resistance.T, full_damage, heroes.hp * 100)
        attack, resistance, dealt, health = (np.ascontiguousarray(each, np.float32) for each in rows)
        return attack, resistance, dealt, health


@lru_cache(maxsize=16)
def _loadouts(empty_slots: frozenset[int]) -> Choices:
    """Return all loadouts, where some slots may stay empty. They are shared, so nobody may write to them."""
    options = [range(PIECES + (slot in empty_slots)) for slot in range(len(SLOTS))]
    choices = np.array(list(product(*options)), np.int8)
    choices.setflags(write=False)
    return choices


def foe_numbers(rng: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Draw the attack and the resistance of a foe by element."""
    struck = set(rng.sample(range(ELEMENTS), rng.choice(_STRUCK)))
    strikes = rng.choice(_STRIKES)
    attack = tuple(strikes // len(struck) if element in struck else 0 for element in range(ELEMENTS))
    return attack, tuple(rng.choice(_RESISTANCES) for _ in range(ELEMENTS))


def _pieces(is_weapon: bool, rng: Random) -> list[Stats]:
    """Draw the pieces of a slot: two, and the one between them.

    All have the same effects, and the same sum of their numbers, so none looks better by itself.
    """
    power = rng.choice(_ATTACKS if is_weapon else _POWERS)
    # the numbers of a piece: health, then attack, damage and resistance by element
    possible = range(1, 1 + ELEMENTS) if is_weapon else (0, *range(1 + ELEMENTS, 1 + 3 * ELEMENTS))
    effects = rng.sample(possible, rng.choice(_WEAPON_EFFECTS if is_weapon else _EFFECTS))
    one, other = _split(power, len(effects), rng), _split(power, len(effects), rng)
    # at least a quarter of the way between two that have nothing in common
    while sum(abs(a - b) for a, b in zip(one, other, strict=True)) < power:
        other = _split(power, len(effects), rng)
    between = [(a + b) // 2 for a, b in zip(one, other, strict=True)]
    return [_stats(dict(zip(effects, values, strict=True))) for values in (one, between, other)]


def _stats(numbers: Mapping[int, int]) -> Stats:
    values = [numbers.get(place, 0) for place in range(1 + 3 * ELEMENTS)]
    attack, damage, resistance = (tuple(values[1 + ELEMENTS * part :][:ELEMENTS]) for part in range(3))
    return Stats(values[0], attack, damage, resistance)


def _split(power: int, number: int, rng: Random) -> list[int]:
    """Share power out over a number of effects, two or a multiple of it for each, so that the middle is exact."""
    cuts = sorted(rng.sample(range(1, power), number - 1))
    return [2 * (high - low) for low, high in zip([0, *cuts], [*cuts, power], strict=True)]
