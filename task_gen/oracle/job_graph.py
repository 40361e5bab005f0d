"""The jobs of a task that depend on each other: crafts in workshops, and hunts.

The quick planner and the search over job orders use it. Gathering and buying depend on nothing, so they come first
and are not jobs. A craft needs its ingredients, which other crafts make or monsters drop.
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
"""The one workshop under rules that let every workshop do every craft."""


class JobProgress(NamedTuple):
    """The jobs that are done: items that are crafted, and monsters that are beaten."""

    crafted: frozenset[Code] = frozenset()
    beaten: frozenset[Code] = frozenset()
    had: frozenset[Code] = frozenset()
    """Items that the hero got in another way than by these jobs."""


class JobGraph:
    """The crafts and hunts of a task, and what they depend on."""

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
        """`skills` are the hero's levels when he crafts.

        `other_ways` are the costs of having an item without the job that gives it.
        """
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

    def is_done(self, progress: JobProgress) -> bool:
        """Return whether every job is done."""
        return progress.crafted == self.crafts.keys() and progress.beaten.issuperset(self.hunts)

    def shop(self, code: Code) -> str:
        """Return the workshop of a craft, named by its skill."""
        return self._recipes[code].skill if self._matching else ANY_SHOP

    def shops(self, progress: JobProgress) -> list[str]:
        """Return the workshops in which something is left to craft."""
        # Sorted, because the search has to try workshops in the same order in every process.
        return sorted({self.shop(code) for code in self.crafts if code not in progress.crafted})

    def left(self, progress: JobProgress) -> list[Code]:
        """Return the monsters that are left to hunt, in the world's order."""
        return [who for who in self.hunts if who not in progress.beaten]

    def other_ways(self, progress: JobProgress) -> Iterator[tuple[int, JobProgress]]:
        """Yield the ways to get one more item without its job: the cost of each, and the progress after it."""
        for code, cost in self._other_ways.items():
            if not self._has(code, progress):
                yield cost, progress._replace(had=progress.had | {code})

    def after(self, progress: JobProgress, shop: str) -> JobProgress:
        """Return the progress after a visit to a workshop in which everything possible is crafted."""
        # Topological order: an ingredient that is crafted here is ready for the next craft of the same visit.
        for code in self.crafts:
            if self.shop(code) == shop and code not in progress.crafted and self._can_craft(code, progress):
                progress = progress._replace(crafted=progress.crafted | {code})
        return progress

    def owned(self, progress: JobProgress) -> Slots:
        """Return the slots whose missing gear the hero has."""
        return frozenset(slot for slot, code in self.missing.items() if self._has(code, progress))

    def _can_craft(self, code: Code, progress: JobProgress) -> bool:
        recipe = self._recipes[code]
        # Skills are final here: all leveling is done at nodes, before the first craft.
        if self._skills[recipe.skill] < recipe.level:
            return False
        return all(self._has(part, progress) for part in recipe.ingredients)

    def _has(self, code: Code, progress: JobProgress) -> bool:
        if code in progress.crafted or code in progress.had:
            return True
        # Items from nodes or the exchange have no droppers here, so they are owned from the start.
        return code not in self.crafts and self._droppers.get(code, frozenset()) <= progress.beaten
