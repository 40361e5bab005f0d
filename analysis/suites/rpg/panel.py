"""The RPG's part of a sample's page: the plan, its replay on the map, and the task.

The report calls it for each run, sample and task. It returns data for page/panel.js, which knows no rules. For the
replay it gets the hero's state at the start and a change for each entry of the trace, made by playing the trace again.
Each played event is compared with the stored one. The replay ends at the first difference, because then the rules or
the world are not those of the run. A change is a JSON object with only the new values; in maps, null stands for a key
that is gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from herobench.analysis.reading.contract import Panel
from herobench.analysis.samples.samples import Sample
from herobench.analysis.suites.rpg.reading import events_in
from herobench.analysis.suites.rpg.repair.edits import told_repair
from herobench.conversation import Reply, ToolCall
from herobench.data.documents import parse_line, read_text
from herobench.data.errors import InputError, Problem
from herobench.data.files import bounded_lines, open_lines, unreadable
from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.events import SIGNATURES, CallError, Event
from herobench.suites.rpg.game.game import Game, GameOver
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import TOLD, Task, Told
from herobench.suites.rpg.game.world import Content, World
from herobench.suites.rpg.play.execution import attempt_plan, told_mode
from herobench.suites.rpg.play.options import MODES
from herobench.suites.rpg.worlds.content import DEFAULT_EDITION, kept_world, load_rules, load_world
from herobench.suites.rpg.worlds.task_file import load_tasks

State = Mapping[str, Any]
Change = dict[str, Any]

_PARTS: Mapping[str, Callable[[Hero], Any]] = MappingProxyType(
    {
        "place": attrgetter("place"),
        "combat": lambda hero: hero.combat.as_tuple(),
        "stats": attrgetter("hp", "attack", "damage", "resistance", "round_effects"),
        "skills": lambda hero: {skill: progress.as_tuple() for skill, progress in hero.skills.items()},
        "stacks": lambda hero: {slot: (stack.item, stack.quantity) for slot, stack in hero.consumables.items()},
        "worn": lambda hero: dict(hero.worn),
        "bag": lambda hero: dict(hero.inventory),
    }
)
"""The parts of a hero's state: all that an action can change."""


@dataclass(frozen=True, slots=True)
class Replay:
    """One change for each entry of a trace, up to the first entry that was played with another result, if any."""

    changes: tuple[Change, ...]
    differs_at: int | None


def replay(world: World, task: Task, edition: Rules, trace: Mapping[str, Any]) -> Replay:
    """Play a stored trace again."""
    game = Game(world, task.rules(edition), task.hero, task.seed)
    state, changes = hero_state(game.hero), list[Change]()
    for event, times in events_in(trace):
        # an entry stands for equal actions in a row; each changes the state and must have the stored result
        if not _comes_out(game, event, times):
            return Replay(tuple(changes), len(changes))
        before, state = state, hero_state(game.hero)
        changes.append(change(before, state))
        game.events.clear()  # long plans have a million events, which are not needed again
    return Replay(tuple(changes), None)


def start_state(world: World, task: Task) -> State:
    """Return the state in which a task begins."""
    return hero_state(Hero(world, task.hero))


def hero_state(hero: Hero) -> State:
    """Return everything about a hero that an action can change."""
    return {name: read_part(hero) for name, read_part in _PARTS.items()}


def change(before: State, after: State) -> Change:
    """Return the values in which one state differs from the one before."""
    return {name: _difference(before[name], value) for name, value in after.items() if value != before[name]}


def _difference(before: Any, after: Any) -> Any:
    """Return the new value of a part of the state; of a map, its keys that changed."""
    if not isinstance(after, dict):
        return after
    removals = {key: None for key in before if key not in after}
    return {**removals, **{key: value for key, value in after.items() if before.get(key) != value}}


def _comes_out(game: Game, original: Event, times: int) -> bool:
    """Play an action a number of times. Return whether each time has the stored result."""
    action = original.action
    if action.name not in SIGNATURES:
        return False
    try:
        for _ in range(times):
            if game.act(action) != original:
                return False
    except (CallError, GameOver):  # such a call leaves no event, so the trace is from another game
        return False
    return True


