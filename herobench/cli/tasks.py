"""Look at tasks: list the tasks of a file, show one, its prompt, or the figures of all."""

# The docstring above is the help text of the command.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from herobench.cli.options import SettingsOption, SuiteOption, TaskWorldOption, is_rpg, report
from herobench.cli.say import say_json, say_text, write
from herobench.cli.suite_options import SuiteCommand
from herobench.data.errors import InputError, UsageError
from herobench.data.ranges import brackets_of
from herobench.suite.contract import DEFAULT_SUITE
from herobench.task_gen.rpg.tasks.spec import BRACKETED_DATASET, DEFAULT_DATASET

if TYPE_CHECKING:
    from herobench.cli.table import Screen
    from herobench.data.errors import Problem
    from herobench.suites.rpg.game.rules import Rules
    from herobench.suites.rpg.game.task import Task
    from herobench.suites.rpg.game.world import World

app = typer.Typer(no_args_is_help=True)

_DEFAULT, _BRACKETED = Path(DEFAULT_DATASET), Path(BRACKETED_DATASET)


def _tasks_option(default: str) -> Any:
    """Return the option for the source of the tasks, whose default depends on the command."""
    about = "A tasks file, or a shipped set such as noise or base-v1."
    return typer.Option("--tasks", metavar="FILE|SET", help=f"{about} \\[default: {default}]")


ListedTasks = Annotated[Path | None, _tasks_option("horizon; with --difficulty base")]
TasksOfOne = Annotated[Path | None, _tasks_option("horizon if the id begins with campaign, or base")]
TasksToSum = Annotated[Path | None, _tasks_option("horizon")]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a task, or how it alone begins.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_NEAR = 3


@app.command("list", cls=SuiteCommand)
def list_(
    context: typer.Context,
    tasks: ListedTasks = None,
    difficulty: Annotated[str | None, typer.Option(help="Only these brackets, such as 9, 1-9 or 3,5-7.")] = None,
    kind: Annotated[Literal["kill", "craft"] | None, typer.Option(help="Only tasks of this kind.")] = None,
    as_json: JsonOption = False,
    world_name: TaskWorldOption = None,
    suite: SuiteOption = "rpg",
    settings: SettingsOption = None,
) -> None:
    """List tasks, a line a task."""
    if not is_rpg(context, ["tasks", "as_json", "settings"]):
        from herobench.cli.suite_tasks import Opened, list_tasks

        list_tasks(Opened(suite, tasks, settings), as_json=as_json)
        return
    from herobench.cli.table import plain_console, print_table
    from herobench.task_gen.rpg.datasets import world_of
    from herobench.task_gen.rpg.tasks.difficulty import BRACKETS, bracket_of

    brackets = set(brackets_of(difficulty) if difficulty is not None else BRACKETS)
    tasks = tasks or (_DEFAULT if difficulty is None else _BRACKETED)
    known, problems = _read(tasks, world_of(world_name, tasks))
    chosen = [
        _summary(task)
        for task in known.values()
        if bracket_of(task.difficulty) in brackets and kind in (None, task.kind)
    ]
    if as_json:
        say_json(chosen)
    else:
        names, figures = ["id", "goal", "told"], ["diff.", "gear", "actions"]
        print_table(plain_console(), names, figures, map(_cells, chosen), wrapped=["goal", "told"])
    _end(problems)


@app.command(cls=SuiteCommand)
def show(
    context: typer.Context,
    task_id: IdArgument,
    tasks: TasksOfOne = None,
    as_json: JsonOption = False,
    world_name: TaskWorldOption = None,
    suite: SuiteOption = "rpg",
    settings: SettingsOption = None,
) -> None:
    """Show everything about a task; as JSON, its row."""
    if not is_rpg(context, ["task_id", "tasks", "as_json", "settings"]):
        from herobench.cli.suite_tasks import Opened, show_task

        show_task(Opened(suite, tasks, settings), task_id)
        return
    from herobench.cli.table import plain_console, print_facts
    from herobench.task_gen.rpg.datasets import world_of

    tasks = tasks or _set_of(task_id)
    world = world_of(world_name, tasks)
    known, problems = _read(tasks, world)
    task = _found(task_id, known)
    if as_json:
        say_json(task.as_row(), indent=None)
    else:
        print_facts(plain_console(), _about(task, world), whole=["task"])
        if task.certificate:
            say_text(f"\n{task.certificate.plan}")
    _end(problems)


