"""A checkup that is killed again and again has the results of one that was not."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkup.test_checkup import verdicts
from tests.checkup.toy import ToyServer
from tests.loopback import Behaviour, Kind
from tests.toys import environment

PLACES = 8


def start(folder: Path, url: str) -> subprocess.Popen[bytes]:
    """The command that begins a checkup, or the one that resumes it."""
    begun = [] if (folder / "checkup.json").exists() else ["--public", "--model", "m", "--base-url", url, "-o", folder]
    words = ["checkup", *(begun or ["--resume", folder]), "--max-connections", "2"]
    program = [sys.executable, "-m", "tests.checkup.toy", *map(str, words)]
    return subprocess.Popen(program, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def without_ids(folder: Path) -> str:
    """The samples of all runs. The server names its calls of tools by the number of the request."""
    return re.sub(r"call_[0-9a-f]{8}_", "call_", json.dumps(verdicts(folder), sort_keys=True))


@pytest.mark.kills
@pytest.mark.timeout(1800)
def test_kills_change_nothing(tmp_path: Path) -> None:
    calm, killed = tmp_path / "calm", tmp_path / "killed"
    with ToyServer() as server:
        assert start(calm, server.url).wait() == 0
        requests = server.counters().requests - 1  # that for the list of models
    client: list[subprocess.Popen[bytes]] = []
    places = {2 + place * (requests - 2) // PLACES for place in range(PLACES)}

    def kill_at_places(asked: int) -> Behaviour | None:
        if asked not in places:
            return None
        os.kill(client[-1].pid, signal.SIGKILL)
        client[-1].wait()
        return Behaviour(Kind.CLOSED)

    ends: list[int] = []
    with ToyServer(kill_at_places) as server:
        while not ends or ends[-1] == -signal.SIGKILL:
            client.append(start(killed, server.url))
            ends.append(client[-1].wait())
    assert ends == [-signal.SIGKILL] * PLACES + [0]
    assert without_ids(killed) == without_ids(calm)
    assert (killed / "checkup.html").is_file()
    assert sum(row["won"] for rows in verdicts(calm).values() for row in rows) > 0
