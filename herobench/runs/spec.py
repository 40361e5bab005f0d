"""Builds a run's full specification from what the user asks for.

`begin` and `resume` call it. Options that the user did not give are absent: a new run takes the default then, a resumed
run its first value. A request that would change the configuration of a resumed run is refused.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_type_hints
from urllib.parse import quote

from herobench.adaptive.goal import Goal
from herobench.agents.agent import Agent
from herobench.conversation import Model
from herobench.data.documents import MOST_EXACT, schema_problems
from herobench.data.errors import SuiteError, UsageError
from herobench.data.rows import dump_row
from herobench.models.endpoint import LOCAL, SERVED, address, key_in, parse_model_name
from herobench.models.model import FREE, Endpoint, ModelSpec, Price, Sampling, load_prices
from herobench.models.negotiation import Dialect
from herobench.models.secrets import HIDDEN, Secrets, public_url
from herobench.runs.config import AgentChoice, RunConfig, RunShare, choose_agent, digest_of_tasks, makes_tasks
from herobench.runs.fitting import fitting_tasks, local_context
from herobench.runs.folder import RunFolder, foreign_reach, refuse_foreign_files
from herobench.runs.options import KEPT, AttemptLimits, ExecutionOptions, RunRequest, TaskChoice
from herobench.runs.refusals import RunFault
from herobench.runs.rounds import first_made, lengths_to_choose, open_kept
from herobench.suite.checked import (
    close_suite,
    open_chosen,
    read_blank,
    read_identity,
    read_tasks,
    refuse_untold,
    suite_class,
    suite_errors,
)
from herobench.suite.choice import Clues, StrPath, implied_suite, note_of_limit, select_tasks
from herobench.suite.contract import Help, Suite, SuiteSetting, TaskInfo
from herobench.suite.players import HELP, attempt_help
from herobench.suite.plugins import type_fault

Manifest = Mapping[str, Any]
Said = Mapping[str, Any]

SCHEMA = 2
"""The number of the format of run.json."""


@dataclass(frozen=True, slots=True)
class RunSpec:
    """The parts of a run. Whoever makes it closes its suite."""

    config: RunConfig
    conduct: ExecutionOptions
    suite: Suite
    agent: Agent
    tasks: Mapping[str, TaskInfo]
    model: ModelSpec
    price: Price | None
    notes: Sequence[str] = ()
    """Sentences for the user, before anything is asked: how private twins differ from their originals, and that a limit
    leaves out whole groups."""
    person: Model | None = None
    """A person who answers in place of a model."""
    goal: Goal | None = None
    """When a run that chooses its tasks stops; None for a run of all tasks."""
    lengths: Mapping[str, float] = field(default_factory=dict)
    """The lengths of the tasks that such a run chooses from."""
    refusal: UsageError | None = None
    """Why a run that somebody else began is not resumed; None if it may be."""

    @property
    def is_player(self) -> bool:
        """True when the suite itself plays, and no model is asked."""
        return is_player(self.suite, self.config.model)

    @property
    def makes(self) -> bool:
        """True for a run that makes its tasks as they are needed."""
        return makes_tasks(self.config.fresh, self.tasks)

    @property
    def help(self) -> list[Help]:
        """What help the model has in its attempts: one kind, but for tasks that ask for plans of different kinds."""
        suite, model = self.suite, self.config.model
        found = {attempt_help(suite.name, model, read_blank(suite, task_id)) for task_id in self.tasks}
        return [value for value in HELP if value in found]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The tasks that a run asks, the suite that they are of, and the names that the run keeps."""

    suite: Suite
    tasks: Mapping[str, TaskInfo]
    dataset: str
    fresh: int | None = None
    notes: Sequence[str] = ()
    shard: RunShare | None = None


def is_player(suite: Suite, model: str) -> bool:
    """Return whether a model's name names a player of the suite."""
    return model.partition(":")[0] in suite.players


def setting_of_run(
    folder: RunFolder, manifest: Manifest, options: Mapping[str, str], workers: int, tasks: Path | None = None
) -> SuiteSetting:
    """Return what the suite of a run is made from. `options` and `tasks` replace what the run keeps."""
    return SuiteSetting(
        tasks=tasks or folder.tasks,
        options={**manifest["conduct"]["options"], **options},
        files=folder.read_files(manifest),
        workers=workers,
    )


