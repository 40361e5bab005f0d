"""The process that `local` starts: llama.cpp's own server, from the wheel `xllamacpp`, on a free port of the loopback.

It is a program of its own, so that a model that breaks llama.cpp or fills the memory ends this process and not the run,
and so that the run can end it at any time. Its settings come as one line of JSON on the standard input, which keeps the
key out of the list of processes. Once it serves, it writes its address to the standard output. It ends when its input
does: then the run has ended, however that happened. While llama.cpp loads a file, no thread of Python runs, so Linux is
asked to end it too.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serve the model of the settings until the standard input ends."""
    settings = json.loads(sys.stdin.readline())
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    server = serve(**settings)
    with suppress(BrokenPipeError):  # the run has ended meanwhile, and so has the input
        os.write(1, f"{server.listening_address}\n".encode())
    sys.stdin.read()
    os._exit(0)


def serve(path: str, name: str, key: str, context: int, slots: int, threads: int) -> Any:
    """Load a model and return its server, which serves as long as it is kept. Raise RuntimeError for no model."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias, params.api_keys, params.port = path, {name}, [key], 0
    params.n_ctx, params.n_parallel = context * slots, slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    # The context is chosen by the run. Old prompts are kept in the slot that has them, and not beside it as well.
    params.fit_params, params.cache_ram_mib = False, 0
    params.ui, params.warmup, params.verbosity = False, False, 1
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
