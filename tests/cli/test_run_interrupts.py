"""`herobench run` at a signal, when it is killed, and on a terminal."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import (
    KEY,
    TASKS,
    attempts,
    everything,
    line_with,
    resume,
    samples,
    some_win,
    start_asking,
)
from tests.cli.terminal import Terminal, needs_setsid
from tests.loopback import Loopback
from tests.sizes import some_slow

LINUX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
SLOW = "```python\nfor _ in range(10 ** 9): pass\n```"
"""A plan that keeps a worker busy until it has used up its steps."""


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(answers=some_win, key=KEY) as loopback:
        yield loopback


def find_workers(process: int) -> set[int]:
    """The sandbox workers that a process has started."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process and "sandbox.worker" in (entry / "cmdline").read_text():
                found.add(int(entry.name))
        except (OSError, ValueError):
            continue
    return found


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(processes: set[int], seconds: float = 10.0) -> None:
    """Wait until some processes are no more."""
    deadline = time.monotonic() + seconds
    while alive := set(filter(is_alive, processes)):
        assert time.monotonic() < deadline, f"still there: {alive}"
        time.sleep(0.005)


# -- signals ----------------------------------------------------------------------------------------------------------


@pytest.mark.kills
@pytest.mark.parametrize(("number", "events"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_the_first_signal_lets_what_is_in_flight_finish_and_begins_nothing(
    number: signal.Signals, events: bool, tmp_path: Path, server: Loopback
) -> None:
    folder = tmp_path / "run"
    server.hold()
    options = [*(["--json"] if events else []), "--epochs", "4", "--max-connections", "2"]
    with start_asking(server, *options, "-o", folder) as process:
        assert process.stdout
        assert process.stderr
        server.wait_until(lambda now: now.in_flight == 2, seconds=60)
        process.send_signal(number)
        if events:
            assert json.loads(line_with(process.stdout, "stopping"))["reason"] == "interrupted"
        else:
            assert "finishing what is in flight; once more to leave at once" in line_with(process.stderr, "in flight")
        server.release()
        out, said = process.communicate(timeout=60)
    assert (process.returncode, server.counters().requests) == (130, 2)
    assert sum(attempts(samples(folder)).values()) == 2
    assert said.splitlines()[-1] == f"Interrupted. To resume: herobench run --resume {folder}"
    if events:
        end = json.loads(out.splitlines()[-1])
        assert (end["event"], end["ended"], end["measured"], end["owed"]) == ("end", "interrupted", 2, 18)
    else:
        assert ["not", "asked", "18"] in [line.split() for line in out.splitlines()]
    assert json.loads((folder / "run.json").read_text("utf-8"))["sessions"][0]["ended"] == "interrupted"
    assert resume(folder).returncode == 0
    assert attempts(samples(folder)) == everything(4)
    assert server.counters().requests == 20


@pytest.mark.kills
@LINUX
def test_the_second_signal_leaves_at_once_and_takes_the_workers_along(tmp_path: Path, server: Loopback) -> None:
    folder = tmp_path / "run"
    server.hold()
    with start_asking(server, "--max-connections", "2", "--jobs", "2", "-o", folder) as process:
        assert process.stderr
        server.wait_until(lambda now: now.in_flight == 2, seconds=60)
        workers = find_workers(process.pid)
        assert workers
        process.send_signal(signal.SIGINT)
        line_with(process.stderr, "once more")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert "Traceback" not in process.stderr.read()
        gone(workers)
    server.release()
    assert resume(folder).returncode == 0
    assert attempts(samples(folder)) == everything()


@pytest.mark.kills
@LINUX
def test_workers_go_with_a_run_that_is_killed_while_they_play(tmp_path: Path) -> None:
    with (
        Loopback(answers=lambda key: SLOW, key=KEY) as server,
        start_asking(server, "--jobs", "2", "--epochs", "20", "-o", tmp_path / "run") as process,
    ):
        server.wait_until(lambda now: now.answered > 10, seconds=60)
        workers = find_workers(process.pid)
        assert workers
        process.kill()
        process.wait(60)
        gone(workers)


# -- a terminal -------------------------------------------------------------------------------------------------------


SHOWN, HIDDEN = b"\x1b[?25h", b"\x1b[?25l"
CTRL_C = b"\x03"


@needs_setsid
@pytest.mark.slow
def test_bars_are_drawn_on_a_terminal_which_has_its_cursor_again_in_the_end(tmp_path: Path, server: Loopback) -> None:
    server.play({"keys": {"chicken": "context"}})
    server.hold()
    terminal = Terminal("run", "--model", "m", "--base-url", server.url, "--tasks", TASKS, "-o", tmp_path / "run")
    terminal.read_until(rb"0 of 5 measured, 5 in flight")
    server.release()
    assert terminal.end() == 1
    assert HIDDEN in terminal.seen
    assert terminal.seen.rindex(SHOWN) > terminal.seen.rindex(HIDDEN)
    assert "━".encode() in terminal.seen
    assert b"75.0 % won" in terminal.seen[terminal.seen.rindex(SHOWN) :]
    plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", terminal.seen)
    assert b"unmeasured: 1/2_Chicken_kill, epoch 0: " in plain, "above the bars"


@pytest.mark.kills
@needs_setsid
@pytest.mark.parametrize("times", some_slow([1, 2], {2}))
def test_ctrl_c_typed_at_a_terminal_spares_the_workers_and_gives_the_cursor_back(
    times: int, tmp_path: Path, server: Loopback
) -> None:
    folder = tmp_path / "run"
    options = ("--max-connections", "2", "--jobs", "2", "-o", folder)
    server.hold()
    terminal = Terminal("run", "--model", "m", "--base-url", server.url, "--tasks", TASKS, *options)
    terminal.read_until(rb"2 in flight")
    for _ in range(times):
        terminal.type(CTRL_C)
        terminal.read_until(rb"once more to leave at once")
    if times == 1:
        server.release()
    assert terminal.end() == 130
    assert terminal.seen.rindex(SHOWN) > terminal.seen.rindex(HIDDEN)
    assert b"Traceback" not in terminal.seen
    assert len(samples(folder)) == (2 if times == 1 else 0)
    assert {row["status"] for row in samples(folder)} <= {"ok"}
    server.release()
    assert resume(folder).returncode == 0
    assert attempts(samples(folder)) == everything()