def make_spec(request: RunRequest, resumed: RunFolder | None = None) -> RunSpec:
    """Build the specification of a new or a resumed run. Raise UsageError when it would be another run."""
    _refuse_mistyped(request)
    manifest = resumed.read_manifest() if resumed else None
    name = request.get("suite") or (manifest["config"]["suite"] if manifest else _implied_suite(request))
    if manifest and name != manifest["config"]["suite"]:
        raise UsageError(RunFault.OTHER_SUITE, suite=manifest["config"]["suite"], name=name)
    options = request.get("options") or {}
    if resumed and manifest:
        refuse_foreign_files(resumed.path, manifest, options)
    conduct = ExecutionOptions.from_row(_settled(request, "conduct", manifest["conduct"] if manifest else {}))
    workers = conduct.jobs or os.cpu_count() or 1
    played = choose_agent(request.get("agent"), name, options, manifest)
    said = _said_of_tasks(request)
    if resumed and manifest and not said:
        suite = open_kept(manifest, setting_of_run(resumed, manifest, played.options, workers))
    else:
        if {"tasks", "dataset"} <= said.keys():
            raise UsageError(RunFault.TASKS_AND_DATASET)
        _refuse_name_of_set(name, said.get("tasks"))
        # a run on private twins has the files of the twins, not of the tasks that are chosen here
        files = resumed.read_files(manifest) if resumed and manifest and "fresh" not in said else {}
        suite = open_chosen(
            name, SuiteSetting(said.get("dataset"), _path(said.get("tasks")), played.options, files, workers)
        )
    with _closed_when_refused(suite):
        model = request.get("model") or (manifest["config"]["model"] if manifest else None)
        if model is None:
            raise UsageError(RunFault.NO_MODEL)
        if (said or not manifest) and _is_local(request, suite, model):
            said = {"context": local_context(model), **said}
            if "connections" not in (request.get("conduct") or {}) and not manifest:
                conduct = replace(conduct, connections=1)  # each request at once needs a context of its own
        most = _settled(request, "sampling", manifest["config"]["sampling"] if manifest else {}).get("max_tokens")
        asked = _asked(said, suite, manifest["config"] if manifest else {}, conduct.goal, most)
    if asked.suite is not suite:
        close_suite(suite)
    with _closed_when_refused(asked.suite):
        spec = _spec(request, conduct, model, played, asked, manifest)
        if resumed and manifest:
            spec = replace(spec, refusal=foreign_reach(resumed.path, manifest, request, spec))
        return spec


def _refuse_name_of_set(suite: str, tasks: StrPath | None) -> None:
    """Raise UsageError for a tasks file that is not there, or is a folder, and has the name of a shipped set."""
    if tasks is None or (Path(tasks).exists() and not Path(tasks).is_dir()):
        return
    if suite_class(suite).shipped_dataset(os.fspath(tasks)):
        raise UsageError(RunFault.TASKS_ARE_DATASET, name=os.fspath(tasks), suite=suite)


def _implied_suite(request: RunRequest) -> str:
    """Return the suite that a new run means which names none."""
    tasks, options = request.get("dataset") or request.get("tasks"), request.get("options") or {}
    return implied_suite(Clues(tasks, options, bool(request.get("groups")), mode=options.get("mode")))


def _said_of_tasks(request: RunRequest) -> Said:
    """Return what the user says of the tasks, without what stands for nothing."""
    said = {name: request.get(name) for name in TaskChoice.__annotations__ if name != "suite"}
    return {name: value for name, value in said.items() if not (value is None or value is False or value == ())}


def _path(path: Any) -> Path | None:
    return None if path is None else Path(path)


def _span(limit: int | slice | None) -> slice | None:
    if not isinstance(limit, int):
        return limit
    if limit < 1:
        raise UsageError(f"limit is a number of tasks, 1 or more, and not {limit}.")
    return slice(0, limit)


@contextmanager
def _closed_when_refused(suite: Suite) -> Iterator[None]:
    """Close a suite when a run is refused: its processes must not outlive it."""
    try:
        yield
    except BaseException:
        close_suite(suite)
        raise


def _is_local(request: RunRequest, suite: Suite, model: str) -> bool:
    """Return whether a model runs on this machine, in a server of our own."""
    is_played = is_player(suite, model) or request.get("person") is not None
    return not is_played and parse_model_name(model)[0] == LOCAL