@app.command(cls=SuiteCommand)
def prompt(
    context: typer.Context,
    task_id: IdArgument,
    tasks: TasksOfOne = None,
    world_name: TaskWorldOption = None,
    rules: Annotated[str, typer.Option(help="The edition of the rules.")] = "standard",
    mode: Annotated[
        Literal["plan", "feedback", "tools"], typer.Option(help="The mode: the prompt, or how a conversation opens.")
    ] = "plan",
    suite: SuiteOption = "rpg",
    settings: SettingsOption = None,
) -> None:
    """Print what a model is told of a task."""
    if not is_rpg(context, ["task_id", "tasks", "settings"]):
        from herobench.cli.suite_tasks import Opened, print_prompt

        print_prompt(Opened(suite, tasks, settings), task_id)
        return
    from herobench.suites.rpg.worlds.content import load_rules
    from herobench.task_gen.rpg.datasets import world_of

    tasks = tasks or _set_of(task_id)
    world, edition = world_of(world_name, tasks), load_rules(rules)
    known, problems = _read(tasks, world)
    write(f"{_opening(world, _found(task_id, known), edition, mode)}\n")
    _end(problems)


def _opening(world: World, task: Task, edition: Rules, mode: str) -> str:
    """Return the message with which an attempt opens."""
    from herobench.prompts.rpg.modes import render_feedback, render_tools
    from herobench.prompts.rpg.render import render_prompt
    from herobench.sandbox.budget import Limits
    from herobench.suites.rpg.play.attempts import MOST_PARTS

    actions = Limits().actions
    if mode == "feedback":
        return render_feedback(world, task, edition, MOST_PARTS, actions)
    if mode == "tools":
        return render_tools(world, task, edition, actions)
    return render_prompt(world, task, edition)


@app.command()
def stats(tasks: TasksToSum = None, as_json: JsonOption = False, world_name: TaskWorldOption = None) -> None:
    """Print the datasheet of a file: what its tasks are like, in figures."""
    from herobench.cli.progress import progress
    from herobench.cli.table import plain_console
    from herobench.data.files import is_standard_input
    from herobench.prompts.rpg.render import prompt_digest, render_prompt
    from herobench.suites.rpg.worlds.content import load_rules
    from herobench.task_gen.rpg.datasets import world_of
    from herobench.task_gen.rpg.datasheet import datasheet

    tasks = tasks or _DEFAULT
    if is_standard_input(tasks):
        raise UsageError("A datasheet reads its file twice, for the tasks and for the digest: give a file, not -.")
    world, rules = world_of(world_name, tasks), load_rules()
    known, problems = _read(tasks, world)
    with progress("looked at", len(known)) as step:

        def told(task: Task) -> str:
            step()
            return render_prompt(world, task, rules)

        sheet = datasheet(world, rules, known.values(), told)
    sheet |= {"sha256": _sha256(tasks), "prompts": prompt_digest(known.values())}
    if as_json:
        say_json(sheet)
    else:
        _print_sheet(plain_console(), sheet)
    _end(problems)


def _set_of(task_id: str) -> Path:
    """Return the shipped set that a task is looked for in if none is named."""
    return _DEFAULT if task_id.startswith("campaign") else _BRACKETED


# -- reading ----------------------------------------------------------------------------------------------------------


def _read(tasks: Path, world: World) -> tuple[dict[str, Task], list[Problem]]:
    """Return the good tasks of a file, and the problems of the others. Raise InputError if no task is good."""
    from herobench.suites.rpg.worlds.task_file import read_tasks
    from herobench.task_gen.rpg.datasets import tasks_at

    with tasks_at(tasks) as path:
        known, problems = read_tasks(path, world)
    if problems and not known:
        raise InputError(problems)
    return known, problems


def _sha256(tasks: Path) -> str:
    from herobench.data.files import sha256_of
    from herobench.task_gen.rpg.datasets import tasks_at

    with tasks_at(tasks) as path:
        return sha256_of(path)


def _end(problems: list[Problem]) -> None:
    if report(problems):
        raise typer.Exit(1)


def _found(text: str, tasks: Mapping[str, Task]) -> Task:
    """Return the task with an id, or the one task whose id begins with a text.

    `9/1` finds 9/1_Lich_kill and not 9/11_Owl_craft: a match up to the whole number comes before any other.
    """
    from difflib import get_close_matches

    for fitting in ([text], [i for i in tasks if i.startswith(f"{text}_")], [i for i in tasks if i.startswith(text)]):
        known = [task_id for task_id in fitting if task_id in tasks]
        if len(known) == 1:
            return tasks[known[0]]
        if known:
            more = f", and {len(known) - _NEAR} more" if len(known) > _NEAR else ""
            raise UsageError(f"{len(known)} tasks begin with {text!r}: {', '.join(known[:_NEAR])}{more}.")
    # A cutoff of 0, because even a poor match shows what ids look like.
    near = get_close_matches(text, tasks, _NEAR, cutoff=0) or ["none, for there are no tasks"]
    raise UsageError(f"There is no task {text!r}: the nearest are {', '.join(near)}.")


# -- a line a task ----------------------------------------------------------------------------------------------------


