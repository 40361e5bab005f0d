"""One worker process: what it answers, what it owns, and that it is gone when it is gone."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from herobench.suites.rpg.game.episode import FINISHED
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.confine import LAYERS
from herobench.suites.rpg.sandbox.wire import played_from
from herobench.suites.rpg.sandbox.worker_handle import WorkerHandle, WorkerLost
from tests.sizes import one_in
from tests.suites.rpg.sandbox import plans
from tests.suites.rpg.sandbox.processes import ENDLESS, GOOD, IN_C_CODE, children, descriptors, linux

LIMITS = Limits(steps=10**12)
request = partial(plans.request, limits=LIMITS)


@pytest.fixture
def worker(tiny: World) -> Iterator[WorkerHandle]:
    found = WorkerHandle(tiny, LIMITS)
    yield found
    found.kill()


def status(pid: int) -> dict[str, str]:
    """Return the status that Linux reports for a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


# -- answers -----------------------------------------------------------------------------------------------------------


def test_a_worker_answers_what_a_plan_attempted_and_how_it_ended(tiny: World, worker: WorkerHandle) -> None:
    played = played_from(worker.ask(request(tiny, f"{GOOD}\nprint('done')"), 10))
    assert [action.name for action in played.attempts] == ["move", "gather", "move", "craft"]
    assert (played.ending, played.output) == (FINISHED, "done\n")


def test_a_worker_serves_one_plan_after_another(tiny: World, worker: WorkerHandle) -> None:
    outputs = [played_from(worker.ask(request(tiny, f"print({number})"), 10)).output for number in range(50)]
    assert outputs == [f"{number}\n" for number in range(50)]


def test_a_plan_larger_than_a_pipe_gets_through_and_so_does_its_answer(tiny: World, worker: WorkerHandle) -> None:
    plan = "x = '" + "y" * 90_000 + "'\nfor n in range(3000):\n    move('Hero', n, 'z' * 100)\n"
    assert len(played_from(worker.ask(request(tiny, plan), 20)).attempts) == 3000


def test_halves_of_characters_get_through(tiny: World, worker: WorkerHandle) -> None:
    played = played_from(worker.ask(request(tiny, "print('\\ud800', '\\U0001f5e1')\nmove('\\udfff', 1, 0)"), 10))
    assert played.output == "\ud800 \U0001f5e1\n"
    assert played.attempts[0].args == ("\udfff", 1, 0)


@pytest.mark.parametrize(
    "plan", one_in(3, ["x = 1\nif x\n  pass", "größe = 1\nundefined", "x = '", "ﬁ = 1\nfi / 0", "def f(): f()\nf()"])
)
def test_a_worker_survives_what_makes_python_look_for_files(tiny: World, worker: WorkerHandle, plan: str) -> None:
    assert played_from(worker.ask(request(tiny, plan), 10)).ending.how in ("rejected", "error", "limit")
    assert played_from(worker.ask(request(tiny, GOOD), 10)).ending == FINISHED


def test_the_order_of_sets_is_the_same_in_every_worker(tiny: World, worker: WorkerHandle) -> None:
    plan = "print({'copper', 'iron', 'ash', 'gold', 'spruce'})"
    another = WorkerHandle(tiny, LIMITS)
    try:
        assert worker.ask(request(tiny, plan), 10) == another.ask(request(tiny, plan), 10)
    finally:
        another.kill()


# -- deaths ------------------------------------------------------------------------------------------------------------


@linux
def test_a_worker_that_is_killed_while_idle_is_lost_at_the_next_question(tiny: World, worker: WorkerHandle) -> None:
    os.kill(worker.pid, signal.SIGKILL)
    with pytest.raises(WorkerLost) as lost:
        worker.ask(request(tiny, GOOD), 10)
    assert lost.value.kind == "killed"
    assert worker.pid not in children()


