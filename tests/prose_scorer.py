"""A second scorer, as naive as the published one: it searches a log of prose, and knows no events.

It follows the published rules word by word: the win, the reward and the ideal of both kinds of tasks. It shares no code
with the modules `milestones` and `scoring`: recipes, drops and names come from the world's documents. Where
`standard` differs from the paper's editions it searches for other words. It is made for sure drops only, since a line
on a fight does not say what fell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task

Json = dict[str, Any]


class Verdict(NamedTuple):
    """What an episode is worth. `reached` and `wanted` are names of milestones."""

    outcome: str
    reached: frozenset[str]
    wanted: frozenset[str]

    def points(self, names: frozenset[str], rules: Rules) -> int:
        """The points that milestones earn: all of them one in the paper's editions, and what was made in `standard`."""
        if rules.credit == "all":
            return len(names)
        kinds = [name.split(":") for name in names]
        worn = [name for kind, *name in kinds if kind == "equip_missing"]
        come_by = [name for kind, *name in kinds if kind in ("craft_missing", "obtain_missing")]
        others = [kind for kind, *_ in kinds if kind in ("target_win", "craft_intermediate")]
        return len(others) + len(come_by) + len([name for name in worn if name in come_by])


class ProseScorer:
    """Scores logs, newest line first as the published server gave them, in the world of some documents."""

    def __init__(self, documents: dict[str, Json]) -> None:
        self.starters = set(documents["world"]["starter_items"])
        items: list[Json] = documents["items"]["items"]
        self.recipes = {item["code"]: list(item["recipe"]["ingredients"]) for item in items if "recipe" in item}
        self.monsters = {
            monster["code"]: (monster["name"], {drop["item"] for drop in monster["drops"]})
            for monster in documents["monsters"]["monsters"]
        }

    def judge(self, task: Task, rules: Rules, log: Sequence[str]) -> Verdict:
        if task.kind == "kill":
            outcome = self._kill_outcome(task.target, log)
            return Verdict(outcome, self._kill_reward(task, rules, log), self._kill_ideal(task))
        outcome = self._craft_outcome(task.target, rules, log)
        return Verdict(outcome, self._craft_reward(task, log), self._craft_ideal(task))

    # -- the outcome ------------------------------------------------------------------------------------------------

    def _kill_outcome(self, target: str, log: Sequence[str]) -> str:
        name = self.monsters[target][0].lower()
        for line in log:
            if "fight against" in line and name in line.lower() and "win" in line.lower():
                return "win"
        return "lose"

    def _craft_outcome(self, target: str, rules: Rules, log: Sequence[str]) -> str:
        crafted = "lose"
        for line in log:
            if target not in line:
                continue
            if "failed to craft" in line:
                return "lose"
            if "crafts" in line and (rules.craft_credit == "mention" or f"crafts {target} x" in line):
                crafted = "win"
        return crafted

    # -- the reward -------------------------------------------------------------------------------------------------

    def _kill_reward(self, task: Task, rules: Rules, log: Sequence[str]) -> frozenset[str]:
        missing, crafted, leaves = self._parts_of_gear(task)
        equipped = "equipped item" if rules.equip_credit == "mention" else "has equipped item"
        reached = set()
        for line in log:
            for monster, (name, drops) in self.monsters.items():
                if f"win his fight against {name}." in line:
                    reached.add("target_win" if monster == task.target else f"other_monster:{monster}")
                    reached |= {f"obtain_missing:{code}" for code in drops & missing}
            for code in missing:
                if f"crafts {code} x" in line:
                    reached.add(f"craft_missing:{code}")
                if f"{equipped} {code} " in line:
                    reached.add(f"equip_missing:{code}")
            reached |= {f"craft_intermediate:{code}" for code in crafted if f"crafts {code} x" in line}
            reached |= {f"gather_resource:{code}" for code in leaves & gathered(line)}
        return frozenset(reached)

    def _craft_reward(self, task: Task, log: Sequence[str]) -> frozenset[str]:
        crafted, leaves = self._parts_of_target(task)
        reached = set()
        for line in log:
            if f"crafts {task.target} x" in line:
                reached.add("target_win")
            reached |= {f"craft_intermediate:{code}" for code in crafted if f"crafts {code} x" in line}
            reached |= {f"gather_resource:{code}" for code in leaves & gathered(line)}
            reached |= {f"buy_resource:{code}" for code in leaves if f"purchased {code} x" in line}
        return frozenset(reached)

    # -- the ideal --------------------------------------------------------------------------------------------------

    def _kill_ideal(self, task: Task) -> frozenset[str]:
        missing, crafted, leaves = self._parts_of_gear(task)
        wanted = {"target_win"}
        for code in missing:
            wanted |= {f"craft_missing:{code}" if code in self.recipes else f"obtain_missing:{code}"}
            wanted |= {f"equip_missing:{code}"}
        wanted |= {f"craft_intermediate:{code}" for code in crafted}
        for leaf in leaves:
            droppers = {monster for monster, (_, drops) in self.monsters.items() if leaf in drops}
            wanted |= {f"other_monster:{code}" for code in droppers - {task.target}}
            if not droppers:
                wanted.add(f"gather_resource:{leaf}")
        return frozenset(wanted)

    def _craft_ideal(self, task: Task) -> frozenset[str]:
        crafted, leaves = self._parts_of_target(task)
        wanted = {"target_win", *(f"craft_intermediate:{code}" for code in crafted)}
        sold = task.knowledge.sold
        return frozenset(wanted | {f"{'buy' if leaf in sold else 'gather'}_resource:{leaf}" for leaf in leaves})

    # -- what things are made of ------------------------------------------------------------------------------------

    def _parts_of_gear(self, task: Task) -> tuple[set[str], set[str], set[str]]:
        """The missing codes, what else is crafted for them, and what is not crafted; starter items are left out."""
        missing = set(task.missing.values())
        parts = {part for code in missing for part in self._tree(code)} - self.starters
        crafted = {part for part in parts if part in self.recipes}
        return missing, crafted - missing, parts - crafted

    def _parts_of_target(self, task: Task) -> tuple[set[str], set[str]]:
        """What is crafted for the target of a craft task, and what is not crafted."""
        parts = set(self._tree(task.target)) - {task.target}
        crafted = {part for part in parts if part in self.recipes}
        return crafted, parts - crafted

    def _tree(self, code: str) -> list[str]:
        return [code, *(part for ingredient in self.recipes.get(code, ()) for part in self._tree(ingredient))]


def gathered(line: str) -> set[str]:
    """The codes that a line says were gathered."""
    _, found, rest = line.partition("gathered resources ")
    return set(rest.partition(" with the skill")[0].split(", ")) if found else set()
