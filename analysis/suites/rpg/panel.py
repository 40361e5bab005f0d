"""The RPG's part of a sample's page: the plan, its replay on the map, and what the task was.

The report calls it for each run, sample and task. What it returns is data for page/panel.js, which knows no rule of
the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from herobench.analysis.reading.contract import Panel
from herobench.analysis.samples.samples import Sample
from herobench.analysis.suites.rpg.hero_changes import goals_at, replay, start_of
from herobench.conversation import Reply, ToolCall
from herobench.data.documents import read_text
from herobench.data.errors import InputError, Problem
from herobench.data.files import unreadable
from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Content, World
from herobench.suites.rpg.play.reply_plan import MODES, mode_of, plan_of
from herobench.suites.rpg.worlds.content import DEFAULT_EDITION, load_rules, load_world
from herobench.suites.rpg.worlds.task_file import load_tasks

_SHORT = 8
"""Characters of a world's digest that are shown."""
_NO_WORLD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True)
class PlanPanel(Panel):
    """The panels of one run, with the world, the rules and the tasks that its plans were written for."""

    world: World
    rules: Rules
    """The edition, without the changes that a task's mechanics make."""
    tasks: Mapping[str, Task] = field(default_factory=dict)
    """The tasks by id. The report shows a sample of another task without its prompt and its replay."""
    mode: str = MODES[0]
    """The mode in which the tasks were played."""

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> PlanPanel:
        """Read the world and the tasks that a run's folder keeps. Raise InputError if they cannot be read."""
        identity = manifest["config"]["identity"]
        world, tasks = _kept_world(folder / "world.json", identity.get("world")), folder / "tasks.jsonl"
        rules = load_rules(identity.get("rules", DEFAULT_EDITION))
        # tasks of another world cannot be read; their samples are shown without prompts and replays
        is_readable = tasks.exists() and identity.get("world") in (None, world.digest)
        return cls(world, rules, load_tasks(tasks, world) if is_readable else {}, mode_of(identity))

    @classmethod
    def of_file(cls) -> PlanPanel:
        """Return the panel for a file of rows, which has no tasks, so that nothing is replayed."""
        return cls(load_world(), load_rules(DEFAULT_EDITION))

    @property
    def given(self) -> Mapping[str, str]:  # type: ignore[override]
        """The rules and the world of the run."""
        return {"rules": self.rules.name, "world": self.world.digest}

    @property
    def shows_prompts(self) -> bool:  # type: ignore[override]
        """True if the model read the prompt that this page renders; in other modes it read another opening."""
        return self.mode == MODES[0]

    def label(self, setting: str, value: str) -> str:
        """Return the name of an edition, or a world's name with a part of its digest: names are not unique."""
        if setting != "world":
            return value
        return f"{self.world.name} {value[:_SHORT]}" if value == self.world.digest else value[:_SHORT]

    def setting(self) -> Mapping[str, Any]:
        """Return the world as the map draws it."""
        return _drawn(self.world)

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the prompt of a task, the state in which it begins, and a plan that wins."""
        task = self.tasks.get(task_id)
        if task is None:
            return None
        return {
            # what was told in another mode stands in the conversation
            "prompt": render_prompt(self.world, task, self.rules) if self.shows_prompts else None,
            "start": start_of(self.world, task),
            "missing": dict(task.missing),
            "goals": [[goal.kind, goal.target] for goal in task.goals],
            "certificate": task.certificate.plan if task.certificate else None,
        }

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return the plan of a sample, and its replay or the reason why there is none."""
        return {"plan": _plan(sample, self.rules), **self._replay(sample)}

    def _replay(self, sample: Sample) -> dict[str, Any]:
        task, trace, details = self.tasks.get(sample["task_id"]), sample["events"], sample["details"]
        if trace is None:
            return {"no_replay": "This sample has no events."}
        if task is None:
            return {"no_replay": "The task of this sample is not among the tasks that the report was given."}
        if (details.get("world") or self.world.digest) != self.world.digest:
            return {"no_replay": "This sample is of another world than the one that the report was given."}
        if (details.get("rules") or self.rules.name) != self.rules.name:
            return {"no_replay": "This sample is of other rules than those that the report was given."}
        # only under the same world and rules does the game give the same events again
        played = replay(self.world, task, self.rules, trace)
        return {"changes": played.changes, "differs_at": played.differs_at, "goals_at": goals_at(task, trace)}


def _plan(sample: Sample, rules: Rules) -> str | None:
    """Return the plan that the replies make: one text, in whose lines the events stand."""
    if not sample["replies"]:
        return None
    return plan_of(mode_of(sample["details"]), [_reply(row) for row in sample["replies"]], rules)


def _reply(row: Mapping[str, Any]) -> Reply:
    """Return a stored reply. One that another program wrote may lack its text or its calls."""
    called = (ToolCall(call["id"], call["name"], call["arguments"]) for call in row.get("tool_calls") or ())
    return Reply(row.get("text") or "", tuple(called), row.get("answer"), stop=row.get("stop"))


def _kept_world(path: Path, digest: str | None) -> World:
    """Return the world that a run's folder keeps, or the default one if the folder lacks it."""
    if not path.exists():
        return load_world()
    try:
        world = World.from_source(read_text(path))
    except OSError as error:
        raise InputError([unreadable(path, error)]) from error
    except _NO_WORLD as error:
        raise InputError([Problem(str(path), "", "the world as the run wrote it")]) from error
    if digest not in (None, world.digest):
        expected = "the world that the run was begun in, and the file was changed since"
        raise InputError([Problem(str(path), "", expected, advice="put the file back as it was")])
    return world


def _drawn(world: World) -> dict[str, Any]:
    """Return the parts of a world that the map and the hero's belongings show."""
    return {
        "name": world.name,
        "digest": world.digest,
        "start": list(world.start),
        "elements": list(world.elements),
        "slots": list(world.slots),
        "tiles": [[*tile.place, tile.name, _standing(world, tile.content)] for tile in world.tiles.values()],
        "monsters": {code: [monster.name, monster.level, monster.stats.hp] for code, monster in world.monsters.items()},
        "items": {code: item.name for code, item in world.items.items()},
    }


def _standing(world: World, content: Content | None) -> list[Any] | None:
    """Return the type, code and name of a tile's content, and the level of a monster or resource."""
    if content is None:
        return None
    kind, code = content
    if kind == "monster" and code in world.monsters:
        return [kind, code, world.monsters[code].name, world.monsters[code].level]
    if kind == "resource" and code in world.resources:
        return [kind, code, world.resources[code].name, world.resources[code].level]
    return [kind, code, code.replace("_", " ").capitalize(), None]
