"""The generator: make task number i of a spec from a random stream that depends on nothing else.

A task is drawn, then planned by the oracle and certified. A draw that cannot be proven is followed by another one
from the same stream. If a share of the tasks is to be impossible, two tasks of one fight are drawn, and each is proven
twice: solvable with some places closed, and impossible with others. One of them is written.

Tasks do not depend on each other, so several processes can make them, in order and in constant memory; state that one
task leaves behind must never reach another. Processes exchange rows, because tasks hold read-only mappings that cannot
be pickled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Generator as Rows
from dataclasses import replace
from functools import lru_cache, partial
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Kind, Mechanics, Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.courses.course_tasks import course_task
from herobench.task_gen.rpg.courses.course_world import CourseWish, draw_shard
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.loadouts import needs_leveling
from herobench.task_gen.rpg.tasks.certificate import certified, rehearse
from herobench.task_gen.rpg.tasks.drafts import EXCHANGE, CraftTasks, Fight, KillTasks, TaskDraft
from herobench.task_gen.rpg.tasks.spec import (
    DROP_SCALE,
    Spec,
    bracket_steps,
    task_group,
    to_bracket,
    total_difficulty,
    with_budget,
)
from herobench.task_gen.rpg.tasks.telling import knowledge_for
from herobench.work.engine import Each, Local

if TYPE_CHECKING:
    from herobench.task_gen.rpg.unsolvable.closing import Closing, Planned

_DRAWS = 2000
"""The number of draws at the wanted difficulty before the generator gives it up."""
_OTHER_DRAWS = 100
"""The number of draws at each other difficulty of the bracket after that."""
_FIGHT_DRAWS = 60
"""The number of draws of one fight among which a pair is looked for that can close each other's things."""
_DRAWS_A_FIGHT = 20
"""The number of draws that one fight stands for: most draws of a fight that is given fail early."""
_SEED_BITS = 53
"""Seeds are integers that every JSON reader keeps exact."""


