"""Many requests to a server that fails in all the ways it can, and many at once: nothing is lost, nothing twice."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import pytest

from herobench.models.model_error import ErrorKind as Failure
from herobench.models.pace import allow_descriptors
from tests.loopback import Kind, Loopback
from tests.runs.served import served
from tests.runs.trial import Numbers, Trial
from tests.sizes import many, some_slow

ROOT = Path(__file__).parents[2]
OUTCOMES: dict[Kind, Failure | None] = {
    Kind.RATE_LIMIT: Failure.RATE_LIMIT,
    Kind.RATE_LIMIT_SECONDS: Failure.RATE_LIMIT,
    Kind.RATE_LIMIT_DATE: Failure.RATE_LIMIT,
    Kind.RATE_LIMIT_MS: Failure.RATE_LIMIT,
    Kind.RATE_LIMIT_ABSURD: Failure.RATE_LIMIT,
    Kind.QUOTA: Failure.QUOTA,
    Kind.PAYMENT: Failure.QUOTA,
    Kind.SERVER_ERROR: Failure.SERVER,
    Kind.UNAVAILABLE: Failure.SERVER,
    Kind.TIMEOUT: Failure.TIMEOUT,
    Kind.HTML_502: Failure.SERVER,
    Kind.HTML_504: Failure.SERVER,
    Kind.OVERLOADED: Failure.SERVER,
    Kind.CONFLICT: Failure.SERVER,
    Kind.CODE_401: Failure.AUTH,
    Kind.CODE_402: Failure.QUOTA,
    Kind.CODE_429: Failure.RATE_LIMIT,
    Kind.CODE_503: Failure.SERVER,
    Kind.BARE_CODE: Failure.SERVER,
    Kind.CONTEXT_STOP: Failure.CONTEXT,
    Kind.TOO_LARGE: Failure.CONTEXT,
    Kind.UNPROCESSABLE: Failure.REFUSED,
    Kind.NOT_ALLOWED: Failure.REFUSED,
    Kind.CONTEXT: Failure.CONTEXT,
    Kind.CONTEXT_VLLM: Failure.CONTEXT,
    Kind.CONTEXT_VLLM_OLD: Failure.CONTEXT,
    Kind.BAD_REQUEST: Failure.REFUSED,
    Kind.UNAUTHORIZED: Failure.AUTH,
    Kind.FORBIDDEN: Failure.AUTH,
    Kind.NO_MODEL: Failure.NO_MODEL,
    Kind.CUT_HEAD: Failure.CONNECTION,
    Kind.BAD_CHUNK: Failure.CONNECTION,
    Kind.CLOSED: Failure.CONNECTION,
    Kind.SILENCE: Failure.CONNECTION,
    Kind.RESET: Failure.CONNECTION,
    Kind.CUT: Failure.CONNECTION,
    Kind.TRUNCATED: Failure.TRUNCATED,
    Kind.NO_DONE: None,
    Kind.RESET_AT_END: None,
    Kind.CUT_AT_END: None,
    Kind.STALL_AT_END: None,
    Kind.GARBAGE_AT_END: None,
    Kind.ERROR_AT_END: None,
    Kind.MALFORMED_CHUNK: Failure.MALFORMED,
    Kind.MALFORMED_BODY: Failure.MALFORMED,
    Kind.EMPTY_BODY: Failure.MALFORMED,
    Kind.NOT_UTF8: Failure.MALFORMED,
    Kind.PINGS: None,
    Kind.WRONG_USAGE: None,
    Kind.THOUGHTS_ONLY: None,
    Kind.EMPTY_LENGTH: None,
    Kind.HTML: Failure.MALFORMED,
    Kind.STREAM_ERROR: Failure.SERVER,
    Kind.EMPTY_CHOICES: Failure.TRUNCATED,
    Kind.EMPTY_CONTENT: Failure.EMPTY,
    Kind.REFUSAL: None,
    Kind.LENGTH: None,
    Kind.CONTENT_FILTER: Failure.FILTERED,
}
"""What each way of the server to misbehave comes to, in a chat that is streamed; None where it is a reply after all."""
PASSING = {
    Failure.RATE_LIMIT,
    Failure.SERVER,
    Failure.CONNECTION,
    Failure.TIMEOUT,
    Failure.MALFORMED,
    Failure.TRUNCATED,
    Failure.EMPTY,
}
TORN = {
    Kind.TRUNCATED,
    Kind.MALFORMED_CHUNK,
    Kind.MALFORMED_BODY,
    Kind.HTML,
    Kind.RESET,
    Kind.CUT,
    Kind.STREAM_ERROR,
    Kind.EMPTY_CHOICES,
}
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


def test_every_way_to_misbehave_is_provided_for() -> None:
    assert OUTCOMES.keys() == set(Kind) - {Kind.OK}


@pytest.mark.slow
def test_of_many_requests_a_fifth_of_which_fail_each_ends_measured_or_with_its_reason(tmp_path: Path) -> None:
    kinds = list(OUTCOMES)
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
        failure = OUTCOMES[bad[number]] if number in bad else None
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
    allowed = {kind: {failure and str(failure)} for kind, failure in OUTCOMES.items()} | {Kind.OK: {None}}
    if (api, stream) != ("chat", True):  # what is no reply looks otherwise in another form, and is no reply there
        for kind in TORN:
            allowed[kind] = {str(failure) for failure in PASSING}
    assert {kind: failure for kind, failure in found.items() if failure not in allowed[kind]} == {}
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
