"""Opens a client's choice of tasks in a process of its own first, which is killed when it takes too long.

    python -m herobench.surfaces.openenv.trial FILE     # knobs as JSON by standard input

A choice may take minutes: tasks that are long or many, or a large world. A thread cannot be ended, a process can. It
makes the tasks as a file and opens the suite, and tells by one line what came of it; the server then opens the same
from the file. The process leads a group, so that processes that it starts end with it. It ends when the server does.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from multiprocessing.connection import wait
from pathlib import Path
from threading import Event, Thread

from herobench.data.errors import InputError, UsageError
from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.scorer import folder_of_made, write_made
from herobench.surfaces.sessions import Refused

_LOOK = 0.2
"""Seconds between two looks whether the server ends."""
_MOST_TOLD = 4_000
"""Characters of a sentence. What fits in a pipe is written at once."""
_STDIN, _STDOUT = 0, 1


@contextmanager
def tried(wanted: TaskQuery, seconds: float, closing: Event) -> Iterator[Path]:
    """Try a choice, and give the file with its tasks, if it has a seed, for as long as the context.

    Raise Refused when it takes longer than `seconds` or the server is closing, and UsageError when it fails.
    """
    with folder_of_made(wanted) as path:
        _try(wanted, path, seconds, closing)
        yield path


def _try(wanted: TaskQuery, path: Path, seconds: float, closing: Event) -> None:
    command = [sys.executable, "-P", "-m", __name__, str(path)]
    with subprocess.Popen(
        command,
        bufsize=0,  # a process that ended early leaves nothing to write when the pipe is closed
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps(wanted.as_knobs()).encode() + b"\n")
            _wait(process, seconds, closing)
            told = process.stdout.readline()
        except BrokenPipeError:
            told = b""
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # it is not waited for yet, so that the number is still its own
    if not told:
        raise Refused(500, "The process that makes the tasks ended early. Ask for less, or try again.")
    if refusal := json.loads(told):
        raise UsageError(refusal)


def _wait(process: subprocess.Popen[bytes], seconds: float, closing: Event) -> None:
    """Wait for what a process tells."""
    assert process.stdout
    last = time.monotonic() + seconds
    while not wait([process.stdout.fileno()], _LOOK):
        if closing.is_set():
            raise Refused(503, "The server is closing.")
        if time.monotonic() > last:
            raise Refused(
                422,
                f"Making these tasks takes longer than {seconds:g} s, so it was ended. Ask for less, such as a smaller "
                "count, length or difficulty, or leave such knobs out: the server's own tasks are ready. Whoever runs "
                "the server gives it more time with --make-timeout, or takes no such requests with --fixed.",
            )


def main(path: Path) -> None:
    """Try the choice whose knobs come by standard input, and tell null, or why it fails."""
    wanted = TaskQuery(**json.loads(sys.stdin.buffer.readline()))
    Thread(target=_end_with_server, daemon=True).start()
    told = None
    try:
        if wanted.seed is not None:
            write_made(wanted, path)
        with Scorer(wanted, nullcontext(path)):
            pass
    except (UsageError, InputError) as error:
        told = str(error)[:_MOST_TOLD]
    os.write(_STDOUT, json.dumps(told).encode() + b"\n")


def _end_with_server() -> None:
    """Kill the process and its group once nobody holds the other end of standard input."""
    os.read(_STDIN, 1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
