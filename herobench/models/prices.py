"""Reads the prices of tokens, per million and by model, from a file of the user, and computes what calls cost.

The ledger of a run uses them. An unknown cost is None and never 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.conversation import Usage
from herobench.data.documents import read_document, schema_problems
from herobench.data.errors import InputError

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """The prices of one model per million tokens, in dollars or in whatever currency the file means."""

    input: float
    output: float
    cache_read: float
    """The price of cached input. Without one in the file, the price of other input."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Price:
        """Build from one entry of a price file."""
        return cls(float(row["input"]), float(row["output"]), float(row.get("cache_read", row["input"])))

    def as_row(self) -> dict[str, float]:
        """Return the price as an entry of a price file."""
        return {"input": self.input, "output": self.output, "cache_read": self.cache_read}

    def of(self, usage: Usage) -> float | None:
        """Return the cost of a call, or None where the server did not count its tokens."""
        if usage.input is None or usage.output is None:
            return None
        cached = min(usage.cached or 0, usage.input)  # the input includes it, but some servers count it beside
        spent = (usage.input - cached) * self.input + cached * self.cache_read + usage.output * self.output
        return spent / _MILLION


def load_prices(path: Path) -> dict[str, Price]:
    """Read the prices of a file, by model. Raises InputError with all problems of the file."""
    document, problems = read_document(path, str(path))
    problems = problems or schema_problems(document, "prices", str(path))
    if problems:
        raise InputError(problems)
    return {name: Price.from_row(row) for name, row in document.items()}
