"""The specification of a run: what is refused before anything is asked, and what a resumed run keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.runs.folder import RunFolder, open_run
from herobench.runs.options import RunRequest
from herobench.runs.refusals import RunFault
from herobench.runs.session import create, made_up_path
from herobench.runs.spec import RunSpec, make_spec
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.suite import Rpg
from tests.builders import TINY
from tests.program import read_jsonl, write_jsonl
from tests.refusals import raises
from tests.runs.made import TinySpecs, contents, manifest, tiny_tasks
from tests.runs.trial import Player
from tests.sizes import for_each

URL = "http://127.0.0.1:1/v1"
SECRET = "sk-loopback-0123456789abcdef"
PRICE = {"m": {"input": 1.0, "output": 2.0, "cache_read": 0.5}}


@pytest.fixture
def begun(tmp_path: Path, tiny: World, tiny_spec: TinySpecs) -> Path:
    """A run of a served model in the tiny world that has not asked anything yet."""
    prices = write_jsonl(tmp_path / "prices.json", [PRICE])
    request: Any = {"model": "m", "base_url": URL, "epochs": 2, "sampling": {"seed": 3, "extra_body": {"top_k": 3}}}
    conduct = {"connections": 3, "cost_limit": 5.0, "stream": False}
    return kept(tmp_path / "run", tiny_spec(tiny_tasks(tiny), **request, prices=prices, conduct=conduct))


def kept(path: Path, spec: RunSpec) -> Path:
    with RunFolder(path) as folder:
        create(folder, spec)
    return path


def resumed(path: Path, **request: Any) -> RunSpec:
    spec = make_spec(RunRequest(**request), open_run(path))
    spec.suite.close()
    return spec


# -- a new run --------------------------------------------------------------------------------------------------------


@for_each(
    ("request_", "fault"),
    [
        ({"model": None}, RunFault.NO_MODEL),
        ({"dataset": "base"}, RunFault.TASKS_AND_DATASET),
        ({"fresh": -1}, RunFault.BAD_SEED),
        ({"model": "oracle", "person": Player()}, RunFault.NAME_OF_PLAYER),
        ({"sampling": {"extra_body": {"user": SECRET}}}, RunFault.KEY_IN_OPTION),
        ({"model": SECRET}, RunFault.KEY_IN_OPTION),
        ({"base_url": f"{URL}/{SECRET}"}, RunFault.KEY_IN_OPTION),
        ({"conduct": {"cost_limit": 1.0}}, RunFault.NO_PRICES),
        ({"conduct": {"until": "cost=2"}}, RunFault.NO_PRICES),
        ({"limits": {"cost": 0.0}}, RunFault.NO_PRICES),
        ({"prices": "other", "conduct": {"cost_limit": 1.0}}, RunFault.NO_PRICE),
        ({"shard": "1/9"}, RunFault.TOO_MANY_SHARDS),
        ({"shard": "1/2", "conduct": {"until": "tasks=2"}}, RunFault.SHARD_OF_ROUNDS),
    ],
)
def test_what_cannot_be_run_is_refused_and_the_suite_is_closed(
    request_: dict[str, Any], fault: RunFault, tmp_path: Path, tiny: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    tasks = write_jsonl(tmp_path / "tasks.jsonl", (task.as_row() for task in tiny_tasks(tiny).values()))
    if "prices" in request_:
        request_ = {**request_, "prices": write_jsonl(tmp_path / "prices.json", [{"other": PRICE["m"]}])}
    closed: list[object] = []
    monkeypatch.setattr(Rpg, "close", lambda suite: closed.append(suite))
    asked: Any = {"model": "m", "base_url": URL, "tasks": tasks, "options": {"world": str(TINY)}, **request_}
    with raises(fault) as caught:
        make_spec(asked)
    assert SECRET not in str(caught.value)
    assert len(closed) == ("dataset" not in request_)
    monkeypatch.undo()


def test_a_model_has_its_price_by_its_own_name(tmp_path: Path, tiny: World, tiny_spec: TinySpecs) -> None:
    prices = write_jsonl(tmp_path / "prices.json", [PRICE])
    spec = tiny_spec(tiny_tasks(tiny), model="openai:m", base_url=URL, prices=prices)
    kept(tmp_path / "run", spec)
    assert manifest(tmp_path / "run")["price"] == PRICE["m"]


def test_a_name_of_a_model_is_made_fit_for_a_folder() -> None:
    path = made_up_path("", "tasks--org/../a model:" + "x" * 300)
    assert path.parent == Path("runs")
    assert path.name.startswith("tasks--org-..-a-model-xxx")
    assert len(path.name) == 120 + len("--01234567")


# -- a resumed run ----------------------------------------------------------------------------------------------------


OTHERWISE: dict[str, dict[str, Any]] = {
    "  --temperature: None, now 0.0": {"sampling": {"temperature": 0.0}},
    "  --extra-body top_k: 3, now 4": {"sampling": {"extra_body": {"top_k": 4}}},
    "  --model: 'm', now 'n'": {"model": "n"},
    "  --epochs: 2, now 1": {"epochs": 1},
    "  --rules: 'standard', now 'paper-late'": {"options": {"rules": "paper-late"}},
    ", --context: 3 of tiny, now 2 of tiny": {"limit": 2},
    "  --base-url: 'http://127.0.0.1:1/v1', now 'http://127.0.0.1:2/v1'": {"base_url": "http://127.0.0.1:2/v1"},
    "  --api: 'chat', now 'responses'": {"api": "responses"},
    "  --agent: 'one-shot', now 'best-of:2'": {"agent": "best-of:2"},
    "  --mode: None, now 'feedback'": {"options": {"mode": "feedback"}},
    "  --attempt-tokens: None, now 9": {"limits": {"tokens": 9}},
    "  --shard: None, now ": {"shard": "1/2"},
    "rpg, not of acp": {"suite": "acp"},
}


@pytest.mark.parametrize("told", OTHERWISE)
def test_a_run_is_not_resumed_otherwise_than_it_was_begun(told: str, begun: Path, tmp_path: Path) -> None:
    asked = OTHERWISE[told]
    before = contents(begun)
    if {"limit", "shard"} & asked.keys():
        asked = {**asked, "tasks": write_jsonl(tmp_path / "tiny.jsonl", read_jsonl(begun / "tasks.jsonl"))}
    with raises(RunFault.OTHER_SUITE if "suite" in asked else RunFault.OTHER_CONFIGURATION, told):
        resumed(begun, **asked)
    assert contents(begun) == before


def test_a_resumed_run_keeps_what_is_not_said_again(begun: Path, tmp_path: Path) -> None:
    first = manifest(begun)
    spec = resumed(begun)
    assert spec.config.as_row() == first["config"]
    assert (spec.config.epochs, spec.config.sampling.seed, spec.config.dataset) == (2, 3, "tiny")
    assert spec.price is not None
    assert spec.price.as_row() == PRICE["m"]
    assert (spec.conduct.connections, spec.conduct.cost_limit, spec.conduct.stream) == (3, 5.0, False)
    again = resumed(begun, model="m", epochs=2, base_url=URL, options={"rules": "standard"}, sampling={"seed": 3})
    assert again.config == spec.config
    faster = resumed(begun, conduct={"connections": 9, "rpm": 5, "stream": True, "retries": 1})
    assert (faster.conduct.connections, faster.conduct.rpm, faster.conduct.stream) == (9, 5, True)
    assert faster.config == spec.config


def test_changed_tasks_are_another_run(begun: Path, tiny: World) -> None:
    rows = read_jsonl(begun / "tasks.jsonl")
    write_jsonl(begun / "tasks.jsonl", [*rows[:-1], {**rows[-1], "seed": rows[-1]["seed"] + 1}])
    with raises(RunFault.OTHER_CONFIGURATION, "3 of tiny, now 3 of tiny, other ones"):
        resumed(begun)


def test_what_is_secret_is_not_kept_and_has_to_be_given_again(
    tmp_path: Path, tiny: World, tiny_spec: TinySpecs
) -> None:
    secrets: list[dict[str, Any]] = [
        {"sampling": {"extra_body": {"api_key": SECRET, "top_k": 3}}},
        {"base_url": f"http://127.0.0.1:1/v1?key={SECRET}"},
    ]
    for number, secret in enumerate(secrets):
        request: Any = {"model": "m", "base_url": URL, **secret}
        path = kept(tmp_path / str(number), tiny_spec(tiny_tasks(tiny), **request))
        assert not [name for name, content in contents(path).items() if SECRET.encode() in content]
        with raises(RunFault.URL_NOT_KEPT if number else RunFault.BODY_NOT_KEPT):
            resumed(path)
        spec = resumed(path, **secret)
        assert SECRET in json.dumps([spec.model.sampling.extra_body, spec.model.endpoint.base_url])
