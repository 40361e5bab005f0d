"""Ask a model all tasks of a dataset, and score its plans as they come. Everything it says is kept in the run's folder.

Without options but a model this runs the base dataset. A run that was cut short goes on with --resume.
"""

from __future__ import annotations

import json
import re
import secrets
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from herobench.cli import run_options as options
from herobench.cli.options import brackets_of, span_of
from herobench.cli.say import say
from herobench.errors import UsageError

if TYPE_CHECKING:
    from herobench.rpg.task import Task
    from herobench.rpg.world import World
    from herobench.runs.folder import RunFolder
    from herobench.runs.order import Chosen, Order, Wishes
    from herobench.runs.session import Session

_RUNS = Path("runs")
_SAMPLING = ("max_tokens", "temperature", "top_p", "seed", "reasoning_effort")
_CONDUCT = {
    "max_connections": "connections",
    "rpm": "rpm",
    "tpm": "tpm",
    "max_retries": "retries",
    "timeout": "timeout",
    "stream": "stream",
    "cost_limit": "cost_limit",
    "jobs": "jobs",
    "api_key_env": "key_name",
}
_CHOICE = ("tasks", "dataset", "difficulty", "task_id", "shuffle", "limit")
_LONGEST_NAME = 120
FAILED_UNDER = 3


def run(
    context: typer.Context,
    model: options.Model = None,
    output: options.Output = None,
    resume: options.Resume = None,
    dry_run: options.DryRun = False,
    as_json: options.Json = False,
    fail_under: options.FailUnder = None,
    tasks: options.Tasks = None,
    dataset: options.Dataset = None,
    difficulty: options.Difficulty = None,
    task_id: options.TaskId = None,
    shuffle: options.Shuffle = None,
    limit: options.Limit = None,
    epochs: options.Epochs = None,
    rules: options.Rules = None,
    world: options.World = None,
    agent: options.Agent = None,
    base_url: options.BaseUrl = None,
    api_key_env: options.ApiKeyEnv = None,
    api: options.Api = None,
    max_tokens: options.MaxTokens = None,
    temperature: options.Temperature = None,
    top_p: options.TopP = None,
    seed: options.Seed = None,
    reasoning_effort: options.ReasoningEffort = None,
    extra_body: options.ExtraBody = None,
    stream: options.Stream = None,
    timeout: options.Timeout = None,
    max_connections: options.MaxConnections = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    max_retries: options.MaxRetries = None,
    cost_limit: options.CostLimit = None,
    prices: options.Prices = None,
    cache: options.Cache = None,
    jobs: options.Jobs = None,
) -> None:
    """Run a model."""
    given = {name: value for name, value in context.params.items() if value not in (None, [], ())}
    if resume is not None and output is not None:
        raise UsageError("--resume names the run's folder: leave --output out.")
    if dry_run:
        _show(given, resume, as_json=as_json)
    elif resume is not None:
        _go_on(given, resume, as_json=as_json, fail_under=fail_under)
    else:
        _begin(given, output, as_json=as_json, fail_under=fail_under)


def _show(given: Mapping[str, Any], resume: Path | None, *, as_json: bool) -> None:
    """Say what would be asked."""
    from herobench.cli.run_summary import print_order
    from herobench.runs.folder import open_run

    print_order(_order(given, open_run(resume) if resume else None), as_json=as_json)


def _go_on(given: Mapping[str, Any], path: Path, *, as_json: bool, fail_under: float | None) -> None:
    """Go on with a run."""
    from herobench.runs.folder import open_run
    from herobench.runs.session import Session

    with open_run(path) as folder:
        order = _order(given, folder)
        _work(folder, order, Session(order, sys.argv), as_json=as_json, fail_under=fail_under)


def _begin(given: Mapping[str, Any], output: Path | None, *, as_json: bool, fail_under: float | None) -> None:
    """Begin a run, or go on with the one that is in the folder already, if it is the same."""
    from herobench.runs.folder import RunFolder
    from herobench.runs.order import refuse_another
    from herobench.runs.session import Session

    order = _order(given, None)
    session = Session(order, sys.argv)
    folder = RunFolder(output or _new_path(order))
    folder.refuse_strangers()
    with folder:
        if folder.begun:
            refuse_another(order.config, folder.read_manifest())
        _work(folder, order, session, as_json=as_json, fail_under=fail_under)


