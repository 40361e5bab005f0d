"""Ask a model all tasks of a dataset, and score its replies as they come. All replies are kept in the run's folder.

With --model alone this runs the default dataset of the suite. Use --resume to continue a run that was cut short.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from herobench.cli import run_options as options
from herobench.cli.main import RANDOM
from herobench.cli.options import settings_of
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.data.ranges import brackets_of, span_of
from herobench.suite.contract import DEFAULT_SUITE
from herobench.task_gen.rpg.tasks.spec import DEFAULT_DATASET

if TYPE_CHECKING:
    from herobench.runs.order import RunRequest, TaskChoice

_SAMPLING = ("max_tokens", "temperature", "top_p", "seed", "reasoning_effort")
_CONDUCT = {
    "max_connections": "connections",
    "adaptive": "adaptive",
    "rpm": "rpm",
    "tpm": "tpm",
    "max_retries": "retries",
    "timeout": "timeout",
    "stream": "stream",
    "cost_limit": "cost_limit",
    "jobs": "jobs",
    "api_key_env": "key_name",
}
_LIMITS = {"attempt_calls": "calls", "attempt_tokens": "tokens", "attempt_cost": "cost", "attempt_timeout": "seconds"}
_OPTIONS = ("world", "rules")
"""Settings of the RPG that have an option of their own; any suite takes --set NAME=VALUE."""
FAILED_UNDER = 3


def run(
    context: typer.Context,
    model: options.Model = None,
    output: options.Output = None,
    resume: options.Resume = None,
    dry_run: options.DryRun = False,
    as_json: options.Json = False,
    fail_under: options.FailUnder = None,
    suite: options.Suite = None,
    tasks: options.Tasks = None,
    dataset: options.Dataset = None,
    difficulty: options.Difficulty = None,
    task_id: options.TaskId = None,
    shuffle: options.Shuffle = None,
    limit: options.Limit = None,
    fresh: options.Fresh = None,
    shard: options.Shard = None,
    epochs: options.Epochs = None,
    rules: options.Rules = None,
    world: options.World = None,
    settings: options.Settings = None,
    agent: options.Agent = None,
    feedback: options.Feedback = None,
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
    adaptive: options.Adaptive = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    max_retries: options.MaxRetries = None,
    cost_limit: options.CostLimit = None,
    attempt_calls: options.AttemptCalls = None,
    attempt_tokens: options.AttemptTokens = None,
    attempt_cost: options.AttemptCost = None,
    attempt_timeout: options.AttemptTimeout = None,
    prices: options.Prices = None,
    cache: options.Cache = None,
    jobs: options.Jobs = None,
) -> None:
    """Run a model."""
    # an option that nobody gave is None or empty here, and must not be taken for a wish
    given = {name: value for name, value in context.params.items() if value not in (None, [], ())}
    if resume is not None and output is not None:
        raise UsageError("--resume names the run's folder: leave --output out.")
    wishes = _wishes(given)
    _tell_choice(wishes, given)
    if dry_run:
        _show(wishes, resume, as_json=as_json)
    else:
        _work(wishes, output, resume, as_json=as_json, fail_under=fail_under)


def _tell_choice(wishes: RunRequest, given: Mapping[str, Any]) -> None:
    """Say what a user may not expect of the tasks that he chose."""
    if (changed := _bracketed(given)) and "dataset" not in given:
        say(f"--difficulty takes the dataset {changed}: {DEFAULT_DATASET}, the default, has no brackets.", err=True)
    if wishes.choice.fresh is not None:
        say("Making private twins of the tasks: many of them take a while.", err=True)


def _show(wishes: RunRequest, resume: Path | None, *, as_json: bool) -> None:
    """Print what would be asked."""
    from herobench.cli.run_summary import print_order
    from herobench.runs.folder import open_run
    from herobench.runs.order import make_order

    order = make_order(wishes, open_run(resume) if resume else None)
    with closing(order.suite):
        print_order(order, as_json=as_json)
        if order.refusal:
            say(str(order.refusal), err=True)


def _work(
    wishes: RunRequest, output: Path | None, resumed: Path | None, *, as_json: bool, fail_under: float | None
) -> None:
    """Begin or resume a run, show it, and print how it ended."""
    from herobench.cli.run_summary import is_below, print_ending
    from herobench.cli.run_view import view
    from herobench.runs.event_loop import INTERRUPTED
    from herobench.runs.launch import RunCallbacks, begin, resume

    shown = view(as_json=as_json)
    audience = RunCallbacks(shown.tell, shown.watch, sys.argv)
    try:
        ending = resume(wishes, resumed, audience) if resumed else begin(wishes, output, audience)
    finally:
        # before anything is printed, since a bar owns the last lines of the terminal
        shown.close()
    standing = ending.standing
    if not as_json:
        print_ending(ending)
    if standing.owed:
        again = f"herobench run --resume {shlex.quote(str(ending.path))}"
        say(f"{ending.message or 'Some attempts were not measured.'} To resume: {again}", err=True)
    if ending.reason == "interrupted":
        raise typer.Exit(INTERRUPTED)
    # this code comes before that of --fail-under: the share of wins is not known while attempts are owed
    if standing.owed:
        raise typer.Exit(1)
    if fail_under is not None and is_below(ending.path, fail_under):
        say(f"Less than {fail_under:g} % won.", err=True)
        raise typer.Exit(FAILED_UNDER)


# -- what was asked for -----------------------------------------------------------------------------------------------


def _wishes(given: Mapping[str, Any]) -> RunRequest:
    from herobench.runs.order import RunRequest

    sampling = {name: given[name] for name in _SAMPLING if name in given}
    if "extra_body" in given:
        sampling["extra_body"] = _json_object(given["extra_body"])
    if given.get("api", "chat") not in ("chat", "responses"):
        raise UsageError(f"--api is chat or responses, and not {given['api']!r}.")
    if given.get("feedback", "on") not in ("on", "off"):
        raise UsageError(f"--feedback is on or off, and not {given['feedback']!r}.")
    return RunRequest(
        model=given.get("model"),
        agent=given.get("agent"),
        feedback=given["feedback"] == "on" if "feedback" in given else None,
        suite=given.get("suite"),
        choice=_choice(given),
        options=settings_of(given.get("settings", ()), {name: given.get(name) for name in _OPTIONS}),
        epochs=given.get("epochs"),
        base_url=given.get("base_url"),
        api=given.get("api"),
        prices=given.get("prices"),
        sampling=sampling,
        conduct=_conduct(given),
        limits={name: given[option] for option, name in _LIMITS.items() if option in given},
    )


def _conduct(given: Mapping[str, Any]) -> dict[str, Any]:
    conduct = {name: given[option] for option, name in _CONDUCT.items() if option in given}
    if "cache" in given:
        # the run keeps the path, and may be resumed from another folder
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


def _bracketed(given: Mapping[str, Any]) -> str | None:
    """Return the set of the suite that --difficulty chooses from if no tasks are named."""
    from herobench.suite.checked import suite_class

    if "difficulty" not in given or "tasks" in given:
        return None
    return suite_class(given.get("suite") or DEFAULT_SUITE).grouped_dataset


def _choice(given: Mapping[str, Any]) -> TaskChoice:
    """Return the tasks that the options choose."""
    from herobench.runs.config import Share
    from herobench.runs.order import TaskChoice

    return TaskChoice(
        dataset=given.get("dataset") or _bracketed(given),
        tasks=given.get("tasks"),
        groups=tuple(map(str, brackets_of(given["difficulty"]))) if "difficulty" in given else None,
        patterns=tuple(given.get("task_id", ())),
        shuffle=given.get("shuffle"),
        span=span_of(given["limit"]) if "limit" in given else None,
        fresh=_seed_of(given["fresh"]) if "fresh" in given else None,
        share=Share.of(given["shard"]) if "shard" in given else None,
    )


def _seed_of(text: str) -> Literal[True] | int:
    """Return the seed that --fresh names, or True for a random one."""
    if text == RANDOM:
        return True
    if not re.fullmatch(r"[0-9]{1,16}", text):
        raise UsageError(f"--fresh takes the seed of an earlier run, such as --fresh 7, and {text!r} is none.")
    return int(text)
