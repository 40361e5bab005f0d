"""Twins: for every task of a set another one of the same profile, in another world or from another seed.

Who has learned public tasks by heart does worse on their twins; who can plan does not. A profile is all that a spec can
ask for: kind, difficulty, what is told, and the mechanics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from herobench.errors import UsageError
from herobench.rules import Rules
from herobench.task import Task
from herobench.task_gen.difficulty import bracket_of, bracket_steps
from herobench.task_gen.generator import generator
from herobench.task_gen.spec import DROP_SCALE, Spec
from herobench.world import World


@dataclass(frozen=True, slots=True)
class Original:
    """A task that is to have a twin: its id, what its twin is asked to be, and its numbers among its likes."""

    id: str
    spec: Spec
    index: int
    """Among the tasks with the same profile: each has another twin."""
    number: int
    """In its bracket."""


def originals(tasks: Iterable[Task], seed: int) -> Iterator[Original]:
    """What the twins of some tasks are made from."""
    alike: Counter[Spec] = Counter()
    numbers: Counter[int] = Counter()
    for task in tasks:
        spec, bracket = profile(task, seed), bracket_of(task.difficulty)
        numbers[bracket] += 1
        yield Original(task.id, spec, alike[spec], numbers[bracket])
        alike[spec] += 1


def profile(task: Task, seed: int) -> Spec:
    """What to ask for to get a task like this one."""
    scale = task.mechanics.drop_scale
    if scale not in (None, DROP_SCALE):
        raise UsageError(f"The task {task.id!r} has drops at {scale:g} times their rates; twins have {DROP_SCALE:g}.")
    return Spec(
        seed=seed,
        brackets=(),
        steps=(task.difficulty,),
        kind=task.kind,
        knowledge=task.knowledge.level,
        leveling=task.mechanics.leveling,
        noise=len(task.knowledge.noise),
        stochastic=scale is not None,
    )


def twin(world: World, rules: Rules, original: Original) -> Task:
    """The twin of a task: of its difficulty, or of the nearest in its bracket that the world has.

    Raises UsageError where the bracket has none.
    """
    (wanted,) = original.spec.steps
    steps = bracket_steps(bracket_of(wanted))
    first: UsageError | None = None
    for step in sorted({wanted, *steps}, key=lambda step: (abs(step - wanted), step)):
        try:
            task = generator(world, rules, replace(original.spec, steps=(step,))).task(original.index)
        except UsageError as error:
            first = first or error
            continue
        return replace(task, id=_id(world, task, original.number), twin_of=original.id)
    assert first is not None, "the wanted difficulty is among those that were tried"
    raise UsageError(f"The task {original.id!r} can have no twin. {first}")


def _id(world: World, task: Task, number: int) -> str:
    things = world.monsters if task.kind == "kill" else world.items
    return f"{bracket_of(task.difficulty)}/{number}_{things[task.target].name}_{task.kind}"
