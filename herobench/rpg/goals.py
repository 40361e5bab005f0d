"""The goals of a task: which events reach them. A campaign has several, and only the next one can be reached.

A goal is reached by one event, and an event reaches one goal at most. A fight won or an item crafted before its turn
reaches nothing, so it has to be done again when it is due. Scores and columns ask here; the generator proves each goal
as a task of its own, a stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType

from herobench.rpg.events import Crafted, Event, Fought
from herobench.rpg.task import Goal, Task


def reaches(goal: Goal | Task, event: Event) -> bool:
    """Return whether an event does what a goal, or the first goal of a task, asks for."""
    match event.detail:
        case Fought(monster=monster, won=True):
            return goal.kind == "kill" and monster == goal.target
        case Crafted(item=item):
            return goal.kind == "craft" and item == goal.target
        case _:
            return False


def goals_reached(task: Task, events: Sequence[Event], before: int = 0) -> tuple[int, ...]:
    """Return the numbers of the events that reach the goals, one for each goal reached, in order.

    So many goals were reached before these events."""
    goals = task.goals[before:]
    found: list[int] = []
    for number, event in enumerate(events):
        if len(found) == len(goals):
            break
        if reaches(goals[len(found)], event):
            found.append(number)
    return tuple(found)


def stages(task: Task) -> Iterator[Task]:
    """Yield each goal as a task of its own, whose hero wears what he is meant to wear for the goal before.

    A task of one goal is its own only stage.
    """
    if not task.then:
        yield task
        return
    worn = task.hero.worn
    for goal in task.goals:
        hero = replace(task.hero, worn=worn)
        yield replace(task, kind=goal.kind, target=goal.target, missing=goal.missing, hero=hero, then=())
        worn = MappingProxyType({**worn, **goal.missing})
