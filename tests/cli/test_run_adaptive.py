"""A run whose number of connections follows what the server bears."""

import json
from pathlib import Path

import pytest

from tests.cli.running import KEY, ask, attempts, everything, resume, samples, some_win
from tests.loopback import Loopback


@pytest.mark.slow
def test_an_adaptive_run_gets_through_a_server_that_refuses_what_is_too_much(tmp_path: Path) -> None:
    def crowded(key: str, attempt: int) -> dict[str, object] | str:
        return {"kind": "rate_limit_ms", "seconds": 0.001} if server.counters().in_flight > 3 else "ok"

    with Loopback(crowded, some_win, KEY) as server:
        done = ask(
            server,
            "--adaptive",
            "--max-connections",
            "8",
            "--max-retries",
            "50",
            "--epochs",
            "4",
            "-o",
            tmp_path / "run",
        )
        assert done.returncode == 0, done.stderr
        assert attempts(samples(tmp_path / "run")) == everything(4)
        assert server.counters().most_in_flight <= 8
    conduct = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["conduct"]
    assert (conduct["adaptive"], conduct["connections"]) == (True, 8)
    assert resume(tmp_path / "run", "--no-adaptive").returncode == 0
