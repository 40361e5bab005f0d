"""Runs from Python: in any thread, beside an event loop, and with wrong arguments."""

from __future__ import annotations

import asyncio
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import herobench
from herobench.data.errors import UsageError
from herobench.runs.runner import run_to_end
from herobench.runs.session import RunCallbacks, RunResult
from tests.echoes import install_echoes
from tests.program import read_jsonl
from tests.sizes import for_each

HANDLED = (signal.SIGINT, signal.SIGTERM)


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_echoes(tmp_path / "site", monkeypatch)


def run(folder: Path, **more: Any) -> RunResult:
    return herobench.run("echo", **{"suite": "sound", "output": folder, **more})


def assert_done(ending: RunResult) -> None:
    assert (ending.standing.wins, ending.standing.total, ending.reason) == (3, 3, None)
    assert len(read_jsonl(ending.path / "samples.jsonl")) == 3


# -- threads and loops ------------------------------------------------------------------------------------------------


def test_a_run_in_the_main_thread_leaves_the_handlers_of_signals_as_they_were(tmp_path: Path) -> None:
    def mine(*_: Any) -> None: ...

    before = {number: signal.signal(number, mine) for number in HANDLED}
    try:
        assert_done(run(tmp_path / "run"))
        assert [signal.getsignal(number) for number in HANDLED] == [mine, mine]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_a_run_works_where_an_event_loop_runs_already(tmp_path: Path) -> None:
    threads: set[str] = set()

    async def cell() -> RunResult:
        callbacks = RunCallbacks(tell=lambda news: threads.add(threading.current_thread().name))
        return run(tmp_path / "run", callbacks=callbacks)

    assert_done(asyncio.run(cell()))
    assert threads == {"run"}


def test_a_run_works_in_another_thread(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert_done(pool.submit(run, tmp_path / "run").result())


def test_two_runs_work_at_once(tmp_path: Path) -> None:
    async def both() -> list[RunResult]:
        return await asyncio.gather(*(asyncio.to_thread(run, tmp_path / name) for name in ("one", "two")))

    for ending in asyncio.run(both()):
        assert_done(ending)


def test_an_interrupt_in_a_notebook_reaches_the_loop_in_the_other_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    async def cell() -> str:
        interrupted = asyncio.Event()

        async def work() -> str:
            begun.set()
            await interrupted.wait()
            return "ended well"

        # the loop of this thread handles Ctrl-C itself; a notebook's raises KeyboardInterrupt
        handler = signal.signal(signal.SIGINT, signal.default_int_handler)
        main = threading.main_thread().ident or 0
        killer = threading.Thread(target=lambda: (begun.wait(10), signal.pthread_kill(main, signal.SIGINT)))
        killer.start()
        try:
            return run_to_end(work(), interrupted.set)
        finally:
            killer.join()
            signal.signal(signal.SIGINT, handler)

    assert asyncio.run(cell()) == "ended well"


# -- arguments --------------------------------------------------------------------------------------------------------

WRONG: dict[str, dict[str, Any]] = {
    "limit is a number of tasks, 1 or more, and not -1.": {"limit": -1},
    "limit is a number of tasks, 1 or more, and not 0.": {"limit": 0},
    'limit is "5", not int | slice | None.': {"limit": "5"},
    'groups is "9", not Sequence[str].': {"groups": "9"},
    'task_ids is "t1", not Sequence[str].': {"task_ids": "t1"},
    "No run has an option 'epoch': there are suite, tasks, dataset,": {"epoch": 2},
    "resume names the run's folder: leave output out.": {"resume": "other"},
    "config.epochs: expected 1 or more, found 0": {"epochs": 0},
    "config.epochs: expected 10000 or less, found 10001": {"epochs": 10001},
    'config.api: expected one of "chat", "responses", found "chart"; is \'chat\' meant?': {"api": "chart"},
    "config.sampling.temperature: expected 0 or more, found -1": {"sampling": {"temperature": -1}},
    "config.sampling.extra_body: expected object, found 5": {"sampling": {"extra_body": 5}},
    "conduct.connections: expected 1 or more, found 0": {"conduct": {"connections": 0}},
    'conduct.timeout: expected number, found "long"': {"conduct": {"timeout": "long"}},
    "conduct.jobs: expected 1 or more, found -1": {"conduct": {"jobs": -1}},
    "There is no 'temprature' in sampling: there are max_tokens, temperature,": {"sampling": {"temprature": 1}},
    "There is no 'conections' in conduct: there are connections, rpm,": {"conduct": {"conections": 1}},
    "There is no 'options' in conduct: there are connections, rpm,": {"conduct": {"options": {}}},
    "The settings of a run must be JSON: Out of range float values": {"sampling": {"temperature": float("nan")}},
    'epochs is "2", not int | None.': {"epochs": "2"},
    'shuffle is "2", not int | None.': {"shuffle": "2"},
    "entry 0 of groups is 9, not str.": {"groups": [9]},
    "'rules' in options is 5, not str.": {"options": {"rules": 5}},
}


@for_each("told", WRONG)
def test_a_wrong_argument_is_refused_before_anything_is_written(told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        run(tmp_path / "run", **WRONG[told])
    assert told in str(caught.value)
    assert not (tmp_path / "run").exists()


@for_each("workers", [-1, 0, "2"])
def test_scoring_again_takes_one_worker_at_least(workers: Any, tmp_path: Path) -> None:
    run(tmp_path / "run")
    with pytest.raises(UsageError, match="workers is a number of processes, 1 or more"):
        herobench.rescore(tmp_path / "run", workers=workers)
    assert herobench.rescore(tmp_path / "run", workers=1).changed == 0


def test_a_wrong_argument_leaves_a_run_that_could_be_resumed_as_it_was(tmp_path: Path) -> None:
    path = run(tmp_path / "run").path
    before = (path / "run.json").read_bytes()
    with pytest.raises(UsageError, match=r"conduct\.retries: expected 0 or more, found -1"):
        herobench.run(resume=path, conduct={"retries": -1})
    assert (path / "run.json").read_bytes() == before
    assert_done(herobench.run(resume=path))