def _asked(said: Said, suite: Suite, before: Mapping[str, Any], goal: Goal | None, most_tokens: int | None) -> _Asked:
    """Return the tasks to ask. `said` are entries of `TaskChoice`, `before` is the configuration of a resumed run.

    Of a run that chooses its tasks among new ones they are the first round. `most_tokens` is the limit of a reply.
    """
    span = _span(said.get("limit"))
    share = RunShare.of(said["shard"]) if "shard" in said else None
    if before.get("shard") and not said:
        share = RunShare(**before["shard"])
    if goal and share:
        raise UsageError(RunFault.SHARD_OF_ROUNDS)
    tasks = {task.id: task for task in read_tasks(suite)}
    if before and not said:
        # the suite was opened with the run's own tasks file, and goes by the name of that file
        return _Asked(suite, tasks, before["dataset"], before.get("fresh"), shard=share)
    of_groups, patterns = said.get("groups"), said.get("task_ids", ())
    chosen = select_tasks(tasks, of_groups, patterns, said.get("shuffle"), span)
    cut = note_of_limit(select_tasks(tasks, of_groups, patterns), chosen) if span and "shuffle" not in said else None
    notes = [cut] if cut else []
    if "context" in said:
        chosen, left_out = fitting_tasks(suite, chosen, said["context"], most_tokens)
        notes += left_out
    if "fresh" not in said:
        return _shared(_Asked(suite, chosen, suite.dataset, notes=notes), share)
    seed = _seed(said["fresh"], before.get("fresh"))
    if goal and said.keys() <= {"dataset", "fresh", "context"} and (grown := first_made(suite, seed, goal)):
        return _Asked(grown, {task.id: task for task in read_tasks(grown)}, suite.dataset, seed)
    with suite_errors(suite.name, "fresh"):
        fresh = suite.fresh(seed, tuple(chosen))
        twins, notes = refuse_untold(fresh.suite), [*notes, *map(str, fresh.notes)]
    with _closed_when_refused(twins):
        made = {task.id: task for task in read_tasks(twins)}
        if len(made) != len(chosen):
            raise SuiteError(f"The suite {suite.name} made {len(made)} twins of {len(chosen)} tasks.")
        return _shared(_Asked(twins, made, suite.dataset, seed, notes), share)


def _shared(asked: _Asked, share: RunShare | None) -> _Asked:
    """Return a share of the tasks to ask."""
    if share is None:
        return asked
    identity = read_identity(asked.suite, asked.tasks)
    shard = replace(share, tasks=digest_of_tasks(asked.suite.name, asked.tasks.values()), identity=identity)
    return replace(asked, tasks=share.among(asked.tasks), shard=shard)


def _seed(wanted: Literal[True] | int, before: int | None) -> int:
    """Return the seed of private twins: the wanted one, or the one of the resumed run, or a random one."""
    if wanted is True:
        return secrets.randbelow(MOST_EXACT + 1) if before is None else before
    if not 0 <= wanted <= MOST_EXACT:
        raise UsageError(RunFault.BAD_SEED, most_exact=MOST_EXACT, seed=wanted)
    return wanted


def _spec(
    request: RunRequest,
    conduct: ExecutionOptions,
    model: str,
    played: AgentChoice,
    asked: _Asked,
    manifest: Manifest | None,
) -> RunSpec:
    before, suite, tasks = manifest["config"] if manifest else {}, asked.suite, asked.tasks
    player, person = is_player(suite, model), request.get("person")
    if player and person:
        raise UsageError(RunFault.NAME_OF_PLAYER, model=model, suite=suite.name)
    served = not player and person is None and parse_model_name(model)[0] == SERVED
    url = request.get("base_url") or before.get("base_url")
    if url and quote(HIDDEN) in url:
        raise UsageError(RunFault.URL_NOT_KEPT)
    url = address(url) if served else url
    epochs = request.get("epochs")
    config = RunConfig(
        suite=suite.name,
        dataset=asked.dataset,
        tasks=digest_of_tasks(suite.name, tasks.values()),
        task_count=len(tasks),
        epochs=before.get("epochs", 1) if epochs is None else epochs,
        model=model,
        base_url=None if url is None else public_url(url),
        api=request.get("api") or before.get("api", "chat"),
        sampling=Sampling(**_settled(request, "sampling", before.get("sampling", {}))),
        agent=played.name,
        identity={**read_identity(suite, tasks), **played.facts.identity},
        fresh=asked.fresh,
        shard=asked.shard,
        limits=AttemptLimits(**_settled(request, "limits", before.get("limits", {}))),
    )
    _refuse_out_of_range(config, conduct)
    # prices are listed by the model's own name: gpt-5, also if it was asked for as openai:gpt-5
    priced = model if player else parse_model_name(model)[1]
    goal, makes = conduct.goal, makes_tasks(asked.fresh, tasks)
    if goal is None and makes:
        raise UsageError(RunFault.NO_LIMIT)
    limits = conduct.cost_limit, config.limits.cost, goal.cost if goal else None
    spec = RunSpec(
        config=config,
        conduct=replace(conduct, options=dict(suite.options)),
        suite=suite,
        agent=played.agent,
        tasks=tasks,
        model=_model_spec(config, conduct, url, (manifest or {}).get("dialect") or {}),
        price=FREE
        if _is_local(request, suite, model)
        else _price(_path(request.get("prices")), priced, limits, manifest),
        notes=asked.notes,
        person=person,
        goal=goal,
        lengths=lengths_to_choose(suite, tasks, goal, makes=makes) if goal else {},
    )
    if manifest:
        refuse_another(config, manifest)
    return spec