@linux
def test_a_worker_that_is_killed_while_playing_is_lost(tiny: World, worker: WorkerHandle) -> None:
    killer = threading.Timer(0.2, os.kill, (worker.pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(WorkerLost) as lost:
        worker.ask(request(tiny, ENDLESS), 30)
    assert lost.value.kind == "killed"
    killer.join()


@linux
@pytest.mark.parametrize(
    "plan", one_in(3, [ENDLESS, IN_C_CODE, "try:\n    while True: pass\nexcept: pass\nfinally: pass"])
)
def test_a_worker_that_does_not_answer_in_time_is_killed(tiny: World, worker: WorkerHandle, plan: str) -> None:
    begun = time.monotonic()
    with pytest.raises(WorkerLost) as lost:
        worker.ask(request(tiny, plan), 0.25)
    assert 0.25 <= time.monotonic() - begun < 5
    assert (lost.value.kind, lost.value.reason) == ("wall_clock", "the plan takes longer than 0.25 seconds")
    assert worker.pid not in children()


@pytest.mark.kills
@linux
def test_a_worker_that_does_not_even_listen_is_killed_when_its_wall_clock_time_is_over(tiny: World) -> None:
    worker = WorkerHandle(tiny, Limits(wall_seconds=2))
    os.kill(worker.pid, signal.SIGSTOP)
    with pytest.raises(WorkerLost) as lost:
        worker.ask(request(tiny, "x = '" + "y" * 500_000 + "'"), 10)
    assert lost.value.kind == "wall_clock"
    assert worker.pid not in children()


@linux
def test_nothing_is_left_of_a_worker_that_was_killed(tiny: World) -> None:
    before = descriptors(), children()
    for _ in range(3):
        WorkerHandle(tiny, LIMITS).kill()
    assert (descriptors(), children()) == before


@linux
def test_killing_a_worker_again_does_nothing(tiny: World) -> None:
    found = WorkerHandle(tiny, LIMITS)
    found.kill()
    bystander = os.open(os.devnull, os.O_RDONLY)
    found.kill()
    os.close(bystander)


@linux
def test_a_worker_ends_by_itself_when_its_parent_is_gone(tiny: World, worker: WorkerHandle) -> None:
    worker._process.stdin.close()  # type: ignore[union-attr]
    assert worker._process.wait(10) == 0


# -- what a worker owns ------------------------------------------------------------------------------------------------


def test_a_worker_tells_its_layers_in_their_order(worker: WorkerHandle) -> None:
    assert list(worker.layers) == [layer for layer in LAYERS if layer in worker.layers]


@linux
def test_linux_confirms_the_layers_that_a_worker_tells(worker: WorkerHandle) -> None:
    known = status(worker.pid)
    if "unprivileged" in worker.layers:
        assert "0" not in known["Uid"].split() + known["Gid"].split()
        assert not known["Groups"] or os.geteuid() != 0
        assert int(known["CapEff"], 16) == 0
    if "no_new_privs" in worker.layers:
        assert known["NoNewPrivs"] == "1"
    if "seccomp" in worker.layers:
        assert known["Seccomp"] == "2"


@linux
def test_a_worker_has_two_pipes_and_nowhere(worker: WorkerHandle) -> None:
    try:
        opened = sorted(str(entry.readlink()) for entry in Path(f"/proc/{worker.pid}/fd").iterdir())
        maps = Path(f"/proc/{worker.pid}/maps").read_text().splitlines()
    except PermissionError:
        pytest.skip("only root may look at what a worker has open")
    code = {line.split()[-1] for line in maps if "r-xp" in line}
    opened = [name for name in opened if name not in code]  # newer versions of libffi, which ctypes loads, stay open
    assert opened[:3] == [os.devnull] * 3
    assert [name.partition(":")[0] for name in opened[3:]] == ["pipe", "pipe"]


@linux
def test_a_worker_has_no_environment_but_the_seed_of_its_hashes(worker: WorkerHandle) -> None:
    try:
        told = Path(f"/proc/{worker.pid}/environ").read_text()
    except PermissionError:
        pytest.skip("only root may look at the environment of a worker")
    assert told.strip("\0") == "PYTHONHASHSEED=0"


@linux
def test_a_worker_leads_a_group_of_its_own(worker: WorkerHandle) -> None:
    assert os.getpgid(worker.pid) == os.getsid(worker.pid) == worker.pid


@pytest.mark.slow
@pytest.mark.parametrize("writes", [True, False])
def test_a_worker_keeps_bytecode_where_its_parent_does(
    writes: bool, tiny: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Else the modules that only workers import would be compiled at each start."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", not writes)
    WorkerHandle(tiny, LIMITS).kill()
    assert bool([*tmp_path.rglob("guards.*.pyc")]) is writes


def test_a_relative_place_of_bytecode_is_that_of_the_parent(
    tiny: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "pycache_prefix", "kept")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    WorkerHandle(tiny, LIMITS).kill()
    assert [*tmp_path.joinpath("kept").rglob("guards.*.pyc")]
