"""The work of a campaign: what all of its goals take together, by source.

Gear is made once and used again: of an item, as many pieces are made as are ever worn at a time. The target of a craft
goal is made when it is due, one piece for each such goal, on top of all other pieces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from herobench.rpg.task import Task
from herobench.rpg.world import Code, World
from herobench.task_gen.oracle.outfits import Outfit, outfits_of
from herobench.task_gen.oracle.requirements import Requirements


@dataclass(frozen=True)
class CampaignWork:
    """The items that a campaign needs, by their source."""

    outfits: tuple[Outfit, ...]
    """What the hero wears for each goal."""
    crafts: Mapping[Code, int]
    """The pieces to craft before they are due, ingredients first; 0 if all pieces are made when they are due."""
    skills: Mapping[str, int]
    gathered: Mapping[Code, int]
    bought: Mapping[Code, int]
    hunted: Mapping[Code, int]

    @classmethod
    def of(cls, world: World, task: Task) -> CampaignWork:
        """Return the work of a campaign. What is for sale is bought, what nodes give gathered, the rest hunted."""
        outfits = outfits_of(task)
        due = Counter(goal.target for goal in task.goals if goal.kind == "craft")
        requirements = Requirements.of(world, pieces_worn(task, outfits) + due)
        owned, sold = task.hero.inventory, task.knowledge.sold
        need = {code: n - owned.get(code, 0) for code, n in requirements.raw.items() if n > owned.get(code, 0)}
        bought = {code: number for code, number in need.items() if code in sold}
        gathered = {code: number for code, number in need.items() if code in world.nodes and code not in sold}
        return cls(
            outfits,
            crafts={code: number - due[code] for code, number in requirements.crafts.items()},
            skills=requirements.skills,
            gathered=gathered,
            bought=bought,
            hunted={code: number for code, number in need.items() if code not in gathered and code not in bought},
        )


def pieces_worn(task: Task, outfits: tuple[Outfit, ...]) -> Counter[Code]:
    """Return the pieces of gear that have to be made: of each item, the most that are worn at a time."""
    most: Counter[Code] = Counter()
    for outfit in outfits:
        most |= Counter(outfit.values())
    return most - Counter(task.hero.worn.values()) - Counter(task.hero.inventory)
