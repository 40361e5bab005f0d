"""`herobench serve` in an environment of its own, for tests that ask it over HTTP."""

import json
import re
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.surfaces.environment import Environment


def words(knobs: Mapping[str, Any]) -> list[str]:
    """Return settings as options of the command line."""
    return [word for name, value in knobs.items() for word in (f"--{name}", str(value))]


class Server:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process, self.url = process, url
        self.cookie = ""
        """The cookie of the last answer, if it set one."""

    def ask(self, path: str, body: Any = None, method: str | None = None, **headers: str) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        kind = {"Content-Type": "application/json"} if data is not None else {}
        request = urllib.request.Request(self.url + path, data, {**kind, **headers}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, self._document(answer)
        except urllib.error.HTTPError as error:
            return error.code, self._document(error)

    def workers(self) -> list[int]:
        """The processes in which plans run."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout
        return [int(pid) for pid in found.split()]

    def _document(self, answer: Any) -> Any:
        self.cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        text = answer.read().decode()
        return json.loads(text) if answer.headers["Content-Type"] == "application/json" else text


@contextmanager
def served(environment: Environment, *options: str) -> Iterator[Server]:
    """Run `herobench serve` of an environment on a free port."""
    command = [environment.bin / "herobench", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    try:
        found = re.search(r"http://\S+", line := process.stderr.readline())
        assert found, line + process.stderr.read()
        yield Server(process, found[0])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        process.stderr.close()
