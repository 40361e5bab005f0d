"""The generator of the RPG behind the contract of generators, so that programs make tasks as the command line does.

`herobench generate` has more options; these are what other tools turn: how hard, how long, what is told.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any, get_args

from herobench.data.columns import COUNT, TEXT, Column
from herobench.data.errors import UsageError
from herobench.data.ranges import brackets_of, least_and_most
from herobench.suite.generating import GenerateRequest, GeneratorOption, Made, Numbered, TaskGenerator
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import KnowledgeLevel, PlanTrack
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, load_world
from herobench.task_gen.rpg.generator import Generator, generator
from herobench.task_gen.rpg.stream import processes, task_rows
from herobench.task_gen.rpg.tasks.spec import KindWish, Spec

COLUMNS = (
    Column("id", TEXT, "The task."),
    Column("kind", TEXT, "kill or craft."),
    Column("target", TEXT, "The code of what is to be beaten or made."),
    Column("difficulty", COUNT, "The total difficulty."),
)


def numbered_tasks(world: World, rules: Rules, spec: Spec, numbers: Sequence[int] = ()) -> Numbered:
    """Return the tasks of a spec by their numbers. Raise UsageError for a spec that no task can have."""
    generator(world, rules, spec)  # a bad spec fails here, before any process starts
    wanted = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(spec).items()}
    identity = {**wanted, "rules": rules.name, "world": world.digest}
    return Numbered(TaskRows(world.source, rules, spec), identity, COLUMNS, numbers)


def tasks_by_options(world: str = DEFAULT_WORLD, rules: str = "standard", **spec: Any) -> Numbered:
    """Return tasks by the name of a world, that of an edition, and the fields of a spec. Raise UsageError."""
    try:
        wanted = Spec(**spec)
    except TypeError as error:
        raise UsageError(f"These are no options of tasks: {error}.") from error
    return numbered_tasks(load_world(world), load_rules(rules), wanted)


class TaskRows:
    """Makes the rows of tasks. It opens a generator for the first one, and is sent to other processes without it."""

    def __init__(self, world: str, rules: Rules, spec: Spec) -> None:
        self._given = world, rules, spec

    def __reduce__(self) -> tuple[Any, ...]:
        return TaskRows, self._given

    @cached_property
    def _generator(self) -> Generator:
        world, rules, spec = self._given
        return generator(World.from_source(world), rules, spec)

    def __call__(self, number: int) -> dict[str, Any]:
        """Return the row of a task. Raise UsageError if there is no such task."""
        return self._generator.task(number).as_row()


_COUNT = 20
"""How many tasks are made when no number is given."""


def _decisions(text: str) -> tuple[int, int]:
    found = least_and_most(text)
    if found is None:
        raise ValueError("give a number such as 100, or the least and the most such as 4-400")
    return found


def _noise(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise ValueError("give a number of items such as 5")
    return int(text)


def _kind(text: str) -> str:
    return _one_of(text, get_args(KindWish))


def _knowledge(text: str) -> str:
    return _one_of(text, get_args(KnowledgeLevel))


def _track(text: str) -> str:
    return _one_of(text, get_args(PlanTrack))


def _one_of(text: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise ValueError(f"give one of {', '.join(known)}")
    return text


class TaskMaker(TaskGenerator):
    """Makes certified tasks in the classic world."""

    options = (
        GeneratorOption("difficulty", "Brackets, such as 9, 1-9 or 1,3,5-7; they take turns.", "1-9", "N", brackets_of),
        GeneratorOption("decisions", "Campaigns of so many decisions.", None, "N|N-M", _decisions, is_length=True),
        GeneratorOption("kind", "kill, craft or mixed.", "mixed", read=_kind),
        GeneratorOption("knowledge", "What is told: exact, decoys or world.", "exact", read=_knowledge),
        GeneratorOption("noise", "Tell N more items that cannot be made.", "0", "N", _noise),
        GeneratorOption("plan", "What plans may hold: straight or program.", "program", read=_track),
        GeneratorOption("stochastic", "Drops fall by chance.", is_flag=True),
    )

    by_options = staticmethod(tasks_by_options)

    def make(self, request: GenerateRequest) -> Made:
        """Make tasks. Raise UsageError for options that contradict each other."""
        count = request.count or _COUNT
        jobs = processes(count, request.jobs or os.cpu_count())
        return Made(count, task_rows(load_world(), load_rules(), _spec(request), range(count), jobs))

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return the same tasks by their numbers."""
        return numbered_tasks(load_world(), load_rules(), _spec(request), range(request.count or _COUNT))


def _spec(request: GenerateRequest) -> Spec:
    given = request.values
    return Spec(
        seed=request.seed,
        brackets=given["difficulty"],
        **{name: given[name] for name in ("decisions", "kind", "knowledge", "noise", "plan", "stochastic")},
    )
