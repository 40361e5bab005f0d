"""Makes mysteries: draws a told world with a course in it, and then a true world that differs from it.

The told world is drawn first, with its task and the kinds that monsters may be of; it does not depend on the truth. It
is used only if no plan wins in more than a small share of its possible worlds (`possible`). Then truths are drawn from
a prior until one is admissible:

- The best plan for the told world loses. So does the best plan for a world that lacks one of the changes.
- The winning plan has a proven length.
- Experiments tell the truth from every rival, and one fight does not reveal two or more changes.

So this code tells its reader nothing about a truth beyond the prior and these conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Annotated, Any

from herobench.data.errors import UsageError
from herobench.data.options import Option, least_and_most
from herobench.suite.generating import GenerateRequest, Numbered, TaskGenerator
from herobench.suites.discover.courses.all_ways import all_ways_bound
from herobench.suites.discover.courses.course import Course
from herobench.suites.discover.courses.draw import draw_courses
from herobench.suites.discover.courses.shard import LEVEL
from herobench.suites.discover.courses.tasks import task_in
from herobench.suites.discover.courses.words import BEASTS, WordSource, spell_code
from herobench.suites.discover.courses.world import (
    CourseWish,
    bare_hero,
    length_on_ladder,
    place_on_rung,
    world_of_course,
)
from herobench.suites.discover.game.families import Change, apply, sites_in
from herobench.suites.discover.game.mystery import (
    MOST_CHANGES,
    Budget,
    Exploration,
    Mystery,
    build_mystery,
    usual_rules,
)
from herobench.suites.discover.making.explorers import Experimenter, fights_tell_apart, found_by_one_fight
from herobench.suites.discover.making.planner import plan, wins
from herobench.suites.discover.making.possible import KINDS, Armories, Possible, RuleSet, rule_sets
from herobench.suites.discover.making.proof import LEAST, MOST_GUESS, MOST_ONE_FIGHT, NEAR, idle_changes, tell_apart
from herobench.suites.discover.refusals import DiscoverFault
from herobench.suites.rpg.game.task import Certificate, Task
from herobench.suites.rpg.game.world import Documents, Stats, World
from herobench.task_gen.rpg.oracle.steps import Do, as_code
from herobench.work.engine import Each, Local

LENGTHS = (LEAST, 500)
COUNT = 240
MOST = 3_600
"""The most tasks of a seed."""
_APART = 1 << 41
"""An offset of the seed, so that a mystery and a course of one seed draw different names."""
_APART_TWINS = _APART + (1 << 40)
_ABOUT = 4 / 3
"""The greatest ratio of the lengths of a twin and its original, either way."""
_GIVEN = 3
"""The number of pieces that a swing gives in the told world."""
_DRAWS, _TRUTHS = 60, 60
"""The most told worlds that are drawn for a task, and the most truths that are drawn in one told world."""
_MOST_BEYOND = 20
"""A told world is given up after this many truths that exceed the budget: often all of its truths do."""
_SMALL = 20
"""In shorter tasks, gear close to the worn gear beats the kinds; otherwise no plan would be short."""
_LEAST_REACH = 6


def mystery(seed: int, number: int, lengths: tuple[int, int] = LENGTHS) -> Mystery:
    """Return task number `number` of a seed. Raise UsageError if none is found."""
    wish = CourseWish(seed + _APART, MOST)
    for draw in range(_DRAWS):
        draft = _draw_draft(wish, number, draw, lengths, composition)
        task = next(draft.truths(), None) if draft else None
        if task:
            return replace(task, id=f"discover-{seed}-{number + 1}")
    raise UsageError(DiscoverFault.NO_MYSTERY, number=number, seed=seed)


def twin(seed: int, number: int, original: Mystery) -> Mystery:
    """Return a mystery in a new world, about as long as the original, with as many facts and rules.

    `number` is the place of the original among its tasks. Raise UsageError if no twin is found.
    """
    wish, length, alike = CourseWish(seed + _APART_TWINS, MOST), original.decisions, _as_many_as(original)
    lengths = (max(LENGTHS[0], round(length / _ABOUT)), round(length * _ABOUT))
    for draw in range(_DRAWS):
        draft = _draw_draft(wish, number, draw, lengths, alike)
        for candidate in draft.truths() if draft else ():
            if 1 / _ABOUT <= candidate.decisions / length <= _ABOUT:
                return replace(candidate, id=f"twin-{seed}-{number + 1}", twin_of=original.id)
    raise UsageError(DiscoverFault.NO_TWIN, id=original.id, seed=seed)


def make_twins(originals: Iterable[tuple[int, Mystery]], seed: int, jobs: int) -> Iterator[Mystery]:
    """Yield a twin of each mystery. Each comes with its number among its tasks. No twin depends on the others."""
    work: Each[tuple[int, Mapping[str, Any]], Mapping[str, Any]] = Each(partial(_twin_row, seed), worth=2)
    rows = ((number, original.as_row()) for number, original in originals)
    return map(build_mystery, Local(jobs).results(work, rows))


def _twin_row(seed: int, original: tuple[int, Mapping[str, Any]]) -> Mapping[str, Any]:
    number, row = original
    return twin(seed, number, build_mystery(row)).as_row()


def _as_many_as(original: Mystery) -> Composition:
    counts = original.facts, len(original.changes) - original.facts
    return lambda _, monsters: counts if counts[0] <= monsters else None


Composition = Callable[[int, int], tuple[int, int] | None]
"""Maps the place of a task and its number of monsters to the numbers of changed facts and rules; None if it has too
few monsters."""


def composition(place: int, monsters: int) -> tuple[int, int]:
    """Return the numbers of changed facts and rules of a task with this place and this many monsters to beat.

    A monster can change its kind only once, so a task with one monster has one changed fact.
    """
    count = 1 + place % MOST_CHANGES
    facts = min(1 if count < 3 else 2 - (count == 3 and place // MOST_CHANGES % 2), max(1, monsters))
    return facts, min(count - facts, 2)


# -- the told world ---------------------------------------------------------------------------------------------------


def _draw_draft(
    wish: CourseWish, number: int, draw: int, lengths: tuple[int, int], composed: Composition
) -> _Told | None:
    """Draw a told world with its task; None if it breaks a condition."""
    rng = wish.chance(f"mystery {number} {draw}")
    usual = usual_rules()
    length, place = length_on_ladder(*lengths, number), place_on_rung(number)
    # The shift pairs courses in which nothing is made (every fourth turn) with each number of changes.
    turn = place + place // MOST_CHANGES
    courses = draw_courses(bare_hero(usual), usual, length, turn, rng)
    course = next(courses, None)
    if course is None:
        return None
    monsters = len({aim.number for aim in course.aims if aim.kind == "kill"})
    # The number of changes follows the place on a rung of the ladder, so it does not depend on the length.
    counts = composed(place, monsters)
    if counts is None:
        return None
    facts, rules = counts
    shard, course_documents = world_of_course(wish, number, replace(course, armory=replace(course.armory)))
    course_documents = apply(course_documents, usual, [Change("yield", "", _GIVEN)])[0]
    sets = rule_sets(sites_in(World.from_documents(course_documents), usual), rules)
    reach = max(_LEAST_REACH, course.actions // 2) if course.actions < _SMALL else len(course.start)
    documents = _with_kinds(course_documents, course, sets, reach, wish.chance(f"kinds {number} {draw}"))
    if documents is None:
        return None
    world = World.from_documents(documents)
    task = _plain(task_in(world, usual, shard, number), world)
    draft = Mystery("draft", documents, task, (), Budget.of(world), "", (), 0, 0, 0)
    steps = plan(draft.told, task)
    if steps is None:
        return None
    possible = Possible(draft.told, task, rules, steps)
    guess = possible.guess()
    if guess > MOST_GUESS or not fights_tell_apart(draft):
        return None
    one_fight = possible.one_fight()
    if one_fight > MOST_ONE_FIGHT:
        return None
    return _Told(
        replace(draft, guess=guess, one_fight=one_fight, usual_plan=as_code(steps)), facts, possible, steps, rng
    )


def _with_kinds(
    documents: Documents, course: Course, sets: Sequence[RuleSet], reach: int, chance: Random
) -> Documents | None:
    """Return the world with kinds, and with monsters that can be beaten under every possible set of rules."""
    armories = Armories(course.armory)
    numbers = list(armories.kinds(sets, course.start, reach, chance))
    if len(numbers) < KINDS:
        return None
    elements = documents["world"]["elements"]
    monsters = [
        {**row, "hp": armories.hardest(_stats(row, elements), sets).hp} for row in documents["monsters"]["monsters"]
    ]
    words = WordSource(chance, [word for row in monsters for word in row["name"].split()])
    for stats in numbers:
        name = f"{words.word()} {BEASTS[len(monsters) % len(BEASTS)]}"
        monsters.append(_row(name, stats, elements))
    return {**documents, "monsters": {**documents["monsters"], "monsters": monsters}}


def _stats(row: Mapping[str, Any], elements: Sequence[str]) -> Stats:
    attack, resistance = (tuple(row[name].get(element, 0) for element in elements) for name in ("attack", "resistance"))
    return Stats(row["hp"], attack, (0,) * len(elements), resistance)


def _row(name: str, stats: Stats, elements: Sequence[str]) -> dict[str, Any]:
    attack, resistance = (
        {element: value for element, value in zip(elements, values, strict=True) if value}
        for values in (stats.attack, stats.resistance)
    )
    return {
        "code": spell_code(name),
        "name": name,
        "level": LEVEL,
        "intended_level": LEVEL,
        "hp": stats.hp,
        "attack": attack,
        "resistance": resistance,
        "gold": {"min": 0, "max": 0},
        "drops": [],
    }


def _plain(task: Task, world: World) -> Task:
    """Return a task that tells all kinds and names no gear for its goals, since the truth may need other gear."""
    nothing: Mapping[str, str] = MappingProxyType({})
    return replace(
        task,
        missing=nothing,
        then=tuple(replace(goal, missing=nothing) for goal in task.then),
        knowledge=replace(task.knowledge, monsters=tuple(world.monsters)),
    )


# -- the truth --------------------------------------------------------------------------------------------------------


class _BeyondBudget(Exception):
    """Raised when the experiments that find a truth take more than the budget."""


class _Told:
    """A told world with its task, in which truths are drawn."""

    def __init__(self, draft: Mystery, facts: int, possible: Possible, usual: Sequence[Do], rng: Random) -> None:
        self._draft, self._facts, self._possible, self._usual, self._rng = draft, facts, possible, usual, rng

    def truths(self) -> Iterator[Mystery]:
        """Yield admissible truths."""
        beyond = 0
        for _ in range(_TRUTHS):
            changes = self._possible.draw(self._facts, self._rng)
            if self._possible.allows(changes):
                candidate = replace(self._draft, changes=tuple(sorted(changes, key=str)))
                try:
                    truth = self._certify(candidate)
                except _BeyondBudget:
                    beyond += 1
                    if beyond == _MOST_BEYOND:
                        return
                    continue
                if truth:
                    yield truth

    def _certify(self, candidate: Mystery) -> Mystery | None:
        """Return the mystery with its certificate; None if a condition of admissible truths fails."""
        best = plan(candidate.true, candidate.task)
        if best is None or wins(candidate.true, candidate.task, self._usual):
            return None
        certificate = _certificate(candidate, best)
        if not LEAST <= certificate.actions <= NEAR * certificate.lower_bound:
            return None
        if next(idle_changes(candidate), None):
            return None
        candidate = replace(candidate, task=replace(candidate.task, certificate=certificate))
        if len(candidate.changes) > 1 and next(found_by_one_fight(candidate, self._usual), None):
            return None
        return _with_experiments(candidate)


def _certificate(candidate: Mystery, steps: Sequence[Do]) -> Certificate:
    bound = all_ways_bound(*candidate.true, candidate.task)
    actions = sum(step.times for step in steps)
    return Certificate(as_code(steps), actions, bound, 1, 1, {}, proof="loadouts", scope="all_ways")


def _with_experiments(candidate: Mystery) -> Mystery | None:
    """Return a mystery with experiments that tell it from all rivals; None if they fail to.

    Raise _BeyondBudget if they exceed the budget.
    """
    lab = Exploration(candidate.true, candidate.task)
    explorer = Experimenter(candidate, lambda call: lab.play([call])[0])
    inquiry, true = explorer.run(), frozenset(candidate.changes)
    starts = tuple(tuple(calls) for calls in explorer.starts if calls)
    if sum(map(len, starts)) > candidate.budget.actions or len(starts) - 1 > candidate.budget.resets:
        raise _BeyondBudget
    candidate = replace(candidate, experiments=starts)
    if any(inquiry.belief(count) != true for count in (None, len(true))):
        return None
    told_apart, alike = tell_apart(candidate)
    return None if alike else replace(candidate, rivals=told_apart)


# -- the generator ----------------------------------------------------------------------------------------------------


def _lengths(text: str) -> tuple[int, int]:
    bounds = least_and_most(text)
    if bounds is None or bounds[0] < LENGTHS[0]:
        raise ValueError(f"give a range such as 4-500, from {LENGTHS[0]} on")
    return bounds


@dataclass(frozen=True, slots=True)
class MysteryOptions:
    """The options by which users choose the mysteries that are made."""

    decisions: Annotated[
        tuple[int, int],
        Option(
            "The length of the plan, evenly over the logarithm.",
            metavar="N|N-M",
            shown="4-500",
            read=_lengths,
            is_length=True,
        ),
    ] = (4, 500)


class DiscoverGenerator(TaskGenerator):
    """Makes mysteries with certificates."""

    count = 20
    options = MysteryOptions

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return mysteries by their numbers. Raise UsageError for too many."""
        count, lengths = request.count or self.count, request.options.decisions
        if count > MOST:
            raise UsageError(DiscoverFault.TOO_MANY, most=MOST)
        identity = {"seed": request.seed, "decisions": list(lengths)}
        return Numbered(partial(row, request.seed, lengths), identity, numbers=range(count))


def row(seed: int, lengths: tuple[int, int], number: int) -> dict[str, Any]:
    """Return the row of a mystery by its number from 0."""
    return mystery(seed, number, lengths).as_row()
