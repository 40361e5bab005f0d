"""Twins: for every task of a set another one of the same profile, in another world or from another seed.

Who has learned public tasks by heart does worse on their twins; who can plan does not. A profile is all that a spec can
ask for: kind, difficulty, what is told, and the mechanics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from herobench.errors import UsageError
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.task_gen.difficulty import bracket_of, bracket_steps
from herobench.task_gen.generator import generator
from herobench.task_gen.sameness import content_digest
from herobench.task_gen.spec import DROP_SCALE, Spec

_STEPS = 1000
"""More than any difficulty: what seeds are told apart by."""
_TRIES, _FAR = 20, 100_000
"""How often another twin is looked for, and by how much the numbers of those are further on."""


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
    for step in sorted(bracket_steps(bracket_of(wanted)), key=lambda step: (abs(step - wanted), step)):
        task = generator(world, rules, _at(original.spec, step)).attempt(original.index)
        if task:
            return replace(task, id=_id(world, task, original.number), twin_of=original.id)
    raise UsageError(
        f"The task {original.id!r} can have no twin in the world {world.code!r}, which has no task of its bracket with "
        "the same kind, knowledge and mechanics: a larger world may have one."
    )


def _at(spec: Spec, step: int) -> Spec:
    """A spec at another difficulty. Its seed tells who wanted which, so that two who end at one get different tasks."""
    (wanted,) = spec.steps
    return spec if step == wanted else replace(spec, steps=(step,), seed=spec.seed * _STEPS + wanted)


class Twins:
    """Twins as they come, counted; none is an original or another twin again as far as the world has others."""

    def __init__(self, world: World, rules: Rules, tasks: Iterable[Task], wanted: Sequence[Original]) -> None:
        self._world = world
        self._rules = rules
        self._wanted = wanted
        self._seen = {content_digest(task.as_row()) for task in tasks}
        self.moved = 0
        """How many are of another difficulty than their originals."""
        self.copies = 0
        """How many are the same as an original or another twin all the same."""

    def told_apart(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        """The rows of all twins, with others in the place of those that were there already."""
        for original, row in zip(self._wanted, rows, strict=True):
            other = self._new(original, row)
            self.moved += other["difficulty"] not in original.spec.steps
            yield other

    def _new(self, original: Original, row: Mapping[str, Any]) -> Mapping[str, Any]:
        for again in range(1, _TRIES):
            if content_digest(row) not in self._seen:
                break
            further = replace(original, index=original.index + again * _FAR)
            row = twin(self._world, self._rules, further).as_row()
        digest = content_digest(row)
        self.copies += digest in self._seen
        self._seen.add(digest)
        return row


def _id(world: World, task: Task, number: int) -> str:
    things = world.monsters if task.kind == "kill" else world.items
    return f"{bracket_of(task.difficulty)}/{number}_{things[task.target].name}_{task.kind}"
