"""Requests to a server that fails in all the ways it can: each has a reply or a reason, none two."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from herobench.data.call_rows import last_lines
from herobench.models.model import Endpoint, ModelSpec, Sampling
from herobench.models.openai_api import ServedModel
from tests.loopback import Behaviour, Kind, Loopback
from tests.models.asked import WAYS, Way
from tests.runs.trial import DOLLAR_A_TOKEN, Numbers, Trial
from tests.sizes import for_each


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def served(
    url: str,
    connections: int,
    *,
    stream: bool = True,
    api: Literal["chat", "responses"] = "chat",
    timeout: float = 60.0,
    sampling: Sampling | None = None,
) -> ServedModel:
    endpoint = Endpoint(url, None, api, stream, timeout, connections)
    return ServedModel(ModelSpec("m", "m", sampling or Sampling(), endpoint))


CHARGED = [Kind.CONTENT_FILTER, Kind.EMPTY_CONTENT, Kind.EMPTY_CHOICES, Kind.NO_FINISH, Kind.LENGTH, Kind.REFUSAL]
"""Answers that a server charges for: some are replies, some are not, and some are asked for again."""


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_answer_that_was_counted_is_booked_and_its_text_kept_over_all_sessions(tmp_path: Path, way: Way) -> None:
    keys = {f"t{number}": str(kind) for number, kind in enumerate(CHARGED)}
    with Loopback({"keys": keys, "default": [str(Kind.EMPTY_CHOICES), str(Kind.OK)]}) as server:
        model = served(server.url, 4, stream=way.stream, api=way.api)
        trial = Trial(tmp_path, Numbers(len(CHARGED) + 2), model, retries=2, price=DOLLAR_A_TOKEN)
        for _ in range(2):
            trial.model = served(server.url, 4, stream=way.stream, api=way.api)
            done = trial.work()
            charged = sum(record.charged for record in server.records())
            assert done.standing.cost == sum(call["cost"] for call in last_lines(trial.calls)) == charged > 0
    trial.assert_whole()
    for row in trial.samples:
        assert row["cost"] == row["input_tokens"] + row["output_tokens"]
    failed = [call["error"] for call in trial.calls if call["error"]]
    assert {error["kind"] for error in failed} == {"filtered", "empty"}
    assert {bool(error["reply"]["text"]) for error in failed if error["kind"] == "filtered"} == {True}
    assert [len(call["retries"]) for call in last_lines(trial.calls) if call["task_id"] == "t7"] == [1]


def test_a_limit_of_cost_binds_where_every_answer_is_refused_for_its_content(tmp_path: Path) -> None:
    with Loopback({"default": str(Kind.CONTENT_FILTER)}) as server:
        for _ in range(2):
            model = served(server.url, 1)
            trial = Trial(tmp_path, Numbers(8), model, connections=1, price=DOLLAR_A_TOKEN, limit=20.0)
            assert trial.work().stop.reason == "cost"
            assert 0 < sum(record.charged for record in server.records()) <= 20


def test_an_html_page_stops_a_session_at_once_and_only_before_its_first_reply(tmp_path: Path) -> None:
    with Loopback({"default": str(Kind.HTML)}) as server:
        trial = Trial(tmp_path, Numbers(30), served(server.url, 1), connections=1)
        done = trial.work()
        assert (done.stop.reason, done.stop.message) == ("hopeless", trial.samples[0]["error"]["message"])
        assert "HTML page (Welcome)" in done.stop.message
        assert (len(trial.samples), server.counters().requests) == (1, 1)
        server.play({"keys": {"t1": [str(Kind.HTML), str(Kind.OK)], "t2": str(Kind.HTML)}})
        trial.model = served(server.url, 1)
        assert trial.work().stop.reason is None
    assert trial.statuses() == {"ok": 29, "malformed": 1}


@for_each("stream", [True, False])
def test_an_html_page_is_asked_for_once_however_many_attempts_are_asked_at_a_time(tmp_path: Path, stream: bool) -> None:
    with Loopback({"default": str(Kind.HTML)}) as server:
        trial = Trial(tmp_path, Numbers(30), served(server.url, 10, stream=stream), connections=10)
        assert trial.work().stop.reason == "hopeless"
        assert (len(trial.samples), server.counters().requests) == (1, 1)


def test_what_was_paid_before_a_stop_between_two_tries_is_kept(tmp_path: Path) -> None:
    def script(key: str, turn: int) -> str:
        trial.stop.now("interrupted", "")
        return str(Kind.EMPTY_CHOICES)

    with Loopback(script) as server:
        trial = Trial(tmp_path, Numbers(1), served(server.url, 1), price=DOLLAR_A_TOKEN)
        spent = trial.work().standing.cost
        server.play({})
        trial.model = served(server.url, 1)
        assert trial.work().standing.cost == sum(record.charged for record in server.records()) > (spent or 0) > 0
    assert trial.statuses() == {"ok": 1}


def test_a_refusal_that_was_counted_is_booked_before_it_is_asked_otherwise(tmp_path: Path) -> None:
    costs: list[list[float]] = []

    def script(key: str, turn: int) -> Behaviour:
        costs.append([call["cost"] for call in trial.calls])
        return Behaviour(Kind.BAD_REQUEST if turn == 1 else Kind.OK, charged=turn == 1)

    with Loopback(script) as server:
        model = served(server.url, 1, sampling=Sampling(max_tokens=100))
        trial = Trial(tmp_path, Numbers(1), model, retries=0, price=DOLLAR_A_TOKEN)
        assert trial.work().standing.cost == sum(record.charged for record in server.records())
        refused, taken = server.records()
    assert costs == [[], [refused.charged]]
    assert [name for name in ("max_tokens", "max_completion_tokens") if name in taken.body] == ["max_completion_tokens"]
    trial.assert_whole()
    (call,) = last_lines(trial.calls)
    assert [(retry["kind"], retry["status"], retry["waited"]) for retry in call["retries"]] == [("refused", 400, 0.0)]
    assert trial.samples[0]["cost"] == call["cost"] == refused.charged + taken.charged
    assert [row["messages"] for row in trial.whole_calls] == [[{"role": "user", "content": "t0"}]] * 2


@pytest.mark.slow
def test_a_server_that_says_nothing_is_waited_for_no_longer_than_asked(tmp_path: Path) -> None:
    with Loopback(lambda key, turn: {"kind": "silence", "seconds": 3600} if turn == 1 else "ok") as server:
        trial = Trial(tmp_path, Numbers(4), served(server.url, 4, timeout=0.5))
        trial.work()
    assert {(row["status"], row["retries"]) for row in trial.samples} == {("ok", 1)}
    assert {retry["kind"] for call in trial.calls for retry in call["retries"]} == {"timeout"}