def _summary(task: Task) -> dict[str, Any]:
    """Return the main fields of a task."""
    return {
        "id": task.id,
        "kind": task.kind,
        "target": task.target,
        "goals": len(task.goals),
        "difficulty": task.difficulty,
        "missing": len(task.missing),
        "knowledge": task.knowledge.level,
        "mechanics": list(_mechanics(task)),
        "actions": task.certificate.actions if task.certificate else None,
    }


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    actions = "" if row["actions"] is None else str(row["actions"])
    more = f" and {row['goals'] - 1} more" if row["goals"] > 1 else ""
    names = (row["id"], f"{row['kind']} {row['target']}{more}", ", ".join([row["knowledge"], *row["mechanics"]]))
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
    from herobench.analysis.reading.checked import reading_of
    from herobench.task_gen.rpg.tasks.difficulty import group_of
    from herobench.task_gen.rpg.unsolvable.closing import names

    group = group_of(task)
    shown = reading_of(DEFAULT_SUITE).group_names([group])
    things = world.monsters if task.kind == "kill" else world.items
    verb = "beat" if task.kind == "kill" else "craft"
    hero, knows = task.hero, task.knowledge
    told = {
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
        "then": ", ".join(f"{goal.kind} {goal.target}" for goal in task.then),
        "difficulty": f"{task.difficulty}, {shown.title} {shown.short(group)}",
        "hero": f"level {hero.combat[0]}, at {hero.place[0]}, {hero.place[1]}",
        "stats": _pairs(hero.stats.items()),
        "skills": _pairs((skill, progress[0]) for skill, progress in hero.skills.items()),
        "wears": _pairs(hero.worn.items()),
        "consumables": _pairs((slot, f"{stack.quantity} {stack.item}") for slot, stack in hero.consumables.items()),
        "carries": _pairs(hero.inventory.items()),
        "missing": _pairs(task.missing.items()),
        "told": f"{knows.level}: {_pairs((name, count) for name, count in told.items() if count)}",
        "mechanics": ", ".join(_mechanics(task)),
        "budget": _budget(task),
        "closed": ", ".join(names(world, task.mechanics.closed)),
        "exchange": "sells what is told" if task.mechanics.exchange == "told" else "sells what it does in the world",
        "seed": str(task.seed),
        **_proof(task),
    }


def _budget(task: Task) -> str:
    budget, factor = task.mechanics.budget, task.mechanics.budget_factor
    made = f", {factor:g} times the lower bound or the oracle's plan" if factor is not None else ""
    return f"{budget} actions{made}" if budget is not None else ""


def _pairs(pairs: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in pairs)


def _proof(task: Task) -> dict[str, str]:
    """Return the facts of the certificate, or of the proof that the task is impossible."""
    if task.impossible is not None:
        reach = task.impossible
        held = f"{len(reach.items)} items, {len(reach.beaten)} monsters"
        return {"proof": f"impossible: at most level {reach.level}, {held}"}
    proof = task.certificate
    if proof is None:
        return {"certificate": "none"}
    bound = "proven optimal" if proof.optimal else f"at least {proof.lower_bound} are needed"
    seeds = f", wins under {proof.wins} of {proof.seeds} seeds" if proof.seeds > 1 else ""
    left = ((slot, f"{hp:g}") for slot, hp in proof.without.items())
    depth = f", depth {proof.depth}" if proof.depth else ""
    return {"plan": f"{proof.actions} actions, {bound}{seeds}{depth}", "left without": _pairs(left)}


# -- all of them ------------------------------------------------------------------------------------------------------

_COUNTS = {
    "kinds": "kind",
    "brackets": "bracket",
    "difficulties": "difficulty",
    "knowledge": "told",
    "leveling": "leveling",
    "stochastic": "drops by chance",
    "defeat": "defeat",
    "budget": "budget",
    "noise_items": "noise items",
    "exchange": "exchange sells",
    "tracks": "track",
    "closed_places": "closed places",
    "solvable": "solvable",
    "missing_gear": "missing gear",
    "hero_levels": "hero's level",
    "targets": "target",
}


def _print_sheet(console: Screen, sheet: Mapping[str, Any]) -> None:
    """Print a datasheet for people."""
    from herobench.cli.audit import print_audit
    from herobench.cli.table import print_table

    oracle = sheet["oracle"]
    console.print(f"{sheet['tasks']} tasks in {sheet['world']['code']}, {sheet['equal']} equal to an earlier one")
    console.print(f"sha256 {sheet['sha256']}", soft_wrap=True)
    counts = (
        (label, "  ".join(f"{value}: {n}" for value, n in sheet[name].items()))
        for name, label in _COUNTS.items()
        if name in sheet
    )
    print_table(console, ["by", "value: tasks"], [], rows=counts, wrapped=["value: tasks"])
    spreads = {"characters of the prompt": sheet["prompt_characters"], "actions of the oracle": oracle["actions"]}
    rows = [(label, *(f"{number:.0f}" for number in spread.values())) for label, spread in spreads.items() if spread]
    print_table(console, ["length"], ["min", "median", "mean", "max"], rows=rows)
    if oracle["certified"]:
        shares = f"{100 * oracle['optimal_share']:.1f} % proven optimal, all together"
        console.print(f"oracle: {shares} {oracle['actions_per_lower_bound']:.3f} times the lower bound")
    print_audit(console, sheet["audit"])
