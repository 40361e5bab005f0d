"""Choose which places a task closes: some that make it impossible, and some like them that do not matter.

The generator calls this for two tasks that are proven to be solvable. One of them uses a thing that the other does not,
and the other way round; the two things are of one kind, on as many places, of nearly the same level. Each task is made
impossible by its own thing, and stays solvable with that of the other task. All else that is closed is the same in the
four, and no known plan uses any of it. So each thing is closed as often in impossible tasks as in solvable ones, and
each task is asked as often in either form: neither the task nor what is closed tells anything, only the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import NamedTuple

from herobench.rpg.events import Event, Moved
from herobench.rpg.reach import Reach
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Content, Place, World
from herobench.task_gen.unsolvable.reach import Horizon

_CLOSABLE = ("workshop", "resource", "monster")
"""The kinds of things whose places may be closed. Worlds have one grand exchange, and nothing that is like it."""
_TRIES = 8
"""The number of pairs of things that are tried as the ones that matter."""
_NEAR = 5
"""The largest difference between the levels of the two things."""
_LEAST_CLOSED = 12
"""The least number of things to close. Where fewer are needed, others are closed too: the one that matters must not
stand out, neither by what it is nor by where it is."""


class Planned(NamedTuple):
    """A task that is proven to be solvable, with the things that may be closed in it."""

    task: Task
    decisive: tuple[Content, ...]
    """What the known plan goes to and no other plan can do without, if all that is idle is closed."""
    idle: tuple[Content, ...]
    """What may be closed and the known plan does not go to."""
    horizon: Horizon

    def is_fatal(self, world: World, closed: Collection[Content]) -> bool:
        """Return whether the task is proven to be impossible with some things closed."""
        return self.horizon.reach(_places(world, closed)) is not None


class Closing(NamedTuple):
    """Two ways to close places of one task."""

    task: Task
    fatal: tuple[Place, ...]
    """With these closed, the task is impossible."""
    harmless: tuple[Place, ...]
    """The plan that is known goes to none of these."""
    reach: Reach
    """The proof of the first: all that the hero can reach."""

    def doomed(self) -> Task:
        """Return the impossible task."""
        mechanics = replace(self.task.mechanics, closed=self.fatal)
        return replace(self.task, mechanics=mechanics, certificate=None, impossible=self.reach)

    def unharmed(self) -> Task:
        """Return the solvable task, with the certificate of the open map."""
        return replace(self.task, mechanics=replace(self.task.mechanics, closed=self.harmless))


def planned(world: World, rules: Rules, task: Task, events: Iterable[Event]) -> Planned | None:
    """Return a task with what may be closed in it, given the events of a plan that wins it; None if nothing matters."""
    visited = {event.detail.place for event in events if isinstance(event.detail, Moved)}
    things = _closable(world, task)
    used = [thing for thing in things if not visited.isdisjoint(world.places_of(*thing))]
    idle = [thing for thing in things if thing not in used]
    found = Planned(task, (), tuple(idle), Horizon(world, rules, task))
    # If all that may be closed does not matter, no part of it does.
    if not found.is_fatal(world, things):
        return None
    decisive = tuple(thing for thing in used if found.is_fatal(world, [thing, *idle]))
    return found._replace(decisive=decisive) if decisive else None


def closings(world: World, one: Planned, other: Planned, rng: Random) -> tuple[Closing, Closing] | None:
    """Return what each of two tasks may close: in either, its own thing or that of the other. None if none is found."""
    pairs = [
        (mine, theirs)
        for mine in one.decisive
        if mine in other.idle
        for theirs in other.decisive
        if theirs in one.idle and _are_alike(world, mine, theirs)
    ]
    for mine, theirs in rng.sample(pairs, min(_TRIES, len(pairs))):
        first = _closing(world, one, mine, theirs, rng)
        second = _closing(world, other, theirs, mine, rng) if first else None
        if first and second:
            return first, second
    return None


def _closing(world: World, planned: Planned, own: Content, foreign: Content, rng: Random) -> Closing | None:
    """Return two ways to close places of a task: with a thing that it uses, and with one that another task uses."""
    idle = [thing for thing in planned.idle if thing != foreign]
    if not planned.is_fatal(world, [own, *idle]):
        return None
    needed = smallest_part(partial(planned.is_fatal, world), [own, *rng.sample(idle, len(idle))])
    common = [thing for thing in needed if thing != own]
    more = [thing for thing in idle if thing not in needed]
    common += rng.sample(more, min(len(more), max(0, _LEAST_CLOSED - 1 - len(common))))
    fatal = _places(world, [own, *common])
    reach = planned.horizon.reach(fatal)
    assert reach is not None, "more closed places never help"
    return Closing(planned.task, fatal, _places(world, [foreign, *common]), reach)


def smallest_part(is_fatal: Callable[[Collection[Content]], bool], pool: Sequence[Content]) -> list[Content]:
    """Return a part of a fatal pool of which every member is needed (Junker's QuickXplain)."""

    def needed(background: list[Content], is_new: bool, candidates: Sequence[Content]) -> list[Content]:
        if is_new and is_fatal(background):
            return []
        if len(candidates) == 1:
            return list(candidates)
        half = len(candidates) // 2
        first, second = list(candidates[:half]), list(candidates[half:])
        of_second = needed(background + first, True, second)
        return needed(background + of_second, bool(of_second), first) + of_second

    return needed([], False, pool)


def _closable(world: World, task: Task) -> list[Content]:
    """Return what may be closed: never the target, and nothing that stands where the hero starts or returns to."""
    here = {world.start, task.hero.place}
    found = dict.fromkeys(
        Content(kind, code) for kind in _CLOSABLE for code in world.standing(kind).values() if code != task.target
    )
    return [thing for thing in found if here.isdisjoint(world.places_of(*thing))]


def _are_alike(world: World, one: Content, other: Content) -> bool:
    """Return whether two things are of a kind, stand on as many places, and are of nearly the same level."""
    is_same = one.type == other.type and len(world.places_of(*one)) == len(world.places_of(*other))
    return is_same and abs(_level(world, one) - _level(world, other)) <= _NEAR


def _level(world: World, thing: Content) -> int:
    if thing.type == "workshop":
        return 0
    return (world.monsters if thing.type == "monster" else world.resources)[thing.code].level


def _places(world: World, things: Iterable[Content]) -> tuple[Place, ...]:
    return tuple(sorted(place for thing in things for place in world.places_of(*thing)))


def names(world: World, closed: Iterable[Place]) -> list[Code]:
    """Return the codes of what stands on closed places, for people."""
    found = (world.tiles[place].content for place in closed)
    return sorted({content.code for content in found if content})
