"""Runs pytest in forks of a process that has loaded the libraries: most faults are found in less time than those take.

Started in a copy of the tree, and never imports a module of the project itself. Each line of standard input is a JSON
list of arguments for pytest; each is answered with a line of JSON: the exit code, and what pytest said.
"""

import json
import os
import resource
import signal
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

LIBRARIES = "RestrictedPython httpx2 hypothesis jsonschema numpy openai pytest rich.console scipy.stats typer".split()

MOST_SECONDS = 300
"""Processor time that the tests nearest to a fault may take: a fault can make a test run for ever."""


def main() -> None:
    for name in LIBRARIES:
        import_module(name)
    for line in sys.stdin:
        with TemporaryFile("w+", encoding="utf-8") as said:
            code = forked(json.loads(line), said.fileno())
            said.seek(0)
            print(json.dumps([code, said.read()]), flush=True)


def forked(arguments: list[str], output: int) -> int:
    """Run pytest in a child; its exit code."""
    child = os.fork()
    if not child:
        try:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(output, 1)
            os.dup2(output, 2)
            signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started from a script may ignore it
            # The hard limit stays: a worker of the sandbox sets one of its own.
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, resource.getrlimit(resource.RLIMIT_CPU)[1]))
            sys.path.insert(0, str(Path.cwd()))
            code = import_module("pytest").main([*arguments, "-W", "ignore::pytest.PytestAssertRewriteWarning"])
            sys.stdout.flush()
            os._exit(code)
        finally:
            os._exit(70)  # where pytest itself raised
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    main()
