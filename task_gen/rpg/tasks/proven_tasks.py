"""Draws the tasks of a spec, kills and crafts, and proves each: the oracle plans it, and certifies the plan."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Kind, Mechanics, Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.loadouts import needs_leveling
from herobench.task_gen.rpg.tasks.certificate import certify, rehearse
from herobench.task_gen.rpg.tasks.drafts import EXCHANGE, CraftTasks, Fight, KillTasks, TaskDraft
from herobench.task_gen.rpg.tasks.spec import DROP_SCALE, Spec, to_bracket, total_difficulty, with_budget
from herobench.task_gen.rpg.tasks.telling import knowledge_for

_SEED_BITS = 53
"""Seeds are integers that every JSON reader keeps exact."""


class ProvenTasks:
    """Draws the tasks of a spec in a world. What cannot be proven is no task."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self.world = world
        self.rules = rules
        self.spec = spec
        self._kills = KillTasks(world, rules, spec)
        self._crafts = CraftTasks(world, rules, spec)

    def kinds(self, difficulty: int, rng: Random) -> list[Kind]:
        """Return the kinds that a task of a difficulty may have, the wanted one first."""
        spec = self.spec
        if spec.kind != "mixed":
            return [spec.kind]
        if spec.monster or not self._crafts.has(difficulty):
            return ["kill"]
        # Drawn only if there is a choice. One draw more or less would change the bytes of every dataset.
        return ["craft", "kill"] if rng.random() < spec.craft_share else ["kill", "craft"]

    def draw(self, kind: Kind, difficulty: int, rng: Random) -> Task | None:
        """Draw a task of a difficulty and prove it. Return None if that fails."""
        tasks = self._kills if kind == "kill" else self._crafts
        draft = tasks.draw(difficulty, rng)
        try:
            return self._prove(draft, rng) if draft else None
        except Unplannable:
            return None

    def draw_fight(self, difficulty: int, fight: Fight | None, rng: Random) -> Task | None:
        """Draw a kill task of a difficulty, and of a fight if one is given, without a certificate.

        Return None if there is none. Raise Unplannable if there is no plan for it.
        """
        draft = self._kills.draw(difficulty, rng, fight)
        return self._with_knowledge(draft, rng) if draft else None

    def _prove(self, draft: TaskDraft, rng: Random) -> Task | None:
        task = self._with_knowledge(draft, rng)
        return self.certify(task) if task else None

    def _with_knowledge(self, draft: TaskDraft, rng: Random) -> Task | None:
        """Return a draft as a task with its knowledge, but without a certificate. Return None if it needs no leveling.

        Raises Unplannable if there is no plan for it.
        """
        spec = self.spec
        if spec.leveling:
            draft = draft.without_skills(self.world)
        scale = DROP_SCALE if spec.stochastic else None
        mechanics = Mechanics(draft.leveling, scale, EXCHANGE, spec.plan, spec.defeat)
        task = draft.task(self.world, rng.getrandbits(_SEED_BITS), mechanics)
        # A low level and low skills do not matter if nothing needs more, and then the draw is no leveling task.
        if draft.leveling and not needs_leveling(self.world, task):
            return None
        # First with full knowledge, to learn which facts a plan needs; then with only the facts that the task tells.
        rehearsal = rehearse(self.world, self.rules, task)
        knowledge = knowledge_for(self.world, task.rules(self.rules), spec, task, rehearsal, rng)
        task = replace(task, knowledge=knowledge)
        return replace(task, difficulty=total_difficulty(self.world, task))

    def certify(self, task: Task) -> Task:
        """Return a task with its certificate and its budget. Raises Unplannable if it cannot be proven."""
        task = certify(self.world, self.rules, task, rehearse(self.world, self.rules, task))
        return task if self.spec.budget is None else with_budget(task, self.spec.budget)

    def possible(self, extras: str) -> str:
        """Return which difficulties the world has, whatever the extras."""
        ranges = [] if self.spec.kind == "craft" else [self._kills.range(Random(0))]  # noqa: S311 - an estimate for a message
        ranges += [] if self.spec.kind == "kill" or self.spec.monster else [self._crafts.range()]
        known_ranges = [both for both in ranges if both]
        if not known_ranges:
            return "no gear that the hero can make wins"
        least, most = min(low for low, _ in known_ranges), max(high for _, high in known_ranges)
        first, last = to_bracket(least), to_bracket(most)
        brackets = f"{first}" if first == last else f"{first}-{last}"
        without = f" without {extras}" if extras else ""
        return f"possible difficulties{without} are {least} to {most} (--difficulty {brackets})"
