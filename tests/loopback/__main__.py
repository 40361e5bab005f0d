"""Runs the server by itself: `python -m tests.loopback [--port N] [--script FILE] [--answers FILE] [--key REGEX]`.

The first line it prints is its port. It ends, with 1 if anything in it went wrong, on SIGTERM or SIGINT.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from tests.loopback.server import Server


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.loopback", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 for any that is free")
    parser.add_argument("--script", type=_json, help="a JSON file with a table of behaviours")
    parser.add_argument("--answers", type=_json, help="a JSON file with the answer to each key")
    parser.add_argument("--key", help="the first group of this is the key of a request")
    parser.add_argument("--with-parent", action="store_true", help="end also when standard input does")
    options = parser.parse_args()
    _allow_connections()
    return asyncio.run(_run(Server(options.script, options.answers, options.key), options.port, options.with_parent))


def _json(path: str) -> Any:
    return json.loads(Path(path).read_text("utf-8"))


def _allow_connections() -> None:
    """Raise the limit of open files as far as the system allows: each connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def _run(server: Server, port: int, with_parent: bool) -> int:
    print(await server.start(port), flush=True)
    loop = asyncio.get_running_loop()
    end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    if with_parent:
        loop.add_reader(sys.stdin, lambda: None if os.read(sys.stdin.fileno(), 4096) else end.set())
    await end.wait()
    await server.stop()
    return 1 if server.failures else 0


if __name__ == "__main__":
    sys.exit(main())
