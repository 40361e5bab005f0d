"""The work of a task: what has to be crafted, bought, gathered and hunted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from herobench.rpg.task import Task
from herobench.rpg.world import Code, World
from herobench.task_gen.oracle.requirements import Requirements


@dataclass(frozen=True)
class Work:
    """The items that a task needs, by their source."""

    requirements: Requirements
    bought: Mapping[Code, int]
    gathered: Mapping[Code, int]
    hunted: Mapping[Code, int]
    """Items that monsters drop; the number is 0 for items that are gathered anyway."""

    @classmethod
    def of(cls, world: World, task: Task) -> Work:
        """Return the work of a task. Drops count in kill tasks only: in craft tasks fights earn nothing."""
        order = Counter(task.missing.values()) if task.kind == "kill" else Counter([task.target])
        requirements = Requirements.of(world, order)
        need = {code: max(0, n - task.hero.inventory.get(code, 0)) for code, n in requirements.raw.items()}
        sold = {code for code in need if code in task.knowledge.sold}
        # One purchase gets any amount, so nothing that is sold is gathered.
        gathered = {code for code in need if code in world.nodes} - sold
        hunted = {code for code in need if code in world.droppers and task.kind == "kill"}
        bought = need.keys() - gathered - hunted
        return cls(
            requirements,
            bought={code: need[code] for code in sorted(bought) if need[code]},
            # At least one, even if the hero owns enough: the full score counts the gathering itself.
            gathered={code: max(1, need[code]) for code in sorted(gathered)},
            hunted={code: 0 if code in gathered else need[code] for code in sorted(hunted)},
        )
