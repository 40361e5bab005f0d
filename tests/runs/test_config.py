"""The settings that identify a run: kept, compared, and never with a secret in them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from herobench.data.documents import schema_problems
from herobench.models.model import Sampling
from herobench.models.secrets import HIDDEN, hidden, public_url
from herobench.runs.config import RunConfig, hidden_argument
from herobench.runs.options import AttemptLimits, ExecutionOptions
from tests.runs.manifest import manifest_row
from tests.sizes import for_each

DIGEST = "0123456789abcdef" * 4
SECRET = "s3cr3t"
CONFIG = RunConfig(
    suite="rpg",
    dataset="base-v2",
    tasks=DIGEST,
    task_count=3,
    epochs=2,
    model="org/model",
    base_url="http://localhost:8000/v1",
    api="chat",
    sampling=Sampling(100, 0.5, 0.9, 7, "low", {"top_k": 20}),
    agent="one-shot",
    identity={"world": DIGEST, "rules": "fair"},
)
CONDUCT = ExecutionOptions(3, 60, 1000, 2, 30.0, False, 1.5, 4, "MY_KEY", "cache.db", {"rules": "fair"})
SECRETS = ["api_key", "apiKey", "X-API-Key", "key", "client_secret", "password", "Authorization", "access_token"]
jsons = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "x", SECRET]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc."), inner, max_size=3),
    max_leaves=6,
)
bodies = st.dictionaries(st.sampled_from(["a", "b", "a.b", "c"]), jsons, max_size=3)


def with_body(body: dict[str, Any]) -> RunConfig:
    return replace(CONFIG, sampling=replace(CONFIG.sampling, extra_body=body))


def test_a_configuration_comes_back_from_its_row_as_it_was() -> None:
    row = json.loads(json.dumps(CONFIG.as_row()))
    assert RunConfig.from_row(row) == CONFIG
    assert CONFIG.differences(RunConfig.from_row(row)) == []
    conduct = json.loads(json.dumps(CONDUCT.as_row()))
    assert ExecutionOptions.from_row(conduct) == CONDUCT
    assert ExecutionOptions.from_row({}) == ExecutionOptions()
    assert schema_problems({**manifest_row(), "config": row, "conduct": conduct}, "run", "run.json") == []


NOT_PLAIN = ("sampling", "identity", "limits", "dataset", "tasks", "task_count")


@for_each("name", [name for name in CONFIG.__slots__ if name not in NOT_PLAIN])
def test_each_other_value_is_a_difference_that_is_named_by_its_option(name: str) -> None:
    before = getattr(CONFIG, name)
    after: Any = before + 1 if isinstance(before, int) else f"{before}!"
    changes: dict[str, Any] = {name: after}
    option = f"--{name.replace('_', '-')}"
    assert CONFIG.differences(replace(CONFIG, **changes)) == [f"{option}: {before!r}, now {after!r}"]


@for_each(
    ("changes", "told"),
    [
        ({"tasks": "f" * 64}, "3 of base-v2, now 3 of base-v2, other ones"),
        ({"tasks": "f" * 64, "task_count": 4}, "3 of base-v2, now 4 of base-v2"),
        ({"dataset": "mine"}, "3 of base-v2, now 3 of mine"),
    ],
)
def test_other_tasks_are_told_by_their_number_and_their_options(changes: dict[str, Any], told: str) -> None:
    options = "--tasks, --dataset, --difficulty, --task-id, --shuffle, --limit, --context"
    assert CONFIG.differences(replace(CONFIG, **changes)) == [f"{options}: {told}"]


@for_each("name", [name for name in Sampling.__slots__ if name != "extra_body"])
def test_so_is_each_other_way_of_sampling(name: str) -> None:
    before = getattr(CONFIG.sampling, name)
    changes: dict[str, Any] = {name: None}
    found = CONFIG.differences(replace(CONFIG, sampling=replace(CONFIG.sampling, **changes)))
    assert found == [f"--{name.replace('_', '-')}: {before!r}, now None"]
    limited = CONFIG.differences(replace(CONFIG, limits=AttemptLimits(calls=3, cost=0.5)))
    assert limited == ["--attempt-calls: None, now 3", "--attempt-cost: None, now 0.5"]


@for_each(
    ("identity", "told"),
    [
        ({"world": DIGEST, "rules": "house"}, ["--rules: 'fair', now 'house'"]),
        ({"world": DIGEST}, ["--rules: 'fair', now None"]),
        ({"world": DIGEST, "rules": "fair", "words": "1"}, ["words: None, now '1'"]),
        ({"world": "f" * 64, "rules": "fair"}, ["--world: another one now"]),
        ({"rules": "fair", "world": DIGEST}, []),
    ],
)
def test_each_part_of_a_suite_s_identity_is_compared(identity: dict[str, str], told: list[str]) -> None:
    assert CONFIG.differences(replace(CONFIG, identity=identity)) == told


def test_what_was_added_to_the_body_or_left_out_is_named_with_its_path() -> None:
    before, after = with_body({"top_k": 20, "x": {"y": 1, "z": 2}}), with_body({"x": {"y": 1, "z": 3}, "w": True})
    assert before.differences(after) == [
        "--extra-body top_k: 20, now None",
        "--extra-body x.z: 2, now 3",
        "--extra-body w: None, now True",
    ]


@given(bodies, bodies)
@example({"a": None}, {})
@example({"a": 1}, {"a": True})
@example({"a.b": 1}, {"a": {"b": 1}})
@example({"a": {}}, {})
def test_two_bodies_have_no_difference_only_if_the_server_is_sent_the_same(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (with_body(one).differences(with_body(other)) == []) == same


# -- secrets ----------------------------------------------------------------------------------------------------------


@for_each("name", SECRETS)
@for_each("secret", [SECRET, [SECRET], {"x": SECRET}])
def test_what_is_named_like_a_secret_is_hidden_however_deep(name: str, secret: Any) -> None:
    body = {"a": [{"b": {name: secret, "top_k": 1}}], "max_tokens": 5}
    assert hidden(body) == {"a": [{"b": {name: HIDDEN, "top_k": 1}}], "max_tokens": 5}
    config = with_body(body)
    assert SECRET not in json.dumps(config.as_row())
    assert config.sampling.extra_body == body, "what is sent is whole"
    assert config.differences(with_body(json.loads(json.dumps(body).replace(SECRET, "another")))) == []


@for_each(
    ("url", "public"),
    [
        ("http://localhost:8000/v1", "http://localhost:8000/v1"),
        (f"https://user:{SECRET}@host:1/v1", "https://host:1/v1"),
        (f"https://{SECRET}@host/v1", "https://host/v1"),
        (f"https://user:{SECRET}@@host/v1", "https://host/v1"),
        (f"https://host/v1?api-version=2&api_key={SECRET}", "https://host/v1?api-version=2&api_key=%5Bhidden%5D"),
        (f"https://host/v1#{SECRET}", "https://host/v1"),
    ],
)
def test_an_address_is_shown_without_credentials(url: str, public: str) -> None:
    assert public_url(url) == public
    assert public_url(public) == public
    assert hidden_argument(url, []) == public
    assert hidden_argument(f"--base-url={url}", []) == f"--base-url={public}"


@for_each("argument", ["--model", "gpt", "runs/x", "--limit=3", "1/1_*", "", "=", "[1, 2]", "7", "null"])
def test_what_holds_no_secret_is_shown_as_it_was_typed(argument: str) -> None:
    assert hidden_argument(argument, [SECRET]) == argument


@for_each("option", ["", "--extra-body=", "-e="])
@for_each("more", [{}, {"hook": "https://host/v1"}, {"x": {"password": SECRET}}])
def test_the_body_that_was_typed_is_shown_without_its_secrets(option: str, more: dict[str, Any]) -> None:
    typed = option + json.dumps({"api_key": SECRET, "top_k": 1, **more})
    shown = hidden_argument(typed, [])
    assert SECRET not in shown
    assert shown.startswith(option)
    assert json.loads(shown.removeprefix(option)) == hidden({"api_key": "", "top_k": 1, **more})


@given(st.text(max_size=8), st.text(max_size=8))
def test_the_key_itself_is_shown_nowhere(before: str, after: str) -> None:
    for typed in (f"{before}{SECRET}{after}", f"--option={before}{SECRET}{after}", f'{{"x": "{SECRET}"}}'):
        assert SECRET not in hidden_argument(typed, [SECRET])


@given(st.text(st.sampled_from('-=:/?&#@[]{}"ab1 %'), max_size=20))
@example("http://[")
@example("x://[y")
def test_anything_may_have_been_typed(argument: str) -> None:
    hidden_argument(argument, [])