class Generator:
    """Makes the tasks of a spec in a world."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        # Bad options fail here, before any time goes into drawing.
        spec.check(world, rules)
        self._courses = CourseWish.of_world(world)
        if self._courses:
            _check_for_courses(spec)
        self.world = world
        self.rules = rules
        self.spec = spec
        self._kills = KillTasks(world, rules, spec)
        self._crafts = CraftTasks(world, rules, spec)

    def task(self, index: int) -> Task:
        """Return task number `index`. Raises UsageError if the world has no such task."""
        task = self.attempt(index)
        if task is None:
            raise UsageError(self._impossible(index))
        return task

    def attempt(self, index: int) -> Task | None:
        """Return task number `index`, or None if the world has no such task."""
        if self._courses:
            course = course_task(self.world, self.rules, self.spec, self._courses, index)
            return replace(course, id=task_id(self.world, course, index + 1))
        rng = self.spec.rng(self.world, index)
        for difficulty, draws in self._difficulties(index, rng):
            # If the wanted kind does not exist at this difficulty, the other one is better than none.
            for kind in self._kinds(difficulty, rng):
                if self.spec.unsolvable is None:
                    tasks = (self._drawn(kind, difficulty, rng) for _ in range(draws))
                else:
                    fights = range(draws // _DRAWS_A_FIGHT)
                    tasks = (self._closed(difficulty, self.spec.is_impossible(index), rng) for _ in fights)
                for task in tasks:
                    if task:
                        # Brackets take turns, so this is its number in its bracket, from 1 on.
                        number = 1 + (index if self.spec.steps else index // len(self.spec.brackets))
                        return replace(task, id=task_id(self.world, task, number))
        return None

    def _closed(self, difficulty: int, impossible: bool, rng: Random) -> Task | None:
        """Return a task with places closed: one of two of a random fight that can be closed in each other's way."""
        from herobench.task_gen.rpg.unsolvable.closing import closings  # few specs close places

        fight: Fight | None = None
        earlier: list[Planned] = []
        for _ in range(_FIGHT_DRAWS):
            now = self._planned(difficulty, fight, rng)
            if now is None:
                continue
            # The monster and the hero's level are the same in a pair: with them, names would tell which task it is.
            fight = now.task.target, now.task.hero.combat[0]
            for other in earlier:
                pair = closings(self.world, now, other, rng)
                solvable = self._solvable(pair) if pair else None
                if pair and solvable:
                    chosen = rng.randrange(2)
                    return pair[chosen].doomed(solvable[chosen]) if impossible else solvable[chosen]
            earlier.append(now)
        return None

    def _planned(self, difficulty: int, fight: Fight | None, rng: Random) -> Planned | None:
        """Draw a kill task of a difficulty, and of a fight if one is given, and plan it. Return None if that fails."""
        from herobench.task_gen.rpg.unsolvable.closing import planned

        draft = self._kills.draw(difficulty, rng, fight)
        try:
            task = self._told(draft, rng) if draft else None
            events = rehearse(self.world, self.rules, task).game.events if task else ()
        except Unplannable:
            return None
        return planned(self.world, task.rules(self.rules), task, events) if task else None

    def _solvable(self, pair: Sequence[Closing]) -> list[Task] | None:
        """Return the solvable tasks of a pair, certified.

        Both are needed even if only impossible tasks are wanted, since both kinds have to meet the same conditions.
        """
        try:
            return [self._certified(closing.unharmed()) for closing in pair]
        except Unplannable:
            return None

    def _difficulties(self, index: int, rng: Random) -> Iterator[tuple[int, int]]:
        """Yield the wanted difficulty, then the others of its bracket, each with its number of draws."""
        wanted = self.spec.difficulty(index)
        # A spec with explicit difficulties gets those or nothing: twins depend on it.
        yield wanted, _DRAWS
        if not self.spec.steps:
            others = [step for step in bracket_steps(to_bracket(wanted)) if step != wanted]
            yield from ((step, _OTHER_DRAWS) for step in rng.sample(others, len(others)))

    def _kinds(self, difficulty: int, rng: Random) -> list[Kind]:
        """Return the kinds that a task of a difficulty may have, the wanted one first."""
        spec = self.spec
        if spec.unsolvable is not None:
            return ["kill"]
        if spec.kind != "mixed":
            return [spec.kind]
        if spec.monster or not self._crafts.has(difficulty):
            return ["kill"]
        # Drawn only if there is a choice. One draw more or less would change the bytes of every dataset.
        return ["craft", "kill"] if rng.random() < spec.craft_share else ["kill", "craft"]

    def _drawn(self, kind: Kind, difficulty: int, rng: Random) -> Task | None:
        """Draw a task of a difficulty and prove it. Return None if that fails."""
        tasks = self._kills if kind == "kill" else self._crafts
        draft = tasks.draw(difficulty, rng)
        try:
            return self._proven(draft, rng) if draft else None
        except Unplannable:
            return None

    def _proven(self, draft: TaskDraft, rng: Random) -> Task | None:
        task = self._told(draft, rng)
        return self._certified(task) if task else None

    def _told(self, draft: TaskDraft, rng: Random) -> Task | None:
        """Return a draft as a task with its knowledge, but without a certificate. Return None if it needs no leveling.

        Raises Unplannable if there is no plan for it.
        """
        spec = self.spec
        if spec.leveling:
            draft = draft.unskilled(self.world)
        scale = DROP_SCALE if spec.stochastic else None
        mechanics = Mechanics(draft.leveling, scale, EXCHANGE, spec.plan, spec.defeat)
        task = draft.task(self.world, rng.getrandbits(_SEED_BITS), mechanics)
        # A low level and low skills do not matter if nothing needs more, and then the draw is no leveling task.
        if draft.leveling and not needs_leveling(self.world, task):
            return None
        # First with full knowledge, to learn which facts a plan needs; then with only the facts that the task tells.
        rehearsal = rehearse(self.world, self.rules, task)
        told = knowledge_for(self.world, task.rules(self.rules), spec, task, rehearsal, rng)
        task = replace(task, knowledge=told)
        return replace(task, difficulty=total_difficulty(self.world, task))

    def _certified(self, task: Task) -> Task:
        """Return a task with its certificate and its budget. Raises Unplannable if it cannot be proven."""
        task = certified(self.world, self.rules, task, rehearse(self.world, self.rules, task))
        return task if self.spec.budget is None else with_budget(task, self.spec.budget)

    # -- what is possible -------------------------------------------------------------------------------------------

    def _impossible(self, index: int) -> str:
        """Return a message: why there is no such task, and which tasks there are."""
        spec = self.spec
        wanted = spec.difficulty(index)
        steps = bracket_steps(to_bracket(wanted))
        kind = "" if spec.kind == "mixed" else f"{spec.kind} "
        asked = f"difficulty {wanted}" if spec.steps else f"difficulty {steps[0]} to {steps[-1]}"
        against = f" against {self.world.monsters[spec.monster].name}" if spec.monster else ""
        extras = " and ".join(spec.extras())
        extra = f" with {extras}" if extras else ""
        place = f"in the world {self.world.code!r}"
        return f"No {kind}task of {asked}{against}{extra} could be made {place}: {self._possible(extras)}."

    def _possible(self, extras: str) -> str:
        """Return which difficulties the world has, whatever the extras."""
        ranges = [] if self.spec.kind == "craft" else [self._kills.range(Random(0))]  # noqa: S311 - an estimate for a message
        ranges += [] if self.spec.kind == "kill" or self.spec.monster else [self._crafts.range()]
        found = [both for both in ranges if both]
        if not found:
            return "no gear that the hero can make wins"
        least, most = min(low for low, _ in found), max(high for _, high in found)
        first, last = to_bracket(least), to_bracket(most)
        brackets = f"{first}" if first == last else f"{first}-{last}"
        without = f" without {extras}" if extras else ""
        return f"possible difficulties{without} are {least} to {most} (--difficulty {brackets})"


