"""Many requests to a server that fails in all the ways it can, and many at once: nothing is lost, nothing twice."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import pytest

from herobench.models.pace import allow_descriptors
from tests.loopback import Kind, Loopback
from tests.models.asked import CHAT_STREAM, Way
from tests.models.test_misbehaviour import expected
from tests.models.test_model_error import PASSING
from tests.runs.served import served
from tests.runs.trial import Numbers, Trial
from tests.sizes import many, some_slow

ROOT = Path(__file__).parents[2]
BRIEF = {
    Kind.RATE_LIMIT_SECONDS: 0.0,
    Kind.RATE_LIMIT_DATE: -1.0,
    Kind.RATE_LIMIT_MS: 0.001,
    Kind.SILENCE: 0.01,
    Kind.STALL_AT_END: 0.01,
}
REQUESTS, CONNECTIONS, RETRIES = many(2000, 500), 50, 2


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def behaviour(kind: Kind) -> dict[str, Any]:
    return {"kind": str(kind), "seconds": BRIEF.get(kind, 1.0)}


@pytest.mark.slow
def test_of_many_requests_a_fifth_of_which_fail_each_ends_measured_or_with_its_reason(tmp_path: Path) -> None:
    kinds = [kind for kind in Kind if kind is not Kind.OK]
    bad = {number: kinds[number // 5 % len(kinds)] for number in range(0, REQUESTS, 5)}
    passes = {number for number in bad if number // 5 // len(kinds) % 2}
    """Of these only the first try fails; the others fail always."""
    keys = {f"t{number}": [behaviour(kind), *["ok"] * (number in passes)] for number, kind in bad.items()}
    with Loopback({"keys": keys}) as server:
        trial = Trial(
            tmp_path,
            Numbers(REQUESTS),
            served(server.url, CONNECTIONS),
            connections=CONNECTIONS,
            retries=RETRIES,
        )
        done = trial.work()
        counters, records = server.counters(), server.records()
    assert done.stop.reason is None
    trial.assert_whole()
    samples = {row["task_id"]: row for row in trial.samples}
    for number in range(REQUESTS):
        row = samples[f"t{number}"]
        failure = expected(CHAT_STREAM, bad[number]).kind if number in bad else None
        again = failure in PASSING and bad.get(number) is not Kind.RATE_LIMIT_ABSURD
        if failure is None or (again and number in passes):
            assert (row["status"], row["error"], row["retries"]) == ("ok", None, int(failure is not None)), row
        else:
            assert (row["status"], row["error"]["kind"]) == ("unmeasured", str(failure)), row
            assert row["retries"] == (RETRIES if again else 0)
            assert row["won"] is None
    asked = Counter(record.key for record in records)
    assert asked == {name: row["calls"] + row["retries"] for name, row in samples.items()}
    assert counters.requests == sum(asked.values()) > REQUESTS
    assert counters.requests == len(trial.calls) + done.standing.retries
    assert counters.most_in_flight <= CONNECTIONS
    assert counters.most_connections <= CONNECTIONS
    assert counters.in_flight == 0


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("stream", some_slow([True, False], {False}), ids=["stream", "whole"])
def test_in_each_api_every_way_to_misbehave_leaves_a_reply_or_a_reason(
    tmp_path: Path, api: Literal["chat", "responses"], stream: bool
) -> None:
    kinds = list(Kind)
    keys = {f"t{number}": behaviour(kind) for number, kind in enumerate(kinds)}
    with Loopback({"keys": keys}) as server:
        model = served(server.url, 8, stream=stream, api=api)
        trial = Trial(tmp_path, Numbers(len(kinds)), model, connections=8, retries=1)
        trial.work()
        counters = server.counters()
    trial.assert_whole()
    found = {kinds[int(row["task_id"][1:])]: row["error"] and row["error"]["kind"] for row in trial.samples}
    assert found == {kind: expected(Way(api, stream), kind).kind for kind in kinds}
    assert counters.requests == sum(row["calls"] + row["retries"] for row in trial.samples)


def test_a_server_that_says_nothing_is_waited_for_no_longer_than_asked(tmp_path: Path) -> None:
    with Loopback(lambda key, turn: {"kind": "silence", "seconds": 3600} if turn == 1 else "ok") as server:
        trial = Trial(tmp_path, Numbers(4), served(server.url, 4, timeout=0.5))
        trial.work()
    assert {(row["status"], row["retries"]) for row in trial.samples} == {("ok", 1)}
    assert {retry["kind"] for call in trial.calls for retry in call["retries"]} == {"timeout"}


def test_without_a_server_a_run_stops_soon_and_owes_all(tmp_path: Path) -> None:
    with Loopback() as server:
        url = server.url
    trial = Trial(tmp_path, Numbers(100), served(url, 4), retries=1)
    done = trial.work()
    assert (done.stop.reason, done.standing.owed) == ("hopeless", 100)
    assert trial.statuses().keys() == {"connection"}
    assert 10 <= len(trial.samples) < 14


# -- very many at once ------------------------------------------------------------------------------------------------

AT_ONCE = many(1000, 150)
TASKS = many(1100, 200)
MOST_OTHER_DESCRIPTORS = 50
MOST_MEGABYTES = 500


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_a_thousand_connections_are_in_flight_at_once_and_cost_one_descriptor_each(tmp_path: Path) -> None:
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < AT_ONCE + 200:
        pytest.skip("this machine allows too few open files")
    allow_descriptors(AT_ONCE)
    with Loopback() as server:
        server.hold()
        command = [sys.executable, "-m", "tests.runs.served", str(tmp_path), server.url, str(TASKS), str(AT_ONCE)]
        with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as client:
            try:
                server.wait_until(lambda counters: counters.in_flight >= AT_ONCE or client.poll() is not None, 60)
                descriptors = len(list(Path(f"/proc/{client.pid}/fd").iterdir()))
                server.release()
                status = Path(f"/proc/{client.pid}/status").read_text()
                _, errors = client.communicate(timeout=60)
            finally:
                client.kill()
        assert (client.returncode, errors) == (0, "")
        counters = server.counters()
    assert counters.most_in_flight == counters.most_connections == AT_ONCE
    assert AT_ONCE <= descriptors <= AT_ONCE + MOST_OTHER_DESCRIPTORS
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    assert peak < MOST_MEGABYTES * 1024
    trial = Trial(tmp_path, Numbers(TASKS), served(server.url, 1))
    trial.assert_whole()
    assert trial.statuses() == {"ok": TASKS}
    assert counters.requests == len(trial.calls) == TASKS
