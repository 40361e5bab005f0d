"""The command line as people run it: in this process, which is fast, or as the installed program, in one of its own.

Most tests want `herobench`, which calls the program's own entry point with streams, arguments, environment and working
directory of its own, and puts back what it found. What is about the process itself (signals, descriptors, a reader that
goes away) starts `command(...)`, or calls `herobench_process`.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import resource
import signal
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from types import ModuleType
from typing import Any

from herobench.analysis.reading import checked
from herobench.analysis.samples import facts, samples
from herobench.cli import main, say

# On a busy machine a command could take long enough to tell how far it is.
say._SECONDS_BETWEEN_LINES = math.inf

PROGRAM = Path(sys.executable).with_name("herobench")

Done = subprocess.CompletedProcess[str]

_LONGEST = 600
"""Seconds that a command may take."""
_OF_PACKAGES = (
    checked.load_reading,
    checked.installed_readings,
    samples._sample_schema,
    facts.tidy_columns,
)
"""Functions that remember what they found in the packages that are installed."""
_HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)


def herobench(
    *args: str | Path, columns: int = 80, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Done:
    """Run a command to its end: in this process where signals can be handled, which is in the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        return herobench_process(*args, columns=columns, cwd=cwd, env=env)
    words = command(*args)
    out, err = _Kept(), _Kept()
    environment = surroundings(columns) if env is None else env
    with _streams(out, err), _alone(words, environment, cwd or Path.cwd()), modules_on(environment.get("PYTHONPATH")):
        code = _exit_code()
    return Done(words, code, out.text(), err.text())


def herobench_process(
    *args: str | Path, columns: int = 80, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Done:
    """Run the installed program to its end, in a process of its own."""
    return subprocess.run(
        command(*args),
        capture_output=True,
        text=True,
        timeout=_LONGEST,
        env=surroundings(columns) if env is None else env,
        cwd=cwd,
    )


def command(*args: str | Path) -> list[str]:
    return [str(PROGRAM), *map(str, args)]


def surroundings(columns: int = 80) -> dict[str, str]:
    """The environment for the program: as it is here, but as wide as said and without colours."""
    return {**os.environ, "COLUMNS": str(columns), "TERM": "dumb", "NO_COLOR": "1"}


# -- a command in this process ----------------------------------------------------------------------------------------


class _Kept(io.BytesIO):
    """What a stream was sent. It stays readable when the program closes the stream."""

    def close(self) -> None:
        """Close nothing."""

    def text(self) -> str:
        """All of it, with line ends as `subprocess` gives them."""
        return self.getvalue().decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _exit_code() -> int:
    """The exit code of the program, as Python makes it of what comes out of the entry point."""
    try:
        main()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except Exception:
        if not sys.stderr.closed:
            traceback.print_exc()
        return 1
    finally:
        for stream in (sys.stdout, sys.stderr):
            if not stream.closed:
                stream.flush()
    return 0


@contextmanager
def _streams(out: _Kept, err: _Kept) -> Iterator[None]:
    """The three standard streams, as a process without a terminal has them, with nothing to read."""
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8")
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace", line_buffering=True)
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def _alone(words: list[str], environment: Mapping[str, str], cwd: Path) -> Iterator[None]:
    """Arguments, environment, working directory, handlers and limits for one command; afterwards all is as before."""
    argv, place, around, program = sys.argv, Path.cwd(), dict(os.environ), sys.modules["__main__"]
    handlers = {number: signal.getsignal(number) for number in _HANDLED}
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        sys.argv = words
        sys.modules["__main__"] = _installed_program()
        _become(environment)
        os.chdir(cwd)
        with warnings.catch_warnings():
            yield
    finally:
        sys.argv = argv
        sys.modules["__main__"] = program
        _become(around)
        os.chdir(place)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        resource.setrlimit(resource.RLIMIT_NOFILE, descriptors)


@contextmanager
def modules_on(path: str | None) -> Iterator[None]:
    """The folders of a PYTHONPATH, where a new process would find modules; those that were loaded are forgotten."""
    added = [folder for folder in (path or "").split(os.pathsep) if folder and folder not in sys.path]
    if not added:
        yield
        return
    before = set(sys.modules)
    sys.path[:0] = added
    _forget_packages()
    try:
        yield
    finally:
        sys.path[:] = [folder for folder in sys.path if folder not in added]
        _forget_packages()
        for name in sys.modules.keys() - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(tuple(added)):
                del sys.modules[name]


def _forget_packages() -> None:
    """Let Python and the program look again which packages are installed."""
    invalidate_caches()
    for remembered in _OF_PACKAGES:
        remembered.cache_clear()


def _installed_program() -> ModuleType:
    """`__main__` as in the installed program: help takes the name from it, and processes that are spawned run it."""
    module = ModuleType("__main__")
    module.__file__ = str(PROGRAM)
    return module


def _become(environment: Mapping[str, str]) -> None:
    """Make the environment another, without a moment in which it is empty: threads of servers read it too."""
    os.environ.update(environment)
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]


# -- what comes of it -------------------------------------------------------------------------------------------------


def refuses(done: Done) -> str:
    """The one sentence with which the program refused, with exit code 2."""
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def write_jsonl(path: Path, rows: Iterable[Any]) -> Path:
    """Write rows as JSONL; a text is written as it is."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file, or of the compressed one that took its place when a large run was complete."""
    packed = path.with_name(f"{path.name}.gz")
    whole = gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    return [json.loads(line) for line in whole.decode("utf-8").splitlines()]
