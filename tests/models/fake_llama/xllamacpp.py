"""Stands in the place of llama.cpp's wheel: its server is the loopback server of the tests, and misbehaves on command.

`FAKE_LLAMA` says how, and `FAKE_LLAMA_STARTS` names a file that gets a line of JSON for each server that starts.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.loopback import Kind, Loopback


class CommonParams(SimpleNamespace):
    def __init__(self) -> None:
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())


class Server:
    def __init__(self, params: Any) -> None:
        starts = Path(os.environ["FAKE_LLAMA_STARTS"])
        before = starts.read_text("utf-8") if starts.exists() else ""
        settings = {"context": params.n_ctx, "slots": params.n_parallel, "threads": params.cpuparams.n_threads}
        start = {"process": os.getpid(), "key": params.api_keys[0], "names": sorted(params.model_alias), **settings}
        starts.write_text(f"{before}{json.dumps(start)}\n", "utf-8")
        mode = os.environ.get("FAKE_LLAMA")
        if mode == "torn":
            sys.stderr.write("0.00 E llama_model_load: error loading model: the tensors are torn\n0.01 E exiting\n")
            raise RuntimeError("Failed to init server, please check the input params.")
        if mode == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        is_dying = mode == "dies" and not before
        self._loopback = Loopback(lambda key, attempt: os._exit(1) if is_dying else Kind.OK).__enter__()
        if mode == "holds":
            self._loopback.hold()
        self.listening_address = self._loopback.origin
