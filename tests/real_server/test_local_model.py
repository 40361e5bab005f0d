"""Models on this machine with llama.cpp's real engine: one of random weights, and at night the small one as well."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from herobench.models.local import fetch, fetched_file
from tests.builders import Json
from tests.cli.test_run_interrupts import LINUX, gone
from tests.program import Done, command, herobench, read_jsonl, surroundings
from tests.real_server.random_model import write_model
from tests.sizes import THOROUGH

pytest.importorskip("xllamacpp", reason="the server comes as a wheel for some machines only")

REPEATABLE = ("--temperature", "0", "--extra-body", '{"cache_prompt": false}')
"""A prompt whose begin is kept from another one is computed in other pieces, and its last bits may differ."""


@pytest.fixture(autouse=True)
def one_core() -> Iterator[None]:
    """Leave this process and its children one core: threads that wait for each other stand still on a busy machine."""
    if sys.platform != "linux":
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    yield
    os.sched_setaffinity(0, cores)


@pytest.fixture(scope="module")
def random(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("model") / "random.gguf"
    write_model(path)
    return f"local:{path}@8192"


@pytest.fixture(scope="module")
def small() -> str:
    """The small model: fetched at night, and else taken where it lies already."""
    if THOROUGH:
        fetch("smollm2")
    elif not fetched_file("smollm2").is_file():
        pytest.skip("the model is not here, and only the thorough tests fetch it")
    return "local:smollm2"


def rows(folder: Path) -> list[Json]:
    return sorted(read_jsonl(folder / "samples.jsonl"), key=lambda row: (row["epoch"], row["task_id"]))


def run(model: str, folder: Path, *options: str, most: int = 24) -> Done:
    done = herobench("run", "--model", model, "--max-tokens", str(most), *options, "-o", folder)
    assert done.returncode == 0, done.stderr
    return done


def check_run(model: str, folder: Path) -> None:
    run(model, folder, "--limit", "2")
    for row in rows(folder):
        assert (row["status"], row["cost"]) == ("ok", 0.0)
        assert row["input_tokens"] > 500
        assert row["output_tokens"]


def check_tools(model: str, folder: Path) -> None:
    run(model, folder, "--suite", "rpg", "--limit", "1", "--agent", "tools", "--attempt-calls", "2")
    (row,) = rows(folder)
    assert row["status"] == "ok"
    assert 1 <= row["calls"] <= 2


def check_kills(model: str, folder: Path, kills: int, asked: tuple[str, ...]) -> None:
    """Kill a run again and again, resume it, and look for the rows of an undisturbed one and for servers."""
    run(model, folder / "calm", *asked)
    words, servers = ["run", "--model", model, "--max-tokens", "24", *asked, "-o", folder / "killed"], set[int]()
    for number in range(kills):
        begun, target = time.monotonic(), 0.4 * number
        with subprocess.Popen(
            command(*words), env=surroundings(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            while process.poll() is None and (time.monotonic() - begun < target or not servers & _servers()):
                servers |= _servers(process.pid)
                time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
        words = ["run", "--resume", folder / "killed"]
        gone(servers)
    assert herobench(*map(str, words)).returncode == 0
    answers: list[Mapping[tuple[str, int], str]] = [
        {(row["task_id"], row["epoch"]): row["replies"][0]["text"] for row in rows(folder / name)}
        for name in ("calm", "killed")
    ]
    assert answers[0] == answers[1]
    assert len(rows(folder / "killed")) == len(answers[0])
    gone(servers)


def _servers(parent: int | None = None) -> set[int]:
    """The processes that serve a model, of one run or of all."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            its_parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if "models.llama_server" in (entry / "cmdline").read_text() and parent in (None, its_parent):
                found.add(int(entry.name))
        except (OSError, ValueError):
            continue
    return found


def test_a_run_with_the_real_engine(random: str, tmp_path: Path) -> None:
    check_run(random, tmp_path / "run")


@pytest.mark.slow
def test_tools_with_the_real_engine(random: str, tmp_path: Path) -> None:
    check_tools(random, tmp_path / "run")


@LINUX
@pytest.mark.kills
@pytest.mark.slow
def test_a_run_that_is_killed_has_the_same_rows_in_the_end_and_leaves_no_server(random: str, tmp_path: Path) -> None:
    check_kills(random, tmp_path, 10, ("--limit", "4", "--epochs", "3", *REPEATABLE))


@pytest.mark.slow
def test_the_small_model_plays(small: str, tmp_path: Path) -> None:
    check_run(small, tmp_path / "run")
    check_tools(small, tmp_path / "tools")


@LINUX
@pytest.mark.kills
@pytest.mark.slow
def test_the_small_model_is_killed_and_resumed(small: str, tmp_path: Path) -> None:
    check_kills(small, tmp_path, 3, ("--limit", "2", *REPEATABLE))