def _new_path(order: Order) -> Path:
    """Where a run goes that was given no folder."""
    name = f"{order.config.suite}--{order.config.model}"
    return _RUNS / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name)[:_LONGEST_NAME]}--{secrets.token_hex(4)}"


# -- what was asked for -----------------------------------------------------------------------------------------------


def _order(given: Mapping[str, Any], going_on: RunFolder | None) -> Order:
    """What the run is made of: by the options alone, or by them and the run that is gone on with."""
    from herobench.runs.order import make_order, refuse_another, tasks_of, world_of

    manifest = going_on.read_manifest() if going_on else None
    wishes = _wishes(given)
    world = world_of(wishes, manifest, going_on)
    if going_on and manifest and not any(name in given for name in _CHOICE):
        chosen = tasks_of(going_on, manifest, world)
    else:
        chosen = _chosen(given, world)
    order = make_order(wishes, chosen, world, manifest)
    if manifest:
        refuse_another(order.config, manifest)
    return order


def _wishes(given: Mapping[str, Any]) -> Wishes:
    from herobench.runs.order import Wishes

    sampling = {name: given[name] for name in _SAMPLING if name in given}
    if "extra_body" in given:
        sampling["extra_body"] = _json_object(given["extra_body"])
    if given.get("api", "chat") not in ("chat", "responses"):
        raise UsageError(f"--api is chat or responses, and not {given['api']!r}.")
    return Wishes(
        model=given.get("model"),
        agent=given.get("agent"),
        world=given.get("world"),
        rules=given.get("rules"),
        epochs=given.get("epochs"),
        base_url=given.get("base_url"),
        api=given.get("api"),
        prices=given.get("prices"),
        sampling=sampling,
        conduct=_conduct(given),
    )


def _conduct(given: Mapping[str, Any]) -> dict[str, Any]:
    conduct = {name: given[option] for option, name in _CONDUCT.items() if option in given}
    if "cache" in given:
        conduct["cache"] = str(given["cache"].absolute())
    return conduct


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--extra-body is not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise UsageError("--extra-body is a JSON object, such as '{\"top_k\": 20}'.")
    return value


def _chosen(given: Mapping[str, Any], world: World) -> Chosen:
    """The tasks that the options choose."""
    from importlib.resources import as_file

    from herobench.analysis.sources import printable
    from herobench.rpg.task_file import load_tasks
    from herobench.runs.order import Chosen
    from herobench.runs.selection import Selection
    from herobench.task_gen.datasets import DEFAULT_DATASET, dataset_path, version_of
    from herobench.task_gen.difficulty import bracket_of

    if "tasks" in given and "dataset" in given:
        raise UsageError("--tasks and --dataset both say which tasks: leave one out.")
    if "tasks" in given:
        name, tasks = printable(given["tasks"].stem), load_tasks(given["tasks"], world)
    else:
        dataset = given.get("dataset", DEFAULT_DATASET)
        with as_file(dataset_path(dataset)) as path:
            name, tasks = version_of(dataset), load_tasks(path, world)
    brackets = brackets_of(given["difficulty"]) if "difficulty" in given else None

    def wanted(task: Task) -> bool:
        return brackets is None or bracket_of(task.difficulty) in brackets

    span = span_of(given["limit"]) if "limit" in given else None
    return Chosen(name, Selection(wanted, given.get("task_id", ()), given.get("shuffle"), span).of(tasks))


# -- the work ---------------------------------------------------------------------------------------------------------


def _work(folder: RunFolder, order: Order, session: Session, *, as_json: bool, fail_under: float | None) -> None:
    """Work on a run, show it, and say how it ended."""
    from herobench.cli.run_summary import print_ending
    from herobench.cli.run_view import view
    from herobench.runs.session import INTERRUPTED

    shown = view(as_json=as_json)
    try:
        ending = session.work(folder, shown.tell, shown.watch)
    finally:
        shown.close()
    if not as_json:
        print_ending(folder, order, ending.standing)
    resumed = f"herobench run --resume {shlex.quote(str(folder.path))}"
    if ending.standing.owed:
        say(f"{ending.message or 'Some attempts were not measured.'} To try what is owed: {resumed}", err=True)
    if ending.reason == "interrupted":
        raise typer.Exit(INTERRUPTED)
    if ending.standing.owed:
        raise typer.Exit(1)
    if fail_under is not None and 100 * ending.standing.wins < fail_under * ending.standing.total:
        say(f"Less than {fail_under:g} % won.", err=True)
        raise typer.Exit(FAILED_UNDER)