def _refuse_mistyped(request: RunRequest) -> None:
    """Raise UsageError when an entry of a request is not of its type: Python programs may ask for anything."""
    hints = get_type_hints(RunRequest)
    for name, value in request.items():
        if name not in hints:
            raise UsageError(f"No run has an option {name!r}: there are {', '.join(hints)}.")
        if fault := type_fault(value, hints[name], name):
            raise UsageError(f"No run can be made: {fault}.")


def _settled(request: RunRequest, what: Literal["sampling", "conduct", "limits"], before: Said) -> Said:
    """Return the values of a table that a run keeps: what the user says, or else what the run has already.

    Raise UsageError when the user says something that the table does not have.
    """
    said = request.get(what) or {}
    # the suite settles its own settings
    known = [each.name for each in fields(KEPT[what]) if each.name != "options"]
    if unknown := [name for name in said if name not in known]:
        raise UsageError(f"There is no {unknown[0]!r} in {what}: there are {', '.join(known)}.")
    return {**before, **said}


def _refuse_out_of_range(config: RunConfig, conduct: ExecutionOptions) -> None:
    """Raise UsageError when run.json could not keep the settings. Its schema has the range of each."""
    try:
        row = new_manifest(config, conduct)
        dump_row(row)
        problems = schema_problems(row, "run", "")
    except (TypeError, ValueError) as error:
        raise UsageError(f"The settings of a run must be JSON: {error}.") from error
    if problems:
        told = (str(replace(problem, file=problem.path.removeprefix("$."), path="")) for problem in problems)
        raise UsageError("No run can be made with these settings:", [f"  {line}" for line in told])


def new_manifest(
    config: RunConfig,
    conduct: ExecutionOptions,
    price: Price | None = None,
    files: Iterable[str] = (),
    help_kinds: Sequence[Help] = (),
) -> dict[str, Any]:
    """Return the run.json of a new run."""
    return {
        "schema": SCHEMA,
        "id": secrets.token_hex(4),
        "config": config.as_row(),
        "conduct": conduct.as_row(),
        "files": sorted(files),
        "price": price.as_row() if price else None,
        "help": list(help_kinds),
        "served": [],
        "totals": None,
        "sessions": [],
    }


def refuse_another(config: RunConfig, manifest: Manifest) -> None:
    """Raise UsageError, with the differences, when a configuration differs from a manifest."""
    if differences := RunConfig.from_row(manifest["config"]).differences(config):
        raise UsageError(RunFault.OTHER_CONFIGURATION, [f"  {difference}" for difference in differences])


def _model_spec(config: RunConfig, conduct: ExecutionOptions, url: str | None, dialect: Said) -> ModelSpec:
    if HIDDEN in dump_row(config.sampling.extra_body):
        raise UsageError(RunFault.BODY_NOT_KEPT)
    key = Secrets([key_in(conduct.key_name) or ""])
    kept = {
        "--extra-body": dump_row(config.sampling.extra_body),
        "--model": config.model,
        "--base-url": config.base_url or "",
    }
    for option, text in kept.items():
        if key.are_in(text):
            raise UsageError(RunFault.KEY_IN_OPTION, option=option)
    endpoint = Endpoint(
        base_url=url,
        key_name=conduct.key_name,
        api="responses" if config.api == "responses" else "chat",
        stream=conduct.stream,
        timeout=conduct.timeout,
        connections=conduct.connections,
    )
    return ModelSpec(config.model, "", config.sampling, endpoint, Dialect(**dialect))


def _price(prices: Path | None, model: str, limits: Sequence[float | None], manifest: Manifest | None) -> Price | None:
    """Return the price of a model, from the file or from the run. Raise UsageError when a limit cannot be kept."""
    price = load_prices(prices).get(model) if prices else None
    if price is None and prices is None and manifest and manifest["price"]:
        price = Price.from_row(manifest["price"])
    if price is None and any(limit is not None for limit in limits):
        if prices is None:
            raise UsageError(RunFault.NO_PRICES)
        raise UsageError(RunFault.NO_PRICE, prices=prices, model=model)
    return price