_SHORT = 8
"""Characters of a world's digest that are shown."""
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True)
class PlanPanel(Panel):
    """The panels of one run, with the world, the rules and the tasks that its plans were written for."""

    world: World
    rules: Rules
    """The edition, without the changes of a task's mechanics."""
    tasks: Mapping[str, Task] = field(default_factory=dict)
    """The tasks by id. A sample of another task is shown without prompt and replay."""
    mode: str = MODES[0]
    """The mode in which the tasks were played."""
    told: Told = "plan"
    """What their prompts told of the certified plan."""

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> PlanPanel:
        """Read the world and the tasks in a run's folder. Raise InputError if they cannot be read."""
        identity = manifest["config"]["identity"]
        world, tasks = _kept_world(folder / "world.json", identity.get("world")), folder / "tasks.jsonl"
        rules = load_rules(identity.get("rules", DEFAULT_EDITION))
        # tasks of another world cannot be read; their samples are shown without prompts and replays
        is_readable = tasks.exists() and identity.get("world") in (None, world.digest)
        tasks_by_id = _kept_tasks(tasks, manifest["config"].get("tasks"), world) if is_readable else {}
        return cls(world, rules, tasks_by_id, told_mode(identity), identity.get("told", TOLD[0]))

    @classmethod
    def of_file(cls) -> PlanPanel:
        """Return the panel for a file of rows. It has no tasks, so nothing is replayed."""
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
        """Return the name of an edition, or a world's name with the start of its digest, since names are not unique."""
        if setting != "world":
            return value
        return f"{self.world.name} {value[:_SHORT]}" if value == self.world.digest else value[:_SHORT]

    def setting(self) -> Mapping[str, Any]:
        """Return the world as the map draws it."""
        return world_record(self.world)

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the prompt of a task, the state in which it begins, and a plan that wins."""
        task = self.tasks.get(task_id)
        if task is None:
            return None
        return {
            # in other modes, the conversation shows the opening
            "prompt": render_prompt(self.world, task, self.rules, self.told) if self.shows_prompts else None,
            "start": start_state(self.world, task),
            "missing": dict(task.missing),
            "certificate": task.certificate.plan if task.certificate else None,
        }

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return the plan of a sample, and its replay or the reason why there is none."""
        repair_row = sample.get("repair")
        repair_fields = {"repair": told_repair(repair_row)} if repair_row else {}
        return {"plan": replied_plan(sample, self.rules), **self._replay(sample), **repair_fields}

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
        # only the same world and rules give the same events again
        outcome = replay(self.world, task, self.rules, trace)
        return {"changes": outcome.changes, "differs_at": outcome.differs_at}


def replied_plan(sample: Sample, rules: Rules) -> str | None:
    """Return the plan of the replies as one text; events name its lines."""
    if not sample["replies"]:
        return None
    return attempt_plan(told_mode(sample["details"]), [stored_reply(row) for row in sample["replies"]], rules)


def stored_reply(row: Mapping[str, Any]) -> Reply:
    """Return a stored reply. One that another program wrote may lack its text or its calls."""
    calls = (ToolCall(call["id"], call["name"], call["arguments"]) for call in row.get("tool_calls") or ())
    return Reply(row.get("text") or "", tuple(calls), row.get("answer"), stop=row.get("stop"))


def _kept_world(path: Path, digest: str | None) -> World:
    """Return the world in a run's folder, or the default one if there is none."""
    if not path.exists():
        return load_world()
    try:
        world = kept_world(read_text(path))
    except OSError as error:
        raise InputError([unreadable(path, error)]) from error
    except _UNREADABLE as error:
        raise InputError([Problem(str(path), "", "the world as the run wrote it")]) from error
    if digest not in (None, world.digest):
        requirement = "the world that the run was begun in, and the file was changed since"
        raise InputError([Problem(str(path), "", requirement, advice="put the file back as it was")])
    return world


def _kept_tasks(path: Path, digest: str | None, world: World) -> Mapping[str, Task]:
    """Return the tasks in a run's folder. Raise InputError if they cannot be read.

    If the file is as the run wrote it, its rows were checked when the run began. To check them again takes longer than
    to read them.
    """
    kept_tasks, content = dict[str, Task](), hashlib.sha256()
    try:
        with open_lines(path) as file:
            for line in bounded_lines(file, str(path)):
                content.update(line)
                row, _ = parse_line(line, "")
                kept_tasks[row["id"]] = Task.from_row(row)
    except (InputError, OSError, *_UNREADABLE):
        digest = None
    if content.hexdigest() == digest:
        return kept_tasks
    # this tells what is wrong
    return load_tasks(path, world)


def world_record(world: World) -> dict[str, Any]:
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
