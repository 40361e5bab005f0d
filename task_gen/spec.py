"""What tasks are asked for: the options that, with the world, a seed and a number, decide each task to a byte."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from random import Random
from typing import Any, Literal

from herobench.errors import UsageError
from herobench.rpg.rules import Rules
from herobench.rpg.task import KnowledgeLevel
from herobench.rpg.world import Code, World
from herobench.task_gen.difficulty import BRACKETS, bracket_steps
from herobench.task_gen.knowledge.noise import most_noise

KindWish = Literal["kill", "craft", "mixed"]
CRAFT_SHARE = 0.33
"""Of mixed tasks, how many are craft tasks where the wanted difficulty has such."""
DROP_SCALE = 10.0
"""By how much the rates of drops are multiplied in stochastic tasks: most drops fall every second time then."""
NOISE = 5
"""How many noise items a task tells where no number is asked for."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What tasks are asked for."""

    seed: int = 0
    brackets: tuple[int, ...] = tuple(BRACKETS[:9])
    steps: tuple[int, ...] = ()
    """Total difficulties; where there are any, they stand in for the brackets' own."""
    kind: KindWish = "mixed"
    craft_share: float = CRAFT_SHARE
    monster: Code | None = None
    level: int | None = None
    """The hero's level; None to choose one that suits."""
    knowledge: KnowledgeLevel = "exact"
    leveling: bool = False
    noise: int = 0
    stochastic: bool = False

    def check(self, world: World, rules: Rules) -> None:
        """Raise UsageError where what is asked for cannot be meant."""
        for bracket in self.brackets:
            if bracket not in BRACKETS:
                raise UsageError(f"There is no difficulty {bracket}: give numbers from 1 to {BRACKETS[-1]}.")
        if not self.brackets and not self.steps:
            raise UsageError(f"No difficulty is asked for: give numbers from 1 to {BRACKETS[-1]}.")
        if len(set(self.brackets)) < len(self.brackets):
            raise UsageError("A difficulty is asked for twice: name each once.")
        if self.monster is not None and self.monster not in world.monsters:
            raise UsageError(unknown_monster(world, self.monster))
        if self.monster is not None and self.kind == "craft":
            raise UsageError("A craft task has no monster: leave out the monster, or ask for kill tasks.")
        if not 0 <= self.craft_share <= 1:
            raise UsageError(f"A share of craft tasks lies between 0 and 1, and {self.craft_share:g} does not.")
        if self.level is not None and not 1 <= self.level <= rules.level_cap:
            raise UsageError(f"A hero has a level from 1 to {rules.level_cap}, and {self.level} is none.")
        if self.noise < 0:
            raise UsageError("The number of noise items is 0 or more.")
        most = most_noise(world, {item.type for item in world.items.values()}) if self.noise else 0
        if self.noise > most:
            raise UsageError(f"{self.noise} noise items are too many: the world {world.code!r} has names for {most}.")

    def difficulty(self, index: int) -> int:
        """The total difficulty wanted of a task: brackets take turns, and in each its steps do."""
        if self.steps:
            return self.steps[index % len(self.steps)]
        steps = bracket_steps(self.brackets[index % len(self.brackets)])
        return steps[index // len(self.brackets) % len(steps)]

    def extras(self) -> list[str]:
        """What is asked for that makes tasks harder to find."""
        wished = {
            "decoys": self.knowledge == "decoys",
            f"{self.noise} noise items": self.noise > 0,
            "leveling": self.leveling,
            "drops by chance": self.stochastic,
        }
        return [extra for extra, is_wished in wished.items() if is_wished]

    def chance(self, world: World, index: int) -> Random:
        """What chance in making a task comes from."""
        asked = json.dumps([world.digest, self.as_row(), index], sort_keys=True)
        return Random(int.from_bytes(hashlib.sha256(asked.encode()).digest(), "big"))  # noqa: S311 - reproducible chance

    def as_row(self) -> dict[str, Any]:
        """The options as plain data."""
        return asdict(self)


def unknown_monster(world: World, name: str) -> str:
    """What to say to someone who asks for a monster that there is not."""
    near = get_close_matches(name, world.monsters, 3) or list(world.monsters)
    return f"There is no monster {name!r} in the world {world.code!r}: try one of {', '.join(near)}."
