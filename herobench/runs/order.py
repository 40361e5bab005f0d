"""From what somebody asks for to what a run is made of.

What was not said is None: a new run takes the default for it, one that is gone on with what it was begun with. Whatever
of the configuration is said again, and otherwise, is another run, and refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from herobench.documents import read_text
from herobench.errors import InputError, UsageError
from herobench.input_file import unreadable
from herobench.models.endpoint import address, key_in
from herobench.models.model import Endpoint, Sampling, Setting
from herobench.models.prices import Price, load_prices
from herobench.models.registry import SERVED, maker_of
from herobench.models.secrets import HIDDEN, Secrets, public_url
from herobench.prompts.templates import prompt_digest
from herobench.rows import dump_row
from herobench.rpg.content import DEFAULT_EDITION, DEFAULT_WORLD, load_rules, load_world
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.task_file import load_tasks
from herobench.rpg.world import World, digest_of
from herobench.runs.config import Conduct, RunConfig
from herobench.runs.folder import RunFolder

Manifest = Mapping[str, Any]
Told = Mapping[str, Any]

DEFAULT_AGENT = "one-shot"


@dataclass(frozen=True, slots=True)
class Chosen:
    """Tasks to be asked, and what their set is called."""

    name: str
    tasks: Mapping[str, Task]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for. `sampling` and `conduct` have only what was said."""

    model: str | None = None
    agent: str | None = None
    world: str | None = None
    rules: str | None = None
    epochs: int | None = None
    base_url: str | None = None
    api: str | None = None
    prices: Path | None = None
    sampling: Told = field(default_factory=dict)
    conduct: Told = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Order:
    """All that a run is made of."""

    config: RunConfig
    conduct: Conduct
    world: World
    rules: Rules
    tasks: Mapping[str, Task]
    setting: Setting
    price: Price | None


def world_of(wishes: Wishes, manifest: Manifest | None, folder: RunFolder | None = None) -> World:
    """The world of a run: the one that is named, or else as the run keeps it.

    Raises UsageError where it is not the one that the run was begun in.
    """
    begun_in = manifest["config"]["world_digest"] if manifest else None
    if folder and begun_in and wishes.world is None and folder.world.exists():
        return _kept_world(folder.world, begun_in)
    world = load_world(wishes.world or (manifest["conduct"]["world"] if manifest else DEFAULT_WORLD))
    if begun_in not in (None, world.digest):
        raise UsageError(f"The run is of another world: {begun_in[:12]}..., and {world.code} is {world.digest[:12]}...")
    return world


def _kept_world(path: Path, digest: str) -> World:
    try:
        source = read_text(path)
        is_it = digest_of(json.loads(source)) == digest
    except OSError as error:
        raise InputError([unreadable(path, error)]) from error
    except (ValueError, RecursionError):
        is_it = False
    if not is_it:
        raise UsageError(f"{path} was changed: it is not the world that the run was begun in. Name that with --world.")
    return World.from_source(source)


def tasks_of(folder: RunFolder, manifest: Manifest, world: World) -> Chosen:
    """The tasks that a run was begun with."""
    return Chosen(manifest["config"]["suite"], load_tasks(folder.tasks, world))


def make_order(wishes: Wishes, chosen: Chosen, world: World, manifest: Manifest | None) -> Order:
    """What a run is made of: a new one, or one with a manifest. Raises UsageError where that one was another."""
    before = manifest["config"] if manifest else {}
    model = wishes.model or before.get("model")
    if model is None:
        raise UsageError("Say which model to run: --model NAME, or --model oracle to see how it goes.")
    served = maker_of(model)[0] == SERVED
    rules = load_rules(wishes.rules or before.get("rules", DEFAULT_EDITION))
    url = wishes.base_url or before.get("base_url")
    if url and quote(HIDDEN) in url:
        raise UsageError("A part of the run's --base-url is secret and was not kept: give it again.")
    url = address(url) if served else url
    conduct = _conduct(wishes, manifest)
    config = RunConfig(
        suite=chosen.name,
        tasks=_digest(chosen.tasks),
        task_count=len(chosen.tasks),
        epochs=wishes.epochs or before.get("epochs", 1),
        model=model,
        base_url=None if url is None else public_url(url),
        api=wishes.api or before.get("api", "chat"),
        sampling=Sampling(**{**before.get("sampling", {}), **wishes.sampling}),
        agent=wishes.agent or before.get("agent", DEFAULT_AGENT),
        world=world.code,
        world_digest=world.digest,
        rules=rules.name,
        prompts=prompt_digest(),
    )
    return Order(
        config=config,
        conduct=conduct,
        world=world,
        rules=rules,
        tasks=chosen.tasks,
        setting=_setting(config, conduct, url, world, rules),
        price=_price(wishes.prices, maker_of(model)[1], conduct.cost_limit, manifest),
    )


def _conduct(wishes: Wishes, manifest: Manifest | None) -> Conduct:
    before: Told = manifest["conduct"] if manifest else {}
    where: Told = {"world": wishes.world} if wishes.world else {}
    return Conduct.from_row({**before, **wishes.conduct, **where})


def refuse_another(config: RunConfig, manifest: Manifest) -> None:
    """Raise UsageError, with the differences, where a configuration is not that of a manifest."""
    if differences := RunConfig.from_row(manifest["config"]).differences(config):
        raise UsageError(
            "The run was begun otherwise, and is gone on with as it was begun, or not at all:",
            [f"  {difference}" for difference in differences],
        )


def _setting(config: RunConfig, conduct: Conduct, url: str | None, world: World, rules: Rules) -> Setting:
    if HIDDEN in dump_row(config.sampling.extra_body):
        raise UsageError("A part of the run's --extra-body is secret and was not kept: give it again.")
    key = Secrets([key_in(conduct.key_name) or ""])
    kept = {
        "--extra-body": dump_row(config.sampling.extra_body),
        "--model": config.model,
        "--base-url": config.base_url or "",
    }
    for option, text in kept.items():
        if key.are_in(text):
            raise UsageError(f"{option} has the key in it and would be kept: the key goes into the environment alone.")
    endpoint = Endpoint(
        base_url=url,
        key_name=conduct.key_name,
        api="responses" if config.api == "responses" else "chat",
        stream=conduct.stream,
        timeout=conduct.timeout,
        connections=conduct.connections,
    )
    return Setting(config.model, "", config.sampling, endpoint, world, rules)


def _price(prices: Path | None, model: str, limit: float | None, manifest: Manifest | None) -> Price | None:
    """The price of a model: from the file, or as the run has it. Raises UsageError where a limit cannot be held."""
    price = load_prices(prices).get(model) if prices else None
    if price is None and prices is None and manifest and manifest["price"]:
        price = Price.from_row(manifest["price"])
    if price is None and limit is not None:
        where = f"{prices} has none for {model}" if prices else "give --prices FILE"
        raise UsageError(f"A cost limit needs a price, and {where}.")
    return price


def _digest(tasks: Mapping[str, Task]) -> str:
    digest = hashlib.sha256()
    for task in tasks.values():
        digest.update(dump_row(task.as_row()).encode())
    return digest.hexdigest()
