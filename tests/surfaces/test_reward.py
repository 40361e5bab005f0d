"""Reward functions, called as trainers call them: TRL with columns and callbacks, verl with a ground truth."""

import asyncio
import json
import os
import pickle
import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from herobench.data.errors import SandboxError, UsageError
from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.scorer import close_shared
from herobench.suites.rpg.sandbox import Sandbox
from herobench.surfaces import reward, verl
from herobench.surfaces import reward as trl

MADE = {"suite": "rpg", "seed": 3, "count": 3, "difficulty": "1"}
BASE = {"suite": "rpg", "dataset": "base", "limit": 2}


@pytest.fixture(autouse=True)
def own_scorers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close the scorers that a test opened for its process."""
    monkeypatch.setattr("herobench.scorer.scorer._open", {})
    yield
    close_shared()


def oracle(knobs: dict[str, Any]) -> list[str]:
    with Scorer(TaskQuery(**knobs).one_turn()) as scorer:
        return [scorer.solution(task_id)[0].text for task_id in scorer.tasks]


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.mark.parametrize(
    ("completion_ids", "is_cut"),
    [
        ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], True),
        ([[1, 2, 3], [4, 5, 6], [7, 8]], False),  # one ended by itself
        ([[1, 2, 3]] * 3, False),  # a policy that always says the same
        (None, False),
    ],
)
def test_a_limit_that_cuts_all_completions_is_told(completion_ids: Any, is_cut: bool, caplog: Any) -> None:
    given = columns([*trl.training_rows(**MADE)])
    given["prompts"] = given.pop("prompt")
    trl.reward(completions=["Let me think"] * 3, completion_ids=completion_ids, **given)
    assert ["max_completion_length" in record.getMessage() for record in caplog.records] == [True] * is_cut
    caplog.clear()
    winning = [oracle(MADE)[0], "Let me think", "Let me think"]
    trl.reward(completions=winning, completion_ids=completion_ids, **given)
    assert caplog.records == [], "who wins was not cut off"


def test_rows_of_two_choices_of_tasks_are_scored_in_one_batch_as_texts_and_as_messages() -> None:
    other = {"suite": "rpg", "dataset": "base", "limit": 1}
    rows = [*trl.training_rows(**MADE), *trl.training_rows(**other)]
    assert [message["role"] for message in rows[-1]["prompt"]] == ["user"]
    texts = [*oracle(MADE), *oracle(other)]
    texts[1] = "[]"
    given = columns(rows)
    prompts = given.pop("prompt")
    # the keywords of GRPOTrainer._calculate_rewards
    logged: dict[str, Any] = defaultdict(list)
    extras = {"trainer_state": None, "log_extra": logged.__setitem__, "log_metric": logged.__setitem__}
    called = {"completion_ids": [[1]] * 4, **given, **extras}
    assert trl.reward(prompts=prompts, completions=texts, **called) == [1, 0, 1, 1]
    assert logged["failure"] == [None, "invalid_code", None, None]
    assert logged["cause"] == [None, "the answer has no plan in it", None, None]
    assert logged["herobench/win"] == 0.75
    assert logged["herobench/unmeasured"] == 0
    said = [[{"role": "assistant", "content": text}] for text in texts]
    assert asyncio.run(trl.async_reward(prompts=prompts, completions=said, **called)) == [1, 0, 1, 1]


def test_settings_of_a_function_hold_for_rows_without_any_and_survive_pickling() -> None:
    function = pickle.loads(pickle.dumps(trl.reward_function(**MADE, figure="win")))
    with Scorer(TaskQuery(**MADE)) as scorer:
        tasks = list(scorer.tasks)
    assert function([None] * 3, oracle(MADE), tasks) == [1, 1, 1]
    with pytest.raises(UsageError, match="no task 'x'"):
        function([None], [""], ["x"])
    with pytest.raises(UsageError, match="one of score, win, progress"):
        trl.reward_function(figure="money")
    with pytest.raises(UsageError, match="JSON object"):
        function([None], [""], tasks[:1], herobench=["[]"])


@pytest.mark.parametrize(
    ("completions", "columns", "sentence"),
    [
        ([None], {}, "An answer is a text or the turns of a conversation, and not a NoneType."),
        ([b"text"], {}, "and not a bytes."),
        (["?", "?"], {}, "There are 2 completions, and 1 values of task_id."),
        (["?"], {"epoch": []}, "There are 1 completions, and 0 values of epoch."),
        (["?"], {"figure": "gold"}, "There is no figure 'gold'"),
        (["?"], {"epoch": [-1]}, "epoch is -1: give a whole number of 0 or more."),
        (["?"], {"epoch": ["1"]}, 'epoch is "1": give a whole number'),
        ([{"text": "?"}], {}, 'A message of the assistant has content or tool_calls, and not only ["text"].'),
        (["?"], {"herobench": ["[" * 100_000]}, "give settings as a JSON object"),
    ],
)
def test_what_is_no_batch_is_refused_with_a_sentence(
    completions: list[Any], columns: dict[str, Any], sentence: str
) -> None:
    rows = list(trl.training_rows(dataset="base", limit=1, jobs=1))
    known = {"task_id": [rows[0]["task_id"]], "herobench": [rows[0]["herobench"]]}
    with pytest.raises(UsageError, match=re.escape(sentence)):
        trl.reward([""] * len(completions), completions, **{**known, **columns})


def test_an_event_loop_goes_on_while_a_batch_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    ticked = threading.Event()

    def late(scorer: Scorer, answer: Any) -> None:
        assert ticked.wait(10), "the loop stands still"

    monkeypatch.setattr(trl, "measure", late)

    async def train() -> list[float | None]:
        scoring = asyncio.create_task(trl.async_reward_function(**MADE)([None], ["[]"], ["x"]))
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.01, ticked.set)
        return await scoring

    assert asyncio.run(train()) == [None]


def test_what_the_sandbox_cannot_measure_has_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: Any) -> None:
        raise SandboxError("no worker starts")

    monkeypatch.setattr(Sandbox, "execute", fail)
    monkeypatch.setattr(Sandbox, "go_on", fail)
    rows = columns(list(trl.training_rows(**BASE)))
    logged: dict[str, Any] = {}
    assert trl.reward(rows.pop("prompt"), ["```python\nx = 1\n```"] * 2, log_extra=logged.__setitem__, **rows) == [
        None,
        None,
    ]
    assert logged == {"failure": ["unmeasured"] * 2, "cause": [None] * 2}
    row = next(verl.training_rows(**BASE))
    with pytest.raises(SandboxError):
        verl.compute_score(
            "herobench/rpg", "```python\nx = 1\n```", row["reward_model"]["ground_truth"], row["extra_info"]
        )


def test_verl_gets_a_score_with_figures_of_the_same_kind_for_each_reply() -> None:
    # as verl.trainer.ppo.reward._call_with_kwargs, with and without a router's arguments
    settings = {"reward_router_address": None, "reward_model_tokenizer": None}
    function = partial(verl.compute_score, **MADE, **settings)
    rows = list(verl.training_rows(**MADE))
    called = {"extra_info": {"index": 0, "num_turns": None, "rollout_reward_scores": {}}}
    scored = [
        function(
            data_source="herobench/rpg", solution_str=text, ground_truth=row["reward_model"]["ground_truth"], **called
        )
        for row, text in zip(rows, [*oracle(MADE)[:2], "no idea"], strict=True)
    ]
    assert [row["score"] for row in scored] == [1, 1, 0]
    assert scored[0] == {"score": 1, "acc": 1, "progress": 1, "failure": ""}
    assert scored[2]["failure"]
    assert {tuple((name, type(value)) for name, value in row.items()) for row in scored} == {
        (("score", float), ("acc", float), ("progress", float), ("failure", str))
    }
    assert json.loads(rows[0]["extra_info"]["herobench"]) == MADE


def test_processes_of_one_machine_share_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 16)
    reward.merge_settings.cache_clear()
    assert reward.merge_settings("{}").jobs == 16
    reward.merge_settings.cache_clear()
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "8")
    assert reward.merge_settings("{}").jobs == 2
    assert reward.merge_settings('{"jobs": 3}').jobs == 3
    reward.merge_settings.cache_clear()