def _check_for_courses(spec: Spec) -> None:
    """Raise UsageError for options that would draw other tasks than the world has."""
    usual = Spec(seed=spec.seed, plan=spec.plan, defeat=spec.defeat, budget=spec.budget)
    if spec not in (usual, replace(usual, knowledge="decoys")):
        raise UsageError(
            "The tasks of a world of courses are drawn together with it: only --plan, --defeat and --budget can be set."
        )


def task_id(world: World, task: Task, number: int) -> str:
    """Return the id of a task, which people read: its group, number, target and kind.

    A course has the number of its goals and the last target. Nothing parses an id but for the group before the slash.
    """
    last = task.goals[-1]
    name = (world.monsters if last.kind == "kill" else world.items)[last.target].name
    goals = f"{len(task.goals)} goals_" if task.then else ""
    return f"{task_group(task)}/{number}_{goals}{name}_{last.kind}"


@lru_cache(maxsize=200)
def generator(world: World, rules: Rules, spec: Spec) -> Generator:
    """Return the generator of a spec. It is cached, because its constructor looks through the whole world."""
    return Generator(world, rules, spec)


# -- many tasks -------------------------------------------------------------------------------------------------------

Input = TypeVar("Input")
Make = Callable[[World, Rules, Input], Task]
"""Makes a task from an input, such as its number. It is a function of a module, so that workers can import it."""


def task_rows(world: World, rules: Rules, spec: Spec, indices: Iterable[int], jobs: int = 1) -> Rows[dict[str, Any]]:
    """Yield the rows of a spec's tasks, in the order of the indices."""
    generator(world, rules, spec)  # a bad spec fails here, before any process starts
    return make_rows(world, rules, partial(_numbered, spec), indices, jobs)


def make_rows(
    world: World, rules: Rules, make: Make[Input], things: Iterable[Input], jobs: int = 1
) -> Rows[dict[str, Any]]:
    """Yield the rows of the tasks made from some inputs, in order.

    Close the generator if you stop early, so that its workers end.
    """
    if CourseWish.of_world(world) and draw_shard.cache_info().currsize:
        jobs = 1  # this process drew the courses when it made their world, and others would draw them again
    yield from Local(jobs).results(Each(partial(_row, make, world, rules), worth=10), things)


def _numbered(spec: Spec, world: World, rules: Rules, index: int) -> Task:
    return generator(world, rules, spec).task(index)


def _row(make: Make[Input], world: World, rules: Rules, thing: Input) -> dict[str, Any]:
    return make(world, rules, thing).as_row()
