"""Choose which places a task closes: some that make it impossible, and some like them that do not matter.

The generator calls this for two tasks that are proven to be solvable, against one monster and with heroes of one level.
One plan goes to a thing that the other does not go to, and the other way round; the two things are of one kind. Each
task is made impossible by its own thing, and stays solvable with the other task's thing. Everything else that is closed
is the same in the two forms of a task, and its known plan uses none of it. So each thing is closed as often in
impossible tasks as in solvable ones, also among tasks about one monster, and each task is asked as often in either
form.

All places that neither plan visits are closed in the four. If that leaves a task another way to win, as few as possible
of the places that only the other plan visits are closed too. Then a thing is fatal beside some places, and harmless
beside others.

`ClosedTasks` draws the pairs of one fight for the generator.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from herobench.suites.rpg.game.events import Event, Moved
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Reach, Task
from herobench.suites.rpg.game.world import Code, Content, Place, World
from herobench.task_gen.rpg.oracle.steps import Unplannable
from herobench.task_gen.rpg.tasks.drafts import Fight
from herobench.task_gen.rpg.tasks.proven_tasks import ProvenTasks, rehearse
from herobench.task_gen.rpg.unsolvable.reach import HeroReach

_CLOSABLE = ("workshop", "resource", "monster")
"""The kinds of things whose places may be closed. Worlds have one grand exchange, and nothing that is like it."""
_TRIES = 8
"""The number of pairs of things that are tried as the ones that matter."""


class Planned(NamedTuple):
    """A task that is proven to be solvable, with the things that may be closed in it."""

    task: Task
    used: tuple[Content, ...]
    """What may be closed and the known plan goes to."""
    idle: tuple[Content, ...]
    """What may be closed and the known plan does not go to."""
    horizon: HeroReach

    def is_fatal(self, world: World, things: Collection[Content]) -> bool:
        """Return whether the task is proven to be impossible with some things closed."""
        return self.horizon.reach(_places(world, things)) is not None


class Closing(NamedTuple):
    """Two ways to close places of one task."""

    task: Task
    fatal: tuple[Place, ...]
    """With these closed, the task is impossible."""
    harmless: tuple[Place, ...]
    """The plan that is known goes to none of these."""
    reach: Reach
    """The proof of the first: everything that the hero can reach."""

    def solvable_task(self) -> Task:
        """Return the solvable task, without a certificate."""
        return replace(self.task, mechanics=replace(self.task.mechanics, closed=self.harmless))

    def impossible_task(self, solvable: Task) -> Task:
        """Return the impossible task, given the solvable one with its certificate."""
        mechanics = replace(solvable.mechanics, closed=self.fatal)
        return replace(solvable, mechanics=mechanics, certificate=None, impossible=self.reach)


def plan_task(world: World, rules: Rules, task: Task, events: Iterable[Event]) -> Planned:
    """Return a task with what may be closed in it, given the events of a plan that wins it."""
    places = {event.detail.place for event in events if isinstance(event.detail, Moved)}
    things = _closable(world, task)
    used_things = tuple(thing for thing in things if not places.isdisjoint(world.places_of(*thing)))
    idle = tuple(thing for thing in things if thing not in used_things)
    return Planned(task, used_things, idle, HeroReach(world, rules, task))


def closings(world: World, one: Planned, other: Planned, rng: Random) -> tuple[Closing, Closing] | None:
    """Return what each of two tasks may close: in either, its own thing or the other's. None if no pair is found."""
    idle = [thing for thing in one.idle if thing in other.idle]
    mine = [thing for thing in one.used if thing in other.idle]
    theirs = [thing for thing in other.used if thing in one.idle]
    # If everything that only one of the two plans needs does not matter, no part of it does.
    if not all(plan_made.is_fatal(world, [*idle, *mine, *theirs]) for plan_made in (one, other)):
        return None
    pairs = [(own, foreign) for own in mine for foreign in theirs if own.type == foreign.type]
    for own, foreign in rng.sample(pairs, min(_TRIES, len(pairs))):
        first = _fatal_rest(world, one, [*idle, own], [thing for thing in theirs if thing != foreign], rng)
        if first is None:
            continue
        second = _fatal_rest(world, other, [*idle, foreign], [thing for thing in mine if thing != own], rng)
        if second is not None:
            return (
                _closing(world, one, own, foreign, [*idle, *first]),
                _closing(world, other, foreign, own, [*idle, *second]),
            )
    return None


