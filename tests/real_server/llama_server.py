"""Start and stop a real server as a process of another Python, so that its packages never meet ours.

A port is asked of the system and given to the server; should another process take it in between, the server ends and
the caller is told so. A server counts as started once it lists its model.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

from tests.real_server.random_model import CONTEXT, write_model

MODEL = "random"
"""The name the model goes by, whichever server has it."""

SLOTS = 4
"""Requests that xllamacpp works on at once; llama_cpp takes them one after another."""

_HOST = "127.0.0.1"

_XLLAMACPP = """
import sys
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.model_alias = sys.argv[1], {sys.argv[2]}
params.port, params.n_ctx, params.n_parallel = map(int, sys.argv[3:])
params.cpuparams.n_threads = 2
server = xllamacpp.Server(params)
sys.stdin.read()
"""
"""It has no command of its own. Its input ends when we do, however we end."""


class RealServer(NamedTuple):
    """The address of a running server, and the name of its model."""

    base_url: str
    model: str


class ServerDidNotStart(Exception):
    """The process ended, or listed no model in time; the message has the end of its log."""


@contextmanager
def real_server(python: Path, kind: str = "xllamacpp", patience: float = 60) -> Iterator[RealServer]:
    """A running server of a kind in KINDS, installed in the environment of this Python; `patience` in seconds."""
    with TemporaryDirectory() as folder:
        model, log, port = Path(folder, "random.gguf"), Path(folder, "log"), _free_port()
        write_model(model)
        with log.open("wb") as output:
            command = [str(python), *KINDS[kind](model, port)]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT)
        with process:
            try:
                server = RealServer(f"http://{_HOST}:{port}/v1", MODEL)
                _wait_for(server, process, log, time.monotonic() + patience)
                yield server
            finally:
                process.kill()  # asked kindly, llama_cpp finishes its answer first, which may be endless


def _xllamacpp(model: Path, port: int) -> list[str]:
    return ["-c", _XLLAMACPP, str(model), MODEL, *map(str, (port, SLOTS * CONTEXT, SLOTS))]


def _llama_cpp(model: Path, port: int) -> list[str]:
    options = {"model": model, "model_alias": MODEL, "host": _HOST, "port": port, "n_ctx": CONTEXT, "n_threads": 2}
    return ["-m", "llama_cpp.server", *(f"--{name}={value}" for name, value in options.items())]


KINDS: dict[str, Callable[[Path, int], list[str]]] = {"xllamacpp": _xllamacpp, "llama_cpp": _llama_cpp}
"""The command of each kind of server, by the name of the package that must be installed."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        return int(probe.getsockname()[1])


def _wait_for(server: RealServer, process: subprocess.Popen[bytes], log: Path, deadline: float) -> None:
    while server.model not in _models(server):
        if process.poll() is not None or time.monotonic() > deadline:
            raise ServerDidNotStart(log.read_text("utf-8", "replace")[-2_000:])
        time.sleep(0.05)


def _models(server: RealServer) -> list[str]:
    try:
        with urlopen(f"{server.base_url}/models", timeout=5) as answer:
            return [model["id"] for model in json.load(answer)["data"]]
    except (URLError, OSError):
        return []
