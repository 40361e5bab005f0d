"""Starts a real server and waits: `python -m tests.real_server --python VENV/bin/python [--kind KIND]`."""

from __future__ import annotations

import argparse
import signal
from contextlib import suppress
from pathlib import Path

from tests.real_server.llama_server import KINDS, real_server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, required=True, help="of the environment where the server is installed")
    parser.add_argument("--kind", choices=KINDS, default="xllamacpp", help="what to start (default: %(default)s)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt), real_server(options.python, options.kind) as server:
        print(f"base URL  {server.base_url}\nmodel     {server.model}", flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
