"""A running server as a test sees it, the same whether it runs in a thread or in a process of its own."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from tests.loopback.log import Counters, Record
from tests.loopback.server import HOST


class RunningServer(ABC):
    port: int

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def url(self) -> str:
        """The base URL for clients of the API."""
        return f"{self.origin}/v1"

    @abstractmethod
    def counters(self) -> Counters:
        """The counts as they are now."""

    @abstractmethod
    def records(self) -> list[Record]:
        """Return the records of all requests, in the order of their arrival."""

    @abstractmethod
    def hold(self) -> None:
        """Let answers wait from now on, so that requests pile up in flight."""

    @abstractmethod
    def release(self) -> None:
        """Let answers go again, those that wait and those to come."""

    @abstractmethod
    def reset(self) -> None:
        """Forget the records, the counts and how often each key was asked."""

    def wait_until(self, true: Callable[[Counters], bool], seconds: float = 60.0) -> Counters:
        """The counts for which it first holds; fails when that takes too long."""
        deadline = time.monotonic() + seconds
        while not true(counters := self.counters()):
            assert time.monotonic() < deadline, f"waited {seconds} s in vain: {counters}"
            time.sleep(0.002)
        return counters
