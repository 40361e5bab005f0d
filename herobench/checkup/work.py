"""Begins and resumes a checkup: its runs one after the other, each begun when its turn comes.

    checkup.json     what was asked for: the sizes of the runs, the seed, the budget
    horizon/plan     and such: ordinary runs, which every command takes
    chance/...       the player `random` at the tasks of a part
    tasks/           the tasks that were made for it
    reports/         a report for each part

Before a checkup begins, the model is looked at: its key, its name, its server, and its price. A run that has begun
resumes as any run does. One that has not takes its settings from the first run, so a checkup resumes from its folder
alone; whether somebody else began it is asked of the first run before any other begins.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, NoReturn, cast

from herobench.checkup.parts import PARTS, MadeAhead, Part, chosen_tasks, is_made, part_named
from herobench.checkup.price import Sizes
from herobench.conversation import Message, Request
from herobench.data.documents import MOST_EXACT, read_document, schema_problems
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import write_text
from herobench.models.endpoint import SERVED, build_model, parse_model_name
from herobench.models.model import ask_model, close
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.prices import Price
from herobench.runs.folder import RunFolder
from herobench.runs.journal import read_journal
from herobench.runs.launch import RunCallbacks, begin, resume
from herobench.runs.options import RunRequest
from herobench.runs.own_runs import is_known
from herobench.runs.session import RunResult
from herobench.runs.spec import RunSpec, make_spec
from herobench.suite.checked import closing_suite, suite_class

if TYPE_CHECKING:
    from herobench.models.openai_api import ServedModel

_HELLO = Request("checkup", 0, (Message("user", "Say OK."),))


def find_price(request: RunRequest, budget: float | None, parts: Sequence[Part] = PARTS) -> Price | None:
    """Return the price of a model that can be asked; None if no price is known.

    Raise UsageError for one that cannot: without a key, a player that lacks a suite, or a budget without a price.
    """
    model = request.get("model")
    if model is None:
        raise UsageError("Say which model to check: --model NAME, or --model oracle to see how it goes.")
    suites, playing = _suites(parts), _playing(model, parts)
    if playing and len(playing) < len(suites):
        raise UsageError(
            f"The player {model} plays {' and '.join(playing)} only: a checkup asks a served model, or the oracle."
        )
    conduct = {**(request.get("conduct") or {}), **({} if budget is None else {"cost_limit": budget})}
    spec = _first_spec(cast("RunRequest", {**request, "conduct": conduct}), parts)
    with closing_suite(spec.suite):
        if not spec.is_player:
            asyncio.run(close(build_model(spec.model, spec.suite.players), model))
        return spec.price


def refuse_unserved(request: RunRequest, parts: Sequence[Part] = PARTS) -> None:
    """Ask the server of a model whether it serves it. Raise UsageError if it does not, or cannot be reached."""
    spec = _first_spec(request, parts)
    with closing_suite(spec.suite):
        if spec.is_player or parse_model_name(spec.model.name)[0] != SERVED:
            return
        model = cast("ServedModel", build_model(spec.model, spec.suite.players))
        if (problem := asyncio.run(_problem(model, parse_model_name(spec.model.name)[1]))) is not None:
            raise UsageError(f"{problem} Nothing was begun.")


async def _problem(model: ServedModel, name: str) -> str | None:
    """Return why no attempt can be asked; None if nothing is known against it.

    Servers need not list all names that they take, nor tell the list to every key. So a model that is not listed is
    asked to say OK, which costs nothing if it is refused.
    """
    listed: list[str] = []
    try:
        try:
            listed = await model.served_names()
        except ModelError as error:
            if error.kind is ErrorKind.CONNECTION:
                raise
        if name not in listed:
            await ask_model(model, _HELLO)
    except ModelError as error:
        near = get_close_matches(name, listed, 1) if error.kind is ErrorKind.NO_MODEL else []
        meant = f" Is {near[0]} meant?" if near else ""
        return f"{error.message.rstrip('.')}.{meant}" if error.everywhere else None
    finally:
        await close(model, name)
    return None


def is_player(model: str, parts: Sequence[Part] = PARTS) -> bool:
    """Return whether a model is a player of all suites."""
    return _playing(model, parts) == _suites(parts)


def _suites(parts: Sequence[Part]) -> list[str]:
    return list(dict.fromkeys(part.suite for part in parts))


def _playing(model: str, parts: Sequence[Part]) -> list[str]:
    return [suite for suite in _suites(parts) if model.partition(":")[0] in suite_class(suite).players]


def _first_spec(request: RunRequest, parts: Sequence[Part]) -> RunSpec:
    return make_spec(cast("RunRequest", {**request, "suite": parts[0].suite, "limit": 1}))


FILE = "checkup.json"
SCHEMA = 1
CHANCE, RANDOM = "chance", "random"
"""The folder of the runs that mark chance, and the player that they ask."""
_KEPT = ("model", "base_url", "api")
"""The settings that a new run takes from the configuration of the first one, beside sampling and limits."""
_LEAST = 0.0001
"""The least limit of a cost."""
_OF_A_RUN = ("options", "until", "cost_limit")
"""The options that differ between the runs."""
_REACH = ("base_url", "key_name", "cache")
"""The settings that say where a run sends data and which file it opens."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """A checkup as its checkup.json has it."""

    folder: Path
    model: str
    seed: int | None
    """The seed of its private tasks; None for public ones."""
    sizes: Sizes
    """The number of tasks of each run, in the order in which they are asked."""
    budget: float | None = None
    expected: Mapping[str, float] = field(default_factory=dict)
    """The money that each run is expected to take; nothing without a price."""
    parts: Sequence[Part] = PARTS

    @property
    def runs(self) -> list[str]:
        """All runs in their order: a run that marks chance comes last."""
        marked = [f"{CHANCE}/{part.name}" for part in self.parts if part.chance and part.name in self.sizes]
        return [*self.sizes, *marked]

    @property
    def asked_parts(self) -> list[Part]:
        """The parts with a run."""
        return [part for part in self.parts if any(run in self.sizes for run in part.runs)]

    def as_row(self) -> dict[str, Any]:
        """Return the checkup.json."""
        parts = [
            {
                "name": part.name,
                "title": part.title,
                "suite": part.suite,
                "measures": part.measures,
                "card": part.card,
                "runs": [run for run in part.runs if run in self.sizes],
                "chance": f"{CHANCE}/{part.name}" if part.chance else None,
            }
            for part in self.asked_parts
        ]
        own = {"model": self.model, "seed": self.seed, "budget": self.budget}
        sizes = {"sizes": dict(self.sizes), "expected": dict(self.expected)}
        return {"schema": SCHEMA, **own, **sizes, "parts": parts}

    def write(self) -> None:
        """Write the checkup.json. Raise InputError if it cannot be written."""
        path = self.folder / FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_text(path, json.dumps(self.as_row(), indent=2, ensure_ascii=False) + "\n")
        except OSError as error:
            raise InputError([Problem(str(path), "", f"a file that can be written ({error.strerror})")]) from error


def read_checkup(folder: Path, parts: Sequence[Part] = PARTS) -> Checkup:
    """Return the checkup in a folder.

    Raise UsageError if there is none, or one with a link that leads out; InputError if its file is wrong.
    """
    path = folder / FILE
    if not path.is_file():
        raise UsageError(f"{folder} is no checkup: there is no {FILE} in it.")
    row, problems = read_document(path, str(path))
    problems = problems or _unknown_runs(row, parts, path) or schema_problems(row, "checkup", str(path))
    if problems:
        raise InputError(problems)
    _refuse_links_out(folder)
    return Checkup(folder, row["model"], row["seed"], row["sizes"], row["budget"], row["expected"], parts)


def _unknown_runs(row: Any, parts: Sequence[Part], path: Path) -> list[Problem]:
    """Return a problem for the first run of a checkup.json that is no run of its parts, as in one of an older version.

    A checkup.json with such runs differs in other places too, which would hide that.
    """
    sizes = row.get("sizes") if isinstance(row, Mapping) else None
    runs = {run for part in parts for run in part.runs}
    unknown = [run for run in sizes if run not in runs] if isinstance(sizes, Mapping) else []
    advice = "another version made it: begin a new checkup, or use `herobench analyze` on its runs"
    expected = f"one of the runs {', '.join(sorted(runs))}"
    return [Problem(str(path), f"$.sizes.{run}", expected, advice=advice) for run in unknown[:1]]


def new_seed() -> int:
    """Return a seed that nobody knows before."""
    return secrets.randbelow(MOST_EXACT + 1)


def work(
    checkup: Checkup, request: RunRequest, callbacks: Callable[[str, int, int], RunCallbacks]
) -> Iterator[RunResult]:
    """Yield how each run ended, up to one that was stopped.

    `callbacks` gets a run's name, its number, and how many there are. `request` has what the user asks for now: all of
    it for a new checkup, nothing or new limits for a resumed one.
    """
    runs = checkup.runs
    with closing(_made_ahead(checkup, request)) as tasks:
        for number, run in enumerate(runs, 1):
            folder = checkup.folder / run
            if number > 1 and is_complete(folder):
                continue
            ending = _work_run(checkup, run, request, tasks, callbacks(run, number, len(runs)))
            yield ending
            if ending.reason is not None:
                return


def _made_ahead(checkup: Checkup, request: RunRequest) -> MadeAhead:
    """Begin to make the tasks of the runs that have not begun."""
    asked = {**_first_settings(checkup), **request}
    jobs = asked.get("conduct", {}).get("jobs") or os.cpu_count() or 1

    def choose(run: str, stop: Event) -> dict[str, Any]:
        folder = checkup.folder / "tasks"
        return chosen_tasks(run, checkup.sizes[run], checkup.parts, checkup.seed, folder, jobs, stop)

    made = (run for run in checkup.sizes if is_made(part_named(run, checkup.parts), checkup.seed))
    return MadeAhead(choose, [run for run in made if not (checkup.folder / run / "run.json").is_file()])


def _work_run(checkup: Checkup, run: str, request: RunRequest, tasks: MadeAhead, callbacks: RunCallbacks) -> RunResult:
    folder = checkup.folder / run
    conduct = {**(request.get("conduct") or {})}
    if checkup.budget is not None and run in checkup.sizes:
        conduct["cost_limit"] = _left(checkup, run)
    now = cast("RunRequest", {**request, "conduct": conduct})
    if (folder / "run.json").is_file():
        return resume(now, folder, callbacks)
    return begin(_beginning(checkup, run, now, tasks), folder, callbacks)


def _left(checkup: Checkup, run: str) -> float:
    """Return what the budget leaves for a run after what the others have cost so far."""
    others = (spent(checkup.folder / other) for other in checkup.sizes if other != run)
    return max(0.0, (checkup.budget or 0.0) - sum(others))


def _goal(checkup: Checkup, run: str, goal: str) -> str:
    """Return the goal of a horizon: with a budget, it leaves to the runs to come what they are expected to take."""
    if checkup.budget is None:
        return goal
    ahead = (
        checkup.expected.get(other, 0.0)
        for other in checkup.sizes
        if other != run and not RunFolder(checkup.folder / other).begun
    )
    return f"{goal},cost={max(_LEAST, _left(checkup, run) - sum(ahead)):.4f}"


def _refuse_links_out(folder: Path) -> None:
    """Raise UsageError if a link in a folder leads out of it, or if a folder in it cannot be listed."""

    def unlisted(error: OSError) -> NoReturn:
        raise UsageError(f"Cannot list {error.filename}: {error.strerror}. A link in it might lead out of {folder}.")

    inside = os.path.realpath(folder)
    for path, folders, files in os.walk(folder, onerror=unlisted):
        for entry in (Path(path, name) for name in (*folders, *files)):
            if entry.is_symlink() and not Path(os.path.realpath(entry)).is_relative_to(inside):
                raise UsageError(f"{entry} leads out of {folder}: all of a checkup has to be in its folder.")


def _beginning(checkup: Checkup, run: str, request: RunRequest, made: MadeAhead) -> RunRequest:
    """Return the request that begins a run."""
    marked, _, name = run.partition("/")
    if marked == CHANCE:
        part = part_named(name, checkup.parts)
        tasks = checkup.folder / part.runs[0] / "tasks.jsonl"
        return {"suite": part.suite, "options": dict(part.options), "model": RANDOM, "tasks": tasks}
    asked: dict[str, Any] = {**_first_settings(checkup), **request}
    chosen = made.choose(run)
    if goal := chosen.pop("until", None):
        chosen["conduct"] = {"until": _goal(checkup, run, goal)}
    conduct = {**_first_settings(checkup).get("conduct", {}), **request.get("conduct", {}), **chosen.pop("conduct", {})}
    return cast("RunRequest", {**asked, **chosen, "conduct": conduct})


def _first_settings(checkup: Checkup) -> dict[str, Any]:
    """Return the settings of the first run, as a request; none if it has not begun.

    If somebody else began that run, the server, the key and the cache are left out: its model may be a player in its
    suite, and a served model in the others.
    """
    first = RunFolder(checkup.folder / checkup.runs[0])
    if not first.begun:
        return {}
    manifest = first.read_manifest()
    config = manifest["config"]
    out = _OF_A_RUN if is_known(manifest) else (*_OF_A_RUN, *_REACH)
    conduct = {name: value for name, value in manifest["conduct"].items() if name not in out}
    found = {name: config[name] for name in _KEPT if config[name] is not None and name not in out}
    found |= {"sampling": config["sampling"], "limits": config.get("limits") or {}, "conduct": conduct}
    if manifest["price"]:
        prices = checkup.folder / "prices.json"
        if not prices.is_file():
            write_text(prices, json.dumps({parse_model_name(config["model"])[1]: manifest["price"]}))
        found["prices"] = prices
    return found


def is_complete(folder: Path) -> bool:
    """Return whether a run owes nothing."""
    run = RunFolder(folder)
    if not run.begun:
        return False
    manifest = run.read_manifest()
    last = manifest["sessions"][-1] if manifest["sessions"] else {}
    until: Mapping[str, Any] | None = last.get("until")
    chosen_all = until is not None and until["reason"] is not None if manifest["conduct"].get("until") else True
    return bool(last.get("finished")) and not manifest["totals"]["owed"] and chosen_all


def spent(folder: Path) -> float:
    """Return the money that a run has cost so far."""
    run = RunFolder(folder)
    if not run.begun:
        return 0.0
    manifest = run.read_manifest()
    if manifest["sessions"] and manifest["sessions"][-1].get("finished"):
        return manifest["totals"]["cost"] or 0.0
    return sum(row["cost"] or 0.0 for row in read_journal(run.calls))
