"""The jobs that depend on each other: what is crafted in which workshop, and who is hunted.

Gathering and buying depend on nothing and come first. A craft needs its ingredients: those that are crafted, and those
that monsters drop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, World
from herobench.task_gen.oracle.wardrobe import Slots
from herobench.task_gen.oracle.work import Work

ANY_SHOP = ""


class Progress(NamedTuple):
    """How far the jobs are done: what is crafted, and who is beaten."""

    crafted: frozenset[Code] = frozenset()
    beaten: frozenset[Code] = frozenset()
    had: frozenset[Code] = frozenset()
    """What the hero has in another way than by these jobs."""


class Jobs:
    """The crafts and hunts of a task."""

    def __init__(
        self,
        world: World,
        rules: Rules,
        task: Task,
        work: Work,
        hunts: Collection[Code],
        skills: Mapping[str, int],
        other_ways: Mapping[Code, int] | None = None,
    ) -> None:
        """`skills` are the hero's levels when he crafts; `other_ways` say what it costs to have an item without the
        job that gives it."""
        self.crafts = work.requirements.crafts
        self.hunts = tuple(hunts)
        self.missing = task.missing
        self.target = task.target if task.kind == "kill" else None
        self._recipes = {code: recipe for code in self.crafts if (recipe := world.recipe_of(code))}
        self._skills = skills
        self._matching = rules.workshop == "matching"
        self._other_ways = other_ways or {}
        self._droppers = {
            code: frozenset(world.droppers[code]).intersection(hunts) for code, number in work.hunted.items() if number
        }

    def is_done(self, progress: Progress) -> bool:
        """Whether every job is done."""
        return progress.crafted == self.crafts.keys() and progress.beaten.issuperset(self.hunts)

    def shop(self, code: Code) -> str:
        """The workshop of a craft, by its skill; there is only one where any workshop will do."""
        return self._recipes[code].skill if self._matching else ANY_SHOP

    def shops(self, progress: Progress) -> list[str]:
        """The workshops in which something is left to be crafted."""
        return sorted({self.shop(code) for code in self.crafts if code not in progress.crafted})

    def left(self, progress: Progress) -> list[Code]:
        """Who is left to be hunted, in the world's order."""
        return [who for who in self.hunts if who not in progress.beaten]

    def other_ways(self, progress: Progress) -> Iterator[tuple[int, Progress]]:
        """The ways to have one item more: the cost of each, and the progress then."""
        for code, cost in self._other_ways.items():
            if not self._has(code, progress):
                yield cost, progress._replace(had=progress.had | {code})

    def after(self, progress: Progress, shop: str) -> Progress:
        """The progress when all that can be crafted in a workshop is crafted."""
        for code in self.crafts:
            if self.shop(code) == shop and code not in progress.crafted and self._can_craft(code, progress):
                progress = progress._replace(crafted=progress.crafted | {code})
        return progress

    def owned(self, progress: Progress) -> Slots:
        """The slots whose missing gear the hero has."""
        return frozenset(slot for slot, code in self.missing.items() if self._has(code, progress))

    def _can_craft(self, code: Code, progress: Progress) -> bool:
        recipe = self._recipes[code]
        if self._skills[recipe.skill] < recipe.level:
            return False
        return all(self._has(part, progress) for part in recipe.ingredients)

    def _has(self, code: Code, progress: Progress) -> bool:
        if code in progress.crafted or code in progress.had:
            return True
        return code not in self.crafts and self._droppers.get(code, frozenset()) <= progress.beaten
