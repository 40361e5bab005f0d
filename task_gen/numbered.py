"""Makes tasks of a spec by their numbers, behind the contract of generators: on clusters and in pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any

from herobench.columns import COUNT, TEXT, Column
from herobench.errors import UsageError
from herobench.generating import Numbered
from herobench.rpg.content import DEFAULT_WORLD, load_rules, load_world
from herobench.rpg.rules import Rules
from herobench.rpg.world import World
from herobench.task_gen.generator import Generator, generator
from herobench.task_gen.spec import Spec

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
