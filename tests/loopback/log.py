"""The server's log: a record of every request, and counts of what goes on now and went on at most.

A connection counts from its first request of the API on, so that a look at the log is none. A request is in flight from
the moment it is read until the last piece of its answer is about to be written: a client that has seen the end of one
answer and asks again is never seen with two. Bodies are kept as the bytes that came; they are decoded when looked at.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace

from tests.loopback.behaviour import Behaviour, Json


@dataclass(slots=True)
class Record:
    arrived: float
    """The time by time.monotonic(), which on Linux is the same clock in all processes."""
    method: str
    path: str
    key: str
    attempt: int
    """The number of this try among those with the same key, from 1 on; 0 for a request that is not understood."""
    raw: bytes
    authorization: str | None
    user_agent: str | None
    behaviour: Behaviour
    status: int = 0
    """Of an answer that is no reply because the request was not taken; 0 for others."""
    sent: bool = False
    """True once the answer was sent in full; never true where the behaviour cuts the connection."""

    @property
    def body(self) -> Json:
        """The body as JSON; empty where it is none."""
        try:
            body = json.loads(self.raw)
        except ValueError:
            return {}
        return body if isinstance(body, dict) else {}

    def as_json(self) -> Json:
        fields = {name: getattr(self, name) for name in self.__slots__ if name != "raw"}
        return {**fields, "behaviour": self.behaviour.as_json(), "body": self.body}

    @classmethod
    def of(cls, document: Json) -> Record:
        fields = {name: value for name, value in document.items() if name not in ("body", "behaviour")}
        raw = json.dumps(document["body"]).encode()
        return cls(**fields, raw=raw, behaviour=Behaviour.of(document["behaviour"]))


@dataclass(slots=True)
class Counters:
    requests: int = 0
    answered: int = 0
    """Requests whose answer was sent in full."""
    in_flight: int = 0
    most_in_flight: int = 0
    connections: int = 0
    """Connections open now."""
    most_connections: int = 0
    opened: int = 0
    """Connections that were ever opened."""


@dataclass
class Log:
    records: list[Record] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)
    attempts: Counter[str] = field(default_factory=Counter)

    def attempt(self, key: str) -> int:
        self.attempts[key] += 1
        return self.attempts[key]

    def arrive(self, record: Record) -> None:
        self.records.append(record)
        counters = self.counters
        counters.requests += 1
        counters.in_flight += 1
        counters.most_in_flight = max(counters.most_in_flight, counters.in_flight)

    def leave(self, record: Record, *, sent: bool) -> None:
        record.sent = sent
        self.counters.in_flight -= 1
        self.counters.answered += sent

    def take_back(self, record: Record) -> None:
        """The last piece of an answer did not get out after all."""
        record.sent = False
        self.counters.answered -= 1

    def connect(self) -> None:
        counters = self.counters
        counters.opened += 1
        counters.connections += 1
        counters.most_connections = max(counters.most_connections, counters.connections)

    def disconnect(self) -> None:
        self.counters.connections -= 1

    def reset(self) -> None:
        """Forget what was; what goes on now still counts."""
        self.records.clear()
        self.attempts.clear()
        now = self.counters
        self.counters = Counters(
            in_flight=now.in_flight,
            most_in_flight=now.in_flight,
            connections=now.connections,
            most_connections=now.connections,
        )

    def snapshot(self) -> Counters:
        return replace(self.counters)
