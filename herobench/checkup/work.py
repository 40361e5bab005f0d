"""Works through the runs of a checkup one after the other. Each begins or resumes as by `herobench run`.

Before a checkup begins, the model is looked at: its key, its name and its price. A run that has not begun takes its
settings from the first run, and the first run from the checkup.json, so a checkup resumes from its folder alone. The
first run is begun or resumed before any other: if somebody else began the checkup, nothing is made, sent or opened.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from herobench.checkup.folder import Checkup, cost_so_far, is_complete
from herobench.data.errors import UsageError
from herobench.data.files import write_text
from herobench.data.options import read_options
from herobench.data.rows import write_rows
from herobench.models.endpoint import build_model, parse_model_name
from herobench.models.model import Price, close
from herobench.runs.folder import RunFolder, is_known
from herobench.runs.options import RunRequest
from herobench.runs.session import RunCallbacks, RunResult, begin, resume
from herobench.runs.spec import make_spec, new_manifest
from herobench.suite.checked import closing_suite, open_suite, read_tasks, suite_class, suite_errors
from herobench.suite.checkup_parts import Part, Row
from herobench.suite.contract import SuiteSetting
from herobench.suite.generating import GenerateRequest, needed_generator
from herobench.work.engine import Each, Local

PUBLIC_SEED = 0
"""The seed of drawn tasks in a public checkup, of a row without a shipped set."""
_Item = TypeVar("_Item")
Settings = Mapping[str, Any]
"""The run.json that a run of a model would begin with: its server, sampling, limits and price."""


def check_model(request: RunRequest, budget: float | None, parts: Sequence[Part]) -> tuple[Price | None, Settings]:
    """Return the price of a model that can be asked, None if no price is known, and its settings.

    Raise UsageError for one that cannot: without a key, a player that lacks a suite, or a budget without a price.
    """
    model = request.get("model")
    if model is None:
        raise UsageError("Say which model to check: --model NAME, or --model oracle to see how it goes.")
    playing = _suites_with_player(model, parts)
    if playing and not is_player(model, parts):
        raise UsageError(
            f"The player {model} plays {' and '.join(playing)} only: a checkup asks a served model, or the oracle."
        )
    conduct = {**(request.get("conduct") or {}), **({} if budget is None else {"cost_limit": budget})}
    first: Any = {**request, "conduct": conduct, "suite": parts[0].suite, "limit": 1}
    spec = make_spec(first)
    with closing_suite(spec.suite):
        if not spec.is_player:
            asyncio.run(close(build_model(spec.model, spec.suite.players), model))
        return spec.price, new_manifest(spec.config, spec.conduct, spec.price)


def is_player(model: str, parts: Sequence[Part]) -> bool:
    """Return whether a model is a player of all suites."""
    return len(_suites_with_player(model, parts)) == len({part.suite for part in parts})


def _suites_with_player(model: str, parts: Sequence[Part]) -> list[str]:
    suites = dict.fromkeys(part.suite for part in parts)
    return [suite for suite in suites if model.partition(":")[0] in suite_class(suite).players]


_KEPT = ("model", "base_url", "api")
"""The settings that a new run takes from the configuration of the first one, beside sampling and limits."""
_OF_A_RUN = ("options", "until", "cost_limit")
"""The options that differ between the runs."""
_REACH = ("base_url", "key_name", "cache")
"""The settings that say where a run sends data and which file it opens."""


def work(
    checkup: Checkup, request: RunRequest, callbacks: Callable[[str, int, int], RunCallbacks]
) -> Iterator[RunResult]:
    """Yield how each run ended, up to one that was stopped.

    `callbacks` gets a run's name, its number, and how many there are. `request` has what the user asks for now: all of
    it for a new checkup, nothing or new limits for a resumed one.
    """
    _refuse_foreign(checkup, request)
    runs = checkup.runs
    for number, run in enumerate(runs, 1):
        # the first run is resumed also when it is complete: it says who began the checkup
        if number > 1 and is_complete(checkup.folder / run):
            continue
        result = _work_run(checkup, run, request, callbacks(run, number, len(runs)))
        yield result
        if result.reason not in (None, "unanswered"):
            return


def _refuse_foreign(checkup: Checkup, request: RunRequest) -> None:
    """Raise UsageError if somebody else wrote the checkup.json of a checkup that has not begun.

    Where the first run has begun, resuming it refuses that.
    """
    settings, first = checkup.settings, RunFolder(checkup.folder / checkup.runs[0])
    if request.get("model") or not settings or first.begun or is_known(settings):
        return
    url = settings["config"]["base_url"]
    repeated = {"--model": checkup.model, **({"--base-url": url} if url else {})}
    raise UsageError(
        f"Nothing here says that you began {checkup.folder}, and to go on it would ask {checkup.model}"
        f"{f' at {url}' if url else ''}: nothing was made or sent. If you want that, repeat what the checkup keeps: "
        f"{' '.join(f'{option} {shlex.quote(value)}' for option, value in repeated.items())}"
    )


def _work_run(checkup: Checkup, run: str, request: RunRequest, callbacks: RunCallbacks) -> RunResult:
    folder = checkup.folder / run
    if checkup.budget is not None and run in checkup.sizes:
        conduct = {**(request.get("conduct") or {}), "cost_limit": _money_left(checkup, run)}
        request = {**request, "conduct": conduct}
    if RunFolder(folder).begun:
        return resume(request, folder, callbacks)
    return begin(_new_request(checkup, run, request), folder, callbacks)


def _new_request(checkup: Checkup, run: str, request: RunRequest) -> RunRequest:
    """Return the request that begins a run."""
    if part := checkup.chance_runs.get(run):
        first = next(run for run in part.runs if run in checkup.sizes)
        tasks = RunFolder(checkup.folder / first).tasks
        return {"suite": part.suite, "options": part.runs[first].settings, "model": part.chance, "tasks": tasks}
    part, row = checkup.rows[run]
    before = _first_settings(checkup)
    conduct = {**before.get("conduct", {}), **(request.get("conduct") or {})}
    jobs = conduct.get("jobs") or os.cpu_count() or 1
    choice = choose_tasks(part, row, checkup.sizes[run], checkup.seed, checkup.folder / "tasks", jobs)
    return cast("RunRequest", {**before, **request, **choice, "conduct": conduct})


def _money_left(checkup: Checkup, run: str) -> float:
    """Return what the budget leaves for a run after what the others have cost so far."""
    others = (cost_so_far(checkup.folder / other) for other in checkup.sizes if other != run)
    return max(0.0, (checkup.budget or 0.0) - sum(others))


def _first_settings(checkup: Checkup) -> dict[str, Any]:
    """Return the settings of the first run, as a request; before it has begun, those of the checkup.

    If somebody else began it, the server, the key, the cache and the price are left out: its model may be a player in
    its suite, and a served model in the others.
    """
    first = RunFolder(checkup.folder / checkup.runs[0])
    manifest = first.read_manifest() if first.begun else checkup.settings
    if not manifest:
        return {}
    config, known = manifest["config"], is_known(manifest)
    left_out = _OF_A_RUN if known else (*_OF_A_RUN, *_REACH)
    settings: dict[str, Any] = {
        name: config[name] for name in _KEPT if config[name] is not None and name not in left_out
    }
    settings |= {"sampling": config["sampling"], "limits": config.get("limits") or {}}
    settings["conduct"] = {name: value for name, value in manifest["conduct"].items() if name not in left_out}
    if manifest["price"] and known:
        prices = checkup.folder / "prices.json"
        if not prices.is_file():
            write_text(prices, json.dumps({parse_model_name(config["model"])[1]: manifest["price"]}))
        settings["prices"] = prices
    return settings


# -- which tasks a row asks: the task choice of an ordinary run, with a file of made tasks where needed ---------------


def choose_tasks(part: Part, row: Row, size: int, seed: int | None, folder: Path, jobs: int) -> dict[str, Any]:
    """Return the entries of a run's request that choose `size` tasks of a row, private ones if there is a seed.

    Tasks that a generator makes are written into a folder once.
    """
    choice: dict[str, Any] = {"suite": part.suite, "options": row.settings}
    if row.draws and (seed is not None or row.dataset is None):
        file = folder / f"{part.name}{'-' * bool(row.lane)}{row.lane}.jsonl"
        if not file.is_file():
            rows = _make_rows(part.suite, row, size, PUBLIC_SEED if seed is None else seed, jobs)
            folder.mkdir(parents=True, exist_ok=True)
            write_rows(file, rows)
        return {**choice, "tasks": file}
    if seed is not None:
        choice["fresh"] = seed
    assert row.dataset is not None, "a row without draws has a shipped set"
    return {**choice, "dataset": row.dataset, "task_ids": _shipped_ids(part.suite, row, row.dataset, size)}


def evenly(items: Sequence[_Item], count: int) -> list[_Item]:
    """Return `count` of some items, spread evenly over their order; all if there are fewer."""
    count = min(count, len(items))
    return [items[number * len(items) // count] for number in range(count)]


def _shipped_ids(suite: str, row: Row, dataset: str, size: int) -> tuple[str, ...]:
    """Return the ids of tasks of a set, as many of each group."""
    with closing_suite(open_suite(suite, SuiteSetting(dataset, options=row.settings))) as suite_of_ids:
        tasks = read_tasks(suite_of_ids)
    groups: dict[str | None, list[str]] = {}
    for task in tasks:
        groups.setdefault(task.group, []).append(task.id)
    return tuple(task for ids in groups.values() for task in evenly(ids, size // len(groups)))


def _make_rows(suite: str, row: Row, size: int, seed: int, jobs: int) -> list[Mapping[str, Any]]:
    """Make tasks by the suite's generator. A smaller step has the first ones of a larger one."""
    most = row.most // len(row.draws)
    draws = row.draws[: size // most] if row.fewer_draws else row.draws
    count = most if row.fewer_draws else size // len(draws)
    generator = needed_generator(suite)
    rows: list[Mapping[str, Any]] = []
    calls: list[partial[Mapping[str, Any]]] = []
    for place, texts in enumerate(draws):
        request = GenerateRequest(read_options(generator.options, texts), seed, count, jobs, tuple(texts))
        with suite_errors(suite, "numbered"):
            tasks = generator.numbered(request)
        if tasks is None:
            rows += generator.make(request).rows
        else:
            # the numbers differ over the draws, and with them the ids
            calls += [partial(tasks.make, place * most + number) for number in range(count)]
    with closing(Local(jobs).results(Each(_call, worth=generator.worth), calls)) as results:
        return [*rows, *results]


def _call(call: partial[Mapping[str, Any]]) -> Mapping[str, Any]:
    return call()
