"""The generator: task number i of a spec, made from a seed that depends on nothing else.

A task is drawn, then proven: the oracle plans it, the plan is played, and every figure of the certificate is taken from
that. What cannot be proven is drawn again from the same stream of chance, so a task is the same whoever makes it, in
whatever order and number of processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from herobench.errors import UsageError
from herobench.rpg.rules import Rules
from herobench.rpg.task import Kind, Task
from herobench.rpg.world import World
from herobench.task_gen.certificate import certified, rehearse
from herobench.task_gen.craft_tasks import CraftTasks
from herobench.task_gen.difficulty import bracket_of, bracket_steps, total_difficulty
from herobench.task_gen.draft import Draft
from herobench.task_gen.kill_tasks import KillTasks
from herobench.task_gen.knowledge.told import knowledge_for
from herobench.task_gen.ladder import has_to_level
from herobench.task_gen.oracle.unplannable import Unplannable
from herobench.task_gen.spec import DROP_SCALE, Spec

_DRAWS = 2000
"""How often a task of the wanted difficulty is drawn."""
_OTHER_DRAWS = 100
"""How often each other difficulty of the bracket is, where that one cannot be had."""
_SEED_BITS = 53
"""Seeds are whole in every reader of JSON."""


class Generator:
    """Makes the tasks of a spec in a world."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        spec.check(world, rules)
        self.world = world
        self.rules = rules
        self.spec = spec
        self._kills = KillTasks(world, rules, spec)
        self._crafts = CraftTasks(world, rules, spec)

    def task(self, index: int) -> Task:
        """Task number `index`. Raises UsageError where the world has no such task."""
        task = self.attempt(index)
        if task is None:
            raise UsageError(self._impossible(index))
        return task

    def attempt(self, index: int) -> Task | None:
        """Task number `index`; None where the world has no such task."""
        chance = self.spec.chance(self.world, index)
        for difficulty, draws in self._difficulties(index, chance):
            for kind in self._kinds(difficulty, chance):
                for _ in range(draws):
                    task = self._drawn(kind, difficulty, chance)
                    if task:
                        return replace(task, id=self._id(task, index))
        return None

    def _difficulties(self, index: int, chance: Random) -> Iterator[tuple[int, int]]:
        """The difficulty that is wanted, then the others of its bracket, with how often each is drawn."""
        wanted = self.spec.difficulty(index)
        yield wanted, _DRAWS
        if not self.spec.steps:
            others = [step for step in bracket_steps(bracket_of(wanted)) if step != wanted]
            yield from ((step, _OTHER_DRAWS) for step in chance.sample(others, len(others)))

    def _kinds(self, difficulty: int, chance: Random) -> list[Kind]:
        """The kinds that a task of a difficulty may be of, the one that is wanted first."""
        spec = self.spec
        if spec.kind != "mixed":
            return [spec.kind]
        if spec.monster or not self._crafts.has(difficulty):
            return ["kill"]
        return ["craft", "kill"] if chance.random() < spec.craft_share else ["kill", "craft"]

    def _drawn(self, kind: Kind, difficulty: int, chance: Random) -> Task | None:
        """A proven task of a difficulty; None where the draw does not work out."""
        tasks = self._kills if kind == "kill" else self._crafts
        draft = tasks.draw(difficulty, chance)
        try:
            return self._proven(draft, chance) if draft else None
        except Unplannable:
            return None

    def _proven(self, draft: Draft, chance: Random) -> Task | None:
        spec = self.spec
        if spec.leveling:
            draft = draft.unskilled(self.world)
        scale = DROP_SCALE if spec.stochastic else None
        task = draft.task(self.world, chance.getrandbits(_SEED_BITS), spec.leveling, scale)
        if spec.leveling and not has_to_level(self.world, task):
            return None
        rehearsal = rehearse(self.world, self.rules, task)
        told = knowledge_for(self.world, task.rules(self.rules), spec, task, rehearsal, chance)
        task = replace(task, knowledge=told)
        task = replace(task, difficulty=total_difficulty(self.world, task))
        return certified(self.world, self.rules, task, rehearse(self.world, self.rules, task))

    def _id(self, task: Task, index: int) -> str:
        """Bracket, number in it, name and kind."""
        number = index if self.spec.steps else index // len(self.spec.brackets)
        things = self.world.monsters if task.kind == "kill" else self.world.items
        return f"{bracket_of(task.difficulty)}/{number + 1}_{things[task.target].name}_{task.kind}"

    # -- what is possible -------------------------------------------------------------------------------------------

    def _impossible(self, index: int) -> str:
        """Why there is no such task, and what there is."""
        spec = self.spec
        wanted = spec.difficulty(index)
        steps = bracket_steps(bracket_of(wanted))
        kind = "" if spec.kind == "mixed" else f"{spec.kind} "
        asked = f"difficulty {wanted}" if spec.steps else f"difficulty {steps[0]} to {steps[-1]}"
        against = f" against {self.world.monsters[spec.monster].name}" if spec.monster else ""
        extras = " and ".join(spec.extras())
        extra = f" with {extras}" if extras else ""
        place = f"in the world {self.world.code!r}"
        return f"No {kind}task of {asked}{against}{extra} could be made {place}: {self._possible(extras)}."

    def _possible(self, extras: str) -> str:
        ranges = [] if self.spec.kind == "craft" else [self._kills.range(Random(0))]  # noqa: S311 - a look around
        ranges += [] if self.spec.kind == "kill" or self.spec.monster else [self._crafts.range()]
        found = [both for both in ranges if both]
        if not found:
            return "no gear that the hero can make wins"
        least, most = min(low for low, _ in found), max(high for _, high in found)
        first, last = bracket_of(least), bracket_of(most)
        brackets = f"{first}" if first == last else f"{first}-{last}"
        without = f" without {extras}" if extras else ""
        return f"what there is{without} lies between {least} and {most} (--difficulty {brackets})"


@lru_cache(maxsize=200)
def generator(world: World, rules: Rules, spec: Spec) -> Generator:
    """The generator of a spec; made once, because it looks through the world."""
    return Generator(world, rules, spec)
