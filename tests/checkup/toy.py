"""Checkups of the toy suite alone: `python -m tests.checkup.toy checkup ...` is the program with no other suite."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from herobench.checkup import folder
from herobench.suite.checkup_parts import Part, load_parts
from tests.loopback import Behaviour, Loopback
from tests.toys import TOY, TREASURES

SIZES = {"treasure": 6, "cellar": 4}


def toy_parts() -> Sequence[Part]:
    """The parts of the toy suite, whose package must be on the path."""
    return [part for part in load_parts() if part.suite == "treasure"]


class ToyServer(Loopback):
    """A model that looks and says what is there, but looks elsewhere in t1. `disturb` may answer a request instead."""

    def __init__(self, disturb: Callable[[int], Behaviour | None] = lambda asked: None) -> None:
        super().__init__(self._play, key=r"Room (\w+):")
        self._disturb, self._asked, self._has_looked = disturb, 0, False

    def _decide(self, request: Any, number: int) -> Any:
        messages = json.loads(request.body or b"{}").get("messages", [])
        self._has_looked = bool(messages) and messages[-1]["role"] == "tool"
        return super()._decide(request, number)

    def _play(self, key: str, attempt: int) -> Behaviour:
        self._asked += 1
        number = int(key[1:])
        if (disturbed := self._disturb(self._asked)) is not None:
            return disturbed
        if self._has_looked:
            return Behaviour(text=f"I see {TREASURES[number % len(TREASURES)]}.")
        door = 2 if number == 1 else number % 3
        return Behaviour(calls=[{"name": "look", "arguments": json.dumps({"door": door})}])


if __name__ == "__main__":
    sys.path.insert(0, str(TOY))
    from herobench.cli import checkup, main

    parts = toy_parts()
    folder.load_parts = checkup.load_parts = lambda: list(parts)
    main()
