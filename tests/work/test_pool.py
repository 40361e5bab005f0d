"""Work in processes: in order, in constant memory, and none of it lost where a process is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from herobench.data.errors import UsageError
from herobench.work.engine import Each, Local
from tests.processes import members
from tests.program import PROGRAM


def in_processes(function: Callable[[Any], Any], things: Iterable[Any], jobs: int) -> Generator[Any]:
    return Local(jobs).results(Each(function, worth=1), things)


def doubled(number: int) -> int:
    return 2 * number


def doubled_or_killed(given: tuple[int, str]) -> int:
    """Die at the number in the file, once for each letter that it has behind the number."""
    number, file = given
    wanted = Path(file).read_text("utf-8")
    if wanted.startswith(f"{number} x"):
        Path(file).write_text(wanted[:-1], "utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def test_results_come_in_order_and_inputs_are_taken_as_results_leave() -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(10**9):
            taken.append(number)
            yield number

    with closing(in_processes(doubled, numbers(), 2)) as found:
        assert [next(found) for _ in range(50)] == list(range(0, 100, 2))
    assert len(taken) < 70
    assert multiprocessing.active_children() == []


@pytest.mark.kills
@pytest.mark.parametrize("where", [30, 99])
@pytest.mark.parametrize("times", [1, 2])
def test_a_killed_process_costs_no_result(where: int, times: int, tmp_path: Path) -> None:
    file = tmp_path / "wanted"
    file.write_text(f"{where} {'x' * times}", "utf-8")
    found = in_processes(doubled_or_killed, ((number, str(file)) for number in range(100)), 2)
    assert list(found) == list(range(0, 200, 2))
    assert file.read_text("utf-8") == f"{where} "


def told_by_halves(file: str) -> str:
    """Die amid the telling of the result, the first time."""
    if not Path(file).exists():
        Path(file).write_text("killed", "utf-8")
        whole = Connection._send

        def half(self: Connection, data: bytes) -> None:
            whole(self, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)

        Connection._send = half
    return file * 10_000


@pytest.mark.kills
def test_a_process_that_is_killed_while_it_tells_a_result_holds_up_nobody(tmp_path: Path) -> None:
    files = [str(tmp_path / str(number)) for number in range(8)]
    for file in files[:3] + files[4:]:
        Path(file).touch()
    assert list(in_processes(told_by_halves, files, 2)) == [file * 10_000 for file in files]


@pytest.mark.kills
def test_work_that_always_ends_its_process_is_told_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "wanted"
    file.write_text(f"30 {'x' * 100}", "utf-8")
    found = in_processes(doubled_or_killed, ((number, str(file)) for number in range(100)), 2)
    before: list[int] = []
    with pytest.raises(UsageError, match=r"ended early\. If the memory is used up, ask for fewer processes"):
        before.extend(found)
    assert before == list(range(0, 60, 2))
    assert multiprocessing.active_children() == []


def slept(seconds: float) -> None:
    time.sleep(seconds)


@pytest.mark.slow
def test_who_stops_early_does_not_wait_for_work_that_goes_on() -> None:
    with closing(in_processes(slept, (0 if number == 0 else 1000 for number in range(100)), 2)) as found:
        next(found)
    assert multiprocessing.active_children() == []


@pytest.mark.kills
def test_an_interrupt_ends_the_processes_of_a_generator(tmp_path: Path) -> None:
    words = [PROGRAM, "generate", "--count", "500", "--jobs", "2", "-o", tmp_path / "levels.jsonl"]
    program = subprocess.Popen(words, start_new_session=True, stderr=subprocess.PIPE, text=True)
    while program.poll() is None and len(members(program.pid)) < 4:
        time.sleep(0.05)
    os.killpg(program.pid, signal.SIGINT)
    _, told = program.communicate(timeout=100)
    assert (program.returncode, told) == (130, "")
    assert not list(tmp_path.iterdir())
    ends = time.monotonic() + 30
    while members(program.pid) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not members(program.pid)
