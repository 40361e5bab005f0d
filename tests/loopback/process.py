"""The server in a process of its own, which lives on while its clients are killed; the script must be a table."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.loopback.log import Counters, Record
from tests.loopback.running_server import RunningServer
from tests.loopback.server import HOST

ROOT = Path(__file__).parents[2]


class LoopbackProcess(RunningServer):
    """Runs while its `with` block does, and not longer than the process that started it, however that may end."""

    def __init__(
        self, script: Mapping[str, Any] | None = None, answers: Path | None = None, key: str | None = None
    ) -> None:
        self._script = script
        more = [*(["--answers", str(answers)] if answers else []), *(["--key", key] if key else [])]
        self._command = [sys.executable, "-m", "tests.loopback", "--with-parent", *more]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout
        self.port = int(self._process.stdout.readline())
        if self._script is not None:
            self.play(self._script)
        return self

    def __exit__(
        self, sort: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._process.communicate(timeout=10)
        finally:
            self._process.kill()
            self._process.wait()
        assert error or self._process.returncode == 0, "the server failed; see its standard error"

    def play(self, script: Mapping[str, Any]) -> None:
        """Behave by this table from now on."""
        self._ask("POST", "/script", json.dumps(script))

    def counters(self) -> Counters:
        return Counters(**self._ask("GET", "/counters"))

    def records(self) -> list[Record]:
        return [Record.of(record) for record in self._ask("GET", "/log")["records"]]

    def hold(self) -> None:
        self._ask("POST", "/hold")

    def release(self) -> None:
        self._ask("POST", "/release")

    def reset(self) -> None:
        self._ask("POST", "/reset")

    def _ask(self, method: str, path: str, body: str = "") -> Any:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=30)
        try:
            connection.request(method, path, body.encode())
            answer = connection.getresponse()
            document = json.loads(answer.read())
        finally:
            connection.close()
        assert answer.status == 200, document
        return document
