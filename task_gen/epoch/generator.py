"""The generator of the suite behind the contract: reads its options, and makes levels in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from herobench.data.ranges import least_and_most
from herobench.suite.generating import GenerateRequest, GeneratorOption, Made, Numbered, TaskGenerator
from herobench.suites.epoch.game.world import digest
from herobench.task_gen.epoch.drawing import LevelQuery, level
from herobench.work.engine import Each, Local

_WORTH_A_WORKER = 5
"""The number of levels that pays for the start of a process."""
_LENGTH = "The length of a shortest solution, in actions."


def _lengths(text: str) -> tuple[int, int]:
    found = least_and_most(text)
    if found is None:
        raise ValueError("give a length such as 20, or the least and the greatest such as 12-40")
    return found


def _people(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise ValueError("give a number of people such as 3")
    return int(text)


class EpochGenerator(TaskGenerator):
    """Makes levels with proven lengths."""

    count = 20
    options = (
        GeneratorOption("length", _LENGTH, "12-40", "N|N-M", _lengths, is_length=True),
        GeneratorOption("people", "How many people the player directs.", "3", "N", _people),
        GeneratorOption("decay", "Three levers, which spring back, have to be down at once.", is_flag=True),
        GeneratorOption("riddles", "Clues tell which key fits which lock, and nothing else does.", is_flag=True),
    )

    def make(self, request: GenerateRequest) -> Made:
        """Make levels."""
        count = request.count or self.count
        work: Each[int, Mapping[str, Any]] = Each(partial(row, _wanted(request)), _WORTH_A_WORKER)
        return Made(count, Local(request.jobs).results(work, range(count)))

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return the same levels by their numbers."""
        wanted = _wanted(request)
        identity = {**asdict(wanted), "lengths": list(wanted.lengths), "world": digest()}
        return Numbered(partial(row, wanted), identity, numbers=range(request.count or self.count))


def _wanted(request: GenerateRequest) -> LevelQuery:
    given = request.values
    return LevelQuery(given["length"], given["people"], given["decay"], given["riddles"], request.seed)


def row(wanted: LevelQuery, number: int) -> dict[str, Any]:
    """Return the row of a level by its number from 0."""
    return level(wanted, number + 1).as_row()
