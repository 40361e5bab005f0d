"""Draws courses of a wanted length.

A piece that the hero lacks is needed if no loadout without it wins some goal. A course is taken only if its plan makes
needed pieces and no others, so every way to win has to make them. Pieces that the hero lacks but does not need look the
same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from herobench.suites.discover.courses.armory import EMPTY, PIECES, SLOTS, Choice, CourseArmory, CourseFoe
from herobench.suites.discover.courses.course import (
    GEMS,
    PRODUCTS,
    Aim,
    Changes,
    Course,
    CourseMaterial,
    Piece,
    PlannedFight,
    Recipe,
    effort,
    fewest_changes,
    first_uses,
    foes_in,
)
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Stats

TOLERANCE = 0.15
"""The accepted distance from the wanted length, as a share of it; one action is always accepted."""
_DRAWS = 3000
"""The number of draws after which the search for courses of the wanted length ends."""
_WORKS = 12
"""The number of times that the work of a course is drawn for the same fights."""
_MOST_FOES = 24
_GOALS_A_FOE = 4
"""About the number of goals of a course for each of its foes."""
_A_GOAL = 10
"""About the number of actions that a goal takes."""
_CRAFT_SHARES = (0.0, 0.25, 0.5)
"""The shares of goals that are crafts, turn by turn."""
_STARTS = 12
"""The number of starts that are drawn for the foes of a short course, since these foes are hard to find."""
_SHORT = 16
"""Shorter courses have one to three fights, and several starts are drawn for their foes."""
_TWO_GOALS = 8
"""Shorter courses have one goal."""
_MAKES_FROM = 40
"""In shorter courses the hero has all told gear."""
_MOST_HUNTS = 2


def draw_courses(hero: Stats, rules: Rules, target_length: int, turn: int, rng: Random) -> Iterator[Course]:
    """Yield courses of a wanted length. Those with the same fights and other work come one after another.

    A player who climbs or adds up shares may win them, given the true numbers.
    """
    for _ in range(_DRAWS):
        for course in _Draw(hero, rules, target_length, turn, rng).courses():
            if abs(course.actions - target_length) <= max(1, TOLERANCE * target_length):
                yield course


class _Draw:
    """One draw of a course."""

    def __init__(self, hero: Stats, rules: Rules, target_length: int, turn: int, rng: Random) -> None:
        self._wanted = target_length
        self._rng = rng
        self._crafts = _CRAFT_SHARES[turn % len(_CRAFT_SHARES)] if target_length >= _MAKES_FROM else 0.0
        self._makes = target_length >= _MAKES_FROM and turn % 4 != 3
        self._armory = CourseArmory.draw(hero, rules, rng)
        self._foes: list[CourseFoe] = []

    def courses(self) -> Iterator[Course]:
        """Yield the courses of this draw: short ones from several starts, long ones with several works."""
        count = max(1, min(_MOST_FOES, round(self._wanted / _A_GOAL / _GOALS_A_FOE) + self._rng.randint(1, 2)))
        if not self._has_foes(count):
            return
        state_before = self._armory, self._foes
        for _ in range(_STARTS if self._wanted < _SHORT else 1):
            self._armory, self._foes = state_before
            yield from self._from(self._start())

    def _from(self, start: Choice) -> Iterator[Course]:
        """Yield courses from the worn gear at the start, with their work drawn several times."""
        aims = self._aims(start)
        if not aims:
            return
        changes = self._changes(start, aims)
        plain = Course(self._armory, self._foes, aims, start, lazy(self._foes, start, changes.fights), changes.cost)
        if not self._makes:
            yield plain
            return
        works = (self._with_work(plain) for _ in range(_WORKS))
        yield from (course for course in works if course)

    def _has_foes(self, count: int) -> bool:
        """Draw the foes, and return whether there are enough."""
        for _ in range(1 if self._wanted < _TWO_GOALS else count + 1 + _MOST_HUNTS * self._makes):
            foe = self._armory.foe(self._rng)
            if foe is None:
                return False
            self._foes.append(foe)
        return True

    def _start(self) -> Choice:
        """Draw the worn gear at the start: in a short course nearly the gear for the first fight."""
        is_short = self._wanted < 3 * _A_GOAL
        first = self._foes[0].winners if is_short else self._foes.pop().winners
        worn = [int(piece) for piece in self._rng.choice(first.tolist())]
        return self._alter(worn) if is_short else tuple(worn)

    def _alter(self, worn: list[int]) -> Choice:
        """Change a few slots of a loadout for a short course; one slot may become empty."""
        rng = self._rng
        changes = max(1, (self._wanted - 2) // 2)
        slots = rng.sample(range(len(SLOTS)), min(len(SLOTS), rng.randint(max(1, changes // 2), changes)))
        for slot in slots:
            worn[slot] = rng.choice([piece for piece in range(PIECES) if piece != worn[slot]])
        if self._wanted % 2 or rng.random() < 0.3:
            (slot,) = rng.sample(range(1, len(SLOTS)), 1)
            worn[slot] = EMPTY
            self._armory = self._armory.with_empty(frozenset({slot}))
            self._foes = [CourseFoe(foe.stats, self._armory.winners(foe.stats)) for foe in self._foes]
        return tuple(worn)

    # -- goals ------------------------------------------------------------------------------------------------------

    def _aims(self, start: Choice) -> list[Aim]:
        """Draw goals until the course is as long as wanted."""
        foes = len(self._foes) - _MOST_HUNTS * self._makes
        aims: list[Aim] = []
        length, budget = 0, self._wanted - (16 if self._makes else 0)
        last = -1
        for _ in range(4 * self._wanted):
            if length >= budget:
                break
            aim = self._next(foes, aims)
            if aim is None:
                break
            if aim.kind == "kill":
                # The fewest actions between any loadouts that win the two fights.
                now = np.array([start], np.int8) if last < 0 else self._foes[last].winners
                change = int(effort(now, self._foes[aim.number].winners).min())
                if change == 0:
                    continue
                last = aim.number
                length += change
            aims.append(aim)
            length += 2
        return aims

    def _next(self, foes: int, aims: Sequence[Aim]) -> Aim | None:
        """Draw a goal that does not repeat the last ones."""
        rng = self._rng
        for _ in range(30):
            is_craft = bool(aims) and rng.random() < self._crafts
            aim = Aim("craft", rng.randrange(len(PRODUCTS))) if is_craft else Aim("kill", rng.randrange(foes))
            if aim.kind == "kill" and foes_in(aims)[-1:] == [aim.number]:
                continue
            if not repeats_itself([*aims, aim]):
                return aim
        return None

    def _changes(self, start: Choice, aims: Sequence[Aim], deadlines: Mapping[int, int] | None = None) -> Changes:
        return fewest_changes(start, [foe.winners for foe in self._foes], foes_in(aims), deadlines or {})

    # -- the work for gear that the hero lacks ----------------------------------------------------------------------

    def _with_work(self, course: Course) -> Course | None:
        """Return the same course for a hero who lacks some gear: needed pieces, and others that look the same."""
        rng = self._rng
        kills, first = foes_in(course.aims), first_uses(course)
        due = {piece: when for piece in first if (when := self._due(piece, kills)) is not None}
        slots = rng.sample(range(len(SLOTS)), rng.randint(2, 5))
        needed = [piece for piece in due if piece[0] in slots]
        if not needed:
            return None
        worn = set(enumerate(course.start))
        unused = [piece for slot in slots for piece in ((slot, n) for n in range(PIECES)) if piece not in first]
        lacking = sorted({*needed, *(piece for piece in unused if piece not in worn)})
        rng.shuffle(lacking)
        hunters = list(range(len(self._foes) - _MOST_HUNTS, len(self._foes)))
        # The plan puts these pieces on only when every way to win has to.
        prizes = [piece for piece in needed[::-1] if first[piece] == due[piece] > 0]
        hunted = dict(zip(prizes, hunters, strict=False))
        deadlines = {foe: due[piece] for piece, foe in hunted.items()}
        # As many pieces that are not needed take the same drops.
        hunted |= dict(zip([piece for piece in lacking if piece not in needed], hunters, strict=False))
        changes = self._changes(course.start, course.aims, deadlines)
        longer = replace(
            course,
            fights=lazy(self._foes, course.start, changes.fights),
            cost=changes.cost,
            recipes={piece: self._recipe(piece, hunted) for piece in lacking},
            hunted=hunted,
            needed=frozenset(needed),
        )
        return longer if self._holds(longer) else None

    def _due(self, piece: Piece, kills: Sequence[int]) -> int | None:
        """Return the number of the first fight that no loadout without a piece wins; None if there is none."""
        slot, number = piece
        return next((at for at, foe in enumerate(kills) if (self._foes[foe].winners[:, slot] == number).all()), None)

    def _recipe(self, piece: Piece, hunted: Mapping[Piece, int]) -> Recipe:
        """Draw a recipe, with a drop or with gems."""
        rng = self._rng
        base = PRODUCTS[rng.randrange(len(PRODUCTS))]
        recipe: Counter[CourseMaterial] = Counter({base: rng.randint(2, 6)})
        if piece in hunted:
            recipe[CourseMaterial("drop", hunted[piece])] = 1
        else:
            recipe[CourseMaterial("gem", rng.randrange(GEMS))] = rng.randint(1, 3)
        return recipe

    def _holds(self, course: Course) -> bool:
        """Return whether the plan uses no lacking piece that is not needed, nor one before its hunt."""
        uses = first_uses(course)
        if any(piece in course.recipes and piece not in course.needed for piece in uses):
            return False
        beaten: set[int] = set()
        for fight in course.fights:
            for piece in enumerate(fight.worn):
                if piece in course.hunted and course.hunted[piece] not in beaten:
                    return False
            if fight.is_hunt:
                beaten.add(fight.foe)
        return True


def repeats_itself(order: Sequence[object]) -> bool:
    """Return whether a list ends with the same run of things twice in a row."""
    length = len(order)
    # Both runs end with the same thing.
    sizes = (size for size in range(1, length // 2 + 1) if order[-1 - size] == order[-1])
    return any(order[length - 2 * size : length - size] == order[length - size :] for size in sizes)


def lazy(foes: Sequence[CourseFoe], start: Choice, fights: Sequence[PlannedFight]) -> list[PlannedFight]:
    """Return the same fights, but the hero changes each slot only when he has to. It costs no more."""
    now, fights_planned = start, list[PlannedFight]()
    for fight in fights:
        now = min(_ways(foes[fight.foe], now, fight.worn))[1]
        fights_planned.append(fight._replace(worn=now))
    return fights_planned


def _ways(foe: CourseFoe, now: Choice, then: Choice) -> Iterator[tuple[int, Choice]]:
    """Yield the loadouts between two that beat a foe, with the number of slots that change."""
    for row in foe.winners.tolist():
        way = tuple(row)
        if all(piece in (old, new) for piece, old, new in zip(way, now, then, strict=True)):
            yield sum(piece != old for piece, old in zip(way, now, strict=True)), way