def _fatal_rest(
    world: World, plan_made: Planned, closures: Sequence[Content], more: Sequence[Content], rng: Random
) -> list[Content] | None:
    """Return as few things as possible that have to be closed too to make a task impossible; None if all do not do."""
    if plan_made.is_fatal(world, closures):
        return []
    if not plan_made.is_fatal(world, [*closures, *more]):
        return None
    return smallest_part(lambda part: plan_made.is_fatal(world, [*closures, *part]), rng.sample(more, len(more)))


def _closing(world: World, plan_made: Planned, own: Content, foreign: Content, common: Sequence[Content]) -> Closing:
    fatal = _places(world, [own, *common])
    reach = plan_made.horizon.reach(fatal)
    assert reach is not None, "these places were chosen because they are fatal"
    return Closing(plan_made.task, fatal, _places(world, [foreign, *common]), reach)


def smallest_part(is_fatal: Callable[[Collection[Content]], bool], pool: Sequence[Content]) -> list[Content]:
    """Return a part of a fatal pool in which every member is needed (Junker's QuickXplain)."""

    def reduce(background: list[Content], is_new: bool, candidates: Sequence[Content]) -> list[Content]:
        if is_new and is_fatal(background):
            return []
        if len(candidates) == 1:
            return list(candidates)
        half = len(candidates) // 2
        first, second = list(candidates[:half]), list(candidates[half:])
        of_second = reduce(background + first, True, second)
        return reduce(background + of_second, bool(of_second), first) + of_second

    return reduce([], False, pool)


def _closable(world: World, task: Task) -> list[Content]:
    """Return what may be closed: never the target, and nothing that stands where the hero starts or returns to."""
    here = {world.start, task.hero.place}
    things_on_way = dict.fromkeys(
        Content(kind, code) for kind in _CLOSABLE for code in world.standing(kind).values() if code != task.target
    )
    return [thing for thing in things_on_way if here.isdisjoint(world.places_of(*thing))]


def _places(world: World, things: Iterable[Content]) -> tuple[Place, ...]:
    return tuple(sorted(place for thing in things for place in world.places_of(*thing)))


def names(world: World, places: Iterable[Place]) -> list[Code]:
    """Return the codes of what stands on closed places, for people."""
    contents = (world.tiles[place].content for place in places)
    return sorted({content.code for content in contents if content})


_FIGHT_DRAWS = 60
"""The number of draws of one fight among which a pair is looked for that can close each other's things."""


class ClosedTasks:
    """Draws tasks with closed places."""

    def __init__(self, tasks: ProvenTasks) -> None:
        self._tasks = tasks

    def draw(self, difficulty: int, impossible: bool, rng: Random) -> Task | None:
        """Return a task with places closed: one of two of a random fight that can be closed in each other's way."""
        fight: Fight | None = None
        earlier: list[Planned] = []
        for _ in range(_FIGHT_DRAWS):
            now = self._plan_kill(difficulty, fight, rng)
            if now is None:
                continue
            # The monster and the hero's level are the same in a pair: with them, names would tell which task it is.
            fight = now.task.target, now.task.hero.combat[0]
            for other in earlier:
                pair = closings(self._tasks.world, now, other, rng)
                solvable = self._solvable(pair) if pair else None
                if pair and solvable:
                    number = rng.randrange(2)
                    return pair[number].impossible_task(solvable[number]) if impossible else solvable[number]
            earlier.append(now)
        return None

    def _plan_kill(self, difficulty: int, fight: Fight | None, rng: Random) -> Planned | None:
        """Draw a kill task of a difficulty, and of a fight if one is given, and plan it. Return None if that fails."""
        try:
            task = self._tasks.draw_fight(difficulty, fight, rng)
            events = rehearse(self._tasks.world, self._tasks.rules, task).game.events if task else ()
        except Unplannable:
            return None
        return plan_task(self._tasks.world, task.rules(self._tasks.rules), task, events) if task else None

    def _solvable(self, pair: Sequence[Closing]) -> list[Task] | None:
        """Return the solvable tasks of a pair, certified.

        Both are needed even if only impossible tasks are wanted, since both kinds have to meet the same conditions.
        """
        try:
            return [self._tasks.certify(closing.solvable_task()) for closing in pair]
        except Unplannable:
            return None
