"""Shows the tasks of the RPG to people: a line a task, everything about one, and how its attempts open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from herobench.data.errors import UsageError
from herobench.data.files import file_sha256, is_standard_input
from herobench.prompts.rpg.modes import render_feedback, render_tools
from herobench.prompts.rpg.render import prompt_digest, render_prompt
from herobench.suite.browsing import ListedTask, ShownTask, TaskBrowser
from herobench.suite.contract import SuiteSetting
from herobench.suite.validating import TaskFigures, Watch
from herobench.suites.rpg.game.calls import MOST_CALLS
from herobench.suites.rpg.game.task import Task, to_bracket
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.options import ListOptions, RpgOptions
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, load_world
from herobench.suites.rpg.worlds.renamed import with_names
from herobench.task_gen.rpg.datasets import load_tasks_at, tasks_at
from herobench.task_gen.rpg.datasheet import datasheet, sheet_parts
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.tasks.spec import DEFAULT_DATASET, refuse_other_brackets
from herobench.task_gen.rpg.unsolvable.closing import names as closed_names


class RpgBrowser(TaskBrowser):
    """Reads a tasks file. Without one, the question chooses a set."""

    columns = ("id", "goal", "told")
    figures = ("diff.", "gear", "actions")
    wrapped = ("goal", "told")

    def __init__(self, setting: SuiteSetting) -> None:
        tasks_path = setting.tasks or setting.dataset
        self._named = None if tasks_path is None else Path(tasks_path)
        self._options = RpgOptions.of(setting.options)
        self._tasks: Mapping[str, Task] = {}

    def listed(self, filters: ListOptions) -> Sequence[ListedTask]:
        """Return the tasks of some brackets and of one kind."""
        brackets, kind = filters.difficulty, filters.kind
        refuse_other_brackets(brackets or ())
        self._read()
        summaries = [
            _summary(task)
            for task in self._tasks.values()
            if (brackets is None or to_bracket(task.difficulty) in brackets) and kind in (None, task.kind)
        ]
        return [ListedTask(summary, _cells(summary)) for summary in summaries]

    def ids(self, pattern: str) -> Sequence[str]:
        """Return the ids of the file."""
        self._read()
        return list(self._tasks)

    def shown(self, task_id: str) -> ShownTask:
        """Return everything about a task."""
        task = self._tasks[task_id]
        return ShownTask(task.as_row(), _about(task, self._world), task.certificate.plan if task.certificate else "")

    def opening(self, task_id: str) -> str:
        """Return the message with which an attempt opens."""
        from herobench.suites.rpg.play.attempts import MOST_PARTS  # with the sandbox, which lists do not need

        world, task, mode = self._world, self._tasks[task_id], self._options.mode
        edition = load_rules(self._options.rules)
        if mode == "feedback":
            return render_feedback(world, task, edition, MOST_PARTS, MOST_CALLS)
        if mode == "tools":
            return render_tools(world, task, edition, MOST_CALLS)
        return render_prompt(world, task, edition, self._options.lane)

    def summary(self, watch: Watch) -> TaskFigures:
        """Return the datasheet of the tasks."""
        if self._named is not None and is_standard_input(self._named):
            raise UsageError(TaskFault.READ_TWICE)
        self._read()
        rules = load_rules()
        with watch(len(self._tasks)) as step:

            def prompt(task: Task) -> str:
                step()
                return render_prompt(self._world, task, rules)

            sheet = datasheet(self._world, rules, self._tasks.values(), prompt)
        with tasks_at(self._named or Path(DEFAULT_DATASET)) as path:
            sheet |= {"sha256": file_sha256(path), "prompts": prompt_digest(self._tasks.values())}
        return TaskFigures([*sheet_parts(sheet)], sheet)

    def _read(self) -> None:
        """Read the named tasks, or a shipped set in their place."""
        tasks_path = self._named or Path(DEFAULT_DATASET)
        plain = load_world(self._options.world or DEFAULT_WORLD)
        self._tasks = load_tasks_at(tasks_path, plain, self._options.names)
        self._world = with_names(plain, self._options.names)


# -- a line a task ----------------------------------------------------------------------------------------------------


def _summary(task: Task) -> dict[str, Any]:
    """Return the main fields of a task."""
    return {
        "id": task.id,
        "kind": task.kind,
        "target": task.target,
        "difficulty": task.difficulty,
        "missing": len(task.missing),
        "knowledge": task.knowledge.level,
        "mechanics": list(_mechanics(task)),
        "actions": task.certificate.actions if task.certificate else None,
    }


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    actions = "" if row["actions"] is None else str(row["actions"])
    names = (row["id"], f"{row['kind']} {row['target']}", ", ".join([row["knowledge"], *row["mechanics"]]))
    return (*names, str(row["difficulty"]), str(row["missing"]), actions)


def _mechanics(task: Task) -> Iterator[str]:
    """Yield the ways in which a task is harder than usual."""
    if task.mechanics.leveling:
        yield "leveling"
    if task.mechanics.drop_scale is not None:
        yield f"drops x{task.mechanics.drop_scale:g}"
    if task.mechanics.plan == "straight":
        yield "straight plan"
    if task.mechanics.defeat is not None:
        yield f"defeats {task.mechanics.defeat}"
    if task.mechanics.budget is not None:
        yield f"budget {task.mechanics.budget}"
    if task.mechanics.closed:
        yield f"{len(task.mechanics.closed)} closed{', impossible' if task.impossible else ''}"
    if task.knowledge.noise:
        yield f"noise {len(task.knowledge.noise)}"


# -- one task ---------------------------------------------------------------------------------------------------------


def _about(task: Task, world: World) -> dict[str, str]:
    """Return the facts of a task by their labels, without its plan, which is printed below them."""
    things = world.monsters if task.kind == "kill" else world.items
    verb = "beat" if task.kind == "kill" else "craft"
    hero, knows = task.hero, task.knowledge
    budget, factor = task.mechanics.budget, task.mechanics.budget_factor
    budget_origin = f", {factor:g} times the lower bound or the oracle's plan" if factor is not None else ""
    counts = {
        "recipes": len(knows.recipes),
        "materials": len(knows.materials),
        "for sale": len(knows.sold),
        "monsters": len(knows.monsters),
        "places": len(knows.places),
        "stats": len(knows.stats),
        "noise": len(knows.noise),
    }
    return {
        "task": task.id,
        "goal": f"{verb} {things[task.target].name} ({task.target})",
        "difficulty": f"{task.difficulty}, bracket {to_bracket(task.difficulty)}",
        "hero": f"level {hero.combat[0]}, at {hero.place[0]}, {hero.place[1]}",
        "stats": _pairs(hero.stats.items()),
        "skills": _pairs((skill, progress[0]) for skill, progress in hero.skills.items()),
        "wears": _pairs(hero.worn.items()),
        "consumables": _pairs((slot, f"{stack.quantity} {stack.item}") for slot, stack in hero.consumables.items()),
        "carries": _pairs(hero.inventory.items()),
        "missing": _pairs(task.missing.items()),
        "told": f"{knows.level}: {_pairs((name, count) for name, count in counts.items() if count)}",
        "mechanics": ", ".join(_mechanics(task)),
        "budget": f"{budget} actions{budget_origin}" if budget is not None else "",
        "closed": ", ".join(closed_names(world, task.mechanics.closed)),
        "exchange": "sells what is told" if task.mechanics.exchange == "told" else "sells what it does in the world",
        "seed": str(task.seed),
        **_proof(task),
    }


def _pairs(pairs: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in pairs)


def _proof(task: Task) -> dict[str, str]:
    """Return the facts of the certificate, or of the proof that the task is impossible."""
    if task.impossible is not None:
        reach = task.impossible
        reach_text = f"{len(reach.items)} items, {len(reach.beaten)} monsters"
        return {"proof": f"impossible: at most level {reach.level}, {reach_text}"}
    proof = task.certificate
    if proof is None:
        return {"certificate": "none"}
    bound = "proven optimal" if proof.optimal else f"at least {proof.lower_bound} are needed"
    seeds = f", wins under {proof.wins} of {proof.seeds} seeds" if proof.seeds > 1 else ""
    health_left = ((slot, f"{hp:g}") for slot, hp in proof.without.items())
    return {"plan": f"{proof.actions} actions, {bound}{seeds}", "left without": _pairs(health_left)}
