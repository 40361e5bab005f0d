"""A command that runs in the tests' own process is seen as the installed program is, and leaves nothing behind."""

import os
import resource
import signal
import sys
import threading
from pathlib import Path

import pytest

from tests import program
from tests.builders import TINY
from tests.program import herobench, herobench_process
from tests.sizes import one_in


@pytest.mark.parametrize(
    "words",
    one_in(
        3,
        [
            ["score", "nowhere.jsonl", "a\nb.jsonl", "-o", "out.jsonl"],
            ["--help"],
            ["tasks", "list", "--nonsense"],
            ["world", "show", TINY, "rat"],
            ["schema", "task"],
        ],
    ),
    ids=lambda words: words[0],
)
def test_it_says_and_returns_what_the_installed_program_does(words: list[str], tmp_path: Path) -> None:
    here = herobench(*words, columns=60, cwd=tmp_path)
    there = herobench_process(*words, columns=60, cwd=tmp_path)
    assert (here.returncode, here.stdout, here.stderr) == (there.returncode, there.stdout, there.stderr)


def state() -> tuple[object, ...]:
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    streams = (sys.stdin, sys.stdout, sys.stderr, sys.modules["__main__"])
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    return list(sys.argv), streams, dict(os.environ), Path.cwd(), handlers, limits


@pytest.mark.parametrize(
    "end", [None, SystemExit(3), SystemExit("no"), ValueError("no"), KeyboardInterrupt()], ids=repr
)
def test_all_is_as_before_however_it_ends(
    end: BaseException | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def main() -> None:
        os.environ["LEFT"] = "behind"
        del os.environ["PATH"]
        os.chdir(TINY)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.close()
        if end:
            raise end

    monkeypatch.setattr(program, "main", main)
    before = state()
    if isinstance(end, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            herobench("run", cwd=tmp_path)
    else:
        herobench("run", cwd=tmp_path)
    assert state() == before


def test_an_exception_that_nobody_catches_is_a_traceback_and_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def main() -> None:
        print("begun")
        raise ValueError("no such thing")

    monkeypatch.setattr(program, "main", main)
    done = herobench("run")
    assert (done.returncode, done.stdout) == (1, "begun\n")
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert done.stderr.endswith("ValueError: no such thing\n")


def test_beside_the_main_thread_it_is_a_process() -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(herobench("--version")))
    thread.start()
    thread.join()
    assert found[0].stdout == herobench("--version").stdout
