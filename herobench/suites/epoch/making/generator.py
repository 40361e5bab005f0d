"""Draws levels: as a graph of dependencies, grown until the proven length of a shortest solution is the one wanted.

A draft begins with a goal and grows by gadgets. After each, a search proves its length. What is missing to the wanted
length at last is added by corridors. A draft that grows too long, or whose proof would take too many states, is thrown
away. Every level is solvable, since gadgets never close what opens them, and since its solution is its certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import permutations
from random import Random
from typing import Annotated, Any

from herobench.data.errors import UsageError
from herobench.data.options import Option, least_and_most
from herobench.pddl import GroundAction, SearchLimits
from herobench.suite.generating import GenerateRequest, Numbered, TaskGenerator
from herobench.suites.epoch.game.level import Level, Unstable, actions
from herobench.suites.epoch.game.world import digest, level_world
from herobench.suites.epoch.making.draft import JUNK, SENTENCES, TREASURES, DraftSpent, LevelDraft, spell
from herobench.suites.epoch.making.gadgets import begin, harden
from herobench.suites.epoch.making.proof import level_limits, milestones_on
from herobench.suites.epoch.making.prover import levers_last, shortest_plan
from herobench.suites.epoch.refusals import EpochFault

Answer = Mapping[str, str]
"""The key of each lock."""
Clue = tuple[str, Callable[[Answer], bool]]
"""A sentence, and whether it is true of an answer."""
_MOST_KEYS = 7
"""The most keys: the answers are looked at one by one."""


def clues_for(answer: Answer, keys: Sequence[str], epochs: Mapping[str, str], chance: Random) -> list[str] | None:
    """Return clues from which the answer follows; None if there are too few locks or too many keys for a riddle.

    `epochs` has the epoch in which each key is kept at first, and that of each lock.
    """
    locks = list(answer)
    if len(locks) < 2 or len(keys) > _MOST_KEYS:
        return None
    answers: list[Answer] = [dict(zip(locks, key_order, strict=True)) for key_order in permutations(keys, len(locks))]
    clues = ["Each lock has exactly one key that fits, and no key fits two locks."]
    sentences = list(_clues(answer, keys, epochs, chance))
    chance.shuffle(sentences)
    sentences.sort(key=lambda clue: clue[0].startswith("The key to"))  # what names a key outright comes last
    for text, holds in sentences:
        rest = [other for other in answers if holds(other)]
        if len(rest) < len(answers):
            answers = rest
            clues.append(text)
        if len(answers) == 1:
            return clues
    return None


def _clues(answer: Answer, keys: Sequence[str], epochs: Mapping[str, str], chance: Random) -> Iterator[Clue]:
    """Yield true clues."""
    if all(epochs[key] != epochs[lock] for lock, key in answer.items()):
        yield (
            "No lock has its key in its own epoch at first.",
            lambda other: all(epochs[key] != epochs[lock] for lock, key in other.items()),
        )
    for lock, key in answer.items():
        yield _epoch_clue(lock, epochs[key], epochs)
        yield _one_of(lock, sorted([key, chance.choice([other for other in keys if other != key])]))
        yield _just(lock, key)
    for key in keys:
        for lock in answer:
            if answer[lock] != key:
                yield _not(lock, key)


def _epoch_clue(lock: str, epoch: str, epochs: Mapping[str, str]) -> Clue:
    return f"What opens the {spell(lock)} is kept in the {epoch} at first.", lambda one: epochs[one[lock]] == epoch


def _one_of(lock: str, keys: Sequence[str]) -> Clue:
    alternatives = " or the ".join(map(spell, keys))
    return f"What opens the {spell(lock)} is the {alternatives}.", lambda one: one[lock] in keys


def _not(lock: str, key: str) -> Clue:
    return f"The {spell(key)} does not open the {spell(lock)}.", lambda one: one[lock] != key


def _just(lock: str, key: str) -> Clue:
    return f"The key to the {spell(lock)} is the {spell(key)}.", lambda one: one[lock] == key


def add_decoys(draft: LevelDraft) -> None:
    """Add things that nobody needs, keys that fit nothing, and places at the end of a way."""
    chance = draft.chance
    for region in draft.regions:
        for _ in range(chance.randint(0, 2)):
            draft.site(region)
        for _ in range(chance.randint(0, 2)):
            draft.lay(draft.thing("item", JUNK + TREASURES), draft.site(region))
    for _ in range(chance.randint(1, 2)):
        draft.lay(draft.key(), draft.site(chance.choice(draft.regions)))


FADES, UNTIL = "lever-pulled", "(clocks-aligned)"
_SLACK = 1
"""The most actions by which levers stay down longer than the solution needs."""


def unstable_for(plan: Sequence[GroundAction], chance: Random) -> Unstable:
    """Return how long levers stay down: so long that a plan whose levers come last is in time."""
    pulls = [number for number, action in enumerate(plan) if action.name == "pull-lever"]
    return Unstable(FADES, max(1, pulls[-1] - pulls[0] + chance.randint(0, _SLACK)), UNTIL)


LEAST, LEAST_DECAY, MOST = 2, 6, 60
"""The lengths for which levels are drawn. Three levers that fade need more actions than other goals."""
FEWEST, MOST_PEOPLE = 2, 6


@dataclass(frozen=True, slots=True)
class LevelQuery:
    """What levels are asked for. Level number n depends on this and on n only."""

    lengths: tuple[int, int] = (12, 40)
    """The least and the greatest length of a shortest solution. All between are as likely."""
    people: int = 3
    decay: bool = False
    """Whether three levers, which spring back, have to be down at once."""
    riddles: bool = False
    """Whether it is not told which key fits which lock, where a level has locks enough. Clues tell it then."""
    seed: int = 0
    rungs: tuple[int, ...] = ()
    """The lengths that take turns; none if lengths are drawn."""

    def __post_init__(self) -> None:
        least, most = self.lengths
        lowest = LEAST_DECAY if self.decay else LEAST
        if not lowest <= least <= most <= MOST:
            raise UsageError(EpochFault.BAD_LENGTHS, lowest=lowest, longest=MOST, least=least, most=most)
        if not FEWEST <= self.people <= MOST_PEOPLE:
            raise UsageError(EpochFault.BAD_PEOPLE, fewest=FEWEST, most=MOST_PEOPLE, people=self.people)


_STATES = SearchLimits(states=250)
"""The limit of a proof."""
_DRAFTS = 1000
_LONGEST_GADGET = 9
"""Most gadgets make a solution longer by less than this."""
_EASY, _EASY_CLOCKS = 12, 40
"""Up to this length, things may be as near to where they are needed as can be. Three levers need more anyway."""
_MOST_CORRIDORS = 5
"""The most corridors that are added, in short levels fewer. With three levers a quarter of the length may be corridors:
people who work side by side make proofs long, and corridors do not.
"""
_SENTENCES = 3
"""The most sentences beside the one on the goal."""
_ALWAYS = ("move", "take", "drop", "send")
"""Tools that every level has."""


def level(query: LevelQuery, number: int) -> Level:
    """Return the level of a number, from 1. It depends on what is wanted and on the number only."""
    name = f"{query.seed}-{number}"
    least, most = query.lengths
    if query.rungs:
        length = query.rungs[(number - 1) % len(query.rungs)]
    else:
        length = _source(query, number, "length").randint(least, most)
    for attempt in range(_DRAFTS):
        chance = _source(query, number, attempt)
        try:
            if level_drawn := _Drawing(query, name, length, chance).level():
                return level_drawn
        except DraftSpent:
            continue
    raise UsageError(EpochFault.NO_DRAFT, length=length, people=query.people, drafts=_DRAFTS)


def levels(query: LevelQuery, numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a levels file."""
    for number in numbers:
        yield level(query, number).as_row()


