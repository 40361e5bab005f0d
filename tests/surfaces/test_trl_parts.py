"""The environment for TRL, as far as it needs no TRL."""

import inspect
import json
from types import SimpleNamespace
from typing import Any

import pytest

from herobench.data.errors import SandboxError, UsageError
from herobench.scorer import Frontier, Scorer, TaskQuery
from herobench.scorer.refusals import ScorerFault
from herobench.surfaces.reward import training_rows
from herobench.surfaces.trl import FrontierSampler, HeroBench, fork
from tests.refusals import raises

KNOBS = {"dataset": "base", "difficulty": "1", "limit": 1, "mode": "tools"}
"""One task, four calls long."""


@pytest.fixture(scope="module")
def calls() -> list[dict[str, object]]:
    with Scorer(TaskQuery(**KNOBS)) as scorer:
        way = [reply.tool_calls[0] for reply in scorer.way(*scorer.tasks)]
    return [{"name": call.name, "arguments": json.loads(call.arguments)} for call in way]


def test_turns_are_played_and_paid_as_text_or_as_json(calls: list[dict[str, object]]) -> None:
    (row,) = training_rows(**KNOBS)
    environment = HeroBench(reward="potential")
    told = environment.reset(**row, prefix=-3)
    assert '"name": "move"' in told  # the tools of the task
    assert told.count("tool_calls") == len(calls) - 3  # and the turns of the prefix
    turns: list[Any] = [calls[-3], json.dumps(calls[-2]), json.dumps([calls[-1]])]
    said = [environment.act(turn) for turn in turns]
    assert said[-1] == environment.act("again") == "The attempt is over."
    assert said[0] != said[-1]
    assert environment.turn_rewards == [0.25] * 3
    assert environment.get_reward() == 0.75


def test_a_row_says_otherwise_than_the_environment_and_a_stop_is_paid(calls: list[dict[str, object]]) -> None:
    (row,) = training_rows(**KNOBS)
    environment = HeroBench(reward="end", prefix=2)
    assert environment.reset(**row, prefix=None, reward="potential").count("tool_calls") == 2
    environment.act(json.dumps(calls[2]))
    assert environment.turn_rewards == [0.25]
    assert environment.get_reward() == pytest.approx(-0.5)  # what was earned on the way is paid back
    assert "tool_calls" not in environment.reset(**row, prefix=0)
    assert environment.get_reward() == 0
    assert environment.turn_rewards == []


def test_what_is_not_measured_has_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = training_rows(**KNOBS)
    environment = HeroBench()
    environment.reset(**row)

    def fails(*_: object) -> None:
        raise SandboxError("no worker")

    monkeypatch.setattr(environment._open().play, "say", fails)
    assert environment.act("a turn") == "The attempt is over."
    assert environment.get_reward() is None


def test_act_is_the_only_tool_and_wrong_settings_are_refused() -> None:
    methods = {name for name, _ in inspect.getmembers(HeroBench, inspect.isfunction) if not name.startswith("_")}
    assert methods == {"reset", "get_reward", "act"}
    with raises(ScorerFault.BAD_REWARD, "end, progress, potential"):
        HeroBench(reward="dense")
    with pytest.raises(UsageError, match="reset the environment"):
        HeroBench().act("a turn")


def test_an_attempt_forked_twice_gets_equal_verdicts_and_goes_on_by_itself(calls: list[dict[str, object]]) -> None:
    (row,) = training_rows(**KNOBS)
    environment = HeroBench(reward="potential")
    environment.reset(**row, prefix=-3)
    environment.act(json.dumps(calls[-3]))
    twins = [fork(environment), fork(fork(environment)), environment]
    for twin in twins:
        assert twin.turn_rewards == [0.25]
        twin.act(json.dumps(calls[-2]))
        twin.act(json.dumps(calls[-1]))
    assert [twin.get_reward() for twin in twins] == [0.75] * 3
    assert [twin.turn_rewards for twin in twins] == [[0.25] * 3] * 3


def test_a_sampler_repeats_what_is_drawn_as_trls_own_does() -> None:
    frontier = Frontier({f"t{number}": number + 1 for number in range(6)})
    rows = {"task_id": [f"t{number}" for number in range(6)]}

    class Usual(SimpleNamespace):  # as trl.trainer.utils.RepeatSampler
        def __len__(self) -> int:
            return (6 // self.batch_size) * self.batch_size * self.mini_repeat_count * self.repeat_count

    sampler = FrontierSampler(Usual(data_source=rows, mini_repeat_count=2, batch_size=3, repeat_count=2), frontier)
    drawn = list(sampler)
    assert len(drawn) == len(sampler) == 24
    for block in (drawn[:12], drawn[12:]):
        assert block[:6] == block[6:]
        assert block[0:6:2] == block[1:6:2] == [int(name[1:]) for name in frontier.draw(3)]
