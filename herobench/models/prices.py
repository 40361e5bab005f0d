"""What tokens cost: prices per million, by model, from a file that the user keeps.

A price that is not known is not 0: what it would have come to is None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.conversation import Usage
from herobench.documents import read_document, schema_problems
from herobench.errors import InputError

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars, or whatever the file means, per million tokens."""

    input: float
    output: float
    cache_read: float
    """Of input that the server had read before; as other input where the file does not say."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Price:
        """Build from one entry of a price file."""
        return cls(float(row["input"]), float(row["output"]), float(row.get("cache_read", row["input"])))

    def as_row(self) -> dict[str, float]:
        """The entry of a price file."""
        return {"input": self.input, "output": self.output, "cache_read": self.cache_read}

    def of(self, usage: Usage) -> float | None:
        """What a call cost; None where the server did not count its tokens."""
        if usage.input is None or usage.output is None:
            return None
        cached = min(usage.cached or 0, usage.input)
        spent = (usage.input - cached) * self.input + cached * self.cache_read + usage.output * self.output
        return spent / _MILLION


def load_prices(path: Path) -> dict[str, Price]:
    """The prices of a file, by model. Raises InputError with all that is wrong with it."""
    document, problems = read_document(path, str(path))
    problems = problems or schema_problems(document, "prices", str(path))
    if problems:
        raise InputError(problems)
    return {name: Price.from_row(row) for name, row in document.items()}