def _source(query: LevelQuery, number: int, use: object) -> Random:
    options = (*query.lengths, query.people, query.decay, query.riddles, query.seed, *query.rungs)
    return Random(f"{options} {number} {use}")  # noqa: S311 - the same level for the same number


class _Drawing:
    """One try at a level of some length."""

    def __init__(self, query: LevelQuery, name: str, length: int, chance: Random) -> None:
        self._query, self._name, self._length, self._chance = query, name, length, chance
        easy = _EASY_CLOCKS if query.decay else _EASY
        self._draft = LevelDraft(chance, query.people, chance.random() * min(1, easy / length))

    def level(self) -> Level | None:
        """Return a level of just the length; None if the draft came to nothing."""
        begin(self._draft, clocks=self._query.decay)
        for _ in range(self._chance.randint(0, 0 if self._query.decay else self._length // _LONGEST_GADGET)):
            harden(self._draft)
        while True:
            plan = shortest_plan(self._bare(), _STATES, self._length).plan
            if plan is None:  # it is too long, or not proven
                return None
            if self._length - len(plan) <= self._most_corridors:
                return self._finish(plan)
            harden(self._draft)

    @property
    def _most_corridors(self) -> int:
        if self._query.decay:
            return 1 + self._length // 4
        return min(_MOST_CORRIDORS, 1 + self._length // 6)

    def _finish(self, plan: Sequence[GroundAction]) -> Level | None:
        """Return the level, lengthened by what is missing; None if that does not give the length."""
        if len(plan) < self._length:
            self._lengthen(plan)
        add_decoys(self._draft)
        bare = self._bare()
        optimal = shortest_plan(bare, _STATES, self._length).plan
        if optimal is None or len(optimal) != self._length:
            return None
        return self._certify(bare, optimal)

    def _lengthen(self, plan: Sequence[GroundAction]) -> None:
        """Put corridors between places that the plan passes once."""
        moves = [frozenset(action.args[1:]) for action in plan if action.name == "move"]
        once = [edge for edge in self._draft.edges if moves.count(frozenset(edge)) == 1]
        if not once:
            raise DraftSpent
        for _ in range(self._length - len(plan)):
            number = self._chance.randrange(len(once))
            start, end = once[number]
            once[number] = (self._draft.lengthen(start, end), end)

    def _bare(self) -> Level:
        """Return the draft as a level that can be searched, without words and limits."""
        problem = self._draft.problem(f"epoch-{self._name}")
        return Level(self._name, self._name, "", "", (), problem, actions(), (), (), None, 1, 1, 1, ())

    def _certify(self, bare: Level, plan: Sequence[GroundAction]) -> Level:
        """Return the level with its words and its certificate."""
        world, unstable = level_world(bare), None
        if self._query.decay:
            plan = levers_last(world, world.initial, plan)
            unstable = unstable_for(plan, self._chance)
        clues = self._clues() if self._query.riddles else None
        names = {action.name for action in world.grounded.actions}
        max_steps, window = level_limits(len(plan))
        return replace(
            bare,
            title=self._draft.title,
            brief=self._brief(),
            clues=tuple(clues or ()),
            tools=tuple(tool for tool in bare.tools if tool in _ALWAYS or tool in names),
            milestones=milestones_on(world, plan),
            hidden=("fits",) if clues else (),
            unstable=unstable,
            max_steps=max_steps,
            stagnation_window=window,
            optimal=len(plan),
            reference_plan=tuple(map(str, plan)),
        )

    def _brief(self) -> str:
        """Return the sentence on the goal and some of the others."""
        goal, *others = self._draft.sentences
        numbers = sorted(self._chance.sample(range(len(others)), min(_SENTENCES, len(others))))
        last = [self._chance.choice(SENTENCES["fading"])] if self._query.decay else []
        return " ".join([goal, *(others[number] for number in numbers), *last])

    def _clues(self) -> list[str] | None:
        draft = self._draft
        keys = [thing for thing, kind in draft.objects.items() if kind == "key"]
        return clues_for(draft.key_of, keys, draft.epoch_of, self._chance)


_LENGTH = "The length of a shortest solution, in actions. The lengths of a list take turns."


def _lengths(text: str) -> tuple[int, ...]:
    """Return the least and the greatest length, or three or more lengths that take turns."""
    bounds = least_and_most(text)
    if bounds is not None:
        return bounds
    parts = text.split(",")
    if len(parts) > 2 and all(part.isascii() and part.isdecimal() and len(part) < 5 for part in parts):
        return tuple(map(int, parts))
    raise ValueError("give a length such as 20, the least and the greatest such as 12-40, or a list such as 6,12,24")


@dataclass(frozen=True, slots=True)
class LevelOptions:
    """The options by which users choose the levels that are made."""

    length: Annotated[
        tuple[int, ...], Option(_LENGTH, metavar="N|N-M|N,N,...", shown="12-40", read=_lengths, is_length=True)
    ] = (12, 40)
    people: Annotated[int, Option("How many people the player directs.", metavar="N", least=0, most=9_999)] = 3
    decay: Annotated[bool, Option("Three levers, which spring back, have to be down at once.")] = False
    riddles: Annotated[bool, Option("Clues tell which key fits which lock, and nothing else does.")] = False


class EpochGenerator(TaskGenerator):
    """Makes levels with proven lengths."""

    count = 20
    worth = 5
    options = LevelOptions

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return levels by their numbers."""
        query = _level_query(request)
        lengths = list(query.rungs or query.lengths)
        identity = {**asdict(query), "lengths": lengths, "world": digest()}
        del identity["rungs"]
        return Numbered(partial(row, query), identity, numbers=range(request.count or self.count))


def _level_query(request: GenerateRequest) -> LevelQuery:
    options: LevelOptions = request.options
    rungs = options.length if len(options.length) > 2 else ()
    bounds = min(options.length), max(options.length)
    return LevelQuery(bounds, options.people, options.decay, options.riddles, request.seed, rungs)


def row(query: LevelQuery, number: int) -> dict[str, Any]:
    """Return the row of a level by its number from 0."""
    return level(query, number + 1).as_row()
